"""What the strategic game counts: shipping, bombers, resources, initiative, ship losses, conversions. More events."""

from __future__ import annotations

from msgspec import Struct

from pbem.games.pacific_war.state import State
from pbem.kernel.memo import PLACES


def _count(g: State, key: str, number: int) -> None:
    g.ledger = {**g.ledger, key: number}


def _drop(g: State, key: str) -> None:
    g.ledger = {k: n for k, n in g.ledger.items() if k != key}


class MerchantsSet(Struct, frozen=True):
    """[PW-MER-01] The points of Japanese merchant shipping."""

    points: int
    rule: str

    def apply(self, g: State) -> None:
        _count(g, "merchants", self.points)


class EscortsSet(Struct, frozen=True):
    """[PW-MER-01] The steps of Japanese escorts."""

    steps: int
    rule: str

    def apply(self, g: State) -> None:
        _count(g, "escorts", self.steps)


class PriorityChosen(Struct, frozen=True):
    """[PW-MER-02] Whether the submarines hunt escorts rather than merchants."""

    escorts: bool
    rule: str = "PW-MER-02"

    def apply(self, g: State) -> None:
        _count(g, "priority escorts", int(self.escorts))


class HarassersSet(Struct, frozen=True):
    """[PW-MER-03] The steps of submarines that harass merchant shipping."""

    steps: int
    rule: str

    def apply(self, g: State) -> None:
        _count(g, "harassing", self.steps)


class BomberPointsSet(Struct, frozen=True):
    """[PW-STB-01] The points of a group of strategic bombers."""

    group: str
    points: int
    rule: str

    def apply(self, g: State) -> None:
        _count(g, f"{self.group} points", self.points)


class BombersBased(Struct, frozen=True):
    """[PW-STB-02] The airfield of a group of strategic bombers; 0: none."""

    group: str
    place: int
    rule: str = "PW-STB-02"

    def apply(self, g: State) -> None:
        _count(g, f"{self.group} at", self.place)


class RaidMade(Struct, frozen=True):
    """[PW-STB-03] How many raids the strategic bombers have flown."""

    raids: int
    rule: str = "PW-STB-03"

    def apply(self, g: State) -> None:
        _count(g, "raids", self.raids)


class DoolittleFlown(Struct, frozen=True):
    """[PW-STB-06] The Doolittle raid is flown."""

    rule: str = "PW-STB-06"

    def apply(self, g: State) -> None:
        _count(g, "doolittle", 0)


class HomeBombed(Struct, frozen=True):
    """[PW-RES-02] The resource points that are left of a Japanese home hex."""

    place: int
    left: int
    rule: str = "PW-RES-02"

    def apply(self, g: State) -> None:
        g.memo.forget(PLACES)
        _count(g, f"home {self.place:04d}", self.left)


class ResourceDemolished(Struct, frozen=True):
    """[PW-ENG-05] A resource hex is out of use."""

    place: int
    rule: str

    def apply(self, g: State) -> None:
        g.memo.forget(PLACES)
        _count(g, f"demolished {self.place:04d}", 1)


class ResourceRestored(Struct, frozen=True):
    """[PW-ENG-05] A resource hex is in use again."""

    place: int
    rule: str = "PW-ENG-05"

    def apply(self, g: State) -> None:
        g.memo.forget(PLACES)
        _drop(g, f"demolished {self.place:04d}")


class StepsExited(Struct, frozen=True):
    """[PW-EXT-01] How many Japanese steps have marched into India."""

    steps: int
    rule: str = "PW-EXT-01"

    def apply(self, g: State) -> None:
        _count(g, "exited steps", self.steps)


class NationFell(Struct, frozen=True):
    """[PW-NAT-02] A nation has surrendered."""

    nation: str
    rule: str

    def apply(self, g: State) -> None:
        _count(g, f"surrendered {self.nation}", 1)


class InitiativeMoved(Struct, frozen=True):
    """[PW-SI-01] The marker of strategic initiative: how many spaces from the middle; positive: towards Japan."""

    space: int
    rule: str

    def apply(self, g: State) -> None:
        g.initiative = self.space


class AlliesLed(Struct, frozen=True):
    """[PW-OPT-14] The initiative has been with the Allies once."""

    rule: str = "PW-OPT-14"

    def apply(self, g: State) -> None:
        _count(g, "allies led", 1)


class OverrunCounted(Struct, frozen=True):
    """[PW-SI-02] An airfield or port has fallen to the Allies, which counts once."""

    kind: str
    place: int
    rule: str = "PW-SI-02"

    def apply(self, g: State) -> None:
        _count(g, f"overrun {self.kind} {self.place:04d}", 1)


class LossExcused(Struct, frozen=True):
    """[PW-SI-03] Hits that come off or on otherwise than by the enemy are no losses of the operation."""

    ship: str
    hits: int
    rule: str = "PW-SI-03"

    def apply(self, g: State) -> None:
        key = f"hits {self.ship}"
        _count(g, key, g.ledger.get(key, 0) + self.hits)


class LossesSettled(Struct, frozen=True):
    """[PW-SI-03] Hits that stand on ships now count no more."""

    rule: str = "PW-SI-03"

    def apply(self, g: State) -> None:
        hits = {f"hits {u}": x.hits for u, x in g.units.items() if g.counter(u).kind == "naval" and x.hits}
        g.ledger = {**{k: n for k, n in g.ledger.items() if not k.startswith("hits ")}, **hits}


class ConversionCounted(Struct, frozen=True):
    """[PW-OPT-21] The months that a ship has been converted."""

    ship: str
    months: int
    rule: str = "PW-OPT-21"

    def apply(self, g: State) -> None:
        _count(g, f"converting {self.ship}", self.months)


class ConversionStopped(Struct, frozen=True):
    """[PW-OPT-21] A conversion is interrupted or done."""

    ship: str
    rule: str = "PW-OPT-21"

    def apply(self, g: State) -> None:
        _drop(g, f"converting {self.ship}")


class PanamaBombarded(Struct, frozen=True):
    """[PW-OPT-02] The Panama Canal has been bombarded, which happens once."""

    rule: str = "PW-OPT-02"

    def apply(self, g: State) -> None:
        _count(g, "panama", 1)


class PointsCame(Struct, frozen=True):
    """[PW-RNF-01] Points that the schedule gives by name, such as those of a group of bombers: how many there are now."""

    name: str
    points: int
    rule: str = "PW-RNF-01"

    def apply(self, g: State) -> None:
        _count(g, self.name, self.points)
