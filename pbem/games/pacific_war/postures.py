"""How units and task forces stand: activated, demoralized, aboard, in a task force, ashore, detected. More events."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games.pacific_war.state import State
from pbem.kernel.memo import PLACES, POSTURE

# -- units -----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Activated:
    """[PW-ACT-03] A unit takes part in the operation."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.unit].active = True


@dataclass(frozen=True, slots=True)
class Deactivated:
    """[PW-ACT-14] A unit takes no part in the operation any more."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.unit].active = False


@dataclass(frozen=True, slots=True)
class Closed:
    """[PW-ACT-02] A unit cannot be activated again this month or scenario."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.unit].closed = True


@dataclass(frozen=True, slots=True)
class Reopened:
    """[PW-ACT-02] In a new month a unit may be activated again."""

    unit: str
    rule: str = "PW-ACT-02"

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.unit].closed = False


@dataclass(frozen=True, slots=True)
class Demoralized:
    """[PW-LND-08] Troops have failed a test of their quality."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.unit].demoralized = True


@dataclass(frozen=True, slots=True)
class Rallied:
    """[PW-RAL-01] Demoralized troops have recovered."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.unit].demoralized = False


@dataclass(frozen=True, slots=True)
class Boarded:
    """[PW-AMP-01] [PW-MOV-06] Troops or aircraft are aboard a ship from now on."""

    unit: str
    ship: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(PLACES)
        g.units[self.unit].aboard = self.ship


@dataclass(frozen=True, slots=True)
class WentAshore:
    """[PW-AMP-01] [PW-MOV-06] Troops or aircraft leave their ship."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(PLACES)
        g.units[self.unit].aboard = ""


@dataclass(frozen=True, slots=True)
class Landed:
    """[PW-AMP-05] [PW-AIR-20] Troops came over the beach, or `dropped` by parachute: among enemies they must attack."""

    unit: str
    dropped: bool
    rule: str

    def apply(self, g: State) -> None:
        g.units[self.unit].landed, g.units[self.unit].dropped = True, self.dropped


@dataclass(frozen=True, slots=True)
class Settled:
    """[PW-AMP-06] Troops that came from the sea or the air stand like others."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.units[self.unit].landed = False


@dataclass(frozen=True, slots=True)
class Arrived:
    """[PW-RNF-01] A unit comes into play; its hex follows."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget()
        g.units[self.unit].box = "map"


@dataclass(frozen=True, slots=True)
class ArrivesInSecret:
    """[PW-FOG-01] A reinforcement waits out of sight in a hex until its owner's secret order places it."""

    unit: str
    at: int
    rule: str = "PW-FOG-01"

    def apply(self, g: State) -> None:
        u = g.units[self.unit]
        u.at, u.since, u.box, u.aboard = self.at, g.orders_given(self.unit), "sealed", ""


@dataclass(frozen=True, slots=True)
class StepsCounted:
    """[PW-MER-01] [PW-AIR-22] With how many hits a unit stands that comes into play with a part of its steps."""

    unit: str
    hits: int
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.unit].hits = self.hits


@dataclass(frozen=True, slots=True)
class TorpedoesFired:
    """[PW-NAV-03] A salvo of this operation is gone."""

    ship: str
    rule: str = "PW-NAV-03"

    def apply(self, g: State) -> None:
        g.units[self.ship].spent += 1


@dataclass(frozen=True, slots=True)
class TorpedoesLoaded:
    """[PW-NAV-03] A new operation: a ship has all its salvoes."""

    ship: str
    rule: str = "PW-NAV-03"

    def apply(self, g: State) -> None:
        g.units[self.ship].spent = 0


# -- task forces -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class FleetJoined:
    """[PW-FOG-02] A ship is in a task force from now on."""

    ship: str
    marker: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.ship].tf = self.marker


@dataclass(frozen=True, slots=True)
class FleetLeft:
    """[PW-FOG-02] A ship is in no task force any more."""

    ship: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.ship].tf = ""


@dataclass(frozen=True, slots=True)
class ScreenSet:
    """[PW-FOG-02] A ship of a task force belongs to its screen, or to its core."""

    ship: str
    screen: bool
    rule: str

    def apply(self, g: State) -> None:
        g.units[self.ship].screen = self.screen


@dataclass(frozen=True, slots=True)
class Detected:
    """[PW-SRC-01] The enemy has found a task force."""

    marker: str
    rule: str

    def apply(self, g: State) -> None:
        g.markers[self.marker].detected = True


@dataclass(frozen=True, slots=True)
class Undetected:
    """[PW-DET-01] The enemy has lost a task force from sight."""

    marker: str
    rule: str = "PW-DET-01"

    def apply(self, g: State) -> None:
        g.markers[self.marker].detected = False


@dataclass(frozen=True, slots=True)
class Reconnoitred:
    """[PW-SRC-02] The enemy knows more of a task force than before: the level of it."""

    marker: str
    level: int
    rule: str = "PW-SRC-02"

    def apply(self, g: State) -> None:
        g.markers[self.marker].level = self.level


@dataclass(frozen=True, slots=True)
class ReconnaissanceLapsed:
    """[PW-DET-01] At the end of a cycle the enemy knows nothing of a task force any more."""

    marker: str
    rule: str = "PW-DET-01"

    def apply(self, g: State) -> None:
        g.markers[self.marker].level = 0


@dataclass(frozen=True, slots=True)
class Held:
    """[PW-NAV-05] A task force stays in an unfinished naval combat."""

    marker: str
    rule: str = "PW-NAV-05"

    def apply(self, g: State) -> None:
        g.markers[self.marker].held = True


@dataclass(frozen=True, slots=True)
class Released:
    """[PW-NAV-05] A task force is out of the naval combat."""

    marker: str
    rule: str

    def apply(self, g: State) -> None:
        g.markers[self.marker].held = False
