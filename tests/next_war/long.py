"""The full runs: python -m tests.next_war.long. Seeds are printed; a number that is missed ends in failure."""

from __future__ import annotations

import random
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from pbem.games.next_war.state import ALLIED, OPPOSED
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from tests.full_runs import Kind, home, main
from tests.next_war import bot_play, invariants, mutations, table
from tests.next_war.random_play import MOVES, OPTIONS, count, play
from tests.next_war.slow_judge import disagreements, disagreements_on_moves
from tests.next_war.slow_waters import disagreements_on_lifts, sea_disagreements
from tests.next_war.test_two_folders import at_random, by_bot, turns, two_folders

FLOORS_AT_RANDOM = {  # per 100 games
    "attacks": 1200,
    "retreats": 90,
    "second retreats": 1,
    "lost in retreat": 2,
    "advances": 400,
    "captures": 1000,
    "losses": 2400,
    "marches": 3000,
    "clearing markers": 70,
    "clearing operations": 50,
    "airmobile": 80,
    "air transport": 70,
    "paradrops": 12,
    "Marines lifted": 4,
    "helicopter bases": 280,
    "shot down": 130,
    "voyages": 900,
    "sea transport": 30,
    "embarked or ashore": 8,
    "turned ships": 15,
    "contested seas": 140,
    "lost at sea": 6,
    "mines laid": 80,
    "mines swept for": 180,
    "sea control": 600,
    "landings": 30,
    "thrown back": 3,
    "beachheads": 40,
    "bases lost": 5,
    "reinforcements": 2400,
    "replacements": 400,
    "rebuilt units": 450,
    "ends": 100,
    "victories": 40,
    "automatic victories": 3,
}
FLOORS_OF_BOT = {
    "attacks": 2500,
    "retreats": 300,
    "advances": 2000,
    "captures": 3000,
    "clearing operations": 400,
    "landings": 50,
    "beachheads": 50,
    "paradrops": 30,
    "airmobile": 200,
    "bases lost": 50,
    "ends": 100,
    "won against random play": 55,
}
SEATS = ((ALLIED, OPPOSED), (ALLIED,), (OPPOSED,))
IN_FILES = ("training", "gap", "wonsan")  # a game of Korea takes some hundreds of files


def what(seed: int) -> tuple[str, dict[str, Any]]:
    """Scenario and options of a seed: every pair in turn."""
    return table.SCENARIOS[seed % len(table.SCENARIOS)], OPTIONS[seed // len(table.SCENARIOS) % len(OPTIONS)]


def of_chance(seed: int) -> Counter[str]:
    """A game to its end with invariants at every segment; in one game of ten the events alone are played again."""
    name, options = what(seed)
    engine = play(name, seed, invariants.Watch(50), moves=MOVES[name], **options)
    if seed % 10 == 0:
        invariants.check_events_alone(engine, name, **options)
    return _outcome(engine)


def of_bots(seed: int) -> Counter[str]:
    """The bot against itself, or on either side against random play, with invariants."""
    name, options = what(seed)
    bots = SEATS[seed // (len(table.SCENARIOS) * len(OPTIONS)) % len(SEATS)]
    engine = bot_play.play(name, seed, bots, invariants.Watch(100), **options)
    tally = _outcome(engine)
    if len(bots) == 1:
        tally["against random play"] += 1
        tally["won against random play"] += engine.state.winner == bots[0]
        tally["lost against random play"] += engine.state.winner in SEATS[0] and engine.state.winner != bots[0]
    return tally


def _outcome(engine: Engine) -> Counter[str]:
    tally: Counter[str] = Counter()
    count(engine, tally)
    return tally


def in_lockstep(seed: int) -> Counter[str]:
    """A whole game through files, between two folders: the bot against random play."""
    scenario = IN_FILES[seed % len(IN_FILES)]
    choosers = {"yamada": by_bot, "nowak": at_random(seed, MOVES[scenario])}
    if seed % 2:
        choosers = {"nowak": by_bot, "yamada": choosers["nowak"]}
    with tempfile.TemporaryDirectory() as folder, home(folder):
        parties = two_folders(Path(folder), scenario, "supply=on")
        return Counter({"files": turns(parties, choosers, 100), "games": 1})


def spoilt(seed: int) -> Counter[str]:
    """500 orders made illegal, every one of them refused."""
    return Counter({"refused": mutations.run(seed, 500).total()})


def read_twice(seed: int) -> Counter[str]:
    """Zones, supply, ports and mines at every position of a game, moves, lifts and transports at every question for them.

    One game in five is played by the bot.
    """
    name, options = what(seed)
    dice = random.Random(seed)
    tally: Counter[str] = Counter()

    def watch(engine: Engine, _: Plain) -> None:
        ask = engine.request
        if not isinstance(ask, Ask):
            return
        found = disagreements(engine.state) + sea_disagreements(engine.state, dice, 4)
        if ask.kind == "movement":
            tally["questions for moves"] += 1
            found += disagreements_on_moves(engine.state, ask, dice)
            found += disagreements_on_lifts(engine.state, ask, dice)
        assert not found, f"{name}, {options}, seed {seed}: {found[0]}"
        tally["positions"] += 1

    if seed % 5 == 3:
        bot_play.play(name, seed, (ALLIED, OPPOSED), watch, **options)
    else:
        play(name, seed, watch, moves=MOVES[name], **options)
    return tally


KINDS = (
    Kind("random", "random games", of_chance, 200, FLOORS_AT_RANDOM),
    Kind("bots", "games with the bot", of_bots, 36, FLOORS_OF_BOT),
    Kind("lockstep", "lockstep games", in_lockstep, 6, {"games": 100}),
    Kind("spoilt", "500 spoilt orders", spoilt, 10_000, {"refused": 50_000}, each=500, first=1000),
    Kind(
        "twice",
        "moves, lifts, ports, zones and supply read twice",
        read_twice,
        24,
        {"positions": 10_000, "questions for moves": 4_000},
    ),
)

if __name__ == "__main__":
    sys.exit(main(KINDS, sys.argv[1:]))
