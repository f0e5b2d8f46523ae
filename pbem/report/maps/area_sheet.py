"""What all parts of one area map on its way to SVG share: board, position, looks, frame. Everything is in board units."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from pbem.kernel.picture import Picture
from pbem.kernel.wording import msg
from pbem.report.maps.areas import Areas
from pbem.report.maps.kept import Kept, Part
from pbem.report.maps.look import NARROW, Frame, Look, found, squeezed
from pbem.report.maps.style import Style
from pbem.report.maps.themes import mix
from pbem.report.maps.tokens import Shapes

WIDTH = 1000  # pixels when the reader asks for nothing else
TITLE, TITLE_PIXELS = 36.0, 14.0  # size of the title, and on the picture at least
BURST = "M0-22 5-9 17-16 11-4 23 0 11 5 17 17 5 10 0 23-5 10-17 17-11 5-23 0-11-4-17-16-5-9z"


def known(picture: Picture, said: str) -> str:
    """The id of a space from its id or its name."""
    names = {squeezed(name): space.id for space in picture.spaces for name in (space.id, space.name)}
    nothing = msg("there is no space {name!r} on the map", name=said)
    return found(names, said, [space.name for space in picture.spaces], nothing)


class Sheet:
    """One map: `region` is the space around which it is drawn and what lies beside it; `overview`: too narrow for single units.

    `live`: counters say what they are, for a page on which they are clicked. `kept`: of the picture before, of the same board
    and look. Raises ProtocolError for unknown spaces.
    """

    def __init__(self, shapes: Areas, looks: Style, picture: Picture, look: Look, *, live: bool, kept: Kept) -> None:
        self.shapes, self.picture, self.live, self.kept, self.theme = shapes, picture, live, kept, look.theme
        self.style = looks.told(look.speak)
        self.look = replace(look, width=look.width or WIDTH, around=known(picture, look.around) if look.around else "")
        self.overview = self.look.width < NARROW and not look.around
        self.used = Shapes(self.style, f"{look.prefix}m")
        self.region = {self.look.around, *shapes.neighbours.get(self.look.around, ())}
        self.frame = self._frame()
        smallest = TITLE_PIXELS / TITLE * self.frame.width / self.look.width
        self.scale = max(self.frame.width / shapes.width, smallest)  # of title and legend, in board units

    @property
    def pixel(self) -> float:
        """Board units of a pixel."""
        return self.frame.width / self.look.width

    def part(self, name: object, of: object, draw: Callable[[], Part]) -> Part:
        """The part of that name: as in the picture before where it is drawn from the same, `of`, else drawn."""
        return self.kept.part(name, of, self.used, draw)

    @property
    def before(self) -> Sequence[str]:
        """Who held spaces that were taken, each once."""
        return sorted({space.taken_from for space in self.picture.spaces if space.taken_from})

    def tone(self, owner: str) -> str:
        """The colour of an owner's land."""
        if not owner:
            return mix(self.theme.border, self.theme.paper, 0.3)
        return mix(self.style.owner(owner).colour, self.theme.paper, self.theme.tone)

    def pattern(self, owner: str) -> str:
        """The id of the hatching of what was taken from an owner."""
        return f"{self.look.prefix}mtaken-{self.before.index(owner) + 1}"

    def _frame(self) -> Frame:
        width, height = self.shapes.width, self.shapes.height
        if not self.look.around:
            return Frame(0, 0, width, height)
        boxes = [self.shapes.boxes[name] for name in sorted(self.region)]
        low_x, high_x = min(b[0] - b[2] / 2 for b in boxes) - 50, max(b[0] + b[2] / 2 for b in boxes) + 50
        low_y, high_y = min(b[1] - b[3] / 2 for b in boxes) - 50, max(b[1] + b[3] / 2 for b in boxes) + 50
        wide = max(high_x - low_x, 1.1 * (high_y - low_y), 520)
        high = max(high_y - low_y, 0.6 * wide)
        wide, high = min(wide, width), min(high, height)
        x = min(max(0, (low_x + high_x - wide) / 2), width - wide)
        y = min(max(0, (low_y + high_y - high) / 2), height - high)
        return Frame(x, y, wide, high)
