"""The full numbers, with seeds: `python -m tests.next_war.long --random 200 --spoilt 10000 --twice 24`.

Random games with invariants, orders made illegal by construction, moves, zones and supply
read by the slow judge, many processes.
Prints a table; a floor that is missed ends in failure.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any

from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from tests.next_war import invariants, mutations, table
from tests.next_war.random_play import MOVES, OPTIONS, count, missing, play
from tests.next_war.slow_judge import disagreements, disagreements_on_moves

FLOORS = {  # per 100 games
    "attacks": 1000,
    "retreats": 70,
    "advances": 350,
    "captures": 900,
    "losses": 2000,
    "marches": 2700,
    "clearing markers": 50,
    "airmobile": 90,
    "voyages": 900,
    "landings": 25,
    "beachheads": 25,
    "replacements": 300,
    "ends": 100,
}


def what(seed: int) -> tuple[str, dict[str, Any]]:
    """Scenario and options of a seed: every pair in turn."""
    return table.SCENARIOS[seed % len(table.SCENARIOS)], OPTIONS[seed // len(table.SCENARIOS) % len(OPTIONS)]


def at_random(seed: int) -> Counter[str]:
    """A game to its end with invariants at every segment; in one game of ten the events alone are played again."""
    name, options = what(seed)
    engine = play(name, seed, invariants.Watch(50), moves=MOVES[name], **options)
    if seed % 10 == 0:
        invariants.check_events_alone(engine, name, **options)
    tally: Counter[str] = Counter()
    count(engine, tally)
    return tally


def spoilt(seed: int) -> Counter[str]:
    """500 orders made illegal, every one of them refused."""
    return Counter({"refused": mutations.run(seed, 500).total()})


def read_twice(seed: int) -> Counter[str]:
    """Zones and supply at every position of a game, moves of two stacks at every question for them, by the slow judge too."""
    name, options = what(seed)
    dice = random.Random(seed)
    tally: Counter[str] = Counter()

    def watch(engine: Engine, _: Plain) -> None:
        ask = engine.request
        if not isinstance(ask, Ask):
            return
        found = disagreements(engine.state)
        if ask.kind == "movement":
            tally["questions for moves"] += 1
            found += disagreements_on_moves(engine.state, ask, dice)
        assert not found, f"{name}, {options}, seed {seed}: {found[0]}"
        tally["positions"] += 1

    play(name, seed, watch, moves=MOVES[name], **options)
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
    for name, number in (("random", 200), ("spoilt", 10_000), ("twice", 24)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    wanted = parser.parse_args(arguments)
    missed = missing(run("random games", at_random, range(wanted.random), wanted.jobs), wanted.random, FLOORS)
    runs = wanted.spoilt // 500
    missed += missing(run("500 spoilt orders", spoilt, range(1000, 1000 + runs), wanted.jobs), runs, {"refused": 50_000})
    tally = run("moves, zones and supply read twice", read_twice, range(wanted.twice), wanted.jobs)
    missed += missing(tally, wanted.twice, {"positions": 10_000, "questions for moves": 4_000})
    for line in missed:
        print(f"MISSED: {line}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
