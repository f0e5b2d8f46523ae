"""What can happen in a game of Empire of the Sun. Every change of the state is one of these."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games.empire_of_the_sun.state import Activated, Fight, Offensive, Piece, State, activation, fighting, offensive
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
class Placed:
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
        piece.at, piece.box, piece.due, piece.undelayable = self.at, self.box, self.due, self.undelayable
        if self.reduced is not None:
            piece.reduced = self.reduced
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class Moved:
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
        piece = g.pieces[self.unit]
        piece.at, piece.box = self.path[-1], "map"
        entry = activation(g, self.unit)
        entry.mode, entry.came_from, entry.far = self.mode, self.came_from, self.far or entry.far
        entry.ship, entry.asp, entry.spent = self.ship, self.asp, self.spent
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class Returned:
    """[9.6] A unit moves after the battles."""

    unit: str
    path: tuple[int, ...]
    rule: str

    def apply(self, g: State) -> None:
        g.pieces[self.unit].at = self.path[-1]
        g.pieces[self.unit].box = "map"
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class StepLost:
    """A unit flips to its reduced side."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.pieces[self.unit].reduced = True
        _count(g, self.unit)
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class Eliminated:
    """A unit is destroyed; `box` is `eliminated`, or `removed` when it can never come back."""

    unit: str
    box: str
    rule: str

    def apply(self, g: State) -> None:
        _count(g, self.unit)
        g.pieces[self.unit] = Piece(0, self.box, False, 0, False, g.pieces[self.unit].bombed, g.turn)
        g.memo.forget()


def _count(g: State, unit: str) -> None:
    if g.fight is not None:
        g.fight.losses[unit] = g.fight.losses.get(unit, 0) + 1


@dataclass(frozen=True, slots=True)
class Recovered:
    """A unit regains a step, or comes back onto the map."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.pieces[self.unit].reduced = False
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """[11.0] An eliminated unit comes back onto the map by replacements."""

    unit: str
    at: int
    reduced: bool
    rule: str

    def apply(self, g: State) -> None:
        piece = g.pieces[self.unit]
        piece.at, piece.box, piece.reduced, piece.due, piece.rebuilt = self.at, "map", self.reduced, 0, g.turn
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class Bombed:
    """[12.3] A B-29 flies against Japan: it takes no part in offensives this turn."""

    label: Message
    unit: str
    die: int
    success: bool
    rule: str

    def apply(self, g: State) -> None:
        g.pieces[self.unit].bombed = g.turn


@dataclass(frozen=True, slots=True)
class CardTaken:
    """[5.33] A card known to both comes from the discard pile into the hand."""

    side: str
    card: str
    rule: str

    def apply(self, g: State) -> None:
        g.discards[self.side].remove(self.card)
        g.hands[self.side].append(self.card)


@dataclass(frozen=True, slots=True)
class Controlled:
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
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card leaves a hand (or was the future offensives card) for a use."""

    side: str
    entry: str  # the handle or known card that left the hand
    card: str
    use: str  # operations, event, reaction, discard, ...
    rule: str

    def apply(self, g: State) -> None:
        if g.future[self.side] == self.entry:
            g.future = {**g.future, self.side: ""}
        else:
            g.hands[self.side].remove(self.entry)


@dataclass(frozen=True, slots=True)
class CardFiled:
    """A card comes to rest: `discards` or `out_of_play`."""

    side: str
    card: str
    pile: str
    rule: str

    def apply(self, g: State) -> None:
        getattr(g, self.pile)[self.side].append(self.card)


@dataclass(frozen=True, slots=True)
class CardsDrawn:
    """[4.14] Cards come into a hand; their faces are known to the owner only."""

    side: str
    entries: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        g.hands[self.side].extend(self.entries)


@dataclass(frozen=True, slots=True)
class FutureSet:
    """[7.29] A card goes face down as future offensives card."""

    side: str
    entry: str
    rule: str

    def apply(self, g: State) -> None:
        g.hands[self.side].remove(self.entry)
        g.future = {**g.future, self.side: self.entry}
        g.future_turn = {**g.future_turn, self.side: g.turn}


@dataclass(frozen=True, slots=True)
class Reshuffled:
    """[5.36] The discard pile goes back into the deck."""

    side: str
    rule: str

    def apply(self, g: State) -> None:
        g.discards[self.side].clear()


@dataclass(frozen=True, slots=True)
class OffensiveBegan:
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
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class UnitsActivated:
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
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class Committed:
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


@dataclass(frozen=True, slots=True)
class BattleDeclared:
    """[7.24] [7.27] A hex becomes a battle hex."""

    hex: int
    special: bool
    rule: str

    def apply(self, g: State) -> None:
        o = offensive(g)
        o.battles.append(self.hex)
        if self.special:
            o.special.append(self.hex)
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class TurnedBack:
    """[8.45] [9.33] A landing unit that takes no part, or that has to go back to sea."""

    unit: str
    beaten: bool
    rule: str

    def apply(self, g: State) -> None:
        entry = activation(g, self.unit)
        entry.out = entry.out or not self.beaten
        entry.beaten = True


@dataclass(frozen=True, slots=True)
class BattleBegan:
    """[9.0] A battle is fought."""

    hex: int
    rule: str = "9.0"

    def apply(self, g: State) -> None:
        decks = {u: p.at for u, p in g.pieces.items() if p.box == "map" and g.board.counters[u].carrier}
        g.fight = Fight(self.hex, places=decks)


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """[9.2] [9.4] The air-naval or the ground round of a battle."""

    hex: int
    kind: str
    rule: str

    def apply(self, g: State) -> None:
        fight = fighting(g)
        fight.losses, fight.garrison_round = {}, 0


@dataclass(frozen=True, slots=True)
class GarrisonLost:
    """[13.76] [13.94] Intrinsic steps of a Japanese city are lost in this battle."""

    steps: int
    rule: str

    def apply(self, g: State) -> None:
        fight = fighting(g)
        fight.garrison += self.steps
        fight.garrison_round += self.steps


@dataclass(frozen=True, slots=True)
class Restored:
    """[9.2] F7: a carrier gets back a step that it lost in this battle."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        fight = fighting(g)
        piece = g.pieces[self.unit]
        if piece.box == "map":
            piece.reduced = False
        else:
            piece.at, piece.box, piece.reduced = fight.places[self.unit], "map", g.board.counters[self.unit].steps == 2
        fight.losses[self.unit] -= 1
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class Withdrawn:
    """[5.32] E: the activation of a unit is cancelled; it is back where it began."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        o = offensive(g)
        entry = o.units.pop(self.unit)
        g.pieces[self.unit].at, g.pieces[self.unit].box = entry.start, entry.box
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class Fired:
    """[9.2] [9.4] One side's fire: strength, die, modifier and hits."""

    label: Message
    side: str
    hex: int
    kind: str
    strength: int
    die: int
    modifier: int
    rating: str
    hits: int
    critical: bool
    rule: str

    def apply(self, g: State) -> None:
        if self.critical and g.fight is not None:
            g.fight.critical.append(self.side)


@dataclass(frozen=True, slots=True)
class BattleEnded:
    """[9.3] [9.4] Who won a round of battle, and why."""

    hex: int
    kind: str
    winner: str
    rule: str

    def apply(self, g: State) -> None:
        o = offensive(g)
        if self.kind == "battle":
            o.fought.append(self.hex)
            g.fight = None


@dataclass(frozen=True, slots=True)
class OffensiveEnded:
    """[7.28] The offensive is over."""

    side: str
    rule: str = "7.28"

    def apply(self, g: State) -> None:
        g.offensive = None
        g.memo.forget()


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
class ChinaRolled:
    """[13.72] The die of a China offensive: what it had to reach, with air support."""

    label: Message
    value: int
    wings: int
    die: int
    success: bool
    rule: str = "13.72"

    def apply(self, g: State) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Surrendered:
    """[13.1] A nation surrenders, or is liberated."""

    nation: str
    liberated: bool
    rule: str

    def apply(self, g: State) -> None:
        (g.liberated if self.liberated else g.surrendered).append(self.nation)
        g.memo.forget()


@dataclass(frozen=True, slots=True)
class WillChanged:
    """[16.4] US Political Will moves, and why."""

    by: int
    why: Message
    rule: str

    def apply(self, g: State) -> None:
        g.will = max(0, min(g.will + self.by, 10))


@dataclass(frozen=True, slots=True)
class Passed:
    """[12.4] A pass is used."""

    side: str
    rule: str = "12.4"

    def apply(self, g: State) -> None:
        g.passes = {**g.passes, self.side: g.passes[self.side] - 1}


@dataclass(frozen=True, slots=True)
class Won:
    """[16.1] The game is over."""

    side: str
    reason: Message
    rule: str

    def apply(self, g: State) -> None:
        g.winner, g.win_reason, g.win_rule = self.side, str(self.reason), self.rule
