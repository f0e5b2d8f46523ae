"""[10.0] to [12.0] The Strategic Phase: shipping, reinforcements, replacements, escorts, bombing."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State
from pbem.kernel.wording import Message


class ReinforcementsBegan(Struct, frozen=True):
    """[12.52] [16.47] The war in Europe and what Japan held, as the turn began."""

    level: int
    rule: str = "12.52"

    def apply(self, g: State) -> None:
        g.europe_at_start = self.level
        g.japanese_before = sorted(h for h, side in g.control.items() if side == JAPAN)


class ArrivalsPunctual(Struct, frozen=True):
    """[10.2] A delay of Allied reinforcements is over."""

    rule: str = "10.2"

    def apply(self, g: State) -> None:
        g.in_force = [marker for marker in g.in_force if marker != "delayed_next"]


class HeadquartersDue(Struct, frozen=True):
    """[10.11] Headquarters that come in this turn."""

    hqs: tuple[str, ...]
    rule: str = "10.11"

    def apply(self, g: State) -> None:
        g.new_hqs = list(self.hqs)


class ShippingReady(Struct, frozen=True):
    """[10.3] A new turn: none is used."""

    rule: str = "10.3"

    def apply(self, g: State) -> None:
        g.asp_used = {JAPAN: 0, ALLIES: 0}


class ShippingSet(Struct, frozen=True):
    """[10.31] Amphibious shipping points of a side."""

    side: str
    points: int
    rule: str

    def apply(self, g: State) -> None:
        g.asp = {**g.asp, self.side: self.points}


class ShippingUsed(Struct, frozen=True):
    """[10.3] Those of them that are used in this turn."""

    side: str
    points: int
    rule: str

    def apply(self, g: State) -> None:
        g.asp_used = {**g.asp_used, self.side: self.points}


class PointsSaved(Struct, frozen=True):
    """[5.33] [11.0] Replacement points that Japan keeps."""

    pool: str
    points: int
    rule: str

    def apply(self, g: State) -> None:
        g.points = {**g.points, self.pool: self.points}


class DivisionsSet(Struct, frozen=True):
    """[11.23] Japanese divisions in China."""

    divisions: int
    rule: str = "11.23"

    def apply(self, g: State) -> None:
        g.divisions = self.divisions


class EscortSet(Struct, frozen=True):
    """[12.2] The modifier of Japanese escorts."""

    escort: int
    rule: str = "12.2"

    def apply(self, g: State) -> None:
        g.escort = self.escort


class EscortsStopped(Struct, frozen=True):
    """[12.2] Japanese escorts are no use any more."""

    rule: str = "12.2"

    def apply(self, g: State) -> None:
        g.no_escort, g.escort = True, 0


class Bombed(Struct, frozen=True):
    """[12.3] A B-29 flies against Japan: it takes no part in offensives this turn."""

    label: Message
    unit: str
    die: int
    success: bool
    rule: str

    def apply(self, g: State) -> None:
        g.pieces[self.unit] = replace(g.pieces[self.unit], bombed=g.turn)
        g.changed(self.unit)


class BombingSucceeded(Struct, frozen=True):
    """[12.3] Japan was bombed with success in this turn; `in_vain`: it cost no card, so that Will does not rise [1e-16.43]."""

    in_vain: bool
    rule: str = "12.3"

    def apply(self, g: State) -> None:
        g.bombing = [*g.bombing, g.turn]
        if self.in_vain:
            g.bombing_in_vain = g.turn
