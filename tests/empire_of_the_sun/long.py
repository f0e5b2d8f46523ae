"""The full runs: python -m tests.empire_of_the_sun.long. Seeds are printed; a number that is missed ends in failure."""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor

from pbem.games.empire_of_the_sun.game import GAME
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from tests.empire_of_the_sun import invariants, mutations, table
from tests.empire_of_the_sun.random_play import count, missing, play
from tests.empire_of_the_sun.slow_supply import disagreements, disagreements_on_moves

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
    """Supply, zones and activation paths at every checkpoint of a game, moves at some questions, read by brute force too."""
    name, rules = what(seed)
    dice = random.Random(seed)
    tally: Counter[str] = Counter()

    def watch(engine: Engine) -> None:
        ask = engine.request
        moving = isinstance(ask, Ask) and ask.kind == "move" and dice.random() < 0.05
        if not moving and (engine.journal or engine.state.offensive is None):
            return
        found = disagreements(engine.state)
        if moving and isinstance(ask, Ask):
            tally["questions for moves"] += 1
            found += disagreements_on_moves(engine.state, ask, dice)
        assert not found, f"{name}, {rules}, seed {seed}: {found[0]}"
        tally["positions"] += 1

    play(name, seed, watch, rules=rules)
    return tally


def run(title: str, one: Callable[[int], Counter[str]], seeds: Sequence[int], jobs: int) -> Counter[str]:
    """Run one kind for every seed and print its lines of the table."""
    begun, tally = time.monotonic(), Counter[str]()
    with ProcessPoolExecutor(jobs) as pool:
        for happened in pool.map(one, seeds):
            tally += happened
    if seeds:
        print(f"{title}: {len(seeds)} runs, seeds {seeds[0]} to {seeds[-1]}, {time.monotonic() - begun:.0f} s")
        for name, number in sorted(tally.items()):
            print(f"  {name:20} {number:8}  per 100 runs {100 * number // len(seeds)}", flush=True)
    return tally


def main(arguments: Sequence[str]) -> int:
    """The exit code: 1 when a floor is missed."""
    parser = argparse.ArgumentParser()
    for name, number in (("random", 220), ("spoilt", 10_000), ("twice", 22)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    wanted = parser.parse_args(arguments)
    missed = missing(run("random games", at_random, range(wanted.random), wanted.jobs), wanted.random, FLOORS)
    runs = wanted.spoilt // 500
    missed += missing(run("500 spoilt orders", spoilt, range(1000, 1000 + runs), wanted.jobs), runs, {"refused": 50_000})
    tally = run("supply and moves read twice", read_twice, range(wanted.twice), wanted.jobs)
    missed += missing(tally, wanted.twice, {"positions": 10_000, "questions for moves": 500})
    for line in missed:
        print(f"MISSED: {line}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
