"""Turns, phases and segments, what is counted for one of them only, and the end of the game."""

from __future__ import annotations

from msgspec import Struct

from pbem.games.next_war.state import ALLIED, OPPOSED, SIDES, State
from pbem.kernel.wording import Message


class PhaseBegan(Struct, frozen=True):
    """[3.0] A phase of a game turn."""

    turn: int
    phase: str
    rule: str = "3.0"

    def apply(self, g: State) -> None:
        g.turn, g.phase, g.segment = self.turn, self.phase, ""
        g.memo.forget()


class SegmentBegan(Struct, frozen=True):
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


class Scored(Struct, frozen=True):
    """[12.1] Victory Points of this turn."""

    side: str
    points: int
    why: Message
    rule: str

    def apply(self, g: State) -> None:
        g.vp_turn[self.side] += self.points


class Won(Struct, frozen=True):
    """[12.0] The game is over; no winner is a draw."""

    winner: str
    level: str
    reason: Message
    rule: str

    def apply(self, g: State) -> None:
        g.winner, g.level, g.win_reason, g.win_rule = self.winner or "nobody", self.level, str(self.reason), self.rule


class TurnCleared(Struct, frozen=True):
    """[3.0] [8.5.8] What holds for one turn only is forgotten: sea zones, landings, passages, assaults."""

    rule: str = "3.0"

    def apply(self, g: State) -> None:
        g.zones_entered, g.landed, g.unloaded, g.shipped, g.assaulted = {}, {}, {}, {}, []
        g.grounded = []  # who fled while the turn before ended


class WeatherSet(Struct, frozen=True):
    """[4.0] The weather of the turn."""

    weather: str
    rule: str = "4.0"

    def apply(self, g: State) -> None:
        g.weather = self.weather


class TurnOpened(Struct, frozen=True):
    """[5.1] A Contested Turn, or one in which a side has the Initiative. Victory Points of the turn begin at zero."""

    contested: bool
    rule: str = "5.1"

    def apply(self, g: State) -> None:
        g.contested, g.vp_turn = self.contested, {ALLIED: 0, OPPOSED: 0}


class InitiativeHeld(Struct, frozen=True):
    """[5.1] Who has the Initiative."""

    side: str
    rule: str = "5.1"

    def apply(self, g: State) -> None:
        g.first = self.side


class MovementBegan(Struct, frozen=True):
    """[8.2.2] [8.5.8.2] [8.5.7.3] Who stands in enemy zones at the beginning; what a segment may ship begins anew."""

    in_zone: tuple[str, ...]
    rule: str = "8.2.2"

    def apply(self, g: State) -> None:
        g.started_in_zone = list(self.in_zone)
        g.unloaded = {h: n for h, n in g.unloaded.items() if h not in g.beachheads}
        g.shipped = {key: n for key, n in g.shipped.items() if key.startswith("airborne")}


class UnitsDone(Struct, frozen=True):
    """[8.5] These have moved in this segment."""

    units: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        g.moved.extend(self.units)


class UsedUp(Struct, frozen=True):
    """Ships, lifts and bridges that have done their work in this segment."""

    things: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        g.fired.extend(self.things)


class AttacksOpen(Struct, frozen=True):
    """[9.1] Units that may still attack in this segment."""

    units: tuple[str, ...]
    rule: str = "9.1"

    def apply(self, g: State) -> None:
        g.may_attack = list(self.units)


class Reorganized(Struct, frozen=True):
    """[6.5.2] [6.2] Helicopters are ready again, Air Points left over are gone."""

    rule: str = "6.5.2"

    def apply(self, g: State) -> None:
        g.flown, g.missions, g.grounded, g.air = [], {}, [], dict.fromkeys(SIDES, 0)


class EntriesForgotten(Struct, frozen=True):
    """[8.4] [8.4.1.3] Who entered which hex, and which markers came off, counts for one turn."""

    rule: str = "8.4"

    def apply(self, g: State) -> None:
        g.entered, g.cleared = {}, []
