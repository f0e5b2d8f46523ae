"""Dice, and a combat from its declaration to its end."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pbem.games.next_war.state import Fight, State
from pbem.kernel.wording import Message


class Thrown(Struct, frozen=True):
    """A die was thrown: what for, what it showed, its modifier, what came of it. Changes nothing."""

    label: Message
    die: int
    drm: int
    outcome: str  # a word of the rules, or what the table prints
    rule: str
    number: int | None = None  # where the outcome is a number, or so many of something

    def apply(self, g: State) -> None:
        pass


class CombatThrown(Struct, frozen=True):
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


class AttackDeclared(Struct, frozen=True):
    """[9.2.1] A combat begins."""

    fight: Fight
    rule: str = "9.2.1"

    def apply(self, g: State) -> None:
        g.fight = replace(self.fight, lost=dict(self.fight.lost))
        g.attacked.append(self.fight.target)
        g.fought += self.fight.units


class DefendersPresent(Struct, frozen=True):
    """[9.1] Ground units of the defender in the hex."""

    units: tuple[str, ...]
    rule: str = "9.1"

    def apply(self, g: State) -> None:
        _fight(g).present = list(self.units)


class Defended(Struct, frozen=True):
    """[8.1.1.1] [9.8.6] Those of them that fight."""

    units: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        _fight(g).defenders = list(self.units)


class DefenseLed(Struct, frozen=True):
    """[9.2.3] The lead unit of the defense."""

    unit: str
    rule: str = "9.2.3"

    def apply(self, g: State) -> None:
        _fight(g).defender_lead = self.unit


class ColumnFound(Struct, frozen=True):
    """[9.2.3] The column of the results table, shifts included."""

    column: int
    rule: str = "9.2.3"

    def apply(self, g: State) -> None:
        _fight(g).column = self.column


class AirSupportNamed(Struct, frozen=True):
    """[6.2.1] Air Points in support of a side."""

    side: str
    points: int
    rule: str = "6.2.1"

    def apply(self, g: State) -> None:
        _fight(g).points = {**_fight(g).points, self.side: self.points}


class HelicopterSupportNamed(Struct, frozen=True):
    """[6.5.3] Helicopters in support of a side."""

    side: str
    helos: tuple[str, ...]
    rule: str = "6.5.3"

    def apply(self, g: State) -> None:
        _fight(g).helos = {**_fight(g).helos, self.side: list(self.helos)}


class NavalSupportNamed(Struct, frozen=True):
    """[7.3] Ships in support of a side."""

    side: str
    ships: tuple[str, ...]
    rule: str = "7.3"

    def apply(self, g: State) -> None:
        _fight(g).ships = {**_fight(g).ships, self.side: list(self.ships)}


class SupportLeft(Struct, frozen=True):
    """[9.6.1] Points of Combat Support of a side after Air Defense Fire."""

    side: str
    points: int
    rule: str = "9.6.1"

    def apply(self, g: State) -> None:
        _fight(g).support = {**_fight(g).support, self.side: self.points}


class MustRetreat(Struct, frozen=True):
    """[9.8.1] [9.9.1] Hexes that the defender retreats."""

    hexes: int
    rule: str

    def apply(self, g: State) -> None:
        _fight(g).retreated = self.hexes


def _fight(g: State) -> Fight:
    assert g.fight is not None
    return g.fight


class FightOver(Struct, frozen=True):
    """[9.2] The combat has been resolved."""

    rule: str = "9.2"

    def apply(self, g: State) -> None:
        g.fight = None
