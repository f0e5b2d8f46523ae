"""A territory and what stands on it change hands."""

from __future__ import annotations

from msgspec import Struct

from pbem.games.axis_and_allies_pacific.state import State
from pbem.games.axis_and_allies_pacific.stillness import still_but_for_land


@still_but_for_land
class ControlChanged(Struct, frozen=True):
    """[CAP-03] [LIB-01] A territory changes hands. `before` is who held it when the turn's first change was made."""

    territory: str
    to: str
    before: str
    rule: str

    def apply(self, g: State) -> None:
        g.control[self.territory] = self.to
        g.allegiance.pop(self.territory, None)
        g.captured.setdefault(self.territory, self.before)


class FacilitiesTaken(Struct, frozen=True):
    """[CAP-04] [CAP-05] Facilities go to the captor, unusable until his next turn; a major complex becomes minor."""

    territory: str
    to: str
    reduce: int
    rule: str

    def apply(self, g: State) -> None:
        for facility in g.facilities.get(self.territory, []):
            facility.fresh, facility.enlarged = self.to, ""
            if facility.type == "major-ic" and self.reduce:
                facility.type, facility.damage = "minor-ic", min(facility.damage, 6)


class ComplexRemoved(Struct, frozen=True):
    """[CHN-04] An industrial complex on Chinese land that China or its friends take back leaves the game."""

    territory: str
    rule: str = "CHN-04"

    def apply(self, g: State) -> None:
        left = [f for f in g.facilities.get(self.territory, []) if not f.type.endswith("-ic")]
        g.facilities[self.territory] = left


class OwnerChanged(Struct, frozen=True):
    """[CAP-04] An AA gun changes hands; it may not move this turn."""

    unit: int
    to: str
    rule: str

    def apply(self, g: State) -> None:
        g.units[self.unit].owner = self.to
        g.units[self.unit].moved = "combat"


class TreasuryTaken(Struct, frozen=True):
    """[CAP-06] All money of a power whose capital falls goes to the captor."""

    loser: str
    captor: str
    ipc: int
    rule: str = "CAP-06"

    def apply(self, g: State) -> None:
        g.cash[self.loser] -= self.ipc
        g.cash[self.captor] += self.ipc


class JapanFell(Struct, frozen=True):
    """[VIC-03] Japan's capital is captured (number: Japan's turns taken so far plus one) or freed again (0)."""

    turn: int
    rule: str = "VIC-03"

    def apply(self, g: State) -> None:
        g.japan_fell = self.turn


class KamikazeEnabled(Struct, frozen=True):
    """[KAM-01] From now on Japan has six kamikaze attacks."""

    rule: str = "KAM-01"

    def apply(self, g: State) -> None:
        g.kamikaze_enabled = True
