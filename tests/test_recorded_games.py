"""Recorded games are played again to the same hash: a change of rules that moves one is noticed at its entry."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Diverged, Engine
from pbem.kernel.flow import Ask, Roll
from tests.axis_and_allies_pacific import table
from tests.axis_and_allies_pacific.random_play import at_random, by_bot

FOLDER = Path(__file__).parent / "games" / "axis_and_allies_pacific"
GAMES = sorted(FOLDER.glob("*.json"))


@pytest.mark.parametrize("path", GAMES, ids=[p.stem for p in GAMES])
def test_a_recorded_game_ends_with_its_hash(path: Path) -> None:
    saved = json.loads(path.read_text())
    engine = Engine(GAME, table.scenario(), GAME.start(table.scenario(), saved["options"]))
    for number, (asked, answer) in enumerate(saved["journal"]):
        if engine.fingerprint != asked:
            raise Diverged(number, engine.fingerprint, asked)
        engine.reply(answer)
    assert engine.request is None
    assert engine.state.winner == saved["winner"]
    assert engine.state_hash() == saved["state"]


def test_there_are_recorded_games() -> None:
    assert len(GAMES) >= 3


def record(name: str, seed: int, rounds: int, choose: Any) -> None:
    """Play a game and keep its journal."""
    import random

    dice = random.Random(seed)
    options: dict[str, Plain] = {"round-limit": rounds}
    engine = Engine(GAME, table.scenario(), GAME.start(table.scenario(), options))
    journal: list[Plain] = []
    while engine.request is not None:
        request = engine.request
        answer: Plain
        if isinstance(request, Roll):
            answer = [dice.randint(1, request.sides) for _ in range(request.dice)]
        else:
            assert isinstance(request, Ask)
            answer = request.forced if request.forced is not None else choose(engine, request, dice)
        journal.append([engine.fingerprint, answer])
        engine.reply(answer)
    saved = {"options": options, "winner": engine.state.winner, "state": engine.state_hash(), "journal": journal}
    (FOLDER / f"{name}.json").write_text(json.dumps(saved, separators=(",", ":")) + "\n")


if __name__ == "__main__" and "--record" in sys.argv:
    record("random-1", 101, 3, at_random)
    record("random-2", 102, 3, at_random)
    record("bot-1", 103, 4, by_bot)
