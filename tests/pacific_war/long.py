"""The full runs: python -m tests.pacific_war.long. Seeds are printed; a number that is missed ends in failure."""

from __future__ import annotations

import random
import sys
from collections import Counter
from typing import Any

from pbem.games.pacific_war.state import CAMPAIGN, SIDES
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.runtime.audit import audit
from tests.full_runs import Kind, main
from tests.pacific_war import hidden_play, invariants, mutations, slow_judge
from tests.pacific_war.random_play import play

SCENARIOS = ("coral-sea", "pearl-harbor", "savo-island", "guadalcanal")
OPTIONS: tuple[dict[str, Any], ...] = ({}, {"forces": "sealed"}, {"secrets": "open", "radar": "yes", "armour": "yes"})
FLOORS = {
    "PW-AIR-11": 25,
    "PW-AIR-14": 40,
    "PW-AIR-18": 80,
    "PW-AMP-06": 25,
    "PW-FOG-01": 20,
    "PW-FOG-02": 40,
    "PW-LND-08": 15,
    "PW-NAV-03": 25,
    "PW-NAV-07": 20,
    "PW-SRC-02": 60,
    "PW-SUB-02": 2,
    "PW-TIM-02": 15,
    "PW-TIM-04": 10,
}  # of 100 games, in how many an event cites the rule


def what(seed: int) -> tuple[str, dict[str, Any]]:
    """Scenario and options of a seed: every pair in turn."""
    return SCENARIOS[seed % len(SCENARIOS)], OPTIONS[seed // len(SCENARIOS) % len(OPTIONS)]


def of_chance(seed: int) -> Counter[str]:
    """A game to its end with invariants at every question; which rules it reached."""
    name, options = what(seed)
    engine = play(name, seed, invariants.watch, **options)
    assert engine.state.winner, f"{name}, seed {seed}: nobody won"
    tally = Counter({e.rule: 1 for e in engine.state.events})
    tally["games"] = 1
    return tally


def spoilt(seed: int) -> Counter[str]:
    """500 orders made illegal, every one of them refused."""
    return Counter({"refused": mutations.run(seed, 500).total()})


def read_twice(seed: int) -> Counter[str]:
    """Moves at sea, searches, flights and command links of a whole game, by the slow judge too."""
    name, options = what(seed)
    dice, tally = random.Random(seed), Counter[str]()

    def watch(engine: Engine) -> None:
        ask, state = engine.request, engine.state
        if not isinstance(ask, Ask):
            return
        found = slow_judge.disagreements(state, ask, dice)
        if state.level == CAMPAIGN and tally["questions"] % 50 == 0:
            found += [line for side in SIDES for line in slow_judge.unlinked(state, side)]
        assert not found, f"{name}, {options}, seed {seed}: {found[0]}"
        tally["questions"] += 1
        tally[ask.kind] += ask.kind in ("sail", "contact", "search", "mission")

    play(name, seed, watch, **options)
    return tally


def in_lockstep(seed: int) -> Counter[str]:
    """Sealed forces through signed files, then a clean audit."""
    party = hidden_play.two_people(SCENARIOS[seed % 3], forces="sealed")
    files = hidden_play.play_on(party, seed, 300)
    assert audit(party[0].table, hidden_play.disclosures(party), party[0].fetch) is None, f"seed {seed}"
    return Counter({"files": len(files), "games": 1})


KINDS = (
    Kind("random", "random games", of_chance, 200, FLOORS),
    Kind("lockstep", "lockstep games", in_lockstep, 12, {"games": 100}),
    Kind("spoilt", "500 spoilt orders", spoilt, 10_000, {"refused": 50_000}, each=500, first=1000),
    Kind("twice", "moves, searches, flights and links read twice", read_twice, 48, {"questions": 10_000, "search": 1000}),
)

if __name__ == "__main__":
    sys.exit(main(KINDS, sys.argv[1:]))
