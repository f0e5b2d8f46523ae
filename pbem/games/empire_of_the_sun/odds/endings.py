"""[9.3] [9.4] [9.5] What the courses of a battle come to: who wins, who retreats, steps lost, units left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct, field

from pbem.games.empire_of_the_sun.battle.participants import escorts, firing_units, ground_units
from pbem.games.empire_of_the_sun.events.battles import BattleEnded, Fired, GarrisonLost
from pbem.games.empire_of_the_sun.events.offensives import TurnedBack
from pbem.games.empire_of_the_sun.events.units import Eliminated, Returned
from pbem.games.empire_of_the_sun.odds.courses import Course, Deciding, Plans, courses
from pbem.games.empire_of_the_sun.state import FOE, State, offensive

EMPTY = "nothing"


class Ending(Struct, frozen=True):
    """The end of one battle. Steps with those of garrisons; `left`: names of the units that still stand, by comma."""

    won: bool
    at_sea: bool  # the air-naval round was fought and won by the attacker
    taken: bool  # he has won, and his ground units alone are left; what is left of a garrison goes with its hex
    critical: bool
    attacker_retreats: bool
    defender_retreats: bool
    attacker_lost: int
    defender_lost: int
    attacker_left: str
    defender_left: str


class Odds(Struct):
    """All endings of a battle with their probabilities; `dice`: the most that are thrown; `supposed` as in Deciding."""

    chances: dict[Ending, float] = field(default_factory=dict)
    dice: int = 0
    supposed: Sequence[tuple[str, str]] = ()


def participants(g: State, side: str, place: int) -> list[str]:
    """[9.1] Everybody of a side that a battle may cost a step."""
    return [*dict.fromkeys([*firing_units(g, side, place), *escorts(g, side, place), *ground_units(g, side, place)])]


def odds_of(g: State, place: int, plans: Plans) -> Odds:
    """The battle in a hex, as if it came next."""
    deciding, found = Deciding(plans), Odds()
    sides = {side: participants(g, side, place) for side in FOE}
    for course in courses(g, place, deciding):
        ending = _ending(g, course, place, sides)
        found.chances[ending] = found.chances.get(ending, 0.0) + course.chance
        found.dice = max(found.dice, course.dice)
    found.supposed = sorted(deciding.supposed, key=lambda asked: (asked[0] != offensive(g).side, asked[1]))
    return found


def _ending(before: State, course: Course, place: int, sides: dict[str, list[str]]) -> Ending:
    mine, after, events = offensive(before).side, course.g, course.g.events
    foe = FOE[mine]
    ended = {e.kind: e.winner for e in events if isinstance(e, BattleEnded)}
    garrison = sum(e.steps for e in events if isinstance(e, GarrisonLost))
    won = ended["battle"] == mine
    return Ending(
        won,
        ended.get("air-naval", "") == mine,
        won and bool(ground_units(after, mine, place)) and not after.mine_at(foe, place, "ground"),
        any(isinstance(e, Fired) and e.critical for e in events),
        _retreated(before, events, mine),
        _retreated(before, events, foe),
        _lost(before, after, sides[mine]),
        _lost(before, after, sides[foe]) + garrison,
        named(after, sides[mine]),
        named(after, sides[foe]),
    )


def _retreated(g: State, events: Iterable[object], side: str) -> bool:
    """[9.5] [9.32] Units of a side left the hex, went back to sea or were lost for want of a way out."""
    return any(
        isinstance(e, Returned | TurnedBack | Eliminated) and e.rule in ("9.5", "9.32") and g.counter(e.unit).side == side
        for e in events
    )


def _lost(before: State, after: State, units: Iterable[str]) -> int:
    return sum(before.steps(u) - (after.steps(u) if after.pieces[u].box == "map" else 0) for u in units)


def named(g: State, units: Iterable[str]) -> str:
    """Units that stand on the map, as an order would name them."""
    there = [u for u in units if g.pieces[u].box == "map"]
    return ", ".join(g.counter(u).name + (" reduced" if g.pieces[u].reduced else "") for u in there) or EMPTY
