"""What is kept between questions is what looking through everything gives, at every stage of a strategic game."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.games.pacific_war.sea.searching import _near, best_die, reach
from pbem.games.pacific_war.state import SIDES, State
from pbem.games.pacific_war.world.links import _ways
from pbem.games.pacific_war.world.ways import PARTS, bits
from pbem.kernel.engine import Engine
from tests.pacific_war import random_play


class Enough(Exception):
    """A game has been looked at for long enough."""


def fleets(g: State) -> None:
    """The ships of every task force, in the order of the units."""
    for marker in g.markers:
        assert g.members(marker) == [u for u, x in g.units.items() if x.tf == marker and x.box == "map"]


def nobody_is_passed_over(g: State, dice: random.Random) -> None:
    """A unit that is not asked whether it can search a hex has no column on a chart for it."""
    for side in SIDES:
        place = g.units[dice.choice(list(g.on_map(side)))].at
        asked = _near(g, side, place)
        for unit in [u for u in g.on_map(side) if u not in asked]:
            c = g.counter(unit)
            able = g.units[unit].at == place or c.kind == "air" or c.spotter
            assert not able or max(best_die(g, side, unit, place, reach(g, unit, place))) < 0, (unit, place)


def areas(g: State, dice: random.Random) -> None:
    """What is kept by what is barred near by, found anew with all that is barred."""
    ways, places = _ways(g.board), sorted(g.board.seas)
    start, steps = bits([dice.choice(places)]), dice.randint(1, 20)
    for barred in (0, *(ways.shut(bits(dice.sample(places, n)) & ~start) for n in (40, 400, 1500))):
        assert ways.flood(start, steps, barred) == ways._flood(start, steps, barred) & ((1 << PARTS) - 1)
        inland = bits([dice.choice(sorted(g.board.land_ways))])
        assert ways.overland(inland, steps, barred) == ways._overland(ways.land, inland, steps, barred)
        assert ways.overland(inland, steps, barred, towards=True) == ways._overland(ways.back, inland, steps, barred)


@pytest.mark.parametrize("seed", [3, 4])
def test_what_is_kept_is_what_looking_anew_finds(seed: int) -> None:
    dice, seen = random.Random(seed), 0

    def watch(engine: Engine) -> None:
        nonlocal seen
        seen += 1
        if seen > 500:
            raise Enough
        state: Any = engine.state
        fleets(state)
        if seen % 10 == 0:
            nobody_is_passed_over(state, dice)
            areas(state, dice)

    with pytest.raises(Enough):
        random_play.play("strategic-1941", seed, watch)
