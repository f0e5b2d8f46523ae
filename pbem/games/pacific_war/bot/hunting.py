"""Enemy task forces that are worth going after: whom ships may meet with guns, whom carriers with aircraft."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.board import X, distance
from pbem.games.pacific_war.bot.tasks import room
from pbem.games.pacific_war.bot.worth import OTHER_SHIP, SHIPS, mean
from pbem.games.pacific_war.state import FOE, State

ODDS = 70  # percent of the enemy's strength with which he is met
GUNS_REACH, AIR_REACH = 10, 14  # hexes to which surface forces and carriers go after him
LAND_BASED = 4  # hexes within which aircraft ashore count


def prey(g: State, side: str, ships: Sequence[str], at: int) -> int:
    """The hex of the enemy task force that these ships should go after; 0: none. Sealed forces are nobody's prey."""
    carriers = [s for s in ships if g.is_carrier(s) and g.air_aboard(s)]
    if any(g.cargo(s) or room(g, s) for s in ships) or (not carriers and any(g.is_carrier(s) for s in ships)):
        return 0
    most = AIR_REACH if carriers else GUNS_REACH
    places = {x.at for x in g.markers.values() if x.side != side and distance(x.at, at) <= most}
    able = [h for h in sorted(places) if matches(g, side, ships, h)]
    return max(able, key=lambda h: (_value(g, side, h) // (2 + distance(at, h)), h), default=0)


def matches(g: State, side: str, ships: Sequence[str], place: int) -> bool:
    """These ships are strong enough for who is there, and nobody there is sealed."""
    foe = FOE[side]
    if any(g.markers[m].handle for m in g.forces_at(foe, place)):
        return False
    theirs = g.ships(foe, place)
    mine = wings(g, side, ships)
    if mine:
        return 100 * mine >= ODDS * (wings(g, foe, theirs) + ashore(g, foe, place))
    flying = any(
        distance(x.at, place) <= LAND_BASED and wings(g, foe, g.members(m)) for m, x in g.markers.items() if x.side == foe
    )
    return not flying and 100 * guns(g, ships) >= ODDS * guns(g, theirs)


def _value(g: State, side: str, place: int) -> int:
    return sum(SHIPS.get(g.counter(s).type, OTHER_SHIP) * g.steps(s) for s in g.ships(FOE[side], place))


def wings(g: State, side: str, ships: Sequence[str]) -> int:
    """Steps of aircraft on these ships that attack others."""
    return sum(g.steps(u) for s in ships for u in g.air_aboard(s) if g.counter(u).an != X)


def ashore(g: State, side: str, place: int) -> int:
    """Half the steps of aircraft ashore that attack ships near a hex."""
    near = [u for u in g.on_map(side, "air") if not g.units[u].aboard and g.counter(u).an != X]
    return sum(g.steps(u) for u in near if g.counter(u).type != "LRA" and distance(g.units[u].at, place) <= LAND_BASED) // 2


def guns(g: State, ships: Sequence[str]) -> int:
    """Hundredths of hits of ships at the shortest range."""
    return sum(mean(g, "short", g.strength(s, g.counter(s).gun[0])) for s in ships)
