"""Where activated troops march."""

from __future__ import annotations

from pbem.games.pacific_war.bot.ground_war import army, edge, guards, phases, prizes, ways, wins
from pbem.games.pacific_war.bot.tasks import fighting, fights
from pbem.games.pacific_war.state import FOE, State


def march_goal(g: State, unit: str) -> int:
    """The hex that a unit marches for, with every activated unit that reaches it too; 0: none."""
    side, u = g.side(unit), g.units[unit]
    if u.aboard or g.ashore(FOE[side], u.at):
        return 0
    found: dict[str, int] = g.memo.cached(("bot marches", side, _movers(g, side)), dict)
    if unit not in found:
        found[unit] = _march_goal(g, unit)
    return found[unit]


def _movers(g: State, side: str) -> tuple[str, ...]:
    return tuple(u for u in g.on_map(side, "ground") if g.units[u].active)


def _march_goal(g: State, unit: str) -> int:
    side, reached = g.side(unit), ways(g, g.side(unit), g.units[unit].at)
    active = [t for t in _movers(g, side) if fights(g, t) and not g.units[t].demoralized and t not in guards(g, side)]
    prized = {h: worth for h, worth in prizes(g, side).items() if h in reached and h != g.units[unit].at}
    for goal in sorted(prized, key=lambda h: (-100 * prized[h] // (1 + phases(reached[h][0])), h)):
        together = army(g, side, goal, active)
        force = dict.fromkeys([*together, *fighting(g, side, goal)])
        if unit in together and wins(g, goal, side, force, False, edge(g, side, goal)):
            return goal
    return 0


def march_goals(g: State, side: str) -> list[int]:
    """What activated troops march for."""
    return sorted({goal for goal in (march_goal(g, u) for u in _movers(g, side)) if goal})
