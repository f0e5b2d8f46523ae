"""[4.0] The course of a turn: phases, whose impulse it is, passes, dice thrown outside battle, the end of the game."""

from __future__ import annotations

from msgspec import Struct

from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.wording import Message


class PhaseBegan(Struct, frozen=True):
    """[4.0] A phase or segment of the turn."""

    turn: int
    phase: str
    rule: str = "4.0"

    def apply(self, g: State) -> None:
        g.turn, g.phase = self.turn, self.phase


class ActiveSet(Struct, frozen=True):
    """[4.22] Whose impulse is next."""

    side: str
    rule: str

    def apply(self, g: State) -> None:
        g.active = self.side


class PassesSet(Struct, frozen=True):
    """[12.4] The passes that a side has."""

    side: str
    passes: int
    rule: str = "12.4"

    def apply(self, g: State) -> None:
        g.passes = {**g.passes, self.side: self.passes}


class Passed(Struct, frozen=True):
    """[12.4] A pass is used."""

    side: str
    rule: str = "12.4"

    def apply(self, g: State) -> None:
        g.passes = {**g.passes, self.side: g.passes[self.side] - 1}


class Rolled(Struct, frozen=True):
    """A die outside battle: what for, and what it did."""

    label: Message
    die: int
    result: str
    rule: str
    steps: int | None = None  # lost, where the die decides that

    def apply(self, g: State) -> None:
        return None


class TurnCleared(Struct, frozen=True):
    """[5.37] [6.23] Reshuffles are done, the Tokyo Express is gone."""

    rule: str = "5.37"

    def apply(self, g: State) -> None:
        g.reshuffle, g.express = [], 0
        g.changed()


class Won(Struct, frozen=True):
    """[16.1] The game is over."""

    side: str
    reason: Message
    rule: str

    def apply(self, g: State) -> None:
        g.winner, g.win_reason, g.win_rule = self.side, str(self.reason), self.rule
