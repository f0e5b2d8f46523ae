"""What is kept between positions of Next War is what would be found anew."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from pbem.games.next_war.air import exposed, home_sky
from pbem.games.next_war.events.losses import Eliminated, StepLost
from pbem.games.next_war.events.moves import Moved, Placed
from pbem.games.next_war.game import GAME
from pbem.games.next_war.movement import Search
from pbem.games.next_war.naval import Spot, route
from pbem.games.next_war.obstacles import crowded_hexes, hostile_places
from pbem.games.next_war.reinforcements import wanting
from pbem.games.next_war.searches import reach
from pbem.games.next_war.state import SIDES, State
from pbem.games.next_war.supply import supplied_hexes
from pbem.games.next_war.zoc import zone
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.events import Event, emit
from pbem.kernel.records import from_plain, to_plain
from tests.next_war import random_play, table

RUN = 6  # positions that are looked at in a row


def layout(g: State) -> dict[str, Any]:
    """Zones, armies, hexes to be cleared, crowds and supply, as they stand."""
    found: dict[str, Any] = {"board": [(s, zone(g, s), hostile_places(g, s), crowded_hexes(g, s)) for s in SIDES]}
    found["armies"] = [g.occupied(s) for s in SIDES]
    fed = [supplied_hexes(g, s, m) for s in SIDES for m in ("leg", "li", "mot", "mech")]
    found["supply"] = [[h for h in g.board.hexes if h in there] for there in fed]
    return found


def answers(g: State, dice: random.Random) -> dict[str, Any]:
    """The layout, routes by sea, ways of some units, and what follows from these, as they stand."""
    found = layout(g)
    found["air"] = [(exposed(g, s), home_sky(g, s)) for s in SIDES]
    found["wanting"] = [wanting(g, s) for s in SIDES]
    spots: list[Spot] = [*((0, a) for a in g.board.areas), *((h, "") for h in (*g.board.ports, *g.beachheads))]
    pairs = [(s, *dice.sample(spots, 2)) for s in SIDES for _ in range(8)] if len(spots) > 1 else []
    found["routes"] = {pair: route(g, *pair) for pair in pairs}
    for side in SIDES:
        units = [u for u in g.on_map(side, "ground") if not g.pieces[u].aboard]
        for unit in dice.sample(units, min(4, len(units))):
            found[unit] = ends(reach(g, side, [unit], g.pieces[unit].at))
    return found


def ends(search: Search) -> list[Any]:
    """Where a unit can go and along which path."""
    return [(h, search.end(h)) for h in search.ends()]


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("options", random_play.OPTIONS)
@pytest.mark.parametrize("name", ["training", "korea", "wonsan"])
def test_positions_of_random_games(name: str, options: dict[str, Any]) -> None:
    """Some runs of positions, one after the other: what is kept from the last one has to notice what changed."""
    dice, looked, left = random.Random(7), 0, 0

    def watch(engine: Engine, _: Plain) -> None:
        nonlocal looked, left
        left = RUN if dice.random() < (0.003 if name == "korea" else 0.01) else left - 1
        if left <= 0:
            return
        g = from_plain(State, to_plain(engine.state))
        GAME.attach(g, table.scenario(name))
        seed = dice.random()
        assert answers(engine.state, random.Random(seed)) == answers(g, random.Random(seed))
        looked += 1

    random_play.play(name, 4, watch, moves=random_play.MOVES[name], **options)
    assert looked >= RUN - 1


EVENTS: list[tuple[Callable[[State, str], Event], int]] = [
    (lambda g, unit: StepLost(unit, "9.7.1"), 0),
    (lambda g, unit: Eliminated(unit, "eliminated", "9.7.1"), 4),
    (lambda g, unit: Placed(unit, g.pieces[unit].at + 1, "", "11.2"), 4),
    (lambda g, unit: Moved((unit,), (g.pieces[unit].at, g.pieces[unit].at + 1), "march", "8.5"), 4),
]


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("event", "least"), EVENTS)
def test_what_units_of_one_side_change_is_found_anew(event: Callable[[State, str], Event], least: int, side: str) -> None:
    """Losses, placing and moves leave alone only what nothing of that side bears on."""
    g: State = table.begin("korea", supply="on").state
    changed = 0
    for unit in [*g.on_map(side, "ground")][::8]:
        before = layout(g)
        emit(g, event(g, unit))
        again = from_plain(State, to_plain(g))
        GAME.attach(again, table.scenario("korea"))
        assert layout(g) == layout(again)
        changed += layout(g) != before
    assert changed >= least


@pytest.mark.parametrize("name", ["training", "korea", "wonsan"])
def test_a_way_to_one_goal_is_the_way_that_the_whole_search_finds(name: str) -> None:
    """Found without looking at the rest; and where no way leads to the goal, all of the rest has been looked at."""
    dice, looked = random.Random(11), 0

    def watch(engine: Engine, _: Plain) -> None:
        nonlocal looked
        if dice.random() > 0.004:
            return
        g: State = engine.state
        for side in SIDES:
            units = [u for u in g.on_map(side, "ground") if not g.pieces[u].aboard]
            for unit in dice.sample(units, min(6, len(units))):
                start = g.pieces[unit].at
                every = Search(g, side, [unit], start).run()
                for goal in [start, *dice.sample(every.ends(), min(6, len(every.ends())))]:
                    assert Search(g, side, [unit], start).run(goal).end(goal) == every.end(goal)
                    looked += 1
                nowhere = next(h for h, x in g.board.hexes.items() if not x.land)
                assert ends(Search(g, side, [unit], start).run(nowhere)) == ends(every)

    random_play.play(name, 5, watch, moves=random_play.MOVES[name])
    assert looked > 20
