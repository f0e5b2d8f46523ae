"""What a folder does with a version that does not hold, a refusal behind a resignation, and things that are lost for good."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.cli import play
from pbem.protocol import turnfile
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome
from pbem.protocol.strict_yaml import write_document
from pbem.store import catching_up
from pbem.store.private import PrivateFolder
from tests.commands import must, run
from tests.toygame.folders import SEATS, TWO, answer, as_json, at, due, finish, orders, session, spread, two_pens
from tests.toygame.remembered import advance_to, found
from tests.toygame.test_commands import checked
from tests.toygame.test_heal_folders import document_in, show_all, split, write_heal
from tests.toygame.test_lost_at_the_end import ask_again, elsewhere, is_sure


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with at(tmp_path, monkeypatch):
        yield


def parted() -> tuple[str, str, str, str]:
    """Two files of one player for one place: the enemy has the one, the ally the other. Names of both, and the two files."""
    folders = found(SEATS)
    writer = advance_to(folders, "march")
    shutil.copytree(writer, "copy")
    with two_pens():
        one = as_json("send", orders(writer, "go"), "-g", writer)["file"]
        two = as_json("send", orders(writer, "halt"), "-g", "copy")["file"]
    ally = next(n for n in folders if n not in (writer, "yamada"))
    must("receive", one, "-g", "yamada")
    must("receive", two, "-g", ally)
    return "yamada", ally, one, two


def followed_by(enemy: str) -> str:
    """The enemy's file behind the one that he has."""
    if session(enemy).table.due.player == enemy:
        return str(as_json("send", orders(enemy, "let pass"), "-g", enemy)["file"])
    return sorted(str(p) for p in Path(enemy, "outbox").glob("0*.yaml"))[-1]


def test_a_folder_does_not_leave_its_version_for_one_whose_files_do_not_hold() -> None:
    enemy, ally, one, two = parted()
    file = document_in(followed_by(enemy))
    wrong = turnfile.sign({**file, "note": ["not what the rules say"], "state": "00" * 32}, session(enemy).private)
    Path("wrong.yaml").write_text(write_document(wrong))
    run("receive", "wrong.yaml", "-g", ally)
    said = run("receive", one, "-g", ally)
    opened = session(ally)
    assert opened.head == document_id(document_in(two)), said
    assert not opened.withdrawn() and "goes on with the other file" not in said.out
    good = run("receive", followed_by(enemy), "-g", ally)
    assert session(ally).head == session(enemy).head, (good, "the version that holds is taken beside the one that does not")


def test_a_folder_goes_to_the_version_that_was_followed_though_it_has_heard_of_a_resignation_first() -> None:
    enemy, ally, one, _ = parted()
    files = [one, followed_by(enemy)]
    resigned = as_json("resign", "--yes", "-g", enemy)["file"]
    for name in (resigned, *files):
        said = run("receive", name, "-g", ally)
    assert session(ally).head == session(enemy).head and session(ally).table.result is not None, said


def test_a_refusal_is_judged_as_the_file_was_taken_without_resignations_that_came_behind_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folders = found(TWO)
    assert advance_to(folders, "march") == "nowak"
    resigned = as_json("resign", "--yes", "-g", "yamada")["file"]  # of the head before the file
    sent = as_json("send", orders("nowak", "go"), "-g", "nowak")["file"]
    shutil.copytree("yamada", "other")
    with monkeypatch.context() as patch:
        patch.setattr(play, "_fault", lambda *_: (Outcome.REFUSED, "it does not please me"))
        refused = as_json("refuse", sent, "-g", "yamada")["file"]
    must("receive", resigned, "-g", "nowak")
    done = run("receive", refused, "-g", "nowak")
    assert done.code == 11 and "finds it valid" in done.out, done
    assert not session("nowak").withdrawn()


def step_of(name: str, seed: int) -> None:
    must("send", orders(name, answer(name, random.Random(seed))), "-g", name)


def test_an_opening_whose_content_is_lost_says_so_and_what_can_be_done(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = found(SEATS)
    assert advance_to(folders, "card") == "nowak"
    must("send", orders("nowak", "pass"), "-g", "nowak")
    spread(folders)
    must("send", orders("dubois", {"seal": 3, "seat": "rust"}), "-g", "dubois")
    monkeypatch.setattr(catching_up, "_put_back", lambda *_: None)
    lost = session("dubois")
    lost.me.sealed.clear()
    lost.folder.save_secrets(lost.me)
    spread(folders)
    for n in range(12):
        if due(folders) == "dubois" and session("dubois").table.due.what == "open":
            break
        step_of(due(folders), n)
        spread(folders)
    assert session("dubois").table.due.what == "open"
    done = run("receive", "yamada/outbox", "-g", "dubois")
    handle = str(session("dubois").table.due.detail)
    assert handle in done.out and "is lost" in done.out and "restore" in done.out, done
    assert "brings nothing" not in done.out


def test_a_folder_that_comes_back_without_what_was_sealed_here_gets_it_from_the_record() -> None:
    """Sealed here, gone on elsewhere from a copy without it, and carried back: the file that sealed it is not the newest."""
    folders = found(SEATS)
    assert advance_to(folders, "card") == "nowak"
    must("send", orders("nowak", "pass"), "-g", "nowak")
    spread(folders)
    must("send", orders("dubois", {"seal": 3, "seat": "rust"}), "-g", "dubois")
    for n in range(12):
        spread(folders)
        if due(folders) == "dubois":
            break
        step_of(due(folders), n)
    carried = session("dubois")
    sealed = dict(carried.me.sealed)
    assert sealed and all(seal.seq < carried.table.last for seal in carried.table.ledger.seals.values())
    carried.me.sealed.clear()
    carried.folder.save_secrets(carried.me)
    must("sync", "-g", "dubois")
    assert session("dubois").me.sealed == sealed


def test_an_audit_publishes_what_only_the_record_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where nobody is asked for the passphrase before."""
    folders = found(SEATS)
    finish(folders)
    name, seals = next((n, s) for n in folders if (s := dict(session(n).me.sealed)))
    monkeypatch.setattr(PrivateFolder, "opens_unasked", lambda _: False)
    lost = session(name)
    lost.me.sealed.clear()
    lost.folder.save_secrets(lost.me)
    run("audit", "-g", name)
    (audit,) = (s for s in session(name).folder.log.slips() if s["slip"] == "audit" and s["player"] == name)
    assert {shown["handle"] for shown in audit["open"]} >= seals.keys()


def test_what_only_a_backup_holds_comes_back_from_it() -> None:
    folders = found(TWO)
    advance_to(folders, "march")
    must("send", orders("nowak", "go"), "-g", "nowak")
    last, head = session("nowak").table.last, session("nowak").head
    log = Path("nowak", "log.jsonl")
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    for gone in ("files", "outbox"):
        for path in Path("nowak", gone).glob(f"{last:04d}-*"):
            path.unlink()
    shutil.rmtree(Path(os.environ["PBEM_HOME"], "signed"))
    must("status", "-g", "nowak")
    assert session("nowak").head == head


def test_a_folder_that_lost_its_disk_in_an_open_fork_signs_the_heal_when_all_have_said_what_they_hold(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folders = split()
    show_all(folders)
    shutil.copytree("dubois", "copy")
    drafted = write_heal("yamada")
    with elsewhere(monkeypatch):
        refused = run("heal", drafted["file"], "-g", "copy")
        assert refused.code == 3 and "may lack something" in refused.err
    said = ask_again("copy", ["yamada", "nowak"], monkeypatch)
    assert "another version" in said
    with elsewhere(monkeypatch):
        assert not is_sure("copy")
        signed = as_json("heal", drafted["file"], "-g", "copy")
        assert run("send", orders("copy", "pass"), "-g", "copy").code != 0, "it signs the heal and nothing else"
    done = as_json("heal", signed["file"], "-g", "nowak")
    assert done["complete"]
    must("receive", done["file"], "-g", "yamada")
    with elsewhere(monkeypatch):
        must("receive", done["file"], "-g", "copy")
    ask_again("copy", ["yamada", "nowak"], monkeypatch)
    with elsewhere(monkeypatch):
        assert is_sure("copy") and session("copy").head == session("yamada").head


def test_a_roll_behind_links_that_are_left_out_is_proved_by_stock_tools(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = found(TWO)
    assert advance_to(folders, "march") == "nowak"
    Path("nowak/private/place.json").unlink()  # as if copied in part
    run("receive", as_json("restored", "-g", "nowak")["asked"], "-g", "yamada")
    run("receive", "yamada/outbox", "-g", "nowak")
    must("send", orders("nowak", "go"), "-g", "nowak")
    spread(folders)
    asked = session("nowak").table.last
    finish(folders)
    ledger = session("yamada").table.ledger
    turned = [r.source for r in ledger.rolled if r.source > asked and ledger.entries[r.source + 1].player == "nowak"]
    for number in sorted({*turned}):
        must("prove", str(number), f"proof-{number}", "-g", "yamada")
    said = [checked(f"proof-{number}") for number in sorted({*turned})]
    assert all(text.startswith("PROVED: ") for text in said), said
    assert "64 are left out" in said[0] and "left out" not in "".join(said[1:])
    before = Path(f"proof-{turned[0]}", "link.bin")
    before.write_bytes(before.read_bytes()[:32])
    assert "the link does not follow" in checked(f"proof-{turned[0]}")


def test_own_files_come_back_from_sent_mail(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = found(TWO)
    advance_to(folders, "march")
    must("backup", "kept.zip", "-g", "nowak")
    sent = as_json("send", orders("nowak", "go"), "-g", "nowak")
    mail = next(Path("nowak", "outbox").glob(f"{sent['seq']:04d}-*.eml")).read_bytes().replace(b"\r\n", b"\n")
    Path("sent.mbox").write_bytes(b"From nowak@example.org Sat Nov 21 07:00:00 2026\n" + mail)
    shutil.rmtree("nowak")
    with elsewhere(monkeypatch):
        must("restore", "kept.zip", "nowak")
        assert not is_sure("nowak") and session("nowak").table.last == sent["seq"] - 1
        must("receive", "sent.mbox", "-g", "nowak")
        assert session("nowak").table.last == sent["seq"] and not is_sure("nowak"), "taken; he asks the others all the same"
