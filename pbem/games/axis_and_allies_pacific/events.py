"""What can happen in a game of Pacific 1940. Every change of the state is one of these."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from pbem.games.axis_and_allies_pacific.state import Facility, Snapshot, State, Unit, war_key
from pbem.kernel.wording import Message


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """[TURN-02] A power's turn begins: the state of things is frozen, last turn's traces are cleared."""

    power: str
    snapshot: Snapshot
    rule: str = "TURN-02"

    def apply(self, g: State) -> None:
        g.power, g.start = self.power, self.snapshot
        g.engaged, g.landed_from, g.captured = {}, {}, {}
        g.kamikaze_zones, g.sea_battles, g.bombed, g.battles_done, g.returned = [], [], [], [], []
        g.attacked_from, g.pledged = {}, []
        for unit in g.units.values():
            unit.start, unit.came_from, unit.used, unit.moved = unit.at, "", 0, ""
            unit.fought, unit.role, unit.target = False, "", ""
        for facilities in g.facilities.values():
            for facility in facilities:
                facility.fresh = "" if facility.fresh == self.power else facility.fresh
                facility.enlarged = "" if facility.enlarged == self.power else facility.enlarged


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """[TURN-02] A phase of the turn begins."""

    power: str
    phase: str
    rule: str = "TURN-02"

    def apply(self, g: State) -> None:
        g.power, g.phase = self.power, self.phase


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """[TURN-01] A power's turn is over."""

    power: str
    rule: str = "TURN-01"

    def apply(self, g: State) -> None:
        g.turns_taken[self.power] = g.turns_taken.get(self.power, 0) + 1


@dataclass(frozen=True, slots=True)
class RoundBegan:
    """[TURN-01] A new round."""

    round: int
    rule: str = "TURN-01"

    def apply(self, g: State) -> None:
        g.round = self.round


@dataclass(frozen=True, slots=True)
class Bought:
    """[PUR-01] Units or facilities paid for; they wait in the mobilization zone."""

    power: str
    type: str
    count: int
    cost: int
    rule: str = "PUR-01"

    def apply(self, g: State) -> None:
        zone = g.purchased.setdefault(self.power, {})
        zone[self.type] = zone.get(self.type, 0) + self.count
        g.cash[self.power] -= self.cost


@dataclass(frozen=True, slots=True)
class Refunded:
    """[AMB-UNPLACED] What cannot be placed goes back to the bank at full price."""

    power: str
    ipc: int
    rule: str = "AMB-UNPLACED"

    def apply(self, g: State) -> None:
        g.purchased[self.power] = {}
        g.cash[self.power] += self.ipc


@dataclass(frozen=True, slots=True)
class Repaired:
    """[PUR-03] Damage of a facility paid off."""

    power: str
    territory: str
    facility: str
    points: int
    rule: str = "PUR-03"

    def apply(self, g: State) -> None:
        found = g.facility(self.territory, self.facility)
        assert found is not None
        found.damage -= self.points
        g.cash[self.power] -= self.points


@dataclass(frozen=True, slots=True)
class ShipRepaired:
    """[PUR-04] A capital ship made whole by a naval base."""

    unit: int
    rule: str = "PUR-04"

    def apply(self, g: State) -> None:
        g.units[self.unit].damaged = False


@dataclass(frozen=True, slots=True)
class WarDeclared:
    """[POL] Two powers are at war from now on; `opened_by` is the side that began it."""

    one: str
    other: str
    opened_by: str
    rule: str

    def apply(self, g: State) -> None:
        key = war_key(self.one, self.other)
        g.wars.append(key)
        g.wars.sort()
        g.war_opened_by[key] = self.opened_by


@dataclass(frozen=True, slots=True)
class UnitPlaced:
    """[MOB] A new unit enters play; `bought`: it leaves the mobilization zone."""

    id: int
    type: str
    owner: str
    at: str
    aboard: int | None
    bought: int
    rule: str

    def apply(self, g: State) -> None:
        g.units[self.id] = Unit(self.id, self.type, self.owner, self.at, aboard=self.aboard, start=self.at)
        g.next_id = self.id + 1
        if self.bought:
            g.purchased[self.owner][self.type] -= self.bought


@dataclass(frozen=True, slots=True)
class FacilityBuilt:
    """[MOB-06] A facility is built; a major complex takes the place of a minor one."""

    power: str
    territory: str
    type: str
    rule: str = "MOB-06"

    def apply(self, g: State) -> None:
        here = g.facilities.setdefault(self.territory, [])
        minor = g.facility(self.territory, "minor-ic") if self.type == "ic-upgrade" else None
        if minor is not None:
            minor.type, minor.enlarged = "major-ic", self.power  # [MOB-01] what is bought this turn is not used this turn
        else:
            here.append(Facility(self.type, 0, self.power))
        g.purchased[self.power][self.type] -= 1


@dataclass(frozen=True, slots=True)
class Production:
    """[INC-01] The level of production, less what was lost to convoy attacks."""

    power: str
    level: int
    convoys: int
    rule: str = "INC-01"

    def apply(self, g: State) -> None:
        g.cash[self.power] += self.level - self.convoys


@dataclass(frozen=True, slots=True)
class ConvoyLost:
    """[CONV-02] A convoy attack in a zone; the money is missing when the power's production is paid."""

    power: str
    zone: str
    ipc: int
    to: str
    rule: str = "CONV-02"

    def apply(self, g: State) -> None:
        """Nothing yet."""


@dataclass(frozen=True, slots=True)
class Earned:
    """[INC] Money from the bank beside what the land produces."""

    power: str
    ipc: int
    why: Literal["war economy", "Burma Road"]
    rule: str

    def apply(self, g: State) -> None:
        g.cash[self.power] += self.ipc


@dataclass(frozen=True, slots=True)
class ObjectivePaid:
    """[INC-03] A national objective; those paid once per game are remembered."""

    power: str
    objective: str
    ipc: int
    once: int
    rule: str = "INC-03"

    def apply(self, g: State) -> None:
        g.cash[self.power] += self.ipc
        if self.once:
            g.objectives_taken.append(self.objective)


@dataclass(frozen=True, slots=True)
class ControlChanged:
    """[CAP-03] [LIB-01] A territory changes hands. `before` is who held it when the turn's first change was made."""

    territory: str
    to: str
    before: str
    rule: str

    def apply(self, g: State) -> None:
        g.control[self.territory] = self.to
        g.allegiance.pop(self.territory, None)
        g.captured.setdefault(self.territory, self.before)


@dataclass(frozen=True, slots=True)
class NeutralityBroken:
    """[NEUT-02] A neutral territory was attacked; it leans to the side opposed to the attacker."""

    territory: str
    side: str
    rule: str = "NEUT-02"

    def apply(self, g: State) -> None:
        g.allegiance[self.territory] = self.side


@dataclass(frozen=True, slots=True)
class FacilitiesTaken:
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


@dataclass(frozen=True, slots=True)
class ComplexRemoved:
    """[CHN-04] An industrial complex on Chinese land that China or its friends take back leaves the game."""

    territory: str
    rule: str = "CHN-04"

    def apply(self, g: State) -> None:
        left = [f for f in g.facilities.get(self.territory, []) if not f.type.endswith("-ic")]
        g.facilities[self.territory] = left


@dataclass(frozen=True, slots=True)
class OwnerChanged:
    """[CAP-04] An AA gun changes hands; it may not move this turn."""

    unit: int
    to: str
    rule: str

    def apply(self, g: State) -> None:
        g.units[self.unit].owner = self.to
        g.units[self.unit].moved = "combat"


@dataclass(frozen=True, slots=True)
class TreasuryTaken:
    """[CAP-06] All money of a power whose capital falls goes to the captor."""

    loser: str
    captor: str
    ipc: int
    rule: str = "CAP-06"

    def apply(self, g: State) -> None:
        g.cash[self.loser] -= self.ipc
        g.cash[self.captor] += self.ipc


@dataclass(frozen=True, slots=True)
class JapanFell:
    """[VIC-03] Japan's capital is captured (number: Japan's turns taken so far plus one) or freed again (0)."""

    turn: int
    rule: str = "VIC-03"

    def apply(self, g: State) -> None:
        g.japan_fell = self.turn


@dataclass(frozen=True, slots=True)
class KamikazeEnabled:
    """[KAM-01] From now on Japan has six kamikaze attacks."""

    rule: str = "KAM-01"

    def apply(self, g: State) -> None:
        g.kamikaze_enabled = True


@dataclass(frozen=True, slots=True)
class Won:
    """[VIC] The game is over."""

    side: str
    reason: Message
    rule: str

    def apply(self, g: State) -> None:
        g.winner, g.win_reason, g.win_rule = self.side, str(self.reason), self.rule


# -- movement --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Moved:
    """[CM-10] A unit went from space to space; `came_from` is the last space before the new one."""

    unit: int
    to: str
    came_from: str
    points: int
    phase: str
    role: str
    rule: str

    def apply(self, g: State) -> None:
        unit = g.units[self.unit]
        unit.at, unit.came_from, unit.moved = self.to, self.came_from, self.phase
        unit.used += self.points
        unit.role = self.role or unit.role
        if unit.type not in ("transport", "aircraft-carrier"):
            return
        for cargo in g.units.values():
            if cargo.aboard == unit.id:
                cargo.at = self.to


@dataclass(frozen=True, slots=True)
class Boarded:
    """[TRN-02] [CVM-03] A unit is aboard a ship from now on, or leaves it (ship None)."""

    unit: int
    ship: int | None
    phase: str
    rule: str

    def apply(self, g: State) -> None:
        unit = g.units[self.unit]
        unit.aboard = self.ship
        if self.ship is not None:
            unit.at = g.units[self.ship].at
            unit.moved = self.phase or unit.moved


@dataclass(frozen=True, slots=True)
class Landed:
    """[NCM-10] [AMP-06] Cargo goes ashore from its transport."""

    unit: int
    transport: int
    territory: str
    role: str
    phase: str
    rule: str

    def apply(self, g: State) -> None:
        unit = g.units[self.unit]
        unit.came_from, unit.at, unit.aboard = unit.at, self.territory, None
        unit.role, unit.target, unit.moved = self.role, "", self.phase
        unit.used = 99
        g.landed_from[self.transport] = self.territory


@dataclass(frozen=True, slots=True)
class AssaultAnnounced:
    """[AMM-01] Cargo is to be landed on a territory in Conduct Combat."""

    unit: int
    territory: str
    rule: str = "AMM-01"

    def apply(self, g: State) -> None:
        g.units[self.unit].target = self.territory


@dataclass(frozen=True, slots=True)
class Engaged:
    """[CM-11] The phasing power chooses to fight the submarines or transports that share a zone with it."""

    zone: str
    what: str
    rule: str = "CM-11"

    def apply(self, g: State) -> None:
        here = g.engaged.setdefault(self.zone, [])
        if self.what not in here:
            here.append(self.what)
            here.sort()


@dataclass(frozen=True, slots=True)
class Pledged:
    """[AIR-02] An aircraft counts on a carrier that is to come to it, to stay for it, or to be placed under it."""

    unit: int
    rule: str = "AIR-02"

    def apply(self, g: State) -> None:
        g.pledged.append(self.unit)


# -- combat ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """Dice on the table: label, numbers, and how many hit."""

    label: Message
    dice: tuple[int, ...]
    hits: int
    rule: str

    def apply(self, g: State) -> None:
        return None


@dataclass(frozen=True, slots=True)
class Damaged:
    """[GC-13] A capital ship's first hit."""

    unit: int
    rule: str = "GC-13"

    def apply(self, g: State) -> None:
        g.units[self.unit].damaged = True


@dataclass(frozen=True, slots=True)
class Destroyed:
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


@dataclass(frozen=True, slots=True)
class RoleTaken:
    """[SCR-02] [SBR-03] [GC-07] A unit takes a part in this turn's combat, or gives it up."""

    unit: int
    role: str
    rule: str

    def apply(self, g: State) -> None:
        g.units[self.unit].role = self.role


@dataclass(frozen=True, slots=True)
class Fought:
    """[NCM-01] A unit has fought this turn and may not move in Noncombat Move, except to land."""

    unit: int
    rule: str = "NCM-01"

    def apply(self, g: State) -> None:
        g.units[self.unit].fought = True


@dataclass(frozen=True, slots=True)
class Relocated:
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


@dataclass(frozen=True, slots=True)
class KamikazeSpent:
    """[KAM-04] One of Japan's six attacks is announced in a zone."""

    zone: str
    rule: str = "KAM-04"

    def apply(self, g: State) -> None:
        g.kamikaze_left -= 1
        if self.zone not in g.kamikaze_zones:
            g.kamikaze_zones.append(self.zone)


@dataclass(frozen=True, slots=True)
class FacilityDamaged:
    """[SBR-07] Bombs on a facility."""

    territory: str
    facility: str
    points: int
    rule: str = "SBR-07"

    def apply(self, g: State) -> None:
        found = g.facility(self.territory, self.facility)
        assert found is not None
        found.damage += self.points


@dataclass(frozen=True, slots=True)
class SeaCombat:
    """[AMP-03] Combat took place in a zone: nobody bombards from it this turn."""

    zone: str
    rule: str

    def apply(self, g: State) -> None:
        if self.zone not in g.sea_battles:
            g.sea_battles.append(self.zone)


@dataclass(frozen=True, slots=True)
class BattleJoined:
    """[GC-20] A battle begins; `origins` are the spaces from which its attackers came, also those that it will cost."""

    space: str
    origins: tuple[str, ...]
    rule: str = "GC-20"

    def apply(self, g: State) -> None:
        g.attacked_from[self.space] = [*self.origins]


@dataclass(frozen=True, slots=True)
class BattleEnded:
    """[GC-19] A battle is over; `left`: whose units are left there."""

    space: str
    left: tuple[str, ...]
    rule: str = "GC-19"

    def apply(self, g: State) -> None:
        g.battles_done.append(self.space)


@dataclass(frozen=True, slots=True)
class RaidEnded:
    """[SBR-08] A raid is over."""

    territory: str
    rule: str = "SBR-08"

    def apply(self, g: State) -> None:
        g.bombed.append(self.territory)


@dataclass(frozen=True, slots=True)
class Scrambled:
    """[SCR-02] A fighter or tactical bomber takes off from its island to defend a zone."""

    unit: int
    zone: str
    rule: str = "SCR-02"

    def apply(self, g: State) -> None:
        unit = g.units[self.unit]
        unit.came_from, unit.at, unit.role, unit.aboard = unit.at, self.zone, "scramble", None


@dataclass(frozen=True, slots=True)
class TargetDropped:
    """[AMP-08] An announced landing does not take place."""

    unit: int
    rule: str = "AMP-08"

    def apply(self, g: State) -> None:
        g.units[self.unit].target = ""
