"""Air Points, Airmobile Points and helicopters."""

from __future__ import annotations

from msgspec import Struct

from pbem.games.next_war.state import State


class AirPointsReceived(Struct, frozen=True):
    """[6.1] Air Points of the turn."""

    side: str
    points: int
    rule: str = "6.1"

    def apply(self, g: State) -> None:
        g.air_received[self.side] = g.air[self.side] = self.points


class AirPointsSpent(Struct, frozen=True):
    """[6.2] Air Points that a side has left."""

    side: str
    left: int
    rule: str

    def apply(self, g: State) -> None:
        g.air[self.side] = self.left


class AirPointLost(Struct, frozen=True):
    """[6.3] One Air Point more is lost for good."""

    side: str
    rule: str

    def apply(self, g: State) -> None:
        g.air_lost[self.side] += 1


class AirLevelSet(Struct, frozen=True):
    """[6.4] The Air Superiority level, from -3 to 3."""

    level: int
    rule: str = "6.4"

    def apply(self, g: State) -> None:
        g.air_level = self.level


class LiftSet(Struct, frozen=True):
    """[8.5.4.1] Airmobile Points to use in this turn, in halves."""

    halves: tuple[tuple[str, int], ...]
    rule: str = "8.5.4.1"

    def apply(self, g: State) -> None:
        g.lift = dict(self.halves)


class LiftUsed(Struct, frozen=True):
    """[8.5.4.1] What is left of them."""

    side: str
    left: int
    rule: str = "8.5.4.1"

    def apply(self, g: State) -> None:
        g.lift[self.side] = self.left


class LiftShared(Struct, frozen=True):
    """[8.5.4.1] Units of one hex that share Airmobile Points."""

    place: int
    points: int
    rule: str = "8.5.4.1"

    def apply(self, g: State) -> None:
        g.shared_lift[self.place] = self.points


class AirmobilePointsSet(Struct, frozen=True):
    """[8.5.4] The Airmobile Points that a side owns."""

    side: str
    points: int
    rule: str

    def apply(self, g: State) -> None:
        g.lift_points[self.side] = self.points


class HelicopterFlew(Struct, frozen=True):
    """[6.5] A mission is flown."""

    helo: str
    rule: str

    def apply(self, g: State) -> None:
        g.missions[self.helo] = g.missions.get(self.helo, 0) + 1
        g.flown.append(self.helo)


class HelicopterGrounded(Struct, frozen=True):
    """[6.5.1.2] [6.5.6] It flies no more this turn."""

    helo: str
    rule: str

    def apply(self, g: State) -> None:
        g.grounded.append(self.helo)


class BaseCrowded(Struct, frozen=True):
    """[6.5.1.2] A helicopter fled over the limit of a base in this turn; 0: that is settled."""

    helo: str
    turn: int
    rule: str = "6.5.1.2"

    def apply(self, g: State) -> None:
        if self.turn:
            g.overrun[self.helo] = self.turn
        else:
            g.overrun.pop(self.helo, None)
