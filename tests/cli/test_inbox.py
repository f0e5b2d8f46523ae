"""`pbem inbox`: what comes in goes to its game whatever lies beside it, and a line each says what became of it."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import speech
from pbem.protocol.strict_yaml import read_document
from pbem.store import known
from pbem.store.session import Session
from tests.commands import ALLIES, ORDERS, inside, must, run

SENT = Path("games/axis/outbox/0001-yamada.yaml")
OTHER = Path("games/east/outbox/0001-yamada.yaml")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three games of the same two; Japan has sent its orders in `axis` and `east`, and is to send them in `north`."""
    root = tmp_path_factory.mktemp("begun")
    with inside(root):
        Path("o.yaml").write_text(ORDERS)
        for first, second in (("axis", "allies"), ("east", "west"), ("north", "south")):
            must("new", first)
            must("join", "--as", "yamada", "--seats", "japan", "-g", first)
            must("join", f"{first}/charter.yaml", "--as", "nowak", "--seats", ALLIES, "-g", second)
            must("accept", "-g", second)
            must("accept", f"{second}/charter.yaml", "-g", first)
            must("accept", f"{first}/charter.yaml", "-g", second)
            if first != "north":
                must("send", "o.yaml", "-g", first, "--yes")
    return root


@pytest.fixture
def here(begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine that knows the folder `allies` alone; what others sent lies in `in`."""
    shutil.copytree(begun, tmp_path / "machine" / "games")
    shutil.move(tmp_path / "machine" / "games" / "home", tmp_path / "machine" / "home")
    monkeypatch.delenv(speech.VARIABLE, raising=False)
    with inside(tmp_path / "machine"):
        Path("home/games.json").unlink()
        Path("in").mkdir()
        must("status", "-g", "games/allies")
        yield tmp_path / "machine"


def files(game: str) -> int:
    """How many files stand in a log behind the charter."""
    return Session.open(Path("games", game)).table.last


def told(*words: str) -> Any:
    return json.loads(run("inbox", *words, "--json").out)


def test_a_file_goes_to_its_game_and_the_turn_is_told(here: Path) -> None:
    shutil.copy(SENT.with_suffix(".eml"), "in/mail.eml")
    done = run("inbox", "in")
    came, written, turn = done.out.splitlines()
    assert done.code == 0 and came.startswith("in/mail.eml, ") and came.endswith(": allies: done: file 1 of yamada")
    assert written.startswith("allies: written by itself: file 2, in ")
    since = Session.open(Path("games/allies")).folder.log.entries[-1]["received"]
    assert turn.startswith("allies: yamada has to send ") and turn.endswith(f", since {since}")
    assert files("allies") == 2 and files("axis") == 1


def test_what_was_looked_at_is_passed_over_until_it_changes(here: Path) -> None:
    shutil.copy(SENT, "in/a.yaml")
    must("inbox", "in")
    assert must("inbox", "in").splitlines()[0] == "Nothing new has come." and told("in")["documents"] == []
    assert told("in", "--again")["documents"][0]["outcomes"] == ["already known"]
    os.utime("in/a.yaml", ns=(1, 1))
    assert told("in")["documents"][0]["outcomes"] == ["already known"]
    Path("home/seen.json").write_text("no json")
    assert told("in")["documents"][0]["outcomes"] == ["already known"]


def test_the_same_file_twice_is_taken_once(here: Path) -> None:
    shutil.copy(SENT, "in/a.yaml")
    shutil.copy(SENT, "in/a (1).yaml")
    shutil.copy(SENT.with_suffix(".eml"), "in/b.eml")
    first, second, third = told("in")["documents"]
    assert first["file"] == "in/a (1).yaml" and first["outcomes"] == ["done"]
    for copy in (second, third):
        assert copy["outcomes"] == ["already known"] and copy["told"][0].endswith(f"the same stands in {first['file']}")
    assert files("allies") == 2


def test_notes_come_with_the_files_and_are_told_once(here: Path) -> None:
    for to, text in (("all", "Good luck"), ("nowak", "Is Sunday <late> enough?")):
        must("say", to, text, "-g", "games/axis")
    for path in (SENT, *Path("games/axis/outbox").glob("note-*.eml")):
        shutil.copy(path, "in")
    found = told("in")["documents"]
    assert len(found) == 3 and {one["outcomes"][0] for one in found} == {"done"}
    assert [note["text"] for note in json.loads(must("notes", "-g", "games/allies", "--json"))] == [
        "Good luck",
        "Is Sunday <late> enough?",
    ]
    assert told("in")["documents"] == [] and files("allies") == 2
    assert {one["outcomes"][0] for one in told("in", "--again")["documents"]} == {"already known"}


def test_a_damaged_file_is_named_and_stops_no_other(here: Path) -> None:
    whole = SENT.read_text()
    Path("in/a.yaml").write_text(whole.replace("type: turn", "type: [turn"))
    Path("in/b.yaml").write_text(whole.replace("Good luck", "Bad luck"))
    shutil.copy(SENT, "in/c.yaml")
    done = run("inbox", "in")
    lines = done.out.splitlines()
    assert done.code == 5 and lines[0].startswith("in/a.yaml: unreadable: ")
    assert lines[1].startswith("in/b.yaml: allies: bad signature: ") and lines[2] == "in/c.yaml: allies: done: file 1 of yamada"
    assert files("allies") == 2 and must("inbox", "in").splitlines()[0] == "Nothing new has come."


def test_files_of_an_unknown_game_are_named_left_and_taken_later(here: Path) -> None:
    shutil.copy(OTHER, "in/other.yaml")
    game = Session.open(Path("games/west")).charter.game_id
    for _ in range(2):
        done = run("inbox", "in")
        assert done.code == 0 and f"foreign game: file 1 of yamada, of game {game[:8]}, which" in done.out
        assert Path("in/other.yaml").exists() and files("allies") == 0 and files("west") == 0
    must("status", "-g", "games/west")
    assert "in/other.yaml: west: done: file 1 of yamada" in must("inbox", "in") and files("west") == 2


def test_two_games_at_once_those_of_your_turn_first(here: Path) -> None:
    for folder in ("axis", "east"):
        shutil.copy(f"games/{folder}/outbox/0001-yamada.yaml", f"in/{folder}.yaml")
    found = told("in", "-g", "games")
    assert [[*d["games"], *d["outcomes"]] for d in found["documents"]] == [
        ["allies", "axis", "done", "already known"],
        ["east", "west", "already known", "done"],
    ]
    assert files("allies") == files("west") == 2
    turns = found["games"]
    assert [turn["mine"] for turn in turns] == [True] + [False] * 5
    assert (turns[0]["game"], turns[0]["due"]) == ("games/north", "yamada")
    assert [turn["since"] for turn in turns[1:]] == sorted(turn["since"] for turn in turns[1:])
    assert must("inbox").count(": your turn\n") == 1  # the folder of games is known from now on


def test_two_folders_of_one_game_both_get_it(here: Path) -> None:
    shutil.copytree("games/allies", "games/copy")
    must("status", "-g", "games/copy")
    shutil.copy(SENT, "in/a.yaml")
    (document,) = told("in")["documents"]
    assert document["games"] == ["allies", "copy"]
    assert document["outcomes"] == ["done", "already known"]  # the answer to it lies in this machine's record by then
    assert files("allies") == files("copy") == 2
    answers = {
        read_document(p.read_bytes())[0]["signature"]
        for name in ("allies", "copy")
        for p in Path("games", name, "outbox").glob("0002-*.yaml")
    }
    assert len(answers) == 1  # a place is signed once, however many folders there are


def test_a_locked_folder_waits_and_the_others_go_on(here: Path) -> None:
    must("status", "-g", "games/west")
    shutil.copy(SENT, "in/a.yaml")
    shutil.copy(SENT, "in/b.yaml")
    shutil.copy(OTHER, "in/c.yaml")
    with Path("games/allies/lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = run("inbox", "in")
    lines = done.out.splitlines()
    assert done.code == 3 and lines[0].startswith("in/a.yaml: allies: waiting: another program is at work")
    assert lines[2] == "in/c.yaml: west: done: file 1 of yamada" and files("allies") == 0
    Path("in/a.yaml").unlink()  # its copy was not settled either
    assert "in/b.yaml: allies: done" in must("inbox", "in") and files("allies") == 2


def test_a_damaged_folder_stops_no_other(here: Path) -> None:
    must("status", "-g", "games/west")
    shutil.copy(SENT, "in/a.yaml")
    shutil.copy(OTHER, "in/b.yaml")
    whole = Path("games/allies/log.jsonl").read_bytes()
    Path("games/allies/log.jsonl").write_bytes(b"{}\n" + whole)
    done = run("inbox", "in")
    assert done.code == 4 and "in/a.yaml: allies: log damaged: " in done.out and files("west") == 2
    assert any(line.startswith("allies: log damaged: ") for line in done.out.splitlines())
    Path("games/allies/log.jsonl").write_bytes(whole)
    assert "in/a.yaml: allies: done" in must("inbox", "in")


def test_a_folder_of_a_newer_program_gets_its_file_when_it_can_be_read(here: Path) -> None:
    shutil.copy(SENT, "in/a.yaml")
    whole = Path("games/allies/pbem.json").read_text()
    Path("games/allies/pbem.json").write_text('{"format": 99}')
    assert run("inbox", "in").code == 5
    Path("games/allies/pbem.json").write_text(whole)
    assert "in/a.yaml: allies: done" in must("inbox", "in")


def test_mboxes_maildirs_and_what_is_not_there(here: Path) -> None:
    mail = SENT.with_suffix(".eml").read_bytes().replace(b"\r\n", b"\n")
    mark = b"From yamada@example.org Mon Jan  5 10:00:00 2026\n"
    other = b"Subject: lunch\nFrom: a@example.org\n\nAt noon?\n" + b"x" * 400 + b"\n\n"
    Path("in/all.mbox").write_bytes(mark + other + mark + mail + b"\n")
    for name in ("cur", "new", "tmp"):
        Path("box", name).mkdir(parents=True)
    Path("box/new/17.m.host").write_bytes(mail)
    Path("in/holiday.txt").write_text("nothing of ours")
    done = run("inbox", "nowhere", "in", "box")
    lines = done.out.splitlines()
    assert done.code == 5 and lines[0].startswith("nowhere: unreadable: ")
    assert lines[1].startswith("in/all.mbox, ") and lines[1].endswith(": allies: done: file 1 of yamada")
    assert lines[2].startswith("box/new/17.m.host, ") and ": already known: " in lines[2] and "holiday" not in done.out
    assert files("allies") == 2


def test_a_charter_waits_and_a_stranger_s_is_named(here: Path) -> None:
    must("new", "games/fresh")
    must("join", "games/fresh/charter.yaml", "--as", "nowak", "--seats", ALLIES, "-g", "games/friend")
    shutil.copy("games/friend/charter.yaml", "in/a.yaml")  # the same draft, farther on
    assert "foreign game: a charter of a game that is not here" in must("inbox", "in")
    must("status", "-g", "games/fresh")
    done = run("inbox", "in")
    assert done.code == 3 and "in/a.yaml: fresh: waiting: a charter: `pbem accept FILE`" in done.out
    assert "fresh: the charter is a draft" in done.out


def test_mail_that_cannot_be_fetched_stops_nothing(here: Path) -> None:
    shutil.copy(SENT, "in/a.yaml")
    server = "imap: {host: localhost, port: 1, security: none, user: me}\n"
    Path("games/allies/mail.yaml").write_text("from: me@example.org\nto: {yamada: y@example.org}\n" + server)
    os.environ["PBEM_MAIL_PASSWORD"] = "x"
    try:
        done = run("inbox", "in")
    finally:
        del os.environ["PBEM_MAIL_PASSWORD"]
    assert done.code == 5 and "in/a.yaml: allies: done" in done.out and "allies: unreadable: imap://localhost:1" in done.out
    assert run("inbox", "in", "--no-mail").code == 0


def test_names_of_files_cannot_move_the_cursor(here: Path) -> None:
    shutil.copy(SENT, "in/a\x1b[2J\u202eb\n.yaml")
    done = run("inbox", "in")
    assert "allies: done: file 1 of yamada" in done.out and not {"\x1b", "\u202e"} & {*done.out}
    assert "\x1b" not in run("inbox", "in", "--again", "--json").out


def test_a_machine_without_games_says_so(tmp_path: Path) -> None:
    with inside(tmp_path):
        Path("in").mkdir()
        assert must("inbox", "in").splitlines() == [
            "Nothing new has come.",
            "No game is known here: name a game folder or a folder of games with -g",
        ]


def test_games_of_one_machine_are_known_but_those_of_play(tmp_path: Path) -> None:
    with inside(tmp_path):
        must("new", "axis")
        must("status", "-g", "axis")
        run("play", "alone", "--bot", "--side", "axis")
        must("status", "-g", "alone/axis")
        assert known.folders() == [tmp_path / "axis"]
        shutil.rmtree("axis")
        assert known.folders() == []


def test_cost_is_linear(here: Path) -> None:
    def spent(copies: int, again: int) -> float:
        folder = Path(f"many{copies}-{again}")
        folder.mkdir()
        whole = SENT.read_text()
        for n in range(copies):
            (folder / f"{n:04d}.yaml").write_text(whole.replace("Good luck.", f"Luck {n}."))
        start = time.process_time()
        run("inbox", str(folder))
        return time.process_time() - start

    spent(5, 0)
    small, large = (min(spent(copies, again) for again in range(3)) for copies in (40, 160))  # others are at work here too
    assert large < 8 * small


def test_it_speaks_polish(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(speech.VARIABLE, "pl")
    shutil.copy(SENT, "in/a.yaml")
    shutil.copy(OTHER, "in/b.yaml")
    shown = must("inbox", "in")
    assert "it stays" not in shown and "since" not in shown and "yamada" in shown
