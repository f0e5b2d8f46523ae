"""The fixed parts of a game: the hex map, what is printed on the counters, the charts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any

from msgspec import Struct, field

from pbem.kernel.hexes import Grid, distances
from pbem.kernel.naming import Index, hex_index, hex_number
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg

GRID = Grid(odd_lower=False)  # [PW-MAP-06]
CAPITAL = ("CV", "CVL", "CVS", "BB", "BC")  # [PW-UNT-04]
CARRIERS = ("CV", "CVL", "CVE")  # [PW-UNT-07]
FORT = "FORT"  # [PW-BAS-05] a fortification: a naval counter that never moves
TENDERS = ("CVS", "ST")  # [PW-BAS-03]
NODE = 10_000  # sea nodes of double coastlines
COSTS = {"clear": 2, "atoll": 2, "jungle": 3, "rough": 6}  # [PW-MOV-02]; mountains only by transport route
X = -99  # [PW-DMG-05] a strength that the unit does not have


class Hex(Struct, frozen=True):
    """One hex. `land`: clear, jungle, rough, mountain, atoll or ""; `water`: open, coastal, restricted or ""."""

    number: int
    land: str = ""
    water: str = ""
    name: str = ""
    routes: tuple[int, ...] = ()  # neighbours across a transport-route hexside
    features: tuple[str, ...] = ()  # regions (china, java, ussr, ...) and home, co-prosperity, border, chinese-city, ...


class Counter(Struct, frozen=True):
    """What is printed on a combat unit. Strengths: X cannot be used, -1 is zero-four; `gun` and `torpedo`: S, M, L."""

    id: str
    side: str
    kind: str  # air, naval, ground, submarine
    type: str  # 1E 2E 4E LRA; CV ... SS; infantry, marine, engineer, special, airborne, armour
    nation: str = ""
    cost: int = 1
    aa: int = X
    aa_back: bool = False
    steps: int = 6
    start: int = 0  # steps at the start if fewer than printed
    an: int = X
    ag: int = X
    range: int = 0
    level: int = 0
    carrier: bool = False  # carrier-capable
    kamikaze: bool = False
    capacity: int = 0
    cripples: bool = False
    launch: int = 0
    gun: tuple[int, int, int] = (X, X, X)
    torpedo: tuple[int, int, int] = (X, X, X)
    bombard: int = X
    asw: int = X
    spotter: bool = False
    tq: int = 0
    size: str = ""  # battalion, regiment, brigade, division, corps, army

    @property
    def capital(self) -> bool:
        """[PW-UNT-04] A capital ship."""
        return self.type in CAPITAL


class Charts(Struct, frozen=True):
    """Every chart, as the scenario's chart file gives it."""

    air_naval: Mapping[str, tuple[int | str, ...]] = field(default_factory=dict)
    critical: tuple[int, ...] = ()
    random_light: tuple[str, ...] = ()
    search: Mapping[str, Any] = field(default_factory=dict)
    plain: Mapping[str, Any] = field(default_factory=dict)


class Board:
    """Map, counters and charts of one scenario."""

    def __init__(self, hexes: dict[int, Hex], bounds: Mapping[str, Any], counters: dict[str, Counter], charts: Charts) -> None:
        self.listed, self.counters, self.charts = hexes, counters, charts
        self.rows: tuple[int, int] = tuple(bounds.get("rows", (1, 0)))
        self.positions: tuple[int, int] = tuple(bounds.get("positions", (1, 0)))
        self.outside = frozenset(int(h) for h in bounds.get("outside", ()))
        self.straits = frozenset(_pair(int(a), int(b)) for a, b in (s.split("-") for s in bounds.get("straits", "").split()))
        self.double_coasts: dict[int, tuple[frozenset[int], ...]] = {
            int(h): tuple(frozenset(map(int, part)) for part in parts) for h, parts in bounds.get("double_coasts", {}).items()
        }
        self.zones = {
            int(row): sorted((int(p), z) for p, z in z_from.items()) for row, z_from in bounds.get("weather", {}).items()
        }
        self._open: dict[int, Hex] = {}
        self._near: dict[int, tuple[int, ...]] = {}
        self._marches: dict[int, tuple[int, ...]] = {}
        self._within: dict[tuple[int, int], tuple[int, ...]] = {}

    def on_map(self, place: int) -> bool:
        """The hex is on the map."""
        row, position = divmod(place, 100)
        inside = self.rows[0] <= row <= self.rows[1] and self.positions[0] <= position <= self.positions[1]
        return inside and place not in self.outside

    def hex(self, place: int) -> Hex:
        """A hex; what is not listed is open sea."""
        found = self.listed.get(place) or self._open.get(place)
        if found is None:
            found = self._open[place] = Hex(place, water="open")
        return found

    def land(self, place: int) -> bool:
        """[PW-MAP-01] All land or coastline."""
        return self.hex(place).land != ""

    def sea(self, place: int) -> bool:
        """[PW-MAP-01] All water or coastline."""
        return self.hex(place).water != ""

    def coast(self, place: int) -> bool:
        """[PW-MAP-01] Land and water."""
        return self.land(place) and self.sea(place)

    def near(self, place: int) -> tuple[int, ...]:
        """Neighbours on the map."""
        if place not in self._near:
            self._near[place] = tuple(n for n in GRID.neighbours(place) if self.on_map(n))
        return self._near[place]

    def marches(self, place: int) -> tuple[int, ...]:
        """[PW-MAP-02] Neighbours with land behind a hexside with land."""
        if place not in self._marches:
            ways = (n for n in self.near(place) if self.land(n) and _pair(place, n) not in self.straits)
            self._marches[place] = tuple(ways)
        return self._marches[place]

    def sails(self, place: int, goal: int, came: int = 0) -> bool:
        """[PW-MAP-01] Ships pass from a hex to a neighbour. `came`: the hex from which they entered; 0 if that is no matter.

        A double-coastline hex is left on the side on which it was entered.
        """
        if not self.sea(goal):
            return False
        here, there = self.double_coasts.get(place), self.double_coasts.get(goal)
        if there is not None and not any(place in part for part in there):
            return False
        return here is None or any(goal in part and (not came or came in part) for part in here)

    def sea_nodes(self, place: int) -> list[int]:
        """[PW-MAP-01] A hex for sea ways: its number, in a double-coastline hex one node for each coast (+ NODE, + 2 NODE)."""
        return (
            [place + NODE * i for i, _ in enumerate(self.double_coasts[place], 1)] if place in self.double_coasts else [place]
        )

    @cached_property
    def sea_ways(self) -> dict[int, tuple[int, ...]]:
        """From each sea node to its neighbours. The start of a way may be a land hex: it leads nowhere."""
        found: dict[int, tuple[int, ...]] = {}
        for place in self.seas:
            for node in self.sea_nodes(place):
                part = self.double_coasts[place][node // NODE - 1] if node > NODE else None
                found[node] = tuple(
                    way
                    for n in self.near(place)
                    if n in self.seas and (part is None or n in part)
                    for way in self.sea_nodes(n)
                    if way < NODE or place in self.double_coasts[n][way // NODE - 1]
                )
        for place in self.listed:
            found.setdefault(place, ())
        return found

    @cached_property
    def land_ways(self) -> dict[int, tuple[tuple[int, int], ...]]:
        """[PW-MOV-02] From each land hex to the neighbours that can be entered, with their cost."""
        found = {}
        for at, h in self.listed.items():
            prices = ((n, 2 if n in h.routes else COSTS.get(self.hex(n).land)) for n in self.marches(at))
            found[at] = tuple((n, price) for n, price in prices if price is not None)
        return found

    def zone(self, place: int) -> str:
        """[PW-WX-01] The weather zone of a hex; "" on a map without zones."""
        row, position = divmod(place, 100)
        return next((z for first, z in reversed(self.zones.get(row, [])) if first <= position), "")

    def region(self, feature: str) -> frozenset[int]:
        """The hexes of a region or with a feature."""
        return self._regions.get(feature, frozenset())

    @cached_property
    def _regions(self) -> dict[str, frozenset[int]]:
        found: dict[str, set[int]] = {}
        for h in self.listed.values():
            for feature in h.features:
                found.setdefault(feature, set()).add(h.number)
        return {feature: frozenset(places) for feature, places in found.items()}

    def within(self, place: int, radius: int) -> Iterator[int]:
        """Hexes on the map at most so far away."""
        if (place, radius) not in self._within:
            self._within[place, radius] = tuple(h for h in GRID.within(place, radius) if self.on_map(h))
        return iter(self._within[place, radius])

    def name(self, place: int) -> str:
        """How a hex is called: number and name."""
        label = self.hex(place).name
        return f"{place:04d} {label}" if label else f"{place:04d}"

    @cached_property
    def seas(self) -> frozenset[int]:
        """Every hex on the map with water."""
        every = (
            100 * r + p for r in range(self.rows[0], self.rows[1] + 1) for p in range(self.positions[0], self.positions[1] + 1)
        )
        return frozenset(h for h in every if self.on_map(h) and self.sea(h))

    @cached_property
    def coasts(self) -> frozenset[int]:
        """Every hex with land and water."""
        return frozenset(h for h in self.seas if self.land(h))

    @cached_property
    def place_index(self) -> Index[int]:
        """Hexes by number and name."""
        return hex_index(((h.number, f"{h.number:04d}", h.name) for h in self.listed.values()), self.name, self._numbered)

    def _numbered(self, word: str) -> int | None:
        number = hex_number(word)
        if number and not self.on_map(number):
            raise illegal(msg("{place} is not on the map", place=f"{number:04d}"), "PW-MAP-06")
        return number or None

    @cached_property
    def troops(self) -> dict[tuple[str, str, str], list[Counter]]:
        """Ground counters by side, nation and size."""
        found: dict[tuple[str, str, str], list[Counter]] = {}
        for c in self.counters.values():
            if c.kind == "ground":
                found.setdefault((c.side, c.nation, c.size), []).append(c)
        return found

    @cached_property
    def unit_index(self) -> Index[str]:
        """Units by the words of their ids."""
        return Index((), ids=self.counters, side=lambda u: self.counters[u].side)

    def single_island(self, place: int) -> bool:
        """[PW-MAP-02] Land surrounded by water hexsides."""
        return self.land(place) and not self.marches(place)


distance = distances(GRID)  # [PW-MAP-06] hexes between two hexes; the start is not counted


def straight(start: int, goal: int) -> list[int]:
    """The hexes of one shortest way, start left out: the same for everybody."""
    way, at = [], start
    while at != goal:
        at = min(GRID.neighbours(at), key=lambda n: (distance(n, goal), n))
        way.append(at)
    return way


def shortest(board: Board, start: int, goal: int, allowed: Callable[[int], bool], behind: int = 0) -> list[int] | None:
    """The hexes of a shortest sea way over allowed hexes to any goal, start left out; None: there is none.

    `behind`: the hex from which the start was entered, if it matters [PW-MAP-01].
    """
    if start == goal:
        return []
    edge = [n for n in board.sea_nodes(start) if not behind or n < NODE or behind in board.double_coasts[start][n // NODE - 1]]
    came: dict[int, int] = dict.fromkeys(edge, 0)
    while edge:
        following = []
        for at in edge:
            for n in board.sea_ways[at]:
                if n in came or not (n % NODE == goal or allowed(n % NODE)):
                    continue
                came[n] = at
                following.append(n)
                if n % NODE == goal:
                    return _way_back(came, n)
        edge = following
    return None


def _way_back(came: Mapping[int, int], node: int) -> list[int]:
    way = []
    while came[node]:
        way.append(node % NODE)
        node = came[node]
    return way[::-1]


# -- reading ---------------------------------------------------------------------------------------------------------


def read_hexes(plain: Mapping[str, Any]) -> dict[int, Hex]:
    """The listed hexes of a map file, with its routes, regions and features."""
    routes: dict[int, list[int]] = {}
    for line in plain.get("routes", {}).values():
        for a, b in pairwise(map(int, line)):
            routes.setdefault(a, []).append(b)
            routes.setdefault(b, []).append(a)
    features: dict[int, list[str]] = {}
    for kind in ("regions", "features"):
        for name, listed in plain.get(kind, {}).items():
            for h in _ranges(listed):
                features.setdefault(h, []).append(name)
    found = {}
    for number, row in plain["hexes"].items():
        h = int(number)
        ways = tuple(dict.fromkeys(routes.get(h, ())))
        found[h] = Hex(h, row.get("land", ""), row.get("water", ""), row.get("name", ""), ways, tuple(features.get(h, ())))
    return found


def _ranges(listed: str) -> Iterator[int]:
    """`0113-0124 0210`: every number."""
    for part in listed.split():
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def _pair(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)


def read_counters(rows: list[Mapping[str, Any]]) -> dict[str, Counter]:
    """Counters by id, in the order of the file."""
    found = {}
    for row in rows:
        given = dict(row)
        for band in ("gun", "torpedo"):
            if band in given:
                given[band] = tuple([*given[band], X, X][:3])
        found[given["id"]] = Counter(**given)
    return found


def read_charts(plain: Mapping[str, Any]) -> Charts:
    """The charts of a chart file."""
    lines = {name: tuple(row) for name, row in plain["air_naval"].items()}
    return Charts(lines, tuple(plain["critical"]), tuple(plain["random_light"]), plain["search"], plain)


EMPTY_BOARD = Board({}, {}, {}, Charts())
