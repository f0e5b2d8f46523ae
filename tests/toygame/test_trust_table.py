"""Accidents around the record of signatures, row by row: nothing is signed twice, nothing signed is lost, it is said why."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol import turnfile
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome
from pbem.protocol.strict_yaml import read_document, write_document
from pbem.runtime import slips
from pbem.store import pen
from pbem.store.disk import Disk
from pbem.store.folder import GameFolder
from pbem.transport.mail import gather
from tests.commands import must, run
from tests.toygame.folders import SEATS, TWO, advance_to, as_json, at, found, orders, session
from tests.toygame.test_pen import machine


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with at(tmp_path, monkeypatch):
        yield


def marching(seats: dict[str, str] = TWO) -> tuple[list[str], str]:
    folders = found(seats)
    return folders, advance_to(folders, "march")


def record_of(writer: str) -> Path:
    return Path("home/signed", f"{session(writer).charter.game_id}.jsonl")


def signs_nothing(writer: str, why: str) -> None:
    before = session(writer).table.last
    done = run("send", orders(writer, "go"), "-g", writer)
    assert done.code == 3 and why in done.err and "pbem restored" in done.err, done
    assert session(writer).table.last == before and not Path(writer, f"outbox/{before + 1:04d}-{writer}.yaml").exists()


# -- the folder of keys and signatures ---------------------------------------------------------------------------------------


def test_a_home_that_was_copied_along_vouches_for_nothing_on_another_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    _, writer = marching()
    shutil.copytree("home", "copied")
    monkeypatch.setenv("PBEM_HOME", "copied")
    monkeypatch.setenv("PBEM_MACHINE", "another")
    signs_nothing(writer, "was copied from another machine")


def test_a_lost_home_leaves_the_folder_unsure() -> None:
    _, writer = marching()
    shutil.rmtree("home/signed")
    Path("home/record.json").unlink()
    signs_nothing(writer, "comes from another machine, or the folder of keys")


def test_a_lost_record_of_one_game_leaves_the_folder_unsure() -> None:
    _, writer = marching()
    record_of(writer).unlink()
    signs_nothing(writer, "is older than the folder")


def test_an_older_home_leaves_the_folder_unsure() -> None:
    _, writer = marching()
    path = record_of(writer)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    name = path.name
    folder = session(writer).folder
    rows = pen.read_place(folder)
    assert rows is not None
    if pen.Record(pen.home(), name.removesuffix(".jsonl"), folder.disk).mark[0] >= rows["rows"]:
        pytest.fail("the last row was not this folder's")
    signs_nothing(writer, "is older than the folder")


def test_a_record_that_was_edited_is_damaged_and_named() -> None:
    _, writer = marching()
    path = record_of(writer)
    path.write_bytes(path.read_bytes().replace(b'"seq":1', b'"seq":2', 1))
    done = run("send", orders(writer, "go"), "-g", writer)
    assert done.code == 4 and "entry" in done.err


def test_a_torn_last_row_was_never_shown_and_goes() -> None:
    _, writer = marching()
    with record_of(writer).open("ab") as file:
        file.write(b'{"half')
    sent = as_json("send", orders(writer, "go"), "-g", writer)
    assert session(writer).table.last >= sent["seq"] and b'{"half' not in record_of(writer).read_bytes()


# -- while it is written ------------------------------------------------------------------------------------------------------


class Full(Disk):
    """A disk on which files with this in their path do not grow."""

    what = ""

    def append(self, path: Path, data: bytes, size: int) -> None:
        if self.what in str(path):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        super().append(path, data, size)


def on(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = type("FullHere", (Full,), {"what": what})
    monkeypatch.setattr("pbem.store.folder.Disk", disk)


def test_a_full_home_signs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    _, writer = marching()
    before = session(writer).table.last
    with monkeypatch.context() as patch:
        on("signed", patch)
        done = run("send", orders(writer, "go"), "-g", writer)
    assert done.code == 17 and session(writer).table.last == before
    assert as_json("send", orders(writer, "halt"), "-g", writer)["seq"] == before + 1, "other orders are free"


def test_a_full_folder_is_filled_from_the_record_later_and_other_orders_come_too_late(monkeypatch: pytest.MonkeyPatch) -> None:
    _, writer = marching()
    before = session(writer).table.last
    with monkeypatch.context() as patch:
        on("log.jsonl", patch)
        done = run("send", orders(writer, "go"), "-g", writer)
    assert done.code == 17 and "is signed and kept in the record" in done.err
    done = run("send", orders(writer, "halt"), "-g", writer)
    assert done.code == 1 and "was signed before the interruption" in done.err and "pbem undo" in done.err
    document, _ = read_document(Path(writer, f"outbox/{before + 1:04d}-{writer}.yaml").read_bytes())
    assert document["orders"] == ["go"]


def test_the_same_orders_after_an_interruption_are_the_same_file_again(monkeypatch: pytest.MonkeyPatch) -> None:
    _, writer = marching()
    with monkeypatch.context() as patch:
        on("log.jsonl", patch)
        assert run("send", orders(writer, "go"), "-g", writer).code == 17
    row = pen.Record(pen.home(), session(writer).charter.game_id, Disk()).signed()[-1]
    done = run("send", orders(writer, "go"), "-g", writer)
    assert done.code == 0 and "was signed already" in done.out
    assert session(writer).table.ledger.entries[row["seq"]].id == row["id"]


def test_without_locks_nothing_is_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    _, writer = marching()
    before = session(writer).table.last

    def no_locks(*_: Any) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    with monkeypatch.context() as patch:
        patch.setattr("fcntl.flock", no_locks)
        assert run("send", orders(writer, "go"), "-g", writer).code == 17
    assert session(writer).table.last == before


def test_of_two_programs_with_copies_the_second_finds_the_place_signed() -> None:
    _, writer = marching()
    shutil.copytree(writer, "copy")
    first, second = session(writer), session("copy")
    assert first.table.last == second.table.last
    from pbem.protocol.outcomes import ProtocolError
    from pbem.runtime.composing import Draft

    one = first.write(Draft(["go"]))
    with pytest.raises(ProtocolError, match="is signed already"):
        second.write(Draft(["halt"]))
    must("status", "-g", "copy")
    assert session("copy").table.ledger.entries[one["seq"]].id == document_id(one)


# -- after a loss -------------------------------------------------------------------------------------------------------------


def asking(writer: str, monkeypatch: pytest.MonkeyPatch) -> tuple[str, dict[str, Any]]:
    """The writer asks from a new machine, on a copy of his folder; the question's file and the slip."""
    shutil.copytree(writer, "again")
    with machine("new", monkeypatch):
        asked = as_json("restored", "-g", "again")["asked"]
    return asked, read_document(Path(asked).read_bytes())[0]


def test_a_question_given_twice_has_one_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    folders, writer = marching()
    asked, slip = asking(writer, monkeypatch)
    other = next(f for f in folders if f != writer)
    must("receive", asked, "-g", other)
    first = sorted(Path(other, "outbox").glob("slip-head-*.yaml"))
    assert run("receive", asked, "-g", other).code == 0
    assert sorted(Path(other, "outbox").glob("slip-head-*.yaml")) == first and len(first) == 1
    given = read_document(first[0].read_bytes())[0]
    assert given["answers"] == document_id(slip) and given["head"] == session(other).head


def test_a_head_that_nobody_can_show_keeps_the_asker_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    folders, writer = marching()
    asked, slip = asking(writer, monkeypatch)
    other = next(f for f in folders if f != writer)
    liar = session(other)
    made = liar.sign_slip("head", {"answers": document_id(slip)})
    from pbem.protocol import slips as paper

    lie = paper.sign({k: v for k, v in {**made, "head": "ab" * 32}.items() if k != "signature"}, liar.private)
    Path("lie.yaml").write_text(write_document(lie))
    assert asked
    with machine("new", monkeypatch):
        done = run("receive", "lie.yaml", "-g", "again")
        assert "holds a newest file that is not here" in done.out
        assert run("send", orders(writer, "go"), "-g", "again").code == 3


def test_an_answer_signed_by_somebody_else_counts_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    folders, writer = marching(SEATS)
    _, slip = asking(writer, monkeypatch)
    one, two = (f for f in folders if f != writer)
    made = session(one).sign_slip("head", {"answers": document_id(slip)})
    Path("forged.yaml").write_text(write_document({**made, "player": two}))
    with machine("new", monkeypatch):
        assert run("receive", "forged.yaml", "-g", "again").code == 6
    assert slips.answers(session(writer).table, slip, [made, {**made, "player": two}]).keys() == {one}


def test_both_sides_restored_at_once_ask_and_answer_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    folders, writer = marching()
    other = next(f for f in folders if f != writer)
    for name in (writer, other):
        shutil.copytree(name, f"{name}-again")
    questions = {}
    for name in (writer, other):
        with machine(f"new-{name}", monkeypatch):
            questions[name] = as_json("restored", "-g", f"{name}-again")["asked"]
    for name, foe in ((writer, other), (other, writer)):
        with machine(f"new-{name}", monkeypatch):
            must("receive", questions[foe], "-g", f"{name}-again")
    for name, foe in ((writer, other), (other, writer)):
        with machine(f"new-{name}", monkeypatch):
            answers = sorted(Path(f"{foe}-again", "outbox").glob("slip-head-*.txt"))
            assert "you may sign again" in must("receive", str(answers[0]), "-g", f"{name}-again")


def test_a_replaced_file_comes_back_with_its_refusal_from_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """The row of a replacement names what it replaces; a backup of before both goes on with the replacement."""
    from tests.toygame.test_commands import lenient

    folders = found(TWO)
    advance_to(folders, "march")
    must("backup", "kept.zip", "-g", "nowak")
    file = lenient(monkeypatch, folders)
    slip = as_json("refuse", file, "-g", "yamada")["file"]
    must("receive", slip, "-g", "nowak")
    again = as_json("send", orders("nowak", "go"), "-g", "nowak")
    shutil.rmtree("nowak")
    must("restore", "kept.zip", "nowak")
    entry = session("nowak").table.ledger.entries[again["seq"]]
    assert session("nowak").folder.log.files()[again["seq"]]["orders"] == ["go"] and entry.player == "nowak"


# -- drafts, older folders ----------------------------------------------------------------------------------------------------


def test_a_draft_that_was_copied_to_another_machine_signs_no_charter(monkeypatch: pytest.MonkeyPatch) -> None:
    must("new", "draft", "--system", "skirmish", "--scenario", "hill")
    must("join", "draft/charter.yaml", "--as", "yamada", "--seats", "blue", "-g", "yamada")
    must("join", "yamada/charter.yaml", "--as", "nowak", "--seats", "red,rust", "-g", "nowak")
    shutil.copytree("yamada", "copy")
    must("accept", "nowak/charter.yaml", "-g", "yamada")
    with machine("new", monkeypatch):
        done = run("accept", "nowak/charter.yaml", "-g", "copy")
        assert done.code == 3 and "join anew in a new folder" in done.err


def test_a_folder_of_the_newest_layout_without_its_place_is_not_adopted() -> None:
    _, writer = marching()
    Path(writer, "private/place.json").unlink()
    signs_nothing(writer, "nothing in it says which record")
    assert GameFolder(Path(writer)).format == 2


# -- the others ---------------------------------------------------------------------------------------------------------------


def test_a_file_behind_an_invented_one_is_of_no_version_and_turns_nothing() -> None:
    folders, writer = marching()
    must("send", orders(writer, "go"), "-g", writer)
    other = next(f for f in folders if f != writer)
    must("receive", f"{writer}/outbox", "-g", other)
    before = session(writer).head, session(writer).table.ledger.rolled
    sent = as_json("send", orders(other, "let pass"), "-g", other)["file"]
    invented = {**read_document(Path(sent).read_bytes())[0], "prev": "ab" * 32}
    Path("invented.yaml").write_text(write_document(turnfile.sign(invented, session(other).private)))
    done = run("receive", "invented.yaml", "-g", writer)
    assert done.code == Outcome.BAD_CHAIN.code and (session(writer).head, session(writer).table.ledger.rolled) == before, done
    assert "nothing to heal" in run("heal", "-g", writer).err
    must("receive", sent, "-g", writer)
    ids = [e.id for e in session(writer).table.ledger.entries]
    assert document_id(read_document(Path(sent).read_bytes())[0]) in ids, "his file behind the true one is taken all the same"


def test_who_asks_what_others_hold_gets_signed_files_and_nothing_that_is_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    _, writer = marching()
    other = "yamada"
    assert writer != other
    asked, _ = asking(writer, monkeypatch)
    must("receive", asked, "-g", other)
    text = next(Path(other, "outbox").glob("slip-head-*.txt")).read_text()
    kept = session(other).me
    seals = [str(content["salt"]) for content in kept.sealed.values()]
    assert seals and not any(secret in text for secret in [kept.chain_secret, kept.draw_master, *seals])
    found = {document_id(d) for _, d in gather(text) if isinstance(d, dict) and d["type"] == "turn"}
    assert found <= {e.id for e in session(other).table.ledger.entries}
