"""`pbem tutorial` played literally for every system: the commands and files are read off the screen, nothing else is typed."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem import games
from pbem.cli import local, opponent, tutorial
from pbem.games.empire_of_the_sun.lesson import LESSON
from pbem.store.session import Session
from tests.board.test_turns import at_one_machine, until
from tests.commands import must, run


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    yield tmp_path


def commands(shown: str) -> list[list[str]]:
    """The commands that a screen tells to type."""
    return [shlex.split(line)[1:] for line in re.findall(r"(?m)^  (pbem .*)$", shown)]


def file_in(shown: str) -> str:
    """The order file that a screen shows."""
    lines = shown.split("  orders:\n")[1].split("\n\n")[0].splitlines()
    return "orders:\n" + "".join(line[2:] + "\n" for line in lines)


def title(shown: str) -> str:
    return re.findall(r"Step \d+: (.*)", shown)[0]


def follow(shown: str) -> None:
    """What a step says, done."""
    if "  orders:\n" in shown:
        name = re.findall(r"pbem check (\S+) ", shown)[0]
        Path(name).write_text(file_in(shown))
    for words in commands(shown):
        must(*words)


@pytest.mark.parametrize("system", games.BUILT_IN)
def test_a_newcomer_who_does_what_is_shown_plays_a_first_game(system: str, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = must("tutorial", "--system", system)
    monkeypatch.chdir(home / re.findall(r"(?m)^  cd (\S+)$", shown)[0])
    seen = []
    while "Step " in shown:
        seen.append(title(shown))
        assert title(must("tutorial")) == seen[-1] and "Still open: " in shown, "a step waits until it is done"
        follow(shown)
        shown = must("tutorial")
    lesson = games.load(system).lesson()
    assert lesson is not None
    told = [exercise.title.id for exercise in lesson.exercises]
    assert [name for name in seen if name in told][: len(told)] and told[0] in seen and "Ask for a proof" in seen
    assert "`receive`, `report`, `check`, `send`" in shown
    assert "signatures, chain, dice and rules agree" in must("verify", "-g", "mine")


@pytest.mark.parametrize("seed", [1, 2])
def test_the_lesson_shows_its_own_files_whatever_the_seed_of_the_bot(
    seed: int, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pacific 1940, whose bot plays by its seed: not one of the lesson's orders is the bot's."""
    lesson = games.load("axis-and-allies-pacific").lesson()
    assert lesson is not None
    monkeypatch.setattr(local, "bot_seed", lambda game, seat: seed)
    shown = must("tutorial", "--system", "axis-and-allies-pacific")
    monkeypatch.chdir(home / "pbem-tutorial")
    files = []
    while "Step " in shown:
        if "  orders:\n" in shown:
            files.append(file_in(shown))
        follow(shown)
        shown = must("tutorial")
    assert files == [exercise.orders(None, None, {}) for exercise in lesson.exercises]


def test_the_opponents_game_is_opened_only_where_something_has_come(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = must("tutorial")
    monkeypatch.chdir(home / "pbem-tutorial")
    while title(shown) != "Receive the answer":
        follow(shown)
        shown = must("tutorial")
    opened: list[Path] = []
    at_work = opponent.Session.at_work
    monkeypatch.setattr(opponent.Session, "at_work", lambda path: (opened.append(path), at_work(path))[1])
    assert must("tutorial") == shown and opened == []
    follow(shown)
    opened.clear()
    must("tutorial")
    assert len(opened) <= 1


def test_a_refused_order_file_is_explained_at_its_step(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = must("tutorial")
    monkeypatch.chdir(home / "pbem-tutorial")
    while not title(shown).startswith("Write orders"):
        follow(shown)
        shown = must("tutorial")
    Path("orders.yaml").write_text(file_in(shown).replace("4 infantry", "200 infantry"))
    shown = must("tutorial")
    assert title(shown).startswith("Write orders") and "this costs 607 IPC" in shown and "[PUR-01]" in shown
    Path("orders.yaml").write_text("orders: [")
    assert "orders.yaml cannot be read" in must("tutorial")


def test_another_seat_than_the_one_asked_for_is_noticed(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    must("tutorial", "lesson")
    monkeypatch.chdir(home / "lesson")
    must("new", "mine")
    assert "nobody has joined" in must("tutorial")


def test_a_folder_of_something_else_is_left_alone(home: Path) -> None:
    (home / "other").mkdir()
    done = run("tutorial", "other")
    assert done.code == 1 and "not a folder of the tutorial" in done.err and list((home / "other").iterdir()) == []


def test_the_bots_file_names_units_as_a_person_does(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    at_one_machine(tmp_path / "g", "empire-of-the-sun", "year-1942")
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "g" / "keys"))
    until(tmp_path / "g", "card")
    session = Session.open(tmp_path / "g" / "japan")
    assert session.table.due.player == session.me.player
    text = tutorial._by_bot(session)
    assert " HQ" in text and "activate: " in text and not tutorial.ID.search(text), text
    assert tutorial._stands(session, text)


def test_where_the_file_of_a_lesson_does_not_stand_the_text_says_whose_this_one_is(tmp_path: Path) -> None:
    at_one_machine(tmp_path / "g", "empire-of-the-sun", "year-1942")
    until(tmp_path / "g", "card")
    session = Session.open(tmp_path / "g" / "japan")
    asked = next(one for one in LESSON.exercises if one.asked == "reaction")
    shown, orders = tutorial._with_file(session, asked)
    assert shown.text == tutorial.UNFORESEEN.text and shown.leaves_undone and orders.startswith("orders:\n")
    counter = next(one for one in LESSON.exercises if one.asked == "counter")
    assert tutorial._with_file(session, counter)[0].text == counter.text, "here the bot's file is the exercise"
