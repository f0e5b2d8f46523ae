"""Landings: what the troops of a port can take over the sea, and what those of several ports can take together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.bot.fetching import Fleet, fleets
from pbem.games.pacific_war.bot.ground_war import edge, power, prizes, risk
from pbem.games.pacific_war.bot.harbours import voyage
from pbem.games.pacific_war.bot.tasks import (
    HEX_AT_SEA,
    MOST_IDEAS,
    Task,
    by_value,
    helpers,
    loads,
    partners,
    shores,
    takes,
    value,
    within_links,
)
from pbem.games.pacific_war.state import STRATEGIC, State

JOINT, FEW_BEACHES = 8, 3  # hexes that several ports are tried for; beaches for each


def landings(g: State, side: str, units: Sequence[str], far: int) -> Iterator[Task]:
    """The landings within so many hexes that these units can make, each port with its own transports and troops; and what
    several ports can take together.
    """
    linked = within_links(g, side)
    alone: set[int] = set()
    ready = fleets(g, side, units)
    for port, fleet in ready.items():
        number = 0
        for _, goal in by_value(g, side, port, linked):
            beside = [u for u in partners(g, side, goal, units) if g.units[u].at != port]
            landing = _landing(g, side, goal, far, {port: fleet}, edge(g, side, goal, units), beside)
            if landing is not None and number < MOST_IDEAS:
                beach, troops, boats = landing
                number += 1
                alone.add(goal)
                worth = value(g, side, port, goal, beach) - HEX_AT_SEA * fleet.lead
                planes = helpers(g, side, goal, units)
                yield Task(worth, goal, (*troops, *beside), planes, boats, port, beach, fleet.berths)
    if g.level == STRATEGIC:
        yield from _together(g, side, units, far, ready, sorted(h for h in prizes(g, side) if h in linked and h not in alone))


def _together(
    g: State, side: str, units: Sequence[str], far: int, ready: Mapping[int, Fleet], goals: Sequence[int]
) -> Iterator[Task]:
    """What the troops of several ports take when they land together, the nearest first, no more than needed."""
    worth = prizes(g, side)
    for goal in sorted(goals, key=lambda h: (-worth[h], h))[:JOINT]:
        task = _joined(g, side, goal, units, far, ready)
        if task is not None:
            yield task


def _joined(g: State, side: str, goal: int, units: Sequence[str], far: int, ready: Mapping[int, Fleet]) -> Task | None:
    ports = sorted((distance(h, goal) + f.lead, h) for h, f in ready.items() if distance(h, goal) + f.lead <= far)
    planes, pips = helpers(g, side, goal, units), edge(g, side, goal, units)
    for number in range(2, len(ports) + 1):
        used = [h for _, h in ports[:number]]
        beside = [u for u in partners(g, side, goal, units) if g.units[u].at not in used]
        landing = _landing(g, side, goal, far, {h: ready[h] for h in used}, pips, beside)
        worth = prizes(g, side)[goal] - HEX_AT_SEA * ports[number - 1][0] - risk(g, side, goal)
        if landing is not None and worth > 0:
            others = [*used[1:], *(b for h in used for b in ready[h].berths)]
            return Task(worth, goal, (*landing[1], *beside), planes, landing[2], used[0], landing[0], tuple(others))
    return None


def _landing(
    g: State, side: str, goal: int, far: int, where: Mapping[int, Fleet], pips: int, beside: Sequence[str]
) -> tuple[int, tuple[str, ...], tuple[str, ...]] | None:
    """The beach for a hex, the troops and transports that it needs: the weakest unit that is enough, else the best."""

    def beach(troops: Sequence[str]) -> int:
        """The first shore in time on which these are enough; 0: there is none."""
        for shore in shores(g, side, goal, troops, beside):
            late = any((voyage(g, h, shore) or distance(h, shore)) + f.lead > far for h, f in where.items())
            if not late and takes(g, side, goal, shore, troops, pips, beside, sure=True):
                return shore
        return 0

    fleets = [*where.values()]
    for unit in sorted(fleets[0].waiting, key=lambda u: (power(g, u), u)) if len(fleets) == 1 else []:
        for ship, load in loads(g, fleets[0].ships, [unit]):
            if shore := beach([unit]):
                return shore, tuple(load), (ship,)
    troops: list[str] = []
    boats: list[str] = []
    for fleet in fleets:
        for ship, load in loads(g, fleet.ships, fleet.waiting):
            troops, boats = [*troops, *load], [*boats, ship]
            if shore := beach(troops):
                return shore, tuple(troops), tuple(boats)
    return None
