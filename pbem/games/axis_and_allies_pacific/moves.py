"""[CM] [AIR] [BLZ] [CVM] [NCM] Move orders of land, sea and air units: what is legal, and which events they make."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from msgspec import Struct

from pbem.games.axis_and_allies_pacific.assaults import battle_expected
from pbem.games.axis_and_allies_pacific.conduct_combat import able_to_engage
from pbem.games.axis_and_allies_pacific.landing import CARRIER_AIRCRAFT, decks, may_land, unprovable
from pbem.games.axis_and_allies_pacific.orders import Group, Route
from pbem.games.axis_and_allies_pacific.paths import flight_path, flights, is_empty_hostile, is_open, sail, shortest, stops
from pbem.games.axis_and_allies_pacific.politics import check_attack, check_enter, why_not_enter
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    LAND,
    SEA,
    State,
    Unit,
    is_friendly,
    is_neutral,
    movement_points,
    zone_is_hostile,
)
from pbem.games.axis_and_allies_pacific.terms import OWNERS, place, some
from pbem.kernel.orders import Rejected, illegal
from pbem.kernel.wording import msg

COMBAT, NONCOMBAT = "combat", "noncombat"


class Move(Struct, frozen=True):
    """A legal move: units, the way without its first space, what it is for, the role the units take."""

    units: tuple[int, ...]
    origin: str
    path: tuple[str, ...]
    kind: str  # land, sea, air
    rule: str
    roles: tuple[tuple[int, str], ...] = ()


def select(g: State, power: str, groups: Sequence[Group], at: str, fits: str, first: Container[int] = ()) -> list[Unit]:
    """The units of an order: `first`, then those with most movement left. Raises Rejected when they are not there."""
    chosen: list[Unit] = []
    for group in groups:
        able = [u for u in g.at(at) if u.owner == power and u.type == group.type and is_free(g, u)]
        if group.mark or chosen:
            able = [u for u in able if _is_marked(g, u, group.mark) and u not in chosen]
        if len(able) > 1:
            able.sort(key=lambda u: (u.id not in first, *_freshest(g, u)))
        if len(able) < group.count:
            raise _missing(g, power, group, at, len(able), fits)
        chosen += able[: group.count]
    return chosen


def _freshest(g: State, unit: Unit) -> tuple[bool, int, bool, int, int]:
    """Who may leave his deck, most movement left, loaded transports; while aircraft count on a deck [AMB-PLEDGE] the carrier
    with most room.
    """
    full = len(g.cargo(unit)) if g.pledged and g.phase == "noncombat-move" and unit.type == "aircraft-carrier" else 0
    left = movement_points(g, unit) - unit.used
    return _has_finished(g, unit), -left, unit.type == "transport" and not g.cargo(unit), full, unit.id


def _has_finished(g: State, plane: Unit) -> bool:
    """[NCM-07] An aircraft on a deck that has landed there, or has sailed along, in Noncombat Move."""
    ship = g.units.get(plane.aboard or 0) if plane.type in AIR and g.phase == "noncombat-move" else None
    return ship is not None and bool(plane.moved or ship.moved)


def _promised(g: State, power: str, route: Route) -> Container[int]:
    """[AMB-PLEDGE] Who was promised a deck and reaches this zone lands there before others of its type."""
    there = [g.units[i] for i in g.pledged if i in g.units and g.units[i].at == route.origin]
    if g.phase != "noncombat-move" or route.to not in g.board.zones or not there:
        return ()
    left = {u.id: movement_points(g, u) - u.used for u in there}
    far = flights(g, power, route.origin, max(0, *left.values())).get(route.to, 99)
    return {i for i, points in left.items() if points >= far}


def _is_marked(g: State, unit: Unit, mark: str) -> bool:
    """`damaged`, `loaded` and `empty` pick among units of one type; without a mark loaded transports go first."""
    if mark in ("loaded", "empty"):
        return bool(g.cargo(unit)) == (mark == "loaded")
    return mark not in ("damaged", "hit") or unit.damaged


def is_free(g: State, unit: Unit) -> bool:
    """Not cargo, not spent: what moved or fought in combat stays, but aircraft still land [NCM-01]."""
    if unit.type in LAND and unit.aboard is not None:
        return False
    if g.phase == "noncombat-move":
        return unit.type in AIR or (unit.moved in ("", NONCOMBAT) and not unit.fought)
    return unit.moved in ("", COMBAT) and not unit.fought and unit.role == ""


def _missing(g: State, power: str, group: Group, at: str, able: int, fits: str) -> Rejected:
    """Spent units are refused under [NCM-01] in Noncombat Move, absent ones under the rule of the order."""
    there = [u for u in g.at(at) if u.owner == power and u.type == group.type]
    where = place(g, at)
    if len(there) < group.count:
        return illegal(
            msg(
                "{power} has in {place}: {have}, not {want}",
                power=OWNERS[power],
                place=where,
                have=some(group.type, len(there)),
                want=group.count,
            ),
            fits,
        )
    spent = "NCM-01" if g.phase == "noncombat-move" else fits
    return illegal(
        msg("{want} in {place}: only {n} can still move", want=some(group.type, group.count), place=where, n=able), spent
    )


def read_move(g: State, power: str, route: Route) -> Move:
    """[CM-10] Any move of one kind of units. Raises Rejected."""
    units = select(g, power, route.groups, route.origin, "CM-10", _promised(g, power, route))
    kinds = sorted({g.board.types[u.type].kind for u in units})
    if len(kinds) > 1:
        raise illegal(msg("land, sea and air units move by separate orders"), "CM-10")
    if route.origin == route.to:
        raise illegal(msg("a move ends in another space"), "CM-10")
    combat = g.phase == "combat-move"
    if combat and g.engaged.get(route.origin):
        _check_engaged(g, power, units, route.origin)
    reader = {"land": _read_land, "sea": _read_sea, "air": _read_air}[kinds[0]]
    return reader(g, power, units, route, combat)


def _check_engaged(g: State, power: str, units: Sequence[Unit], zone: str) -> None:
    """[CM-11] Where enemy submarines or transports are engaged somebody who can do it ends his move."""
    if all(u in units for u in able_to_engage(g, power, zone)):
        raise illegal(
            msg("what engages submarines or transports in {place} ends its move there", place=place(g, zone)), "CM-11"
        )


# -- land --------------------------------------------------------------------------------------------------------------


def _read_land(g: State, power: str, units: list[Unit], route: Route, combat: bool) -> Move:
    if route.to not in g.board.territories:
        raise illegal(msg("land units go to sea aboard transports: {order}", order="`load`"), "TRN-02")
    if combat and any(u.type == "aa-gun" for u in units):
        raise illegal(msg("AA guns move in Noncombat Move only"), "NCM-04")
    limit = min(movement_points(g, u) - u.used for u in units)
    path = _land_path(g, power, units, route, limit, combat)
    if len(path) > limit:
        raise illegal(msg("spaces: {n}; these units can still move {limit}", n=len(path), limit=max(limit, 0)), "CM-10")
    _check_steps(g, route.origin, path)
    check = _check_combat_land if combat else _check_noncombat_land
    check(g, power, units, path)
    return Move(tuple(u.id for u in units), route.origin, path, "land", "CM-02" if combat else "NCM-04")


def _land_path(g: State, power: str, units: list[Unit], route: Route, limit: int, combat: bool) -> tuple[str, ...]:
    if route.via:
        return (*route.via, route.to)
    blitzing = combat and all(u.type in ("tank", "mechanized-infantry") for u in units)
    ways = [lambda s: is_open(g, power, s)]
    if blitzing:
        ways.append(lambda s: is_open(g, power, s) or is_empty_hostile(g, power, s))
    for may_pass in ways:
        found = shortest(g, route.origin, route.to, may_pass, max(limit, 1))
        if found is not None:
            return found
    direct = shortest(g, route.origin, route.to, lambda s: s in g.board.territories, 12)
    to, far = place(g, route.to), max(limit, 0)
    if direct:
        why = msg("spaces to {place}: {n}; no way within {limit} is open", place=to, n=len(direct), limit=far)
        raise illegal(why, "CM-10")
    raise illegal(msg("{place} is not joined by land; no way within {limit} is open", place=to, limit=far), "CM-10")


def _check_steps(g: State, origin: str, path: tuple[str, ...]) -> None:
    for here, there in zip((origin, *path), path, strict=False):
        if there not in g.board.neighbours[here]:
            raise illegal(msg("{place} and {other} do not touch", place=place(g, here), other=place(g, there)), "SPACE-02")


def _check_combat_land(g: State, power: str, units: list[Unit], path: tuple[str, ...]) -> None:
    """[CM-05] [CM-06] [BLZ] Into hostile or neutral land; only a blitz goes on from hostile land."""
    blitzed = False
    at = units[0].at
    if any(u.moved for u in units) and not is_friendly(g, power, at):  # it went in this turn
        _check_blitz(g, power, units, at)
        blitzed = True
    for space in path[:-1]:
        if space not in g.board.territories:
            raise illegal(msg("land units cross the sea aboard transports"), "TRN-02")
        check_enter(g, power, space)
        if is_friendly(g, power, space):
            continue
        _check_blitz(g, power, units, space)
        blitzed = True
    last = path[-1]
    if is_friendly(g, power, last):
        check_enter(g, power, last)
        if not blitzed:
            raise illegal(msg("{place} is friendly: move there in Noncombat Move", place=place(g, last)), "CM-01")
        return
    check_attack(g, power, last)


def _check_blitz(g: State, power: str, units: list[Unit], space: str) -> None:
    if not is_empty_hostile(g, power, space):
        neutral, where = is_neutral(g, space), place(g, space)
        rule = "CM-06" if neutral or units[0].at == space else "BLZ-04"
        if neutral:
            raise illegal(msg("{place} is neutral: land units stop there", place=where), rule)
        raise illegal(msg("{place} is not empty: land units stop there", place=where), rule)
    tanks = sum(u.type == "tank" for u in units)
    riders = sum(u.type == "mechanized-infantry" for u in units)
    if tanks + riders < len(units):
        raise illegal(msg("only tanks, with mechanized infantry, go on through hostile land"), "BLZ-01")
    if riders > tanks:
        raise illegal(
            msg("one mechanized infantry blitzes with each tank, not {riders} with {tanks}", riders=riders, tanks=tanks),
            "BLZ-02",
        )


def _check_noncombat_land(g: State, power: str, units: list[Unit], path: tuple[str, ...]) -> None:
    """[NCM-04] Friendly land all the way."""
    for space in path:
        if space not in g.board.territories:
            raise illegal(msg("land units cross the sea aboard transports"), "TRN-02")
        check_enter(g, power, space)
        if not is_friendly(g, power, space):
            raise illegal(msg("{place} is not friendly", place=place(g, space)), "NCM-04")


# -- sea ---------------------------------------------------------------------------------------------------------------


def _read_sea(g: State, power: str, ships: list[Unit], route: Route, combat: bool) -> Move:
    if route.to not in g.board.zones:
        raise illegal(msg("ships stay at sea"), "CM-10")
    limit = min(movement_points(g, s) - s.used for s in ships)
    path = (*route.via, route.to) if route.via else sail(g, ships, route.to, max(limit, 1))
    if path is None:
        raise illegal(msg("no open way to {place} within {limit}", place=place(g, route.to), limit=max(limit, 0)), "CM-12")
    _check_steps(g, route.origin, path)
    if len(path) > limit:
        raise illegal(msg("zones: {n}; these ships can still move {limit}", n=len(path), limit=max(limit, 0)), "CM-10")
    for ship in ships:
        check_sailing(g, power, ship, path, combat)
    carriers = {s.id: path[-1] for s in ships if s.type == "aircraft-carrier"}
    if combat and carriers and unprovable(g, power, {}, carriers):
        raise illegal(msg("aircraft would have no landing place without this carrier"), "AIR-01")
    return Move(tuple(s.id for s in ships), route.origin, path, "sea", "CM-10" if combat else "NCM-09")


def check_sailing(g: State, power: str, ship: Unit, path: tuple[str, ...], combat: bool) -> None:
    rule = {"submarine": "SUBM-02", "transport": "TRN-01"}.get(ship.type, "CM-12")
    if ship.moved and stops(g, power, ship.type, ship.at):
        raise illegal(
            msg("met the enemy in {place} and stops there: {things}", place=place(g, ship.at), things=some(ship.type)), rule
        )
    for zone in path[:-1]:
        if zone not in g.board.zones:
            raise illegal(msg("{place} is no sea zone", place=place(g, zone)), "CM-10")
        if stops(g, power, ship.type, zone):
            raise illegal(
                msg("meets the enemy in {place} and stops there: {things}", place=place(g, zone), things=some(ship.type)), rule
            )
    if not combat and ship.type == "aircraft-carrier" and any(c.moved for c in g.cargo(ship)):
        raise illegal(msg("aircraft have landed on this carrier: it stays where it is"), "NCM-07")
    if any(c.target for c in g.cargo(ship)):
        raise illegal(msg("a transport whose landing is announced stays where it is"), "TRN-04")
    if ship.type == "transport" and ship.id in g.landed_from:
        raise illegal(msg("a transport that has offloaded moves no more"), "NCM-10")
    if not combat and ship.type != "submarine" and zone_is_hostile(g, power, path[-1]):
        raise illegal(msg("{place} is hostile", place=place(g, path[-1])), "NCM-09")


# -- air ---------------------------------------------------------------------------------------------------------------


def _read_air(g: State, power: str, planes: list[Unit], route: Route, combat: bool) -> Move:
    for plane in planes:
        check_deck(g, plane, combat)
    path = way_of_flight(g, power, planes, route)
    if combat:
        _check_air_attack(g, power, planes, route.to, path)
    else:
        _check_air_landing(g, power, planes, route.to)
    return Move(tuple(p.id for p in planes), route.origin, path, "air", "AIR-01" if combat else "NCM-05")


def check_deck(g: State, plane: Unit, combat: bool) -> None:
    """[CVM-02] [E-04] Guests stay on a friend's damaged carrier; [NCM-07] who landed or sailed along has finished."""
    ship = g.units.get(plane.aboard or 0)
    if not combat and _has_finished(g, plane):
        raise illegal(msg("aircraft and carrier have both ended their movement: {things}", things=some(plane.type)), "NCM-07")
    if ship is not None and ship.owner != plane.owner and ship.damaged:
        raise illegal(msg("guests cannot leave a damaged carrier of {power}", power=OWNERS[ship.owner]), "E-04")


def way_of_flight(g: State, power: str, planes: Sequence[Unit], route: Route) -> tuple[str, ...]:
    """[AIR-01] [NEUT-06] The spaces flown through: those that are named, or a shortest way. Raises Rejected."""
    _check_overflown(g, power, (route.to,))
    limit = min(movement_points(g, p) - p.used for p in planes)
    if route.via:
        path: tuple[str, ...] | None = (*route.via, route.to)
        _check_steps(g, route.origin, (*route.via, route.to))
        _check_overflown(g, power, (*route.via, route.to))
    else:
        path = flight_path(g, power, route.origin, route.to, max(limit, 0))
    if path is None or len(path) > limit:
        raise illegal(
            msg("{place} is out of reach; spaces that can be flown: {n}", place=place(g, route.to), n=max(limit, 0)), "AIR-01"
        )
    return path


def _check_overflown(g: State, power: str, path: tuple[str, ...]) -> None:
    from pbem.games.axis_and_allies_pacific.politics import why_not_fly

    for space in path:
        why = why_not_fly(g, power, space, path[-1])
        if why is not None:
            raise illegal(*why)


def _check_air_attack(g: State, power: str, planes: list[Unit], to: str, path: tuple[str, ...]) -> None:
    """[CM-01] [AIR-01] Something to attack there, and a landing that can be shown for every aircraft in the air."""
    if to in g.board.territories:
        check_attack(g, power, to)
    elif not battle_expected(g, power, to):
        raise illegal(msg("there is nothing to attack in {place}", place=place(g, to)), "CM-01")
    check_landing(g, power, planes, to, len(path))


def check_landing(g: State, power: str, planes: Sequence[Unit], to: str, steps: int) -> None:
    """[AIR-01] [AIR-02] Raises Rejected when some aircraft could not land after this order."""
    lost = unprovable(g, power, {p.id: (to, p.used + steps) for p in planes})
    if lost:
        things = tuple(some(t, n) for t in AIR if (n := sum(u.type == t for u in lost)))
        raise illegal(
            msg("no landing place can be shown for: {things}", things=things),
            "AIR-01",
            msg("land friendly since the turn began, or a carrier"),
        )


def _check_air_landing(g: State, power: str, planes: list[Unit], to: str) -> None:
    """[NCM-05] [NCM-06] Friendly since the turn began, or a carrier with room, there or to be mobilized there."""
    if to in g.board.territories:
        if not may_land(g, power, to):
            why = why_not_enter(g, power, to)
            rule = why[1] if why else "NCM-05"
            raise illegal(msg("{place} has not been friendly since the turn began", place=place(g, to)), rule)
        return
    if any(p.type not in CARRIER_AIRCRAFT for p in planes):
        raise illegal(msg("strategic bombers do not land on carriers"), "NCM-05")
    from pbem.games.axis_and_allies_pacific.landing import new_carrier_zones, new_carriers

    room = sum(2 - len(g.cargo(c)) for c in decks(g, power, to))
    if to in new_carrier_zones(g, power):
        waiting = [u for u in g.at(to) if u.owner == power and u.type in AIR and u.aboard is None and u.moved == NONCOMBAT]
        room += 2 * new_carriers(g, power) - len(waiting)
    if room < len(planes):
        raise illegal(msg("room on carriers in {place}: {n}", place=place(g, to), n=room), "NCM-05")


def units_of(g: State, move: Move) -> Iterator[Unit]:
    """The units of a move."""
    return (g.units[i] for i in move.units)


__all__ = ["AIR", "LAND", "SEA", "Move", "check_deck", "check_landing", "check_sailing", "read_move", "select", "units_of"]
