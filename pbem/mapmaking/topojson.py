"""A reader for TopoJSON: polygons from quantized, delta-encoded shared arcs (TopoJSON specification, 2.1 and 2.2)."""

from __future__ import annotations

import json
from pathlib import Path

Point = tuple[float, float]


def polygons(path: Path, name: str) -> list[list[list[Point]]]:
    """Every polygon of the object `name`: rings of (longitude, latitude) in degrees, the outer ring first."""
    topology = json.loads(path.read_text("utf-8"))
    arcs = _absolute(topology)
    found: list[list[list[Point]]] = []
    for geometry in topology["objects"][name]["geometries"]:
        parts = geometry["arcs"] if geometry["type"] == "MultiPolygon" else [geometry["arcs"]]
        found += [[_ring(arcs, ring) for ring in part] for part in parts]
    return found


def _absolute(topology: dict[str, object]) -> list[list[Point]]:
    transform = topology["transform"]
    (scale_x, scale_y), (shift_x, shift_y) = transform["scale"], transform["translate"]  # type: ignore[index]
    arcs = []
    for arc in topology["arcs"]:  # type: ignore[attr-defined]
        x = y = 0
        points = []
        for step_x, step_y in arc:
            x, y = x + step_x, y + step_y
            points.append((x * scale_x + shift_x, y * scale_y + shift_y))
        arcs.append(points)
    return arcs


def _ring(arcs: list[list[Point]], indices: list[int]) -> list[Point]:
    """A ring from its arcs; a negative index i is arc ~i backwards; each arc begins where the last one ended."""
    ring: list[Point] = []
    for index in indices:
        arc = arcs[index] if index >= 0 else arcs[~index][::-1]
        ring += arc if not ring else arc[1:]
    return ring
