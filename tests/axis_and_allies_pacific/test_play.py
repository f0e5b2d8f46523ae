"""Random and bot games, mutated orders, and the second, slower judge of movement."""

from __future__ import annotations

import random

import pytest

from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.kernel.flow import Ask
from tests.axis_and_allies_pacific import invariants, mutations, table
from tests.axis_and_allies_pacific.random_play import Watch, at_random, by_bot, play
from tests.axis_and_allies_pacific.slow_judge import disagreements


@pytest.mark.parametrize("seed", range(8))
def test_random_games_of_three_rounds(seed: int) -> None:
    engine = play(seed, 3, at_random, Watch(25))
    assert engine.state.winner


def test_a_bot_game() -> None:
    engine = play(1, 4, by_bot, Watch(40))
    assert engine.state.winner and any(type(e).__name__ == "ControlChanged" for e in engine.state.events)


def test_events_alone_give_the_same_state() -> None:
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
