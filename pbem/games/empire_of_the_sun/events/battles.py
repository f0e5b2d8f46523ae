"""[9.0] A battle: its rounds, fire, the steps of garrisons and carriers, its winner."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pbem.games.empire_of_the_sun.state import Fight, State, fighting, offensive
from pbem.kernel.wording import Message


class BattleBegan(Struct, frozen=True):
    """[9.0] A battle is fought."""

    hex: int
    rule: str = "9.0"

    def apply(self, g: State) -> None:
        decks = {u: p.at for u, p in g.pieces.items() if p.box == "map" and g.board.counters[u].carrier}
        g.fight = Fight(self.hex, places=decks)


class RoundBegan(Struct, frozen=True):
    """[9.2] [9.4] The air-naval or the ground round of a battle."""

    hex: int
    kind: str
    rule: str

    def apply(self, g: State) -> None:
        fight = fighting(g)
        fight.losses, fight.garrison_round = {}, 0


class Fired(Struct, frozen=True):
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


class GarrisonLost(Struct, frozen=True):
    """[13.76] [13.94] Intrinsic steps of a Japanese city are lost in this battle."""

    steps: int
    rule: str

    def apply(self, g: State) -> None:
        fight = fighting(g)
        fight.garrison += self.steps
        fight.garrison_round += self.steps


class Restored(Struct, frozen=True):
    """[9.2] F7: a carrier gets back a step that it lost in this battle."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        fight = fighting(g)
        piece = g.pieces[self.unit]
        if piece.box == "map":
            piece = replace(piece, reduced=False)
        else:
            piece = replace(piece, at=fight.places[self.unit], box="map", reduced=g.board.counters[self.unit].steps == 2)
        g.pieces[self.unit] = piece
        fight.losses[self.unit] -= 1
        g.changed(self.unit)


class BattleEnded(Struct, frozen=True):
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
