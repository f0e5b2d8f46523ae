"""Random and bot games, mutated orders, and the second, slower judge of movement."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Roll
from tests.axis_and_allies_pacific import invariants, mutations, table
from tests.axis_and_allies_pacific.random_play import Watch, at_random, by_bot, count, play
from tests.axis_and_allies_pacific.slow_judge import disagreements
from tests.full_runs import missing

FLOORS = {
    "battles": 2500,
    "landings": 300,
    "captures": 800,
    "liberations": 30,
    "declarations": 150,
    "submarine strikes": 20,
    "raids": 20,
    "scrambles": 10,
}


@cache
def three_rounds(seed: int) -> Engine:
    """A random game, watched and played once."""
    return play(seed, 3, at_random, Watch(25))


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("seed", range(8))
def test_random_games_of_three_rounds(seed: int) -> None:
    assert three_rounds(seed).state.winner


def test_everything_happens_in_play() -> None:
    """Eight random games of three rounds, a bot's of four (.ci/long plays many to the end); the floors are per 100 games."""
    tally: Counter[str] = Counter()
    for seed in range(8):
        count(three_rounds(seed), tally)
    count(play(1, 4, by_bot), tally)
    assert not missing(tally, 9, FLOORS)


def test_the_bot_takes_the_sixth_victory_city() -> None:
    """Japan holds five, and Calcutta lies open before its tanks: it goes in, and has won when the round is over."""
    g = table.empty(**{"round-limit": 3})
    for city in ("kwangtung", "philippines", "new-south-wales", "kiangsu", "japan"):
        g.control[city] = "japan"
        table.put(g, "japan", city, "infantry", 6)
    g.control["burma"] = "japan"
    table.put(g, "japan", "burma", "tank", 6)
    table.put(g, "united-kingdom", "india", "infantry")
    engine, dice = Engine(GAME, table.scenario(), g), random.Random(1)
    while engine.request is not None:
        asked = engine.request
        if isinstance(asked, Roll):
            engine.reply([dice.randint(1, 6) for _ in range(asked.dice)])
            continue
        assert isinstance(asked, Ask)
        engine.reply(asked.forced if asked.forced is not None else by_bot(engine, asked, dice))
    assert (engine.state.winner, engine.state.win_rule, engine.state.round) == ("axis", "VIC-02", 1)


def test_what_is_missing_is_named() -> None:
    assert missing({"battles": 3, "raids": 1}, 10, {"battles": 31, "raids": 10}) == ["3 battles in 10 games, floor 31 per 100"]


def test_events_alone_give_the_same_state_and_sound_positions_on_the_way() -> None:
    engine = play(5, 2, at_random)
    invariants.check_events_alone(engine, GAME.start(table.scenario(), {"round-limit": 2}))


def test_the_same_game_twice_gives_the_same_hash() -> None:
    assert play(9, 2, at_random).state_hash() == play(9, 2, at_random).state_hash()


@pytest.mark.parametrize("seed", [11, 12])
def test_five_hundred_spoilt_orders_are_refused(seed: int) -> None:
    assert sum(mutations.run(seed, 500).values()) >= 500


@pytest.mark.parametrize("seed", range(3))
def test_the_slow_judge_agrees_on_moves(seed: int) -> None:
    dice = random.Random(seed)
    seen = 0

    def watch(engine) -> None:  # type: ignore[no-untyped-def]
        nonlocal seen
        ask = engine.request
        if isinstance(ask, Ask) and ask.kind in ("combat-move", "noncombat-move") and dice.random() < 0.04:
            found = disagreements(engine.state, ask, dice)
            assert not found, found[0]
            seen += 1

    play(seed, 2, at_random, watch)
    assert seen
