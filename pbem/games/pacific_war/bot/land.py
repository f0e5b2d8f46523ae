"""Troops: embarking for a landing, going ashore, marching, attacks, retreats."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.bot.ground_war import army, edge, guards, path_to, prizes, rounds_to_take, ways, wins
from pbem.games.pacific_war.bot.landfall import landing_from
from pbem.games.pacific_war.bot.marching import march_goal
from pbem.games.pacific_war.bot.sea import cycles_left, is_over, time_is_up
from pbem.games.pacific_war.bot.tasks import beaches, fighting, fit_to_land, forward, loads, room, takes
from pbem.games.pacific_war.bot.worth import goals
from pbem.games.pacific_war.land.movement import ALLOWANCE, may_move
from pbem.games.pacific_war.state import BATTLE, FOE, STRATEGIC, State
from pbem.games.pacific_war.victory import owner
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask

PURSUERS = 6  # steps
LAST_DAYS = 4
EMBARKING = 1  # last battle cycle in which troops go aboard
NEXT_DOOR = 2  # hexes to what troops march for rather than go aboard
LAST_EMBARKING = 3  # battle cycles that must be left in the strategic game, where transports come for troops


def moves(g: State, ask: Ask) -> list[Plain]:
    """Troops go ashore where they should win, march to what they can take, or go aboard for a hex over the sea."""
    found: list[Plain] = []
    for unit in [u for u in g.on_map(ask.seat, "ground") if may_move(g, u)]:
        ideas = _ashore(g, unit) if g.units[unit].aboard else (*_embark(g, unit), *_march(g, unit))
        found += list(ideas)[:2]
    return [*found, "done"]


def _ashore(g: State, unit: str) -> Iterator[Plain]:
    """At the beach of its landing, at home when there is nothing left to land for, in a battle's last days in any case.

    In penalty time nobody may attack: troops that land among enemies then, or after the last ground combat before, could
    neither fight nor be deactivated, and the operation would never end.
    """
    side, at = g.side(unit), g.units[unit].at
    too_late = is_over(g, side) or (time_is_up(g, side) and g.advantage != side)
    if too_late and g.ashore(FOE[side], at):
        return
    _, beach = landing_from(g, side, at)
    home = not beach and g.cycle and owner(g, at) == side and not g.ashore(FOE[side], at)
    relief = g.ashore(side, at) and g.ashore(FOE[side], at)
    last = at in goals(g, side) and 0 < g.days <= g.day + LAST_DAYS and g.level == BATTLE
    if beach == at or home or relief or last:
        yield {"debark": {unit: at}}


def _march(g: State, unit: str) -> Iterator[Plain]:
    """As far as the movement points go; in among enemies only with enough troops."""
    goal = march_goal(g, unit)
    if not goal:
        return
    side, at = g.side(unit), g.units[unit].at
    reached = ways(g, side, at)
    path = [h for h in path_to(reached, goal) if reached[h][0] <= ALLOWANCE]
    if path and g.ashore(FOE[side], path[-1]) and not _enough(g, side, path[-1]):
        path.pop()
    if path:
        yield {"move": {unit: [*path]}}
        yield {"move": {unit: [path[0]]}}


def _enough(g: State, side: str, goal: int) -> bool:
    """Those who can enter the hex in this phase, with those who are there, should take it."""
    movers = [u for u in g.on_map(side, "ground") if may_move(g, u) and not g.units[u].demoralized]
    near = [u for u in army(g, side, goal, movers) if ways(g, side, g.units[u].at)[goal][0] <= ALLOWANCE]
    return wins(g, goal, side, dict.fromkeys([*near, *fighting(g, side, goal)]), False, edge(g, side, goal))


def _embark(g: State, unit: str) -> Iterator[Plain]:
    """The best troops of a port go aboard, if those who sail from here should take something."""
    side, u = g.side(unit), g.units[unit]
    late = cycles_left(g, side) < LAST_EMBARKING if g.level == STRATEGIC else g.cycle > EMBARKING
    if side != g.operator or late or g.ashore(FOE[side], u.at) or _stays(g, unit):
        return
    ships = [s for s in g.ships(side, u.at) if g.units[s].tf and room(g, s)]
    waiting = [t for t in g.here(side, u.at, "ground") if g.units[t].active and fit_to_land(g, t)]
    for ship, load in loads(g, ships, waiting) if ships else ():
        if unit in load and (sails_for(g, side, u.at) or forward(g, side, u.at)):
            yield {"embark": {unit: ship}}


def _stays(g: State, unit: str) -> bool:
    """It has something to do ashore: a hex to march for, or one to hold."""
    goal = march_goal(g, unit)
    near = bool(goal) and distance(g.units[unit].at, goal) <= NEXT_DOOR
    return g.level == STRATEGIC and (near or (g.cycle > EMBARKING and (bool(goal) or unit in guards(g, g.side(unit)))))


def sails_for(g: State, side: str, port: int) -> bool:
    """The activated troops of a port, aboard or waiting, can take a hex over the sea."""
    troops = tuple(u for u in g.here(side, port, "ground") if g.units[u].active)
    if g.level == STRATEGIC:  # several ports sail together
        troops = tuple(u for u in g.on_map(side, "ground") if g.units[u].active and (g.units[u].aboard or _lifted(g, u)))

    def find() -> bool:
        for goal in prizes(g, side):
            if goal not in ways(g, side, port) and any(
                takes(g, side, goal, b, troops, edge(g, side, goal)) for b in beaches(g, side, goal)[:1]
            ):
                return True
        return False

    return g.memo.cached(("bot sails", side, port, troops), find)


def _lifted(g: State, unit: str) -> bool:
    """An activated transport lies where the unit waits."""
    return fit_to_land(g, unit) and any(g.units[s].active and room(g, s) for s in g.ships(g.side(unit), g.units[unit].at))


def attack(g: State, ask: Ask) -> list[Plain]:
    """An attack that should win in the end; troops that have landed go on."""
    place = _contested(g, ask)
    mine = [u for u in g.ashore(ask.seat, place) if g.units[u].active and not g.units[u].demoralized]
    yes = any(g.units[u].landed for u in mine) or wins(g, place, ask.seat, mine, False, edge(g, ask.seat, place))
    return [{"attack": "yes" if yes else "no"}]


def retreat(g: State, ask: Ask) -> list[Plain]:
    """Out of a hex that the enemy should take soon and that is worth nothing."""
    place, side = _contested(g, ask), ask.seat
    lost = 0 < rounds_to_take(g, place, FOE[side], g.ashore(FOE[side], place), False) <= 2
    return [{"retreat": "yes" if lost and place not in prizes(g, FOE[side]) else "no"}]


def pursue(g: State, ask: Ask) -> list[Plain]:
    """After a retreat the winner follows where he has more steps."""
    mine = sum(g.steps(u) for u in g.ashore(ask.seat, _running(g)))
    return [{"pursue": "yes" if mine >= PURSUERS else "no"}]


def _running(g: State) -> int:
    """The hex of the ground combat that is going on."""
    if g.running is not None and g.running.name == "ground-combat":
        return int(str(g.running.args[0]))
    return 0


def _contested(g: State, ask: Ask) -> int:
    place = _running(g)
    if place:
        return place
    both = sorted({g.units[u].at for u in g.on_map(ask.seat, "ground") if g.ashore(FOE[ask.seat], g.units[u].at)})
    return both[0] if both else 0


THOUGHTS: Mapping[str, Callable[[State, Ask], Sequence[Plain]]] = {
    "land": moves,
    "attack": attack,
    "retreat": retreat,
    "pursue": pursue,
}
