"""What the others have answered makes one folder sure once: whoever is unsure again, or elsewhere, has to ask anew."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol.strict_yaml import read_document
from pbem.store import record
from tests.commands import must, run
from tests.toygame.folders import answered, as_json, at, copied_in_part, give, in_file, is_sure, orders, session
from tests.toygame.test_pen import machine, two_machines

Document = dict[str, Any]


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Nowak marches next; two machines of his know each other, the desk and the laptop; `mine` lies at the laptop."""
    place = tmp_path_factory.mktemp("begun")
    with pytest.MonkeyPatch.context() as patch, at(place, patch):
        two_machines(patch)
    return place


@pytest.fixture(autouse=True)
def game(begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The same in a folder of its own."""
    shutil.copytree(begun, tmp_path, dirs_exist_ok=True)
    with at(tmp_path, monkeypatch):
        yield


def asks(name: str = "nowak") -> Document:
    return dict(as_json("restored", "-g", name))


def asked_and_heard(name: str = "nowak") -> Document:
    """Sure again by yamada's answer; the question, which no file carries yet."""
    copied_in_part(name)
    asked = in_file(asks(name)["asked"])
    give(answered(asked, "yamada"), name)
    assert is_sure(name)
    return asked


def test_who_has_left_the_pen_since_asks_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """The laptop's file carries the question; another one of the desk with it would prove that he has signed two."""
    asked = asked_and_heard()
    must("sync", "--leave", "--name", "laptop", "-g", "nowak")
    shutil.copytree("nowak", "carried")
    with machine("laptop", monkeypatch):
        must("sync", "-g", "carried")
        file = as_json("send", orders("nowak", "go"), "-g", "carried")["file"]
    assert asked in read_document(Path(file).read_bytes())[0]["slips"]
    told = asks()
    assert not told["sure"] and told["missing"] == ["yamada"] and in_file(told["asked"])["asks"] != asked["asks"]
    assert run("send", orders("nowak", "stop"), "-g", "nowak").code == 3


def test_who_hears_that_another_machine_has_asked_asks_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both would carry both questions."""
    asked = asked_and_heard()
    with machine("laptop", monkeypatch):
        other = in_file(asks("mine")["asked"])
    give(other, "nowak")
    assert not is_sure()
    told = asks()
    assert not told["sure"] and in_file(told["asked"])["asks"] not in (asked["asks"], other["asks"])


def test_an_answer_makes_nobody_sure_who_has_heard_of_a_newer_question_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    copied_in_part()
    asked = in_file(asks()["asked"])
    with machine("laptop", monkeypatch):
        other = in_file(asks("mine")["asked"])
    answers = answered(asked, "yamada"), answered(other, "yamada")
    with machine("laptop", monkeypatch):
        for slip in (asked, *answers):
            give(slip, "mine")
    give(other, "nowak")
    give(answers[0], "nowak")
    assert not is_sure()
    told = asks()
    assert not told["sure"] and in_file(told["asked"])["asks"] not in (asked["asks"], other["asks"])


@pytest.mark.parametrize("has_a_name", [False, True])
def test_a_copied_record_has_asked_nothing(has_a_name: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folder and record are copied to another machine between question and answer, which both hear; the copy may have a name of
    its own by another game."""
    copied_in_part()
    asked = in_file(asks()["asked"])
    shutil.copytree("nowak", "copy")
    shutil.copytree(os.environ["PBEM_HOME"], "laptop-home", dirs_exist_ok=True)
    answer = answered(asked, "yamada")
    give(answer, "nowak")
    assert is_sure()
    with machine("laptop", monkeypatch):
        if has_a_name:
            record.renew_identity(Path("laptop-home"), session("copy").folder.disk)
        give(answer, "copy")
        assert not is_sure("copy")
        told = asks("copy")
        assert not told["sure"] and in_file(told["asked"])["asks"] != asked["asks"]
        give(answered(in_file(told["asked"]), "yamada"), "copy")
        assert is_sure("copy")


def test_one_question_makes_sure_once() -> None:
    asked = asked_and_heard()
    copied_in_part()
    told = asks()
    assert not told["sure"] and in_file(told["asked"])["asks"] != asked["asks"]
    assert in_file(asks()["asked"])["asks"] == in_file(told["asked"])["asks"], "while it waits it is given out again"
    give(answered(in_file(told["asked"]), "yamada"), "nowak")
    assert is_sure()


def test_a_question_that_the_log_has_lost_and_the_outbox_holds_is_carried(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was copied to the laptop, where its log lost its end: nobody takes a file that leaves out what he has answered."""
    copied_in_part()
    asked = in_file(asks()["asked"])
    (lying,) = Path("nowak", "outbox").glob("slip-restored-*.yaml")
    shutil.copy(lying, Path("mine", "outbox"))
    first = answered(asked, "yamada")
    with machine("laptop", monkeypatch):
        other = in_file(asks("mine")["asked"])
    second = answered(other, "yamada")
    with machine("laptop", monkeypatch):
        give(first, "mine")
        give(second, "mine")
        assert is_sure("mine")
        file: Document = read_document(Path(as_json("send", orders("nowak", "go"), "-g", "mine")["file"]).read_bytes())[0]
    assert asked in file["slips"] and other in file["slips"]
    give(file, "yamada")


def test_what_somebody_else_has_asked_does_not_come_from_the_outbox() -> None:
    copied_in_part("yamada")
    (lying,) = [Path(asks("yamada")["asked"])]
    shutil.copy(lying, Path("nowak", "outbox", lying.name))
    must("status", "-g", "nowak")
    assert not [s for s in session("nowak").folder.log.slips() if s["slip"] == "restored"]


def test_who_waits_for_a_file_that_he_has_refused_asks_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """The desk's file leaves out what the laptop has asked: yamada never takes it; unsure too, he is answered with it."""
    with machine("laptop", monkeypatch):
        elsewhere = in_file(asks("mine")["asked"])
    said = answered(elsewhere, "yamada")
    asked_and_heard()
    file = as_json("send", orders("nowak", "go"), "-g", "nowak")["file"]
    assert "only one that carries his question counts" in run("receive", file, "-g", "yamada").out
    copied_in_part("yamada")
    asked = asks("yamada")
    give(in_file(asked["asked"]), "nowak")
    give(session("nowak").folder.log.slips()[-1], "yamada")
    for slip in (elsewhere, said):
        give(slip, "nowak")
    assert session("nowak").table.last < int(Path(file).name[:4]), "given up"
    again = asks("yamada")
    assert in_file(again["asked"])["asks"] != in_file(asked["asked"])["asks"]
    give(in_file(again["asked"]), "nowak")
    give(session("nowak").folder.log.slips()[-1], "yamada")
    assert is_sure("yamada")
