"""[PW-STB-06] The Doolittle raid."""

from __future__ import annotations

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.dice import column, die
from pbem.games.pacific_war.secret.fleets import offer_show
from pbem.games.pacific_war.state import ALLIES, JAPAN, State
from pbem.games.pacific_war.strategic import DoolittleFlown
from pbem.games.pacific_war.world.initiative import shift
from pbem.games.pacific_war.world.resources import bomb, home_hexes
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_place
from pbem.kernel.wording import msg

DOOLITTLE_RANGE, DOOLITTLE_SHIFT = 7, -3


def doolittle(g: State) -> Flow[None]:
    """[PW-STB-06] With Doolittle aboard, the Hornet within seven hexes of a home hex may raid at once with strength 1."""
    if g.ledger.get("doolittle") and any(u.box == "sealed" and "Hornet" in n for n, u in g.units.items()):
        yield from offer_show(g, ALLIES, "PW-STB-06")
    yield from raid_at_once(g)


def raid_at_once(g: State) -> Flow[None]:
    """The Hornet in sight raids as soon as she is near enough, whatever the phase."""
    ship = next((u for u in g.on_map(ALLIES, "naval") if "Hornet" in u), "")
    if not g.ledger.get("doolittle") or not ship:
        return
    near = [h for h, n in home_hexes(g).items() if n and distance(h, g.units[ship].at) <= DOOLITTLE_RANGE]
    target = yield from choose_place(
        g.board.place_index, ALLIES, "doolittle", "PW-STB-06", msg("the target of the Doolittle raid"), near, none=True
    )
    if not target:
        return
    rolled = yield from die(g, msg("Doolittle raid"), "PW-STB-06", JAPAN)
    hits = int(g.board.charts.air_naval["normal-bombing"][column(1, rolled)])
    yield from bomb(g, [target], hits)
    emit(g, DoolittleFlown())
    shift(g, DOOLITTLE_SHIFT, "PW-STB-06")
