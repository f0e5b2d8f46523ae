"""[PW-RES-02] [PW-STB-04] The home resource hexes of Japan, and bombs on them."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.choices import distribute
from pbem.games.pacific_war.state import ALLIES, State
from pbem.games.pacific_war.strategic import HomeBombed
from pbem.games.pacific_war.world.initiative import shift
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.wording import msg


def home_hexes(g: State) -> dict[int, int]:
    """[PW-RES-02] Home resource hexes and the points left in each."""
    return {int(k[5:]): n for k, n in g.ledger.items() if k.startswith("home ")}


def bomb(g: State, targets: Sequence[int], hits: int) -> Flow[None]:
    """[PW-STB-04] The Allied player distributes the hits; each takes a resource point for good."""
    homes = home_hexes(g)
    before = sum(homes.values())
    room = {f"{h:04d}": hits for h in targets}
    shares = yield from distribute(g, ALLIES, "damage", "PW-STB-04", msg("hits on the home resource hexes"), room, hits)
    for key, n in shares.items():
        emit(g, HomeBombed(int(key), max(0, homes[int(key)] - n)))
    after = sum(home_hexes(g).values())
    shift(g, -sum(after <= mark < before for mark in range(0, 100, 10)), "PW-SI-02")
