"""Accidents of one honest player, each as small as it can be: no place is signed twice, no link turns two files.

A test names the rule that holds it (pbem manual promises).
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol import keys, turnfile
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import ProtocolError
from pbem.protocol.strict_yaml import read_document, write_document
from pbem.runtime.composing import Draft
from pbem.runtime.taking import Refused
from pbem.store import pen, record
from pbem.store.session import Session
from tests.commands import must, run
from tests.toygame.folders import SEATS, TWO, advance_to, as_json, at, found, hashes, orders, session, spread


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with at(tmp_path, monkeypatch):
        yield


@contextmanager
def another_machine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The same folders under another home and another machine's id; the keys are brought along."""
    keys = Path(os.environ["PBEM_HOME"], "keys")
    shutil.copytree(keys, "elsewhere/keys", dirs_exist_ok=True)
    with monkeypatch.context() as patch:
        patch.setenv("PBEM_HOME", "elsewhere")
        patch.setenv("PBEM_MACHINE", "another")
        yield


def in_folders() -> list[dict[str, Any]]:
    """Every file of a game that lies in a log or an outbox."""
    found = [read_document(p.read_bytes())[0] for p in Path().glob("*/outbox/0*.yaml")]
    for path in Path().glob("*/log.jsonl"):
        found += [e["document"] for e in Session.open(path.parent).folder.log.entries]
    return [d for d in found if d["type"] in turnfile.TYPES]


def check_signed_once(player: str, *earlier: dict[str, Any]) -> None:
    """No two files of a player stand at one place behind one file, and none of his links turned two.

    `earlier`: files that may have left before something overwrote them.
    """
    places: dict[tuple[int, str], set[str]] = {}
    links: dict[str, set[str]] = {}
    for document in [d for d in (*earlier, *in_folders()) if d["player"] == player]:
        places.setdefault((document["seq"], document["prev"]), set()).add(document_id(document))
        links.setdefault(document["link"], set()).add(document["prev"])
    assert places and all(len(ids) == 1 for ids in places.values()), "one place is signed twice"
    assert all(len(turned) == 1 for turned in links.values()), "one link turned two files"


def asked_for_two_orders() -> tuple[str, str, str]:
    """Nowak (red, rust) is asked for a march, where `go` and `halt` are legal."""
    found(TWO)
    assert advance_to(["yamada", "nowak"], "march") == "nowak"
    return "nowak", "go", "halt"


# -- one's own folder -------------------------------------------------------------------------------------------------------


def test_r1_to_r4_a_backup_of_before_the_newest_own_file_signs_it_no_second_time() -> None:
    me, one, other = asked_for_two_orders()
    must("backup", "kept.zip", "-g", me)
    must("send", orders(me, one), "-g", me)
    must("restore", "kept.zip", "again")
    run("send", orders(me, other), "-g", "again")
    old = sorted(Path("yamada/outbox").glob("*.yaml"))[0]
    run("receive", str(old), "-g", "again")
    run("send", orders(me, other), "-g", "again")
    check_signed_once(me)


def test_r5_and_r6_a_backup_on_another_machine_signs_nothing_for_an_old_file_s_sake(monkeypatch: pytest.MonkeyPatch) -> None:
    me, one, other = asked_for_two_orders()
    must("backup", "kept.zip", "-g", me)
    must("send", orders(me, one), "-g", me)
    with another_machine(monkeypatch):
        must("restore", "kept.zip", "again")
        for old in sorted(Path("yamada/outbox").glob("*.yaml")):
            run("receive", str(old), "-g", "again")
        run("send", orders(me, other), "-g", "again")
    check_signed_once(me)


def test_r1_and_r2_two_copies_of_a_folder_on_one_machine_sign_one_file() -> None:
    me, one, other = asked_for_two_orders()
    shutil.copytree(me, "copy")
    must("send", orders(me, one), "-g", me)
    run("send", orders(me, other), "-g", "copy")
    check_signed_once(me)


def test_r6_a_copy_on_another_machine_signs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    me, one, other = asked_for_two_orders()
    shutil.copytree(me, "copy")
    must("send", orders(me, one), "-g", me)
    with another_machine(monkeypatch):
        run("send", orders(me, other), "-g", "copy")
    check_signed_once(me)


def test_append_refuses_behind_a_log_that_another_program_has_written_to() -> None:
    me, one, other = asked_for_two_orders()
    opened = session(me)
    assert opened.table.last > 0  # read
    must("send", orders(me, one), "-g", me)
    before = Path(me, "log.jsonl").read_bytes()
    with pytest.raises((ProtocolError, Refused, OSError)):
        opened.write(Draft([other]))
    assert Path(me, "log.jsonl").read_bytes() == before
    check_signed_once(me)


@pytest.mark.parametrize("lost", ["the entry", "half of it"])
def test_r4_a_log_whose_tail_is_lost_takes_its_own_file_back_from_the_outbox(lost: str) -> None:
    me, one, other = asked_for_two_orders()
    must("send", orders(me, one), "-g", me)
    sent = session(me).folder.log.files()[-1]
    log = Path(me, "log.jsonl")
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:-1]) + (lines[-1][: len(lines[-1]) // 2] if lost == "half of it" else b""))
    said = run("send", orders(me, other), "-g", me)
    check_signed_once(me, sent)
    assert "never acknowledged" not in said.out + said.err, "the file lies in the outbox, and may have been sent"
    run("receive", "yamada/outbox", "-g", me)
    assert sent in session(me).folder.log.files()


def test_r4_a_place_before_one_that_this_player_has_signed_waits_for_what_is_lacking() -> None:
    me, one, _ = asked_for_two_orders()
    opened = session(me)
    later = {**opened.try_out(Draft([one])).document, "prev": "ab" * 32, "link": "cd" * 32}
    later["seq"] += 2
    with pen.held(opened) as rows:
        rows.append("signed", record.row_of(later, keys.public_text(opened.private), None), opened.now())
    done = run("send", orders(me, one), "-g", me)
    assert done.code == 3 and f"you have signed file {later['seq']} already" in done.err


# -- the witness ------------------------------------------------------------------------------------------------------------


def second_file_for_a_witness() -> tuple[Path, Path]:
    """Red orders a march behind which dice are due from blue; red's player has signed it twice.

    Blue's folder was backed up before, and has answered the first one.
    """
    found(TWO)
    advance_to(["yamada", "nowak"], "march")
    must("send", orders("nowak", "go"), "-g", "nowak")
    spread(["yamada", "nowak"])
    must("send", orders("yamada", "stop"), "-g", "yamada")  # a battle: nowak's link turns its dice
    must("backup", "kept.zip", "-g", "nowak")
    cheat = Session.open(Path("yamada"))
    first = cheat.folder.log.files()[-1]
    before = cheat.replayed(first["seq"] - 1)
    cheat._table = before
    composed = cheat.try_out(Draft(["stop"], note=["once more"]))
    second = turnfile.sign(composed.document, cheat.private)
    assert (second["seq"], second["prev"]) == (first["seq"], first["prev"])
    Path("second.yaml").write_text(write_document(second))
    Path("first.yaml").write_text(write_document(first))
    return Path("first.yaml"), Path("second.yaml")


def test_r3_a_restored_witness_turns_no_second_file_with_the_same_link() -> None:
    first, second = second_file_for_a_witness()
    must("receive", str(first), "-g", "nowak")
    assert Session.open(Path("nowak")).folder.log.files()[-1]["player"] == "nowak"
    must("restore", "kept.zip", "again")
    run("receive", str(second), "-g", "again")
    check_signed_once("nowak")


def test_a3_a_witness_restored_on_another_machine_answers_nothing_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = second_file_for_a_witness()
    must("receive", str(first), "-g", "nowak")
    with another_machine(monkeypatch):
        must("restore", "kept.zip", "again")
        run("receive", str(second), "-g", "again")
    check_signed_once("nowak")


def test_a1_a_machine_set_back_as_a_whole_answers_by_itself_with_the_very_same_file() -> None:
    first, _ = second_file_for_a_witness()
    home = os.environ["PBEM_HOME"]
    for name in ("nowak", home):
        shutil.copytree(name, f"{name}-before")
    must("receive", str(first), "-g", "nowak")
    answered = session("nowak").folder.log.files()[-1]
    for name in ("nowak", home):
        shutil.rmtree(name)
        shutil.move(f"{name}-before", name)
    must("receive", str(first), "-g", "nowak")
    assert session("nowak").folder.log.files()[-1] == answered and answered["player"] == "nowak"
    check_signed_once("nowak", answered)


# -- drafts -----------------------------------------------------------------------------------------------------------------


def test_charters_a_tip_is_signed_under_one_charter_also_from_a_copied_draft() -> None:
    must("new", "draft", "--system", "skirmish", "--scenario", "hill")
    must("join", "draft/charter.yaml", "--as", "yamada", "--seats", "blue", "-g", "yamada")
    shutil.copytree("yamada", "copy")
    must("join", "yamada/charter.yaml", "--as", "nowak", "--seats", "red,rust", "-g", "nowak")
    must("join", "copy/charter.yaml", "--as", "petrov", "--seats", "red,rust", "-g", "petrov")
    run("accept", "nowak/charter.yaml", "-g", "yamada")
    run("accept", "petrov/charter.yaml", "-g", "copy")
    drafts = [read_document(Path(f, "charter.yaml").read_bytes())[0] for f in ("yamada", "copy")]
    signed = [d for d in drafts if "yamada" in d["signatures"]]
    assert signed and len({document_id(d) for d in signed}) == 1, "one tip under two charters"


# -- after a loss -----------------------------------------------------------------------------------------------------------


def moved_to_a_new_machine(monkeypatch: pytest.MonkeyPatch, me: str, other: str) -> None:
    """`me` has copied his folder to another machine and asked the others there; the first machine may still be used."""
    shutil.copytree(me, "copy")
    with another_machine(monkeypatch):
        must("restored", "-g", "copy")
        run("receive", "copy/outbox", "-g", other)
        run("receive", f"{other}/outbox", "-g", "copy")
        assert as_json("restored", "-g", "copy")["sure"]


def test_l1_the_machine_that_was_left_learns_of_the_question_and_signs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    me, one, other = asked_for_two_orders()
    moved_to_a_new_machine(monkeypatch, me, "yamada")
    run("receive", "copy/outbox", "-g", me)
    done = run("send", orders(me, one), "-g", me)
    assert done.code == 3 and "another machine" in done.err, done
    with another_machine(monkeypatch):
        must("send", orders(me, other), "-g", "copy")
    spread(["yamada", "copy", me])
    assert len(hashes(["yamada", "copy", me])) == 1
    check_signed_once(me)


def test_l1_a_file_of_the_machine_that_was_left_gives_way_to_one_that_carries_the_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    me, one, other = asked_for_two_orders()
    moved_to_a_new_machine(monkeypatch, me, "yamada")
    must("send", orders(me, one), "-g", me)  # it has not heard of the question
    late = session(me).folder.log.files()[-1]
    with another_machine(monkeypatch):
        must("receive", f"{me}/outbox", "-g", "copy")
        must("send", orders(me, other), "-g", "copy")
    spread(["yamada", "copy", me])
    assert late not in session("yamada").folder.log.files() and late not in session(me).folder.log.files()
    assert len(hashes(["yamada", "copy", me])) == 1


def test_l1_a_folder_is_sure_when_all_others_have_answered_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = found(SEATS)
    me = advance_to(folders, "march")
    early, late = [f for f in folders if f != me]
    shutil.copytree(me, "copy")
    with another_machine(monkeypatch):
        must("restored", "-g", "copy")
        for other, missing in ((early, [late]), (late, [])):
            run("receive", "copy/outbox", "-g", other)
            assert run("send", orders("copy", "go"), "-g", "copy").code == 3
            run("receive", f"{other}/outbox", "-g", "copy")
            asked = as_json("restored", "-g", "copy")
            assert (asked["sure"], asked["missing"]) == (not missing, missing)


def test_l1_whoever_goes_back_to_the_machine_that_was_left_asks_there_again(monkeypatch: pytest.MonkeyPatch) -> None:
    me, one, other = asked_for_two_orders()
    moved_to_a_new_machine(monkeypatch, me, "yamada")
    must("send", orders(me, one), "-g", me)  # nobody takes it: they have said that they do not hold it
    run("receive", f"{me}/outbox", "-g", "yamada")
    assert session("yamada").table.due.player == me
    run("receive", "copy/outbox", "-g", me)
    must("restored", "-g", me)
    spread(["yamada", me])
    assert as_json("restored", "-g", me)["sure"]
    sent = as_json("send", orders(me, other), "-g", me)["seq"]
    spread(["yamada", me])
    assert len(hashes(["yamada", me])) == 1 and session("yamada").table.last >= sent


def test_l1_a_copy_beside_the_folder_asks_and_the_folder_carries_its_question() -> None:
    me, one, _ = asked_for_two_orders()
    must("backup", "kept.zip", "-g", me)
    must("restore", "kept.zip", "again")
    Path("again/private/place.json").unlink()  # copied in part
    must("restored", "-g", "again")
    run("receive", "again/outbox", "-g", "yamada")
    must("send", orders(me, one), "-g", me)
    must("receive", f"{me}/outbox", "-g", "yamada")
    spread(["yamada", me, "again"])
    assert len(hashes(["yamada", me])) == 1


def test_l1_a_file_that_one_holds_is_taken_by_the_others_who_have_answered_too_early(monkeypatch: pytest.MonkeyPatch) -> None:
    folders = found(SEATS)
    me = advance_to(folders, "march")
    early, late = [f for f in folders if f != me]
    must("backup", "kept.zip", "-g", me)
    sent = as_json("send", orders(me, "go"), "-g", me)
    run("receive", sent["file"], "-g", late)
    shutil.rmtree(me)
    with another_machine(monkeypatch):
        must("restore", "kept.zip", me)
        question = as_json("restored", "-g", me)["asked"]
    must("receive", question, "-g", early)
    must("receive", question, "-g", late)
    with another_machine(monkeypatch):
        for name in (early, late):
            run("receive", f"{name}/outbox", "-g", me)
        assert session(me).table.last >= sent["seq"]
    run("receive", f"{late}/outbox", "-g", early)
    spread([early, late])
    assert session(early).table.last >= sent["seq"]


def test_l1_a_file_that_the_asker_himself_held_stays_as_it_is() -> None:
    me, one, _ = asked_for_two_orders()
    must("backup", "kept.zip", "-g", me)
    sent = as_json("send", orders(me, one), "-g", me)
    must("restore", "kept.zip", "again")  # the same machine: it comes back from the record
    Path("again/private/place.json").unlink()
    question = as_json("restored", "-g", "again")["asked"]
    run("receive", question, "-g", "yamada")
    run("receive", sent["file"], "-g", "yamada")
    assert session("yamada").table.last >= sent["seq"]
    run("receive", "yamada/outbox", "-g", "again")
    assert session("again").table.last >= sent["seq"] and as_json("restored", "-g", "again")["sure"]


def test_l1_a_sure_folder_gives_up_its_file_when_a_copy_beside_it_has_asked_before() -> None:
    me, one, other = asked_for_two_orders()
    must("backup", "kept.zip", "-g", me)
    must("restore", "kept.zip", "again")
    Path("again/private/place.json").unlink()
    question = as_json("restored", "-g", "again")["asked"]
    run("receive", question, "-g", "yamada")
    opened = session(me)
    opened.folder.log.entries  # noqa: B018 (read before the record is looked at)
    opened.write(Draft([one]))  # a program that was at work already: it carries no question
    refused = run("receive", f"{me}/outbox", "-g", "yamada")
    assert "carries his question" in refused.out
    run("receive", "yamada/outbox", "-g", me)
    must("send", orders(me, other), "-g", me)
    must("receive", f"{me}/outbox", "-g", "yamada")
    spread(["yamada", me])
    assert len(hashes(["yamada", me])) == 1


def test_l1_an_answer_brings_the_question_to_the_machine_that_never_saw_it(monkeypatch: pytest.MonkeyPatch) -> None:
    me, one, _ = asked_for_two_orders()
    shutil.copytree(me, "copy")
    with another_machine(monkeypatch):
        question = as_json("restored", "-g", "copy")["asked"]
    run("receive", question, "-g", "yamada")
    [answered] = Path("yamada/outbox").glob("slip-head-*.txt")
    run("receive", str(answered), "-g", me)  # the copy is lost, and nobody has sent the first machine its question
    done = run("send", orders(me, one), "-g", me)
    assert done.code == 3 and "another machine" in done.err, "nobody would take what it signs without the question"
    run("receive", as_json("restored", "-g", me)["asked"], "-g", "yamada")
    run("receive", "yamada/outbox", "-g", me)
    sent = as_json("send", orders(me, one), "-g", me)["file"]
    must("receive", sent, "-g", "yamada")
    assert len(hashes(["yamada", me])) == 1


def test_l1_a_question_signed_with_a_key_that_was_given_up_is_not_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    me, _, _ = asked_for_two_orders()
    shutil.copytree(me, "copy")
    with another_machine(monkeypatch):
        must("restored", "-g", "copy")  # nobody gets the question
    must("seat", "renew", "-g", me)  # at the first machine, which holds the new key alone
    must("receive", f"{me}/outbox", "-g", "yamada")
    must("agree", "-g", "yamada")
    [*_, accepted] = sorted(Path("yamada/outbox").glob("0*"))
    with another_machine(monkeypatch):
        must("receive", f"{me}/outbox", "-g", "copy")
        must("receive", str(accepted), "-g", "copy")
        asked = run("restored", "-g", "copy")
    assert asked.code == 7 and "the seat has another one now" in asked.err


def test_l1_who_has_another_key_since_his_answer_answers_once_more(monkeypatch: pytest.MonkeyPatch) -> None:
    me, _, _ = asked_for_two_orders()
    must("seat", "renew", "-g", me)
    must("receive", f"{me}/outbox", "-g", "yamada")
    must("agree", "-g", "yamada")
    shutil.move("yamada", "copy")
    with another_machine(monkeypatch):
        question = as_json("restored", "-g", "copy")["asked"]
    must("receive", question, "-g", me)  # answered with the old key: that the new one is agreed is not known here yet
    [early] = Path(me, "outbox").glob("slip-head-*.txt")
    with another_machine(monkeypatch):
        assert "gave up" in run("receive", str(early), "-g", "copy").out
    run("receive", "copy/outbox", "-g", me)
    late = set(Path(me, "outbox").glob("slip-head-*.txt")) - {early}
    run("receive", "copy/outbox", "-g", me)
    assert len(late) == 1 and set(Path(me, "outbox").glob("slip-head-*.txt")) == {early, *late}, "once is enough"
    with another_machine(monkeypatch):
        assert not as_json("restored", "-g", "copy")["sure"]
        run("receive", str(*late), "-g", "copy")
        assert as_json("restored", "-g", "copy")["sure"]
