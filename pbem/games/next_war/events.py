"""What can happen in a game of the Next War series. Every change of the state is one of these."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pbem.games.next_war.state import Beachhead, Clearing, Fight, Mines, Piece, State
from pbem.kernel.wording import Message


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """[3.0] A phase of a game turn."""

    turn: int
    phase: str
    rule: str = "3.0"

    def apply(self, g: State) -> None:
        g.turn, g.phase, g.segment = self.turn, self.phase, ""
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class SegmentBegan:
    """[3.0] A movement or combat segment of one side."""

    segment: str  # movement or combat
    kind: str  # initiative, elite, exploitation, reaction, first, second
    side: str
    rule: str = "3.0"

    def apply(self, g: State) -> None:
        g.segment = self.segment
        g.flown, g.attacked, g.fought, g.fired, g.refugees = [], [], [], [], {}
        if self.segment == "movement":
            g.moved, g.shared_lift = [], {}
            g.moment += 1
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class Thrown:
    """A die was thrown: what for, what it showed, its modifier, what came of it. Changes nothing."""

    label: Message
    die: int
    drm: int
    outcome: str  # a word of the rules, or what the table prints
    rule: str
    number: int | None = None  # where the outcome is a number, or so many of something

    def apply(self, g: State) -> None:
        pass


@dataclass(frozen=True, slots=True)
class CombatThrown:
    """[9.2.6] The die of a combat: odds and column it was thrown at, its modifiers, what the table prints. Changes nothing."""

    label: Message
    die: int
    drm: int
    outcome: str
    ratio: str
    column: int
    rule: str = "9.7"

    def apply(self, g: State) -> None:
        pass


@dataclass(frozen=True, slots=True)
class Moved:
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
        g.memo.forget()
        g.marches[g.seat(self.units[0])] += 1


@dataclass(frozen=True, slots=True)
class Placed:
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
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class Sailed:
    """[8.5.6.4] A naval unit moves; what is aboard goes with it."""

    unit: str
    at: int
    box: str
    rule: str

    def apply(self, g: State) -> None:
        for unit in (self.unit, *g.cargo(self.unit)):
            piece = g.pieces[unit]
            piece.at, piece.box = self.at, self.box
        g.memo.forget()
        g.marches[g.seat(self.unit)] += 1


@dataclass(frozen=True, slots=True)
class StepLost:
    """[9.7.1] A unit flips to its reduced side."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.pieces[self.unit].reduced = True
        _count(g, self.unit)
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class Eliminated:
    """A unit is destroyed, with all that is aboard; `box` is `eliminated`, or `removed` when it can never come back."""

    unit: str
    box: str
    rule: str

    def apply(self, g: State) -> None:
        _count(g, self.unit)
        for unit in (self.unit, *g.cargo(self.unit)):
            g.pieces[unit] = Piece(0, self.box, False)
            g.poised.pop(unit, None)
        g.memo.forget()


def _count(g: State, unit: str) -> None:
    if g.fight is not None:
        g.fight.lost[unit] = g.fight.lost.get(unit, 0) + 1


@dataclass(frozen=True, slots=True)
class Restored:
    """[11.1] A unit recovers a step."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.pieces[self.unit].reduced = False
        g.restored.append(self.unit)
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class ControlTaken:
    """[8.4] A hex changes hands; a captured fortification is gone for good."""

    place: int
    side: str
    rule: str

    def apply(self, g: State) -> None:
        g.control[self.place] = self.side
        fort = g.board.hexes[self.place].fort
        if fort and g.p["countries"].get(fort) != self.side and self.place not in g.fallen:
            g.fallen.append(self.place)
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class MarkerDrawn:
    """[8.4.1] A Clearing marker is put on a hex, face down; its number is drawn when it is turned up."""

    place: int
    side: str
    rule: str = "8.4.1"

    def apply(self, g: State) -> None:
        g.clearing[self.place] = Clearing(self.side)
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class MarkerTurned:
    """[8.4.1.2] A Clearing marker is turned up."""

    place: int
    number: int
    rule: str = "8.4.1.2"

    def apply(self, g: State) -> None:
        g.clearing[self.place].number = self.number


@dataclass(frozen=True, slots=True)
class MarkerGone:
    """[8.4.1.3] A Clearing marker is taken off."""

    place: int
    rule: str

    def apply(self, g: State) -> None:
        g.clearing.pop(self.place, None)
        g.cleared.append(self.place)
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class BeachheadPlaced:
    """[8.5.8.2] A Beachhead marker."""

    place: int
    side: str
    steps: int
    rule: str

    def apply(self, g: State) -> None:
        g.beachheads[self.place] = Beachhead(self.side, self.steps, g.moment)
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class BeachheadGone:
    """[8.5.8.2.1] A Beachhead is taken off and comes back after two turns; helicopters based there are overrun (6.5.1.2)."""

    place: int
    rule: str

    def apply(self, g: State) -> None:
        marker = g.beachheads.pop(self.place)
        for helo in g.here(marker.side, self.place, "helo"):
            g.overrun[helo] = g.turn
        g.beachheads_out.append(10 * (g.turn + 3) + int(marker.side == "non-allied"))
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class BeachheadHit:
    """[8.5.8.4] A Beachhead takes a step loss."""

    place: int
    rule: str

    def apply(self, g: State) -> None:
        g.beachheads[self.place].steps -= 1
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class MinesSet:
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


@dataclass(frozen=True, slots=True)
class Scored:
    """[12.1] Victory Points of this turn."""

    side: str
    points: int
    why: Message
    rule: str

    def apply(self, g: State) -> None:
        g.vp_turn[self.side] += self.points


@dataclass(frozen=True, slots=True)
class AttackDeclared:
    """[9.2.1] A combat begins."""

    fight: Fight
    rule: str = "9.2.1"

    def apply(self, g: State) -> None:
        g.fight = replace(self.fight, lost=dict(self.fight.lost))
        g.attacked.append(self.fight.target)
        g.fought += self.fight.units


@dataclass(frozen=True, slots=True)
class DefendersPresent:
    """[9.1] Ground units of the defender in the hex."""

    units: tuple[str, ...]
    rule: str = "9.1"

    def apply(self, g: State) -> None:
        _fight(g).present = list(self.units)


@dataclass(frozen=True, slots=True)
class Defended:
    """[8.1.1.1] [9.8.6] Those of them that fight."""

    units: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        _fight(g).defenders = list(self.units)


@dataclass(frozen=True, slots=True)
class DefenseLed:
    """[9.2.3] The lead unit of the defense."""

    unit: str
    rule: str = "9.2.3"

    def apply(self, g: State) -> None:
        _fight(g).defender_lead = self.unit


@dataclass(frozen=True, slots=True)
class ColumnFound:
    """[9.2.3] The column of the results table, shifts included."""

    column: int
    rule: str = "9.2.3"

    def apply(self, g: State) -> None:
        _fight(g).column = self.column


@dataclass(frozen=True, slots=True)
class AirSupportNamed:
    """[6.2.1] Air Points in support of a side."""

    side: str
    points: int
    rule: str = "6.2.1"

    def apply(self, g: State) -> None:
        _fight(g).points = {**_fight(g).points, self.side: self.points}


@dataclass(frozen=True, slots=True)
class HelicopterSupportNamed:
    """[6.5.3] Helicopters in support of a side."""

    side: str
    helos: tuple[str, ...]
    rule: str = "6.5.3"

    def apply(self, g: State) -> None:
        _fight(g).helos = {**_fight(g).helos, self.side: list(self.helos)}


@dataclass(frozen=True, slots=True)
class NavalSupportNamed:
    """[7.3] Ships in support of a side."""

    side: str
    ships: tuple[str, ...]
    rule: str = "7.3"

    def apply(self, g: State) -> None:
        _fight(g).ships = {**_fight(g).ships, self.side: list(self.ships)}


@dataclass(frozen=True, slots=True)
class SupportLeft:
    """[9.6.1] Points of Combat Support of a side after Air Defense Fire."""

    side: str
    points: int
    rule: str = "9.6.1"

    def apply(self, g: State) -> None:
        _fight(g).support = {**_fight(g).support, self.side: self.points}


@dataclass(frozen=True, slots=True)
class MustRetreat:
    """[9.8.1] [9.9.1] Hexes that the defender retreats."""

    hexes: int
    rule: str

    def apply(self, g: State) -> None:
        _fight(g).retreated = self.hexes


def _fight(g: State) -> Fight:
    assert g.fight is not None
    return g.fight


@dataclass(frozen=True, slots=True)
class FightOver:
    """[9.2] The combat has been resolved."""

    rule: str = "9.2"

    def apply(self, g: State) -> None:
        g.fight = None


@dataclass(frozen=True, slots=True)
class Won:
    """[12.0] The game is over; no winner is a draw."""

    winner: str
    level: str
    reason: Message
    rule: str

    def apply(self, g: State) -> None:
        g.winner, g.level, g.win_reason, g.win_rule = self.winner or "nobody", self.level, str(self.reason), self.rule
