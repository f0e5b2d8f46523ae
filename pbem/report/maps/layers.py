"""A map in layers, for a page on which it is clicked: only what has changed is sent and drawn anew.

The layers in the order in which they are drawn:

- `base`: what is printed; the same for every position in a frame, so that a page may keep it.
- `control`: who holds what, roads and signs over that tint, battles, what changed hands.
- `glow`: where what is picked can go. Empty: the page draws into it. It lies below the counters, whose colours stay.
- `arrows`: the ways of what has moved.
- `stacks`: counters. Those of a stack stand in a group with `data-at`; each of them has `data-unit`: a type of unit on an
  area map, else the names of its pieces with | between them.
- `names`: of places on a hex map.
- `pins`: what the reader has noted at places for himself.
- `hits`: the places themselves, transparent, each with `data-at`, the id of the space or the number of the hex. A counter
  below the pointer is found with `elementsFromPoint`.

What all of them refer to (silhouettes, hatching) is in `definitions`, which belongs into the `defs` of the same SVG.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pbem.games import Module
from pbem.kernel.hex_picture import HexPicture
from pbem.kernel.picture import Picture
from pbem.report import svg_map
from pbem.report.maps.look import Look
from pbem.report.maps.themes import Theme

ORDER = ("base", "control", "glow", "arrows", "stacks", "names", "pins", "hits")


class Layers(Struct, frozen=True):
    """A map in layers. `fragments`: SVG markup by name, in `ORDER`; `view_box` as SVG has it, in board units, as is `pixel`."""

    fragments: Mapping[str, str]
    definitions: str
    view_box: str
    theme: Theme
    pixel: float
    prefix: str = ""


def layers(game: Module, picture: Picture | HexPicture, look: Look, other: Picture | HexPicture | None = None) -> Layers:
    """The layers of a map. `other`: the position after what is being edited, or before it: panels and names are settled so
    that they stand in the same places for both. Raises ProtocolError for unknown spaces.
    """
    drawing = svg_map.drawing(game, picture, look, other, live=True)
    fragments = drawing.parts()
    return Layers(fragments, drawing.definitions(), drawing.frame.view_box, look.theme, drawing.pixel, look.prefix)
