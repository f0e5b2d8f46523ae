"""The full runs: python -m tests.empire_of_the_sun.long. Seeds are printed; a number that is missed ends in failure."""

from __future__ import annotations

import random
import sys
from collections import Counter

from pbem.games.empire_of_the_sun.game import GAME
from pbem.games.empire_of_the_sun.state import SIDES
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from tests.empire_of_the_sun import bot_play, invariants, mutations, table
from tests.empire_of_the_sun.random_play import count, play
from tests.empire_of_the_sun.slow_activation import disagreements_on_activation
from tests.empire_of_the_sun.slow_supply import disagreements, disagreements_on_moves
from tests.full_runs import Kind, main

EDITIONS = ("2nd-2015", "1st-2005")
FLOORS = {  # per 100 games
    "battles": 2000,
    "ground battles": 300,
    "critical hits": 250,
    "landings": 2000,
    "captures": 800,
    "reactions": 900,
    "intercepts": 1000,
    "ambushes": 10,
    "special reactions": 8,
    "cancellations": 40,
    "carrier transfers": 15,
    "landings turned back": 250,
    "disengagements": 60,
    "China offensives": 25,
    "kamikazes": 80,
    "future offensives": 80,
    "surrenders": 8,
    "victories": 100,
}


def what(seed: int) -> tuple[str, str]:
    """Scenario and edition of a seed: every pair in turn."""
    return table.SCENARIOS[seed % len(table.SCENARIOS)], EDITIONS[seed // len(table.SCENARIOS) % 2]


def at_random(seed: int) -> Counter[str]:
    """A game to its end with invariants at every segment; in one game of ten the events alone are played again."""
    name, rules = what(seed)
    engine = play(name, seed, invariants.Watch(200), rules=rules)
    if seed % 10 == 0:
        options = {"rules": rules}
        invariants.check_events_alone(engine, GAME.start(table.scenario(name), options))
    tally: Counter[str] = Counter()
    count(engine, tally)
    return tally


def spoilt(seed: int) -> Counter[str]:
    """500 orders made illegal, every one of them refused."""
    return Counter({"refused": mutations.run(seed, 500).total()})


def read_twice(seed: int) -> Counter[str]:
    """Supply, zones and activation at every checkpoint of a game, moves at some questions, read by brute force too.

    One game in three is played by the bot.
    """
    name, rules = what(seed)
    dice = random.Random(seed)
    tally: Counter[str] = Counter()

    def watch(engine: Engine) -> None:
        ask = engine.request
        moving = isinstance(ask, Ask) and ask.kind == "move" and dice.random() < 0.05
        if isinstance(ask, Ask) and ask.kind == "activate":
            found = disagreements_on_activation(engine.state, ask, dice)
            assert not found, f"{name}, {rules}, seed {seed}: {found[0]}"
            tally["activations"] += 1
        if not moving and (engine.journal or engine.state.offensive is None):
            return
        found = disagreements(engine.state)
        if moving and isinstance(ask, Ask):
            tally["questions for moves"] += 1
            found += disagreements_on_moves(engine.state, ask, dice)
        assert not found, f"{name}, {rules}, seed {seed}: {found[0]}"
        tally["positions"] += 1

    if seed % 3 == 2:
        bot_play.play(name, seed, SIDES, watch=watch, rules=rules)
    else:
        play(name, seed, watch, rules=rules)
    return tally


KINDS = (
    Kind("random", "random games", at_random, 220, FLOORS),
    Kind("spoilt", "500 spoilt orders", spoilt, 10_000, {"refused": 50_000}, each=500, first=1000),
    Kind(
        "twice",
        "supply, activation and moves read twice",
        read_twice,
        22,
        {"positions": 10_000, "questions for moves": 500, "activations": 2000},
    ),
)

if __name__ == "__main__":
    sys.exit(main(KINDS, sys.argv[1:]))
