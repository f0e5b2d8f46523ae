"""[6.5] [8.0] [11.0] Counters and hexes: where a unit is put, what it loses and regains, who holds a hex."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pbem.games.empire_of_the_sun.state import Piece, State


class Placed(Struct, frozen=True):
    """A counter is put somewhere: on the map, or into a box; `reduced` None leaves its side as it is."""

    unit: str
    at: int
    box: str
    rule: str
    reduced: bool | None = None
    due: int = 0
    undelayable: bool = False

    def apply(self, g: State) -> None:
        piece = g.pieces[self.unit]
        turned = piece.reduced if self.reduced is None else self.reduced
        g.pieces[self.unit] = Piece(self.at, self.box, turned, self.due, self.undelayable, piece.bombed, piece.rebuilt)
        g.changed(self.unit)


class Returned(Struct, frozen=True):
    """[9.6] A unit moves after the battles."""

    unit: str
    path: tuple[int, ...]
    rule: str

    def apply(self, g: State) -> None:
        g.pieces[self.unit] = replace(g.pieces[self.unit], at=self.path[-1], box="map")
        g.changed(self.unit)


class StepLost(Struct, frozen=True):
    """A unit flips to its reduced side."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.pieces[self.unit] = replace(g.pieces[self.unit], reduced=True)
        _count(g, self.unit)


class Eliminated(Struct, frozen=True):
    """A unit is destroyed; `box` is `eliminated`, or `removed` when it can never come back."""

    unit: str
    box: str
    rule: str

    def apply(self, g: State) -> None:
        _count(g, self.unit)
        g.pieces[self.unit] = Piece(0, self.box, False, 0, False, g.pieces[self.unit].bombed, g.turn)
        g.changed(self.unit)


def _count(g: State, unit: str) -> None:
    if g.fight is not None:
        g.fight.losses[unit] = g.fight.losses.get(unit, 0) + 1


class Recovered(Struct, frozen=True):
    """A unit regains a step, or comes back onto the map."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.pieces[self.unit] = replace(g.pieces[self.unit], reduced=False)


class Rebuilt(Struct, frozen=True):
    """[11.0] An eliminated unit comes back onto the map by replacements."""

    unit: str
    at: int
    reduced: bool
    rule: str

    def apply(self, g: State) -> None:
        piece = g.pieces[self.unit]
        g.pieces[self.unit] = replace(piece, at=self.at, box="map", reduced=self.reduced, due=0, rebuilt=g.turn)
        g.changed(self.unit)


class Controlled(Struct, frozen=True):
    """[6.5] A hex passes to a side."""

    hex: int
    side: str
    rule: str

    def apply(self, g: State) -> None:
        g.control[self.hex] = self.side
        northern = g.board.hexes[self.hex].region == "NIndia"
        if northern and self.side == "allies" and "india" not in g.surrendered:
            if g.second:
                g.india = 0  # [13.62] at once
            elif g.india:
                g.northern_regained = True
        if g.express == self.hex and self.side == "allies":
            g.express = 0  # [6.23]
        if self.side == "allies" and g.board.hexes[self.hex].city == "homeland" and self.hex not in g.militia_gone:
            g.militia_gone.append(self.hex)  # [13.94]
        g.changed(control=True)
