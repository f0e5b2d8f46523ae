"""A file is taken back before anybody had it; then the disk is lost, and a copied backup still holds that file.

Only the lost record knew that it was taken back. Nobody has cheated, and no program may say so.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol.ids import document_id
from pbem.store import pen
from tests.commands import must, run
from tests.toygame.folders import SEATS, as_json, at, orders, session, spread
from tests.toygame.remembered import advance_to, found
from tests.toygame.test_pen import machine


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with at(tmp_path, monkeypatch):
        yield


@dataclass
class Loss:
    """Nowak's folder restored at another machine; `others`: the folders of the others, who know nothing of the file."""

    patch: pytest.MonkeyPatch
    others: list[str] = field(default_factory=lambda: ["yamada", "dubois"])

    def unsent(self, then: str) -> str:
        """A file is signed, saved and taken back; another is sent in its place, if one is. The disk is gone; its id."""
        assert advance_to(found(SEATS), "march") == "nowak"
        must("send", orders("nowak", "go"), "-g", "nowak")
        name = document_id(session("nowak").folder.log.files()[-1])
        shutil.copy(max(Path("nowak/backups").iterdir()), "kept.zip")
        must("unsend", "--yes", "-g", "nowak")
        if then:
            file = as_json("send", orders("nowak", then), "-g", "nowak")["file"]
            for other in self.others:
                must("receive", file, "-g", other)
        shutil.rmtree("nowak")
        with machine("new", self.patch):
            must("restore", "kept.zip", "nowak")
        return name

    def ask(self) -> list[str]:
        """Ask the others what they hold, and take their answers and files; what was said at the end."""
        with machine("new", self.patch):
            must("restored", "-g", "nowak")
            for other in self.others:
                for slip in sorted(Path("nowak/outbox").glob("slip-restored*.yaml")):
                    run("receive", str(slip), "-g", other)
            said = [run("receive", f"{other}/outbox", "-g", "nowak").out for other in self.others]
            self.check()
            return said

    def check(self) -> None:
        for name in ("nowak", *self.others):
            assert "PROVED" not in must("status", "-g", name), name
            assert not [s for s in session(name).folder.log.slips() if s["slip"] == "equivocation"]
            assert not [*Path(name).glob("equivocation-*.yaml")]


def test_the_file_that_others_follow_stands_and_nobody_is_a_proved_cheat(monkeypatch: pytest.MonkeyPatch) -> None:
    loss = Loss(monkeypatch)
    gone = loss.unsent(then="halt")
    first = loss.ask()
    assert "other machine" not in "".join(first), first
    loss.ask()
    with machine("new", monkeypatch):
        assert not pen.why_unsure(session("nowak").folder, session("nowak").charter.game_id)
        must("dispute", "-g", "nowak", "--to", "d.txt")
        assert gone not in [document_id(d) for d in signed_in("nowak")] and session("nowak").head == session("yamada").head
    assert session("nowak").folder.log.files()[-1] == session("yamada").folder.log.files()[-1]
    with machine("new", monkeypatch):
        spread(["nowak", *loss.others])
        assert judged("nowak") == ("due", [gone[:16]]), "a stranger finds nothing missing"
    assert judged("yamada") == judged("dubois") == ("due", [gone[:16]])
    loss.check()
    assert run("verify", "-g", "yamada").code == 0


def test_where_nothing_was_sent_instead_the_file_is_signed_still(monkeypatch: pytest.MonkeyPatch) -> None:
    loss = Loss(monkeypatch)
    again = loss.unsent(then="")
    loss.ask()
    with machine("new", monkeypatch):
        assert session("nowak").head == again
        spread(["nowak", *loss.others])
    assert again in [e.id for e in session("yamada").table.ledger.entries]
    loss.check()


def test_where_it_had_left_after_all_those_who_have_both_prove_it() -> None:
    assert advance_to(found(SEATS), "march") == "nowak"
    shutil.copy(as_json("send", orders("nowak", "go"), "-g", "nowak")["file"], "one.yaml")
    must("unsend", "--yes", "-g", "nowak")
    must("receive", as_json("send", orders("nowak", "halt"), "-g", "nowak")["file"], "-g", "yamada")
    run("receive", "one.yaml", "-g", "yamada")
    assert "PROVED" in must("status", "-g", "yamada")


@pytest.mark.parametrize("answers_first", [False, True])
def test_what_an_answer_of_ones_own_names_is_not_taken_back(answers_first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answer to somebody who has lost data comes in one text with the files that he may lack."""
    assert advance_to(found(SEATS), "march") == "nowak"
    shutil.copy(max(Path("dubois/backups").iterdir()), "kept.zip")
    shutil.rmtree("dubois")
    with machine("new", monkeypatch):
        must("restore", "kept.zip", "dubois")
        must("restored", "-g", "dubois")
    acts = [("send", orders("nowak", "go")), ("receive", str(*Path("dubois/outbox").glob("slip-restored*.yaml")))]
    for words in reversed(acts) if answers_first else acts:
        must(*words, "-g", "nowak")
    document = session("nowak").folder.log.files()[-1]
    (answer,) = Path("nowak/outbox").glob("slip-head-*.txt")
    assert (document["signature"] in answer.read_text()) is not answers_first
    done = run("unsend", "--yes", "-g", "nowak")
    if answers_first:
        assert done.code == 0 and session("nowak").table.last == document["seq"] - 1
        return
    assert done.code == 1 and "a slip that you have signed (head) names it" in done.err and "pbem undo 8" in done.err, done
    assert session("nowak").folder.log.files()[-1] == document


def judged(name: str) -> tuple[str, list[str]]:
    """A stranger's verdict on the game as this folder has it, and the lost files that nobody else holds, as it tells."""
    must("dispute", "-g", name, "--to", "d.txt")
    found = json.loads(run("judge", "d.txt", "--json").out)
    lost = [a["reason"].partition(" is not here: ") for a in found["aside"] if "hold no such file" in a["reason"]]
    return found["verdict"], sorted({rest.partition(";")[0] for _, _, rest in lost})


def signed_in(name: str) -> list[dict[str, Any]]:
    """Every file that a folder keeps for others to see."""
    folder = session(name).folder
    return [*folder.log.known(), *folder.aside()]
