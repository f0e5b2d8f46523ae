"""Random and bot games, mutated orders, and the second, slower judge of movement."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.kernel.flow import Ask
from tests.axis_and_allies_pacific import invariants, mutations, table
from tests.axis_and_allies_pacific.random_play import Watch, at_random, by_bot, count, is_victory, play
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


@pytest.mark.parametrize("seed", range(8))
def test_random_games_of_three_rounds(seed: int) -> None:
    engine = play(seed, 3, at_random, Watch(25))
    assert engine.state.winner


def test_a_bot_game_goes_on_to_a_victory() -> None:
    """Before the 20th round, with the printed set-up; seven in ten do, so one of three seeds has to."""
    assert any(is_victory(play(seed, 20, by_bot, Watch(400))) for seed in (26, 19, 4))


def test_everything_happens_in_play() -> None:
    """Eight random games of three rounds and a bot's game of ten; the floors are per 100 games."""
    tally: Counter[str] = Counter()
    for seed in range(8):
        count(play(seed, 3, at_random), tally)
    count(play(1, 10, by_bot), tally)
    assert not missing(tally, 9, FLOORS)


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
