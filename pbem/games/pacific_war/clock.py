"""What time does: months, days, cycles, phases, light, and the operations in them. More events."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy

from msgspec import Struct

from pbem.games.pacific_war.records import Operation
from pbem.games.pacific_war.state import State

BID_MONTH = "bid month"  # the month in which both sides bid last


def going_on(g: State) -> Operation:
    """The operation that goes on."""
    assert g.operation is not None
    return g.operation


# -- months, days, phases ----------------------------------------------------------------------------------------------


class MonthBegan(Struct, frozen=True):
    """[PW-SEQ-06] A new month."""

    month: int
    rule: str = "PW-SEQ-06"

    def apply(self, g: State) -> None:
        g.month = self.month


class DayCame(Struct, frozen=True):
    """[PW-CAL-01] The day marker moves. `passed`: days that count for the operation that goes on."""

    day: int
    passed: int = 0
    rule: str = "PW-CAL-01"

    def apply(self, g: State) -> None:
        g.day = self.day
        if g.operation is not None:
            g.operation.elapsed += self.passed


class WeatherSet(Struct, frozen=True):
    """[PW-WX-01] The weather of the month, by zone."""

    weather: Mapping[str, str]
    rule: str = "PW-WX-01"

    def apply(self, g: State) -> None:
        g.weather = dict(self.weather)


class CycleBegan(Struct, frozen=True):
    """[PW-SEQ-01] A new battle cycle."""

    cycle: int
    rule: str = "PW-SEQ-01"

    def apply(self, g: State) -> None:
        g.cycle = self.cycle
        g.script = {k: v for k, v in g.script.items() if k not in ("sorties", "scouts")}


class CyclesCleared(Struct, frozen=True):
    """[PW-SEQ-03] The battle cycles of a new operation count from zero, its steps at sea and privileges of light too."""

    rule: str = "PW-SEQ-03"

    def apply(self, g: State) -> None:
        g.cycle, g.light_used, g.steps_made, g.reaction_steps, g.submarine_shots = 0, False, 0, 0, []


class PhaseBegan(Struct, frozen=True):
    """[PW-SEQ-01] A phase; what counts for one phase only is forgotten."""

    phase: str
    rule: str

    def apply(self, g: State) -> None:
        g.phase = self.phase
        match self.phase:
            case "movement":
                g.moved, g.searched = {}, []
            case "air":
                g.targeted, g.tested = [], []
            case "bombardment":
                g.tested = []


class LightSet(Struct, frozen=True):
    """[PW-LUM-02] The light of the cycle."""

    light: str
    rule: str

    def apply(self, g: State) -> None:
        g.light = self.light


class LightChosen(Struct, frozen=True):
    """[PW-LUM-01] [PW-LUM-02] The operations player has used his privilege of light in this operation."""

    rule: str

    def apply(self, g: State) -> None:
        g.light_used = True


class AdvantageSet(Struct, frozen=True):
    """[PW-ADV-01] Who moves and flies first in this cycle."""

    side: str
    rule: str

    def apply(self, g: State) -> None:
        g.advantage = self.side


# -- operations --------------------------------------------------------------------------------------------------------


class OperatorNamed(Struct, frozen=True):
    """[PW-BID-02] The operations player."""

    side: str
    rule: str

    def apply(self, g: State) -> None:
        g.operator = self.side


class FreeBaseGranted(Struct, frozen=True):
    """[PW-OSB-01] A new operation may have one support base for nothing. `bids_in`: the month in which bids were made, or 0."""

    side: str
    bids_in: int
    rule: str = "PW-OSB-01"

    def apply(self, g: State) -> None:
        bids = {BID_MONTH: self.bids_in} if self.bids_in else {}
        g.script = {**g.script, "free_osb": self.side, **bids}


class FreeBaseUsed(Struct, frozen=True):
    """[PW-OSB-01] The support base for nothing is built."""

    rule: str = "PW-OSB-01"

    def apply(self, g: State) -> None:
        g.script = {k: v for k, v in g.script.items() if k != "free_osb"}


class NextClaimSet(Struct, frozen=True):
    """[PW-BID-05] Who may begin the next operation without a bid; NOBODY after a claimed one, "" otherwise."""

    side: str
    rule: str = "PW-BID-05"

    def apply(self, g: State) -> None:
        g.claims_next = self.side


class OperationBegan(Struct, frozen=True):
    """[PW-TIM-02] An operation begins."""

    operation: Operation
    rule: str = "PW-TIM-02"

    def apply(self, g: State) -> None:
        g.operation = copy(self.operation)  # what becomes of it later is not part of this event


class OperationEnded(Struct, frozen=True):
    """[PW-SEQ-05] The operation is over."""

    rule: str = "PW-SEQ-05"

    def apply(self, g: State) -> None:
        g.operation, g.fallen = None, {}


class PointsHeld(Struct, frozen=True):
    """[PW-TIM-02] A headquarters holds points back for each week more that the operation may last in secret."""

    hq: str
    points: int
    rule: str = "PW-TIM-02"

    def apply(self, g: State) -> None:
        o = going_on(g)
        o.held = {**o.held, self.hq: o.held.get(self.hq, 0) + self.points}


class HeldPointsLapsed(Struct, frozen=True):
    """[PW-CMD-04] Points held back for an operation lapse with a new allocation."""

    rule: str = "PW-CMD-04"

    def apply(self, g: State) -> None:
        going_on(g).held = {}


class LengthShown(Struct, frozen=True):
    """[PW-TIM-02] The length of an operation that was secret."""

    days: int
    rule: str = "PW-TIM-02"

    def apply(self, g: State) -> None:
        going_on(g).days = self.days


class FalseEndPassed(Struct, frozen=True):
    """[PW-TIM-02] An end marker was a false one."""

    days: int
    rule: str = "PW-TIM-02"

    def apply(self, g: State) -> None:
        going_on(g).passed = self.days


class PenaltyBegan(Struct, frozen=True):
    """[PW-TIM-04] Penalty time is paid up to so many days after the start."""

    until: int
    rule: str = "PW-TIM-04"

    def apply(self, g: State) -> None:
        going_on(g).penalty = self.until


class ReactionTimed(Struct, frozen=True):
    """[PW-TIM-05] Reaction time ends so many days after the start."""

    until: int
    rule: str = "PW-TIM-05"

    def apply(self, g: State) -> None:
        going_on(g).reaction = self.until


class LastCycleCounted(Struct, frozen=True):
    """[PW-TIM-05] Another cycle since the operations player has nobody activated."""

    rule: str = "PW-TIM-05"

    def apply(self, g: State) -> None:
        going_on(g).last_cycles += 1


class RoutesWritten(Struct, frozen=True):
    """[PW-SOL-01] The routes of a solitaire operation."""

    routes: Mapping[str, list[int]]
    rule: str = "PW-SOL-01"

    def apply(self, g: State) -> None:
        g.plan = dict(self.routes)


class ConditionSet(Struct, frozen=True):
    """[PW-OIN-01] The intelligence condition of the operation."""

    condition: str
    rule: str = "PW-OIN-01"

    def apply(self, g: State) -> None:
        g.condition = self.condition
