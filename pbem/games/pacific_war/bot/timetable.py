"""The timetable of the strategic war: which hexes a side wants until when, what it leaves alone until when, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from msgspec import Struct

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.state import STRATEGIC, State

TABLE = Path(__file__).with_name("timetable.yaml")
STRONGHOLD = 110  # worth of a goal that keeps a division once it is taken
LATE = 15  # worth that a goal gains with each month after its date
MOST_LATE = 6  # months
WAR_BEGINS = 44  # December 1941


class Goal(Struct, frozen=True):
    """A hex that is wanted from a month on and until another; months count down."""

    place: int
    begin: int
    by: int
    worth: int
    why: str


class Closed(Struct, frozen=True):
    """A region that is left alone until a month."""

    region: str
    until: int
    why: str


class Timetable(Struct, frozen=True):
    """What the file says."""

    goals: Mapping[str, Sequence[Goal]]
    closed: Mapping[str, Sequence[Closed]]
    kept: Mapping[str, Mapping[int, int]]
    theatres: Mapping[str, Sequence[str]]
    shipping: Mapping[str, int]
    offensives: Mapping[str, int]
    arrivals: Mapping[str, Mapping[str, Sequence[str]]]


@cache
def timetable() -> Timetable:
    """The timetable, read once."""
    plain: dict[str, Any] = yaml.safe_load(TABLE.read_text("utf-8"))
    sides = plain["closed"]
    return Timetable(
        {s: [Goal(x["hex"], x["from"], x["by"], x["worth"], x["why"]) for x in plain[s]] for s in sides},
        {s: [Closed(x["region"], x["until"], x["why"]) for x in rows] for s, rows in sides.items()},
        {s: {x["hex"]: x["until"] for x in rows} for s, rows in plain["kept"].items()},
        plain["theatres"],
        {s: x["from"] for s, x in plain["shipping"].items()},
        {s: x["from"] for s, x in plain["offensives"].items()},
        plain["arrivals"],
    )


def timed(g: State, side: str, found: Mapping[int, int]) -> dict[int, int]:
    """Prizes by the calendar: those of the timetable are worth more the later it is, closed regions nothing yet."""
    shut: set[int] = set()
    for one in timetable().closed[side]:
        if g.month > one.until:
            shut |= g.board.region(one.region)
    wanted = {goal.place: goal for goal in timetable().goals[side] if g.month <= goal.begin}
    return {
        h: worth + (_added(g, wanted[h]) if h in wanted else 0) for h, worth in found.items() if h not in shut or h in wanted
    }


def _added(g: State, goal: Goal) -> int:
    return goal.worth + LATE * min(MOST_LATE, max(0, goal.by - g.month))


def strongholds(side: str) -> frozenset[int]:
    """Goals that are worth so much that a division stays in them."""
    return frozenset(goal.place for goal in timetable().goals[side] if goal.worth >= STRONGHOLD)


def kept_whole(g: State, side: str, place: int) -> bool:
    """Everybody stays in a fortress that the timetable keeps."""
    return g.level == STRATEGIC and g.month > timetable().kept[side].get(place, WAR_BEGINS)


def ships_troops(g: State, side: str) -> bool:
    """The month has come from which the side ships troops from port to port."""
    return g.month <= timetable().shipping.get(side, WAR_BEGINS)


def attacks(g: State, side: str) -> bool:
    """The month has come from which the side gathers its points for an operation of its own, though the enemy leads."""
    return g.month <= timetable().offensives.get(side, WAR_BEGINS)


def arrives_at(nation: str, kind: str) -> Sequence[str]:
    """Headquarters at which the reinforcements of a nation arrive, the best first."""
    return timetable().arrivals.get(nation, {}).get(kind, ())


def wanted(side: str) -> frozenset[int]:
    """Every hex that the timetable has a side go for: the other does not take troops away from there."""
    return frozenset(goal.place for goal in timetable().goals[side])


def in_theatre(g: State, hq: str, place: int) -> bool:
    """A headquarters plans for a hex: in its regions, or within its range."""
    regions = timetable().theatres.get(hq)
    if regions is None:
        return distance(g.hqs[hq].at, place) <= g.hqs[hq].range
    return any(place in g.board.region(r) for r in regions)


def of_the_land(hq: str) -> bool:
    """A headquarters that plans for regions of the mainland: troops that it can spare go wherever they are wanted."""
    return hq in timetable().theatres
