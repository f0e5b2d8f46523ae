"""Combat and noncombat moves, transports, aircraft that rely on a carrier."""

from __future__ import annotations

from msgspec import Struct

from pbem.games.axis_and_allies_pacific.state import State
from pbem.games.axis_and_allies_pacific.stillness import moves_one, still


@moves_one
class Moved(Struct, frozen=True):
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


@moves_one
class Boarded(Struct, frozen=True):
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


@moves_one
class Landed(Struct, frozen=True):
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


@still
class AssaultAnnounced(Struct, frozen=True):
    """[AMM-01] Cargo is to be landed on a territory in Conduct Combat."""

    unit: int
    territory: str
    rule: str = "AMM-01"

    def apply(self, g: State) -> None:
        g.units[self.unit].target = self.territory


@still
class Engaged(Struct, frozen=True):
    """[CM-11] The phasing power chooses to fight the submarines or transports that share a zone with it."""

    zone: str
    what: str
    rule: str = "CM-11"

    def apply(self, g: State) -> None:
        here = g.engaged.setdefault(self.zone, [])
        if self.what not in here:
            here.append(self.what)
            here.sort()


@still
class Pledged(Struct, frozen=True):
    """[AIR-02] An aircraft counts on a carrier that is to come to it, to stay for it, or to be placed under it."""

    unit: int
    rule: str = "AIR-02"

    def apply(self, g: State) -> None:
        g.pledged.append(self.unit)
