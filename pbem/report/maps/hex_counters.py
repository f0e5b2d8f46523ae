"""Counters of a hex map: how they are laid out in their hex, and what stands on them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import accumulate
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.hex_picture import Change, Piece, Place
from pbem.report.maps import svg, tokens
from pbem.report.maps.hex_land import HALF
from pbem.report.maps.hex_sheet import Sheet
from pbem.report.maps.kept import Kept
from pbem.report.maps.themes import Theme, ink_on, mix

TILE = (30.0, 24.0)
BESIDE = 10.5  # from the middle of a hex number to what stands beside it
SHORT_ROOM, SHORT_SIZE = 16.5, 8.0  # of the few letters of a name on a counter: how wide, how high at most
REDUCED = Piece("", "", "", "", 9, 12, "", True)  # for the legend
UNSUPPLIED = replace(REDUCED, marks=("unsupplied",))


class Room(Struct, frozen=True):
    """Where things stand in a hex, from its middle: the middle of the counters, how high they are, the upper side of signs."""

    middle: float
    height: float
    signs: float


BARE = Room(-1.0, 45.0, HALF - 13.5)
NAMED = Room(-8.0, 36.0, HALF - 23.5)  # the name stands below the signs


class Grid:
    """Counters of one hex in rows, `high` together; `tiles`: the pieces that each of them stands for."""

    def __init__(self, tiles: Sequence[Sequence[Piece]], high: float = BARE.height) -> None:
        self.tiles = tiles
        self.columns = 1 if len(tiles) == 1 else 2 if len(tiles) <= 4 else 3
        self.rows = -(-len(tiles) // self.columns)
        self.size = min(62 / (self.columns * TILE[0]), high / (self.rows * (TILE[1] + 1.5)), 1.25)
        self.cell = (TILE[0] + 1.5) * self.size, (TILE[1] + 1.5) * self.size

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of them all."""
        return self.columns * self.cell[0], self.rows * self.cell[1]


class Counters:
    """The counters of one map."""

    def __init__(self, sheet: Sheet, kept: Kept) -> None:
        self.sheet, self.kept = sheet, kept

    def room(self, h: int) -> Room:
        """Where things stand in a hex."""
        return NAMED if self.sheet.at.cells[h].name else BARE

    def stacks(self) -> list[str]:
        """Everything that stands on the board, hex by hex."""
        found = []
        for h in self.sheet.shown:
            place = self.sheet.places.get(h)
            if place and (place.pieces or place.changes):
                of = (place.pieces, place.changes)
                found.append(self.kept.part(("stack", h), of, self.sheet.used, partial(self._standing, h, place)))
        return svg.group(found)

    def _standing(self, h: int, place: Place) -> str:
        """The counters of a hex, and what it has gained and lost."""
        x, y = self.sheet.at.middles[h]
        parts = []
        if place.pieces:
            parts.append(svg.moved(self.stack(h, place.pieces), x, y + self.room(h).middle, **self._said(data_at=str(h))))
        if self.sheet.look.changes:
            parts += [svg.moved(pill, x, y) for pill in self._changes(place)]
        return "".join(parts)

    def stack(self, h: int, pieces: Sequence[Piece]) -> str:
        """Counters around (0, 0): all of them where there is room, else one for each group of an owner."""
        grid = self.grid(h, pieces)
        wide, high = grid.cell
        parts = []
        for i, several in enumerate(grid.tiles):
            row, column = divmod(i, grid.columns)
            inside = min(grid.columns, len(grid.tiles) - row * grid.columns)
            parts.append(self.placed(several, (column - inside / 2) * wide, (row - grid.rows / 2) * high, grid.size))
        return "".join(parts)

    def grid(self, h: int, pieces: Sequence[Piece]) -> Grid:
        """How the counters of a hex are laid out."""
        few = len(pieces) <= (9 if self.sheet.centre else 2)
        return Grid([[piece] for piece in pieces] if few else grouped(pieces), self.room(h).height)

    def placed(self, pieces: Sequence[Piece], x: float, y: float, scale: float) -> str:
        """A counter at its place; whoever points at it reads the names of its pieces."""
        names = svg.el("title", "; ".join(svg.plain(f"{p.name} {strengths(p)}") for p in pieces))
        return svg.moved(names + self.tile(pieces), x, y, scale, **self._said(data_unit="|".join(p.name for p in pieces)))

    def _said(self, **attributes: svg.Value) -> dict[str, Any]:
        return attributes if self.sheet.live else {}

    def _changes(self, place: Place) -> list[str]:
        """What owners gained and lost in a hex: below its number where nothing stands; else beside the number, the first
        owner left of it, the others right, so that no counter of the next hex is hidden."""
        pills = [self._change(change) for change in place.changes]
        rights = list(accumulate(pill.width + 1 for pill in pills))
        if not place.pieces:
            ways = [right - pill.width - (rights[-1] - 1) / 2 - 1 for pill, right in zip(pills, rights, strict=True)]
            return [svg.moved(pill.markup, at, 11 - HALF) for pill, at in zip(pills, ways, strict=True)]
        lefts = [-BESIDE - pills[0].width, *(BESIDE + right - rights[0] for right in rights[:-1])] if pills else []
        return [svg.moved(pill.markup, at, -HALF) for pill, at in zip(pills, lefts, strict=True)]

    def _change(self, change: Change) -> tokens.Token:
        owner = self.sheet.style.owner(change.owner)
        gone = f"−{change.gone}" if change.gone else ""
        said = f"{owner.letter} " + (f"+{change.came}" if change.came else "") + gone
        return tokens.pill(said, owner, 7.0, self.sheet.theme)

    def tile(self, pieces: Sequence[Piece]) -> str:
        """One counter from (0, 0): silhouette, strengths; several as a pile with their number and the sum of attacks."""
        first, theme = pieces[0], self.sheet.theme
        owner = self.sheet.style.owner(first.owner)
        ink, (wide, high) = ink_on(owner.colour), TILE
        parts = []
        if len(pieces) > 1:
            parts.append(_card(2.4, -2.4, mix(owner.colour, theme.ink, 0.75), theme))
        parts.append(_card(0, 0, owner.colour, theme))
        if any(piece.reduced for piece in pieces):
            parts.append(
                svg.el("path", d=f"M1 {svg.number(high - 9.5)}H{wide - 1}V{high - 1.5}H1z", fill="#ffffff", fill_opacity=0.6)
            )
        shape = svg.el("use", href=self.sheet.used.unit(first.type), fill=ink)
        many = len(pieces) > 9
        small = many or (len(pieces) == 1 and first.short)
        parts.append(svg.moved(shape, 1.6, 3.2 if small else 2.2, 0.38 if small else 0.52))
        if len(pieces) > 1:
            size = 6.8 if many else 8.5
            parts.append(svg.text(f"×{len(pieces)}", wide - 1.5, 10.5, size, fill=ink, text_anchor="end", font_weight="bold"))
        said = f"{sum(p.attack for p in pieces)}" if len(pieces) > 1 else strengths(first)
        dark = "#000000" if any(piece.reduced for piece in pieces) else ink
        parts.append(svg.text(said, wide / 2, high - 2.6, 10, fill=dark, text_anchor="middle", font_weight="bold"))
        if len(pieces) == 1 and first.short:
            size = min(SHORT_SIZE, SHORT_ROOM / svg.breadth(first.short, 1))
            parts.append(svg.text(first.short, wide - 1.4, 7.4 + size * 0.36, size, fill=ink, text_anchor="end"))
        if any("unsupplied" in piece.marks for piece in pieces):
            parts.append(svg.el("circle", cx=wide - 1, cy=1, r=4.6, fill=theme.alarm, stroke="#ffffff", stroke_width=1))
            parts.append(svg.text("!", wide - 1, 4, 8.5, fill="#ffffff", text_anchor="middle", font_weight="bold"))
        return "".join(parts)


def strengths(piece: Piece) -> str:
    """What a counter shows."""
    return piece.said or f"{piece.attack}-{piece.defense}"


def grouped(pieces: Iterable[Piece]) -> list[list[Piece]]:
    """Pieces of the same owner and group together, strongest first."""
    found: dict[tuple[str, str], list[Piece]] = {}
    for piece in pieces:
        found.setdefault((piece.owner, piece.group), []).append(piece)
    return [sorted(group, key=lambda p: -p.attack) for group in found.values()]


def _card(x: float, y: float, colour: str, theme: Theme) -> str:
    return svg.el("rect", x=x, y=y, width=TILE[0], height=TILE[1], rx=2.5, fill=colour, stroke=theme.ink, stroke_width=0.9)
