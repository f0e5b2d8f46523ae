"""The shapes of an area map: outlines as SVG paths, which areas touch, where panels stand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from msgspec import Struct

from pbem.games import Module

Box = tuple[float, float, float, float]


Bounds = tuple[float, float, float, float]  # left, top, right, bottom


class Border(Struct, frozen=True):
    """The line between two areas, "" for the edge of the board. `kind`: coast, land, sea, or nothing at the edge."""

    one: str
    other: str
    kind: str
    path: str
    bounds: Bounds


class Areas(Struct, frozen=True):
    """Everything in board units. `lines` holds the border paths: coast, land and sea."""

    width: int
    height: int
    outlines: Mapping[str, str]
    lines: Mapping[str, str]
    neighbours: Mapping[str, frozenset[str]]
    boxes: Mapping[str, Box]  # middle x, middle y, width, height
    anchors: Mapping[str, tuple[float, float]]  # a point well inside
    inside: frozenset[str]  # areas that hold the middle of their box
    within: frozenset[str]  # areas that hold all corners of their box
    borders: tuple[Border, ...]
    bounds: Mapping[str, Bounds]  # of an area


@cache
def areas(game: Module, sea: frozenset[str]) -> Areas:
    """The shapes of a game's board; `sea` names the areas that are water."""
    plain = json.loads((game.home("scenarios") / "shapes.json").read_text("utf-8"))
    arcs = plain["arcs"]
    width, height = plain["size"]
    ways = [_relative(arc) for arc in arcs]
    outlines = {name: "".join(_ring(ring, ways) for ring in rings) for name, rings in plain["areas"].items()}
    borders = tuple(_border(arc, way, sea) for arc, way in zip(arcs, ways, strict=True))
    lines = {kind: "".join(line.path for line in borders if line.kind == kind) for kind in ("coast", "land", "sea")}
    neighbours: dict[str, set[str]] = {name: set() for name in outlines}
    for line in borders:
        if line.kind:
            neighbours[line.one].add(line.other)
            neighbours[line.other].add(line.one)
    boxes = {name: (box[0], box[1], box[2], box[3]) for name, box in plain["boxes"].items()}
    anchors = {name: (box[4], box[5]) for name, box in plain["boxes"].items()}
    inside = frozenset(name for name, box in boxes.items() if _holds(plain["areas"][name], ways, *box[:2]))
    within = frozenset(n for n in inside if all(_holds(plain["areas"][n], ways, *corner) for corner in _corners(boxes[n])))
    bounds = {name: _bounds([p for ring in rings for p in _points(ring, ways)]) for name, rings in plain["areas"].items()}
    near = {name: frozenset(others) for name, others in neighbours.items()}
    return Areas(width, height, outlines, lines, near, boxes, anchors, inside, within, borders, bounds)


def _points(ring: Sequence[int], ways: Sequence[Way]) -> Iterator[tuple[int, int]]:
    """The corners of a ring, in no order."""
    for (x, y), steps, _ in (ways[abs(number) - 1] for number in ring):
        for dx, dy in zip(steps[::2], steps[1::2], strict=True):
            x, y = x + dx, y + dy
            yield x, y


def _border(arc: Sequence[Any], way: Way, sea: frozenset[str]) -> Border:
    one, other = str(arc[0] or ""), str(arc[1] or "")
    kind = "" if not (one and other) else "coast" if (one in sea) != (other in sea) else "sea" if one in sea else "land"
    (x, y), steps, _ = way
    return Border(one, other, kind, f"M{x} {y}l{_steps(steps)}", _bounds([(x, y), *_points([1], [way])]))


def _bounds(points: Sequence[tuple[int, int]]) -> Bounds:
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


Way = tuple[tuple[int, int], list[int], tuple[int, int]]  # start, steps dx dy dx dy..., end


def _relative(arc: Sequence[int]) -> Way:
    x, y, steps = arc[2], arc[3], list(arc[4:])
    return (x, y), steps, (x + sum(steps[::2]), y + sum(steps[1::2]))


def _corners(box: Box) -> list[tuple[float, float]]:
    x, y, width, height = box
    return [(x + dx * width / 2, y + dy * height / 2) for dx in (-1, 1) for dy in (-1, 1)]


def _holds(rings: Sequence[Sequence[int]], ways: Sequence[Way], x: float, y: float) -> bool:
    """Does a ray from the point to the right cross the outline an odd number of times?"""
    crossed = False
    for (x0, y0), steps, _ in (ways[abs(number) - 1] for ring in rings for number in ring):
        for dx, dy in zip(steps[::2], steps[1::2], strict=True):
            x1, y1 = x0 + dx, y0 + dy
            if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * dx / dy:
                crossed = not crossed
            x0, y0 = x1, y1
    return crossed


def _ring(ring: Sequence[int], ways: Sequence[Way]) -> str:
    first, _, last = ways[abs(ring[0]) - 1]
    x, y = first if ring[0] > 0 else last
    steps: list[int] = []
    for number in ring:
        way = ways[abs(number) - 1][1]
        steps += way if number > 0 else _back(way)
    return f"M{x} {y}l{_steps(steps)}z"


def _back(steps: list[int]) -> list[int]:
    pairs = [(-dx, -dy) for dx, dy in zip(steps[::2], steps[1::2], strict=True)]
    return [value for pair in reversed(pairs) for value in pair]


def _steps(steps: list[int]) -> str:
    return " ".join(map(str, steps))
