"""Recorded games are played again to the same hash: a change of rules that moves one is noticed at its entry.

A recording is gzipped JSON lines: what was played and how it ended, then one line for each answer with the fingerprint
of its question. `python -m tests.test_recorded_games` records all of them anew.
"""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Diverged, Engine
from pbem.kernel.flow import Ask, Roll
from tests.axis_and_allies_pacific import table
from tests.axis_and_allies_pacific.random_play import Chooser, at_random, by_bot

FOLDER = Path(__file__).parent / "games" / "axis_and_allies_pacific"
SHORT = {f"{by}-{seed}": (by, seed, 3) for by, seed in (("random", 101), ("random", 102), ("bot", 103))}
LONG = {f"random-{seed}": ("random", seed, 12) for seed in range(201, 208)}
LONG |= {f"bot-{seed}": ("bot", seed, 20) for seed in range(301, 311)}
CHOOSERS: dict[str, Chooser] = {"random": at_random, "bot": by_bot}


def replay(path: Path) -> None:
    """Give every recorded answer; raises Diverged where the rules ask something else."""
    lines = read(path)
    head = next(lines)
    engine = Engine(GAME, table.scenario(), GAME.start(table.scenario(), head["options"]))
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


def path_of(name: str) -> Path:
    return FOLDER / f"{name}.jsonl.gz"


@pytest.mark.parametrize("name", SHORT)
def test_a_recorded_game_ends_with_its_hash(name: str) -> None:
    replay(path_of(name))


@pytest.mark.long
@pytest.mark.parametrize("name", LONG)
def test_a_long_recorded_game_ends_with_its_hash(name: str) -> None:
    replay(path_of(name))


def test_every_recording_is_played() -> None:
    assert sorted(p.name for p in FOLDER.iterdir()) == sorted(path_of(name).name for name in SHORT | LONG)


def test_another_answer_is_noticed(tmp_path: Path) -> None:
    lines = list(read(path_of("random-101")))
    rolls = [i for i, line in enumerate(lines[1:], 1) if line[0].startswith("roll")]
    lines[rolls[0]][1] = [7 - n for n in lines[rolls[0]][1]]
    changed = tmp_path / "changed.jsonl.gz"
    _write(changed, lines)
    with pytest.raises((Diverged, AssertionError)):
        replay(changed)


def record(name: str, by: str, seed: int, rounds: int) -> None:
    """Play a game and keep its answers."""
    dice = random.Random(seed)
    options: dict[str, Plain] = {"round-limit": rounds}
    engine = Engine(GAME, table.scenario(), GAME.start(table.scenario(), options))
    answers: list[Plain] = []
    while engine.request is not None:
        answer = _answer(engine, CHOOSERS[by], dice)
        answers.append([engine.fingerprint, answer])
        engine.reply(answer)
    g = engine.state
    head: Plain = {"options": options, "result": [g.winner, g.win_rule], "state": engine.state_hash(), "by": by, "seed": seed}
    _write(path_of(name), [head, *answers])


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
    for old in FOLDER.glob("*.gz"):
        old.unlink()
    for title, (who, number, most) in (SHORT | LONG).items():
        record(title, who, number, most)
