"""Sea control, submarines, mines, and what a turn's transport and assaults by sea have used up."""

from __future__ import annotations

from msgspec import Struct

from pbem.games.next_war.state import State


class ThreatSet(Struct, frozen=True):
    """[7.4.3] The submarine threat of a side."""

    side: str
    level: int
    rule: str

    def apply(self, g: State) -> None:
        g.threat[self.side] = self.level


class AntisubmarineSet(Struct, frozen=True):
    """[7.4.3] The antisubmarine level of a side."""

    side: str
    level: int
    rule: str = "7.4.3"

    def apply(self, g: State) -> None:
        g.asw[self.side] = self.level


class SeaControlSet(Struct, frozen=True):
    """[7.2] A sea area changes hands; None: it is contested."""

    area: str
    side: str | None
    rule: str = "7.2"

    def apply(self, g: State) -> None:
        if self.side is None:
            g.sea_control.pop(self.area, None)
        else:
            g.sea_control[self.area] = self.side
        g.memo.forget()


class MinesSpent(Struct, frozen=True):
    """[7.5.2] A Mine marker that was cleared does not come back."""

    side: str
    rule: str = "7.5.2"

    def apply(self, g: State) -> None:
        g.mine_pool[self.side] -= 1


class ZonesEntered(Struct, frozen=True):
    """[8.5.6.4] At Sea areas that a ship has entered in this turn."""

    unit: str
    count: int
    rule: str = "8.5.6.4"

    def apply(self, g: State) -> None:
        g.zones_entered[self.unit] = self.count


class Shipped(Struct, frozen=True):
    """[8.5.7.3] [8.5.3.1] Stacking Points that went by sea, or by air, so far."""

    key: str
    points: int
    rule: str

    def apply(self, g: State) -> None:
        g.shipped[self.key] = self.points


class Unloaded(Struct, frozen=True):
    """[8.5.7.4] Stacking Points unloaded at a place so far."""

    place: int
    points: int
    rule: str = "8.5.7.4"

    def apply(self, g: State) -> None:
        g.unloaded[self.place] = self.points


class AssaultMade(Struct, frozen=True):
    """[8.5.8] A ship has carried its assault of this turn."""

    ship: str
    rule: str = "8.5.8"

    def apply(self, g: State) -> None:
        g.assaulted.append(self.ship)


class Poised(Struct, frozen=True):
    """[8.5.8.1] A unit waits before a beach for the Combat Segment."""

    unit: str
    beach: int
    rule: str = "8.5.8.1"

    def apply(self, g: State) -> None:
        g.poised[self.unit] = self.beach


class AssaultsOff(Struct, frozen=True):
    """[8.5.8] Assaults that were not carried out in the Combat Segment are off."""

    rule: str = "8.5.8"

    def apply(self, g: State) -> None:
        g.poised = {}
