"""Conduct Combat: dice, losses, scrambles, kamikazes, raids, landings."""

from __future__ import annotations

from msgspec import Struct

from pbem.games.axis_and_allies_pacific.state import State
from pbem.games.axis_and_allies_pacific.stillness import still, still_but_for_land
from pbem.kernel.wording import Message


@still
class DiceRolled(Struct, frozen=True):
    """Dice on the table: label, numbers, and how many hit."""

    label: Message
    dice: tuple[int, ...]
    hits: int
    rule: str

    def apply(self, g: State) -> None:
        return None


@still
class Damaged(Struct, frozen=True):
    """[GC-13] A capital ship's first hit."""

    unit: int
    rule: str = "GC-13"

    def apply(self, g: State) -> None:
        g.units[self.unit].damaged = True


class Destroyed(Struct, frozen=True):
    """[GC-12] A unit leaves the game; cargo goes down with its transport, guests with an attacking carrier."""

    unit: int
    type: str
    owner: str
    at: str
    rule: str

    def apply(self, g: State) -> None:
        del g.units[self.unit]
        for other in g.units.values():
            if other.aboard == self.unit:
                other.aboard = None


@still
class RoleTaken(Struct, frozen=True):
    """[SCR-02] [SBR-03] [GC-07] A unit takes a part in this turn's combat, or gives it up."""

    unit: int
    role: str
    rule: str

    def apply(self, g: State) -> None:
        g.units[self.unit].role = self.role


@still
class Fought(Struct, frozen=True):
    """[NCM-01] A unit has fought this turn and may not move in Noncombat Move, except to land."""

    unit: int
    rule: str = "NCM-01"

    def apply(self, g: State) -> None:
        g.units[self.unit].fought = True


class Relocated(Struct, frozen=True):
    """[GC-20] [SCR-02] [SCR-04] A unit changes its space without moving: scramble, retreat, return, stranded landing."""

    unit: int
    to: str
    aboard: int | None
    rule: str

    def apply(self, g: State) -> None:
        unit = g.units[self.unit]
        unit.at, unit.aboard = self.to, self.aboard
        for cargo in g.units.values():
            if cargo.aboard == self.unit:
                cargo.at = self.to


@still
class KamikazeSpent(Struct, frozen=True):
    """[KAM-04] One of Japan's six attacks is announced in a zone."""

    zone: str
    rule: str = "KAM-04"

    def apply(self, g: State) -> None:
        g.kamikaze_left -= 1
        if self.zone not in g.kamikaze_zones:
            g.kamikaze_zones.append(self.zone)


@still_but_for_land
class FacilityDamaged(Struct, frozen=True):
    """[SBR-07] Bombs on a facility."""

    territory: str
    facility: str
    points: int
    rule: str = "SBR-07"

    def apply(self, g: State) -> None:
        found = g.facility(self.territory, self.facility)
        assert found is not None
        found.damage += self.points


@still
class SeaCombat(Struct, frozen=True):
    """[AMP-03] Combat took place in a zone: nobody bombards from it this turn."""

    zone: str
    rule: str

    def apply(self, g: State) -> None:
        if self.zone not in g.sea_battles:
            g.sea_battles.append(self.zone)


@still
class BattleJoined(Struct, frozen=True):
    """[GC-20] A battle begins; `origins` are the spaces from which its attackers came, also those that it will cost."""

    space: str
    origins: tuple[str, ...]
    rule: str = "GC-20"

    def apply(self, g: State) -> None:
        g.attacked_from[self.space] = [*self.origins]


@still
class BattleEnded(Struct, frozen=True):
    """[GC-19] A battle is over; `left`: whose units are left there."""

    space: str
    left: tuple[str, ...]
    rule: str = "GC-19"

    def apply(self, g: State) -> None:
        g.battles_done.append(self.space)


@still
class RaidEnded(Struct, frozen=True):
    """[SBR-08] A raid is over."""

    territory: str
    rule: str = "SBR-08"

    def apply(self, g: State) -> None:
        g.bombed.append(self.territory)


class Scrambled(Struct, frozen=True):
    """[SCR-02] A fighter or tactical bomber takes off from its island to defend a zone."""

    unit: int
    zone: str
    rule: str = "SCR-02"

    def apply(self, g: State) -> None:
        unit = g.units[self.unit]
        unit.came_from, unit.at, unit.role, unit.aboard = unit.at, self.zone, "scramble", None


@still
class TargetDropped(Struct, frozen=True):
    """[AMP-08] An announced landing does not take place."""

    unit: int
    rule: str = "AMP-08"

    def apply(self, g: State) -> None:
        g.units[self.unit].target = ""
