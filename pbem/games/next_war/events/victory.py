"""Capitals, Victory Points and Automatic Victory."""

from __future__ import annotations

from msgspec import Struct

from pbem.games.next_war.state import ALLIED, OPPOSED, SIDES, State


class CapitalTaken(Struct, frozen=True):
    """[12.2] A side has taken a hex of the capital in this turn."""

    side: str
    rule: str = "12.2"

    def apply(self, g: State) -> None:
        g.capital[self.side] = 1


class PointsCounted(Struct, frozen=True):
    """[12.1] Victory Points of the turn are added to the others."""

    rule: str = "12.1"

    def apply(self, g: State) -> None:
        g.vp = {side: g.vp[side] + g.vp_turn[side] for side in SIDES}


class CapitalsJudged(Struct, frozen=True):
    """[12.2] Throws for capitals have been made."""

    rule: str = "12.2"

    def apply(self, g: State) -> None:
        g.capital = {ALLIED: 0, OPPOSED: 0}


class ThrowMade(Struct, frozen=True):
    """[12.2] Throws for Automatic Victory of a side so far."""

    side: str
    count: int
    rule: str = "12.2"

    def apply(self, g: State) -> None:
        g.throws[self.side] = self.count
