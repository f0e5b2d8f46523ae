"""The full runs: python -m tests.axis_and_allies_pacific.long. Seeds are printed; a number that is missed ends in failure."""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from pathlib import Path

from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.kernel.flow import Ask
from tests.axis_and_allies_pacific import invariants, mutations, table
from tests.axis_and_allies_pacific.random_play import Watch, at_random, by_bot, count, is_victory, play
from tests.axis_and_allies_pacific.slow_judge import disagreements
from tests.full_runs import Kind, home, main
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


def at_random_with_invariants(seed: int) -> Counter[str]:
    """Invariants at every segment; in one game of twenty at every event."""
    engine = play(seed, ROUNDS, at_random, Watch(200))
    if seed % 20 == 0:
        invariants.check_events_alone(engine, GAME.start(table.scenario(), {"round-limit": ROUNDS}))
    return _outcome(engine)


def of_bots(seed: int) -> Counter[str]:
    """A game that ends with a victory or after the last round."""
    engine = play(seed, BOT_ROUNDS, by_bot, Watch(400))
    tally = _outcome(engine)
    tally["victories"] = int(is_victory(engine))
    return tally


def _outcome(engine) -> Counter[str]:  # type: ignore[no-untyped-def]
    tally: Counter[str] = Counter()
    count(engine, tally)
    g = engine.state
    tally[f"ends: {g.winner} {g.win_rule}"] += 1
    return tally


def spoilt(seed: int) -> Counter[str]:
    """500 orders made illegal, every one of them refused."""
    return Counter({"refused": mutations.run(seed, 500).total()})


def judged_twice(seed: int) -> Counter[str]:
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
    return tally


def in_lockstep(seed: int) -> Counter[str]:
    """A game of three rounds through files, between two folders."""
    with tempfile.TemporaryDirectory() as folder, home(folder):
        parties = test_pacific.two_folders(Path(folder))
        return Counter({"files": test_pacific.lockstep_at_random(parties, seed)})


KINDS = (
    Kind("random", f"random games of {ROUNDS} rounds", at_random_with_invariants, 300, FLOORS_AT_RANDOM),
    Kind("bots", f"bot games of at most {BOT_ROUNDS} rounds", of_bots, 30, FLOORS_OF_BOT),
    Kind("lockstep", "lockstep games of 3 rounds", in_lockstep, 20),
    Kind("spoilt", "500 spoilt orders", spoilt, 10_000, {"refused": 50_000}, each=500, first=100),
    Kind("judged", "moves judged twice", judged_twice, 30),
)

if __name__ == "__main__":
    sys.exit(main(KINDS, sys.argv[1:]))
