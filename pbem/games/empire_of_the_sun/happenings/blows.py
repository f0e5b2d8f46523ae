"""[5.31] [5.33] Events that cost a unit a step."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.board import TOKYO, Card, distance
from pbem.games.empire_of_the_sun.d10 import throw
from pbem.games.empire_of_the_sun.events.turns import Rolled
from pbem.games.empire_of_the_sun.losses import lose_step
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State, offensive
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_unit
from pbem.kernel.wording import die_for, msg


def air_loss(g: State, card: Card, _: bool) -> Flow[None]:
    """Makin: an air unit outside the home islands in command range of a US HQ loses a step."""
    us = [u for u in g.on_map(ALLIES) if g.counter(u).kind == "hq" and g.counter(u).nation == "us"]
    targets = [
        u
        for u in g.on_map(JAPAN)
        if g.counter(u).kind == "air"
        and g.board.hexes[g.pieces[u].at].region != "Japan"
        and any(distance(g.pieces[u].at, g.pieces[h].at) <= g.counter(h).command for h in us)
    ]
    unit = yield from choose_unit(g.board.unit_index, ALLIES, "target", "5.33", msg("the air unit that loses a step"), targets)
    if unit:
        lose_step(g, unit, "5.33")


def raid_b29(g: State, card: Card, highest: int) -> Flow[None]:
    """A raid on the bombers' airfields: d10 up to the figure costs a B-29 a step."""
    targets = [u for u, p in g.pieces.items() if g.counter(u).b29 and (p.box == "china" or near_tokyo(g, u))]
    if not targets:
        return
    label = die_for("raid on the B-29 airfields")
    die = yield from throw(label, "5.31", ALLIES)
    emit(g, Rolled(label, die, "hit" if die <= highest else "miss", "5.31"))
    if die <= highest:
        unit = yield from choose_unit(g.board.unit_index, JAPAN, "target", "5.31", msg("the B-29 that loses a step"), targets)
        lose_step(g, unit, "5.31")


def near_tokyo(g: State, unit: str) -> bool:
    """[12.31] Within eight hexes of Tokyo."""
    piece = g.pieces[unit]
    return piece.box == "map" and distance(piece.at, TOKYO) <= 8


def bombard_air(g: State) -> Flow[None]:
    """[J20] A battleship that shells an airfield without Allied battleships costs one air unit a step."""
    o = offensive(g)
    targets: list[str] = []
    for h in o.battles:
        battleships = [u for u in g.units_at(h) if g.counter(u).type == "bb"]
        if battleships and all(g.counter(u).side == JAPAN for u in battleships):
            targets += g.mine_at(ALLIES, h, "air")
    unit = yield from choose_unit(g.board.unit_index, JAPAN, "target", "5.31", msg("the air unit that is shelled"), targets)
    if unit:
        lose_step(g, unit, "5.31")
