"""What the state of a game of Pacific War consists of: units, markers, missions, combats, headquarters, operations."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, field

from pbem.games.pacific_war.board import X

MOST_RESERVED, MONTHS_AHEAD = 50, 4  # [PW-CMD-05]


class Unit(Struct):
    """A counter in play. `box`: map, sealed (what is noted of it is what everybody last saw), or why it is off the map;
    `tf` and `screen`: its task force; `aboard`: the ship that carries it; `spent`: torpedo salvoes fired in this operation."""

    at: int = 0
    box: str = "map"
    hits: int = 0
    active: bool = False
    tf: str = ""
    screen: bool = False
    aboard: str = ""
    spent: int = 0
    demoralized: bool = False
    landed: bool = False  # [PW-AMP-05] came ashore or by parachute and must attack
    dropped: bool = False  # [PW-AIR-20] with `landed`: by parachute
    closed: bool = False  # cannot be activated again this month or scenario
    shore: int = 0  # [PW-MAP-01] in a double-coastline hex: the hex from which it came
    since: int = 0  # secret orders of its side that are older than what everybody knows of it


class Marker(Struct):
    """A task force marker (public place), or a force whose contents are sealed."""

    side: str
    at: int
    detected: bool = False
    handle: str = ""  # sealed contents; "" when they are public
    held: bool = False  # [PW-NAV-05] stays in an unfinished naval combat
    level: int = 0  # the best reconnaissance level the enemy has had of it
    shore: int = 0  # [PW-MAP-01] as of a unit


class Secret(Struct):
    """[PW-FOG-01] What changes the sealed units of a side, in its order: the kind of order, the seal that hides it, what
    everybody knows of it."""

    kind: str
    handle: str = ""
    facts: dict[str, Any] = field(default_factory=dict)


class Base(Struct):
    """An installation. `size` of an airfield: 6 or 18 steps of launch capacity; others 0."""

    side: str
    size: int = 0
    hits: int = 0
    interdicted: bool = False
    flak: int = X  # if it differs from the usual value


class Flight(Struct):
    """Units of a mission that move as one stack, and the hexes they fly through to the target."""

    units: list[str]
    path: list[int]


class Mission(Struct):
    """The air mission that is being flown."""

    side: str
    type: str  # strike, superiority, transfer, paradrop
    target: int
    flights: list[Flight]
    coordinated: bool = False
    detected: bool = False
    flown: dict[str, int] = field(default_factory=dict)  # hexes flown so far
    homes: dict[str, str] = field(default_factory=dict)  # the base each unit took off from
    hits: dict[str, int] = field(default_factory=dict)  # taken in this mission, for the abort
    aborted: list[str] = field(default_factory=list)
    alerted: list[str] = field(default_factory=list)
    targets: dict[str, list[str]] = field(default_factory=dict)
    fleets: list[str] = field(default_factory=list)  # task forces that are attacked
    cargo: dict[str, str] = field(default_factory=dict)  # airborne unit -> aircraft
    tested: list[str] = field(default_factory=list)  # ground units that have made their troop quality test
    rescued: bool = False
    simultaneous: list[str] = field(default_factory=list)
    landed: list[str] = field(default_factory=list)
    inland: bool = False  # it has chosen the Force of its target, not the task forces
    experienced: list[str] = field(default_factory=list)  # [PW-RPL-07] units of CAP and escort that rolled a zero


class Sea(Struct):
    """The naval combat that is being fought in a hex."""

    hex: int
    phase: int = 1
    range: str = ""
    surprise: str = ""  # the side that has it
    placed: dict[str, list[str]] = field(default_factory=dict)
    again: bool = False  # [PW-NAV-05] goes on from the last cycle


class Headquarters(Struct):
    """[PW-HQ-01] `box`: map, voluntary or involuntary (dispersed), gone; `due`: the month in which it comes back."""

    side: str
    at: int
    range: int
    cost: int
    points: int = 0
    box: str = "map"
    due: int = 0


class Operation(Struct):
    """[PW-TIM-02] The operation that is going on (campaigns and the strategic game)."""

    hq: str
    bid: int
    start: int  # the day on which it began
    days: int  # 14, 21 or 28; 0: sealed behind `length`, at most `longest`
    elapsed: int = 0  # days since the start
    level: int = 0
    spent: int = 0
    penalty: int = 0  # days after the start at which penalty time was last paid up to
    reaction: int = 0  # days after the start at which reaction time ends; 0: the other side has not activated
    reaction_level: int = 0
    last_cycles: int = 0  # cycles since the operations player has nobody activated
    month: int = 0  # in which it began
    intelligence: str = ""  # [PW-OIN-01] the die for the reaction player's strategic intelligence of that month
    length: str = ""
    longest: int = 0
    passed: int = 0  # the last end marker that was a false one
    held: dict[str, int] = field(default_factory=dict)  # headquarters -> points for each week more, held back for `longest`


class Allotment(Struct):
    """[PW-CMD-04] The sealed allocation of a month: how many points, the headquarters linked then, what hides it."""

    month: int
    handle: str
    total: int
    linked: list[str]


class Payment(Struct):
    """Points that a headquarters has spent; `bid`: of a bid, from the richest when it has not enough; "": of nobody."""

    hq: str
    points: int
    bid: bool = False


class Account(Struct):
    """[PW-CMD-01] A side's sealed command points: all its allotments, and what was paid since the last of them."""

    allotments: list[Allotment] = field(default_factory=list)
    paid: list[Payment] = field(default_factory=list)


class Work(Struct):
    """[PW-ENG-06] A construction: what is built, by which engineer, phases left."""

    kind: str  # port, airfield, upgrade
    side: str
    engineer: str
    left: int
    hits: int = 0
