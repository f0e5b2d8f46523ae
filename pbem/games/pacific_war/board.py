"""The fixed parts of a game: the hex map, what is printed on the counters, the charts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from pbem.kernel.hexes import Grid

GRID = Grid(odd_lower=False)  # [PW-MAP-06]
CAPITAL = ("CV", "CVL", "CVS", "BB", "BC")  # [PW-UNT-04]
CARRIERS = ("CV", "CVL", "CVE")  # [PW-UNT-07]
TENDERS = ("CVS", "ST")  # [PW-BAS-03]
ENGINES = ("1E", "2E", "4E", "LRA")
X = -99  # [PW-DMG-05] a strength that the unit does not have


@dataclass(frozen=True, slots=True)
class Hex:
    """One hex. `land`: clear, jungle, rough, mountain, atoll or ""; `water`: open, coastal, restricted or ""."""

    number: int
    land: str = ""
    water: str = ""
    name: str = ""
    routes: tuple[int, ...] = ()  # neighbours across a transport-route hexside
    features: tuple[str, ...] = ()  # home, co-prosperity, city, border, ...


@dataclass(frozen=True, slots=True)
class Counter:
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


@dataclass(frozen=True, slots=True)
class Charts:
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
        self._near: dict[int, tuple[int, ...]] = {}

    def on_map(self, place: int) -> bool:
        """The hex is on the map."""
        row, position = divmod(place, 100)
        inside = self.rows[0] <= row <= self.rows[1] and self.positions[0] <= position <= self.positions[1]
        return inside and place not in self.outside

    def hex(self, place: int) -> Hex:
        """A hex; what is not listed is open sea."""
        found = self.listed.get(place)
        return found if found is not None else Hex(place, water="open")

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

    def within(self, place: int, radius: int) -> Iterator[int]:
        """Hexes on the map at most so far away."""
        return (h for h in GRID.within(place, radius) if self.on_map(h))

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
    def place_index(self) -> dict[str, int]:
        """Hexes by the words of their names."""
        return {words_of(h.name): h.number for h in self.listed.values() if h.name}

    @cached_property
    def unit_index(self) -> dict[str, str]:
        """Units by the words of their ids."""
        return {words_of(u): u for u in self.counters}

    def single_island(self, place: int) -> bool:
        """[PW-MAP-02] Land surrounded by water hexsides: no neighbour has land."""
        return self.land(place) and not any(self.land(n) for n in self.near(place))


def distance(one: int, other: int) -> int:
    """[PW-MAP-06] Hexes between two hexes; the start is not counted."""
    return GRID.distance(one, other)


def straight(start: int, goal: int) -> list[int]:
    """The hexes of one shortest way, start left out: the same for everybody."""
    way, at = [], start
    while at != goal:
        at = min(GRID.neighbours(at), key=lambda n: (GRID.distance(n, goal), n))
        way.append(at)
    return way


def shortest(board: Board, start: int, goal: int, allowed: Callable[[int], bool], most: int = 99) -> list[int] | None:
    """The hexes of a shortest way over allowed hexes, start left out; None: there is none within `most`."""
    if start == goal:
        return []
    came: dict[int, int] = {start: 0}
    edge = [start]
    for _ in range(most):
        following = []
        for at in edge:
            for n in board.near(at):
                if n not in came and (allowed(n) or n == goal):
                    came[n] = at
                    following.append(n)
        if goal in came:
            way = [goal]
            while came[way[-1]] != start:
                way.append(came[way[-1]])
            return way[::-1]
        if not following:
            return None
        edge = following
    return None


def words_of(text: str) -> str:
    """Lower-case words of a name."""
    return " ".join(re.findall(r"[a-z0-9]+", text.lower()))


# -- reading ---------------------------------------------------------------------------------------------------------


def read_hexes(plain: Mapping[str, Any]) -> dict[int, Hex]:
    """The listed hexes of a map file."""
    found = {}
    for number, row in plain["hexes"].items():
        routes = tuple(int(r) for r in row.get("routes", ()))
        found[int(number)] = Hex(
            int(number), row.get("land", ""), row.get("water", ""), row.get("name", ""), routes, tuple(row.get("features", ()))
        )
    return found


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
