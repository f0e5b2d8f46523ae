"""From a raster of areas to shared border lines: arcs that run between the points where three or more areas meet."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray
from shapely.geometry import LineString

Vertex = tuple[int, int]
OUTSIDE = -2


class Arc(Struct):
    """A border line in board units with the areas on its left and right (as it is drawn, y downwards)."""

    left: int
    right: int
    line: list[tuple[float, float]]


def trace(labels: NDArray[np.int16], cell: int) -> list[Arc]:
    """All arcs of the raster, the edge of the board included."""
    padded = np.pad(labels, 1, constant_values=OUTSIDE)
    edges = _edges(padded)
    arcs = []
    used: set[tuple[Vertex, Vertex]] = set()
    nodes = [v for v, out in edges.items() if len(out) != 2]
    for start in [*nodes, *edges]:
        for second in edges[start]:
            if (start, second) not in used:
                arcs.append(_walk(edges, start, second, used, padded, cell))
    return arcs


def _edges(padded: NDArray[np.int16]) -> dict[Vertex, list[Vertex]]:
    """The graph of cell corners; an edge lies between two cells with different labels."""
    found: dict[Vertex, list[Vertex]] = {}
    down = np.argwhere(padded[:, :-1] != padded[:, 1:])  # a wall right of cell (r, c)
    across = np.argwhere(padded[:-1] != padded[1:])  # a wall below cell (r, c)
    for r, c in down.tolist():
        found.setdefault((r, c + 1), []).append((r + 1, c + 1))
        found.setdefault((r + 1, c + 1), []).append((r, c + 1))
    for r, c in across.tolist():
        found.setdefault((r + 1, c), []).append((r + 1, c + 1))
        found.setdefault((r + 1, c + 1), []).append((r + 1, c))
    return found


def _walk(
    edges: dict[Vertex, list[Vertex]],
    start: Vertex,
    second: Vertex,
    used: set[tuple[Vertex, Vertex]],
    padded: NDArray[np.int16],
    cell: int,
) -> Arc:
    path = [start, second]
    used |= {(start, second), (second, start)}
    while path[-1] != start and len(edges[path[-1]]) == 2:
        following = next(v for v in edges[path[-1]] if v != path[-2])
        used |= {(path[-1], following), (following, path[-1])}
        path.append(following)
    left, right = _sides(padded, start, second)
    return Arc(left, right, [((c - 1.0) * cell, (r - 1.0) * cell) for r, c in path])


def _sides(padded: NDArray[np.int16], one: Vertex, other: Vertex) -> tuple[int, int]:
    (r0, c0), (r1, c1) = one, other
    if r0 == r1:  # along a row: above and below
        above, below = int(padded[r0 - 1, min(c0, c1)]), int(padded[r0, min(c0, c1)])
        return (above, below) if c1 > c0 else (below, above)
    before, after = int(padded[min(r0, r1), c0 - 1]), int(padded[min(r0, r1), c0])
    return (after, before) if r1 > r0 else (before, after)


def smooth(arc: Arc, passes: int, tolerance: float) -> None:
    """Rounds off the raster's steps and drops points that nobody would miss; the ends stay."""
    points = np.array(arc.line)
    closed = arc.line[0] == arc.line[-1]
    if closed and len(points) < 30:
        passes = min(passes, 2)
    for _ in range(passes):
        middle = (points[:-2] + 2 * points[1:-1] + points[2:]) / 4
        if closed:
            end = (points[-2] + 2 * points[0] + points[1]) / 4
            points = np.vstack([end, middle, end])
        else:
            points = np.vstack([points[:1], middle, points[-1:]])
    line = LineString(points).simplify(tolerance, preserve_topology=False)
    arc.line = [(round(x), round(y)) for x, y in line.coords]
    if closed and len(arc.line) < 4:
        arc.line = [(round(x), round(y)) for x, y in points]


def collapse(arcs: list[Arc], foreign: Callable[[int, int], bool], longest: float) -> list[Arc]:
    """Contacts of areas that are no neighbours, if they are short, become one point in which four areas meet."""
    short = [a for a in arcs if foreign(a.left, a.right) and LineString(a.line).length <= longest and a.line[0] != a.line[-1]]
    for arc in short:
        (x0, y0), (x1, y1) = arc.line[0], arc.line[-1]
        point = ((x0 + x1) / 2, (y0 + y1) / 2)
        for other in arcs:
            other.line = [
                point if p in ((x0, y0), (x1, y1)) and i in (0, len(other.line) - 1) else p for i, p in enumerate(other.line)
            ]
    return [a for a in arcs if a not in short]


def rings(arcs: list[Arc], area: int) -> list[list[int]]:
    """The area's rings as signed arc numbers counted from 1; a negative one is walked backwards."""
    ahead: dict[tuple[float, float], list[int]] = {}
    for number, arc in enumerate(arcs, 1):
        if arc.right == area:
            ahead.setdefault(arc.line[0], []).append(number)
        elif arc.left == area:
            ahead.setdefault(arc.line[-1], []).append(-number)
    found = []
    while any(ahead.values()):
        start = next(p for p, out in ahead.items() if out)
        ring: list[int] = []
        place = start
        while not ring or place != start:
            step = ahead[place].pop()
            ring.append(step)
            line = arcs[abs(step) - 1].line
            place = line[-1] if step > 0 else line[0]
        found.append(ring)
    return found
