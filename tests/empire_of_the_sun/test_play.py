"""Random games of every scenario, orders that must be refused, and the second, slow reading of supply and moves."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from pbem.games.empire_of_the_sun.game import GAME
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from tests.empire_of_the_sun import invariants, mutations, table
from tests.empire_of_the_sun.random_play import count, play
from tests.empire_of_the_sun.slow_supply import disagreements, disagreements_on_moves
from tests.full_runs import missing

EDITIONS = ("2nd-2015", "1st-2005")
FLOORS = {  # per 100 games
    "battles": 1500,
    "ground battles": 200,
    "landings": 1500,
    "captures": 500,
    "reactions": 500,
    "intercepts": 500,
}


@pytest.fixture(scope="module")
def tally() -> Counter[str]:
    """One game of every scenario, the editions by turns, with invariants all the way."""
    found: Counter[str] = Counter()
    for i, name in enumerate(table.SCENARIOS):
        engine = play(name, i, invariants.Watch(100), rules=EDITIONS[i % 2])
        assert engine.state.winner
        count(engine, found)
    return found


@pytest.mark.in_turn(2)
def test_random_games_of_every_scenario_come_to_their_end(tally: Counter[str]) -> None:
    assert tally["victories"] == len(table.SCENARIOS)


def test_everything_happens_in_play(tally: Counter[str]) -> None:
    assert not missing(tally, len(table.SCENARIOS), FLOORS)


@pytest.mark.parametrize("rules", EDITIONS)
def test_events_alone_give_the_same_state(rules: str) -> None:
    engine = play("south-pacific", 5, rules=rules)
    options = {"rules": rules, "simultaneous-hits": "in-order"}
    invariants.check_events_alone(engine, GAME.start(table.scenario("south-pacific"), options))


def test_the_same_game_twice_gives_the_same_hash() -> None:
    assert play("burma", 9).state_hash() == play("burma", 9).state_hash()


@pytest.mark.parametrize("seed", [11, 12])
def test_five_hundred_spoilt_orders_are_refused(seed: int) -> None:
    assert mutations.run(seed, 500).total() >= 500


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("rules", EDITIONS)
@pytest.mark.parametrize("name", ["burma", "south-pacific", "year-1942", "year-1944"])
def test_the_slow_reading_agrees(name: str, rules: str) -> None:
    """Supply of every unit, zones, activation paths, and moves by sea, land and air at some positions of a game."""
    dice = random.Random(7)
    seen: Counter[str] = Counter()

    def watch(engine: Engine) -> None:
        ask = engine.request
        moving = isinstance(ask, Ask) and ask.kind == "move"
        if dice.random() > (0.04 if moving else 0.01):
            return
        assert not disagreements(engine.state)
        seen["positions"] += 1
        if moving:
            assert not disagreements_on_moves(engine.state, ask, dice)
            seen["moves"] += 1

    play(name, 3, watch, rules=rules)
    assert seen["positions"] > 1
