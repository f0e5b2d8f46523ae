"""Makes a scenario's shapes.json anew: python -m pbem.mapmaking land-50m.json axis_and_allies_pacific

The coastlines are land-50m.json of the npm package world-atlas 2.0.2 (Natural Earth 1:50m, public domain).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import yaml
from scipy import ndimage

from pbem.mapmaking import arcs, layout, partition

SWEEPS = 7
SHORT = 12  # board units: shorter contacts of areas that are no neighbours become a corner
SCENARIOS = Path(__file__).parents[2] / "scenarios"


def main(coastlines: Path, system: str) -> None:
    """Writes scenarios/<system>/shapes.json and prints what does not agree with the adjacency data."""
    plan = yaml.safe_load(Path(__file__).with_name(f"{system}.yaml").read_text("utf-8"))
    board = yaml.safe_load((SCENARIOS / system / "map.yaml").read_text("utf-8"))
    canvas = partition.Canvas(plan, board["borders"])
    land = canvas.land(partition.coastlines(coastlines, canvas.projection))
    labels = canvas.relax(canvas.zones(land), SWEEPS)
    _complain(canvas, labels)
    shapes = {"size": plan["size"], **_lines(canvas, labels)}
    shapes["boxes"] = _boxes(canvas, labels, {n: t["name"] for n, t in board["territories"].items()})
    (SCENARIOS / system / "shapes.json").write_text(json.dumps(shapes, separators=(",", ":")), "utf-8")


def _complain(canvas: partition.Canvas, labels: partition.Labels) -> None:
    found = partition.contacts(labels)
    wrong = {k: n for k, n in found.items() if k not in canvas.allowed} | {k: 0 for k in canvas.allowed if k not in found}
    for pair, edges in wrong.items():
        print(" / ".join(sorted(canvas.names[i] for i in pair)), edges, "edges")


def _lines(canvas: partition.Canvas, labels: partition.Labels) -> dict[str, Any]:
    """Arcs as [left, right, x, y, dx, dy, ...] and areas as rings of signed arc numbers."""

    def foreign(one: int, other: int) -> bool:
        return min(one, other) >= 0 and frozenset((one, other)) not in canvas.allowed

    traced = arcs.collapse(arcs.trace(labels, partition.CELL), foreign, SHORT)
    for arc in traced:
        if arcs.OUTSIDE in (arc.left, arc.right):
            arcs.smooth(arc, 0, 0.1)
            continue
        coast = (arc.left in canvas.sea) != (arc.right in canvas.sea)
        arcs.smooth(arc, 2 if coast else 12, 0.6 if coast else 1.0)
    areas = {name: arcs.rings(traced, i) for i, name in enumerate(canvas.names)}
    names = [*canvas.names, ""]
    return {"arcs": [[names[max(a.left, -1)], names[max(a.right, -1)], *_steps(a.line)] for a in traced], "areas": areas}


def _steps(line: list[tuple[float, float]]) -> list[int]:
    points = np.array(line, int)
    return [*points[0].tolist(), *np.diff(points, axis=0).ravel().tolist()]


LAND_SIZES = [(w, h) for h in (110, 96, 84, 72, 60, 48) for w in (230, 190, 160, 130, 110, 96, 80, 66) if w < 4 * h]
SEA_SIZES = [(w, h) for h in (130, 110, 96, 80, 66, 52, 40) for w in (200, 170, 150, 130, 110, 96, 80, 60) if w < 4 * h]
SMALLEST_SEA_BOXES = [(110, 66), (96, 60), (80, 52), (66, 46), (60, 40), (44, 40)]
SMALLEST_INLAND = 66 * 60  # board units squared; with less room inside, an area's box stands in the sea
BESIDE = 5  # so many sizes are tried in the sea beside an islet before its box may cover it
NEAR = 55  # cells from an islet to the middle of a box beside it
LETTER = 10  # board units, the width of a letter of a name


def _boxes(canvas: partition.Canvas, labels: partition.Labels, titles: dict[str, str]) -> dict[str, list[int]]:
    """[x, y, width, height, x of the area, y of the area]: where an area's name and stacks stand, and to where they belong.

    Large lands hold their own box. Then every zone keeps room for a small box, islets get theirs in the sea around
    them, and the zones grow into what is left.
    """
    cell = partition.CELL
    free = labels.copy()
    found = {name: tuple(box) for name, box in canvas.plan["boxes"].items()}
    land = [n for n in canvas.names if canvas.number[n] not in canvas.sea]
    middles = {name: layout.middle(labels == canvas.number[name]) for name in canvas.names}
    for name in (n for n in land if n not in found):
        box = layout.best_box(_inset(labels == canvas.number[name]), middles[name], _by_area(LAND_SIZES), cell)
        if box and box[2] * box[3] >= SMALLEST_INLAND:
            found[name] = box
    for box in found.values():
        layout.occupy(free, box, cell)
    kept = free.copy()
    for zone in sorted(canvas.sea):
        box = layout.best_box(_inset(free == zone), middles[canvas.names[zone]], SMALLEST_SEA_BOXES, cell)
        if box:
            layout.occupy(kept, box, cell)
    for name in sorted((n for n in land if n not in found), key=lambda n: int((labels == canvas.number[n]).sum())):
        found[name] = _islet_box(canvas, labels, kept, name, titles[name])
        layout.occupy(kept, found[name], cell)
        layout.occupy(free, found[name], cell)
    for zone in sorted(canvas.sea):
        name = canvas.names[zone]
        if name not in found:
            sizes = [*_by_area(SEA_SIZES), *SMALLEST_SEA_BOXES]
            found[name] = layout.best_box(_inset(free == zone), middles[name], sizes, cell) or _no_room(name, middles[name])
    return {n: [*box, *(int(v * cell) for v in middles[n][::-1])] for n, box in found.items()}


def _islet_box(canvas: partition.Canvas, labels: partition.Labels, free: partition.Labels, name: str, title: str) -> layout.Box:
    number = canvas.number[name]
    zones = [z for z in canvas.sea if frozenset((z, number)) in canvas.allowed]
    centre = np.argwhere(labels == number).mean(axis=0)
    word = LETTER * max(len(word) for word in title.split())
    sizes = [(max(w, word), h) for w, h in ((110, 60), (96, 56), (80, 52), (66, 46), (0, 46), (0, 40), (0, 34))]
    towards = (centre[0] + 12, centre[1])
    beside = layout.best_box(_inset(np.isin(free, zones)), towards, sizes[:BESIDE], partition.CELL)
    if beside and np.hypot(beside[1] / partition.CELL - centre[0], beside[0] / partition.CELL - centre[1]) <= NEAR:
        return beside
    box = layout.best_box(_inset(np.isin(free, [*zones, number])), towards, sizes, partition.CELL)
    return box or beside or _no_room(name, (centre[0], centre[1]))


def _no_room(name: str, middle: tuple[float, float]) -> layout.Box:
    print(name, "has no room for its box")
    return int(middle[1] * partition.CELL), int(middle[0] * partition.CELL), 60, 40


def _by_area(sizes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    return sorted(sizes, key=lambda s: (-s[0] * s[1], -s[1]))


def _inset(mask: layout.Mask) -> layout.Mask:
    return np.asarray(ndimage.binary_erosion(mask, iterations=2))


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
