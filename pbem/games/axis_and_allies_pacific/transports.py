"""[TRN] [AMM] Loading, announcing assaults, unloading."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.games.axis_and_allies_pacific.moves import select
from pbem.games.axis_and_allies_pacific.orders import Group, Route, read_route, read_units_in
from pbem.games.axis_and_allies_pacific.politics import check_attack, check_enter
from pbem.games.axis_and_allies_pacific.state import LAND, State, Unit, friends, is_friendly, zone_is_hostile
from pbem.games.axis_and_allies_pacific.terms import example, place, some
from pbem.kernel.canon import Plain
from pbem.kernel.orders import illegal, unreadable
from pbem.kernel.wording import msg, quoted

CAPACITY = 5  # [T-VALUES] two infantry, or one infantry and one other land unit, or one land unit


class Loading(Struct, frozen=True):
    """Which unit goes aboard which transport."""

    pairs: tuple[tuple[int, int], ...]


class Landing(Struct, frozen=True):
    """Cargo (units) of transports that goes ashore in a territory, now or in Conduct Combat."""

    units: tuple[int, ...]
    territory: str


def read_load(g: State, power: str, body: Plain) -> Loading:
    """[TRN-02] `1 infantry from Japan in SZ 6`. Raises Rejected."""
    groups, origin, zone = _load_words(g, body)
    if origin not in g.board.territories or zone not in g.board.neighbours[origin] or zone not in g.board.zones:
        raise illegal(msg("{place} is not on the coast of {other}", place=place(g, zone), other=place(g, origin)), "TRN-02")
    if power == "china":
        raise illegal(msg("Chinese units do not board transports"), "CHN-05")
    if not is_friendly(g, power, origin):
        raise illegal(msg("{place} is not friendly", place=place(g, origin)), "TRN-02")
    if zone in g.start.hostile_zones or (zone_is_hostile(g, power, zone) and g.phase == "noncombat-move"):
        raise illegal(msg("{place} is hostile: nothing is loaded there", place=place(g, zone)), "HSZ-01")
    units = select(g, power, groups, origin, "TRN-02")
    _check_cargo(g, units)
    return Loading(tuple(_stow(g, power, zone, units)))


def _load_words(g: State, body: Plain) -> tuple[tuple[Group, ...], str, str]:
    from pbem.games.axis_and_allies_pacific.orders import read_some, read_space

    if isinstance(body, dict) and {"units", "from", "zone"} == set(body):
        return read_some(body["units"]), read_space(g.board, body["from"]), read_space(g.board, body["zone"])
    if isinstance(body, str) and " from " in body:
        head, _, rest = body.partition(" from ")
        (_, zone), origin = (
            read_units_in(g.board, "1 infantry in " + rest.rpartition(" in ")[2], "in"),
            rest.rpartition(" in ")[0],
        )
        return read_some(head), read_space(g.board, origin), zone
    raise unreadable(msg("{given} is no loading", given=quoted(body)), example("`1 infantry from Japan in SZ 6`"))


def _check_cargo(g: State, units: Sequence[Unit]) -> None:
    for unit in units:
        if unit.type not in LAND:
            raise illegal(msg("no cargo: {things}", things=some(unit.type)), "TRN-02")
        if unit.moved:
            raise illegal(msg("has moved already: {things}", things=some(unit.type)), "CM-09")
        if unit.type == "aa-gun" and g.phase == "combat-move":
            raise illegal(msg("AA guns move in Noncombat Move only"), "NCM-04")


def load_of(g: State, ship: Unit) -> int:
    """The weight aboard a transport."""
    return sum(g.board.types[c.type].load for c in g.cargo(ship))


def _stow(g: State, power: str, zone: str, units: Sequence[Unit]) -> list[tuple[int, int]]:
    """Heaviest first, into the fullest transport that still has room; own transports before a friend's [MULT-06]."""
    there = [u for u in g.at(zone) if u.type == "transport" and friends(u.owner, power)]
    ships = [u for u in there if _can_load(g, u)]
    if there and not ships:
        raise illegal(
            msg("no transport in {place} may still load: it is to land, has landed or fought", place=place(g, zone)), "NCM-10"
        )
    free = {s.id: CAPACITY - load_of(g, s) for s in ships}
    pairs = []
    for unit in sorted(units, key=lambda u: (-g.board.types[u.type].load, u.id)):
        weight = g.board.types[unit.type].load
        fitting = [s for s in ships if free[s.id] >= weight]
        if not fitting:
            raise illegal(
                msg("no transport in {place} has room for: {things}", place=place(g, zone), things=some(unit.type)), "TRN-02"
            )
        best = min(fitting, key=lambda s: (s.owner != power, free[s.id], s.id))
        free[best.id] -= weight
        pairs.append((unit.id, best.id))
    return pairs


def _can_load(g: State, ship: Unit) -> bool:
    """[NCM-10] Not one that has offloaded in combat or fought."""
    return ship.id not in g.landed_from and not ship.fought and not any(c.target for c in g.cargo(ship))


def read_assault(g: State, power: str, body: Plain) -> Landing:
    """[AMM-01] `1 infantry from SZ 20 to Kwangtung`: announced now, landed in Conduct Combat. Raises Rejected."""
    route = read_route(g.board, body)
    _check_shore(g, route)
    check_attack(g, power, route.to)
    chosen = _cargo_of(g, power, route)
    ships = {u.aboard for u in chosen}
    for other in g.at(route.origin):
        if other.aboard in ships and other.target not in ("", route.to):
            raise illegal(msg("cargo of one transport lands in one territory"), "AMP-07")
    return Landing(tuple(u.id for u in chosen), route.to)


def _check_shore(g: State, route: Route) -> None:
    if route.origin not in g.board.zones or route.to not in g.board.territories:
        raise illegal(msg("cargo lands from a sea zone on a territory"), "AMM-01")
    if route.to not in g.board.neighbours[route.origin]:
        raise illegal(msg("{place} and {other} do not touch", place=place(g, route.origin), other=place(g, route.to)), "AMM-01")


def _cargo_of(g: State, power: str, route: Route) -> list[Unit]:
    """Own cargo in a zone that has no target yet; transports already bound for the territory first. [MULT-06] What
    boarded a friend's transport this turn stays aboard until its owner's next turn.
    """
    chosen: list[Unit] = []
    bound = {u.aboard for u in g.at(route.origin) if u.target == route.to}
    for group in route.groups:
        able = [
            u
            for u in g.at(route.origin)
            if u.owner == power and u.type == group.type and u.aboard is not None and not u.target and u not in chosen
        ]
        guests = [u for u in able if u.moved and g.units[u.aboard or 0].owner != power]
        able = [u for u in able if u not in guests]
        able.sort(key=lambda u: (u.aboard not in bound, u.aboard, u.id))
        if len(able) < group.count <= len(able) + len(guests):
            raise illegal(msg("what boards a friend's transport lands in a later turn of its own"), "MULT-06")
        if len(able) < group.count:
            raise illegal(
                msg(
                    "aboard in {place}: {have}, not {want}",
                    place=place(g, route.origin),
                    have=some(group.type, len(able)),
                    want=group.count,
                ),
                "AMM-01",
            )
        chosen += able[: group.count]
        bound |= {u.aboard for u in chosen}
    return chosen


def read_unload(g: State, power: str, body: Plain) -> Landing:
    """[NCM-10] `2 infantry from SZ 6 to Okinawa`, on friendly land. Raises Rejected."""
    route = read_route(g.board, body)
    _check_shore(g, route)
    check_enter(g, power, route.to)
    if not is_friendly(g, power, route.to):
        raise illegal(msg("{place} is not friendly", place=place(g, route.to)), "NCM-10")
    if zone_is_hostile(g, power, route.origin):
        raise illegal(msg("{place} is hostile", place=place(g, route.origin)), "NCM-10")
    chosen = _cargo_of(g, power, route)
    for unit in chosen:
        ship = g.units[unit.aboard or 0]
        if ship.fought or g.landed_from.get(ship.id, route.to) != route.to:
            raise illegal(msg("a transport that fought or offloaded elsewhere this turn lands nothing"), "NCM-10")
    return Landing(tuple(u.id for u in chosen), route.to)
