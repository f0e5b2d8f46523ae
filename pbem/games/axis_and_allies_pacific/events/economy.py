"""Purchase, repair, mobilization, income and convoys: what happens to money and new units."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from pbem.games.axis_and_allies_pacific.state import Facility, State, Unit
from pbem.games.axis_and_allies_pacific.stillness import still, still_but_for_land


@still
class Bought(Struct, frozen=True):
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


@still
class Refunded(Struct, frozen=True):
    """[AMB-UNPLACED] What cannot be placed goes back to the bank at full price."""

    power: str
    ipc: int
    rule: str = "AMB-UNPLACED"

    def apply(self, g: State) -> None:
        g.purchased[self.power] = {}
        g.cash[self.power] += self.ipc


class Repaired(Struct, frozen=True):
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


class ShipRepaired(Struct, frozen=True):
    """[PUR-04] A capital ship made whole by a naval base."""

    unit: int
    rule: str = "PUR-04"

    def apply(self, g: State) -> None:
        g.units[self.unit].damaged = False


class UnitPlaced(Struct, frozen=True):
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


@still_but_for_land
class FacilityBuilt(Struct, frozen=True):
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


@still
class Production(Struct, frozen=True):
    """[INC-01] The level of production, less what was lost to convoy attacks."""

    power: str
    level: int
    convoys: int
    rule: str = "INC-01"

    def apply(self, g: State) -> None:
        g.cash[self.power] += self.level - self.convoys


class ConvoyLost(Struct, frozen=True):
    """[CONV-02] A convoy attack in a zone; the money is missing when the power's production is paid."""

    power: str
    zone: str
    ipc: int
    to: str
    rule: str = "CONV-02"

    def apply(self, g: State) -> None:
        """Nothing yet."""


@still
class Earned(Struct, frozen=True):
    """[INC] Money from the bank beside what the land produces."""

    power: str
    ipc: int
    why: Literal["war economy", "Burma Road"]
    rule: str

    def apply(self, g: State) -> None:
        g.cash[self.power] += self.ipc


@still
class ObjectivePaid(Struct, frozen=True):
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
