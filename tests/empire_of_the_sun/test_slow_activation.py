"""The second, slow reading of zones, supply and activation agrees with the game: the campaign too, random and bot games."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from pbem.games.empire_of_the_sun import activation
from pbem.games.empire_of_the_sun.state import SIDES
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from tests.empire_of_the_sun import bot_play, random_play, slow_activation
from tests.empire_of_the_sun.slow_activation import disagreements_on_activation
from tests.empire_of_the_sun.slow_supply import disagreements

EDITIONS = ("2nd-2015", "1st-2005")


class Noticed(Exception):
    """The two readings differ: the rest of the game is no matter."""


class Watch:
    """Compares at some activations and some other positions of a game."""

    def __init__(self, seed: int, activations: float, positions: float) -> None:
        self.dice, self.activations, self.positions = random.Random(seed), activations, positions
        self.seen: Counter[str] = Counter()

    def __call__(self, engine: Engine) -> None:
        ask = engine.request
        if isinstance(ask, Ask) and ask.kind == "activate" and self.dice.random() < self.activations:
            assert not disagreements_on_activation(engine.state, ask, self.dice)
            self.seen["activations"] += 1
        elif self.dice.random() < self.positions:
            assert not disagreements(engine.state)
            self.seen["positions"] += 1


@pytest.mark.in_turn(4)
@pytest.mark.parametrize("rules", EDITIONS)
@pytest.mark.parametrize(("name", "activations"), [("campaign-1941", 0.04), ("year-1943", 0.2)])
def test_activation_is_read_the_same_twice(name: str, activations: float, rules: str) -> None:
    watch = Watch(31, activations, 0.0006)
    random_play.play(name, 31, watch, rules=rules)
    assert watch.seen["activations"] > 1 and watch.seen["positions"]


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("rules", EDITIONS)
def test_activation_is_read_the_same_twice_in_a_game_of_the_bot(rules: str) -> None:
    watch = Watch(32, 0.3, 0.003)
    bot_play.play("south-pacific", 32, SIDES, watch=watch, rules=rules)
    assert watch.seen["activations"] > 1 and watch.seen["positions"]


@pytest.mark.parametrize("wrong", ["path", "supply", "command", "number"])
def test_the_slow_reading_can_disagree(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that forgets a condition, or a judge that is more generous, is noticed."""
    match wrong:
        case "path":
            monkeypatch.setattr(activation, "in_reach", lambda g, hq, unit: True)
        case "supply":
            monkeypatch.setattr(activation, "unit_fed", lambda g, unit: True)
        case "command":
            monkeypatch.setattr(activation, "commands", lambda g, hq, unit: True)
        case _:
            monkeypatch.setattr(slow_activation, "SPARE", 1)

    def watch(engine: Engine) -> None:
        ask = engine.request
        if isinstance(ask, Ask) and disagreements_on_activation(engine.state, ask, random.Random(1)):
            raise Noticed

    with pytest.raises(Noticed):
        for seed in range(3):
            random_play.play("year-1942", seed, watch, rules="2nd-2015")
