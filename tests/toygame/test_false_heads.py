"""Answers after a loss that are lies: whoever names less than he holds makes no cheat of the player who has believed him."""

from __future__ import annotations

import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbem.kernel.flow import Ask
from pbem.protocol import slips as papers
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import write_document
from pbem.runtime import slips
from pbem.runtime.composing import Draft
from tests.commands import must, run
from tests.toygame.folders import SEATS, answer, as_json, at, due, in_file, orders, session
from tests.toygame.remembered import advance_to, found
from tests.toygame.test_lost_at_the_end import elsewhere

Document = dict[str, Any]


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with at(tmp_path, monkeypatch):
        yield


@dataclass
class Loss:
    """`victim` has followed the newest file of `liar`; then everything of his was lost but a backup of before that file."""

    folders: list[str]
    victim: str
    liar: str
    head: str  # the newest file of the backup
    followed: Document
    lost: Document

    @property
    def others(self) -> list[str]:
        return [f for f in self.folders if f != self.victim]


def kept_from(folders: list[str]) -> tuple[str, str, str]:
    """A card is asked for behind another's file: of whom, whose file it is, and the head of a backup of before it."""
    dice, written = random.Random(1), list[Document]()
    for _ in range(80):
        sessions = {name: session(name) for name in folders}
        player = due(folders)
        written = written or [sessions[player].write(Draft([answer(player, dice)]))]
        writer, head = str(written[0]["player"]), str(written[0]["prev"])
        for name in folders:
            Path(f"{name}.zip").unlink(missing_ok=True)
            must("backup", f"{name}.zip", "-g", name)
        for name in [n for n in folders if n != writer]:
            sessions[name].take(written[0])
        request, asked = session(folders[0]).table.engine.request, due(folders)
        if isinstance(request, Ask) and request.kind == "card" and writer != asked:
            return asked, writer, head
        written = [*written[1:], *(d for f in folders for d in session(f).answer_by_itself())]
    raise AssertionError("never asked")


def lost_all(seats: dict[str, str]) -> Loss:
    folders = found(seats)
    victim, liar, head = kept_from(folders)
    followed = session(victim).folder.log.files()[-1]
    lost = in_file(as_json("send", orders(victim, "pass"), "-g", victim)["file"])
    for name in folders:
        if name != victim:
            Path("lost.yaml").write_text(write_document(lost))
            run("receive", "lost.yaml", "-g", name)
    shutil.rmtree(victim)
    return Loss(folders, victim, liar, head, followed, lost)


def orders_again(name: str) -> list[Any]:
    """Another order than the one that is lost."""
    request = session(name).table.engine.request
    assert isinstance(request, Ask)
    return [next(order for order in request.options() if order != "pass")]


def asks(loss: Loss, monkeypatch: pytest.MonkeyPatch) -> Document:
    with elsewhere(monkeypatch):
        must("restore", f"{loss.victim}.zip", loss.victim)
        return in_file(as_json("restored", "-g", loss.victim)["asked"])


def lies(name: str, question: Document, head: str) -> str:
    """A file with this player's answer, which names `head` as his newest file."""
    made = papers.make("head", question["game"], head, name, {"answers": document_id(question)})
    Path(f"lie-{name}.yaml").write_text(write_document(papers.sign(made, session(name).private)))
    return f"lie-{name}.yaml"


def signs_behind_the_old_file(loss: Loss, question: Document, monkeypatch: pytest.MonkeyPatch) -> Document:
    """All others name the head of the backup; then the liar's file arrives, and the victim follows it once more."""
    with elsewhere(monkeypatch):
        for name in loss.others:
            must("receive", lies(name, question, loss.head), "-g", loss.victim)
        assert as_json("restored", "-g", loss.victim)["sure"]
        Path("old.yaml").write_text(write_document(loss.followed))
        must("receive", "old.yaml", "-g", loss.victim)
        return in_file(as_json("send", orders(loss.victim, *orders_again(loss.victim)), "-g", loss.victim)["file"])


@pytest.mark.parametrize("seats", [{"yamada": "blue", "nowak": "red,rust"}, SEATS], ids=["two", "three"])
def test_who_answers_again_what_a_liar_has_hidden_has_not_signed_twice(
    seats: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    loss = lost_all(seats)
    again = signs_behind_the_old_file(loss, asks(loss, monkeypatch), monkeypatch)
    assert (again["prev"], again["seq"]) == (loss.lost["prev"], loss.lost["seq"]) and again != loss.lost
    Path("again.yaml").write_text(write_document(again))
    for name in loss.others:
        table = session(name).replayed(again["seq"] - 1)
        for pair in ((again, loss.lost), (loss.lost, again)):
            with pytest.raises(ProtocolError) as refused:
                slips.check_fork(table, *pair)
            assert refused.value.outcome is Outcome.DIVERGED
        done = run("receive", "again.yaml", "-g", name)
        assert "PROVED" not in done.out + done.err and not list(Path(name).glob("equivocation-*")), done
        must("dispute", "-g", name, "--to", f"{name}.txt")
        assert "two different files" not in run("judge", f"{name}.txt").out
        assert run("judge", f"{name}.txt").code != Outcome.EQUIVOCATION.code


def test_a_lost_file_that_comes_back_after_false_answers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    loss = lost_all({"yamada": "blue", "nowak": "red,rust"})
    question = asks(loss, monkeypatch)
    with elsewhere(monkeypatch):
        must("receive", lies(loss.liar, question, loss.head), "-g", loss.victim)
        for document in (loss.followed, loss.lost):
            Path("late.yaml").write_text(write_document(document))
            said = run("receive", "late.yaml", "-g", loss.victim).out
        assert session(loss.victim).head == document_id(loss.followed) and "is given up" in said
        again = in_file(as_json("send", orders(loss.victim, "pass"), "-g", loss.victim)["file"])
    assert [s["slip"] for s in again["slips"]] == ["restored", "head"] and again["prev"] == loss.lost["prev"]
    table = session(loss.liar).replayed(again["seq"] - 1)
    assert slips.stands(table, again, loss.lost) and not slips.stands(table, loss.lost, again)


def test_a_player_who_has_lost_his_disk_answers_a_question_again_and_otherwise_and_nothing_convicts_him(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    folders = found({"yamada": "blue", "nowak": "red,rust"})
    assert advance_to(folders, "march") == "nowak"
    must("backup", "kept.zip", "-g", "yamada")
    sent = as_json("send", orders("nowak", "go"), "-g", "nowak")["file"]
    must("receive", sent, "-g", "yamada")
    Path("nowak/private/place.json").unlink()  # as if copied in part
    question = as_json("restored", "-g", "nowak")["asked"]
    run("receive", question, "-g", "yamada")
    first = next(Path("yamada/outbox").glob("slip-head-*.yaml")).rename("first.yaml")
    shutil.rmtree("yamada")
    with elsewhere(monkeypatch):
        must("restore", "kept.zip", "yamada")
        run("receive", question, "-g", "yamada")
    second = next(Path("yamada/outbox").glob("slip-head-*.yaml"))
    one, two = in_file(first), in_file(second)
    assert one["answers"] == two["answers"] and one["head"] != two["head"] and one["player"] == two["player"] == "yamada"
    for answered in (second, first):
        run("receive", str(answered), "-g", "nowak")
    assert session("nowak").table.last == in_file(sent)["seq"], "what he has signed stays, whichever answer came first"
    assert "PROVED" not in must("status", "-g", "nowak")
    must("dispute", "-g", "nowak", "--to", "dispute.txt")
    judged = run("judge", "dispute.txt")
    assert judged.code == 3 and "yamada" in judged.out, judged
