"""The record outside the game folders: its rows, what was taken back unsent, and of which machine it is."""

from __future__ import annotations

import json
import os
import stat
import threading
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store import record
from pbem.store.disk import Disk
from pbem.store.log import START
from pbem.store.paths import IDENTITY, LOCK
from pbem.store.record import Record, heal_row, row_of, slip_row

GAME = "ab" * 32
WHEN = "2025-01-31T18:00:00Z"


def rows_of(home: Path) -> Record:
    return Record(home, GAME, Disk())


def filled(home: Path, *rows: tuple[str, str]) -> Record:
    with rows_of(home).held() as held:
        for kind, name in rows:
            held.append(kind, {"id": name}, WHEN)
    return held


# -- rows -----------------------------------------------------------------------------------------------------------------


def test_rows_lie_in_a_log_of_their_game_and_come_with_their_kind(tmp_path: Path) -> None:
    held = filled(tmp_path, ("signed", "a"), ("left", "b"), ("adopted", "c"))
    assert held.rows == [{"id": "a", "kind": "signed"}, {"id": "b", "kind": "left"}, {"id": "c", "kind": "adopted"}]
    lines = (tmp_path / "signed" / f"{GAME}.jsonl").read_text().splitlines()
    assert [json.loads(line)["received"] for line in lines] == [WHEN] * 3
    assert stat.S_IMODE(os.stat(tmp_path / "signed").st_mode) == 0o700
    assert rows_of(tmp_path).rows == held.rows and Record(tmp_path, "cd" * 32, Disk()).rows == []


def test_of_signed_rows_those_count_that_were_not_taken_back_since(tmp_path: Path) -> None:
    held = filled(
        tmp_path, ("signed", "a"), ("adopted", "b"), ("yielded", "b"), ("unsent", "a"), ("left", "x"), ("signed", "c")
    )
    assert [row["id"] for row in held.signed()] == ["b", "c"] and held.unsent() == {"a"}
    again = filled(tmp_path, ("signed", "a"))
    assert [row["id"] for row in again.signed()] == ["b", "c", "a"] and again.unsent() == set()


def test_the_pen_has_moved_where_it_was_left_or_taken_last(tmp_path: Path) -> None:
    def since() -> list[str]:
        return [row["id"] for row in rows_of(tmp_path).since_the_pen_moved()]

    filled(tmp_path, ("signed", "a"), ("adopted", "b"))
    assert since() == ["a", "b"]
    filled(tmp_path, ("left", "c"))
    assert since() == []
    filled(tmp_path, ("signed", "d"), ("took-over", "e"), ("signed", "f"), ("yielded", "g"), ("healed", "h"), ("unsent", "f"))
    assert since() == ["f", "g", "h", "f"]


@pytest.mark.parametrize("kind", record.KINDS)
def test_every_kind_is_kept_and_no_other(tmp_path: Path, kind: str) -> None:
    assert filled(tmp_path, (kind, "a")).rows == [{"id": "a", "kind": kind}] == rows_of(tmp_path).rows
    filled(tmp_path, ("file", "b"))
    with pytest.raises(ProtocolError) as caught:
        _ = rows_of(tmp_path).rows
    assert caught.value.outcome is Outcome.LOG_DAMAGED


def test_a_mark_is_the_number_of_rows_and_the_last_hash(tmp_path: Path) -> None:
    assert rows_of(tmp_path).mark == (0, START) and rows_of(tmp_path).hash_of(0) == START
    marks = [filled(tmp_path, ("signed", name)).mark for name in "abc"]
    assert [n for n, _ in marks] == [1, 2, 3] and len({mark for _, mark in marks}) == 3
    rows = rows_of(tmp_path)
    assert [rows.hash_of(n) for n in range(5)] == [START, *(mark for _, mark in marks), ""]


def test_one_program_at_a_time_and_each_finds_what_the_other_wrote(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record, "MOMENT", 0.1)
    first = rows_of(tmp_path)
    assert first.rows == [] and first.log is first.log
    filled(tmp_path, ("signed", "a"))
    with first.held():
        assert [row["id"] for row in first.rows] == ["a"], "read again"
        with pytest.raises(BlockingIOError), rows_of(tmp_path).held():
            pass
        with Record(tmp_path, "cd" * 32, Disk()).held():
            pass


def test_another_program_that_needs_a_moment_is_waited_for(tmp_path: Path) -> None:
    filled(tmp_path, ("signed", "a"))
    with ExitStack() as elsewhere:
        elsewhere.enter_context(rows_of(tmp_path).held())
        threading.Timer(0.1, elsewhere.close).start()
        with rows_of(tmp_path).held() as held:
            assert [row["id"] for row in held.rows] == ["a"]


def test_what_the_umpire_has_shown_stands_apart_from_what_was_signed(tmp_path: Path) -> None:
    """Whoever counted one for the other would sign a link twice, or never again."""
    held = filled(tmp_path, ("signed", "a"), ("shown", "b"), ("left", "c"), ("shown", "d"))
    assert held.shown() == [{"id": "b"}, {"id": "d"}] and [row["id"] for row in held.signed()] == ["a"]
    held.shown()[0]["id"] = "x"
    assert rows_of(tmp_path).shown() == [{"id": "b"}, {"id": "d"}] == held.shown()


FILE: dict[str, Any] = {
    "player": "nowak",
    "seq": 7,
    "prev": "aa" * 32,
    "link": "bb" * 32,
    "replaces": "cc" * 32,
    "signature": "x",
}


def test_the_row_of_a_file() -> None:
    answered = {"seq": 6}
    row = row_of(FILE, "key", answered, {"sealed": 1})
    common = {"key": "key", "player": "nowak", "for": "nowak", "seq": 7, "before": "aa" * 32, "link": "bb" * 32}
    more = {"replaces": "cc" * 32, "id": document_id(FILE), "document": FILE, "kept": {"sealed": 1}, "about": None}
    assert row == {**common, **more, "answered": {"seq": 6}}
    assert row["document"] is not FILE and row["answered"] is not answered
    bare = row_of({"player": "nowak", "signed_by": "smith", "seq": 7, "prev": "aa" * 32}, "key", None)
    assert (bare["player"], bare["for"], bare["link"], bare["replaces"], bare["answered"], bare["kept"]) == (
        *("smith", "nowak"),
        *(None, None, None, None),
    )


@pytest.mark.parametrize(
    ("made", "document", "about"),
    [
        (lambda s: slip_row(s, "key", "head at x"), {"slip": "head", "player": "nowak", "head": "aa" * 32}, "head at x"),
        (lambda h: heal_row(h, "nowak", "key"), {"type": "heal", "seq": 9, "prev": "aa" * 32}, "heal 9"),
    ],
)
def test_the_row_of_a_slip_or_a_heal_is_at_no_place(made: Any, document: dict[str, Any], about: str) -> None:
    row = made(document)
    assert (row["seq"], row["before"], row["about"], row["key"]) == (None, None, about, "key")
    assert (row["player"], row["id"], row["document"]) == ("nowak", document_id(document), document)
    assert row["document"] is not document


# -- which record this is -------------------------------------------------------------------------------------------------


def test_a_record_has_a_name_that_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.store.record.machine_id", lambda: "mine")
    home, disk = tmp_path / "home", Disk()
    assert record.known_identity(home, disk) is None and not home.exists(), "looking writes nothing"
    made = record.identity(home, disk)
    assert made["machine"] == "mine" and len(bytes.fromhex(made["record"])) == 16
    assert record.identity(home, disk) == made == record.known_identity(home, disk)
    assert stat.S_IMODE(os.stat(home).st_mode) == 0o700 and stat.S_IMODE(os.stat(home / IDENTITY).st_mode) == 0o600
    assert record.is_of_this_machine(home, disk)
    monkeypatch.setattr("pbem.store.record.machine_id", lambda: "another")
    assert not record.is_of_this_machine(home, disk) and record.identity(home, disk) == made
    renewed = record.renew_identity(home, disk)
    assert renewed["machine"] == "another" and renewed["record"] != made["record"]
    assert record.known_identity(home, disk) == renewed


def test_two_programs_that_make_a_name_at_once_make_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folders for which another name vouches would have to ask every player before they sign."""
    home = tmp_path / "home"
    made: list[dict[str, str]] = []

    class Slow(Disk):
        def make_folder(self, path: Path, mode: int = 0o755) -> None:
            if not made:
                made.append(record.identity(home, Disk()))
            super().make_folder(path, mode)

    assert record.identity(home, Slow()) == made[0] == record.known_identity(home, Disk())
    (home / IDENTITY).unlink()
    with ExitStack() as held:
        held.enter_context(Disk().lock(home / LOCK))
        threading.Timer(0.1, held.close).start()
        assert record.identity(home, Disk()) == record.known_identity(home, Disk())
    (home / IDENTITY).unlink()
    monkeypatch.setattr("pbem.store.disk.MOMENT", 0.05)
    with Disk().lock(home / LOCK), pytest.raises(BlockingIOError):
        record.identity(home, Disk())
    assert record.known_identity(home, Disk()) is None


def test_a_name_that_is_there_is_read_whoever_writes_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = record.identity(tmp_path, Disk())
    monkeypatch.setattr("pbem.store.disk.MOMENT", 0.05)
    with Disk().lock(tmp_path / LOCK):
        assert record.identity(tmp_path, Disk()) == made and record.is_of_this_machine(tmp_path, Disk())


def test_a_home_that_is_made_for_a_new_name_is_nobody_elses(tmp_path: Path) -> None:
    record.renew_identity(tmp_path / "home", Disk())
    assert stat.S_IMODE(os.stat(tmp_path / "home").st_mode) == 0o700


@pytest.mark.parametrize("text", ["", "{", "[]", '{"record": "x"}', '{"machine": "x"}', "3"])
def test_a_name_that_cannot_be_read_is_damage(tmp_path: Path, text: str) -> None:
    (tmp_path / IDENTITY).write_text(text)
    with pytest.raises(ProtocolError) as caught:
        record.identity(tmp_path, Disk())
    said = f"{tmp_path / IDENTITY} cannot be read: delete it, then see `pbem restored`"
    assert (caught.value.outcome, str(caught.value)) == (Outcome.LOG_DAMAGED, said)
