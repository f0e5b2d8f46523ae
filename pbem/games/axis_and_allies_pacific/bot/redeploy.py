"""Noncombat moves: aircraft land, ships sail, land units go to the front or guard what is threatened."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.axis_and_allies_pacific.bot.airfields import land_aircraft
from pbem.games.axis_and_allies_pacific.bot.ending import is_last_turn
from pbem.games.axis_and_allies_pacific.bot.ferry import ferry
from pbem.games.axis_and_allies_pacific.bot.fleets import guard_islands, move_ships
from pbem.games.axis_and_allies_pacific.bot.forces import is_needed_in_city, orders_for
from pbem.games.axis_and_allies_pacific.bot.garrisons import leave_guards, stand_fast
from pbem.games.axis_and_allies_pacific.bot.judgement import (
    FAR,
    MARCHING,
    Temper,
    garrison,
    is_guarded,
    is_key,
    is_wanted,
    steps,
    worth,
)
from pbem.games.axis_and_allies_pacific.bot.posts import rebase
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.bot.value import counter, judged
from pbem.games.axis_and_allies_pacific.paths import is_open, reach
from pbem.games.axis_and_allies_pacific.politics import why_not_enter
from pbem.games.axis_and_allies_pacific.state import SIDES, State, Unit, enemy_units, is_friendly, movement_points, side_of


def plan_noncombat(g: State, power: str, mind: Temper) -> Rehearsal:
    """Orders for the whole phase."""
    stage = Rehearsal(g, power)
    guard_islands(stage, mind)
    if is_last_turn(g):
        stand_fast(stage, mind)
    else:
        pull = _pull(stage.g, power, mind)
        ferry(stage, pull, [t for t in pull if is_open(stage.g, power, t) and _can_stay(stage.g, power, t, ())])
        move_land(stage, mind)
        if power == "japan":  # a single man is a guard against infantry; to its aircraft he would be a gift
            leave_guards(stage, mind)
    land_aircraft(stage, mind)
    rebase(stage, mind)
    landed = len(stage.orders)
    move_ships(stage, mind)
    if not stage.may_end():
        del stage.orders[landed:]  # a deck that attackers count on has gone: the ships stay
    return stage


QUAY = 60  # as far from what is worth having as a shore counts for those whom no road leads there
DRAW = 14  # the most that a goal draws troops from afar: three for each step of the way


# -- land --------------------------------------------------------------------------------------------------------------


def move_land(stage: Rehearsal, mind: Temper) -> None:
    """Whoever is not needed where he is goes with others to the front, in such numbers that they can stay there."""
    pull = _pull(stage.g, stage.power, mind)
    places = [t for t in stage.g.board.territories if is_open(stage.g, stage.power, t)]
    for goal in sorted(places, key=lambda t: (pull.get(t, FAR), t)):
        _assemble(stage, goal, pull)
    for origin in places:
        _retire(stage, origin)


def _assemble(stage: Rehearsal, goal: str, pull: dict[str, int]) -> None:
    """All who come nearer to the enemy by it go to one place, if they can hold it together."""
    g, power = stage.g, stage.power
    coming = [u for u in _free(g, power) if pull.get(goal, FAR) < pull.get(u.at, FAR) and goal in _marches(g, u)]
    coming = [u for u in coming if not is_key(g, u.at) or is_guarded(g, power, u.at, [u.id])]
    if not coming or not _can_stay(g, power, goal, coming):
        return
    for unit in coming:
        g = stage.g
        here = g.units[unit.id]
        if here.moved or _leaves_open(g, power, here) or _is_guard(g, power, here):
            continue
        stage.attempt(orders_for([here], goal))


def _is_guard(g: State, power: str, unit: Unit) -> bool:
    """A key place is not safe without it."""
    at = unit.at
    return is_key(g, at) and (is_needed_in_city(g, power, at, [unit.id]) or not is_guarded(g, power, at, [unit.id]))


def _leaves_open(g: State, power: str, unit: Unit) -> bool:
    """Nobody would be left on land that brings income and that an enemy beside it could walk into."""
    at = unit.at
    if not g.board.territories[at].ipc or any(
        u.id != unit.id and u.type in MARCHING and side_of(g, u.owner) == SIDES[power] for u in g.at(at)
    ):
        return False
    near = (t for t in g.board.neighbours[at] if t in g.board.territories)
    return any(u.type in MARCHING for t in near for u in enemy_units(g, power, t))


def _free(g: State, power: str) -> list[Unit]:
    """Land units that may still march."""
    units = [u for u in g.of(power) if u.type in MARCHING and not u.moved and u.aboard is None and not u.fought]
    return [u for u in units if u.at in g.board.territories]


def _can_stay(g: State, power: str, place: str, coming: Sequence[Unit]) -> bool:
    """The enemy would lose by attacking them there, or what stands there is lost without them."""
    there = garrison(g, power, place)
    answer = counter(g, power, place, [*there, *(u for u in coming if u not in there)])
    return judged(answer, 1000 * g.board.territories[place].ipc)[0] >= 700 or answer.won < 350


def _marches(g: State, unit: Unit) -> dict[str, int]:
    """Friendly land within a unit's movement."""
    power = unit.owner
    return reach(g, unit.at, lambda s: is_open(g, power, s) and why_not_enter(g, power, s) is None, movement_points(g, unit))


def _retire(stage: Rehearsal, origin: str) -> None:
    """From a place that will be lost, all to a neighbour that can be held with their help; keys are held to the last."""
    g, power = stage.g, stage.power
    mine = [u for u in _free(g, power) if u.at == origin]
    if not mine or is_key(g, origin) or _can_stay(g, power, origin, mine):
        return
    slow = [u for u in mine if movement_points(g, u) > u.used]
    around = [t for t in g.board.neighbours[origin] if is_open(g, power, t) and _can_stay(g, power, t, slow)]
    any(map(stage.attempt, [orders_for(slow, near) for near in around]))


def _pull(g: State, power: str, mind: Temper) -> dict[str, int]:
    """How far each territory is from what is worth having: three for each step, less the worth of the goal."""
    land = steps(g.board, "land")
    goals = {
        t: -min(DRAW, worth(g, power, t, mind) // 4)
        for t in g.board.territories
        if is_wanted(g, power, t) and _may_enter(g, power, t)
    }
    goals |= {t: -worth(g, power, t, mind) // 3 for t in g.board.territories if _needs_help(g, power, t)}
    if power != "china":
        quays = [t for t in g.board.territories if g.board.coast(t) and is_friendly(g, power, t) and t not in goals]
        goals |= dict.fromkeys(quays, QUAY)  # one shore is as good as another: nobody leaves the harbour where he waits
    return {
        t: min((3 * land[t].get(goal, FAR) + bonus for goal, bonus in goals.items()), default=FAR) for t in g.board.territories
    }


def _may_enter(g: State, power: str, territory: str) -> bool:
    place = g.board.territories[territory]
    return power != "china" or place.chinese or place.chinese_may_enter


def _needs_help(g: State, power: str, territory: str) -> bool:
    return is_friendly(g, power, territory) and is_key(g, territory) and not is_guarded(g, power, territory)
