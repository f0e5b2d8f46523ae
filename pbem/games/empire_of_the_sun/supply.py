"""[6.2] Supply and zones of influence: who is supplied, whose air rules which hex; new whenever the layout changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from pbem.games.empire_of_the_sun.board import KUNMING, LASHIO, MADRAS, RANGOON, ROUTE_COST, TERRAIN_COST, Counter
from pbem.games.empire_of_the_sun.fields import Crossing, Field, Fields
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, State

OVERLAND_LIMIT = 8  # [6.21] four movement points, in halves
NORTHERN_FIELDS = (1905, 2104, 2205)  # airfields of Northern India
BUILT_ROUTES = {"jarhat": 2104, "imphal": 2105, "ledo": 2205}
HUMP_FIELDS = (1905, 2104)  # [6.23] those that the Hump flies from in the second edition
KWAI = (2108, 2109)
RAILWAY = (2008, *KWAI, 2010, 2110)  # [13.79] from Rangoon to Bangkok
ANY_LENGTH = 10_000
KEPT = 64  # results of supply that are kept
ANY_PORTS = -1


@dataclass(frozen=True, slots=True)
class Zones:
    """[6.4] Fields in the zone of influence of each side, and where its non-LRB units neutralise the enemy's."""

    reach: Mapping[str, Field]
    fighters: Mapping[str, Field]

    def hostile(self, side: str) -> Field:
        """Hexes in an un-neutralised zone of the enemy of `side`."""
        return self.reach[FOE[side]] & ~self.fighters[side]


@dataclass(frozen=True, slots=True)
class Supply:
    """The result: supplied units, HQs among them, and the zones that follow from it."""

    units: frozenset[str]
    zones: Zones


def supply(g: State) -> Supply:
    """[6.21] Japan first with every Allied air unit counted, then the Allies against what is left of Japan.

    Second edition [6.4]: Allied units that would be out of supply without any Japanese zone count for nothing.
    """
    return g.memo.cached("supply", lambda: _kept(g))


def _kept(g: State) -> Supply:
    """The same again while nothing that supply depends on has changed, such as after the move of a fleet."""
    key = _depends_on(g)
    if key not in g.supplies:
        if len(g.supplies) >= KEPT:
            g.supplies.clear()
        g.supplies[key] = _supply(g)
    found: Supply = g.supplies[key]
    return found


def _depends_on(g: State) -> tuple[object, ...]:
    """Places of units, but for activated ships without aircraft, which are supplied and stand in nobody's way; markers."""
    o, counters = g.offensive, g.board.counters
    active = activated(g)
    places = tuple(
        0 if p.box != "map" else -1 if u in active and counters[u].kind == "naval" and not counters[u].carrier else p.at
        for u, p in g.pieces.items()
    )
    markers = (
        g.express,
        g.has("hump"),
        g.has("kwai"),
        tuple(g.routes),
        g.second,
        o is not None and o.card == "J2",
        g.divisions,
    )
    return places, frozenset(active), tuple(g.control.values()), markers


def zones(g: State) -> Zones:
    """The zones of influence as they stand."""
    return supply(g).zones


def in_zone(g: State, side: str, place: int) -> bool:
    """The hex is in the zone of influence of a side, neutralised or not."""
    return g.board.fields.has(zones(g).reach[side], place)


def hostile(g: State, side: str) -> frozenset[int]:
    """Hexes in an un-neutralised enemy zone of influence."""
    return g.memo.cached(("hostile", side), lambda: frozenset(g.board.fields.hexes(zones(g).hostile(side))))


def supplied(g: State, unit: str) -> bool:
    """In supply now; activated units stay so to the end of the offensive [6.21]."""
    return unit in supply(g).units


def activated(g: State) -> set[str]:
    """Units activated in the present offensive, on both sides."""
    o = g.offensive
    return set(o.units) | set(o.reactors) if o is not None else set()


def _supply(g: State) -> Supply:
    active = activated(g)
    flyers = {side: [u for u in g.on_map(side) if g.counter(u).flies and _projects(g, u)] for side in (JAPAN, ALLIES)}
    if g.second:
        alone = _zones(g, {**flyers, JAPAN: []})
        lasting = _supplied_units(g, ALLIES, alone) | active
        flyers[ALLIES] = [u for u in flyers[ALLIES] if u in lasting]
    fed: dict[str, frozenset[str]] = {}
    for side in (JAPAN, ALLIES):
        while True:
            present = _zones(g, flyers)
            fed[side] = _supplied_units(g, side, present) | {u for u in active if g.counter(u).side == side}
            left = [u for u in flyers[side] if u in fed[side]]
            if len(left) == len(flyers[side]):
                break
            flyers[side] = left
            if _zones(g, flyers).hostile(side) == present.hostile(side):
                break
    return Supply(fed[JAPAN] | fed[ALLIES], _zones(g, flyers))


def _projects(g: State, unit: str) -> bool:
    """[17.11] No Allied zones during the first conquests of turn 1."""
    o = g.offensive
    return not (o is not None and o.card == "J2" and g.counter(unit).side == ALLIES)


def _zones(g: State, flyers: Mapping[str, list[str]]) -> Zones:
    reach: dict[str, Field] = {}
    fighters: dict[str, Field] = {}
    rings = g.board.fields.rings
    for side, units in flyers.items():
        everywhere, without_lrb = 0, 0
        for unit in units:
            ring = rings[g.pieces[unit].at]
            everywhere |= ring
            if not g.counter(unit).lrb:
                without_lrb |= ring
        reach[side], fighters[side] = everywhere, without_lrb
    return Zones(reach, fighters)


# -- lines ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ground:
    """What lines of one side have to respect at this moment, as bit fields."""

    closed: Field  # hexes whose sea hexsides a hostile zone closes
    blocked: Field  # hexes held by enemy ground units, air units or HQs alone
    ports: Field  # ports of this side
    enemy: Field  # hexes with enemy ground units, air units or HQs, shared ones too
    through: bool  # [1e-13.1] a line may enter a hex held by the enemy, and ends there


def ground(g: State, side: str, present: Zones) -> Ground:
    """The obstacles for lines of `side` when the zones are `present`."""
    enemy, own = _occupied(g, FOE[side]), _occupied(g, side)
    return Ground(present.hostile(side), enemy & ~own, own_ports(g, side), enemy, not g.second)


def _occupied(g: State, side: str) -> Field:
    return g.memo.cached(("occupied field", side), lambda: g.board.fields.of(g.occupied_hexes(side)))


def own_ports(g: State, side: str) -> Field:
    """Ports that a side controls."""
    return g.memo.cached(("ports", side), lambda: g.board.fields.of(h for h in g.board.ports if g.control.get(h) == side))


def limits_of(g: State, side: str) -> Ground:
    """The obstacles for lines of `side` as things stand."""
    return g.memo.cached(("ground", side), lambda: ground(g, side, zones(g)))


@dataclass(frozen=True, slots=True)
class Lines:
    """Where lines lead: the start, hexes that the last step reaches by sea, and those by land."""

    start: Field
    by_sea: Field
    by_land: Field

    @property
    def all(self) -> Field:
        """Every hex that a line reaches."""
        return self.start | self.by_sea | self.by_land


def lines(g: State, starts: Iterable[int], limits: Ground, length: int, ports_allowed: int, changes: Field = -1) -> Lines:
    """[6.21] Supply lines from some hexes.

    A line changes between sea and land only in a port of its side (of `changes`, where that is given), at most
    `ports_allowed` times besides its start.
    """
    return _lines(g.board.fields, g.board.fields.of(starts), limits, length, ports_allowed, limits.ports & changes)


@lru_cache(maxsize=2048)
def _lines(fields: Fields, begin: Field, limits: Ground, length: int, ports_allowed: int, ports: Field) -> Lines:
    counts = ports_allowed != ANY_PORTS
    top = ports_allowed if counts else 0
    sea, land = [0] * (top + 1), [0] * (top + 1)
    fresh_sea, fresh_land = [begin, *[0] * top], [begin, *[0] * top]
    leave = ~limits.blocked | (begin if limits.through else 0)
    leave_sea = ~limits.closed & (leave if limits.through else -1)
    enter_land = -1 if limits.through else ~limits.blocked
    links = [Crossing(fields, limits.closed) for _ in range(top + 1)]
    for _ in range(length):
        grown = False
        next_sea, next_land = [0] * (top + 1), [0] * (top + 1)
        for used in range(top + 1):
            change = used - 1 if counts else used
            ships, walkers = fresh_sea[used], fresh_land[used]
            if change >= 0:
                ships |= fresh_land[change] & ports
                walkers |= fresh_sea[change] & ports
            ships &= leave_sea
            came = (fields.step("sea", ships) & ~limits.closed | links[used].step(ships)) & ~sea[used]
            went = fields.step("land", walkers & leave) & enter_land & ~land[used]
            sea[used] |= came
            land[used] |= went
            next_sea[used], next_land[used] = came, went
            grown = grown or bool(came | went) or bool(links[used].waiting)
        if not grown:
            break
        fresh_sea, fresh_land = next_sea, next_land
    return Lines(begin, _union(sea), _union(land))


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
    crossing = Crossing(fields, shut)
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
    crossing = Crossing(fields, 0)
    for _ in range(limit):
        frontier = (fields.step("sea", frontier) | crossing.step(frontier)) & ~found
        found |= frontier
    return found


def overland(g: State, starts: Field, limit: int, limits: Ground) -> Field:
    """[8.42] Hexes within some half movement points by land; usable routes between free hexes cost half a point."""
    return _overland(g.board.fields, tuple(g.board.terrain.items()), starts, limit, limits, *_missing(g))


@lru_cache(maxsize=4096)
def _overland(
    fields: Fields, terrain: tuple[tuple[int, Field], ...], starts: Field, limit: int, limits: Ground, kwai: Field, shut: Field
) -> Field:
    free, route_free = ~limits.blocked, ~limits.enemy
    at: list[Field] = [starts if limits.through else starts & free]
    found = starts
    for cost in range(1, limit + 1):
        came = _along_routes(fields, at[cost - ROUTE_COST] & route_free, kwai, shut) & route_free
        for price, hexes in terrain:
            if price <= cost and at[cost - price]:
                came |= fields.step("land", at[cost - price]) & hexes
        came &= free & ~found
        at.append(came)
        found |= came
        if not any(at[-6:]):
            break
    return found


def _missing(g: State) -> tuple[Field, Field]:
    """Hexes between which there is no railway yet from Bangkok, and hexes whose routes are not built [13.77]."""
    bit, board = g.board.fields.bit, g.board.hexes
    kwai = sum(1 << bit(h) for h in RAILWAY if h in board) if not g.has("kwai") else 0
    unbuilt = [h for name, h in BUILT_ROUTES.items() if name not in g.routes and h in board] if g.second else []
    return kwai, sum(1 << bit(h) for h in unbuilt)


def _along_routes(fields: Fields, field: Field, kwai: Field, shut: Field) -> Field:
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


def _supplied_units(g: State, side: str, present: Zones) -> frozenset[str]:
    limits = ground(g, side, present)
    hqs, units = g.memo.cached(("forces", side), lambda: _forces(g, side))
    fed = supplied_hqs(g, side, limits, hqs)
    eligible = _eligible_ports(g, limits, hqs) if g.second else -1
    near_port = overland(g, eligible, OVERLAND_LIMIT, limits) if g.second else -1
    found, hexes_fed = set(fed), dict.fromkeys((c for c, _, _ in units), 0)
    for hq in fed:
        fields_fed = _fed_by(g, hq, limits, eligible, near_port)
        for kind in hexes_fed:
            if _may_command(g, g.counter(hq).nation, kind):
                hexes_fed[kind] |= fields_fed
    found.update(u for kind, u, place in units if hexes_fed[kind] & place)
    found.update(_emergency(g, side, [u for _, u, _ in units if u not in found], limits))
    return frozenset(found)


def _fed_by(g: State, hq: str, limits: Ground, eligible: Field, near_port: Field) -> Field:
    """[6.21] Hexes to which a line from one HQ leads; by land not beyond the overland limit."""
    at = g.pieces[hq].at
    reach = lines(g, [at], limits, g.counter(hq).command, 1 if g.second else ANY_PORTS, eligible)
    inland = near_port | (overland(g, g.board.fields.of([at]), OVERLAND_LIMIT, limits) if g.second else 0)
    return reach.start | reach.by_sea | (reach.by_land & inland)


def hexes_fed_by(g: State, hq: str) -> frozenset[int]:
    """[6.21] Hexes in which a unit would be in supply from this HQ as things stand."""
    side = g.counter(hq).side
    limits = limits_of(g, side)
    eligible = _eligible_ports(g, limits, [u for u in g.on_map(side) if g.counter(u).kind == "hq"]) if g.second else -1
    near_port = overland(g, eligible, OVERLAND_LIMIT, limits) if g.second else -1
    return frozenset(g.board.fields.hexes(_fed_by(g, hq, limits, eligible, near_port)))


def _forces(g: State, side: str) -> tuple[list[str], list[tuple[str, str, Field]]]:
    """HQs of a side on the map; its other units: how commands tell them apart, the unit, its hex as a field."""
    bit = g.board.fields.bit
    present = [(u, g.counter(u)) for u in g.on_map(side)]
    units = [(c.allegiance, u, 1 << bit(g.pieces[u].at)) for u, c in present if c.kind != "hq"]
    return [u for u, c in present if c.kind == "hq"], units


def supplied_hqs(g: State, side: str, limits: Ground, hqs: list[str]) -> list[str]:
    """[6.21] HQs with an unblocked line of any length to an ultimate source."""
    reach = source_lines(g, side, limits).all
    return [hq for hq in hqs if g.board.fields.has(reach, g.pieces[hq].at)]


def source_lines(g: State, side: str, limits: Ground) -> Lines:
    """Lines of any length from the ultimate sources of a side."""
    starts = [h for h in g.board.sources[side] if side == ALLIES or g.holds(JAPAN, h)]
    return lines(g, starts, limits, ANY_LENGTH, ANY_PORTS)


def eligible_port(g: State, side: str, place: int) -> bool:
    """[1.3] The port is supply-eligible as things stand."""
    hqs = [u for u in g.on_map(side) if g.counter(u).kind == "hq"]
    return g.board.fields.has(_eligible_ports(g, limits_of(g, side), hqs), place)


def _eligible_ports(g: State, limits: Ground, hqs: list[str]) -> Field:
    """[1.3] Supply-eligible ports: a line by sea of any length leads there from some HQ, supplied or not."""
    fields = g.board.fields
    return _by_sea(fields, fields.of([g.pieces[hq].at for hq in hqs]), limits.closed) & limits.ports


@lru_cache(maxsize=2048)
def _by_sea(fields: Fields, begin: Field, closed: Field) -> Field:
    """Every hex that ships reach from some hexes without a closed one."""
    found = frontier = begin
    crossing = Crossing(fields, closed)
    while frontier or crossing.waiting:
        frontier &= ~closed
        frontier = (fields.step("sea", frontier) & ~closed | crossing.step(frontier)) & ~found
        found |= frontier
    return found


def _emergency(g: State, side: str, units: list[str], limits: Ground) -> list[str]:
    """[6.23] The Tokyo Express marker; Kunming for the Allies while road or Hump feed it [13.75]."""
    if side == JAPAN:
        return [u for u in units if g.express and g.pieces[u].at == g.express]
    if not units or KUNMING not in g.board.hexes or not kunming_source(g, limits):
        return []
    limit = OVERLAND_LIMIT if g.second else 300
    reach = overland(g, g.board.fields.of([KUNMING]), limit, limits)
    return [u for u in units if g.board.fields.has(reach, g.pieces[u].at)]


def kunming_source(g: State, limits: Ground) -> bool:
    """[13.75] The Burma Road is open, or the Hump flies from a supply-eligible airfield of Northern India."""
    return _road(g, limits) or (g.has("hump") and hump_field(g, limits))


def hump_field(g: State, limits: Ground | None = None) -> bool:
    """The Allies control an airfield in Northern India that some HQ can reach by a line: Jarhat or Dacca [6.23]."""
    if limits is None:
        return g.memo.cached("hump", lambda: hump_field(g, limits_of(g, ALLIES)))
    return any(_eligible_field(g, h, limits) for h in (HUMP_FIELDS if g.second else NORTHERN_FIELDS))


def flies_to_china(g: State, place: int) -> bool:
    """[13.74] An Allied airfield for flights to China, in the second edition a supply-eligible one."""
    return _eligible_field(g, place, limits_of(g, ALLIES)) if g.second else g.friendly_airfield(ALLIES, place)


def _eligible_field(g: State, place: int, limits: Ground) -> bool:
    """[1.3] The airfield is supply-eligible: a line of any length leads there from some HQ, supplied or not."""
    if place not in g.board.hexes or not g.friendly_airfield(ALLIES, place):
        return False
    starts = [g.pieces[u].at for u in g.on_map(ALLIES) if g.counter(u).kind == "hq"]
    return g.board.fields.has(lines(g, starts, limits, ANY_LENGTH, ANY_PORTS).all, place)


def burma_road_open(g: State) -> bool:
    """[1e-12.76] Allied hexes from Kunming to Madras. [13.78] Second: along the routes."""
    if KUNMING not in g.board.hexes:
        return True
    return g.memo.cached("burma road", lambda: _road(g, limits_of(g, ALLIES)))


def _road(g: State, limits: Ground) -> bool:
    return _road_second(g, limits) if g.second else _road_first(g)


def _road_first(g: State) -> bool:
    """[1e-12.76] The road itself is Kunming, 2306, Lashio; beyond it any Allied hexes lead to Madras."""
    fields = g.board.fields
    held = fields.of([h for h, side in g.control.items() if side == ALLIES])
    found = frontier = fields.of([LASHIO]) & held
    while frontier:
        frontier = fields.step("land", frontier) & held & ~found
        found |= frontier
    return fields.has(found, MADRAS)


def _road_second(g: State, limits: Ground) -> bool:
    fields, missing = g.board.fields, _missing(g)
    held = fields.of([h for h in g.board.on_routes if g.control.get(h) == ALLIES])
    found = frontier = fields.of([KUNMING])
    while frontier:
        frontier = _along_routes(fields, frontier, *missing) & held & ~found
        found |= frontier
    if fields.has(found, MADRAS):
        return True
    by_sea = _by_sea(fields, fields.of([RANGOON]), limits.closed)
    return fields.has(found, RANGOON) and bool(by_sea & fields.of([MADRAS, *g.board.east_edge]))


def china_box_supplied(g: State) -> bool:
    """[13.74] Units in the China box: the Burma Road is open or the Hump flies."""
    return burma_road_open(g) or (g.has("hump") and hump_field(g))


def wing_in_china_fed(g: State, unit: str) -> bool:
    """[13.74] A unit of the China box is in supply; the first edition asks that of B-29s only."""
    return china_box_supplied(g) or not (g.second or g.counter(unit).b29)


def commands(g: State, hq: Counter, unit: Counter) -> bool:
    """[6.12] National limits of activation and supply."""
    return hq.side == unit.side and _may_command(g, hq.nation, unit.allegiance)


def _may_command(g: State, hq: str, allegiance: str) -> bool:
    """Nation of an HQ, allegiance of a unit. Marine air is air under a Commonwealth HQ in the second edition only [7.21]."""
    match hq:
        case "japan" | "joint":
            return True
        case "us":
            return allegiance in ("chinese", "us", "us air", "us marine air")
    return allegiance in ("chinese", "commonwealth", "us air") or (allegiance == "us marine air" and g.second)


def has_east_line(g: State, hq: str) -> bool:
    """[6.25] A supply line from the east map edge leads to this HQ."""
    reach = g.memo.cached("east line", lambda: lines(g, g.board.east_edge, limits_of(g, ALLIES), ANY_LENGTH, ANY_PORTS).all)
    return g.board.fields.has(reach, g.pieces[hq].at)


def kwai_line(g: State, unit: str) -> bool:
    """[13.79] The unit traces overland to Rangoon along the Bangkok railway."""
    reach = g.memo.cached("kwai", lambda: overland(g, g.board.fields.of([RANGOON]), OVERLAND_LIMIT, limits_of(g, JAPAN)))
    return g.has("kwai") and all(g.holds(JAPAN, h) for h in (*KWAI, RANGOON)) and g.board.fields.has(reach, g.pieces[unit].at)
