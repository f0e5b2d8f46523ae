"""What is printed: hexes, hexsides, counters, and what follows from them for movement, zones of control and combat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec import Struct, field

from pbem.kernel.hexes import Grid, distances
from pbem.kernel.naming import Index

GRID = Grid(odd_lower=True)
FLAT = ("flat", "flat_woods")
HIGH = ("highland", "highland_woods")
PEAKS = ("mountain", "high_mountain")
TWO_HEX_RETREAT = ("flat", "flat_woods", "rough", "rough_woods", "marsh")
MP = 6  # a movement point is six sixths
NEVER = -1


class Hex(Struct, frozen=True):
    """One hex. Installations are airbases, ports and sites of the game; `zone` is the Inshore area of a sea hex."""

    id: int
    label: str
    terrain: str  # one of TERRAINS, or sea
    country: str = ""
    name: str = ""
    city: bool = False
    town: bool = False
    airbase: bool = False
    airfield: bool = False
    port: bool = False
    fort: str = ""  # the country whose fortification it is
    sites: int = 0  # installations of the game's own kinds
    beach: bool = False
    zone: str = ""
    extra: bool = False  # needs clearing by the game specific rules
    jungle: bool = False  # over other terrain; the newer charts have it

    @property
    def land(self) -> bool:
        """Ground units may be here."""
        return self.terrain != "sea"

    @property
    def installations(self) -> int:
        """[8.3.1.2] Airbases, ports and others; an airfield is none."""
        return int(self.airbase) + int(self.port) + self.sites

    @property
    def needs_clearing(self) -> bool:
        """[8.4] City, Urban, Installation, or named by the game."""
        return self.city or self.terrain == "urban" or self.installations > 0 or self.extra


class Side(Struct, frozen=True):
    """A hexside: river minor or major, water, ferry, road class."""

    river: str = ""
    water: bool = False
    ferry: str = ""  # the country of the ferry
    road: str = ""


class Strength(Struct, frozen=True):
    """One side of a ground counter; `sp` in half stacking points; `paren`: the defense strength is in parentheses."""

    attack: int
    defense: int
    move: int
    er: int
    sp: int
    mobility: str = "leg"  # leg, li, mot, mech; airmobile ones are li
    paren: bool = False


class Counter(Struct, frozen=True):
    """A counter. `kind`: ground, helo, AMPH, SAG, CV, CVN."""

    id: str
    name: str
    seat: str
    nation: str
    kind: str
    type: str = ""
    size: str = ""
    klass: str = ""  # leg, motorized, mechanized, armor
    marine: bool = False
    airborne: bool = False
    airmobile: bool = False  # movement allowance of 24
    mountain: bool = False  # mountain infantry, a trait of the newer rules
    formation: str = ""
    division: str = ""
    front: Strength | None = None
    back: Strength | None = None
    support: tuple[int, ...] = ()  # combat support of front and back
    range: int = 0
    usmc: bool = False
    capacity: int = 0  # half stacking points that an AMPH carries
    lift: int = 0  # airmobile points of an AMPH
    flips_to: str = ""  # SAG: an AMPH with one on its back
    value: str = ""  # row of the victory point chart

    @property
    def ground(self) -> bool:
        """A ground unit."""
        return self.kind == "ground"

    @property
    def naval(self) -> bool:
        """A naval unit."""
        return self.kind in ("AMPH", "SAG", "CV", "CVN")

    @property
    def yellow(self) -> bool:
        """[8.5] Airmobile or airmobile-capable, and so Light Infantry."""
        return self.front is not None and self.front.mobility == "li"

    @property
    def steps(self) -> int:
        """[9.7.1] A two-sided counter has two steps."""
        return 1 + int(self.back is not None or len(self.support) == 2)


class Area(Struct, frozen=True):
    """[7.1] An At Sea or Inshore area."""

    id: str
    name: str
    zone: str
    at_sea: bool
    near: tuple[str, ...]  # areas that a naval unit may go to from here
    box: str = ""  # a reinforcement box of the game: whose


class Edge(Struct, frozen=True):
    """One way out of a hex for a mobility class: cost in sixths off the road and by road, NEVER where forbidden."""

    to: int
    off: int
    road: int
    bridge: bool
    ferry: str
    bare: int  # off the road when the bridge is down


class Board(Struct, eq=False):
    """Everything that never changes in a game."""

    hexes: dict[int, Hex]
    sides: dict[tuple[int, int], Side]
    counters: dict[str, Counter]
    areas: dict[str, Area]
    zones: dict[str, tuple[str, tuple[str, ...]]]  # zone -> at sea area, inshore areas
    p: Mapping[str, Any]
    near: dict[int, tuple[int, ...]] = field(default_factory=dict)
    land_near: dict[int, tuple[int, ...]] = field(default_factory=dict)  # not across water
    zoc_near: dict[int, tuple[int, ...]] = field(default_factory=dict)  # [8.2.3] where a zone extends
    _edges: dict[tuple[str, int, int], tuple[Edge, ...]] = field(default_factory=dict)
    _costs: dict[tuple[str, int], Costs] = field(default_factory=dict)
    _ways_in: dict[tuple[str, int], WaysIn] = field(default_factory=dict)
    _rings: dict[int, list[frozenset[int]]] = field(default_factory=dict)
    _mine: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = field(default_factory=dict)
    land: frozenset[int] = frozenset()
    ferries: frozenset[int] = frozenset()  # hexes at a ferry
    beside_roads: dict[int, tuple[int, ...]] = field(default_factory=dict)  # hex with a road -> its neighbours on land
    havens: tuple[int, ...] = ()  # City, Urban and Port hexes
    lands: dict[str, frozenset[int]] = field(default_factory=dict)  # side -> hexes of its country
    seas: dict[str, frozenset[int]] = field(default_factory=dict)  # Inshore area -> its sea hexes
    sea_hexes: dict[str, tuple[int, ...]] = field(default_factory=dict)  # the same, in order
    sea_near: dict[int, tuple[int, ...]] = field(default_factory=dict)  # [8.5.6.4] sea hexes beside a hex, in order
    prizes: tuple[int, ...] = ()  # land hexes that are worth taking
    bases: tuple[int, ...] = ()  # Airbases and Airfields
    ports: tuple[int, ...] = ()
    ships: dict[str, tuple[str, ...]] = field(default_factory=dict)  # side -> naval units
    armies: dict[str, tuple[str, ...]] = field(default_factory=dict)  # side -> ground units
    to_clear: tuple[int, ...] = ()
    forts: tuple[int, ...] = ()
    dmz: frozenset[int] = frozenset()  # land hexes beside the border between the countries
    tunnels: frozenset[int] = frozenset()
    urban: frozenset[int] = frozenset()
    rough: frozenset[int] = frozenset()  # neither Flat nor Flat Woods
    unit_index: Index[str] = field(default_factory=lambda: Index(()))
    place_index: Index[int] = field(default_factory=lambda: Index(()))
    labels: dict[str, int] = field(default_factory=dict)
    area_names: dict[str, str] = field(default_factory=dict)

    def side(self, a: int, b: int) -> Side:
        """The hexside between two neighbours."""
        return self.sides.get((a, b) if a < b else (b, a), PLAIN)

    def edges(self, mobility: str, storm: int, place: int) -> tuple[Edge, ...]:
        """Ways out of a hex for a mobility class, to its land neighbours in one order for all classes."""
        key = (mobility, storm, place)
        found = self._edges.get(key)
        if found is None:
            found = self._edges[key] = tuple(_edges(self, place, mobility, storm))
        return found

    def costs(self, mobility: str, storm: int) -> Costs:
        """For each hex the neighbours that a class can enter (numbers doubled), with the lower of both costs."""
        found = self._costs.get((mobility, storm))
        if found is None:
            found = self._costs[mobility, storm] = Costs(self, mobility, storm)
        return found

    def ways_in(self, mobility: str, storm: int) -> WaysIn:
        """For each hex the neighbours from which a class can enter it, all bridges standing, all ferries running."""
        found = self._ways_in.get((mobility, storm))
        if found is None:
            found = self._ways_in[mobility, storm] = WaysIn(self, mobility, storm)
        return found

    def rings(self, place: int) -> Iterator[frozenset[int]]:
        """Hexes of the map one step from a hex, two steps, and so on, to the end of the map."""
        rings, n = self._rings.setdefault(place, []), 0
        while True:
            if n == len(rings):
                inner, edge = [frozenset[int](), frozenset((place,)), *rings][-2:]
                rings.append(frozenset[int]().union(*[self.near[h] for h in edge]) - edge - inner)
            if not rings[n]:
                return
            yield rings[n]
            n += 1

    def mine(self, side: str, kinds: tuple[str, ...]) -> tuple[str, ...]:
        """Counters of a side, of some kinds or of all."""
        found = self._mine.get((side, kinds))
        if found is None:
            able = (u for u, c in self.counters.items() if c.seat == side and (not kinds or c.kind in kinds))
            found = self._mine[side, kinds] = tuple(able)
        return found

    def edge(self, mobility: str, storm: int, place: int, to: int) -> Edge | None:
        """The way from one hex to a neighbour, if any."""
        return next((e for e in self.edges(mobility, storm, place) if e.to == to), None)

    def owner(self, place: int) -> str:
        """The seat whose country a hex is in."""
        return str(self.p["countries"].get(self.hexes[place].country, ""))

    def name(self, place: int) -> str:
        """A hex in words."""
        hex_ = self.hexes[place]
        return f"{hex_.name} ({hex_.label})" if hex_.name else hex_.label

    def within(self, place: int, radius: int) -> Iterator[int]:
        """Hexes of the map at most so far away."""
        return (h for h in GRID.within(place, radius) if h in self.hexes)

    def has_road(self, place: int) -> bool:
        """A road or highway runs through the hex."""
        return place in self.beside_roads


class Costs(dict[int, tuple[tuple[int, int], ...]]):
    """Ways out of each hex, made when a hex is first asked for: twice the number of the next one, and the cost."""

    def __init__(self, board: Board, mobility: str, storm: int) -> None:
        super().__init__()
        self.board, self.mobility, self.storm = board, mobility, storm

    def __missing__(self, place: int) -> tuple[tuple[int, int], ...]:
        ways = [(e.to, [c for c in (e.off, e.road) if c != NEVER]) for e in self.board.edges(self.mobility, self.storm, place)]
        found = self[place] = tuple((2 * to, min(costs)) for to, costs in ways if costs)
        return found


class WaysIn(dict[int, tuple[int, ...]]):
    """Neighbours from which each hex can be entered, found when a hex is first asked for."""

    def __init__(self, board: Board, mobility: str, storm: int) -> None:
        super().__init__()
        self.board, self.mobility, self.storm = board, mobility, storm

    def __missing__(self, place: int) -> tuple[int, ...]:
        ways = [(n, self.board.edge(self.mobility, self.storm, n, place)) for n in self.board.near[place]]
        found = self[place] = tuple(n for n, e in ways if e is not None and (e.off, e.road) != (NEVER, NEVER))
        return found


PLAIN = Side()
EMPTY_BOARD = Board({}, {}, {}, {}, {}, {})


distance = distances(GRID)


def _edges(board: Board, a: int, mobility: str, storm: int) -> Iterator[Edge]:
    roads, on_foot = board.p["road_effects"], "leg" if mobility == "mtn" else mobility
    for b in board.near[a]:
        side, there = board.side(a, b), board.hexes[b]
        if not there.land or not board.hexes[a].land:
            continue
        road = sixths(roads[side.road][on_foot][storm]) if side.road else NEVER
        if there.terrain == "urban":
            both = board.hexes[a].terrain == "urban"
            bare = sixths(roads["primary"][on_foot][storm]) if both else MP
            off = road if side.road and not both else bare
        else:
            off = bare = _entry(board, there, mobility, storm)
        if side.river == "major" or (side.water and not side.ferry):
            bare = NEVER
        elif bare != NEVER and (side.river or side.ferry):
            bare += sixths(board.p["river_effects"][on_foot])
        bridge = bool(side.road and (side.river or side.water))
        over = off if side.road else bare
        yield Edge(b, over, road, bridge, side.ferry, bare if bridge else over)


def _entry(board: Board, there: Hex, mobility: str, storm: int) -> int:
    """What a hex costs off the road: its terrain, mountain infantry's own cost, jungle over it."""
    on_foot = "leg" if mobility == "mtn" else mobility
    own = board.p["mountain_infantry_effects"].get(there.terrain) if mobility == "mtn" else None
    cost = sixths((own or board.p["terrain_effects"][there.terrain][on_foot])[storm])
    more = sixths(board.p["jungle_effects"][on_foot][storm]) if there.jungle else 0
    return NEVER if NEVER in (cost, more) else cost + more


@lru_cache(maxsize=256)
def sixths(cost: int | str) -> int:
    """A printed cost in sixths: 2, `1/2`, `1/3`; P is NEVER."""
    text = str(cost).strip().lstrip("+")
    if text == "P":
        return NEVER
    whole, slash, part = text.partition("/")
    return MP * int(whole) // int(part) if slash else MP * int(whole)
