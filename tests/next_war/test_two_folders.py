"""A training turn in two folders: by the commands with mails between them, and by two programs in lockstep."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import proof
from pbem.games.next_war import bot
from pbem.games.next_war.state import ALLIED, OPPOSED
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from tests.commands import inside, must
from tests.next_war import random_play
from tests.two_players.folders import Chooser, Pair, Parties, Side, first_die, lockstep, opened_anew, two_sessions

STANDING: dict[str, Any] = {"stand": "yes", "failed": "retreat", "sweep": "none"}


def two_folders(folder: Path, scenario: str, *options: str) -> Parties:
    """A game drafted, joined and accepted on both sides."""
    west, east = Side("west", "yamada", [ALLIED]), Side("east", "nowak", [OPPOSED])
    return two_sessions(folder, "next-war", scenario, options, west, east)


def by_bot(engine: Engine, ask: Ask) -> Plain:
    """The bot's order."""
    return bot.choose(engine.state, ask)


def at_random(seed: int, moves: int) -> Chooser:
    """Random orders."""
    dice = random.Random(seed)
    return lambda _, ask: random_play.choose(ask, dice, moves)


def turns(parties: Parties, choosers: dict[str, Chooser], number: int) -> int:
    """So many turns in lockstep, or the game; the number of files."""
    return lockstep(parties, choosers, STANDING, lambda state: state.turn <= number)


@pytest.fixture
def parties(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Parties:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    return two_folders(tmp_path, "training", "supply=on", "bridges=on")


@pytest.mark.in_turn(2)
@pytest.mark.parametrize(
    "choosers", [{"yamada": by_bot, "nowak": at_random(1, 12)}, {"yamada": at_random(2, 12), "nowak": by_bot}]
)
def test_a_turn_in_lockstep(parties: Parties, choosers: dict[str, Chooser]) -> None:
    assert turns(parties, choosers, 1) > 6
    for session in parties:
        plain, _, _ = proof.verify(session.folder.path)
        assert isinstance(plain, dict) and plain["rolls"]


def test_a_second_program_from_the_log_alone(parties: Parties) -> None:
    turns(parties, {"yamada": by_bot, "nowak": by_bot}, 1)
    assert opened_anew(parties[0]) == parties[0].table.engine.state_hash()


# -- by the commands -----------------------------------------------------------------------------------------------------

MOVES = """\
orders:
  - move: 1/G to 0806
  - move: 2/G to 0805
  - done
standing:
  combat:
    - {attack: "1/G, 12/A at 0705 lead 1/G"}
    - done
  support: {air: 2}
"""
DEFENSE = """\
orders:
  - support: air 1
standing:
  lose: [3/I]
  stand: yes
  failed: step
"""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Both folders after the first attack of the training scenario."""
    root = tmp_path_factory.mktemp("next-war")
    with inside(root):
        pair = Pair.begun("next-war", "training", Side("east", "nowak", [OPPOSED]), Side("west", "yamada", [ALLIED]))
        pair.send("east", "orders:\n  - weather: clear\n")
        pair.send("east", MOVES)
        pair.send("west", DEFENSE)
        yield pair


def test_the_report_tells_the_combat_and_every_die(played: Pair) -> None:
    text = must("report", "-g", "west", "--format", "md", "--spectator")
    assert "attacks 0705: 1/G (attack 7), 12/A (attack 4)" in text and "#### Combat: 0705" in text
    told = text[text.index("## Situation") :]  # the digest before it tells one throw once more
    assert told.count("; rolled: ") == text.count("pbem dice ") >= 6


def test_every_die_is_explained_from_link_to_number(played: Pair) -> None:
    assert "Air Points, non-allied" in first_die(played.first)


def test_both_folders_draw_the_same_map(played: Pair) -> None:
    assert played.same_map().startswith("<svg")


def test_both_folders_wait_for_the_same_decision(played: Pair) -> None:
    east, west = (json.loads(must("status", "-g", folder, "--json")) for folder in ("east", "west"))
    assert east["due"] == west["due"]
    assert east["due"]["what"] == "orders" and east["files"] == west["files"] == 5
