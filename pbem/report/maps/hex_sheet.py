"""What all parts of one hex map on its way to SVG share: board, position, looks, frame. Everything is in board units."""

from __future__ import annotations

from pbem.games import Module
from pbem.kernel.hex_picture import HexPicture
from pbem.kernel.wording import msg
from pbem.report.maps import look as looks
from pbem.report.maps.hex_land import HALF, RADIUS, Layout, layout
from pbem.report.maps.look import NARROW, Frame, Look, found
from pbem.report.maps.style import Style, style
from pbem.report.maps.tokens import Shapes

WIDTHS = (1200, 3600)  # pixels of a whole map when the reader asks for nothing else: a pixel for each board unit, within these
NEAR = 1000  # pixels of a section
REACH = 4  # hexes around a chosen one
BURST = "M0-22 5-9 17-16 11-4 23 0 11 5 17 17 5 10 0 23-5 10-17 17-11 5-23 0-11-4-17-16-5-9z"


def known(picture: HexPicture, said: str) -> int:
    """The number of a hex from its number or name. Raises ProtocolError."""
    names: dict[str, str] = {}
    for cell in picture.map.cells:
        for spelling in (cell.number, str(cell.id), cell.name, f"{cell.name}{cell.number}", *cell.name.split("/")):
            names.setdefault(looks.squeezed(spelling), str(cell.id))
    named = [cell.name for cell in picture.map.cells if cell.name]
    return int(found(names, said, named, msg("there is no hex {name!r} on the map", name=said)))


class Sheet:
    """One map: `shown` are the hexes that it shows, `centre` the one around which it is drawn, 0: the whole board.

    `live`: counters say what they are, for a page on which they are clicked.
    """

    def __init__(self, game: Module, picture: HexPicture, look: Look, *, live: bool = False) -> None:
        self.game, self.picture, self.look, self.live = game, picture, look, live
        self.theme = look.theme
        self.style: Style = style(game).told(look.speak)
        self.at: Layout = layout(picture.map)
        self.used = Shapes(self.style, f"{look.prefix}h")
        self.places = {place.id: place for place in picture.spaces}
        self.centre = known(picture, look.around) if look.around else 0
        self.frame = self._frame()
        self.width = look.width or (NEAR if self.centre else round(min(max(WIDTHS[0], self.frame.width), WIDTHS[1])))
        self.narrow = not self.centre and self.width < NARROW
        self.scale = self.frame.width / self.width  # board units per pixel
        self.large = 1.0 if self.centre else min(1.25, max(0.75, self.width / 1920))  # words beside the board
        self.close = self.scale < 0.8  # near enough for single counters and hex numbers everywhere
        self.shown = [h for h, (x, y) in self.at.middles.items() if self.shows(x, y)]

    def shows(self, x: float, y: float) -> bool:
        """Is the hex with its middle there in the frame, at least in part?"""
        return self.frame.holds(x, y, (RADIUS - 0.01, HALF - 0.01))

    def pattern(self, number: int) -> str:
        """The id of the hatching of a party's neutralised zones."""
        return f"{self.look.prefix}hzone{number}"

    def _frame(self) -> Frame:
        if not self.centre:
            return Frame(0, 0, self.at.width, self.at.height)
        x, y = self.at.middles[self.centre]
        wide, high = (REACH * 1.5 + 1) * 2 * RADIUS, (2 * REACH + 1) * 2 * HALF * 0.8
        wide, high = min(wide, self.at.width), min(high, self.at.height)
        left = min(max(0.0, x - wide / 2), self.at.width - wide)
        top = min(max(0.0, y - high / 2), self.at.height - high)
        return Frame(left, top, wide, high)
