"""Hex maps as SVG: the whole theatre, or what lies around one hex, with boxes and tracks beside the board. Knows no game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache, partial

from pbem.games import Module
from pbem.kernel.hex_picture import HexPicture, Piece, Place
from pbem.report.maps import paper, svg
from pbem.report.maps.hex_beside import Beside
from pbem.report.maps.hex_counters import Counters
from pbem.report.maps.hex_land import HALF, Layout, ground, lines
from pbem.report.maps.hex_marks import Marks
from pbem.report.maps.hex_names import COUNTERS, LAND, NUMBER, Area, Label, area, labels
from pbem.report.maps.hex_sheet import Sheet
from pbem.report.maps.kept import Kept
from pbem.report.maps.look import Frame, Look
from pbem.report.maps.page import page
from pbem.report.maps.pins import pins
from pbem.report.maps.themes import ink_on

NUMBER_SIZE, SIGN_WIDTH = 7.5, 13.0


class Drawing:
    """One map on its way to SVG. Everything is in board units, which the picture's viewBox scales.

    `other`: another position on the same map; names stand where they hide the counters of neither. `live`: see Sheet.
    `kept`: of the picture before, of the same game and look. Raises ProtocolError for a hex that is not on the map.
    """

    def __init__(
        self, game: Module, picture: HexPicture, look: Look, other: HexPicture | None = None, *, live: bool = False,
        kept: Kept | None = None,
    ) -> None:  # fmt: skip
        self.kept = kept or Kept()
        self.sheet = Sheet(game, picture, look, live=live)
        self.others = {place.id: place for place in other.spaces} if other else {}
        self.counters = Counters(self.sheet, self.kept)
        self.marks = Marks(self.sheet)
        self.beside = Beside(self.sheet, self.counters)

    @property
    def frame(self) -> Frame:
        """The part of the board that is drawn."""
        return self.sheet.frame

    @property
    def sheets(self) -> list[Frame]:
        """What each sheet of paper shows, where one is too small for the names."""
        return paper.parts(self.frame, self._name_size)

    @property
    def pixel(self) -> float:
        """Board units of a pixel."""
        return self.sheet.scale

    def whole(self, title: str) -> str:
        """The picture with title, boxes and legend."""
        return "".join(self.pieces(title))

    def pieces(self, title: str) -> list[str]:
        """The whole picture in pieces, most of which are those of the picture before."""
        sheet, beside = self.sheet, self.beside
        board = [piece for layer in self._layers().values() for piece in layer]
        if sheet.look.board:
            board = svg.group(board, id=sheet.look.board)
        scale = sheet.scale * sheet.large
        return page(
            title, board, beside.heading(title), beside.beside(), sheet.frame, sheet.width, scale, 12 * sheet.scale,
            sheet.theme, self.definitions,
        )  # fmt: skip

    def parts(self) -> dict[str, str]:
        """The board in layers, the lowest first (see layers.ORDER)."""
        return {name: "".join(pieces) for name, pieces in self._layers().items()}

    def _layers(self) -> dict[str, list[str]]:
        sheet, marks = self.sheet, self.marks
        middles = {str(h): at for h, at in sheet.at.middles.items()} if sheet.look.pins else {}
        shown = tuple(sheet.shown)
        drawn = lines(sheet.picture.map, sheet.theme, shown)
        return {
            "base": [ground(sheet.picture.map, sheet.game, sheet.theme, shown)],
            "control": [marks.control(), drawn, marks.zones(), *self._print(), marks.taken(), marks.fought()],
            "glow": [],
            "arrows": [marks.journeys()],
            "stacks": self.counters.stacks(),
            "names": self._names(),
            "pins": [pins(sheet.look.pins, middles, sheet.frame, sheet.scale, sheet.theme)],
            "hits": [self._hits()] if sheet.live else [],
        }

    def definitions(self) -> str:
        """What the parts refer to."""
        hexagon = svg.el("path", id=self._hexagon, d=_around(self.sheet.at.corners)) if self.sheet.live else ""
        return self.sheet.used.definitions() + self.marks.patterns() + hexagon

    # -- for a page on which it is clicked ------------------------------------------------------------------------------------

    @property
    def _hexagon(self) -> str:
        return f"{self.sheet.look.prefix}hhex"

    def _hits(self) -> str:
        return _hits(self.sheet.at, tuple(self.sheet.shown), self._hexagon)

    # -- what is printed ------------------------------------------------------------------------------------------------------

    def _print(self) -> list[str]:
        """Signs of bases on a disc of their holder's colour, and hex numbers."""
        sheet, used = self.sheet, self.sheet.used
        printed = (h for h in sheet.shown if self._numbered or sheet.at.cells[h].signs)
        return svg.group(self.kept.part(("print", h), self._holder(h), used, partial(self._printed, h)) for h in printed)

    def _printed(self, h: int) -> str:
        cell, (x, y) = self.sheet.at.cells[h], self.sheet.at.middles[h]
        signs = self._signs(h, cell.signs, x, y) if cell.signs else ""
        if not self._numbered:
            return signs
        at, ink = self._number_at(h), self.sheet.theme.ink
        return svg.text(cell.number, x, at, NUMBER_SIZE, fill=ink, text_anchor="middle", fill_opacity=0.8) + signs

    def _holder(self, h: int) -> str:
        """Who holds a hex; nothing where nobody does."""
        place = self.sheet.places.get(h)
        return place.owner if place else ""

    @cached_property
    def _numbered(self) -> bool:
        """Is there room for hex numbers everywhere?"""
        sheet = self.sheet
        return bool(sheet.close or sheet.centre or (sheet.style.numbered and sheet.scale < 1.1))

    def _number_at(self, h: int) -> float:
        """The baseline of a hex's number."""
        return self.sheet.at.middles[h][1] - HALF + 8.5

    def _signs(self, h: int, signs: Sequence[str], x: float, y: float) -> str:
        """A row along the lower side of the hex."""
        theme, holder = self.sheet.theme, self._holder(h)
        owner = self.sheet.style.owner(holder) if holder else None
        colour, ink = (owner.colour, ink_on(owner.colour)) if owner else (theme.panel, theme.ink)
        wide, top = SIGN_WIDTH, y + self.counters.room(h).signs
        left = x - wide * len(signs) / 2
        rim: dict[str, svg.Value] = {"fill": colour, "stroke": theme.ink, "stroke_width": 0.8}
        parts = [svg.el("rect", x=left, y=top, width=wide * len(signs), height=12, rx=3, **rim)]
        for i, sign in enumerate(signs):
            use = svg.el("use", href=self.sheet.used.sign(sign), fill=ink)
            parts.append(svg.moved(use, left + i * wide + 0.2, top + 1.3, 0.42))
        return "".join(parts)

    # -- names ----------------------------------------------------------------------------------------------------------------

    def named(self) -> list[Label]:
        """Where the names of places go: into their own hex, over everything, where they hide little."""
        sheet = self.sheet
        inside = (h for h in sheet.shown if sheet.frame.holds(*sheet.at.middles[h]))
        names = {h: sheet.at.cells[h].name.split("/")[0] for h in inside if sheet.at.cells[h].name}
        window = Area(sheet.frame.x, sheet.frame.y, sheet.frame.x + sheet.frame.width, sheet.frame.y + sheet.frame.height)
        taken = self.taken_room()
        at, size = sheet.at.middles, self._name_size
        return self.kept.part("labels", taken, sheet.used, lambda: labels(names, at, size, taken, window))

    @property
    def _name_size(self) -> float:
        return min(12.5, max(8.5, 15 * self.sheet.scale))

    def _names(self) -> list[str]:
        theme = self.sheet.theme
        halo: dict[str, svg.Value] = {"stroke": theme.halo, "stroke_width": 3, "stroke_opacity": 0.8, "paint_order": "stroke"}
        content = (svg.text(one.words, one.x, one.y, one.size) for one in self.named())
        return svg.group(content, fill=theme.ink, text_anchor="middle", font_weight="bold", **halo)

    def taken_room(self) -> list[tuple[int, Area]]:
        """What names should not cover: hex numbers, counters, signs, battles, islands that are not theirs."""
        sheet, found = self.sheet, []
        for h in sheet.shown:
            cell, place = sheet.at.cells[h], sheet.places.get(h)
            x, y = sheet.at.middles[h]
            if self._numbered:
                found.append((h, area(cell.number, x, self._number_at(h), NUMBER_SIZE, NUMBER)))
            if cell.signs:
                half, top = SIGN_WIDTH * len(cell.signs) / 2, y + self.counters.room(h).signs
                found.append((h, Area(x - half, top, x + half, top + 12, COUNTERS)))
            if place and place.fought:
                bx, by = self.marks.burst(h)
                found.append((h, Area(bx - 17, by - 17, bx + 17, by + 17, NUMBER)))
            crowds = [crowd for crowd in self._crowds(h, place) if crowd]
            if crowds:
                wide, high = (max(part) for part in zip(*(self.counters.grid(h, c).extent for c in crowds), strict=True))
                middle = y + self.counters.room(h).middle
                found.append((h, Area(x - wide / 2, middle - high / 2, x + wide / 2, middle + high / 2, COUNTERS)))
            elif sheet.at.is_land(h):
                found.append((h, Area(x - 20, y - 20, x + 20, y + 20, LAND)))
        return found

    def _crowds(self, h: int, place: Place | None) -> Iterable[Sequence[Piece]]:
        """What stands in a hex in this position and in the other one."""
        yield place.pieces if place else ()
        if h in self.others:
            yield self.others[h].pieces


def _around(corners: Iterable[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{svg.number(x)} {svg.number(y)}" for x, y in corners) + "z"


@lru_cache(8)
def _hits(at: Layout, shown: tuple[int, ...], hexagon: str) -> str:
    """Every hex that is shown, transparent: the same for every position."""
    where = ((h, *at.middles[h]) for h in shown)
    uses = "".join(svg.el("use", href=f"#{hexagon}", x=x, y=y, data_at=str(h)) for h, x, y in where)
    return svg.el("g", uses, fill="none", pointer_events="all")
