"""What can come to a space by land, by air and by sea."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pbem.games.axis_and_allies_pacific.bot.judgement import MARCHING, is_guarded, is_key, threat
from pbem.games.axis_and_allies_pacific.landing import is_within_reach_of_home
from pbem.games.axis_and_allies_pacific.paths import flights, is_open, sail, shortest
from pbem.games.axis_and_allies_pacific.state import AIR, SEA, SIDES, State, Unit, friends, movement_points, side_of
from pbem.kernel.canon import Plain

GARRISON = 3  # land units that stay in a victory city to which no road leads: a single transport would be enough


def orders_for(units: Sequence[Unit], to: str, mark: str = "") -> list[Plain]:
    """Moves of these units, one for each space and type."""
    groups: dict[tuple[str, str], int] = {}
    for unit in units:
        groups[unit.at, unit.type] = groups.get((unit.at, unit.type), 0) + 1
    return [{"move": {"units": {mark + kind: n}, "from": at, "to": to}} for (at, kind), n in groups.items()]


def is_ready(unit: Unit) -> bool:
    """It has neither moved nor fought in this turn."""
    return unit.moved == "" and not unit.fought and unit.role == ""


def by_land(g: State, power: str, target: str) -> list[Unit]:
    """Land units that can walk there now, cheapest first; keys keep the garrison they need."""
    near = [s for s in g.board.neighbours[target] if s in g.board.territories]
    ring = {n for s in near if is_open(g, power, s) for n in g.board.neighbours[s] if is_open(g, power, n)}
    found = []
    for at in sorted({*near, *ring}):
        units = [u for u in g.at(at) if u.owner == power and u.type in MARCHING and u.aboard is None and is_ready(u)]
        if at not in near:
            units = [u for u in units if movement_points(g, u) > 1]
            if units and shortest(g, at, target, lambda s: is_open(g, power, s), 2) is None:
                continue
        found += without_guards(g, power, at, units, target)
    return sorted(found, key=lambda u: (g.board.types[u.type].cost, u.id))


def without_guards(
    g: State, power: str, at: str, units: list[Unit], target: str = "", gone: Collection[int] = ()
) -> list[Unit]:
    """Without the units that a key place needs to be safe when the enemies in the target are struck, and without the last
    man of an island with income that an enemy can reach; `gone` are those who leave it besides.
    """
    able = sorted(units, key=lambda u: (-g.board.types[u.type].attack, u.id))
    if not units or not is_key(g, at):
        return able[:-1] if units and _lies_open(g, power, at, {*gone, *(u.id for u in units)}) else units
    while able and is_needed_in_city(g, power, at, [*gone, *(u.id for u in able)]):
        able.pop()
    while able and not is_guarded(g, power, at, [*gone, *(u.id for u in able)], struck=target):
        able.pop()
    return able


def _lies_open(g: State, power: str, at: str, leaving: Collection[int]) -> bool:
    """Nobody would be left on an island with income to which an enemy can bring troops."""
    place = g.board.territories[at]
    if not place.island or not place.ipc:
        return False
    if any(
        u.id not in leaving and u.type in MARCHING and u.aboard is None and side_of(g, u.owner) == SIDES[power]
        for u in g.at(at)
    ):
        return False
    return any(u.type in MARCHING for u in threat(g, power, at))


def is_needed_in_city(g: State, power: str, at: str, leaving: Collection[int]) -> bool:
    """A victory city would be left with fewer men than it has at least when these leave it."""
    place = g.board.territories[at]
    here = [u for u in g.at(at) if u.type in MARCHING and u.aboard is None and side_of(g, u.owner) == SIDES[power]]
    least = GARRISON if place.island else 1
    return bool(place.victory_city) and sum(u.id not in leaving for u in here) < least


def by_air(g: State, power: str, target: str) -> list[Unit]:
    """Aircraft that can attack there and come home, cheapest first."""
    found = []
    for plane in g.of(power):
        if plane.type not in AIR or not is_ready(plane):
            continue
        ship = g.units.get(plane.aboard or 0)
        if ship is not None and ship.owner != power:
            continue
        distance = flights(g, power, plane.at, movement_points(g, plane)).get(target, 0)
        if distance and is_within_reach_of_home(g, plane, target, distance):
            found.append(plane)
    return sorted(found, key=lambda u: (g.board.types[u.type].cost, u.id))


def can_sail(g: State, ship: Unit, zone: str) -> bool:
    """A ship reaches a zone with what is left of its movement."""
    limit = movement_points(g, ship) - ship.used
    way = sail(g, [ship], zone, max(limit, 1))
    return way is not None and len(way) <= limit


def ships_for(g: State, power: str, zone: str) -> list[Unit]:
    """Own ships that can come to a zone or are there, cheapest first."""
    found = [
        u for u in g.of(power) if u.type in SEA and is_ready(u) and (u.at == zone or can_sail(g, u, zone)) and not _bound(g, u)
    ]
    return sorted(found, key=lambda u: (g.board.types[u.type].cost, u.id))


def _bound(g: State, ship: Unit) -> bool:
    """Friends' aircraft aboard would be carried into a battle that is not theirs."""
    return any(not friends(c.owner, ship.owner) or c.owner != ship.owner for c in g.cargo(ship))
