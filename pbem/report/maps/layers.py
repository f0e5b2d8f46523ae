"""A map in layers, for a page on which it is clicked: only what has changed is sent and drawn anew.

The layers in the order in which they are drawn:

- `base`: what is printed; the same for every position in a frame, so that a page may keep it under its `digest`.
- `control`: who holds what, roads and signs over that tint, battles, what changed hands.
- `glow`: where what is picked can go. Empty until `glow` draws it; it lies below the counters, whose colours stay as they are.
- `arrows`: the ways of what has moved.
- `stacks`: counters. Those of a stack stand in a group with `data-at`; each of them has `data-unit`: a type of unit on an
  area map, else the names of its pieces with | between them.
- `names`: of places on a hex map.
- `hits`: the places themselves, transparent, each with `data-at`, the id of the space or the number of the hex. A counter
  below the pointer is found with `elementsFromPoint`.

What all of them refer to (silhouettes, hatching) is in `definitions`, which belongs into the `defs` of the same SVG.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

from pbem.games import Module
from pbem.kernel.forms import Lead
from pbem.kernel.hex_picture import HexPicture
from pbem.kernel.picture import Picture
from pbem.report import svg_map
from pbem.report.maps import svg
from pbem.report.maps.look import Look
from pbem.report.maps.themes import Theme

ORDER = ("base", "control", "glow", "arrows", "stacks", "names", "hits")
End = Literal["attack", "landing", "base", "plain"]
SPECIAL: tuple[End, ...] = ("attack", "landing", "base")  # filled, each with a pattern of its own; the most urgent first
LEADS: Mapping[Lead, End] = {"attack": "attack", "land": "landing", "base": "base"}
HALF_SEEN = 0.3  # how much of the ground a fill hides


@dataclass(frozen=True, slots=True)
class Layers:
    """A map in layers. `fragments`: SVG markup by name, in `ORDER`; `view_box` as SVG has it, in board units.

    `outline` gives the border of some spaces as path data, `shape` the field of one; `pixel` is its size in board units.
    """

    fragments: Mapping[str, str]
    definitions: str
    view_box: str
    theme: Theme
    pixel: float
    outline: Callable[[Iterable[str]], str]
    shape: Callable[[str], str]
    prefix: str = ""

    def digest(self, name: str) -> str:
        """What a layer is known by: equal for equal markup."""
        return hashlib.sha256(self.fragments[name].encode()).hexdigest()[:16]


def layers(game: Module, picture: Picture | HexPicture, look: Look, other: Picture | HexPicture | None = None) -> Layers:
    """The layers of a map. `other`: the position after what is being edited, or before it: panels and names are settled so
    that they stand in the same places for both. Raises ProtocolError for unknown spaces.
    """
    drawing = svg_map.drawing(game, picture, look, other, live=True)
    fragments = drawing.parts()
    return Layers(
        fragments, drawing.definitions(), drawing.frame.view_box, look.theme, drawing.pixel, drawing.outline, drawing.shape,
        look.prefix,
    )  # fmt: skip


def end_of(leads: Iterable[Lead]) -> End:
    """The class of an end from what a pick leads to: the most urgent one."""
    found = {LEADS[lead] for lead in leads if lead in LEADS}
    return next((end for end in SPECIAL if end in found), "plain")


def glow(layers: Layers, ends: Mapping[str, End]) -> str:
    """The layer of that name for some ends: one outline around all that can be reached, and each special end filled.

    `ends`: space or number of a hex -> class. Attacks are hatched, landings barred, bases dotted, each with a rim of its own.
    Ends that the map does not show are left out.
    """
    theme = layers.theme
    reach = layers.outline(ends)
    under: dict[str, svg.Value] = {"stroke": theme.halo, "stroke_width": 7 * layers.pixel, "stroke_opacity": 0.9}
    over: dict[str, svg.Value] = {"stroke": theme.ink, "stroke_width": 3 * layers.pixel}
    parts = [svg.el("path", d=reach, **line) for line in (under, over)] if reach else []
    patterns = []
    for end in SPECIAL:
        fields = "".join(layers.shape(space) for space, kind in ends.items() if kind == end)
        if fields:
            patterns.append(_pattern(layers, end))
            parts.append(_field(layers, end, fields))
    drawn = svg.el("g", "".join(parts), fill="none", stroke_linejoin="round", stroke_linecap="round")
    return (svg.el("defs", "".join(patterns)) if patterns else "") + drawn if parts else ""


def _field(layers: Layers, end: End, path: str) -> str:
    """Fields of one class: a light ground, its pattern, a rim."""
    colour, dash = _colour(layers.theme, end), {"attack": "", "landing": "9 5", "base": "2 6"}[end]
    rim: dict[str, svg.Value] = {"stroke": colour, "stroke_width": 4 * layers.pixel}
    if dash:
        rim["stroke_dasharray"] = " ".join(svg.number(float(n) * layers.pixel) for n in dash.split())
    ground = svg.el("path", d=path, fill=layers.theme.panel, fill_opacity=HALF_SEEN)
    return ground + svg.el("path", d=path, fill=f"url(#{_id(layers, end)})", **rim)


def _pattern(layers: Layers, end: End) -> str:
    """Hatching, bars or dots."""
    colour, size = _colour(layers.theme, end), 10 * layers.pixel
    middle, width = size / 2, 3.5 * layers.pixel
    if end == "base":
        drawn = svg.el("circle", cx=middle, cy=middle, r=2.4 * layers.pixel, fill=colour)
    else:
        drawn = svg.el("path", d=f"M0 {svg.number(middle)}H{svg.number(size)}", stroke=colour, stroke_width=width)
    turn = {"patternTransform": "rotate(-45)"} if end == "attack" else {}
    extent: dict[str, svg.Value] = {"width": size, "height": size, "patternUnits": "userSpaceOnUse"}
    return svg.el("pattern", drawn, id=_id(layers, end), **extent, **turn)


def _id(layers: Layers, end: End) -> str:
    return f"{layers.prefix}end-{end}"


def _colour(theme: Theme, end: End) -> str:
    dark = theme.name == "dark"
    return {"attack": theme.alarm, "landing": "#c9a3ff" if dark else "#7a3cc2", "base": "#63d38c" if dark else "#12703a"}[end]
