"""Who has asked after a loss and gets another key before his next file asks anew: his question counts no more."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import restoring
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome
from pbem.store import enclosing
from tests.commands import must, run
from tests.toygame.folders import (
    SEATS,
    answered,
    as_json,
    at,
    copied_in_part,
    due,
    give,
    in_file,
    is_sure,
    orders,
    session,
    slips,
    spread,
)
from tests.toygame.remembered import advance_to, found

Document = dict[str, Any]
LAPSED = "what you asked the others after a loss, or your word, counts no more: the key or the files are given up"

UNTOLD = "not all others have said, with the keys that they have now, what they hold of you"


@pytest.fixture(scope="module")
def offered(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nowak marches next and has offered another key of his; dubois has agreed, yamada has not yet."""
    place = tmp_path_factory.mktemp("offered")
    with pytest.MonkeyPatch.context() as patch, at(place, patch):
        folders = found(SEATS)
        assert advance_to(folders, "march") == "nowak"
        must("seat", "renew", "-g", "nowak")
        spread(folders)
        assert due(folders) == "dubois"
        must("agree", "-g", "dubois")
        spread(folders)
    return place


@pytest.fixture(autouse=True)
def game(offered: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The same in a folder of its own."""
    shutil.copytree(offered, tmp_path, dirs_exist_ok=True)
    with at(tmp_path, monkeypatch):
        yield


def asked(name: str = "nowak") -> Document:
    return in_file(as_json("restored", "-g", name)["asked"])


def agreed() -> Document:
    """The last acceptance, by which nowak's new key is in force."""
    file = in_file(as_json("agree", "-g", "yamada")["file"])
    for name in ("nowak", "dubois"):
        give(file, name)
    return file


def sent(*lines: str) -> Any:
    return run("send", orders("nowak", *lines), "-g", "nowak")


def test_a_question_by_a_key_that_is_given_up_is_asked_anew() -> None:
    """Sure again by all answers; then the key changes. A file without the question turns dice with links of lost files."""
    copied_in_part()
    old = asked()
    for name in ("dubois", "yamada"):
        give(answered(old, name), "nowak")
    assert is_sure()
    agreed()
    assert str(session("nowak").why_unsure()) == LAPSED and not restoring.has_heard_all(session("nowak"))
    refused, before = sent("go"), session("nowak").table.last
    assert refused.code == Outcome.WAITING.code and LAPSED in refused.err and "`pbem restored` asks" in refused.err
    assert LAPSED in must("status", "-g", "nowak") and session("nowak").table.last == before
    assert f"This folder signs nothing yet: {LAPSED}; `pbem restored` asks anew." in restoring.settle(session("nowak"))
    assert session("dubois").table.due.what == "orders", "no link of his is due, which an umpire could show meanwhile"
    assert restoring.unheard(session("dubois"), "nowak") == []
    new = asked()
    assert new["asks"] != old["asks"] and UNTOLD in must("status", "-g", "nowak") and asked() == new
    give(answered(new, "dubois"), "nowak")
    assert restoring.unheard(session("dubois"), "nowak") == ["yamada has not answered yet"]
    assert sent("go").code == Outcome.WAITING.code, "yamada has not answered this one"
    assert not is_sure()
    give(answered(new, "yamada"), "nowak")
    assert is_sure() and restoring.unheard(session("nowak"), "nowak") == []
    file = in_file(as_json("send", orders("nowak", "go"), "-g", "nowak")["file"])
    carried = [s for s in file["slips"] if s["slip"] in ("restored", "head")]
    assert new in carried and old not in carried and len(carried) == 3
    assert is_sure() and enclosing.carried(session("nowak")) == []
    for name in ("dubois", "yamada"):
        give(file, name)
        assert session(name).head == document_id(file)
    assert restoring.settle(session("nowak")) == [], "the old question asks for nothing any more: the file stays"
    assert session("nowak").head == document_id(file)


def test_a_word_by_a_key_that_is_given_up_is_given_anew() -> None:
    copied_in_part()
    must("restored", "--on-my-word", "the disk is broken", "-g", "nowak")
    assert is_sure()
    agreed()
    assert LAPSED in sent("go").err
    must("restored", "--on-my-word", "the disk is broken", "-g", "nowak")
    (old, new), file = slips("nowak", "restored"), in_file(as_json("send", orders("nowak", "go"), "-g", "nowak")["file"])
    assert new in file["slips"] and old not in file["slips"] and is_sure()


def test_who_has_answered_with_a_key_that_is_given_up_answers_again() -> None:
    """Dubois has asked, and all have answered, when nowak gets his new key: without his answer the file would not stand."""
    copied_in_part("dubois")
    question = asked("dubois")
    first = answered(question, "nowak")
    for answer in (first, answered(question, "yamada")):
        give(answer, "dubois")
    assert is_sure("dubois")
    agreed()
    assert str(session("dubois").why_unsure()) == UNTOLD
    assert not restoring.has_heard_all(session("dubois"))
    file = in_file(as_json("send", orders("nowak", "go"), "-g", "nowak")["file"])
    give(file, "dubois")
    second = slips("nowak", "head")[-1]
    give(second, "dubois")
    assert second != first and is_sure("dubois")
    carried = [s for s in enclosing.carried(session("dubois")) if s["player"] == "nowak"]
    assert carried == [second]


def test_nothing_is_heard_of_a_question_that_nobody_has_signed(monkeypatch: pytest.MonkeyPatch) -> None:
    copied_in_part()
    old = asked()
    give(old, "dubois")
    assert restoring.unheard(session("dubois"), "nowak") == ["yamada has not answered yet"]
    monkeypatch.setattr(enclosing, "open_questions", lambda *_: [{**old, "asks": "ef" * 32}])
    assert restoring.unheard(session("dubois"), "nowak") == []


def test_the_pen_is_left_to_nobody_while_a_question_counts_no_more() -> None:
    """Whoever takes it would sign without what the others have said."""
    copied_in_part()
    question = asked()
    for name in ("dubois", "yamada"):
        give(answered(question, name), "nowak")
    must("sync", "--join", "--name", "desk", "-g", "nowak")
    known = Path("nowak", "private", "machines.json")
    known.write_text(json.dumps({**json.loads(known.read_text()), "laptop": "ab" * 32}))
    agreed()
    refused = run("sync", "--leave", "-g", "nowak")
    assert refused.code == Outcome.WAITING.code and LAPSED in refused.err and "`pbem restored` asks" in refused.err
    new = asked()
    for name in ("dubois", "yamada"):
        give(answered(new, name), "nowak")
    assert as_json("sync", "--leave", "-g", "nowak")["left"] == "laptop"
