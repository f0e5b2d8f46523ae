"""What is counted in a campaign: points, headquarters, replacements, works, control. More events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.games.pacific_war.records import Work
from pbem.games.pacific_war.state import ALLIES, JAPAN, State
from pbem.kernel.memo import PLACES

# -- command points and headquarters -----------------------------------------------------------------------------------


class PursesEmptied(Struct, frozen=True):
    """[PW-CMD-01] The command points of the last month lapse."""

    rule: str = "PW-CMD-01"

    def apply(self, g: State) -> None:
        g.purse = {JAPAN: 0, ALLIES: 0}


class PurseFilled(Struct, frozen=True):
    """[PW-CMD-01] A side's command points of the month."""

    side: str
    points: int
    rule: str = "PW-CMD-01"

    def apply(self, g: State) -> None:
        g.purse = {**g.purse, self.side: self.points}


class ReserveSet(Struct, frozen=True):
    """[PW-CMD-05] Points that a side keeps for a later month; 0 of month 0: none."""

    side: str
    month: int
    points: int
    rule: str = "PW-CMD-05"

    def apply(self, g: State) -> None:
        g.reserve = {**g.reserve, self.side: [self.month, self.points]}


class HqPointsSet(Struct, frozen=True):
    """[PW-CMD-04] The command points of a headquarters."""

    hq: str
    points: int
    rule: str

    def apply(self, g: State) -> None:
        g.hqs[self.hq].points = self.points


class HqReturns(Struct, frozen=True):
    """[PW-HQ-01] The month in which a dispersed headquarters comes back."""

    hq: str
    due: int
    rule: str = "PW-HQ-01"

    def apply(self, g: State) -> None:
        g.hqs[self.hq].due = self.due


class HqArrived(Struct, frozen=True):
    """[PW-HQ-01] A dispersed headquarters stands in a port again."""

    hq: str
    at: int
    rule: str = "PW-HQ-01"

    def apply(self, g: State) -> None:
        g.memo.forget(PLACES)
        hq = g.hqs[self.hq]
        hq.box, hq.due, hq.at = "map", 0, self.at


class HqDispersed(Struct, frozen=True):
    """[PW-HQ-01] A headquarters is dispersed: `box` voluntary or involuntary."""

    hq: str
    box: str
    rule: str = "PW-HQ-01"

    def apply(self, g: State) -> None:
        g.memo.forget(PLACES)
        g.hqs[self.hq].box = self.box


class HqLost(Struct, frozen=True):
    """[PW-HQ-01] A headquarters is out of the game."""

    hq: str
    rule: str = "PW-HQ-01"

    def apply(self, g: State) -> None:
        g.memo.forget(PLACES)
        g.hqs[self.hq].box = "gone"


class LinkBuilt(Struct, frozen=True):
    """[PW-CMD-10] An emergency link between two hexes."""

    name: str
    ends: tuple[int, ...]
    rule: str = "PW-CMD-10"

    def apply(self, g: State) -> None:
        g.memo.forget(PLACES)
        g.express = {**g.express, self.name: list(self.ends)}


class LinkDropped(Struct, frozen=True):
    """[PW-CMD-12] An emergency link is gone."""

    name: str
    rule: str = "PW-CMD-12"

    def apply(self, g: State) -> None:
        g.memo.forget(PLACES)
        g.express = {n: ends for n, ends in g.express.items() if n != self.name}


# -- reinforcements and replacements -----------------------------------------------------------------------------------


class PoolsChanged(Struct, frozen=True):
    """[PW-RPL-01] Replacement steps of a side: how many more or fewer, by pool."""

    side: str
    by: Mapping[str, int]
    rule: str

    def apply(self, g: State) -> None:
        mine = g.pools.get(self.side, {})
        g.pools = {**g.pools, self.side: {**mine, **{key: mine.get(key, 0) + n for key, n in self.by.items()}}}


class PoolsLost(Struct, frozen=True):
    """[PW-NAT-03] [PW-NAT-04] Replacement steps of a nation that has surrendered."""

    pools: tuple[str, ...]
    rule: str

    def apply(self, g: State) -> None:
        g.pools = {**g.pools, ALLIES: {key: n for key, n in g.pools.get(ALLIES, {}).items() if key not in self.pools}}


class ArrivalDelayed(Struct, frozen=True):
    """[PW-RNF-01] A reinforcement without room comes a month later."""

    unit: str
    month: int
    rule: str = "PW-RNF-01"

    def apply(self, g: State) -> None:
        late, side = str(self.month), g.side(self.unit)
        coming = g.schedule.get(late, {})
        g.schedule = {**g.schedule, late: {**coming, side: [*coming.get(side, []), self.unit]}}


class Stranded(Struct, frozen=True):
    """[PW-ACT-14] Units that are off the map until a month."""

    units: tuple[str, ...]
    month: int
    rule: str

    def apply(self, g: State) -> None:
        coming, due = g.schedule.get("stranded", {}), str(self.month)
        g.schedule = {**g.schedule, "stranded": {**coming, due: [*coming.get(due, []), *self.units]}}


class CanalClosed(Struct, frozen=True):
    """[PW-OPT-02] The schedule with the US reinforcements that come a month later."""

    schedule: dict[str, Any]
    rule: str = "PW-OPT-02"

    def apply(self, g: State) -> None:
        g.schedule = self.schedule


class WentAbroad(Struct, frozen=True):
    """[PW-EXT-01] A unit has left the map at an edge, with or without a ship, and is so many boxes away."""

    unit: str
    edge: str
    boxes: int
    ship: str
    rule: str = "PW-EXT-01"

    def apply(self, g: State) -> None:
        g.abroad = {**g.abroad, self.unit: [self.edge, self.boxes, self.ship]}


class AbroadNearer(Struct, frozen=True):
    """[PW-EXT-01] What is off the map comes a box nearer."""

    rule: str = "PW-EXT-01"

    def apply(self, g: State) -> None:
        g.abroad = {unit: [edge, max(0, left - 1), ship] for unit, (edge, left, ship) in g.abroad.items()}


class CameBack(Struct, frozen=True):
    """[PW-EXT-01] Units are not off the map any more."""

    units: tuple[str, ...]
    rule: str = "PW-EXT-01"

    def apply(self, g: State) -> None:
        g.abroad = {u: row for u, row in g.abroad.items() if u not in self.units}


# -- works and control -------------------------------------------------------------------------------------------------


class WorkBegan(Struct, frozen=True):
    """[PW-ENG-06] A construction begins in a hex."""

    place: int
    work: Work
    rule: str = "PW-ENG-06"

    def apply(self, g: State) -> None:
        g.works = {**g.works, self.place: replace(self.work)}


class WorkWentOn(Struct, frozen=True):
    """[PW-ENG-06] A month of work is done."""

    place: int
    rule: str = "PW-ENG-06"

    def apply(self, g: State) -> None:
        work = g.works[self.place]
        g.works = {**g.works, self.place: replace(work, left=work.left - 1, hits=0)}


class WorkHit(Struct, frozen=True):
    """[PW-ENG-10] A construction has so many hits of this month."""

    place: int
    hits: int
    rule: str

    def apply(self, g: State) -> None:
        g.works = {**g.works, self.place: replace(g.works[self.place], hits=self.hits)}


class WorkOver(Struct, frozen=True):
    """[PW-ENG-01] [PW-ENG-06] A construction is done, given up or destroyed."""

    place: int
    rule: str

    def apply(self, g: State) -> None:
        g.works = {h: w for h, w in g.works.items() if h != self.place}


class ControlTaken(Struct, frozen=True):
    """[PW-MOV-04] A side takes over a hex."""

    place: int
    side: str
    rule: str = "PW-MOV-04"

    def apply(self, g: State) -> None:
        g.memo.forget(PLACES)
        g.control = {**g.control, self.place: self.side}
