"""Arrows of moves: bent, in the mover's colour, from the edge of one panel to the edge of another."""

from __future__ import annotations

import math

from pbem.kernel.picture import Arrow
from pbem.report.maps import svg
from pbem.report.maps.themes import Theme

Box = tuple[float, float, float, float]  # middle x, middle y, width, height
DASHES = {"air": "14 8", "land": "", "sea": ""}
WIDTHS = {"air": 5.0, "land": 7.0, "sea": 7.0}
BEND = 0.14


def arrow(given: Arrow, start: Box, to: Box, colour: str, theme: Theme, weight: float = 1) -> str:
    """One arrow; nothing when its ends coincide."""
    (x0, y0), (x2, y2) = start[:2], to[:2]
    length = math.hypot(x2 - x0, y2 - y0)
    if length < 1:
        return ""
    mx, my = (x0 + x2) / 2 + (y2 - y0) * BEND, (y0 + y2) / 2 - (x2 - x0) * BEND
    sx, sy = edge(start, mx, my)
    tx, ty = edge(to, mx, my)
    if (tx - sx) * (x2 - x0) + (ty - sy) * (y2 - y0) <= 0:  # the panels touch
        sx, sy, tx, ty = x0, y0, x2, y2
    stroke = WIDTHS.get(given.kind, 7.0) * weight
    angle = math.atan2(ty - my, tx - mx)
    size = 3.0 * stroke
    head = _head(tx, ty, angle, size)
    ex, ey = tx - math.cos(angle) * size * 0.8, ty - math.sin(angle) * size * 0.8
    d = f"M{svg.number(sx)} {svg.number(sy)}Q{svg.number(mx)} {svg.number(my)} {svg.number(ex)} {svg.number(ey)}"
    dash = {"stroke_dasharray": DASHES[given.kind]} if DASHES.get(given.kind) else {}
    return (
        svg.el("path", d=d, stroke=theme.ink, stroke_width=stroke + 3.5)
        + svg.el("path", d=head, fill=colour, stroke=theme.ink, stroke_width=3)
        + svg.el("path", d=d, stroke=colour, stroke_width=stroke, **dash)
        + svg.el("path", d=head, fill=colour, stroke="none")
    )


def edge(box: Box, x: float, y: float) -> tuple[float, float]:
    """Where the line from a box's middle towards a point leaves the box."""
    bx, by, width, height = box
    dx, dy = x - bx, y - by
    part = min(width / 2 / abs(dx) if dx else math.inf, height / 2 / abs(dy) if dy else math.inf, 1)
    return bx + dx * part, by + dy * part


def _head(x: float, y: float, angle: float, size: float) -> str:
    points = [(x, y)]
    for turn in (2.65, -2.65):
        points.append((x + size * math.cos(angle + turn), y + size * math.sin(angle + turn)))
    return "M" + "L".join(f"{svg.number(px)} {svg.number(py)}" for px, py in points) + "z"
