"""Empty hexes that bring points: who enters them, and whether they are cleared."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.games.next_war.bot.judgement import cleared, prize, step
from pbem.games.next_war.control import mssp
from pbem.games.next_war.obstacles import hostile_place
from pbem.games.next_war.state import State

MOST = 3  # units that enter one hex to clear it
ANOTHER = 2  # points that one more of them has to bring
PART = 20  # of a step of each unit: it could do something else


class Grab(Struct, frozen=True):
    """An empty hex that brings points, and who enters it; `chance`: in how many of a thousand cases it is cleared."""

    place: int
    units: tuple[str, ...]
    chance: int
    worth: int


def entered(g: State, side: str, place: int, able: Sequence[str], room: int) -> Grab | None:
    """By the smallest unit; where a hex has to be cleared, by as many as make that likelier at little cost."""
    if not hostile_place(g, side, place):
        unit = min(able, key=lambda u: (step(g, u), u), default=None)
        return Grab(place, (unit,), 1000, prize(g, side, place)) if unit else None
    best: Grab | None = None
    while best is None or len(best.units) < MOST:
        held = best.units if best else ()
        left = room - g.stack_points(held)
        more = [_clearing(g, side, place, (*held, u)) for u in able if u not in held and g.values(u).sp <= left]
        found = max(more, key=lambda grab: (grab.worth, grab.units), default=None)
        if found is None or found.worth <= (best.worth + ANOTHER if best else 0):
            break
        best = found
    return best


def _clearing(g: State, side: str, place: int, units: tuple[str, ...]) -> Grab:
    """What the units promise that stand there when the hex is to be cleared."""
    chance = cleared(g, side, place, units)
    short = g.stack_points(units) < 2 * mssp(g, g.board.hexes[place])
    risk = min(step(g, u) for u in units) if short else 0
    promised = (chance * prize(g, side, place) - (1000 - chance) * risk) // 1000
    return Grab(place, units, chance, promised - sum(step(g, u) for u in units) // PART)
