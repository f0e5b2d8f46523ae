"""How units and task forces stand: activated, demoralized, aboard, in a task force, ashore, detected. More events."""

from __future__ import annotations

from msgspec import Struct

from pbem.games.pacific_war.state import State
from pbem.kernel.memo import PLACES, POSTURE

# -- units -----------------------------------------------------------------------------------------------------------------


class Activated(Struct, frozen=True):
    """[PW-ACT-03] A unit takes part in the operation."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.unit].active = True


class Deactivated(Struct, frozen=True):
    """[PW-ACT-14] A unit takes no part in the operation any more."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.unit].active = False


class Closed(Struct, frozen=True):
    """[PW-ACT-02] A unit cannot be activated again this month or scenario."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.unit].closed = True


class Reopened(Struct, frozen=True):
    """[PW-ACT-02] In a new month a unit may be activated again."""

    unit: str
    rule: str = "PW-ACT-02"

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.unit].closed = False


class Demoralized(Struct, frozen=True):
    """[PW-LND-08] Troops have failed a test of their quality."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.unit].demoralized = True


class Rallied(Struct, frozen=True):
    """[PW-RAL-01] Demoralized troops have recovered."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.unit].demoralized = False


class Boarded(Struct, frozen=True):
    """[PW-AMP-01] [PW-MOV-06] Troops or aircraft are aboard a ship from now on."""

    unit: str
    ship: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(PLACES)
        g.units[self.unit].aboard = self.ship


class WentAshore(Struct, frozen=True):
    """[PW-AMP-01] [PW-MOV-06] Troops or aircraft leave their ship."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(PLACES)
        g.units[self.unit].aboard = ""


class Landed(Struct, frozen=True):
    """[PW-AMP-05] [PW-AIR-20] Troops came over the beach, or `dropped` by parachute: among enemies they must attack."""

    unit: str
    dropped: bool
    rule: str

    def apply(self, g: State) -> None:
        g.units[self.unit].landed, g.units[self.unit].dropped = True, self.dropped


class Settled(Struct, frozen=True):
    """[PW-AMP-06] Troops that came from the sea or the air stand like others."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.units[self.unit].landed = False


class Arrived(Struct, frozen=True):
    """[PW-RNF-01] A unit comes into play; its hex follows."""

    unit: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget()
        g.units[self.unit].box = "map"


class ArrivesInSecret(Struct, frozen=True):
    """[PW-FOG-01] A reinforcement waits out of sight in a hex until its owner's secret order places it."""

    unit: str
    at: int
    rule: str = "PW-FOG-01"

    def apply(self, g: State) -> None:
        u = g.units[self.unit]
        u.at, u.since, u.box, u.aboard = self.at, g.orders_given(self.unit), "sealed", ""


class StepsCounted(Struct, frozen=True):
    """[PW-MER-01] [PW-AIR-22] With how many hits a unit stands that comes into play with a part of its steps."""

    unit: str
    hits: int
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.unit].hits = self.hits


class TorpedoesFired(Struct, frozen=True):
    """[PW-NAV-03] A salvo of this operation is gone."""

    ship: str
    rule: str = "PW-NAV-03"

    def apply(self, g: State) -> None:
        g.units[self.ship].spent += 1


class TorpedoesLoaded(Struct, frozen=True):
    """[PW-NAV-03] A new operation: a ship has all its salvoes."""

    ship: str
    rule: str = "PW-NAV-03"

    def apply(self, g: State) -> None:
        g.units[self.ship].spent = 0


# -- task forces -----------------------------------------------------------------------------------------------------------


class FleetJoined(Struct, frozen=True):
    """[PW-FOG-02] A ship is in a task force from now on."""

    ship: str
    marker: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.ship].tf = self.marker


class FleetLeft(Struct, frozen=True):
    """[PW-FOG-02] A ship is in no task force any more."""

    ship: str
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(POSTURE)
        g.units[self.ship].tf = ""


class ScreenSet(Struct, frozen=True):
    """[PW-FOG-02] A ship of a task force belongs to its screen, or to its core."""

    ship: str
    screen: bool
    rule: str

    def apply(self, g: State) -> None:
        g.units[self.ship].screen = self.screen


class Detected(Struct, frozen=True):
    """[PW-SRC-01] The enemy has found a task force."""

    marker: str
    rule: str

    def apply(self, g: State) -> None:
        g.markers[self.marker].detected = True


class Undetected(Struct, frozen=True):
    """[PW-DET-01] The enemy has lost a task force from sight."""

    marker: str
    rule: str = "PW-DET-01"

    def apply(self, g: State) -> None:
        g.markers[self.marker].detected = False


class Reconnoitred(Struct, frozen=True):
    """[PW-SRC-02] The enemy knows more of a task force than before: the level of it."""

    marker: str
    level: int
    rule: str = "PW-SRC-02"

    def apply(self, g: State) -> None:
        g.markers[self.marker].level = self.level


class ReconnaissanceLapsed(Struct, frozen=True):
    """[PW-DET-01] At the end of a cycle the enemy knows nothing of a task force any more."""

    marker: str
    rule: str = "PW-DET-01"

    def apply(self, g: State) -> None:
        g.markers[self.marker].level = 0


class Held(Struct, frozen=True):
    """[PW-NAV-05] A task force stays in an unfinished naval combat."""

    marker: str
    rule: str = "PW-NAV-05"

    def apply(self, g: State) -> None:
        g.markers[self.marker].held = True


class Released(Struct, frozen=True):
    """[PW-NAV-05] A task force is out of the naval combat."""

    marker: str
    rule: str

    def apply(self, g: State) -> None:
        g.markers[self.marker].held = False
