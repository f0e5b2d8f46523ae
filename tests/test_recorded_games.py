"""Recorded games are played again to the same hash: a change of rules that moves one is noticed at its entry.

A recording is gzipped JSON lines: what was played and how it ended, then one line for each answer with the fingerprint
of its question. `python -m tests.test_recorded_games [word ...]` records all of them anew, or those with a word in their path.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbem.games.axis_and_allies_pacific.game import GAME as PACIFIC
from pbem.games.empire_of_the_sun.game import GAME as EMPIRE
from pbem.games.next_war import bot as next_war_bot
from pbem.games.next_war.state import ALLIED, OPPOSED
from pbem.games.pacific_war import bot as pacific_war_bot
from pbem.games.pacific_war.state import SIDES as WAR_SIDES
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Diverged, Engine
from pbem.kernel.flow import Ask, Roll, Simultaneous
from tests.axis_and_allies_pacific import table
from tests.axis_and_allies_pacific.random_play import Chooser, at_random, by_bot
from tests.empire_of_the_sun import table as empire_table
from tests.empire_of_the_sun.random_play import Player
from tests.next_war import random_play as next_war_play
from tests.next_war import table as next_war_table
from tests.pacific_war import random_play as pacific_war_play
from tests.pacific_war import table as pacific_war_table

FOLDER = Path(__file__).parent / "games"
CHOOSERS: dict[str, Chooser] = {"random": at_random, "bot": by_bot}
Answers = Callable[[Engine], Plain]


@dataclass(frozen=True)
class Recording:
    """A game of some system: its scenario and options, and who gives the answers when it is recorded."""

    system: str
    name: str
    seed: int
    options: dict[str, Plain]
    by: str = "random"
    scenario: str = "spring-1940"

    @property
    def title(self) -> str:
        return f"{self.system}/{self.name}"

    def begin(self) -> Engine:
        return begin(self.system, self.scenario, self.options)

    def answers(self) -> Answers:
        dice = random.Random(self.seed)
        if self.system == "empire_of_the_sun":
            player = Player(dice)
            return lambda engine: player.answer(engine.request)  # type: ignore[arg-type]
        if self.system == "next_war":
            return lambda engine: _answer(engine, self._choose_next_war, dice)
        if self.system == "pacific_war":
            return lambda engine: self._answer_pacific_war(engine, dice)
        return lambda engine: _answer(engine, CHOOSERS[self.by], dice)

    def _choose_next_war(self, engine: Engine, ask: Ask, dice: random.Random) -> Plain:
        """The bot for the seats that `by` names."""
        if ask.seat in BY_BOT[self.by]:
            return next_war_bot.choose(engine.state, ask)
        return next_war_play.choose(ask, dice, next_war_play.MOVES[self.scenario])

    def _answer_pacific_war(self, engine: Engine, dice: random.Random) -> Plain:
        """The bot for the sides that `by` names; sealed bids, lengths and task forces are answers like all others."""

        def choose(ask: Ask) -> Plain:
            if ask.seat in BY_BOT[self.by]:
                return pacific_war_bot.choose(engine.state, ask)
            return pacific_war_play.choose(ask, dice)

        request = engine.request
        if isinstance(request, Simultaneous):
            return {a.seat: choose(a) for a in request.asks}
        if isinstance(request, Ask):
            return request.forced if request.forced is not None else choose(request)
        assert request is not None
        return pacific_war_table.chance(request, dice)


def begin(system: str, scenario: str, options: dict[str, Plain]) -> Engine:
    """A game at its first question."""
    if system == "empire_of_the_sun":
        return Engine(EMPIRE, empire_table.scenario(scenario), EMPIRE.start(empire_table.scenario(scenario), options))
    if system == "next_war":
        return next_war_table.begin(scenario, **options)
    if system == "pacific_war":
        return pacific_war_table.begin(scenario, **options)
    return Engine(PACIFIC, table.scenario(), PACIFIC.start(table.scenario(), options))


def _pacific(by: str, seed: int, rounds: int) -> Recording:
    return Recording("axis_and_allies_pacific", f"{by}-{seed}", seed, {"round-limit": rounds}, by)


def _empire(rules: str, scenario: str, seed: int) -> Recording:
    options: dict[str, Plain] = {"rules": rules, "simultaneous-hits": ("in-order", "sealed")[seed % 2]}
    return Recording("empire_of_the_sun", f"{rules}-{scenario}-{seed}", seed, options, scenario=scenario)


def _next_war(scenario: str, by: str, seed: int) -> Recording:
    options = next_war_play.OPTIONS[seed % len(next_war_play.OPTIONS)]
    return Recording("next_war", f"{scenario}-{by}-{seed}", seed, options, by, scenario)


def _pacific_war(scenario: str, by: str, seed: int, **options: Plain) -> Recording:
    return Recording("pacific_war", f"{scenario}-{by}-{seed}", seed, options, by, scenario)


EMPIRE_SHORT = (("2nd-2015", "campaign-1941", 401), ("1st-2005", "year-1942", 402), ("2nd-2015", "burma", 403))
EMPIRE_LONG = (
    *(("2nd-2015", name, 410 + i) for i, name in enumerate([s for s in empire_table.SCENARIOS if s[0] not in "bc"][:8])),
    *(("1st-2005", name, 430 + i) for i, name in enumerate([s for s in empire_table.SCENARIOS if s != "year-1942"][:9])),
)
BY_BOT: dict[str, tuple[str, ...]] = {
    **{"random": (), "bot": (ALLIED, OPPOSED, *WAR_SIDES), "allied-bot": (ALLIED,), "opposed-bot": (OPPOSED,)},
    **{"japan-bot": WAR_SIDES[:1], "allies-bot": WAR_SIDES[1:]},
}
PACIFIC_WAR_GAMES = (
    _pacific_war("coral-sea", "bot", 601, forces="sealed"),
    _pacific_war("coral-sea", "random", 602, radar="yes"),
    _pacific_war("midway", "bot", 603),
    _pacific_war("midway", "japan-bot", 604, forces="sealed"),
    _pacific_war("santa-cruz", "allies-bot", 605, forces="sealed"),
    _pacific_war("savo-island", "bot", 606, **{"night-combat": "yes"}),
    _pacific_war("pearl-harbor", "random", 607, **{"pilot-skill": "yes"}),
    _pacific_war("guadalcanal", "bot", 608, forces="sealed"),
    _pacific_war("guadalcanal", "random", 609, secrets="open", weather="yes"),
    _pacific_war("guadalcanal", "allies-bot", 610, armour="yes", barges="yes"),
)
NEXT_WAR_GAMES = (
    *(("training", "bot", 501), ("training", "random", 502), ("training", "allied-bot", 503), ("gap", "bot", 504)),
    *(("gap", "opposed-bot", 505), ("wonsan", "bot", 506), ("wonsan", "random", 511), ("wonsan", "allied-bot", 508)),
    *(("korea", "random", 509), ("korea", "opposed-bot", 510)),
)
SHORT = [_pacific(*game) for game in (("random", 101, 3), ("random", 102, 3), ("bot", 103, 3))]
SHORT += [_empire(*game) for game in EMPIRE_SHORT]
SHORT += [_next_war(*game) for game in NEXT_WAR_GAMES]
SHORT += PACIFIC_WAR_GAMES
LONG = [_pacific("random", seed, 12) for seed in range(201, 208)]
LONG += [_pacific("bot", seed, 20) for seed in range(301, 311)]
LONG += [_empire(*game) for game in EMPIRE_LONG]


def replay(path: Path) -> None:
    """Give every recorded answer; raises Diverged where the rules ask something else."""
    lines = read(path)
    head = next(lines)
    engine = begin(head.get("system", "axis_and_allies_pacific"), head.get("scenario", ""), head["options"])
    for number, (asked, answer) in enumerate(lines):
        if engine.fingerprint != asked:
            raise Diverged(number, engine.fingerprint, asked)
        engine.reply(answer)
    assert engine.request is None
    assert [engine.state.winner, engine.state.win_rule] == head["result"]
    assert engine.state_hash() == head["state"]


def read(path: Path) -> Iterator[Any]:
    with gzip.open(path, "rt") as file:
        yield from map(json.loads, file)


def path_of(title: str) -> Path:
    return FOLDER / f"{title}.jsonl.gz"


@pytest.mark.parametrize("title", [r.title for r in SHORT])
def test_a_recorded_game_ends_with_its_hash(title: str) -> None:
    replay(path_of(title))


@pytest.mark.long
@pytest.mark.parametrize("title", [r.title for r in LONG])
def test_a_long_recorded_game_ends_with_its_hash(title: str) -> None:
    replay(path_of(title))


def test_every_recording_is_played() -> None:
    found = {str(p.relative_to(FOLDER)) for p in FOLDER.rglob("*.gz") if p.parent.name != "signed"}  # those: test_signed_games
    assert found == {f"{r.title}.jsonl.gz" for r in SHORT + LONG}


def test_another_answer_is_noticed(tmp_path: Path) -> None:
    lines = list(read(path_of("axis_and_allies_pacific/random-101")))
    rolls = [i for i, line in enumerate(lines[1:], 1) if line[0].startswith("roll")]
    lines[rolls[0]][1] = [7 - n for n in lines[rolls[0]][1]]
    changed = tmp_path / "changed.jsonl.gz"
    _write(changed, lines)
    with pytest.raises((Diverged, AssertionError)):
        replay(changed)


def record(recording: Recording) -> None:
    """Play a game and keep its answers."""
    engine, answer = recording.begin(), recording.answers()
    lines: list[Plain] = []
    while engine.request is not None:
        lines.append([engine.fingerprint, answer(engine)])
        engine.reply(lines[-1][1])  # type: ignore[index]
    g = engine.state
    head: Plain = {
        "system": recording.system,
        "scenario": recording.scenario,
        "options": recording.options,
        "result": [g.winner, g.win_rule],
        "state": engine.state_hash(),
        "by": recording.by,
        "seed": recording.seed,
    }
    path_of(recording.title).parent.mkdir(parents=True, exist_ok=True)
    _write(path_of(recording.title), [head, *lines])


def _answer(engine: Engine, choose: Chooser, dice: random.Random) -> Plain:
    request = engine.request
    if isinstance(request, Roll):
        return [dice.randint(1, request.sides) for _ in range(request.dice)]
    assert isinstance(request, Ask)
    return request.forced if request.forced is not None else choose(engine, request, dice)


def _write(path: Path, lines: list[Plain]) -> None:
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    path.write_bytes(gzip.compress(text.encode(), mtime=0))


if __name__ == "__main__":
    for wanted in SHORT + LONG:
        if not sys.argv[1:] or any(word in wanted.title for word in sys.argv[1:]):
            record(wanted)
