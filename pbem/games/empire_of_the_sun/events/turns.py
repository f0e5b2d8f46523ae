"""[4.0] The course of a turn: phases, whose impulse it is, passes, dice thrown outside battle, the end of the game."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.wording import Message


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """[4.0] A phase or segment of the turn."""

    turn: int
    phase: str
    rule: str = "4.0"

    def apply(self, g: State) -> None:
        g.turn, g.phase = self.turn, self.phase


@dataclass(frozen=True, slots=True)
class ActiveSet:
    """[4.22] Whose impulse is next."""

    side: str
    rule: str

    def apply(self, g: State) -> None:
        g.active = self.side


@dataclass(frozen=True, slots=True)
class PassesSet:
    """[12.4] The passes that a side has."""

    side: str
    passes: int
    rule: str = "12.4"

    def apply(self, g: State) -> None:
        g.passes = {**g.passes, self.side: self.passes}


@dataclass(frozen=True, slots=True)
class Passed:
    """[12.4] A pass is used."""

    side: str
    rule: str = "12.4"

    def apply(self, g: State) -> None:
        g.passes = {**g.passes, self.side: g.passes[self.side] - 1}


@dataclass(frozen=True, slots=True)
class Rolled:
    """A die outside battle: what for, and what it did."""

    label: Message
    die: int
    result: str
    rule: str
    steps: int | None = None  # lost, where the die decides that

    def apply(self, g: State) -> None:
        return None


@dataclass(frozen=True, slots=True)
class TurnCleared:
    """[5.37] [6.23] Reshuffles are done, the Tokyo Express is gone."""

    rule: str = "5.37"

    def apply(self, g: State) -> None:
        g.reshuffle, g.express = [], 0
        g.changed()


@dataclass(frozen=True, slots=True)
class Won:
    """[16.1] The game is over."""

    side: str
    reason: Message
    rule: str

    def apply(self, g: State) -> None:
        g.winner, g.win_reason, g.win_rule = self.side, str(self.reason), self.rule
