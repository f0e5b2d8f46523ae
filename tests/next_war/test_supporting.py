"""Combat Support by the exact results of the fire at it."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.next_war.bot import supporting
from pbem.games.next_war.odds.courses import Answers, courses
from pbem.games.next_war.state import State
from pbem.games.next_war.support import under_fire
from pbem.kernel.engine import Engine
from pbem.kernel.events import Cursor
from pbem.kernel.flow import Flow
from tests.next_war.test_bot import order, position

SIDE = "non-allied"
ATTACK = ("non-allied: attack: 11/A, 12/A at 0607",)


def attacked(defender: str, *setup: str) -> Engine:
    """Two brigades against a unit in a hex beside them; the attacker is asked for support."""
    options = [line for line in setup if line.startswith("OPTION")]
    setup = tuple(line for line in setup if line not in options)
    begun = (*options, "START combat basic non-allied", "MARK air non-allied 6")
    return position(*begun, f"UNITS 0607: {defender}", "UNITS 0706: 11/A, 12/A", *setup, play=ATTACK)


def by_the_rules(g: State, points: int, helos: tuple[str, ...]) -> dict[int, float]:
    """Support that is left, from the rule itself played out through every die."""
    assert g.fight is not None
    g.fight.points, g.fight.helos, g.fight.ships = {SIDE: points}, {SIDE: list(helos)}, {SIDE: []}
    found: dict[int, float] = {}

    def fire(g: State) -> Flow[None]:
        assert g.fight is not None
        g.fight.support = {SIDE: (yield from under_fire(g, SIDE))}

    for after, chance in courses(g, fire, Answers(lambda seat, kind: ())):
        assert after.fight is not None
        left = after.fight.support[SIDE]
        found[left] = found.get(left, 0.0) + chance
    return found


HIND, BEHIND = "UNITS 0805: Hind 1", "UNITS 0706: Hind 1"


@pytest.mark.parametrize(
    ("setup", "points", "helos"),
    [((), 3, ()), ((HIND,), 0, ("Hind 1",)), ((HIND,), 4, ("Hind 1",)), (("OPTION edition newer", BEHIND), 2, ("Hind 1",))],
)
def test_what_is_left_after_the_fire_is_what_the_rules_leave(
    setup: tuple[str, ...], points: int, helos: tuple[str, ...]
) -> None:
    engine = attacked("3/I", *setup)
    g = engine.state
    assert g.fight is not None
    seen = supporting.reaching(g, g.fight, SIDE, points, helos, ())
    cases = sum(seen.values())
    exact = by_the_rules(g, points, helos)
    assert len(exact) > 1
    assert {left: n / cases for left, n in seen.items()} == pytest.approx(exact)


WORN = "3/I reduced"


def named(engine: Engine, *, more: bool) -> Any:
    """What the bot names in support; `more`: another Combat Segment comes in this turn."""
    if more:
        engine.state.stack = [Cursor("combat", ["basic", "allied"]), *engine.state.stack]
    return order(engine)["support"]


def test_air_points_that_bring_little_are_held_back_while_more_combats_come_in_the_turn() -> None:
    assert named(attacked(WORN), more=True) == "none"
    assert named(attacked(WORN), more=False) == {"air": 4}
    assert named(attacked("3/I"), more=True) == {"air": 4}


def test_a_helicopter_does_not_fly_into_fire_for_a_combat_that_is_as_good_as_won() -> None:
    assert named(attacked(WORN, "UNITS 0805: Hind 1", "MARK air non-allied 0"), more=False) == "none"


def test_a_helicopter_flies_where_no_fire_reaches_it() -> None:
    safe = attacked("3/I", "UNITS 0805: Hind 1", "MARK air non-allied 0")
    safe.state.air_level = -3
    assert named(safe, more=False) == {"helos": ["Hind 1"]}
