"""The umpire shows no link of one who has lost everything and asks, before all is heard: it may have turned a lost file."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol import slips
from pbem.protocol.strict_yaml import read_document, write_document
from tests.commands import must, run
from tests.toygame.folders import TWO, as_json, at, sent_until_a_witness_is_due, session
from tests.toygame.remembered import advance_to, found
from tests.toygame.test_false_heads import in_file, lies
from tests.toygame.test_lost_at_the_end import elsewhere

UNKNOWN = "ab" * 32  # the id of a file that nobody shows


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with at(tmp_path, monkeypatch):
        yield


@pytest.fixture
def question(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Nowak owes a link to the dice when all that he has is lost but an old backup; what he asks has come to the umpire."""
    found(TWO, "escrow")
    advance_to(["nowak", "yamada", "smith"], "march")
    must("backup", "nowak.zip", "-g", "nowak")
    assert sent_until_a_witness_is_due("smith") == "nowak"
    shutil.rmtree("nowak")
    with elsewhere(monkeypatch):
        must("restore", "nowak.zip", "nowak")
        asked = in_file(as_json("restored", "-g", "nowak")["asked"])
    Path("asked.yaml").write_text(write_document(asked))
    must("receive", "asked.yaml", "-g", "smith")
    return asked


def refused() -> str:
    """What the umpire is told who wants to stand in; his log stays as it is."""
    before = Path("smith/log.jsonl").read_bytes()
    done = run("umpire", "stand-in", "-g", "smith")
    assert done.code == 3 and Path("smith/log.jsonl").read_bytes() == before
    return done.err


def test_who_has_not_answered_may_hold_a_file_with_this_link(question: dict[str, Any]) -> None:
    told = refused()
    assert "nowak has lost files and asks the others" in told and "yamada has not answered yet" in told


def test_a_file_that_somebody_holds_and_does_not_show_may_have_been_followed(question: dict[str, Any]) -> None:
    must("receive", lies("yamada", question, UNKNOWN), "-g", "smith")
    assert "yamada holds a newest file that is not here: ask him for his files" in refused()


def stands_in() -> dict[str, Any]:
    return dict(read_document(Path(as_json("umpire", "stand-in", "-g", "smith")["file"]).read_bytes())[0])


def test_when_all_have_answered_and_nothing_lacks_the_stall_is_broken(question: dict[str, Any]) -> None:
    must("receive", "asked.yaml", "-g", "yamada")
    must("receive", "yamada/outbox", "-g", "smith")
    stood = stands_in()
    assert (stood["player"], stood["signed_by"]) == ("nowak", "smith")


def test_his_own_word_is_enough(question: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    refused()
    with elsewhere(monkeypatch):
        must("restored", "--on-my-word", "the disk broke", "-g", "nowak")
    must("receive", "nowak/outbox", "-g", "smith")
    assert stands_in()["player"] == "nowak"


def test_a_question_of_somebody_else_holds_nobody_up(question: dict[str, Any]) -> None:
    made = slips.make("restored", question["game"], question["head"], "yamada", {"asks": "cd" * 32})
    Path("other.yaml").write_text(write_document(slips.sign(made, session("yamada").private)))
    must("receive", "asked.yaml", "-g", "yamada")
    must("receive", "yamada/outbox", "-g", "smith")
    must("receive", "other.yaml", "-g", "smith")
    assert stands_in()["player"] == "nowak"
