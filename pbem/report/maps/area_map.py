"""Area maps as SVG: the whole theatre, or what lies around one space."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.kernel.picture import Picture
from pbem.report.maps import svg
from pbem.report.maps.area_beside import Beside
from pbem.report.maps.area_ground import Ground
from pbem.report.maps.area_marks import Marks
from pbem.report.maps.area_panels import Panels
from pbem.report.maps.area_sheet import Sheet
from pbem.report.maps.areas import Areas
from pbem.report.maps.kept import Kept
from pbem.report.maps.look import Frame, Look
from pbem.report.maps.page import page
from pbem.report.maps.panels import Placed
from pbem.report.maps.pins import pins
from pbem.report.maps.style import Style

TOUCH = 24.0  # pixels: areas that are smaller are hit in a circle as wide as this


class Drawing:
    """One map on its way to SVG. Everything is in board units, which the picture's viewBox scales.

    `other`: another position on the same board; panels have room for both and stand where they would for either.
    `live`, `kept`: see Sheet. Raises ProtocolError for unknown spaces.
    """

    def __init__(
        self, shapes: Areas, looks: Style, picture: Picture, look: Look, other: Picture | None = None, *, live: bool = False,
        kept: Kept | None = None,
    ) -> None:  # fmt: skip
        self.sheet = Sheet(shapes, looks, picture, look, live=live, kept=kept or Kept())
        self.ground, self.marks, self.beside = Ground(self.sheet), Marks(self.sheet), Beside(self.sheet)
        self.panels = Panels(self.sheet, other)

    @property
    def frame(self) -> Frame:
        """The part of the board that is drawn."""
        return self.sheet.frame

    @property
    def pixel(self) -> float:
        """Board units of a pixel."""
        return self.sheet.pixel

    def whole(self, title: str) -> str:
        """The picture with title and legend."""
        return "".join(self.pieces(title))

    def pieces(self, title: str) -> list[str]:
        """The whole picture in pieces, most of which are those of the picture before."""
        sheet, board = self.sheet, [piece for layer in self._layers().values() for piece in layer]
        head, foot, width, scale = self.beside.heading(title), self.beside.legend(), sheet.look.width, sheet.scale
        return page(title, board, head, foot, sheet.frame, width, scale, 10 * scale, sheet.theme, self.definitions)

    def parts(self) -> dict[str, str]:
        """The board in layers, the lowest first (see layers.ORDER)."""
        return {name: "".join(pieces) for name, pieces in self._layers().items()}

    def _layers(self) -> dict[str, list[str]]:
        sheet, standing = self.sheet, self.panels.placed()
        shown = [one for one in standing if sheet.frame.covers(one.box) or one.space.id in sheet.region]
        return {
            "base": [self.ground.water()],
            "control": [*self.ground.areas(), self.marks.fought(shown), self.panels.leaders(shown)],
            "glow": [],
            "arrows": self.marks.arrows(standing, shown),
            "stacks": self.panels.drawn(shown),
            "names": [],
            "pins": [pins(sheet.look.pins, sheet.shapes.anchors, sheet.frame, sheet.pixel, sheet.theme)],
            "hits": [self._hits(shown)] if sheet.live else [],
        }

    def definitions(self) -> str:
        """What the parts refer to."""
        return self.sheet.used.definitions() + self.ground.patterns()

    def _hits(self, placed: Iterable[Placed]) -> str:
        """Areas, over them the panels, over those circles where an area is small."""
        shapes, frame = self.sheet.shapes, self.sheet.frame
        least = TOUCH * self.sheet.pixel
        fields = [svg.el("path", d=shapes.outlines[space.id], data_at=space.id) for space in self.sheet.picture.spaces]
        for one in placed:
            x, y, width, height = one.box
            fields.append(svg.el("rect", x=x - width / 2, y=y - height / 2, width=width, height=height, data_at=one.space.id))
        for space in self.sheet.picture.spaces:
            (x, y), (left, top, right, bottom) = shapes.anchors[space.id], shapes.bounds[space.id]
            if min(right - left, bottom - top) < least and frame.holds(x, y):
                fields.append(svg.el("circle", cx=x, cy=y, r=least / 2, data_at=space.id))
        return svg.el("g", "".join(fields), fill="none", pointer_events="all")
