"""After a loss, between two machines, and between two versions: who may sign, who gives way, what everybody is told."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol import keys
from pbem.protocol.ids import document_id
from pbem.protocol.strict_yaml import read_document
from pbem.runtime import slips
from pbem.runtime.composing import Draft
from pbem.store import pen, record
from pbem.store.folder import GameFolder
from tests.commands import inside, must, run
from tests.store.failing_disk import Crash, FailingDisk, Failure, everywhere
from tests.toygame.folders import SEATS, TWO, as_json, at, orders, session, two_pens
from tests.toygame.remembered import advance_to, found


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with at(tmp_path, monkeypatch):
        yield


@contextmanager
def machine(name: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another machine with a home of its own; the keys are brought along."""
    shutil.copytree(Path(os.environ["PBEM_HOME"], "keys"), f"{name}-home/keys", dirs_exist_ok=True)
    with monkeypatch.context() as patch:
        patch.setenv("PBEM_HOME", f"{name}-home")
        patch.setenv("PBEM_MACHINE", name)
        yield


def two_machines(patch: pytest.MonkeyPatch) -> None:
    """Nowak marches next; two machines of his know each other, the desk and the laptop; `mine` lies at the laptop."""
    assert advance_to(found(TWO), "march") == "nowak"
    must("sync", "--join", "--name", "desk", "-g", "nowak")
    with machine("laptop", patch):
        must("sync", "--join", "--name", "laptop", "-g", "nowak")
    shutil.copytree("nowak", "mine")


def marching(seats: dict[str, str] = TWO) -> tuple[list[str], str]:
    folders = found(seats)
    return folders, advance_to(folders, "march")


def lost(writer: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The writer's disk is gone after he has signed a file that nobody has got; a backup of before is restored elsewhere."""
    must("backup", "kept.zip", "-g", writer)
    document = as_json("send", orders(writer, "go"), "-g", writer)
    shutil.rmtree(writer)
    must("restore", "kept.zip", writer)
    return document


# -- L1 and L2 ----------------------------------------------------------------------------------------------------------------


def test_the_others_answers_lift_the_guard_and_the_first_file_carries_them(monkeypatch: pytest.MonkeyPatch) -> None:
    folders, writer = marching(SEATS)
    must("backup", "kept.zip", "-g", writer)
    before = session(writer).table
    must("send", orders(writer, "go"), "-g", writer)
    shutil.rmtree(writer)
    with machine("new", monkeypatch):
        done = run("restore", "kept.zip", writer)
        assert done.code == 0 and "signs nothing yet" in done.out
        assert run("send", orders(writer, "halt"), "-g", writer).code == 3, "nobody has answered"
        question = as_json("restored", "-g", writer)
        assert sorted(question["missing"]) == sorted(n for n in folders if n != writer) and not question["sure"]
    answers = []
    for name in folders:
        if name != writer:
            done = run("receive", question["asked"], "-g", name)
            assert done.code == 0 and "asks what you hold" in done.out
            answers += [str(p) for p in Path(name, "outbox").glob("slip-head-*.txt")]
    with machine("new", monkeypatch):
        must("receive", answers[0], "-g", writer)
        assert run("send", orders(writer, "halt"), "-g", writer).code == 3, "one of two has not answered"
        assert "Everybody has said what he holds" in must("receive", answers[1], "-g", writer)
        sent = as_json("send", orders(writer, "halt"), "-g", writer)
        document, _ = read_document(Path(sent["file"]).read_bytes())
        assert [s["slip"] for s in document["slips"]] == ["restored", "head", "head"]
        ledger = session(writer).table.ledger
        assert slips.stands(session(writer).table, document) and ledger.chains[writer].skip == 64
        assert ledger.chains[writer].left == before.ledger.chains[writer].left - 65
    for name in folders:
        if name != writer:
            must("receive", sent["file"], "-g", name)
            assert slips.stands(session(name).table, document) and document in session(name).folder.log.files()


def test_a_lost_file_that_arrives_after_the_answer_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    _, writer = marching()
    other = "yamada"
    must("backup", "kept.zip", "-g", writer)
    late = Path(as_json("send", orders(writer, "go"), "-g", writer)["file"]).read_bytes()
    shutil.rmtree(writer)
    with machine("new", monkeypatch):
        must("restore", "kept.zip", writer)
        question = as_json("restored", "-g", writer)["asked"]
    must("receive", question, "-g", other)
    Path("late.yaml").write_bytes(late)
    done = run("receive", "late.yaml", "-g", other)
    assert done.code == 1 and "carries his question" in done.out
    with machine("new", monkeypatch):
        must("receive", f"{other}/outbox", "-g", writer)
        sent = as_json("send", orders(writer, "halt"), "-g", writer)["file"]
    must("receive", sent, "-g", other)
    done = run("receive", "late.yaml", "-g", other)
    assert done.code == 1 and "PROVED" not in done.out, "the lost file proves nothing"
    assert not list(Path(other).glob("equivocation-*"))
    assert run("verify", "-g", other).code == 0


def test_a_file_that_the_others_hold_comes_back_and_is_not_signed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    _, writer = marching()
    must("backup", "kept.zip", "-g", writer)
    sent = as_json("send", orders(writer, "go"), "-g", writer)
    must("receive", sent["file"], "-g", "yamada")
    shutil.rmtree(writer)
    with machine("new", monkeypatch):
        must("restore", "kept.zip", writer)
        question = as_json("restored", "-g", writer)["asked"]
    must("receive", question, "-g", "yamada")
    with machine("new", monkeypatch):
        must("receive", "yamada/outbox", "-g", writer)
        assert session(writer).table.last >= sent["seq"]
        assert not pen.why_unsure(session(writer).folder, session(writer).charter.game_id)


def test_a_folder_at_a_new_machine_whose_disk_is_full_is_unsure_and_writes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    _, writer = marching()
    with machine("new", monkeypatch):
        game = session(writer).charter.game_id
        full = GameFolder(Path(writer), FailingDisk(Failure(1, error=errno.ENOSPC)))
        assert "another machine" in str(pen.why_unsure(full, game))
        assert not Path("new-home/record.json").exists()


def test_on_one_s_own_word_everybody_is_told_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    _, writer = marching()
    with machine("new", monkeypatch):
        shutil.copytree(writer, "copied")
        assert run("send", orders(writer, "go"), "-g", "copied").code == 3
        done = as_json("restored", "--on-my-word", "the disk burnt, nobody answers", "-g", "copied")
        assert done["sure"]
        sent = as_json("send", orders(writer, "go"), "-g", "copied")["file"]
    must("receive", sent, "-g", "yamada")
    document, _ = read_document(Path(sent).read_bytes())
    assert document["slips"][0]["word"].startswith("the disk burnt")
    assert not slips.stands(session("yamada").table, document)
    assert "the disk burnt" in must("status", "-g", "yamada")


# -- a file that is signed comes back -----------------------------------------------------------------------------------------


def test_on_the_same_machine_a_backup_catches_up_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    _, writer = marching()
    document = lost(writer, monkeypatch)
    assert session(writer).table.last == document["seq"]
    done = run("send", orders(writer, "halt"), "-g", writer)
    assert done.code != 0


def test_a_folder_of_an_older_program_is_adopted_once() -> None:
    _, writer = marching()
    last = session(writer).table.last
    shutil.rmtree("home/signed")
    Path(writer, "pbem.json").write_text('{"format": 1}')
    Path(writer, "private/place.json").unlink()
    must("send", orders(writer, "go"), "-g", writer)
    rows = pen.Record(pen.home(), session(writer).charter.game_id, session(writer).folder.disk).rows
    assert {r["kind"] for r in rows[:-1]} <= {"adopted"} and rows[-1]["kind"] == "signed"
    assert last + 1 in [r["seq"] for r in rows] and Path(writer, "pbem.json").read_text() == '{"format": 2}'


def test_who_refuses_a_file_does_not_answer_it_and_the_other_way_round(monkeypatch: pytest.MonkeyPatch) -> None:
    _, writer = marching()
    sent = as_json("send", orders(writer, "go"), "-g", writer)["file"]
    document, _ = read_document(Path(sent).read_bytes())
    game = session("yamada")
    with pen.held(game) as rows:
        slip = {"slip": "refusal", "type": "slip", "player": "yamada"}
        row = {"about": pen.about_refusal(document_id(document)), "player": "yamada", "key": "", "document": slip}
        rows.append(
            "signed", {**row, "seq": None, "before": None, "link": None, "id": "", "replaces": None, "answered": None}, ""
        )
    must("receive", sent, "-g", "yamada")
    if session("yamada").table.due.player == "yamada":
        done = run("send", orders("yamada", "let pass"), "-g", "yamada")
        assert done.code == 1 and "refused file" in done.err


# -- two machines -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["leave", "take", "bring along"])
def test_a_machine_that_stops_while_the_pen_goes_on_leaves_it_in_one_place(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Or a write that fails, or a full disk: at no step may both sign, and the same command again brings the pen on."""
    _, writer = marching()
    must("sync", "--join", "--name", "desk", "-g", writer)
    with machine("laptop", monkeypatch):
        must("sync", "--join", "--name", "laptop", "-g", writer)
        shutil.copytree(writer, "mine")
    as_json("send", orders(writer, "go"), "-g", writer)
    words = {
        "leave": ["sync", "--leave", "-g", writer],
        "take": ["sync", "-g", writer],
        "bring along": ["sync", writer, "-g", "mine"],
    }[step]
    if step != "leave":
        must("sync", "--leave", "-g", writer)
    at_laptop, at, hit = "mine" if step == "bring along" else writer, 0, True
    while hit:
        at += 1
        work = tmp_path.parent / f"{tmp_path.name}-{at}"
        shutil.copytree(tmp_path, work)
        with inside(work):
            failure = Failure(at, error=(0, errno.EIO, 0, errno.ENOSPC)[at % 4])
            with ExitStack() as there:
                if step != "leave":
                    there.enter_context(machine("laptop", monkeypatch))
                with everywhere(failure, monkeypatch), suppress(Crash):
                    run(*words)
            hit = failure.hit
            desk = not pen.why_unsure(GameFolder(Path(writer)), session(writer).charter.game_id)
            with machine("laptop", monkeypatch):
                laptop = as_json("sync", "-g", at_laptop)["sure"]
            assert not (desk and laptop), at
            if step == "leave":
                must(*words)
            with machine("laptop", monkeypatch):
                assert as_json(*(words if step != "leave" else ["sync", "-g", writer]))["sure"], at
                assert session(at_laptop).table.last == session(writer).table.last
            assert pen.why_unsure(GameFolder(Path(writer)), session(writer).charter.game_id), at
        shutil.rmtree(work)
    assert at > 5


@pytest.mark.parametrize("how", ["answers", "word"])
def test_a_pen_that_was_left_to_a_machine_that_is_gone_comes_back(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the others hold, or the own word, counts as after any loss; from the hand-over nothing is taken any more."""
    folders, writer = marching()
    must("sync", "--join", "--name", "desk", "-g", writer)
    with machine("laptop", monkeypatch):
        must("sync", "--join", "--name", "laptop", "-g", writer)
    must("sync", "--leave", "-g", writer)
    shutil.copytree(writer, "stick")
    if how == "word":
        must("restored", "--on-my-word", "the laptop was stolen", "-g", writer)
    else:
        question = as_json("restored", "-g", writer)
        assert not question["sure"]
        for name in folders:
            if name != writer:
                must("receive", question["asked"], "-g", name)
                answer = next(Path(name, "outbox").glob("slip-head-*.txt"))
                assert "Everybody has said what he holds" in must("receive", str(answer), "-g", writer)
    sent = as_json("send", orders(writer, "go"), "-g", writer)
    with machine("laptop", monkeypatch):
        must("receive", sent["file"], "-g", "stick")
        told = run("sync", "-g", "stick")
        assert "was signed at another machine" in told.out and not as_json("sync", "-g", "stick")["sure"], told


# -- forks --------------------------------------------------------------------------------------------------------------------


def test_a_fork_is_shown_by_status_log_verify_and_in_mails(monkeypatch: pytest.MonkeyPatch) -> None:
    _, writer = marching()
    shutil.copytree(writer, "copy")
    with two_pens():
        one = as_json("send", orders(writer, "go"), "-g", writer)["file"]
        two = as_json("send", orders(writer, "halt"), "-g", "copy")["file"]
    must("receive", one, "-g", "yamada")
    done = run("receive", two, "-g", "yamada")
    assert done.code == 12 and "PROVED: nowak has signed two different files" in done.out
    for command in (("status",), ("log",)):
        assert "nowak has signed two different files" in must(*command, "-g", "yamada"), command
    done = run("verify", "-g", "yamada")
    assert done.code == 12 and "two different files" in done.out + done.err


def test_an_ally_who_sees_a_bad_chain_asks_for_heads_and_moves_to_what_the_other_side_has_followed() -> None:
    folders, writer = marching(SEATS)
    shutil.copytree(writer, "copy")
    with two_pens():
        one = as_json("send", orders(writer, "go"), "-g", writer)["file"]
        two = as_json("send", orders(writer, "halt"), "-g", "copy")["file"]
    ally, enemy = next(n for n in folders if n not in (writer, "yamada")), "yamada"
    must("receive", one, "-g", enemy)
    must("receive", two, "-g", ally)
    followed = sorted(str(p) for p in Path(enemy, "outbox").glob("0*.yaml"))[-1]
    before = session(enemy).table.last
    if session(enemy).table.due.player == enemy:
        followed = as_json("send", orders(enemy, "let pass"), "-g", enemy)["file"]
    done = run("receive", followed, "-g", ally)
    assert done.code == 15 and "Two versions of this game may exist" in done.out
    done = run("receive", one, "-g", ally)
    assert "goes on with the other file" in done.out, done
    assert session(ally).head == session(enemy).head and session(ally).table.last >= before
    assert "two different files" in must("status", "-g", ally)


def test_the_own_second_file_gives_way_to_the_one_that_was_followed() -> None:
    _, writer = marching()
    shutil.copytree(writer, "copy")
    with two_pens():
        one = as_json("send", orders(writer, "go"), "-g", writer)["file"]
        as_json("send", orders(writer, "halt"), "-g", "copy")
    must("receive", one, "-g", "yamada")
    if session("yamada").table.due.player == "yamada":
        must("send", orders("yamada", "let pass"), "-g", "yamada")
    run("receive", one, "-g", "copy")
    run("receive", "yamada/outbox", "-g", "copy")
    assert session("copy").table.last >= session("yamada").table.last - 1
    assert session("copy").table.ledger.entries[session("yamada").table.last].id == session("yamada").head


@pytest.mark.parametrize("back", [0, 1])
def test_a_link_that_was_shown_in_answer_to_another_file_is_shown_no_more(back: int) -> None:
    """R3: the record knows a file of this player with the link due behind a file that this log does not hold."""
    _, writer = marching()
    game = session(writer)
    due = game.try_out(Draft(orders=["go"])).document
    answered = {**due, "seq": due["seq"] - back, "prev": "ab" * 32}
    with pen.held(game) as rows:
        rows.append("signed", record.row_of(answered, keys.public_text(game.private), None), game.now())
    before = session(writer).table.last
    done = run("send", orders(writer, "go"), "-g", writer)
    assert done.code == 1 and "you have answered another file" in done.err + done.out
    assert session(writer).table.last == before and not list(Path(writer, "outbox").glob(f"{before + 1:04d}-*"))


def test_a_place_that_was_signed_behind_another_file_is_signed_no_more() -> None:
    """R3: the place is the same and the link another one, as after a renewal of links."""
    _, writer = marching()
    game = session(writer)
    due = game.try_out(Draft(orders=["go"])).document
    other = {**due, "prev": "ab" * 32, "link": "cd" * 32}
    with pen.held(game) as rows:
        rows.append("signed", record.row_of(other, keys.public_text(game.private), None), game.now())
    done = run("send", orders(writer, "go"), "-g", writer)
    assert done.code == 1 and "you have answered another file" in done.err + done.out


@pytest.mark.parametrize("kind", ["signed", "shown"])
def test_the_pen_stays_where_the_record_knows_a_file_that_the_folder_lacks(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The record does not go along: the other machine would show the link of that file for another one."""
    two_machines(monkeypatch)
    game = session("nowak")
    other = {**game.try_out(Draft(orders=["go"])).document, "prev": "ab" * 32}
    row = record.row_of(other, keys.public_text(game.private), None)
    if kind == "shown":
        row = {"id": document_id(other), **{k: other[k] for k in ("seq", "prev", "link")}, "by": "umpire", "for": "nowak"}
    with pen.held(game) as rows:
        rows.append(kind, row, game.now())
    done = run("sync", "--leave", "--name", "laptop", "-g", "nowak")
    assert done.code == 1 and f"({document_id(other)[:12]}) is signed and not in this log" in done.err + done.out
    assert not session("nowak").why_unsure()
    with pen.held(game) as rows:
        rows.append("yielded", {"id": document_id(other), "seq": other["seq"], "to": ""}, game.now())
    must("sync", "--leave", "--name", "laptop", "-g", "nowak")
