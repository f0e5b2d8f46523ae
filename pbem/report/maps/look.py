"""What a reader asked a map for, the part of the board that is drawn, and places by name."""

from __future__ import annotations

from msgspec import Struct

from pbem.kernel.orders import nearest
from pbem.kernel.wording import Message, english, linked
from pbem.protocol.outcomes import unreadable
from pbem.report.maps import svg
from pbem.report.maps.areas import Bounds, Box
from pbem.report.maps.style import Speak
from pbem.report.maps.themes import LIGHT, Theme

NARROW = 600  # pixels: below it a whole board has no room for a legend


class Look(Struct, frozen=True):
    """What the reader asked for.

    `width` in pixels, 0: what suits the map; `around`: a space or hex, by number or name; `changes`: units against the
    beginning of the turn; `prefix`: of the ids in the drawing, where several stand on one page; `pins`: his own notes, each
    the id of a space or a hex, and words; `board`: the id of the board in the drawing, where parts of it are shown again.
    """

    theme: Theme = LIGHT
    width: int = 0
    around: str = ""
    changes: bool = False
    speak: Speak = english
    prefix: str = ""
    pins: tuple[tuple[str, str], ...] = ()
    board: str = ""


class Frame(Struct, frozen=True):
    """The part of the board that is drawn, in board units."""

    x: float
    y: float
    width: float
    height: float

    def holds(self, x: float, y: float, margin: tuple[float, float] = (0.0, 0.0)) -> bool:
        """Is this point inside, or no more than a margin beyond?"""
        across = self.x - margin[0] <= x <= self.x + self.width + margin[0]
        return across and self.y - margin[1] <= y <= self.y + self.height + margin[1]

    def meets(self, bounds: Bounds) -> bool:
        """Is anything of a field inside?"""
        left, top, right, bottom = bounds
        return left <= self.x + self.width and right >= self.x and top <= self.y + self.height and bottom >= self.y

    def covers(self, box: Box) -> bool:
        """Is a box wholly inside?"""
        x, y, width, height = box
        across = self.x <= x - width / 2 and x + width / 2 <= self.x + self.width
        return across and self.y <= y - height / 2 and y + height / 2 <= self.y + self.height

    @property
    def view_box(self) -> str:
        """As SVG has it."""
        return " ".join(map(svg.number, (self.x, self.y, self.width, self.height)))


def found(names: dict[str, str], said: str, among: list[str], nothing: Message) -> str:
    """What a name or number stands for, however it is spelled. Raises ProtocolError: `nothing`, and the nearest of `among`."""
    word = squeezed(said)
    if not word or word not in names:
        hint = nearest(said, among)
        raise unreadable(linked("; ", nothing, hint) if hint else nothing)
    return names[word]


def squeezed(name: str) -> str:
    """A name without case, spaces and signs."""
    return "".join(c for c in name.casefold() if c.isalnum())
