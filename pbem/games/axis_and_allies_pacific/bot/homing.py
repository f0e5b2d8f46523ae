"""Whether aircraft that attack have somewhere to land afterwards where they are not lost."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.axis_and_allies_pacific.bot.airfields import risk
from pbem.games.axis_and_allies_pacific.bot.judgement import garrison
from pbem.games.axis_and_allies_pacific.bot.value import comes_to
from pbem.games.axis_and_allies_pacific.landing import CARRIER_AIRCRAFT, has_room, may_land
from pbem.games.axis_and_allies_pacific.paths import flights
from pbem.games.axis_and_allies_pacific.state import AIR, State, Unit, movement_points

CALM = 300  # thousandths of an IPC below which a place is as good as safe


def homecoming(g: State, power: str, planes: Iterable[Unit], space: str) -> int:
    """What aircraft of the land that strike a space risk more where they have to land than where they could go without it, in
    thousandths of an IPC.
    """
    return sum(_more(g, power, u, space) for u in planes if u.type in AIR and u.aboard is None)


def _more(g: State, power: str, plane: Unit, space: str) -> int:
    points = movement_points(g, plane)
    flown = flights(g, power, plane.at, points).get(space, points)
    memo, question = g.memo(), ("bot homecoming", power, plane.type, plane.at, points, space)
    if question not in memo:
        after = _best(g, power, plane, space, points - flown)
        memo[question] = max(0, after - _best(g, power, plane, plane.at, points)) if after > CALM else 0
    return int(memo[question])


def _best(g: State, power: str, plane: Unit, space: str, points: int) -> int:
    """The least that an aircraft risks at the end of a flight of so many spaces; a deck is safe as far as it knows."""
    near = flights(g, power, space, points)
    if plane.type in CARRIER_AIRCRAFT and any(u.at in near for u in g.of(power) if has_room(g, u)):
        return 0
    least = None
    for place in near:
        if place in g.board.territories and may_land(g, power, place):
            found = _lonely(g, power, place)
            least = found if least is None else min(least, found)
            if least <= CALM:
                break
    return least or 0


def _lonely(g: State, power: str, place: str) -> int:
    """What the enemy's answer costs one aircraft more among those that stand in a place, as often as he comes."""
    memo, question = g.memo(), ("bot lonely", power, place)
    if question not in memo:
        found = risk(g, power, place, [*garrison(g, power, place), Unit(0, "fighter", power, place)])
        memo[question] = found * comes_to(g, place) // 100
    return int(memo[question])
