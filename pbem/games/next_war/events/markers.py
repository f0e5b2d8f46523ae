"""Control, and the markers on the map: Clearing, Beachheads, mines."""

from __future__ import annotations

from msgspec import Struct

from pbem.games.next_war.state import FOE, Beachhead, Clearing, Mines, State


class ControlTaken(Struct, frozen=True):
    """[8.4] A hex changes hands; a captured fortification or DMZ hex is none any more."""

    place: int
    side: str
    rule: str

    def apply(self, g: State) -> None:
        g.control[self.place] = self.side
        fort = g.board.hexes[self.place].fort
        lost = (fort and g.p["countries"].get(fort) != self.side) or g.in_dmz(self.place, FOE[self.side])
        if lost and self.place not in g.fallen:
            g.fallen.append(self.place)
        g.memo.forget()


class MarkerDrawn(Struct, frozen=True):
    """[8.4.1] A Clearing marker is put on a hex, face down; its number is drawn when it is turned up."""

    place: int
    side: str
    rule: str = "8.4.1"

    def apply(self, g: State) -> None:
        g.clearing[self.place] = Clearing(self.side)
        g.memo.forget()


class MarkerTurned(Struct, frozen=True):
    """[8.4.1.2] A Clearing marker is turned up."""

    place: int
    number: int
    rule: str = "8.4.1.2"

    def apply(self, g: State) -> None:
        g.clearing[self.place].number = self.number


class MarkerGone(Struct, frozen=True):
    """[8.4.1.3] A Clearing marker is taken off."""

    place: int
    rule: str

    def apply(self, g: State) -> None:
        g.clearing.pop(self.place, None)
        g.cleared.append(self.place)
        g.memo.forget()


class BeachheadPlaced(Struct, frozen=True):
    """[8.5.8.2] A Beachhead marker."""

    place: int
    side: str
    steps: int
    rule: str

    def apply(self, g: State) -> None:
        g.beachheads[self.place] = Beachhead(self.side, self.steps, g.moment)
        g.memo.forget()


class BeachheadGone(Struct, frozen=True):
    """[8.5.8.2.1] A Beachhead is taken off and comes back after two turns; helicopters based there are overrun (6.5.1.2)."""

    place: int
    rule: str

    def apply(self, g: State) -> None:
        marker = g.beachheads.pop(self.place)
        for helo in g.here(marker.side, self.place, "helo"):
            g.overrun[helo] = g.turn
        g.beachheads_out.append(10 * (g.turn + 3) + int(marker.side == "non-allied"))
        g.memo.forget()


class BeachheadHit(Struct, frozen=True):
    """[8.5.8.4] A Beachhead takes a step loss."""

    place: int
    rule: str

    def apply(self, g: State) -> None:
        g.beachheads[self.place].steps -= 1
        g.memo.forget()


class MinesSet(Struct, frozen=True):
    """[7.5] Density of the mines in a hex; 0 takes the marker away."""

    place: int
    side: str
    density: int
    rule: str
    layer: str = ""

    def apply(self, g: State) -> None:
        if self.density:
            g.mines[self.place] = Mines(self.side, self.density, self.layer)
        else:
            g.mines.pop(self.place, None)
        g.memo.forget()
