"""[AIR] [NCM] Landing: what is proved before an attack, and what crashes when it comes to it."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from msgspec import Struct

from pbem.games.axis_and_allies_pacific.capacity import left, usable_complex
from pbem.games.axis_and_allies_pacific.events.combat import Destroyed
from pbem.games.axis_and_allies_pacific.events.moves import Boarded, Pledged
from pbem.games.axis_and_allies_pacific.paths import flights, may_fly_over, reach
from pbem.games.axis_and_allies_pacific.politics import why_not_enter
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    SIDES,
    State,
    Unit,
    friends,
    hostile_zones,
    is_friendly,
    movement_points,
    side_of,
    zone_is_hostile,
)
from pbem.kernel.events import emit

CARRIER_AIRCRAFT = ("fighter", "tactical-bomber")
FAR = 99  # more than anything flies


def may_land(g: State, power: str, territory: str) -> bool:
    """[NCM-05] Land that has been friendly since the start of this turn and that the power may enter."""
    memo, question = g.lasting(), ("land", power, territory)
    if question not in memo:
        memo[question] = _may_land(g, power, territory)
    return bool(memo[question])


def _may_land(g: State, power: str, territory: str) -> bool:
    held = g.start.control.get(territory, "")
    same_side = side_of(g, held) == SIDES[power]  # [AMB-DUTCH-AIR] guardianship changes the controller, not the side
    stayed = same_side or (held == g.control[territory] and territory not in g.captured)
    return stayed and is_friendly(g, power, territory) and why_not_enter(g, power, territory) is None


def has_room(g: State, carrier: Unit) -> bool:
    """[E-04] An undamaged carrier with fewer than two aircraft aboard."""
    return carrier.type == "aircraft-carrier" and not carrier.damaged and len(g.cargo(carrier)) < 2


def decks(g: State, power: str, zone: str) -> list[Unit]:
    """Own and friendly carriers in a zone with room, own first."""
    found = [u for u in g.at(zone) if friends(u.owner, power) and has_room(g, u)]
    return sorted(found, key=lambda u: (u.owner != power, u.id))


class Deck(Struct):
    """A carrier as a landing place: room left, the zones where it can be at the end of the turn."""

    room: int
    zones: dict[str, int]


def needs_landing(g: State, power: str) -> list[Unit]:
    """Aircraft of the phasing power that are in the air: away from friendly land and from a carrier's deck."""
    memo, question = g.memo(), ("in the air", power)
    if question not in memo:
        memo[question] = [u for u in g.of(power) if u.type in AIR and u.aboard is None and not _is_home(g, power, u.at)]
    found: list[Unit] = memo[question]
    return found


def homeless(g: State, power: str) -> list[Unit]:
    """Those of them that reach no land where they may end their flight."""
    return [u for u in needs_landing(g, power) if not has_home(g, u, u.at, u.used)]


def unprovable(
    g: State, power: str, moved: Mapping[int, tuple[str, int]] | None = None, sailed: Mapping[int, str] | None = None
) -> list[Unit]:
    """[AIR-01] The aircraft for which no landing can be shown.

    `moved` and `sailed` are an order tried out: aircraft id -> (space, points used), carrier id -> zone. Own aircraft
    of a carrier that sails stay behind in the air [CVM-01].
    """
    places, ships = dict(moved or {}), dict(sailed or {})
    if not ships:
        far = [i for i, (at, used) in places.items() if not has_home(g, g.units[i], at, used)]
        if not far and not _unprovable_now(g, power):
            return []  # those tried out fly home: the others have as many decks as before
        targets = {space for space, _ in places.values()}
        lost = [g.units[i] for i in far if not sees_deck(g, g.units[i], *places[i], targets)]
        if lost:
            return lost
    return _unprovable(g, power, places, ships)


def is_within_reach_of_home(g: State, plane: Unit, at: str, used: int) -> bool:
    """[AIR-01] Land or some carrier, full or not, in reach from a space to be attacked: without that no proof succeeds."""
    return has_home(g, plane, at, used) or sees_deck(g, plane, at, used, (at,))


def sees_deck(g: State, plane: Unit, at: str, used: int, targets: Collection[str]) -> bool:
    """Some carrier, full or not, can be where this aircraft, tried out, can still fly."""
    if plane.type not in CARRIER_AIRCRAFT:
        return False
    hostile = hostile_zones(g, plane.owner)
    opened = frozenset(z for z in targets if z in hostile)
    memo, question = g.memo(), ("deck zones", plane.owner, opened)
    if question not in memo:
        zones = {z for ship in carriers_of(g, plane.owner) for z in _zones_of(g, plane.owner, ship, opened)}
        memo[question] = zones.union(new_carrier_zones(g, plane.owner) if new_carriers(g, plane.owner) else ())
    return not reach_of(g, plane, at, used).keys().isdisjoint(memo[question])


def _unprovable_now(g: State, power: str) -> list[Unit]:
    """As things stand, with no order tried out."""
    memo, question = g.memo(), ("unprovable", power)
    if question not in memo:
        memo[question] = _unprovable(g, power, {}, {})
    found: list[Unit] = memo[question]
    return found


def _unprovable(g: State, power: str, places: Mapping[int, tuple[str, int]], ships: Mapping[int, str]) -> list[Unit]:
    launched = {c.id for i in ships for c in g.cargo(g.units[i]) if c.owner == power}
    airborne = {u.id for u in needs_landing(g, power)} | launched | set(places)
    planes = [(g.units[i], *places.get(i, (g.units[i].at, g.units[i].used))) for i in sorted(airborne)]
    far = [(u, reach_of(g, u, at, used)) for u, at, used in planes if not has_home(g, u, at, used)]
    if not far:
        return []
    fit = [(u, spaces) for u, spaces in far if u.type in CARRIER_AIRCRAFT]
    bad = [u for u, _ in far if u.type not in CARRIER_AIRCRAFT]
    targets = {space for space, _ in places.values()}
    if bad or not find_decks([s for _, s in fit], possible_decks(g, power, airborne, ships, targets)):
        return bad or [u for u, _ in fit]
    return []


def reach_of(g: State, plane: Unit, at: str, used: int) -> dict[str, int]:
    """Where an aircraft can fly from a space, having used so much movement."""
    range_left = movement_points(g, plane) - used
    return flights(g, plane.owner, at, range_left) if range_left >= 0 else {}


def has_home(g: State, plane: Unit, at: str, used: int) -> bool:
    """Land where it may end its flight is in reach."""
    return flies_home(g, plane.owner, at, movement_points(g, plane) - used)


def flies_home(g: State, power: str, at: str, points: int) -> bool:
    """An aircraft with so many movement points left reaches land where it may end its flight."""
    return ways_home(g, power).get(at, FAR) <= points


def ways_home(g: State, power: str) -> dict[str, int]:
    """From each space how far an aircraft of a power flies to the nearest land where it may end its flight."""
    memo, question = g.lasting(), ("ways home", power)
    if question not in memo:
        memo[question] = _ways_home(g, power)
    found: dict[str, int] = memo[question]
    return found


def _ways_home(g: State, power: str) -> dict[str, int]:
    """Spread from the landing places: a space that may not be flown over is an end of a way, since nobody comes through it."""
    ring = [t for t in g.board.territories if may_land(g, power, t)]
    found = dict.fromkeys(ring, 0)
    distance = 0
    while ring:
        distance += 1
        through = [space for space in ring if may_fly_over(g, power, space)]
        ring = []
        for space in through:
            for near in g.board.neighbours[space]:
                if near not in found:
                    found[near] = distance
                    ring.append(near)
    return found


def _is_home(g: State, power: str, space: str) -> bool:
    return space in g.board.territories and may_land(g, power, space)


def possible_decks(
    g: State, power: str, airborne: Container[int], sailed: Mapping[int, str], targets: Collection[str]
) -> list[Deck]:
    """[AIR-02] [NCM-06] [NCM-11] Carriers that stand, that can still sail in Noncombat Move, or that can be mobilized.

    `targets` are zones that the aircraft tried out attack: a carrier may come there after the victory.
    """
    found = []
    for ship in carriers_of(g, power):
        staying = sum(c.id not in airborne for c in g.cargo(ship))
        zones = {sailed[ship.id]: 0} if ship.id in sailed else _zones_of(g, power, ship, targets)
        found.append(Deck(2 - staying, zones))
    for _ in range(new_carriers(g, power)):
        found.append(Deck(2, dict.fromkeys(new_carrier_zones(g, power), 0)))
    return [d for d in found if d.room and d.zones]


def carriers_of(g: State, power: str) -> list[Unit]:
    """Undamaged carriers of a power and its friends."""
    memo, question = g.memo(), ("carriers", power)
    if question not in memo:
        memo[question] = [
            u for u in g.units.values() if u.type == "aircraft-carrier" and friends(u.owner, power) and not u.damaged
        ]
    found: list[Unit] = memo[question]
    return found


def _zones_of(g: State, power: str, ship: Unit, targets: Collection[str]) -> dict[str, int]:
    limit = _steps(g, power, ship)
    if limit <= 0:
        return {ship.at: 0}
    hostile = hostile_zones(g, power)
    opened = _attacked(g, power).union(z for z in targets if z in hostile)
    memo, question = g.facing(power), ("carrier", ship.at, limit, opened)
    if question not in memo:
        zones = g.board.zones
        memo[question] = reach(g, ship.at, lambda s: s in zones and (s not in hostile or s in opened), limit)
    found: dict[str, int] = memo[question]
    return found


def _steps(g: State, power: str, ship: Unit) -> int:
    """How far a carrier can still sail in Noncombat Move."""
    if ship.owner != power or ship.moved or ship.fought or g.phase not in ("combat-move", "noncombat-move"):
        return 0
    if g.phase == "combat-move" and (zone_is_hostile(g, power, ship.at) or g.engaged.get(ship.at)):
        return 0  # [HSZ-01] [CM-11] what stays with an enemy fleet or engages somebody does not move afterwards
    return movement_points(g, ship) - ship.used


def what_decks_rest_on(g: State, power: str) -> tuple[Any, ...]:
    """What decides where a carrier can be, besides land and everybody else's units."""
    memo, question = g.memo(), ("decks rest on", power)
    if question not in memo:
        ships = tuple((ship.at, _steps(g, power, ship)) for ship in carriers_of(g, power))
        memo[question] = ships, _attacked(g, power), new_carriers(g, power) > 0
    found: tuple[Any, ...] = memo[question]
    return found


def _attacked(g: State, power: str) -> frozenset[str]:
    """Hostile zones that own units attack: they may be clear by the time that carriers sail."""
    memo, question = g.memo(), ("attacked", power, g.phase)
    if question not in memo:
        hostile = hostile_zones(g, power) if g.phase == "combat-move" else ()
        memo[question] = frozenset(u.at for u in g.of(power) if u.moved == "combat" and u.at in hostile)
    found: frozenset[str] = memo[question]
    return found


def new_carriers(g: State, power: str) -> int:
    """[MOB-02] How many of the carriers bought the complexes on a coast can make."""
    bought = g.purchased.get(power, {}).get("aircraft-carrier", 0)
    return min(bought, sum(_makers(g, power).values())) if bought else 0


def _makers(g: State, power: str) -> dict[str, int]:
    """Complexes on a coast that work, with what they can still make."""
    memo, question = g.lasting(), ("makers", power)
    if question not in memo:
        able = {t: left(g, t) for t in sorted(g.facilities) if g.board.coast(t) and usable_complex(g, power, t)}
        memo[question] = {t: n for t, n in able.items() if n > 0}
    found: dict[str, int] = memo[question]
    return found


def new_carrier_zones(g: State, power: str) -> list[str]:
    """[MOB-04] Zones beside a complex that can make a carrier this turn."""
    return [z for t in _makers(g, power) for z in g.board.coast(t)]


def find_decks(planes: Sequence[Mapping[str, int]], decks_there: Sequence[Deck]) -> bool:
    """Whether every aircraft (the spaces it reaches) finds a deck, each carrier ending in one zone. Exact.

    Aircraft that reach the same carrier zones are alike, so a state is: carriers dealt with, aircraft left of each sort.
    """
    if sum(d.room for d in decks_there) < len(planes):
        return False
    known = sorted({z for d in decks_there for z in d.zones})
    sorts: dict[tuple[str, ...], int] = {}
    for spaces in planes:
        sort = tuple(z for z in known if z in spaces)
        sorts[sort] = sorts.get(sort, 0) + 1
    ordered = sorted(decks_there, key=lambda d: (len(d.zones), d.room))
    served = [_served(deck, list(sorts)) for deck in ordered]
    return _fill(tuple(sorts.values()), ordered, served, 0, set())


def _served(deck: Deck, sorts: Sequence[tuple[str, ...]]) -> list[tuple[int, ...]]:
    """For each zone where the carrier can be: the sorts of aircraft that reach it. Without repetitions."""
    groups = (tuple(i for i, sort in enumerate(sorts) if zone in sort) for zone in deck.zones)
    return list(dict.fromkeys(group for group in groups if group))


def _fill(
    waiting: tuple[int, ...],
    there: Sequence[Deck],
    served: Sequence[list[tuple[int, ...]]],
    at: int,
    failed: set[tuple[int, tuple[int, ...]]],
) -> bool:
    if not any(waiting):
        return True
    if (at, waiting) in failed or sum(waiting) > sum(d.room for d in there[at:]):
        return False
    for group in served[at]:
        for rest in _landed(waiting, group, there[at].room):
            if _fill(rest, there, served, at + 1, failed):
                return True
    if _fill(waiting, there, served, at + 1, failed):
        return True
    failed.add((at, waiting))
    return False


def most_landed(planes: Sequence[Mapping[str, int]], decks_there: Sequence[Deck]) -> int:
    """How many aircraft (the spaces each reaches) find a deck at most, each carrier ending in one zone. Exact."""
    known = sorted({z for d in decks_there for z in d.zones})
    sorts: dict[tuple[str, ...], int] = {}
    for spaces in planes:
        sort = tuple(z for z in known if z in spaces)
        sorts[sort] = sorts.get(sort, 0) + 1
    served = [_served(deck, list(sorts)) for deck in decks_there]
    memo: dict[tuple[int, tuple[int, ...]], int] = {}

    def most(at: int, waiting: tuple[int, ...]) -> int:
        if at == len(decks_there) or not any(waiting):
            return 0
        if (at, waiting) not in memo:
            ways = (left for group in served[at] for left in _landed(waiting, group, decks_there[at].room))
            landed = (sum(waiting) - sum(left) + most(at + 1, left) for left in ways)
            memo[at, waiting] = max(most(at + 1, waiting), max(landed, default=0))
        return memo[at, waiting]

    return most(0, tuple(sorts.values()))


def _landed(waiting: tuple[int, ...], group: tuple[int, ...], room: int) -> Iterator[tuple[int, ...]]:
    """What is left after as many aircraft of these sorts as there is room for have landed, in each possible mix."""
    pool = [i for i in group for _ in range(min(waiting[i], room))]
    for chosen in dict.fromkeys(combinations(pool, min(room, len(pool)))):
        yield tuple(n - chosen.count(i) for i, n in enumerate(waiting))


def board_waiting(g: State, power: str, zone: str) -> None:
    """[NCM-06] [NCM-07] Aircraft that wait in a zone land on the carriers there, first those that were promised a deck."""
    for plane in sorted(g.at(zone), key=lambda u: (u.id not in g.pledged, u.id)):
        if plane.owner == power and plane.type in CARRIER_AIRCRAFT and plane.aboard is None:
            deck = next(iter(decks(g, power, zone)), None)
            if deck is not None:
                emit(g, Boarded(plane.id, deck.id, "", "NCM-07"))


def crash(g: State, power: str) -> None:
    """[NCM-08] Aircraft of the phasing power without a legal landing are lost."""
    for plane in needs_landing(g, power):
        emit(g, Destroyed(plane.id, plane.type, plane.owner, plane.at, "NCM-08"))


def crash_now(g: State, power: str) -> None:
    """[NCM-08] At the end of Noncombat Move: all but those that a carrier to be mobilized may still save."""
    sailed = {u.at for u in g.of(power)}
    for zone in [z for z in g.board.zones if z in sailed]:
        board_waiting(g, power, zone)
    hope = set(new_carrier_zones(g, power)) if g.purchased.get(power, {}).get("aircraft-carrier", 0) else set()
    for plane in needs_landing(g, power):
        if plane.at not in hope or plane.type not in CARRIER_AIRCRAFT:
            emit(g, Destroyed(plane.id, plane.type, plane.owner, plane.at, "NCM-08"))
        elif plane.id not in g.pledged:
            emit(g, Pledged(plane.id))
