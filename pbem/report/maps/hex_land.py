"""The ground of a hex map as SVG: sea, land with smooth coasts, terrain, routes, closed hexsides, grid. Knows no game.

Board units: a hex is 2 * RADIUS wide. Where three land hexes meet, land is solid; elsewhere the coast runs inside the hex.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import pairwise

from msgspec import Struct

from pbem.games import Module
from pbem.kernel.hex_picture import HexMap
from pbem.kernel.hexes import Grid
from pbem.report.maps import svg
from pbem.report.maps.style import UNKNOWN
from pbem.report.maps.themes import Theme

RADIUS = 40.0
HALF = RADIUS * math.sqrt(3) / 2  # from the middle to a side
CORNERS = tuple(
    (RADIUS * math.cos(math.radians(60 * i - 60)), RADIUS * math.sin(math.radians(60 * i - 60))) for i in range(6)
)  # corner i lies between side i and side i + 1 of hexes.SIDES
BRIDGE = (0.3, 0.7)  # the part of a side that a narrow land passage takes
INSETS = {True: (0.50, 0.60), False: (0.66, 0.80)}  # how far out the coast runs, of the radius: islands, other land

Point = tuple[float, float]


class Terrain(Struct, frozen=True):
    """A terrain's name, its colours in the two themes, and a mark of SVG path data around (0, 0)."""

    name: str
    light: str
    dark: str
    mark: str

    def colour(self, theme: Theme) -> str:
        """Of a theme."""
        return self.dark if theme.name == "dark" else self.light


@cache
def terrains(game: Module) -> Mapping[str, Terrain]:
    """The terrains of a game."""
    plain = json.loads((game.home("templates") / "map_style.json").read_text("utf-8"))
    return {id: Terrain(*given) for id, given in plain["terrains"].items()}


class Layout:
    """Where hexes stand: middles by number, in board units, and the board's extent."""

    def __init__(self, board: HexMap) -> None:
        self.cells = {cell.id: cell for cell in board.cells}
        self.board = board
        self.grid = Grid(odd_lower=board.odd_lower)
        self.near = {h: self.grid.neighbours(h) for h in self.cells}
        self.corners = tuple(map(_turned, CORNERS)) if board.pointed else CORNERS
        together = [h for h in self.cells if any(n in self.cells for n in self.near[h])] or list(self.cells)
        columns = [h // self.grid.base for h in together]
        rows = [h % self.grid.base for h in together]
        self.first = min(columns), min(rows)
        self.middles = {h: self.middle(h) for h in together}
        apart = {h: self._nearer(self.middle(h)) for h in self.cells if h not in self.middles}
        self.middles = _from_origin({**self.middles, **apart}, RADIUS if board.pointed else HALF)
        sideways, down = (2 * HALF, 1.5 * RADIUS) if board.pointed else (RADIUS, 2 * HALF)
        self._land = frozenset(h for h, cell in self.cells.items() if cell.terrain != board.sea)
        self._joined: dict[tuple[int, int], bool] = {}
        self._shores: dict[int, str] = {}
        self._rings: dict[tuple[float, int], tuple[float, float, str]] = {}
        self.width = max(x for x, _ in self.middles.values()) + sideways
        self.height = max(y for _, y in self.middles.values()) + down

    def _nearer(self, middle: Point) -> Point:
        """Where a hex that stands alone is drawn: not farther than a row or column away from the others."""
        xs, ys = zip(*self.middles.values(), strict=True)
        x = min(max(middle[0], min(xs) - 2 * RADIUS), max(xs) + 2 * RADIUS)
        y = min(max(middle[1], min(ys) - 2.5 * HALF), max(ys) + 2.5 * HALF)
        return x, y

    def middle(self, h: int) -> Point:
        """The middle of a hex."""
        column, row = divmod(h, self.grid.base)
        lowered = (column % 2 == 1) == self.board.odd_lower
        x = (column - self.first[0]) * 1.5 * RADIUS + RADIUS
        y = (row - self.first[1]) * 2 * HALF + HALF * (2 if lowered else 1)
        return _turned((x, y)) if self.board.pointed else (x, y)

    def is_land(self, h: int) -> bool:
        """A hex with land in it; False for hexes that are not on the map."""
        return h in self._land

    def joined(self, h: int, i: int) -> bool:
        """Does land go on across side `i` of a hex? Across the edge of the map it does where no sea is marked."""
        if (h, i) not in self._joined:
            self._joined[h, i] = h in self._land and self._leads_on(h, i)
        return self._joined[h, i]

    def _leads_on(self, h: int, i: int) -> bool:
        side, there = self.cells[h].sides[i], self.near[h][i]
        if there in self.cells and not self.is_land(there):
            return False
        return _leads_on(side) or (side == "-" and any(map(_leads_on, self.cells[h].sides)))

    def solid(self, h: int, i: int) -> bool:
        """Is corner `i` of a hex surrounded by land?"""
        after = (i + 1) % 6
        if not (self.joined(h, i) and self.joined(h, after)):
            return False
        one, other = self.near[h][i], self.near[h][after]
        if one in self.cells:
            return self.joined(one, (i + 2) % 6)
        return other not in self.cells or self.joined(other, (i + 5) % 6)

    def hexagon(self, h: int, size: float = 1.0) -> str:
        """The outline of a hex as path data."""
        return self.ring(h, size) + "z"

    def ring(self, h: int, size: float = 1.0, sides: int = 6) -> str:
        """Sides of a hex from the first on as path data; behind its beginning the same for every hex."""
        if (size, sides) not in self._rings:
            at = [(round(dx * size, 1), round(dy * size, 1)) for dx, dy in (*self.corners[-1:], *self.corners[: min(sides, 5)])]
            steps = (f"{svg.number(x - px)} {svg.number(y - py)}" for (px, py), (x, y) in pairwise(at))
            self._rings[size, sides] = (*at[0], "l" + " ".join(steps))
        (x, y), (dx, dy, rest) = self.middles[h], self._rings[size, sides]
        return f"M{svg.number(x + dx)} {svg.number(y + dy)}{rest}"

    def shore(self, h: int) -> str:
        """The land in a hex as path data: straight where it goes on in the next hex, curved along the water."""
        if h not in self._shores:
            self._shores[h] = self._shore(h)
        return self._shores[h]

    def _shore(self, h: int) -> str:
        x, y = self.middles[h]
        corners = [self.solid(h, i) for i in range(6)]
        if all(corners):
            return self.hexagon(h)
        alone = not any(self.joined(h, i) for i in range(6))
        points: list[tuple[float, float, bool]] = []
        for i in range(6):
            (ax, ay), (bx, by) = self.corners[i - 1], self.corners[i]
            if self.joined(h, i):
                start, end = 0.0 if corners[i - 1] else BRIDGE[0], 1.0 if corners[i] else BRIDGE[1]
                points += [(ax + (bx - ax) * t, ay + (by - ay) * t, True) for t in (start, end)]
            if not corners[i]:
                part = _between(*INSETS[alone], h * 6 + i)
                points.append((bx * part, by * part, False))
        return _curve([(x + px, y + py, hard) for px, py, hard in points])


def _turned(point: Point) -> Point:
    """A quarter turn to the left: what was up points west, what was right points up."""
    x, y = point
    return y, -x


def _leads_on(side: str) -> bool:
    """Land, playable or not, across a side."""
    return "L" in side or "l" in side or "R" in side


def _from_origin(middles: Mapping[int, Point], up: float) -> dict[int, Point]:
    """Moved so that no hex lies left of or above the origin; `up`: from a middle to the top of its hex."""
    left, top = min(x for x, _ in middles.values()) - RADIUS, min(y for _, y in middles.values()) - up
    return {h: (x - left, y - top) for h, (x, y) in middles.items()}


@lru_cache(8)
def layout(board: HexMap) -> Layout:
    """The layout of a map; made once."""
    return Layout(board)


def _between(low: float, high: float, seed: int) -> float:
    """A value that depends on the place only, so that coasts are not all alike."""
    return low + (high - low) * ((seed * 2654435761 >> 7) % 1000) / 999


def _curve(points: list[tuple[float, float, bool]]) -> str:
    """A closed line through the hard points, bending around the soft ones."""
    first = next((i for i, p in enumerate(points) if p[2]), None)
    if first is None:
        ring = points
        sx, sy = (ring[-1][0] + ring[0][0]) / 2, (ring[-1][1] + ring[0][1]) / 2
    else:
        ring = points[first + 1 :] + points[: first + 1]
        sx, sy = points[first][:2]
    parts = [f"M{svg.number(sx)} {svg.number(sy)}"]
    for i, (x, y, hard) in enumerate(ring):
        nx, ny, next_hard = ring[(i + 1) % len(ring)]
        if hard:
            parts.append(f"L{svg.number(x)} {svg.number(y)}")
        else:
            ex, ey = (nx, ny) if next_hard else ((x + nx) / 2, (y + ny) / 2)
            parts.append(f"Q{svg.number(x)} {svg.number(y)} {svg.number(ex)} {svg.number(ey)}")
    return "".join(parts) + "z"


@lru_cache(16)
def ground(board: HexMap, game: Module, theme: Theme, shown: tuple[int, ...]) -> str:
    """Everything that is printed in some hexes except names: the same for every position."""
    at = layout(board)
    looks = terrains(game)
    land: dict[str, list[str]] = {}
    for h in shown:
        if at.is_land(h):
            land.setdefault(at.cells[h].terrain, []).append(at.shore(h))
    everything = "".join(path for paths in land.values() for path in paths)
    sea = looks[board.sea].colour(theme)
    parts = [svg.el("path", d=whole(at, shown), fill=sea, stroke=sea)]
    parts.append(svg.el("path", d=everything, fill="none", stroke=theme.coast, stroke_width=3.6, stroke_linejoin="round"))
    for id, paths in land.items():
        parts.append(svg.el("path", d="".join(paths), fill=_colour(looks, id, theme)))
    parts += [_marks(at, shown, looks, theme), _grid(at, shown, theme), _routes(at, shown, theme), _closed(at, shown, theme)]
    return "".join(parts)


def _colour(looks: Mapping[str, Terrain], id: str, theme: Theme) -> str:
    return looks[id].colour(theme) if id in looks else UNKNOWN


def _marks(at: Layout, shown: Iterable[int], looks: Mapping[str, Terrain], theme: Theme) -> str:
    """Trees and mountains."""
    found = []
    for cell in map(at.cells.__getitem__, shown):
        mark = looks[cell.terrain].mark if cell.terrain in looks else ""
        if mark:
            x, y = at.middles[cell.id]
            found.append(svg.moved(svg.el("path", d=mark), x, y))
    return svg.el("g", "".join(found), fill="none", stroke=theme.ink, stroke_width=1.4, stroke_opacity=0.3) if found else ""


def _grid(at: Layout, shown: Iterable[int], theme: Theme) -> str:
    """Every side once."""
    edges = (_side(at, h, i) for h in shown for i in range(3, 6) if at.near[h][i] not in at.cells)
    path = "".join([*(at.ring(h, sides=3) for h in shown), *edges])
    return svg.el("path", d=path, fill="none", stroke=theme.ink, stroke_width=0.7, stroke_opacity=0.3)


def _side(at: Layout, h: int, i: int, size: float = 1.0) -> str:
    x, y = at.middles[h]
    (ax, ay), (bx, by) = at.corners[i - 1], at.corners[i]
    a, b = (x + ax * size, y + ay * size), (x + bx * size, y + by * size)
    return f"M{svg.number(a[0])} {svg.number(a[1])}L{svg.number(b[0])} {svg.number(b[1])}"


class Line(Struct, frozen=True):
    """How a road or river is drawn: an edge (0: none) and a line, in board units; `dash` as SVG has it."""

    name: str
    edge: float
    width: float
    light: str
    dark: str
    dash: str = ""

    def drawn(self, path: str, theme: Theme) -> str:
        """Path data as this line."""
        colour = self.dark if theme.name == "dark" else self.light
        dash: dict[str, svg.Value] = {"stroke_dasharray": self.dash} if self.dash else {}
        under = svg.el("path", d=path, stroke=theme.ink, stroke_width=self.edge, stroke_opacity=0.55) if self.edge else ""
        return under + svg.el("path", d=path, stroke=colour, stroke_width=self.width, **dash)


LINES = {
    "S": Line("Secondary road", 0, 2, "#8a6a3f", "#c7a26a"),
    "P": Line("Primary road", 0, 3.6, "#b0472b", "#e07a55"),
    "H": Line("Highway", 6, 3.4, "#f2c14e", "#d9a441"),
}
RIVERS = {
    "m": Line("Minor river", 0, 3.2, "#6fa8cf", "#3f7aa6"),
    "M": Line("Major river", 0, 6.4, "#3f83b8", "#5b9fd0"),
    "F": Line("Ferry", 0, 4, "#1f5f92", "#8fc3ea", "3 4"),
}


@lru_cache(16)
def lines(board: HexMap, theme: Theme, shown: tuple[int, ...]) -> str:
    """Rivers and roads of some hexes, over the tones of their holders."""
    at = layout(board)
    return _rivers(at, shown, theme) + _roads(at, shown, theme)


def _rivers(at: Layout, shown: Iterable[int], theme: Theme) -> str:
    """Rivers along hexsides; ferries from middle to middle."""
    paths: dict[str, str] = {}
    for cell in map(at.cells.__getitem__, shown):
        for i in range(3):
            if at.near[cell.id][i] in at.cells:
                for letter in sorted(set(cell.sides[i]) & set(RIVERS)):
                    way = _across(at, cell.id, i) if letter == "F" else _side(at, cell.id, i)
                    paths[letter] = paths.get(letter, "") + way
    drawn = "".join(line.drawn(paths[letter], theme) for letter, line in RIVERS.items() if letter in paths)
    return svg.el("g", drawn, fill="none", stroke_linecap="round") if drawn else ""


def _roads(at: Layout, shown: Iterable[int], theme: Theme) -> str:
    """Roads from middle to middle, the better ones over the others."""
    paths: dict[str, str] = {}
    for cell in map(at.cells.__getitem__, shown):
        for i in range(3):
            letter = next(iter(set(cell.sides[i]) & set(LINES)), "")
            if letter and at.near[cell.id][i] in at.cells:
                paths[letter] = paths.get(letter, "") + _across(at, cell.id, i)
    drawn = "".join(line.drawn(paths[letter], theme) for letter, line in LINES.items() if letter in paths)
    return svg.el("g", drawn, fill="none", stroke_linecap="round") if drawn else ""


def _across(at: Layout, h: int, i: int) -> str:
    """From the middle of a hex to that of a neighbour."""
    (ax, ay), (bx, by) = at.middles[h], at.middles[at.near[h][i]]
    return f"M{svg.number(ax)} {svg.number(ay)}L{svg.number(bx)} {svg.number(by)}"


def _routes(at: Layout, shown: Iterable[int], theme: Theme) -> str:
    """Roads and railways, from middle to middle."""
    path = []
    for cell in map(at.cells.__getitem__, shown):
        for i in range(3):
            there = at.near[cell.id][i]
            if "R" in cell.sides[i] and there in at.cells:
                path.append(_across(at, cell.id, i))
    if not path:
        return ""
    return svg.el("g", route("".join(path), theme), fill="none")


def route(path: str, theme: Theme) -> str:
    """Path data as a road or railway."""
    under = svg.el("path", d=path, stroke=theme.ink, stroke_width=3, stroke_opacity=0.6)
    return under + svg.el("path", d=path, stroke=theme.paper, stroke_width=1.4, stroke_dasharray="5 4")


def _closed(at: Layout, shown: Iterable[int], theme: Theme) -> str:
    """Hexsides between two hexes of the map that nothing can cross."""
    found = [
        _side(at, cell.id, i, 0.99)
        for cell in map(at.cells.__getitem__, shown)
        for i in range(3)
        if at.near[cell.id][i] in at.cells and not set("WLR") & set(cell.sides[i])
    ]
    if not found:
        return ""
    return svg.el(
        "path", d="".join(found), fill="none", stroke=theme.alarm, stroke_width=3, stroke_linecap="round", stroke_opacity=0.8
    )


def outline(at: Layout, hexes: Iterable[int], size: float = 1.0) -> str:
    """The border of a region as path data, drawn a little inside of it."""
    region = set(hexes)
    return "".join(_side(at, h, i, size) for h in sorted(region) for i in range(6) if at.near[h][i] not in region)


def whole(at: Layout, hexes: Iterable[int]) -> str:
    """A region as path data, to be filled: closed lines along its border, whatever lies inside."""
    region = frozenset(hexes)
    left = {(h, i): True for h in sorted(region) for i in range(6) if at.near[h][i] not in region}
    parts = []
    for start in tuple(left):
        points, side = [], start
        while left.pop(side, False):
            (x, y), (dx, dy) = at.middles[side[0]], at.corners[side[1]]
            points.append(f"{svg.number(x + dx)} {svg.number(y + dy)}")
            side = _next(at, region, *side)
        if points:
            parts.append("M" + "L".join(points) + "z")
    return "".join(parts)


def _next(at: Layout, region: frozenset[int], h: int, i: int) -> tuple[int, int]:
    """The side that follows side `i` of a hex along the border: its own next one, or that of the hex beside it."""
    after = (i + 1) % 6
    beside = at.near[h][after]
    return (beside, (i + 5) % 6) if beside in region else (h, after)
