"""The full runs: python -m tests.axis_and_allies_pacific.long. Seeds are printed; a number that is missed ends in failure."""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from pbem.cli import demonstration
from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.kernel.flow import Ask
from tests.axis_and_allies_pacific import invariants, mutations, table
from tests.axis_and_allies_pacific.random_play import Watch, at_random, by_bot, count, is_victory, missing, play
from tests.axis_and_allies_pacific.slow_judge import disagreements
from tests.two_players import test_pacific

ROUNDS, BOT_ROUNDS = 12, 20
FLOORS_AT_RANDOM = {  # per 100 games
    "battles": 8000,
    "landings": 900,
    "captures": 2000,
    "liberations": 150,
    "declarations": 250,
    "submarine strikes": 300,
    "raids": 80,
    "scrambles": 50,
    "kamikazes": 8,
}
FLOORS_OF_BOT = {
    "battles": 6000,
    "landings": 3500,
    "captures": 3000,
    "liberations": 500,
    "declarations": 250,
    "submarine strikes": 300,
    "raids": 200,
    "scrambles": 30,
    "kamikazes": 200,
}
Outcome = tuple[Counter[str], str]  # what happened, how it ended


def at_random_with_invariants(seed: int) -> Outcome:
    """Invariants at every segment; in one game of twenty at every event."""
    engine = play(seed, ROUNDS, at_random, Watch(200))
    if seed % 20 == 0:
        invariants.check_events_alone(engine, GAME.start(table.scenario(), {"round-limit": ROUNDS}))
    return _outcome(engine)


def of_bots(seed: int) -> Outcome:
    """A game that ends with a victory or after the last round."""
    engine = play(seed, BOT_ROUNDS, by_bot, Watch(400))
    tally, end = _outcome(engine)
    tally["victories"] = int(is_victory(engine))
    return tally, end


def _outcome(engine) -> Outcome:  # type: ignore[no-untyped-def]
    tally: Counter[str] = Counter()
    count(engine, tally)
    g = engine.state
    return tally, f"{g.winner} {g.win_rule} in round {g.round}"


def spoilt(seed: int) -> Outcome:
    """500 orders made illegal, every one of them refused."""
    return Counter({"refused": sum(mutations.run(seed, 500).values())}), ""


def judged_twice(seed: int) -> Outcome:
    """Moves along a random game, judged by the engine and by brute force."""
    dice = random.Random(seed)
    tally: Counter[str] = Counter()

    def watch(engine) -> None:  # type: ignore[no-untyped-def]
        ask = engine.request
        if isinstance(ask, Ask) and ask.kind in ("combat-move", "noncombat-move") and dice.random() < 0.04:
            found = disagreements(engine.state, ask, dice)
            assert not found, f"seed {seed}: {found[0]}"
            tally["positions"] += 1

    play(seed, 3, at_random, watch)
    return tally, ""


def in_lockstep(seed: int) -> Outcome:
    """A game of three rounds through files, between two folders."""
    with tempfile.TemporaryDirectory() as folder, _home(folder):
        parties = test_pacific.two_folders(Path(folder))
        return Counter({"files": test_pacific.lockstep(parties, seed, dict(demonstration.STANDING))}), ""


@contextmanager
def _home(folder: str) -> Iterator[None]:
    before = os.environ.get("PBEM_HOME")
    os.environ["PBEM_HOME"] = str(Path(folder) / "home")
    try:
        yield
    finally:
        if before is None:
            del os.environ["PBEM_HOME"]
        else:
            os.environ["PBEM_HOME"] = before


def run(name: str, one: Callable[[int], Outcome], seeds: Sequence[int], jobs: int) -> Counter[str]:
    """Run one kind for every seed and print its lines of the table."""
    begun, tally, ends = time.monotonic(), Counter[str](), Counter[str]()
    with ProcessPoolExecutor(jobs) as pool:
        for happened, end in pool.map(one, seeds):
            tally += happened
            ends[end.split(" in round")[0]] += 1
    if seeds:
        print(f"{name}: {len(seeds)} runs, seeds {seeds[0]} to {seeds[-1]}, {time.monotonic() - begun:.0f} s")
        for what, number in sorted(tally.items()):
            print(f"  {what:18} {number:8}  per 100 runs {100 * number // len(seeds)}")
        print("".join(f"  {end}: {number}\n" for end, number in ends.items() if end), end="", flush=True)
    return tally


def main(arguments: Sequence[str]) -> int:
    """The exit code: 1 when a floor is missed."""
    parser = argparse.ArgumentParser()
    for name, number in (("random", 300), ("bots", 30), ("lockstep", 20), ("spoilt", 10_000), ("judged", 30)):
        parser.add_argument(f"--{name}", type=int, default=number)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    wanted = parser.parse_args(arguments)
    tally = run(f"random games of {ROUNDS} rounds", at_random_with_invariants, range(wanted.random), wanted.jobs)
    missed = missing(tally, wanted.random, FLOORS_AT_RANDOM)
    tally = run(f"bot games of at most {BOT_ROUNDS} rounds", of_bots, range(wanted.bots), wanted.jobs)
    missed += missing(tally, wanted.bots, FLOORS_OF_BOT | {"victories": 66})
    run("lockstep games of 3 rounds", in_lockstep, range(wanted.lockstep), wanted.jobs)
    tally = run("500 spoilt orders", spoilt, range(100, 100 + wanted.spoilt // 500), wanted.jobs)
    missed += missing(tally, wanted.spoilt // 500, {"refused": 50_000})
    run("moves judged twice", judged_twice, range(wanted.judged), wanted.jobs)
    for line in missed:
        print(f"MISSED: {line}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
