"""Air missions, naval combats, tests and sieges. More events."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy

from msgspec import Struct

from pbem.games.pacific_war.records import Mission, Sea
from pbem.games.pacific_war.state import ALLIES, State


def _mission(g: State) -> Mission:
    assert g.mission is not None
    return g.mission


def _sea(g: State) -> Sea:
    assert g.sea is not None
    return g.sea


# -- air missions ----------------------------------------------------------------------------------------------------------


class MissionBegan(Struct, frozen=True):
    """[PW-AIR-04] A mission takes off."""

    mission: Mission
    rule: str

    def apply(self, g: State) -> None:
        g.mission = copy(self.mission)  # what becomes of it later is not part of this event
        if self.mission.type not in ("transfer", "patrol"):
            g.targeted = [*g.targeted, self.mission.target]


class Coordinated(Struct, frozen=True):
    """[PW-AIR-05] Whether the units of a mission attack together."""

    good: bool
    rule: str = "PW-AIR-05"

    def apply(self, g: State) -> None:
        _mission(g).coordinated = self.good


class HomesNoted(Struct, frozen=True):
    """[PW-AIR-17] The base from which each unit of the mission took off."""

    homes: dict[str, str]
    rule: str = "PW-AIR-17"

    def apply(self, g: State) -> None:
        _mission(g).homes = dict(self.homes)


class FlewHex(Struct, frozen=True):
    """[PW-MOV-06] Units of the mission fly a hex."""

    units: tuple[str, ...]
    rule: str = "PW-MOV-06"

    def apply(self, g: State) -> None:
        m = _mission(g)
        m.flown = {**m.flown, **{u: m.flown.get(u, 0) + 1 for u in self.units}}


class MissionDetected(Struct, frozen=True):
    """[PW-SRC-06] The enemy has found the mission."""

    rule: str = "PW-SRC-06"

    def apply(self, g: State) -> None:
        _mission(g).detected = True


class Alerted(Struct, frozen=True):
    """[PW-AIR-08] These units of the attacked side rise against the mission."""

    units: tuple[str, ...]
    rule: str = "PW-AIR-08"

    def apply(self, g: State) -> None:
        _mission(g).alerted = list(self.units)


class AlertedAs(Struct, frozen=True):
    """[PW-RPL-07] An alerted unit has become another counter."""

    unit: str
    other: str
    rule: str = "PW-RPL-07"

    def apply(self, g: State) -> None:
        m = _mission(g)
        m.alerted = [self.other if u == self.unit else u for u in m.alerted]


class ExperienceGained(Struct, frozen=True):
    """[PW-RPL-07] Units that rolled a zero in air combat."""

    units: tuple[str, ...]
    rule: str = "PW-RPL-07"

    def apply(self, g: State) -> None:
        m = _mission(g)
        m.experienced = [*m.experienced, *self.units]


class StruckInland(Struct, frozen=True):
    """[PW-AIR-14] The mission has chosen the Force of its target, not the task forces."""

    rule: str = "PW-AIR-14"

    def apply(self, g: State) -> None:
        _mission(g).inland = True


class TargetsNamed(Struct, frozen=True):
    """[PW-AIR-14] [PW-AIR-13] Who attacks what; the task forces among the targets defend themselves."""

    targets: dict[str, list[str]]
    fleets: tuple[str, ...]
    rule: str = "PW-AIR-14"

    def apply(self, g: State) -> None:
        m = _mission(g)
        m.targets, m.fleets = dict(self.targets), list(self.fleets)


class MissionHit(Struct, frozen=True):
    """[PW-DMG-03] Steps that units of the mission have lost in it."""

    losses: Mapping[str, int]
    rule: str = "PW-DMG-03"

    def apply(self, g: State) -> None:
        m = _mission(g)
        m.hits = {**m.hits, **{u: m.hits.get(u, 0) + n for u, n in self.losses.items()}}


class GaveUp(Struct, frozen=True):
    """[PW-AIR-10] Units with two hits turn back. `units`: all that have and still fly; `new`: those that do so now."""

    units: tuple[str, ...]
    new: tuple[str, ...]
    rule: str = "PW-AIR-10"

    def apply(self, g: State) -> None:
        _mission(g).aborted = list(self.units)


class CrewsRescued(Struct, frozen=True):
    """[PW-AIR-21] An Allied submarine has saved the crews of a step, which comes back as a replacement."""

    pool: str
    rule: str = "PW-AIR-21"

    def apply(self, g: State) -> None:
        _mission(g).rescued = True
        mine = g.pools.get(ALLIES, {})
        g.pools = {**g.pools, ALLIES: {**mine, self.pool: mine.get(self.pool, 0) + 1}}


class FlewOn(Struct, frozen=True):
    """[PW-AIR-16] A transfer goes on to another hex before it lands."""

    target: int
    rule: str = "PW-AIR-16"

    def apply(self, g: State) -> None:
        _mission(g).target = self.target


class MissionLanded(Struct, frozen=True):
    """[PW-AIR-17] Units of the mission are at a base again."""

    units: tuple[str, ...]
    rule: str = "PW-AIR-17"

    def apply(self, g: State) -> None:
        m = _mission(g)
        m.landed = [*m.landed, *self.units]


class MissionEnded(Struct, frozen=True):
    """[PW-AIR-17] The mission is over."""

    rule: str = "PW-AIR-17"

    def apply(self, g: State) -> None:
        g.mission = None


class WaveWaits(Struct, frozen=True):
    """[PW-AIR-19] Units in the air wait for their simultaneous strike, which begins in a hex."""

    units: tuple[str, ...]
    origin: int
    rule: str = "PW-AIR-19"

    def apply(self, g: State) -> None:
        g.waves = {**g.waves, **dict.fromkeys(self.units, self.origin)}


class WaveLanded(Struct, frozen=True):
    """[PW-AIR-19] Units have made their simultaneous strike and wait no more."""

    units: tuple[str, ...]
    rule: str = "PW-AIR-19"

    def apply(self, g: State) -> None:
        g.waves = {u: h for u, h in g.waves.items() if u not in self.units}


class OnStation(Struct, frozen=True):
    """[PW-OPT-17] Units patrol over a hex. `flown`: hexes that each has flown there."""

    place: int
    flown: Mapping[str, int]
    rule: str = "PW-OPT-17"

    def apply(self, g: State) -> None:
        g.patrols = {**g.patrols, **{u: [self.place, n] for u, n in self.flown.items()}}


class PatrolEnded(Struct, frozen=True):
    """[PW-OPT-17] A unit patrols no more."""

    unit: str
    rule: str = "PW-OPT-17"

    def apply(self, g: State) -> None:
        g.patrols = {u: x for u, x in g.patrols.items() if u != self.unit}


class HaveFlown(Struct, frozen=True):
    """[PW-AIR-01] Units that have flown in this phase."""

    units: tuple[str, ...]
    rule: str = "PW-AIR-01"

    def apply(self, g: State) -> None:
        g.script = {**g.script, "flown": [*g.script.get("flown", []), *self.units]}
        if g.options.get("bomber-search") == "yes":
            g.script = {**g.script, "sorties": [*g.script.get("sorties", []), *self.units]}


class ScoutedFar(Struct, frozen=True):
    """[PW-OPT-08] A bomber has searched as an LRA: it flies no mission in this battle cycle."""

    unit: str
    rule: str = "PW-OPT-08"

    def apply(self, g: State) -> None:
        g.script = {**g.script, "scouts": [*g.script.get("scouts", []), self.unit]}


class Grounded(Struct, frozen=True):
    """[PW-WX-03] Units that the weather keeps on the ground in this phase."""

    units: tuple[str, ...]
    rule: str = "PW-WX-03"

    def apply(self, g: State) -> None:
        g.script = {**g.script, "weathered": [*g.script.get("weathered", ()), *self.units]}


class AirReady(Struct, frozen=True):
    """[PW-AIR-18] The phase is over: who has flown or was kept on the ground may fly again."""

    rule: str = "PW-AIR-18"

    def apply(self, g: State) -> None:
        g.script = {k: v for k, v in g.script.items() if k not in ("flown", "weathered")}


# -- naval combats ---------------------------------------------------------------------------------------------------------


class SeaBegan(Struct, frozen=True):
    """[PW-NAV-01] A naval combat begins in a hex, or is over (None)."""

    sea: Sea | None
    rule: str

    def apply(self, g: State) -> None:
        g.sea = copy(self.sea)


class RoundBegan(Struct, frozen=True):
    """[PW-NAV-03] The second or third phase of a naval combat."""

    phase: int
    rule: str = "PW-NAV-03"

    def apply(self, g: State) -> None:
        _sea(g).phase = self.phase


class RangeChanged(Struct, frozen=True):
    """[PW-NAV-06] Another range, as both sides have bid."""

    range: str
    rule: str = "PW-NAV-06"

    def apply(self, g: State) -> None:
        _sea(g).range = self.range


class ShipsPlaced(Struct, frozen=True):
    """[PW-NAV-03] The ships of both sides that stand in the naval combat, by side."""

    placed: Mapping[str, Sequence[str]]
    rule: str

    def apply(self, g: State) -> None:
        _sea(g).placed = {side: list(ships) for side, ships in self.placed.items()}


class CrippledShotAt(Struct, frozen=True):
    """[PW-SUB-05] Submarines have had their chance at a crippled ship."""

    ship: str
    rule: str = "PW-SUB-05"

    def apply(self, g: State) -> None:
        g.submarine_shots = [*g.submarine_shots, self.ship]


# -- tests and sieges -----------------------------------------------------------------------------------------------------


class QualityTested(Struct, frozen=True):
    """[PW-AIR-14] [PW-BOM-01] Troops have tested their quality in this phase."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.tested = [*g.tested, self.unit]


class Besieged(Struct, frozen=True):
    """[PW-SIE-01] The operations player besieges hexes."""

    side: str
    places: tuple[int, ...]
    rule: str = "PW-SIE-01"

    def apply(self, g: State) -> None:
        g.sieges = {**g.sieges, **dict.fromkeys(self.places, self.side)}


class SiegesOver(Struct, frozen=True):
    """[PW-SIE-01] Hexes are not besieged any more."""

    places: tuple[int, ...]
    rule: str = "PW-SIE-01"

    def apply(self, g: State) -> None:
        g.sieges = {h: side for h, side in g.sieges.items() if h not in self.places}
