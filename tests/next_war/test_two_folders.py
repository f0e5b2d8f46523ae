"""A training turn in two folders: by the commands with mails between them, and by two programs in lockstep."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from pbem.cli import proof, setup
from pbem.cli.session import Session
from pbem.games.next_war import bot
from pbem.games.next_war.state import ALLIED, OPPOSED
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.runtime.composing import Draft
from pbem.transport.armor import documents, write_block
from tests.commands import inside, must
from tests.next_war import random_play

Chooser: TypeAlias = Callable[[Engine, Ask], Plain]
STANDING: dict[str, Any] = {"stand": "yes", "failed": "retreat", "sweep": "none"}


def two_folders(folder: Path, scenario: str, *options: str) -> tuple[Session, Session]:
    """A game drafted, joined and accepted on both sides."""
    west, east = folder / "west", folder / "east"
    setup.new(west, "next-war", scenario, list(options), "72h")
    setup.join(west, None, "yamada", [ALLIED])
    setup.join(east, west / "charter.yaml", "nowak", [OPPOSED])
    setup.accept(east, None)
    setup.accept(west, east / "charter.yaml")
    setup.accept(east, west / "charter.yaml")
    return Session.open(west), Session.open(east)


def by_bot(engine: Engine, ask: Ask) -> Plain:
    """The bot's order."""
    return bot.choose(engine.state, ask)


def at_random(seed: int, moves: int) -> Chooser:
    """Random orders."""
    dice = random.Random(seed)
    return lambda _, ask: random_play.choose(ask, dice, moves)


def orders(session: Session, choose: Chooser) -> list[Plain]:
    """Orders for everything asked of this player before dice or somebody else come in."""
    engine = Engine.resume(session.game, session.scenario, session.table.engine.checkpoint())
    given: list[Plain] = []
    while isinstance(engine.request, Ask) and session.table.player_of(engine.request.seat) == session.me.player:
        ask = engine.request
        if ask.forced is None:
            given.append(choose(engine, ask))
        engine.reply(ask.forced if ask.forced is not None else given[-1])
    return given


def lockstep(parties: tuple[Session, Session], choosers: dict[str, Chooser], turns: int) -> int:
    """So many turns, or the game; each file travels as a pasted block. Returns the number of files."""
    by_name = {s.me.player: s for s in parties}
    given: set[str] = set()
    while parties[0].table.result is None and parties[0].table.engine.state.turn <= turns:
        due = parties[0].table.due
        writer = by_name[due.player]
        reader = next(s for s in parties if s is not writer)
        wanted = orders(writer, choosers[due.player]) if due.what == "orders" else []
        draft = Draft(wanted, STANDING if due.player not in given and wanted else {})
        given.add(due.player)
        (received,) = documents(write_block(writer.write(draft)))
        reader.take(received)
        assert writer.table.engine.state_hash() == reader.table.engine.state_hash()
        assert writer.table.due == reader.table.due
    return parties[0].table.last


@pytest.fixture
def parties(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Session, Session]:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    return two_folders(tmp_path, "training", "supply=on", "bridges=on")


@pytest.mark.parametrize(
    "choosers", [{"yamada": by_bot, "nowak": at_random(1, 12)}, {"yamada": at_random(2, 12), "nowak": by_bot}]
)
def test_a_turn_in_lockstep(parties: tuple[Session, Session], choosers: dict[str, Chooser]) -> None:
    assert lockstep(parties, choosers, 1) > 6
    for session in parties:
        plain, _ = proof.verify(session.folder.path)
        assert isinstance(plain, dict) and plain["rolls"]


def test_a_second_program_from_the_log_alone(parties: tuple[Session, Session]) -> None:
    lockstep(parties, {"yamada": by_bot, "nowak": by_bot}, 1)
    one = parties[0]
    before = one.table.engine.state_hash()
    (one.folder.path / "checkpoint.json").unlink()
    assert Session.open(one.folder.path).table.engine.state_hash() == before


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
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Both folders after the first attack of the training scenario."""
    root = tmp_path_factory.mktemp("next-war")
    with inside(root):
        must("new", "east", "--system", "next-war", "--scenario", "training")
        must("join", "--as", "nowak", "--seats", OPPOSED, "-g", "east")
        must("join", "east/charter.yaml", "--as", "yamada", "--seats", ALLIED, "-g", "west")
        must("accept", "-g", "west")
        must("accept", "west/charter.yaml", "-g", "east")
        must("accept", "east/charter.yaml", "-g", "west")
        _send("east", "orders:\n  - weather: clear\n")
        _send("east", MOVES)
        _send("west", DEFENSE)
        yield root


def _send(folder: str, text: str) -> None:
    """An order file checked, sent, and taken by both until nobody's program has anything left to answer by itself."""
    Path("orders.yaml").write_text(text)
    must("check", "orders.yaml", "-g", folder)
    must("send", "orders.yaml", "-g", folder)
    for giver, taker in (("east", "west"), ("west", "east")) * 2:
        must("receive", f"{giver}/outbox", "-g", taker)


def test_the_report_tells_the_combat_and_every_die(played: Path) -> None:
    with inside(played):
        text = must("report", "-g", "west", "--format", "md", "--spectator")
    assert "attacks 0705: 1/G (attack 7), 12/A (attack 4)" in text and "#### Combat: 0705" in text
    assert text.count("; rolled: ") == text.count("pbem dice ") >= 6


def test_every_die_is_explained_from_link_to_number(played: Path) -> None:
    with inside(played):
        report = must("report", "-g", "east", "--format", "md")
        source, roll = report.split("pbem dice ")[1].split("`")[0].split(" --roll ")
        assert "Air Points, non-allied" in must("dice", source, "--roll", roll, "-g", "east")


def test_both_folders_draw_the_same_map(played: Path) -> None:
    with inside(played):
        for folder in ("east", "west"):
            must("map", "-g", folder, "--to", f"{folder}.svg")
        assert Path("east.svg").read_bytes() == Path("west.svg").read_bytes()


def test_both_folders_wait_for_the_same_decision(played: Path) -> None:
    with inside(played):
        east, west = (json.loads(must("status", "-g", folder, "--json")) for folder in ("east", "west"))
    assert east["due"] == west["due"]
    assert east["due"]["what"] == "orders" and east["files"] == west["files"] == 5
