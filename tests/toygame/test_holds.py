"""Holds: one's own program answers what its player has told it, with ordinary files, and nobody is sent why."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.kernel.flow import Ask
from pbem.protocol.strict_yaml import write_document
from pbem.store import pace, private
from tests.commands import Done, must, run
from tests.passphrases import alone
from tests.toygame.folders import TWO, answer, as_json, at, due, finish, hashes, orders, session, spread
from tests.toygame.remembered import advance_to, found


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with at(tmp_path, monkeypatch):
        yield


def held(name: str, document: dict[str, Any]) -> Done:
    """`pbem hold` with this file."""
    Path("holds.yaml").write_text(write_document(document))
    return run("hold", "holds.yaml", "-g", name)


def marching(**holds: Any) -> list[str]:
    """Red is asked to march; blue holds these."""
    folders = found(TWO)
    advance_to(folders, "march")
    assert held("yamada", holds).code == 0
    return folders


def stopping(folders: list[str]) -> None:
    """Red has marched, and blue is asked whether he stops him."""
    advance_to(folders, "march")
    must("send", orders(folders[1], "go"), "-g", folders[1])
    spread(folders)


def went(folders: list[str]) -> list[Any]:
    """Red marches, and everybody has what came of it: the orders of yamada's files since then."""
    before = session("nowak").table.last
    must("send", orders("nowak", "go"), "-g", "nowak")
    spread(folders)
    assert len({*hashes(folders)}) == 1
    files = session("nowak").folder.log.files()[before + 1 :]
    return [order for file in files if file["player"] == "yamada" for order in file.get("orders", [])]


def test_a_hold_answers_with_an_ordinary_file_that_says_nothing_of_it() -> None:
    folders = marching(stop=[{"when": "month = 1", "do": "let pass"}])
    assert went(folders) == ["let pass"]
    sent = next(f for f in session("nowak").folder.log.files() if f.get("orders") == ["let pass"])
    assert sent.keys() == {*("pbem", "type", "game", "seq", "prev", "player", "link", "state", "orders", "signature")}, sent
    assert not session("nowak").table.ledger.standing


def test_the_same_answer_by_hand_is_the_same_file() -> None:
    """But for link, ids and signature nothing differs, and nothing is longer."""
    folders = marching(stop="let pass")
    assert went(folders) == ["let pass"]
    must("hold", "off", "-g", "yamada")
    stopping(folders)
    must("send", orders("yamada", "let pass"), "-g", "yamada")
    by_program, by_hand = [f for f in session("yamada").folder.log.files() if f.get("orders") == ["let pass"]]
    assert [*by_program] == [*by_hand]


def test_what_would_leave_its_owner_asked_right_behind_it_answers_nothing() -> None:
    folders = found(TWO)
    advance_to(folders, "card")
    own = session("nowak").knowledge().hand("red")
    card = sorted(own)[0]
    before = session("nowak").table.last
    assert held("nowak", {"card": {"play": card}}).code == 0
    assert session("nowak").table.last == before, "the bid is his own matter, and one file holds both"
    held("nowak", {"card": [{"do": {"play": "no such card"}}, {"do": {"play": card}}], "bid": 3})
    given = session("nowak").folder.log.files()[-1]["orders"]
    assert given[0] == {"play": own[card]} and "sealed" in given[1] and len(given) == 2


@pytest.mark.parametrize("clause", [{"when": "month > 1", "do": "let pass"}, {"do": "charge"}, {"do": "ask me"}])
def test_what_does_not_apply_leaves_the_question_to_its_owner(clause: dict[str, Any]) -> None:
    folders = marching(stop=[clause])
    assert went(folders) == [] and due(folders) == "yamada"
    must("send", orders("yamada", "stop"), "-g", "yamada")


def test_the_first_clause_that_applies_answers() -> None:
    clauses = [{"when": "step > 1", "do": "let pass"}, {"do": "stop"}, {"do": "let pass"}]
    assert went(marching(stop=clauses)) == ["stop"]


def test_it_answers_at_once_what_is_asked_already() -> None:
    folders = found(TWO)
    stopping(folders)
    seq = session("yamada").table.last + 1
    done = held("yamada", {"stop": "stop"})
    assert done.code == 0 and f"written by itself: file {seq}" in done.out
    assert as_json("hold", "-g", "yamada")["holds"] == {"stop": "stop"}


def test_a_sealed_answer_is_sealed() -> None:
    folders = found(TWO)
    must_seal = {
        "garrison": [{"when": "month > 1", "do": 1}, {"do": "ten"}, {"do": 2}, {"do": 3}],
        "bid": [{"when": "month = 1", "do": 4}],
    }
    for name in folders:
        assert held(name, must_seal).code == 0
    dice = random.Random(1)
    for _ in range(12):
        spread(folders)
        request = session(folders[0]).table.engine.request
        if isinstance(request, Ask) and request.kind == "march":
            break
        name = due(folders)
        must("send", orders(name, answer(name, dice)), "-g", name)
        assert isinstance(request, Ask) and request.kind == "card", "garrison and bids are answered by the holds"
    files = session("nowak").folder.log.files()
    sealed = [order for f in files for order in f.get("orders", []) if isinstance(order, dict) and "sealed" in order]
    assert [s["order"] for s in session("yamada").me.sealed.values()] == [2]
    assert len(sealed) == 2 and 4 in [order for f in files for order in f.get("orders", [])]


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"stop": [{"do": "stop", "life": "once"}]}, "no `life`"),
        ({"stop": [{"do": "stop", "if": "x"}]}, "unknown key"),
        ({"stop": [{"do": "stop", "when": "month ="}]}, "is missing"),
        ({"hold": [{"kinds": ["stop"], "until": "moon = 1"}]}, "moon"),
        ({"set": "boldest"}, "boldest"),
    ],
)
def test_what_cannot_be_read_is_refused_and_the_older_stays(document: dict[str, Any], said: str) -> None:
    found(TWO)
    held("yamada", {"stop": "stop"})
    done = held("yamada", document)
    assert done.code and said in done.err, done
    assert as_json("hold", "-g", "yamada")["holds"] == {"stop": "stop"}


def test_a_hold_of_several_kinds_wakes_when_something_happens() -> None:
    folders = marching(hold=[{"kinds": ["stop"], "answer": "let pass", "until": "at > 1"}])
    assert went(folders) == ["let pass"]


def test_a_folder_that_would_ask_for_its_passphrase_answers_nothing_until_it_knows_it(monkeypatch: pytest.MonkeyPatch) -> None:
    with alone(monkeypatch):
        folders = found(TWO)
        advance_to(folders, "march")
        monkeypatch.setenv("PBEM_PASSPHRASE", "correct horse battery")
        must("passphrase", "-g", "yamada")
        assert held("yamada", {"stop": "let pass"}).code == 0
        assert b"let pass" not in Path("yamada/private/secrets.json").read_bytes()
        monkeypatch.delenv("PBEM_PASSPHRASE")
        private.forget()
        must("send", orders("nowak", "go"), "-g", "nowak")
        told = must("receive", "nowak/outbox", "-g", "yamada")
        assert "passphrase" not in told and session("yamada").table.due.what == "orders"
        monkeypatch.setenv("PBEM_PASSPHRASE", "correct horse battery")
        assert "written by itself" in must("receive", "nowak/outbox", "-g", "yamada")


def test_off_ends_it_and_usual_is_the_games() -> None:
    found(TWO)
    held("yamada", {"stop": "stop"})
    must("hold", "off", "-g", "yamada")
    assert as_json("hold", "-g", "yamada")["holds"] == {}
    assert "no usual holds" in run("hold", "usual", "-g", "yamada").err


def test_speed_is_told_unless_slots_are_agreed() -> None:
    found(TWO)
    assert "how fast" in held("yamada", {"stop": "stop"}).out


def test_with_slots_nothing_is_told_and_what_is_held_waits_like_what_is_sent_by_hand() -> None:
    folders = found(TWO, late=["--slots", "00:00"])
    stopping(folders)
    done = held("yamada", {"stop": "stop"})
    assert "how fast" not in done.out and "waits until" in done.out
    waiting = pace.held(session("yamada"))
    assert waiting is not None and waiting.seq == session("yamada").table.last


def test_a_game_in_which_holds_answer_much_ends_alike_in_both_folders() -> None:
    folders = found(TWO)
    held("yamada", {"stop": "let pass", "loss": "foot", "bid": 2})
    held("nowak", {"march": [{"when": "at < 2", "do": "go"}, {"do": "halt"}], "loss": "horse", "bid": 3})
    finish(folders)
    assert len({*hashes(folders)}) == 1 and session("yamada").table.result is not None


def test_what_a_hold_wrote_its_owner_is_told_apart_from_what_he_wrote() -> None:
    folders = marching(stop="let pass")
    assert went(folders) == ["let pass"]
    mine, seen = as_json("status", "-g", "yamada"), as_json("status", "-g", "nowak")
    assert mine["held"] == 1 and seen["held"] == 0
    theirs, own = seen["messages"]["yamada"], mine["messages"]["yamada"]
    assert own == {"hand": theirs["hand"] - 1, "automatic": theirs["automatic"] + 1}, "the others cannot tell"
    told = "1 of your files with decisions came from your holds; to the others it looks as if written by hand"
    assert told in must("status", "-g", "yamada") and "from your holds" not in must("status", "-g", "nowak")
    must("hold", "off", "-g", "yamada")
    stopping(folders)
    must("send", orders("yamada", "let pass"), "-g", "yamada")
    assert as_json("status", "-g", "yamada")["held"] == 1, "a file by hand is one, whatever it says"


def test_what_a_hold_wrote_is_counted_where_its_file_stands_alone() -> None:
    """A file that was taken back, or another at its place, is none of it."""
    folders = marching(stop="let pass")
    assert went(folders) == ["let pass"]
    here = session("yamada")
    here.me.by_holds.append("another file")
    here.folder.save_secrets(here.me)
    assert as_json("status", "-g", "yamada")["held"] == 1


def test_decisions_made_at_once_are_foreseen_as_the_hold_makes_them() -> None:
    folders = found(TWO)
    advance_to(folders, "card")
    before = as_json("status", "--forecast", "-g", "yamada")["forecast"]["turn"]
    assert [one for one in before["by"] if one == {"player": "yamada", "kind": "bid"}]
    held("yamada", {"bid": 3})
    after = as_json("status", "--forecast", "-g", "yamada")["forecast"]["turn"]
    assert not [one for one in after["by"] if one == {"player": "yamada", "kind": "bid"}], after
