"""Lost folders where questions after a loss wait for ever: another version goes on, or the game is over by a resignation."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.protocol.ids import document_id
from pbem.store import pen
from tests.commands import must, run
from tests.toygame.folders import SEATS, TWO, answer, as_json, at, due, hashes, orders, session, spread
from tests.toygame.remembered import advance_to, found
from tests.toygame.test_heal_folders import crossing, document_in


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with at(tmp_path, monkeypatch):
        yield


@contextmanager
def elsewhere(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another machine, to which the keys are brought along."""
    shutil.copytree(Path(os.environ["PBEM_HOME"], "keys"), "elsewhere/keys", dirs_exist_ok=True)
    with monkeypatch.context() as patch:
        patch.setenv("PBEM_HOME", "elsewhere")
        patch.setenv("PBEM_MACHINE", "elsewhere")
        yield


def is_sure(name: str) -> bool:
    return not pen.why_unsure(session(name).folder, session(name).charter.game_id)


def ask_again(name: str, others: list[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """`pbem restored` at the other machine, and what everybody else answers; what the folder said last."""
    with elsewhere(monkeypatch):
        question = as_json("restored", "-g", name)["asked"]
    for other in others:
        run("receive", question, "-g", other)
    with elsewhere(monkeypatch):
        return "".join(run("receive", f"{other}/outbox", "-g", name).out for other in others)


def test_an_answer_that_names_a_file_which_was_given_up_since_is_asked_for_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, own, theirs = crossing()
    must("receive", str(own), "-g", "yamada")
    run("receive", str(theirs), "-g", "dubois")
    shutil.copytree("dubois", "copy")
    said = ask_again("copy", ["smith", "yamada", "nowak"], monkeypatch)
    assert "smith has named a file of another version" in said and "yamada has named" not in said, said
    sent = as_json("send", orders("yamada", "foot"), "-g", "yamada")["file"]
    for name in ("smith", "nowak", "copy"):
        with elsewhere(monkeypatch) if name == "copy" else monkeypatch.context():
            run("receive", str(own), "-g", name)
            run("receive", sent, "-g", name)
    head = document_id(document_in(sent))
    assert {session(name).head for name in ("smith", "yamada", "nowak", "copy")} >= {head}
    with elsewhere(monkeypatch):
        assert session("copy").table.ledger.entries[document_in(sent)["seq"]].id == head
        assert not is_sure("copy")
        done = run("status", "-g", "copy")
        assert done.code == 0
    ask_again("copy", ["smith", "yamada", "nowak"], monkeypatch)
    with elsewhere(monkeypatch):
        assert is_sure("copy")


def test_a_chain_that_takes_over_in_a_file_after_a_loss_announces_the_next_one_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.protocol.charter.CHAIN_LENGTH", 72)
    folders = found(TWO)
    dice, announced = random.Random(1), 0
    for _ in range(12):
        if due(folders) == "nowak":
            Path("nowak/private/place.json").unlink()  # as if copied in part
            run("receive", as_json("restored", "-g", "nowak")["asked"], "-g", "yamada")
            before = session("nowak").table.last
            run("receive", "yamada/outbox", "-g", "nowak")
            if session("nowak").table.last == before:  # it asks for a decision
                must("send", orders("nowak", answer("nowak", dice)), "-g", "nowak")
            announced += "next_chain" in session("nowak").folder.log.files()[before + 1]
        else:
            must("send", orders("yamada", answer("yamada", dice)), "-g", "yamada")
        spread(folders)
    assert announced > 2


def resigned_unheard() -> tuple[str, str, str, str]:
    """Yamada resigns while the player who is due sends a file, of which he has not heard:
    (who wrote it, the ally, the file, the slip)."""
    folders = found(SEATS)
    writer = advance_to(folders, "march")
    ally = next(f for f in folders if f not in ("yamada", writer))
    assert writer != "yamada"
    slip = as_json("resign", "--yes", "-g", "yamada")["file"]
    sent = as_json("send", orders(writer, "go"), "-g", writer)["file"]
    return writer, ally, sent, slip


def test_after_a_resignation_files_that_come_later_are_taken_and_end_a_question(monkeypatch: pytest.MonkeyPatch) -> None:
    writer, ally, sent, slip = resigned_unheard()
    must("receive", slip, "-g", writer)
    with elsewhere(monkeypatch):
        run("receive", slip, "-g", ally)
        assert session(ally).table.result is not None
    said = ask_again(ally, [writer, "yamada"], monkeypatch)
    with elsewhere(monkeypatch):
        run("receive", sent, "-g", ally)
        assert document_in(sent) in session(ally).folder.log.files(), "it was signed without having heard of the resignation"
        assert is_sure(ally), said
        assert run("send", orders(ally, "go"), "-g", ally).code != 0, "the game is over"


def test_a_folder_that_hears_of_a_resignation_before_the_files_takes_them_up_to_it() -> None:
    folders = found(SEATS)
    must("backup", "kept.zip", "-g", "yamada")
    advance_to(folders, "march")
    must("resign", "--yes", "-g", "yamada")
    spread(folders)
    last = session("yamada").table.last
    shutil.rmtree("yamada")
    must("restore", "kept.zip", "yamada")
    must("status", "-g", "yamada")
    assert session("yamada").table.result is not None, "the record of this machine knows of it"
    for name in folders:
        for file in sorted(Path(name, "files").glob("0*.yaml")):
            run("receive", str(file), "-g", "yamada")
    assert session("yamada").table.last == last
    assert len(hashes(folders)) == 1 and session("yamada").table.result is not None
    assert session("yamada").replayed().to_plain() == session("yamada").table.to_plain()


def test_two_allies_who_resigned_at_different_files_have_both_resigned_when_the_files_come() -> None:
    folders = found(SEATS)
    must("backup", "kept.zip", "-g", "yamada")
    advance_to(folders, "march")
    must("resign", "--yes", "-g", "nowak")
    advance_to(folders, "card", seed=2)
    must("resign", "--yes", "-g", "dubois")
    spread(folders)
    shutil.rmtree("yamada")
    must("restore", "kept.zip", "yamada")
    for name in ("nowak", "dubois"):
        run("receive", *map(str, Path(name, "outbox").glob("slip-*.yaml")), "-g", "yamada")
    assert session("yamada").table.last < session("nowak").table.last and session("yamada").table.result is not None
    Path("all").mkdir()
    for file in (*Path("nowak/files").glob("0*.yaml"), *Path("dubois/files").glob("0*.yaml")):
        shutil.copy(file, "all")
    run("receive", "all", "-g", "yamada")
    assert sorted(session("yamada").table.ledger.resigned) == ["dubois", "nowak"]
    assert session("yamada").table.last == session("nowak").table.last and len(hashes(folders)) == 1
