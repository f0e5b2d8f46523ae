"""What is kept between questions is what looking through everything gives, at every stage of a strategic game."""

from __future__ import annotations

import contextlib
import random
from typing import Any

import pytest

from pbem.games.pacific_war.board import NODE
from pbem.games.pacific_war.command.activation import common_price, may_activate, not_from_here, price_of
from pbem.games.pacific_war.command.callable import callable_units
from pbem.games.pacific_war.postures import Boarded, WentAshore
from pbem.games.pacific_war.sea.searching import _near, best_die
from pbem.games.pacific_war.sea.searching import reach as seen_from
from pbem.games.pacific_war.state import SIDES, State
from pbem.games.pacific_war.world.links import ROUTE_HEXES, Lines, _ways, open_water, reach
from pbem.games.pacific_war.world.nations import china_headquarters
from pbem.games.pacific_war.world.ways import PARTS, bits
from pbem.kernel.engine import Engine
from pbem.kernel.events import emit
from tests.pacific_war import random_play, table


class Enough(Exception):
    """A game has been looked at for long enough."""


def groups(g: State) -> None:
    """Who is on the map, in a task force and aboard, in the order of the units."""
    for side in SIDES:
        mine = [u for u, x in g.units.items() if x.box == "map" and g.side(u) == side]
        assert [*g.on_map(side)] == mine
        assert [*g.on_map(side, "air", "ground")] == [u for u in mine if g.counter(u).kind in ("air", "ground")]
        for place in {g.units[u].at for u in mine}:
            assert g.here(side, place) == [u for u in mine if g.units[u].at == place]
    for marker in g.markers:
        assert g.members(marker) == [u for u, x in g.units.items() if x.tf == marker and x.box == "map"]
    for ship in g.units:
        aboard = [u for u, x in g.units.items() if x.aboard == ship and x.box == "map"]
        assert g.air_aboard(ship) == [u for u in aboard if g.counter(u).kind == "air"]
        assert g.cargo(ship) == [u for u in aboard if g.counter(u).kind == "ground"]


def nobody_is_passed_over(g: State, dice: random.Random) -> None:
    """A unit that is not asked whether it can search a hex has no column on a chart for it."""
    for side in SIDES:
        place = g.units[dice.choice(list(g.on_map(side)))].at
        asked = _near(g, side, place)
        for unit in [u for u in g.on_map(side) if u not in asked]:
            c = g.counter(unit)
            able = g.units[unit].at == place or c.kind == "air" or c.spotter
            assert not able or max(best_die(g, side, unit, place, seen_from(g, unit, place))) < 0, (unit, place)


def areas(g: State, dice: random.Random) -> None:
    """What is kept by what is barred near by, found anew with all that is barred."""
    ways, places = _ways(g.board), sorted(g.board.seas)
    start, steps = bits([dice.choice(places)]), dice.randint(1, 20)
    for barred in (0, *(ways.shut(bits(dice.sample(places, n)) & ~start) for n in (40, 400, 1500))):
        assert ways.flood(start, steps, barred) == ways._flood(start, steps, barred) & ((1 << PARTS) - 1)
        inland = bits([dice.choice(sorted(g.board.land_ways))])
        assert ways.overland(inland, steps, barred) == ways._overland(ways.land, inland, steps, barred)
        assert ways.overland(inland, steps, barred, towards=True) == ways._overland(ways.back, inland, steps, barred)


def sailed(g: State, start: int, shut: set[int]) -> set[int]:
    """Hexes to which ships come, node by node."""
    edge = list(g.board.sea_nodes(start))
    seen, found = set(edge), set[int]()
    while edge:
        for n in g.board.sea_ways[edge.pop()]:
            found.add(n % NODE)
            if n not in seen and n % NODE not in shut:
                seen.add(n)
                edge.append(n)
    return found - shut


def waters(g: State, dice: random.Random) -> None:
    """Open water is what ships find hex by hex, from ports and from the sea."""
    places = sorted(g.board.seas)
    for n in (0, 40, 400, 1500, len(places) - 1):
        start = dice.choice([*g.ports] if dice.random() < 0.5 else places)
        shut = set(dice.sample(places, n)) - {start}
        assert open_water(g, start, shut) == sailed(g, start, shut), (start, n)


def routes(g: State, dice: random.Random) -> None:
    """An air transport route leads where looking at every hex finds a way."""
    for side in SIDES:
        lines = Lines(g, side)
        start = dice.choice(sorted(h.at for h in g.hqs.values() if h.at) + sorted(g.airfields))
        edge, seen = [start], {start}
        for _ in range(ROUTE_HEXES):
            through = [at for at in edge if at == start or not lines.blocked(at)]
            edge = [n for at in through for n in g.board.near(at) if n not in seen]
            seen.update(edge)
        for end in dice.sample(sorted(g.board.within(start, ROUTE_HEXES + 1)), 20):
            assert lines.flies(start, end) == (end in seen), (start, end)


def callables(g: State) -> None:
    """Who can be activated is who can be when each unit is looked at by each headquarters."""
    for side in SIDES:
        for hq, ready in callable_units(g, side).items():
            places = reach(g, side)[hq]
            able = [u for u in g.on_map(side) if not may_activate(g, u, places)]
            able = [u for u in able if not (not_from_here(g, u, hq) or china_headquarters(g, u, hq))]
            assert [x.unit for x in ready] == [u for u in able if not g.units[u].aboard or g.units[g.units[u].aboard].active]
            for x in ready:
                points, price = common_price(g, side, [x.unit], 21)
                assert (points, price) == (x.weekly, 2 * x.weekly + x.once), x
                assert price_of(g, side, hq, [x.unit], 14)[0] == x.counted


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("seed", [3, pytest.param(4, marks=pytest.mark.long)])
def test_what_is_kept_is_what_looking_anew_finds(seed: int) -> None:
    dice, seen = random.Random(seed), 0

    def watch(engine: Engine) -> None:
        nonlocal seen
        seen += 1
        if seen > 500:
            raise Enough
        state: Any = engine.state
        groups(state)
        if seen % 10 == 0:
            nobody_is_passed_over(state, dice)
            areas(state, dice)
            waters(state, dice)
            routes(state, dice)
            callables(state)

    with pytest.raises(Enough):
        random_play.play("strategic-1941", seed, watch)


@pytest.mark.parametrize(("scenario", "options"), [("coral-sea", {"forces": "sealed"}), ("guadalcanal", {"land": "sealed"})])
def test_sealed_units_are_on_no_list(scenario: str, options: dict[str, Any]) -> None:
    seen = 0

    def watch(engine: Engine) -> None:
        nonlocal seen
        seen += 1
        groups(engine.state)
        if seen > 300:
            raise Enough

    with contextlib.suppress(Enough):
        random_play.play(scenario, 3, watch, **options)
    assert seen > 100


def test_who_comes_aboard_or_leaves_is_noticed_at_once() -> None:
    g: Any = table.begin("strategic-1941").state
    unit, ship = next((u, x.aboard) for u, x in g.units.items() if x.aboard)
    assert unit in g.aboard(ship)
    emit(g, WentAshore(unit, "PW-MOV-06"))
    assert unit not in g.aboard(ship)
    emit(g, Boarded(unit, ship, "PW-MOV-06"))
    assert unit in g.aboard(ship)
