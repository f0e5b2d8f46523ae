"""What is left of a phase's plan: found again from the way that the phase has taken, so that a game that was put down in the
middle of a turn goes on with the same orders.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal, position
from pbem.games.axis_and_allies_pacific.state import State, Trail
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.images import image

KEPT = 400  # positions for which the rest of a plan is remembered
ASTRAY = 4  # times that a plan is made anew on the way; after that only for the position at hand
_REST: dict[str, Sequence[Plain]] = {}  # who asks and the way to a position -> the orders that are still to be given

Planner = Callable[[State], Rehearsal]


def rest(g: State, name: str, planner: Planner, opening: Planner) -> Sequence[Plain]:
    """The orders of the plan that are still to be given here, `name` being who plays and how; a new plan where what has
    happened is not what was planned, by the `planner` or, where the phase begins, the `opening` one. The memory only saves
    time: the way says all.
    """
    astray = 0
    trail = g.trail or Trail(image(g), len(g.events), [len(g.events)])
    *before, last = _ways(g, trail)
    for number, way in enumerate(before):
        if f"{name} {way}" not in _REST:
            if astray == ASTRAY:
                break
            astray += 1
            _plan(_standing(g, trail, number), name, way, planner if number else opening)
    if f"{name} {last}" not in _REST:
        _plan(g, name, last, planner if before else opening)
    found = _REST[f"{name} {last}"]
    while len(_REST) > KEPT:
        del _REST[next(iter(_REST))]
    return found


def forget() -> None:
    """As after a start of the program."""
    _REST.clear()


def _plan(g: State, name: str, way: str, planner: Planner) -> None:
    stage = planner(g)
    _REST[f"{name} {way}"] = stage.orders
    for number, place in enumerate(stage.places[: len(stage.orders)], 1):
        way = _onward(way, place)
        _REST[f"{name} {way}"] = stage.orders[number:]


def _ways(g: State, trail: Trail) -> Sequence[str]:
    """The name of the way to each position."""
    while len(trail.names) < len(trail.stops):
        here = _standing(g, trail, len(trail.names))
        trail.names.append(_onward(trail.names[-1] if trail.names else "", position(here)))
    return trail.names


def _onward(way: str, place: str) -> str:
    return hashlib.sha256(f"{way} {place}".encode()).hexdigest()


def _standing(g: State, trail: Trail, number: int) -> State:
    """The position at which an order was asked for; the newest is that at hand."""
    if trail.stops[number] == len(g.events):
        return g
    found: State = trail.start.record()
    found.board = g.board
    for event in g.events[trail.first : trail.stops[number]]:
        emit(found, event)
    return found
