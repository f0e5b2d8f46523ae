"""The full runs: python -m tests.pacific_war.long. Seeds are printed; a number that is missed ends in failure."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.state import CAMPAIGN, SIDES
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.runtime.audit import audit
from tests.full_runs import Kind, main
from tests.pacific_war import bot_play, hidden_play, invariants, mutations, reached, slow_judge, slow_links
from tests.pacific_war.proving import (
    BRINK,
    BRINK_BASE,
    DOGFIGHT,
    DOGFIGHT_BASE,
    DROP_BASE,
    DROP_ZONE,
    PROVING,
    PROVING_BASE,
    brink,
    dogfight,
    drop_zone,
    proving,
)
from tests.pacific_war.random_play import Watch, play

SCENARIOS = ("coral-sea", "pearl-harbor", "savo-island", "guadalcanal", "midway", "santa-cruz", PROVING)
SHORT = SCENARIOS[:-1]
MADE: dict[str, Callable[[], tuple[str, dict[str, Any]]]] = {
    PROVING: lambda: (PROVING_BASE, proving()),
    DROP_ZONE: lambda: (DROP_BASE, drop_zone()),
    BRINK: lambda: (BRINK_BASE, brink()),
    DOGFIGHT: lambda: (DOGFIGHT_BASE, dogfight()),
}
WHOLE_WAR = "strategic-1941"
IN_EVERY_WAR = (
    "PW-AIR-14",
    "PW-AIR-18",
    "PW-CMD-03",
    "PW-CMD-10",
    "PW-CMD-12",
    "PW-DEM-01",
    "PW-DSP-01",
    "PW-ENG-02",
    "PW-ENG-06",
    "PW-INT-01",
    "PW-ISO-01",
    "PW-LND-08",
    "PW-MER-01",
    "PW-MER-02",
    "PW-MER-03",
    "PW-NAV-02",
    "PW-NAV-03",
    "PW-NAV-07",
    "PW-NRP-04",
    "PW-OIN-01",
    "PW-OSB-01",
    "PW-OSB-02",
    "PW-RNF-01",
    "PW-RPL-01",
    "PW-RPL-02",
    "PW-RPL-03",
    "PW-RPL-04",
    "PW-RPL-06",
    "PW-SI-03",
    "PW-SRC-02",
    "PW-STB-01",
    "PW-STB-02",
    "PW-STR-01",
    "PW-TIM-04",
    "break-down",
    "construction",
    "naval combat",
    "transfer",
)  # seeds 0 to 3 had each of them in every war
WAR_FLOORS = dict.fromkeys(IN_EVERY_WAR, 50)
SEALED: dict[str, Plain] = {"forces": "sealed", "land": "sealed", "decoys": "yes", "points": "sealed"}
HIDDEN_FLOORS = {
    "Concealed": 100,
    "ForcesStand": 40,
    "PW-OPT-04": 5,
    "Shown": 80,
    "Unveiled": 45,
    "activate": 15,
    "dissolve": 4,
    "month": 30,
    "organize": 45,
    "repairs": 80,
    "replacements": 80,
    "transport": 80,
}
FLOORS = {
    "PW-ACT-11": 6,
    "PW-ACT-12": 12,
    "PW-AIR-10": 25,
    "PW-AIR-11": 40,
    "PW-AIR-14": 60,
    "PW-AIR-15": 15,
    "PW-AIR-18": 80,
    "PW-AMP-01": 20,
    "PW-AMP-06": 25,
    "PW-BID-02": 12,
    "PW-DEA-02": 5,
    "PW-ENG-06": 12,
    "PW-FOG-01": 25,
    "PW-FOG-02": 40,
    "PW-LND-03": 5,
    "PW-LND-08": 15,
    "PW-MER-01": 6,
    "PW-NAV-03": 20,
    "PW-NAV-07": 20,
    "PW-SRC-02": 60,
    "PW-TIM-02": 12,
    "PW-TIM-04": 10,
    "break-down": 6,
    "construction": 10,
    "naval combat": 20,
    "transfer": 30,
    "wave": 4,
    "weather": 6,
}  # of 100 games, in how many an event cites the rule or the thing happens: about half of what 120 games had
DROP_FLOORS = {"paradrop": 2, "siege": 10}
BRINK_FLOORS = {"surrender": 45, "PW-NAT-02": 35, "PW-NAT-05": 30, "PW-EXT-01": 5}
DOGFIGHT_FLOORS = {"experience": 15, "PW-AIR-11": 35}
CAMPAIGN_FLOORS = {"voyage": 15}  # each about half of what 40 or 50 games had


def options_of(seed: int) -> dict[str, Plain]:
    """Every option of the game at random; one game in four is played by one person alone."""
    dice = random.Random(seed)
    chosen: dict[str, Plain] = {o.name: dice.choice(o.choices) for o in GAME.options}
    return {**chosen, "solitaire": "yes" if seed % 4 == 0 else "no"}


def game(seed: int, watch: Watch, scenario: str = "", most: int = 100_000) -> Engine:
    """A game at random of the scenario and the options of a seed; what fails names them."""
    name = scenario or SCENARIOS[seed % len(SCENARIOS)]
    base, changes = MADE[name]() if name in MADE else (name, None)
    try:
        return play(base, seed, watch, most, changes, **options_of(seed))
    except Exception as fault:
        fault.add_note(f"{name}, seed {seed}, {options_of(seed)}")
        raise


def of_chance(seed: int, scenario: str = "") -> Counter[str]:
    """A game to its end with invariants at every question; which rules it reached, and what that was."""
    engine = game(seed, invariants.watch, scenario)
    assert engine.state.winner, f"seed {seed}: nobody won"
    return Counter({**{e.rule: 1 for e in engine.state.events}, **reached.what(engine), "games": 1})


def on_the_drop_zone(seed: int) -> Counter[str]:
    """Parachutists, a siege and a fortress, which no short scenario has."""
    return of_chance(seed, DROP_ZONE)


def on_the_brink(seed: int) -> Counter[str]:
    """Nations that surrender, which no short scenario has."""
    return of_chance(seed, BRINK)


def in_a_dogfight(seed: int) -> Counter[str]:
    """Aircraft that gain experience, which is rare elsewhere."""
    return of_chance(seed, DOGFIGHT)


def of_the_campaign(seed: int) -> Counter[str]:
    """The short campaign: fleets that leave the map and come back."""
    return of_chance(seed, "guadalcanal")


def of_hidden_campaign(seed: int) -> Counter[str]:
    """The short campaign with everything sealed; what the sides really have obeys the same laws at every question."""

    def watch(engine: Engine) -> None:
        invariants.watch(engine)
        if isinstance(engine.request, Ask):  # not between a secret order and what its owner states of it
            invariants.check_truth(engine.state)

    engine = play("guadalcanal", seed, watch, **SEALED)
    assert engine.state.winner, f"seed {seed}: nobody won"
    orders = {s.kind: 1 for row in engine.state.in_secret.values() for s in row}
    kinds = {type(e).__name__: 1 for e in engine.state.events}
    return Counter({**orders, **kinds, **{e.rule: 1 for e in engine.state.events}, "games": 1})


def sealed_lockstep(seed: int) -> Counter[str]:
    """The short campaign with everything sealed through signed files, then a clean audit."""
    party = hidden_play.two_people("guadalcanal", **SEALED)
    files = hidden_play.play_on(party, seed, 300)
    assert audit(party[0].table, hidden_play.disclosures(party), party[0].fetch) is None, f"seed {seed}"
    return Counter({"files": len(files), "games": 1})


def whole_war(seed: int) -> Counter[str]:
    """The whole war at random."""
    return of_chance(seed, WHOLE_WAR)


def of_bots(seed: int) -> Counter[str]:
    """A game of the bot against itself, sealed or open, to its end."""
    name = SHORT[seed % len(SHORT)]
    engine = bot_play.play(name, seed, SIDES, forces=("open", "sealed")[seed // len(SHORT) % 2])
    assert engine.state.winner, f"{name}, seed {seed}: nobody won"
    return Counter({"games": 1, engine.state.winner: 1})


def spoilt(seed: int) -> Counter[str]:
    """500 orders made illegal, every one of them refused."""
    return Counter({"refused": mutations.run(seed, 500).total()})


def read_twice(seed: int) -> Counter[str]:
    """Moves at sea, searches, flights and command links of a whole game, by the slow judge too."""
    dice, tally = random.Random(seed), Counter[str]()

    def watch(engine: Engine) -> None:
        ask, state = engine.request, engine.state
        if not isinstance(ask, Ask):
            return
        found = slow_judge.disagreements(state, ask, dice)
        if state.level == CAMPAIGN and tally["questions"] % 50 == 0:
            found += [line for side in SIDES for line in slow_judge.unlinked(state, side)]
        assert not found, found[0]
        tally["questions"] += 1
        tally[ask.kind] += ask.kind in ("sail", "contact", "search", "mission")

    game(seed, watch)
    return tally


def links_twice(seed: int) -> Counter[str]:
    """Links, activation, rest and control of an open game, by the slow judge too: the campaign, or the first weeks of the war.

    Every second game is played by the bot.
    """
    watch = slow_links.Watch(random.Random(seed), 0.3, 0.02)
    name, most = (WHOLE_WAR, 3000) if seed % 4 >= 2 else ("guadalcanal", 100_000)
    open_game: dict[str, Plain] = {"secrets": "open"}
    try:
        if seed % 2:
            bot_play.play(name, seed, SIDES, most, watch, **open_game)
        else:
            play(name, seed, watch, most, **open_game)
    except AssertionError as fault:
        if "does not end" not in str(fault):  # only its beginning is wanted
            fault.add_note(f"{name}, seed {seed}")
            raise
    return watch.seen


def in_lockstep(seed: int) -> Counter[str]:
    """Sealed forces through signed files, then a clean audit."""
    party = hidden_play.two_people(SHORT[seed % len(SHORT)], forces="sealed")
    files = hidden_play.play_on(party, seed, 300)
    assert audit(party[0].table, hidden_play.disclosures(party), party[0].fetch) is None, f"seed {seed}"
    return Counter({"files": len(files), "games": 1})


KINDS = (
    Kind("random", "random games", of_chance, 210, FLOORS),
    Kind("drops", "games on the drop zone", on_the_drop_zone, 50, DROP_FLOORS),
    Kind("brink", "games on the brink of surrender", on_the_brink, 50, BRINK_FLOORS),
    Kind("dogfight", "games of aircraft alone", in_a_dogfight, 50, DOGFIGHT_FLOORS),
    Kind("campaign", "games of Guadalcanal", of_the_campaign, 40, CAMPAIGN_FLOORS),
    Kind("hidden", "games of Guadalcanal with everything sealed", of_hidden_campaign, 40, HIDDEN_FLOORS),
    Kind("sealed", "lockstep games of Guadalcanal with everything sealed", sealed_lockstep, 6, {"games": 100}),
    Kind("war", "random games of the whole war", whole_war, 4, WAR_FLOORS),
    Kind("bots", "games of the bot", of_bots, 24, {"games": 100}),
    Kind("lockstep", "lockstep games", in_lockstep, 12, {"games": 100}),
    Kind("spoilt", "500 spoilt orders", spoilt, 10_000, {"refused": 50_000}, each=500, first=1000),
    Kind("twice", "moves, searches, flights and links read twice", read_twice, 48, {"questions": 10_000, "search": 1000}),
    Kind(
        "links",
        "links, activation, rest and control read twice",
        links_twice,
        16,
        {"links": 1000, "activations": 1000, "rests": 1000, "control": 30_000},
    ),
)

if __name__ == "__main__":
    sys.exit(main(KINDS, sys.argv[1:]))
