"""[6.2] Supply and zones of influence: who is supplied, whose air rules which hex; new whenever the layout changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import dataclass, field
from typing import Any, TypeVar

from msgspec import Struct

from pbem.games.empire_of_the_sun.board import KUNMING
from pbem.games.empire_of_the_sun.burma import kunming_source
from pbem.games.empire_of_the_sun.fields import Field
from pbem.games.empire_of_the_sun.lines import (
    ANY_LENGTH,
    ANY_PORTS,
    OVERLAND_LIMIT,
    Ground,
    Lines,
    by_sea,
    lines,
    missing_routes,
    overland,
)
from pbem.games.empire_of_the_sun.nations import may_command
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, State

KEPT = 64  # results of supply that are kept
NOWHERE: tuple[Field, Field] = (0, 0)
T = TypeVar("T")


class Zones(Struct, frozen=True):
    """[6.4] Fields in the zone of influence of each side, and where its non-LRB units neutralise the enemy's."""

    reach: Mapping[str, Field]
    fighters: Mapping[str, Field]

    def hostile(self, side: str) -> Field:
        """Hexes in an un-neutralised zone of the enemy of `side`."""
        return self.reach[FOE[side]] & ~self.fighters[side]


class Feeding(Struct, frozen=True):
    """[6.21] HQs of a side that are supplied, and where they feed units, by how commands tell these apart."""

    side: str
    limits: Ground
    hqs: frozenset[str]
    hexes: Mapping[str, Field]
    from_hq: Mapping[str, Field]  # where each of these HQs feeds units of any kind

    def is_fed(self, g: State, unit: str) -> bool:
        """A line leads to a unit on the map that is no HQ."""
        here = g.board.fields.one[g.pieces[unit].at]
        return bool(self.hexes[g.board.allegiance[unit]] & here or _emergency(g, self.side, self.limits) & here)

    def cut_off(self, g: State, units: Iterable[str]) -> set[str]:
        """Those of some units on the map other than HQs to which no line leads."""
        one, pieces, allegiance = g.board.fields.one, g.pieces, g.board.allegiance
        hexes = self.hexes
        left = [u for u in units if not hexes[allegiance[u]] & one[pieces[u].at]]
        rescue = _emergency(g, self.side, self.limits) if left else 0
        return {u for u in left if not rescue & one[pieces[u].at]}


@dataclass(frozen=True, slots=True)
class Supply:
    """The result: the lines of each side, the zones that they depend on and that follow from them, and what follows further."""

    lines: Mapping[str, Feeding]
    zones: Zones
    known: dict[Any, Any] = field(default_factory=dict, compare=False)


class JapanFirst(Struct, frozen=True):
    """What Japan's lines leave: them, the flyers of each side that keep their zones so far, and these zones."""

    lines: Feeding
    flyers: Mapping[str, list[str]]
    over: Mapping[str, tuple[Field, Field]]
    cut_off: Set[str]  # flyers that were out of supply on the way, whether they are active or not


def supply(g: State) -> Supply:
    """[6.21] Japan first with every Allied air unit counted, then the Allies against what is left of Japan.

    Second edition [6.4]: Allied units that would be out of supply without any Japanese zone count for nothing.
    """
    return g.memo.cached("supply", lambda: _kept(g, "supply", _supply))


def by_supply(g: State, key: Any, make: Callable[[], T]) -> T:
    """Something that depends on nothing but what supply depends on: found once for each such position."""
    known = supply(g).known
    if key not in known:
        known[key] = make()
    found: T = known[key]
    return found


def _japan_first(g: State) -> JapanFirst:
    """The first half of supply, all that questions about Japan alone need."""
    return g.memo.cached("japan first", lambda: _kept(g, "japan first", _find_japan))


def _kept(g: State, what: str, find: Callable[[State, set[str]], T]) -> T:
    """Found once for everything that it depends on: most changes of the layout, such as moves of ships, leave that alone.

    Being active matters only to flyers that would be out of supply; `find` collects these.
    """
    key, active = (what, g.memo.cached("position", lambda: _position(g))), activated(g)
    for cut_off, standing, known in g.supplies.get(key, ()):
        if cut_off & active == standing:
            found: T = known
            return found
    lost: set[str] = set()
    found = find(g, lost)
    _make_room(g)
    g.supplies[key] = (*g.supplies.get(key, ()), (lost, lost & active, found))
    return found


def _position(g: State) -> tuple[object, ...]:
    """Where flyers and HQs stand, what is occupied, who holds what, the markers."""
    places = g.standing.of("watched", "places", lambda: _watched(g))
    occupied = _occupied(g, JAPAN), _occupied(g, ALLIES)
    control = held(g, JAPAN), held(g, ALLIES), g.divisions, tuple(g.militia_gone)
    return places, occupied, _first_conquests(g), control, g.express, tuple(g.in_force), tuple(g.routes)


def _watched(g: State) -> tuple[int, ...]:
    """Where flyers and HQs stand; 0 off the map."""
    watched, places = (g.board.hqs, g.board.flyers), g.standing.places
    return tuple([places.get(u, 0) for units in watched for side in (JAPAN, ALLIES) for u in units[side]])


def _make_room(g: State) -> None:
    if len(g.supplies) >= KEPT:
        g.supplies.clear()


def zones(g: State) -> Zones:
    """The zones of influence as they stand."""
    return supply(g).zones


def in_zone(g: State, side: str, place: int) -> bool:
    """The hex is in the zone of influence of a side, neutralised or not."""
    return zone_met(g, side, (place,))


def zone_met(g: State, side: str, places: Iterable[int]) -> bool:
    """Some of these hexes is in the zone of influence of a side, neutralised or not."""
    field = g.board.fields.of(places) & g.memo.cached(("all air", side), lambda: _all_over(g, side)[0])
    return bool(field and field & _reach(g, side))


def _reach(g: State, side: str) -> Field:
    """The zone of influence of a side; Japan's does not wait for the Allies."""
    return _japan_first(g).over[JAPAN][0] if side == JAPAN else zones(g).reach[side]


def hostile(g: State, side: str) -> frozenset[int]:
    """Hexes in an un-neutralised enemy zone of influence."""
    return by_supply(g, ("hostile", side), lambda: frozenset(g.board.fields.hexes(zones(g).hostile(side))))


def supplied(g: State, unit: str) -> bool:
    """In supply now; activated units stay so to the end of the offensive [6.21]."""
    o = g.offensive
    if o is not None and (unit in o.units or unit in o.reactors):
        return True
    counter = g.board.counters[unit]
    lines = _japan_first(g).lines if counter.side == JAPAN else supply(g).lines[ALLIES]
    if counter.kind == "hq":
        return unit in lines.hqs
    return g.pieces[unit].box == "map" and lines.is_fed(g, unit)


def activated(g: State) -> set[str]:
    """Units activated in the present offensive, on both sides."""
    o = g.offensive
    return set(o.units) | set(o.reactors) if o is not None else set()


def _find_japan(g: State, lost: set[str]) -> JapanFirst:
    active = activated(g)
    flyers = {side: _flying(g, side) for side in (JAPAN, ALLIES)}
    over = {side: _all_over(g, side) for side in flyers}
    if g.second:
        alone = _feeding(g, ALLIES, _zones({**over, JAPAN: NOWHERE}))
        flyers[ALLIES] = _lasting(alone, g, flyers[ALLIES], active, lost)
        over[ALLIES] = _over(g, flyers[ALLIES])
    return JapanFirst(_settled(g, JAPAN, flyers, over, active, lost), flyers, over, lost)


def _supply(g: State, lost: set[str]) -> Supply:
    first = _japan_first(g)
    lost |= first.cut_off
    flyers, over = dict(first.flyers), dict(first.over)
    allied = _settled(g, ALLIES, flyers, over, activated(g), lost)
    return Supply({JAPAN: first.lines, ALLIES: allied}, _zones(over))


def _settled(
    g: State, side: str, flyers: dict[str, list[str]], over: dict[str, tuple[Field, Field]], active: set[str], lost: set[str]
) -> Feeding:
    """Lines of a side when its flyers out of supply have lost their zones; `flyers` and `over` are cut down to the others."""
    while True:
        present = _zones(over)
        fed = _feeding(g, side, present)
        left = _lasting(fed, g, flyers[side], active, lost)
        if len(left) == len(flyers[side]):
            return fed
        flyers[side], over[side] = left, _over(g, left)
        if _zones(over).hostile(side) == present.hostile(side):
            return fed


def _flying(g: State, side: str) -> list[str]:
    """Flyers of a side on the map that would project a zone."""
    here = g.standing
    flyers = here.of("watched", ("flyers", side), lambda: [u for u in g.board.flyers[side] if u in here.places])
    return [] if side == ALLIES and _first_conquests(g) else flyers


def _lasting(lines: Feeding, g: State, flyers: list[str], active: set[str], lost: set[str]) -> list[str]:
    """Flyers that keep their zones: active ones, and those in supply; `lost` takes those out of supply, active or not."""
    cut_off = lines.cut_off(g, flyers)
    if not cut_off:
        return flyers
    lost |= cut_off
    return [u for u in flyers if u not in cut_off or u in active]


def _first_conquests(g: State) -> bool:
    """[17.11] The first conquests of turn 1, during which there are no Allied zones."""
    return g.offensive is not None and g.offensive.card == "J2"


def _over(g: State, units: Iterable[str]) -> tuple[Field, Field]:
    """[6.4] Hexes in the zone of influence of some flyers, and those in one of a unit other than an LRB."""
    everywhere, without_lrb = NOWHERE
    rings, pieces, counters = g.board.fields.rings, g.pieces, g.board.counters
    for unit in units:
        ring = rings[pieces[unit].at]
        everywhere |= ring
        if not counters[unit].lrb:
            without_lrb |= ring
    return everywhere, without_lrb


def _all_over(g: State, side: str) -> tuple[Field, Field]:
    """The same of all flyers of a side that project."""
    flyers = _flying(g, side)
    return g.standing.of("watched", ("over", side, not flyers), lambda: _over(g, flyers))


def _zones(over: Mapping[str, tuple[Field, Field]]) -> Zones:
    return Zones({side: zone for side, (zone, _) in over.items()}, {side: zone for side, (_, zone) in over.items()})


def ground(g: State, side: str, present: Zones) -> Ground:
    """The obstacles for lines of `side` when the zones are `present`."""
    enemy, own = _occupied(g, FOE[side]), _occupied(g, side)
    return Ground(present.hostile(side), enemy & ~own, own_ports(g, side), enemy, not g.second)


def _occupied(g: State, side: str) -> Field:
    return g.memo.cached(("occupied field", side), lambda: g.occupied_field(side))


def own_ports(g: State, side: str) -> Field:
    """Ports that a side controls."""
    return g.board.port_field & held(g, side)


def own_airfields(g: State, side: str) -> Field:
    """Airfields that a side controls."""
    return g.board.airfield_field & held(g, side)


def held(g: State, side: str) -> Field:
    """Hexes that a side controls."""
    return g.held(side)


def limits_of(g: State, side: str) -> Ground:
    """The obstacles for lines of `side` as things stand."""
    return by_supply(g, ("ground", side), lambda: ground(g, side, zones(g)))


def _feeding(g: State, side: str, present: Zones) -> Feeding:
    """The same again while nothing that it depends on has changed, such as after the move of a fleet."""
    limits = ground(g, side, present)
    hqs = hqs_on_map(g, side)
    key = (limits, tuple([(u, g.pieces[u].at) for u in hqs]), sources(g, side), missing_routes(g))
    found: Feeding | None = g.supplies.get(key)
    if found is None:
        _make_room(g)
        found = g.supplies[key] = _find_feeding(g, side, limits, hqs)
    return found


def hqs_on_map(g: State, side: str) -> list[str]:
    """HQs of one side on the map, in counter order; for reading only."""
    here = g.standing
    return here.of("watched", ("hqs", side), lambda: [u for u in g.board.hqs[side] if u in here.places])


def _find_feeding(g: State, side: str, limits: Ground, hqs: list[str]) -> Feeding:
    fed = supplied_hqs(g, side, limits, hqs)
    eligible = _eligible_ports(g, limits, hqs) if g.second else -1
    near_port = overland(g, eligible, OVERLAND_LIMIT, limits) if g.second else -1
    hexes, from_hq = dict.fromkeys(g.board.allegiances[side], 0), dict[str, Field]()
    for hq in fed:
        fields_fed = from_hq[hq] = _fed_by(g, hq, limits, eligible, near_port)
        nation = g.counter(hq).nation
        for kind in hexes:
            if may_command(g, nation, kind):
                hexes[kind] |= fields_fed
    return Feeding(side, limits, frozenset(fed), hexes, from_hq)


def _fed_by(g: State, hq: str, limits: Ground, eligible: Field, near_port: Field) -> Field:
    """[6.21] Hexes to which a line from one HQ leads; by land not beyond the overland limit."""
    at = g.pieces[hq].at
    reach = lines(g, g.board.fields.one[at], limits, g.counter(hq).command, 1 if g.second else ANY_PORTS, eligible)
    by_land = reach.by_land & near_port
    if by_land != reach.by_land:
        by_land |= reach.by_land & overland(g, g.board.fields.one[at], OVERLAND_LIMIT, limits)
    return reach.start | reach.by_sea | by_land


def hexes_fed_by(g: State, hq: str) -> Field:
    """[6.21] Hexes in which a unit would be in supply from this HQ as things stand."""
    side = g.counter(hq).side
    limits, found = limits_of(g, side), supply(g).lines[side]
    if found.limits == limits and hq in found.from_hq:
        return found.from_hq[hq]
    eligible = _eligible_ports(g, limits, hqs_on_map(g, side)) if g.second else -1
    near_port = overland(g, eligible, OVERLAND_LIMIT, limits) if g.second else -1
    return _fed_by(g, hq, limits, eligible, near_port)


def supplied_hqs(g: State, side: str, limits: Ground, hqs: list[str]) -> list[str]:
    """[6.21] HQs with an unblocked line of any length to an ultimate source."""
    reach = source_lines(g, side, limits).all
    return [hq for hq in hqs if g.board.fields.has(reach, g.pieces[hq].at)]


def source_lines(g: State, side: str, limits: Ground) -> Lines:
    """Lines of any length from the ultimate sources of a side."""
    return lines(g, sources(g, side), limits, ANY_LENGTH, ANY_PORTS)


def sources(g: State, side: str) -> Field:
    """[6.22] The ultimate sources that a side has."""
    printed = g.board.sources[side]
    return printed if side == ALLIES else printed & held(g, JAPAN)


def eligible_port(g: State, side: str, place: int) -> bool:
    """[1.3] The port is supply-eligible as things stand."""
    return g.board.fields.has(_eligible_ports(g, limits_of(g, side), hqs_on_map(g, side)), place)


def _eligible_ports(g: State, limits: Ground, hqs: list[str]) -> Field:
    """[1.3] Supply-eligible ports: a line by sea of any length leads there from some HQ, supplied or not."""
    fields = g.board.fields
    return by_sea(fields, fields.of([g.pieces[hq].at for hq in hqs]), limits.closed) & limits.ports


def _emergency(g: State, side: str, limits: Ground) -> Field:
    """[6.23] Hexes that the Tokyo Express marker feeds; for the Allies Kunming while road or Hump feed it [13.75]."""
    if side == JAPAN:
        return g.board.fields.one[g.express] if g.express else 0
    return g.memo.cached(("kunming", limits, g.has("hump"), missing_routes(g)), lambda: _round_kunming(g, limits))


def _round_kunming(g: State, limits: Ground) -> Field:
    if KUNMING not in g.board.hexes or not kunming_source(g, limits):
        return 0
    limit = OVERLAND_LIMIT if g.second else 300
    return overland(g, g.board.fields.of([KUNMING]), limit, limits)
