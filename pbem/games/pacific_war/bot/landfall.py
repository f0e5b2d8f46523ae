"""Forces at sea: which hex and beach each of them goes for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.bot.ground_war import army, edge, power, prizes, risk, wins
from pbem.games.pacific_war.bot.landings import FEW_BEACHES, JOINT
from pbem.games.pacific_war.bot.tasks import (
    FARTHEST,
    HEX_AT_SEA,
    MOST_IDEAS,
    beaches,
    by_value,
    partners,
    shores,
    takes,
    value,
    within_links,
)
from pbem.games.pacific_war.bot.timetable import in_theatre, of_the_land
from pbem.games.pacific_war.state import STRATEGIC, State

CLOSE = 10  # worth that each hex takes off once troops are at sea, beside the voyage: they keep to their goal
FEW_CHOICES, EACH = 4, 500  # goals that are compared for a force; worth of a force's having one
OVERKILL = 2  # power of a force that takes one off the worth of a hex: the weakest that is enough goes there


def landing_from(g: State, side: str, place: int) -> tuple[int, int]:
    """For the troops aboard ships in a hex the hex that they are to take and the beach for it; zeros if there is none."""
    found: dict[int, tuple[int, int]] = g.memo.cached(("bot landings", side), lambda: _share_out(g, side))
    return found.get(place, (0, 0))


def goals_at_sea(g: State, side: str) -> list[int]:
    """What the troops aboard ships are to take."""
    return sorted({goal for goal, _ in (landing_from(g, side, m.at) for m in g.markers.values() if m.side == side) if goal})


def _share_out(g: State, side: str) -> dict[int, tuple[int, int]]:
    """Every force at sea gets a hex of its own as long as there are enough, the best prize first; what none takes alone
    several take together.
    """
    forces = [*dict.fromkeys(g.units[u].at for u in g.on_map(side, "ground") if g.units[u].aboard and g.units[u].active)]
    rows = [row for place in forces for row in _choices(g, side, place)]
    alone = {goal for _, _, goal, _ in rows}
    choices: list[Choice] = [(worth, (place,), goal, beach) for worth, place, goal, beach in rows]
    if g.level == STRATEGIC and len(forces) > 1:
        choices += _together(g, side, forces, alone)
    found = matched(forces, choices) if g.level == STRATEGIC else {}
    for fresh in (True, False):
        for _, places, goal, beach in sorted(choices, reverse=True):
            taken = any(h in found for h in places) or (fresh and goal in (other for other, _ in found.values()))
            if not taken:
                found |= dict.fromkeys(places, (goal, beach))
    return found


Choice = tuple[int, tuple[int, ...], int, int]  # worth, hexes of the forces, goal, beach


def matched(forces: Sequence[int], choices: Sequence[Choice]) -> dict[int, tuple[int, int]]:
    """By force the goal and beach of the best sharing out in which no two of them go for the same goal."""
    order = {place: i for i, place in enumerate(forces)}
    own: dict[int, list[Choice]] = {i: [] for i in range(len(forces))}
    for row in sorted(choices, reverse=True):
        first = min(order[h] for h in row[1])
        if len(own[first]) < FEW_CHOICES:
            own[first].append(row)
    rest = [0] * (len(forces) + 1)  # what those from a number on could bring at most
    for i in reversed(range(len(forces))):
        rest[i] = rest[i + 1] + max((_weight(row) for row in own[i]), default=0)
    best: tuple[int, tuple[Choice, ...]] = 0, ()

    def go_on(i: int, total: int, made: tuple[Choice, ...]) -> None:
        nonlocal best
        if total > best[0]:
            best = total, made
        if i == len(forces) or total + rest[i] <= best[0]:
            return
        busy, goals = {h for row in made for h in row[1]}, {row[2] for row in made}
        for row in own[i] if forces[i] not in busy else ():
            if row[2] not in goals and not busy & {*row[1]}:
                go_on(i + 1, total + _weight(row), (*made, row))
        go_on(i + 1, total, made)

    go_on(0, 0, ())
    return {h: (goal, beach) for _, places, goal, beach in best[1] for h in places}


def _weight(row: Choice) -> int:
    """Every force should have a goal, and then good ones."""
    return len(row[1]) * (EACH + row[0])


def _together(g: State, side: str, forces: Sequence[int], alone: set[int]) -> Iterator[Choice]:
    """What several forces take when they meet: value for each of them, their hexes, goal, beach."""
    worth, linked, settled = prizes(g, side), within_links(g, side), _settled(g, side)
    active = [u for u in g.on_map(side, "ground") if g.units[u].active]
    goals = sorted((h for h in worth if h in linked and h not in alone and h not in settled), key=lambda h: (-worth[h], h))
    for goal in goals[:JOINT]:
        beside = partners(g, side, goal, active)
        for beach in beaches(g, side, goal)[:FEW_BEACHES]:
            near = sorted((distance(h, beach), h) for h in forces if distance(h, beach) <= FARTHEST)
            for number in range(2, len(near) + 1):
                used = tuple(h for _, h in near[:number])
                troops = [u for h in used for u in aboard(g, side, h)]
                if takes(g, side, goal, beach, troops, edge(g, side, goal), beside):
                    far = near[number - 1][0]
                    gain = worth[goal] - HEX_AT_SEA * far - risk(g, side, beach)
                    yield gain // number - CLOSE * far, used, goal, beach
                    break


def aboard(g: State, side: str, place: int) -> list[str]:
    """Activated troops aboard ships in a hex."""
    return [u for s in g.ships(side, place) for u in g.cargo(s) if g.units[u].active]


def _choices(g: State, side: str, place: int) -> Iterator[tuple[int, int, int, int]]:
    """What the troops aboard in a hex can take: value, their hex, goal, beach."""
    troops = aboard(g, side, place)
    linked = within_links(g, side) if g.level == STRATEGIC else set()
    number = 0
    spare = sum(power(g, u) for u in troops) // OVERKILL if g.level == STRATEGIC else 0
    settled = _settled(g, side)
    for _, goal in by_value(g, side, place, linked) if troops else ():
        if goal in settled:
            continue
        beside = partners(g, side, goal, [u for u in g.on_map(side, "ground") if g.units[u].active])
        for beach in shores(g, side, goal, troops, beside):
            if takes(g, side, goal, beach, troops, edge(g, side, goal), beside):
                number += 1
                yield value(g, side, place, goal, beach) - CLOSE * distance(place, beach) - spare, place, goal, beach
                break
        if number >= MOST_IDEAS:
            return


def _settled(g: State, side: str) -> set[int]:
    """Hexes that are not for who is at sea: what troops ashore should take by themselves, what other headquarters plan for."""

    def find() -> set[int]:
        fresh = [u for u in g.on_map(side, "ground") if g.units[u].active and not g.units[u].demoralized]
        ashore = [u for u in fresh if not g.units[u].aboard]
        found = {h for h in prizes(g, side) if _elsewhere(g, side, h)}
        for goal in prizes(g, side):
            force = army(g, side, goal, ashore) if g.level == STRATEGIC else []
            force = force or [u for u in ashore if distance(g.units[u].at, goal) <= 1]
            if force and wins(g, goal, side, force, False, edge(g, side, goal)):
                found.add(goal)
        return found

    return g.memo.cached(("bot settled", side), find)


def _elsewhere(g: State, side: str, place: int) -> bool:
    """Forces of an operation keep to the theatre of its headquarters; those of a land front are sent anywhere."""
    o = g.operation
    if g.level != STRATEGIC or o is None or side != g.operator or not o.hq or of_the_land(o.hq):
        return False
    return not in_theatre(g, o.hq, place)
