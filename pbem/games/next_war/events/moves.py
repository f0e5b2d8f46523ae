"""Units and ships go from hex to hex, box to box; bridges and ferries."""

from __future__ import annotations

from msgspec import Struct

from pbem.games.next_war.state import State


class Moved(Struct, frozen=True):
    """Units go along a path of hexes, start and end included, or from one place to another; they are done for the segment."""

    units: tuple[str, ...]
    path: tuple[int, ...]
    mode: str
    rule: str
    spent: int = 0  # sixths of a movement point

    def apply(self, g: State) -> None:
        for unit in self.units:
            piece = g.pieces[unit]
            piece.at, piece.box, piece.aboard = self.path[-1], "", ""
        g.moved += [u for u in self.units if u not in g.moved]
        g.displaced(*self.units)


class Placed(Struct, frozen=True):
    """A counter is put into a hex, a box or aboard a ship; `reduced` None leaves its side as it is."""

    unit: str
    at: int
    box: str
    rule: str
    aboard: str = ""
    reduced: bool | None = None
    due: int = 0

    def apply(self, g: State) -> None:
        piece = g.pieces[self.unit]
        piece.at, piece.box, piece.aboard, piece.due = self.at, self.box, self.aboard, self.due
        if self.reduced is not None:
            piece.reduced = self.reduced
        g.displaced(self.unit)


class Sailed(Struct, frozen=True):
    """[8.5.6.4] A naval unit moves; what is aboard goes with it."""

    unit: str
    at: int
    box: str
    rule: str

    def apply(self, g: State) -> None:
        for unit in (self.unit, *g.cargo(self.unit)):
            piece = g.pieces[unit]
            piece.at, piece.box = self.at, self.box
        g.changed(g.seat(self.unit))


class Landed(Struct, frozen=True):
    """[8.5.3] [8.5.4] [9.9.4] A unit came this way in this turn; it waits before no beach any more."""

    unit: str
    how: str
    rule: str

    def apply(self, g: State) -> None:
        g.poised.pop(self.unit, None)
        g.landed[self.unit] = self.how


class HexEntered(Struct, frozen=True):
    """[8.4] [8.3.1.10] Who went into a hex, or beside it, last in this turn."""

    place: int
    side: str
    rule: str

    def apply(self, g: State) -> None:
        g.entered[self.place] = self.side


class FerryLost(Struct, frozen=True):
    """[8.3.1.8] A ferry is gone."""

    key: int
    rule: str = "8.3.1.8"

    def apply(self, g: State) -> None:
        g.ferries_lost.append(self.key)


class BridgeChanged(Struct, frozen=True):
    """A bridge is down, or stands again."""

    key: int
    down: bool
    rule: str = "SOP"

    def apply(self, g: State) -> None:
        left = [key for key in g.bridges_down if key != self.key]
        g.bridges_down = [*left, self.key] if self.down else left
        g.memo.forget()


class Fled(Struct, frozen=True):
    """[9.8.6] A unit has retreated into a hex in this segment."""

    unit: str
    place: int
    rule: str = "9.8.6"

    def apply(self, g: State) -> None:
        g.refugees[self.unit] = self.place
        g.memo.forget()
