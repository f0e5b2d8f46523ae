"""Sea control, submarines, mines, and what a turn's transport and assaults by sea have used up."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games.next_war.state import State


@dataclass(frozen=True, slots=True)
class ThreatSet:
    """[7.4.3] The submarine threat of a side."""

    side: str
    level: int
    rule: str

    def apply(self, g: State) -> None:
        g.threat[self.side] = self.level


@dataclass(frozen=True, slots=True)
class AntisubmarineSet:
    """[7.4.3] The antisubmarine level of a side."""

    side: str
    level: int
    rule: str = "7.4.3"

    def apply(self, g: State) -> None:
        g.asw[self.side] = self.level


@dataclass(frozen=True, slots=True)
class SeaControlSet:
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


@dataclass(frozen=True, slots=True)
class MinesSpent:
    """[7.5.2] A Mine marker that was cleared does not come back."""

    side: str
    rule: str = "7.5.2"

    def apply(self, g: State) -> None:
        g.mine_pool[self.side] -= 1


@dataclass(frozen=True, slots=True)
class ZonesEntered:
    """[8.5.6.4] At Sea areas that a ship has entered in this turn."""

    unit: str
    count: int
    rule: str = "8.5.6.4"

    def apply(self, g: State) -> None:
        g.zones_entered[self.unit] = self.count


@dataclass(frozen=True, slots=True)
class Shipped:
    """[8.5.7.3] [8.5.3.1] Stacking Points that went by sea, or by air, so far."""

    key: str
    points: int
    rule: str

    def apply(self, g: State) -> None:
        g.shipped[self.key] = self.points


@dataclass(frozen=True, slots=True)
class Unloaded:
    """[8.5.7.4] Stacking Points unloaded at a place so far."""

    place: int
    points: int
    rule: str = "8.5.7.4"

    def apply(self, g: State) -> None:
        g.unloaded[self.place] = self.points


@dataclass(frozen=True, slots=True)
class AssaultMade:
    """[8.5.8] A ship has carried its assault of this turn."""

    ship: str
    rule: str = "8.5.8"

    def apply(self, g: State) -> None:
        g.assaulted.append(self.ship)


@dataclass(frozen=True, slots=True)
class Poised:
    """[8.5.8.1] A unit waits before a beach for the Combat Segment."""

    unit: str
    beach: int
    rule: str = "8.5.8.1"

    def apply(self, g: State) -> None:
        g.poised[self.unit] = self.beach


@dataclass(frozen=True, slots=True)
class AssaultsOff:
    """[8.5.8] Assaults that were not carried out in the Combat Segment are off."""

    rule: str = "8.5.8"

    def apply(self, g: State) -> None:
        g.poised = {}
