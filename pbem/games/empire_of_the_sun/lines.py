"""[6.21] Lines over the map: how far supply leads by sea and by land, what a step overland costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec import Struct

from pbem.games.empire_of_the_sun.board import RAILWAY, ROUTE_COST, TERRAIN_COST
from pbem.games.empire_of_the_sun.fields import Crossing, Field, Fields, moved
from pbem.games.empire_of_the_sun.state import State

OVERLAND_LIMIT = 8  # [6.21] four movement points, in halves
BUILT_ROUTES = {"jarhat": 2104, "imphal": 2105, "ledo": 2205}
ANY_LENGTH = 10_000
ANY_PORTS = -1


class Ground(Struct, frozen=True):
    """What lines of one side have to respect at this moment, as bit fields."""

    closed: Field  # hexes whose sea hexsides a hostile zone closes
    blocked: Field  # hexes held by enemy ground units, air units or HQs alone
    ports: Field  # ports of this side
    enemy: Field  # hexes with enemy ground units, air units or HQs, shared ones too
    through: bool  # [1e-13.1] a line may enter a hex held by the enemy, and ends there


class Lines(Struct, frozen=True):
    """Where lines lead: the start, hexes that the last step reaches by sea, and those by land."""

    start: Field
    by_sea: Field
    by_land: Field

    @property
    def all(self) -> Field:
        """Every hex that a line reaches."""
        return self.start | self.by_sea | self.by_land


def lines(g: State, begin: Field, limits: Ground, length: int, ports_allowed: int, changes: Field = -1) -> Lines:
    """[6.21] Supply lines from some hexes.

    A line changes between sea and land only in a port of its side (of `changes`, where that is given), at most
    `ports_allowed` times besides its start.
    """
    fields, ports = g.board.fields, limits.ports & changes
    anyhow = length == ANY_LENGTH and ports_allowed == ANY_PORTS
    return fields.floods.find(
        ("lines", begin, limits.through, length, ports_allowed),
        (limits.closed, limits.blocked, ports),
        lambda: (
            _anyhow(fields, begin, limits, ports) if anyhow else _lines(fields, begin, limits, length, ports_allowed, ports)
        ),
    )


def _lines(
    fields: Fields, begin: Field, limits: Ground, length: int, ports_allowed: int, ports: Field
) -> tuple[Lines, tuple[Field, ...]]:
    """Lines, and the hexes that they met: all numbers of changes at once, each by sea and by land in planes of its own."""
    counts = ports_allowed != ANY_PORTS
    planes = fields.planes(ports_allowed if counts else 0)
    leave, leave_sea = _ways_out(begin, limits)
    out = planes.both(leave_sea, leave)
    able = tuple([way & out for way in planes.able])
    closed, changing, width = planes.both(limits.closed, 0), planes.both(ports, ports), planes.width
    crossing = Crossing(planes.links, closed)
    fresh, reached, near = begin | begin << width, 0, 0
    for _ in range(length):
        change = fresh & changing
        ready = fresh | change << 2 * width if counts else fresh | change << width | change >> width
        came = moved(ready, able)
        near |= came
        fresh = (came & ~closed | crossing.step(ready & out)) & ~reached
        if not fresh and not crossing.waiting:
            break
        reached |= fresh
    by_sea, by_land = planes.apart(reached)
    found = Lines(begin, by_sea, by_land)
    return found, _met(fields, found, planes.apart(near)[0], limits, ports)


def _ways_out(begin: Field, limits: Ground) -> tuple[Field, Field]:
    """Hexes that a line may leave by land, and those that it may leave by sea."""
    leave = ~limits.blocked | (begin if limits.through else 0)
    return leave, ~limits.closed & (leave if limits.through else -1)


def _met(fields: Fields, found: Lines, near: Field, limits: Ground, ports: Field) -> tuple[Field, Field, Field]:
    """Hexes at which lines have looked for zones (`near`: came to by sea, barred ones too), for enemies and for ports."""
    ships = found.start | found.by_sea | found.by_land & ports
    walkers = found.start | found.by_land | found.by_sea & ports
    return ships | near | fields.far_ends, walkers | (ships if limits.through else 0), found.all


def _anyhow(fields: Fields, begin: Field, limits: Ground, ports: Field) -> tuple[Lines, tuple[Field, ...]]:
    """The same where neither the length nor the number of changes matters: all that hangs together."""
    leave, leave_sea = _ways_out(begin, limits)
    ships = walkers = begin
    by_sea = by_land = embarking = 0
    crossed = _crossed(fields, ships & leave_sea, limits.closed)
    while True:
        near = fields.fill("sea", ships | crossed | embarking, leave_sea, ~limits.closed)
        by_sea |= near & ~limits.closed | crossed
        ships |= by_sea | embarking
        walkers |= by_sea & ports
        by_land = fields.fill("land", walkers, leave, -1)
        walkers |= by_land
        embarking = by_land & ports & ~ships
        crossed = _crossed(fields, ships & leave_sea, limits.closed) & ~by_sea
        if not embarking and not crossed:
            break
    found = Lines(begin, by_sea, by_land)
    return found, _met(fields, found, near, limits, ports)


def _crossed(fields: Fields, ships: Field, closed: Field) -> Field:
    """Where long ways by sea lead from some hexes."""
    return _union(end for start, end, _ in fields.links if ships & start and not end & closed)


def _union(parts: Iterable[Field]) -> Field:
    found = 0
    for part in parts:
        found |= part
    return found


def sea_reach(g: State, starts: Iterable[int], closed: frozenset[int], limit: int = 10_000) -> dict[int, int]:
    """Hexes by distance along open sea hexsides from some hexes."""
    fields = g.board.fields
    shut = fields.of(closed)
    begin = frontier = seen = fields.of(starts)
    found = dict.fromkeys(fields.hexes(begin), 0)
    crossing = Crossing(fields.links, shut)
    for far in range(1, limit + 1):
        frontier &= ~shut
        frontier = (fields.step("sea", frontier) & ~shut | crossing.step(frontier)) & ~seen
        if not frontier and not crossing.waiting:
            break
        seen |= frontier
        found.update(dict.fromkeys(fields.hexes(frontier), far))
    return found


def sea_field(g: State, start: int, limit: int) -> Field:
    """Hexes at most so many hexes of open sea away, its start included; nothing bars the way."""
    return _sea_field(g.board.fields, g.board.fields.of([start]), limit)


@lru_cache(maxsize=8192)
def _sea_field(fields: Fields, begin: Field, limit: int) -> Field:
    found = frontier = begin
    crossing = Crossing(fields.links, 0)
    for _ in range(limit):
        frontier = (fields.step("sea", frontier) | crossing.step(frontier)) & ~found
        found |= frontier
    return found


def by_sea(fields: Fields, begin: Field, closed: Field) -> Field:
    """Every hex that ships reach from some hexes without a closed one."""
    return fields.floods.find(("by sea", begin), (closed,), lambda: _by_sea(fields, begin, closed))


def _by_sea(fields: Fields, begin: Field, closed: Field) -> tuple[Field, tuple[Field]]:
    found, crossed = begin, 0
    while True:
        near = fields.fill("sea", found | crossed, ~closed, ~closed)
        found |= near & ~closed | crossed
        crossed = _crossed(fields, found & ~closed, closed) & ~found
        if not crossed:
            return found, (begin | near | fields.far_ends,)


def overland(g: State, starts: Field, limit: int, limits: Ground) -> Field:
    """[8.42] Hexes within some half movement points by land; usable routes between free hexes cost half a point."""
    fields, terrain = g.board.fields, g.board.terrain
    kwai, shut = missing_routes(g)
    return fields.floods.find(
        ("overland", starts, limit, limits.through),
        (limits.blocked, limits.enemy, kwai, shut),
        lambda: _overland(fields, terrain, starts, limit, limits, kwai, shut),
    )


def _overland(
    fields: Fields, terrain: Mapping[int, Field], starts: Field, limit: int, limits: Ground, kwai: Field, shut: Field
) -> tuple[Field, tuple[Field, ...]]:
    """The hexes, and those that were met."""
    free, route_free = ~limits.blocked, ~limits.enemy
    at: list[Field] = [starts if limits.through else starts & free]
    found = met = starts
    for cost in range(1, limit + 1):
        on_route = at[cost - ROUTE_COST]
        met |= fields.step("route", on_route)
        came = along_routes(fields, on_route & route_free, kwai, shut) & route_free
        for price, hexes in terrain.items():
            if price <= cost and at[cost - price]:
                near = fields.step("land", at[cost - price]) & hexes
                met |= near
                came |= near
        came &= free & ~found
        at.append(came)
        found |= came
        if not any(at[-6:]):
            break
    return found, (met, met, met, met)


def missing_routes(g: State) -> tuple[Field, Field]:
    """Hexes between which there is no railway yet from Bangkok, and hexes whose routes are not built [13.77]."""
    return g.memo.cached(("missing routes", g.has("kwai"), *g.routes), lambda: _missing_routes(g))


def _missing_routes(g: State) -> tuple[Field, Field]:
    kwai = 0 if g.has("kwai") else g.board.railway
    unbuilt = [h for name, h in BUILT_ROUTES.items() if name not in g.routes and h in g.board.hexes] if g.second else []
    return kwai, g.board.fields.of(unbuilt)


def along_routes(fields: Fields, field: Field, kwai: Field, shut: Field) -> Field:
    """One step along usable transport routes."""
    gone = fields.step("route", field & ~shut) & ~shut
    return gone & ~kwai | fields.step("route", field & ~shut & ~kwai) & ~shut if kwai & gone else gone


def step_cost(g: State, here: int, there: int, contested: bool) -> int:
    """[8.42] Half movement points from a hex to its neighbour: 1 along a usable route, else the terrain's."""
    if not contested and g.board.route(here, there) and route_usable(g, here, there):
        return ROUTE_COST
    return TERRAIN_COST[g.board.hexes[there].terrain]


def route_usable(g: State, here: int, there: int) -> bool:
    """[13.77] [13.79] The Kwai railway and the Indian routes exist once they are built."""
    if here in RAILWAY and there in RAILWAY:
        return g.has("kwai")
    if not g.second:
        return True
    unbuilt = [h for name, h in BUILT_ROUTES.items() if name not in g.routes]
    return here not in unbuilt and there not in unbuilt
