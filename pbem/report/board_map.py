"""The map as the board's page uses it: the picture and what can be clicked on it. Only this module knows how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pbem.games import Module
from pbem.kernel.canon import Plain
from pbem.kernel.hex_picture import HexPicture
from pbem.kernel.picture import Picture
from pbem.report import svg_map
from pbem.report.maps import hex_map
from pbem.report.maps.areas import areas
from pbem.report.maps.style import Speak, style
from pbem.report.maps.svg import number
from pbem.report.maps.themes import THEMES, Theme

ABOVE = {"areas": 1, "hexes": 2}  # groups of the window that stay above what is lit: panels; counters and names


@dataclass(frozen=True, slots=True)
class Hit:
    """A place to click: its outline as an SVG path, its middle, and the box of its panel (x, y, width, height)."""

    at: str
    name: str
    d: str
    x: float
    y: float
    box: tuple[float, ...] = ()
    also: tuple[str, ...] = ()

    def plain(self) -> Plain:
        """For the page; lengths in board units."""
        shape: dict[str, Plain] = {"d": self.d, "x": number(self.x), "y": number(self.y), "box": [*map(number, self.box)]}
        return {"at": self.at, "name": self.name, "also": [*self.also], **shape}


@dataclass(frozen=True, slots=True)
class BoardMap:
    """One map: SVG of our own renderer, the places, and how many of its groups stay above what is lit."""

    svg: str
    hits: tuple[Hit, ...]
    above: int

    def plain(self) -> dict[str, Plain]:
        """For the page."""
        return {"svg": self.svg, "hits": [hit.plain() for hit in self.hits], "above": self.above}


def drawn(game: Module, picture: Picture | HexPicture, title: str, theme: str, speak: Speak) -> BoardMap:
    """The whole board. `theme`: one of THEMES; another one is light."""
    look = svg_map.Look(THEMES.get(theme, THEMES["light"]), 0, "", False, speak)
    if isinstance(picture, HexPicture):
        return _hexes(game, picture, title, look.theme, speak)
    return _areas(game, picture, title, look)


def _areas(game: Module, picture: Picture, title: str, look: svg_map.Look) -> BoardMap:
    shapes = areas(game, frozenset(space.id for space in picture.spaces if space.sea))
    wide = replace(look, width=svg_map.WIDTH)
    drawing = svg_map.Drawing(shapes, style(game).told(look.speak), picture, wide)
    hits = []
    for one in drawing.placed():
        (ax, ay), (x, y, width, height) = shapes.anchors[one.space.id], one.box
        box = (x - width / 2, y - height / 2, width, height)
        hits.append(Hit(one.space.id, one.space.name, shapes.outlines[one.space.id], ax, ay, box))
    return BoardMap(drawing.whole(title), tuple(hits), ABOVE["areas"])


def _hexes(game: Module, picture: HexPicture, title: str, theme: Theme, speak: Speak) -> BoardMap:
    drawing = hex_map.Drawing(game, picture, hex_map.Look(theme, 0, "", speak))
    at = drawing.at
    hits = []
    for cell in picture.map.cells:
        x, y = at.middles[cell.id]
        also = tuple(dict.fromkeys(s for s in (f"{cell.id:04}", str(cell.id), cell.name) if s and s != cell.number))
        hits.append(Hit(cell.number, cell.name or cell.number, at.hexagon(cell.id), x, y, (), also))
    return BoardMap(drawing.whole(title), tuple(hits), ABOVE["hexes"])
