"""[7.0] An offensive: units activated, their moves, the hexes they fight in, the reaction, the end."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pbem.games.empire_of_the_sun.state import Activated, Offensive, State, activation, offensive


class OffensiveBegan(Struct, frozen=True):
    """[7.0] An offensive: card, use, HQ and how many units it may activate."""

    side: str
    card: str
    event: bool
    hq: str
    ops: int
    allowance: int
    asp_bonus: int
    rule: str

    def apply(self, g: State) -> None:
        g.offensive = Offensive(self.side, self.card, self.event, self.hq, self.ops, self.allowance)
        g.offensive.asp_bonus = self.asp_bonus
        g.changed()


class UnitsActivated(Struct, frozen=True):
    """[7.21] [7.26] Units that take part; in reaction with the HQ that leads them."""

    side: str
    units: tuple[str, ...]
    rule: str
    mode: str = ""

    def apply(self, g: State) -> None:
        o = offensive(g)
        into = o.units if self.side == o.side else o.reactors
        for unit in self.units:
            piece = g.pieces[unit]
            into[unit] = Activated(piece.at, piece.box, self.mode)
        g.changed()


class Moved(Struct, frozen=True):
    """A unit moves in an offensive: its path from start to end, both included, and how it went."""

    unit: str
    path: tuple[int, ...]
    mode: str
    rule: str
    came_from: int = 0
    far: bool = False
    ship: str = ""
    asp: int = 0
    spent: int = 0

    def apply(self, g: State) -> None:
        g.pieces[self.unit] = replace(g.pieces[self.unit], at=self.path[-1], box="map")
        entry = activation(g, self.unit)
        entry.mode, entry.came_from, entry.far = self.mode, self.came_from, self.far or entry.far
        entry.ship, entry.asp, entry.spent = self.ship, self.asp, self.spent
        g.changed(self.unit)


class StackMoving(Struct, frozen=True):
    """[8.43] The stack that moved last."""

    units: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        offensive(g).moving = list(self.units)


class ZoneTouched(Struct, frozen=True):
    """[7.25] A unit touched an enemy zone of influence."""

    rule: str = "7.25"

    def apply(self, g: State) -> None:
        offensive(g).touched = True


class BargesUsed(Struct, frozen=True):
    """[8.47] Japanese barges carry this landing."""

    rule: str = "8.47"

    def apply(self, g: State) -> None:
        offensive(g).barge = True


class BattleDeclared(Struct, frozen=True):
    """[7.24] [7.27] A hex becomes a battle hex."""

    hex: int
    special: bool
    rule: str

    def apply(self, g: State) -> None:
        o = offensive(g)
        o.battles.append(self.hex)
        if self.special:
            o.special.append(self.hex)
        g.changed()


class Committed(Struct, frozen=True):
    """[7.24] A unit is assigned to a battle hex, or covers a landing."""

    unit: str
    hex: int
    cover: bool
    rule: str

    def apply(self, g: State) -> None:
        entry = activation(g, self.unit)
        if self.cover:
            entry.cover = self.hex
        else:
            entry.battle = self.hex


class Garrisoned(Struct, frozen=True):
    """[9.4] Battle hexes where the defender stood on land."""

    hexes: tuple[int, ...]
    rule: str = "9.4"

    def apply(self, g: State) -> None:
        offensive(g).garrisoned = list(self.hexes)


# -- reaction ------------------------------------------------------------------------------------------------------


class IntelligenceRolled(Struct, frozen=True):
    """[7.25] The one roll for intelligence has been made."""

    rule: str

    def apply(self, g: State) -> None:
        offensive(g).rolled = True


class ConditionSet(Struct, frozen=True):
    """[7.25] The condition of intelligence."""

    condition: str
    rule: str = "7.25"

    def apply(self, g: State) -> None:
        offensive(g).condition = self.condition


class ReactionCardPlayed(Struct, frozen=True):
    """[5.32] A reaction card; a counteroffensive is the card of the reaction."""

    card: str
    counter: bool
    rule: str = "5.32"

    def apply(self, g: State) -> None:
        o = offensive(g)
        o.reaction_cards = [*o.reaction_cards, self.card]
        if self.counter:
            o.counter = self.card


class ReactionLed(Struct, frozen=True):
    """[7.26] The headquarters of the reaction."""

    hq: str
    rule: str = "7.26"

    def apply(self, g: State) -> None:
        offensive(g).reaction_hq = self.hq


class ReactionShipping(Struct, frozen=True):
    """[8.45] Shipping points used in the reaction."""

    points: int
    rule: str = "8.45"

    def apply(self, g: State) -> None:
        offensive(g).reaction_asp = self.points


class Withdrawn(Struct, frozen=True):
    """[5.32] E: the activation of a unit is cancelled; it is back where it began."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        o = offensive(g)
        entry = o.units.pop(self.unit)
        g.pieces[self.unit] = replace(g.pieces[self.unit], at=entry.start, box=entry.box)
        g.changed(self.unit)


class TurnedBack(Struct, frozen=True):
    """[8.45] [9.33] A landing unit that takes no part, or that has to go back to sea."""

    unit: str
    beaten: bool
    rule: str

    def apply(self, g: State) -> None:
        entry = activation(g, self.unit)
        entry.out = entry.out or not self.beaten
        entry.beaten = True


class OffensiveEnded(Struct, frozen=True):
    """[7.28] The offensive is over."""

    side: str
    rule: str = "7.28"

    def apply(self, g: State) -> None:
        g.offensive = None
        g.changed()
