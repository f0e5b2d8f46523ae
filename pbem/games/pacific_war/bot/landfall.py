"""Forces at sea: which hex and beach each of them goes for."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.bot.ground_war import edge, prizes, rounds_to_take
from pbem.games.pacific_war.bot.tasks import MOST_IDEAS, beaches, by_value, partners, takes, value, within_links
from pbem.games.pacific_war.state import STRATEGIC, State

CLOSE = 10  # worth that each hex takes off once troops are at sea, beside the voyage: they keep to their goal


def landing_from(g: State, side: str, place: int) -> tuple[int, int]:
    """For the troops aboard ships in a hex the hex that they are to take and the beach for it; zeros if there is none."""
    found: dict[int, tuple[int, int]] = g.memo.cached(("bot landings", side), lambda: _share_out(g, side))
    return found.get(place, (0, 0))


def _share_out(g: State, side: str) -> dict[int, tuple[int, int]]:
    """Every force at sea gets a hex of its own as long as there are enough, the best prize first."""
    forces = dict.fromkeys(g.units[u].at for u in g.on_map(side, "ground") if g.units[u].aboard and g.units[u].active)
    choices = sorted((row for place in forces for row in _choices(g, side, place)), reverse=True)
    found: dict[int, tuple[int, int]] = {}
    for fresh in (True, False):
        for _, place, goal, beach in choices:
            if place not in found and not (fresh and goal in (taken for taken, _ in found.values())):
                found[place] = (goal, beach)
    return found


def _choices(g: State, side: str, place: int) -> Iterator[tuple[int, int, int, int]]:
    """What the troops aboard in a hex can take: value, their hex, goal, beach."""
    troops = [u for s in g.ships(side, place) for u in g.cargo(s) if g.units[u].active]
    linked = within_links(g, side) if g.level == STRATEGIC else set()
    number = 0
    settled = _settled(g, side)
    for _, goal in by_value(g, side, place, linked) if troops else ():
        if goal in settled:
            continue
        beside = partners(g, side, goal, [u for u in g.on_map(side, "ground") if g.units[u].active])
        for beach in beaches(g, side, goal):
            if takes(g, side, goal, beach, troops, -edge(g, side, goal), beside):
                number += 1
                yield value(g, side, place, goal, beach) - CLOSE * distance(place, beach), place, goal, beach
                break
        if number >= MOST_IDEAS:
            return


def _settled(g: State, side: str) -> set[int]:
    """Hexes that troops ashore should take by themselves: who is at sea keeps to his own."""

    def find() -> set[int]:
        fresh = [u for u in g.on_map(side, "ground") if g.units[u].active and not g.units[u].demoralized]
        ashore = [u for u in fresh if not g.units[u].aboard]
        found: set[int] = set()
        for goal in prizes(g, side):
            force = [u for u in ashore if distance(g.units[u].at, goal) <= 1]
            if force and rounds_to_take(g, goal, side, force, False, -edge(g, side, goal)):
                found.add(goal)
        return found

    return g.memo.cached(("bot settled", side), find)
