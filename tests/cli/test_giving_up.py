"""What a file gives up is told by check, send and play; who gives up something for good is asked first."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from pbem.cli import sending, speech
from pbem.kernel.canon import Plain
from pbem.kernel.consequences import Consequence
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import ProtocolError
from pbem.store.session import Session
from tests.commands import must, run

LOST = Consequence(
    "lost", msg("{things}, {place}: no landing place is left", things="1 fighter", place="Japan"), "NCM-08", "", True
)


@pytest.fixture
def axis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    run("play", str(tmp_path / "g"), stdin="")
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "g" / "keys"))
    return tmp_path / "g" / "axis"


@pytest.fixture
def orders(axis: Path) -> Path:
    file = axis.parent / "orders.yaml"
    file.write_text("orders:\n- buy: 2 infantry\n- done\n")
    return file


@pytest.fixture
def losing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sending.Written, "consequences", lambda self: (LOST,))


def test_check_and_send_tell_the_same(axis: Path, orders: Path) -> None:
    checked = must("check", str(orders), "-g", str(axis))
    sent = must("send", str(orders), "-g", str(axis), "--yes")
    told = [line for line in checked.split("\n") if line.startswith("Not ")]
    assert told[0].startswith("Not spent: Japan keeps its money; IPC: ")
    assert told[1].startswith("Not finished: still asked, so that another file of yours is needed: Japan: combat moves")
    assert all(line in sent for line in told)


def test_it_is_told_in_the_players_language(axis: Path, orders: Path) -> None:
    told = must("check", str(orders), "-g", str(axis), "--language", "cs")
    assert "Nedokončeno: hra se stále ptá" in told and "Japonsko" in told


def test_programs_get_it_as_data(axis: Path, orders: Path) -> None:
    found = json.loads(must("check", str(orders), "-g", str(axis), "--json"))["consequences"]
    assert [c["kind"] for c in found] == ["unspent", "unfinished"] and found[0]["rule"] == "PUR-01" and not found[0]["final"]


def test_a_pipe_is_not_asked(axis: Path, orders: Path, losing: None) -> None:
    log = (axis / "log.jsonl").read_bytes()
    done = run("send", str(orders), "-g", str(axis))
    assert done.code == 1 and "1 fighter, Japan: no landing place is left [NCM-08]" in done.err and "--yes" in done.err
    assert (axis / "log.jsonl").read_bytes() == log
    assert "Lost: 1 fighter" in must("send", str(orders), "-g", str(axis), "--yes")


SKIPPED = "orders:\n- done\n- done\n"
OPEN = "orders:\n- buy: 2 infantry\n"


def test_money_left_and_a_phase_without_an_order_have_to_be_meant_kind_by_kind(axis: Path, orders: Path) -> None:
    orders.write_text(SKIPPED)
    log = (axis / "log.jsonl").read_bytes()
    done = run("send", str(orders), "-g", str(axis))
    assert done.code == 1 and (axis / "log.jsonl").read_bytes() == log
    told = done.err.partition("gives something up: ")[2]
    assert told.count("Skipped: ") == 1 and told.count("ended with no order in it") == 2
    assert "Not spent: Japan keeps its money" in told and "Not finished" not in told
    must("send", str(orders), "-g", str(axis), "--yes")


def test_what_only_the_end_of_an_open_phase_would_give_up_is_not_asked(axis: Path, orders: Path) -> None:
    orders.write_text(OPEN)
    assert "Not spent: Japan keeps its money" in must("send", str(orders), "-g", str(axis))


def test_a_colon_and_capital_letters_are_no_other_words(axis: Path, orders: Path) -> None:
    orders.write_text("orders:\n- Buy 4 infantry,  2 transports\n- done\n")
    assert "is signed as" not in must("check", str(orders), "-g", str(axis))


def test_orders_that_are_signed_in_other_words_are_told_in_them(axis: Path, orders: Path) -> None:
    orders.write_text("orders:\n- buy 4 inf 2 trn\n- move 3 inf 1 art Kwangsi -> Yunnan\n- done\n")
    for command in ("check", "send"):
        told = must(command, str(orders), "-g", str(axis))
        assert "Order 1 is signed as: buy: 4 infantry, 2 transports\n" in told
        assert "Order 2 is signed as: move: 3 infantry, 1 artillery from Kwangsi to Yunnan\n" in told and "Order 3" not in told
    signed = Session.open(axis).folder.fetch(1)["orders"]
    assert signed == [{"buy": "4 infantry, 2 transports"}, {"move": "3 infantry, 1 artillery from Kwangsi to Yunnan"}, "done"]


def test_every_trouble_is_told_of_its_own_line(axis: Path, orders: Path) -> None:
    orders.write_text(
        "orders:\n- done\n- move 1 ftr, 1 inf Kiangsu Anhwe\n- move 3 inf Kwangsy Yunnan\n- move 99 inf Jehol Chahar\n"
    )
    told = run("check", str(orders), "-g", str(axis)).err
    assert f"{orders.name}:4: there is no space 'Kwangsy'; did you mean Kwangsi" in told
    assert f"{orders.name}:5: Japan has in Jehol: " in told and ":3:" not in told


def test_who_forgets_to_end_the_purchase_is_told_of_the_done(axis: Path, orders: Path) -> None:
    orders.write_text("orders:\n- buy 2 trans\n- move 3 inf Kwangsi Yunnan\n")
    said = "write `done` before it if this is over: then comes Japan: combat moves, where it stands"
    assert said in run("check", str(orders), "-g", str(axis)).err
    orders.write_text("orders:\n- buy 2 trans\n- move 30 inf Kwangsi Yunnan\n")
    assert "write `done`" not in run("check", str(orders), "-g", str(axis)).err


@pytest.mark.parametrize(("answer", "sent"), [("y", True), ("", False), ("n", False)])
def test_a_person_is_asked(
    answer: str, sent: bool, axis: Path, orders: Path, losing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: answer)
    log = (axis / "log.jsonl").read_bytes()
    if sent:
        sending.send(axis, orders)
    else:
        with pytest.raises(ProtocolError, match="nothing is signed"):
            sending.send(axis, orders)
    assert ((axis / "log.jsonl").read_bytes() != log) is sent


@pytest.mark.parametrize(("answer", "sent"), [("y", True), ("", False)])
def test_a_person_is_asked_whether_a_file_may_stop_short(
    answer: str, sent: bool, axis: Path, orders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would lie with the others while one's own next question is open; a pipe may do so, as a program counts on it."""
    orders.write_text(OPEN)
    asked: list[str] = []
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: asked.append(prompt) or answer)
    log = (axis / "log.jsonl").read_bytes()
    if sent:
        sending.send(axis, orders)
    else:
        with pytest.raises(ProtocolError, match=r"nothing is signed; `pbem orders --continue .*` adds what is asked next"):
            sending.send(axis, orders)
    assert asked == ["Send it all the same? [y/N] "] and ((axis / "log.jsonl").read_bytes() != log) is sent


@pytest.mark.parametrize("doubted", [True, False])
def test_a_plan_is_played_once_where_a_person_has_read_of_its_doubts(
    doubted: bool, axis: Path, orders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Behind the signature nothing can be mended, and he has seen it already."""
    orders.write_text("orders:\n- buy: 2 infantry\n- done\n- done\nplan:\n- at: mobilize\n  do: [place: 2 infantry in Japan]\n")
    played: list[int] = []

    def doubts(session: Session, after: object, plan: Sequence[Plain], sealed: object = None) -> list[str]:
        played.append(len(plan))
        return ["Mind: step 1"] if doubted else []

    monkeypatch.setattr(sending.planning, "doubted", doubts)
    monkeypatch.setattr(sending.Written, "consequences", lambda self: ())
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: "y")
    _, told = sending.send(axis, orders)
    assert played == [1] and "Mind: step" not in told


def test_a_plan_is_doubted_behind_a_file_that_nobody_was_asked_about(
    axis: Path, orders: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders.write_text("orders:\n- buy: 2 infantry\n- done\n- done\nplan:\n- at: mobilize\n  do: [place: 2 infantry in Japan]\n")
    monkeypatch.setattr(sending.planning, "doubted", lambda *_: ["Mind: step 1"])
    assert "Mind: step 1" in sending.send(axis, orders, sure=True)[1]


def test_the_question_and_its_answer_are_in_the_players_language(
    axis: Path, orders: Path, losing: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda prompt: asked.append(prompt) or "Ano")
    monkeypatch.setenv("PBEM_LANGUAGE", "cs")
    speech.begin("")
    _, told = sending.send(axis, orders)
    assert asked == ["Přesto odeslat? [a/N] "] and "Ztraceno: " in told


def test_check_plays_a_file_that_stands_once(axis: Path, orders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The desk has played it; only orders that do not stand, or are somebody else's turn, are tried out anew."""
    tried: list[int] = []
    real = Session.try_out
    monkeypatch.setattr(Session, "try_out", lambda session, draft: tried.append(len(draft.orders)) or real(session, draft))
    checked = json.loads(must("check", str(orders), "-g", str(axis), "--json"))
    assert (checked["legal"], checked["due"], checked["what"]) == (2, "axis", "orders") and tried == []
    assert run("check", "--order", "done", "-g", str(axis.parent / "allies")).code == 1 and tried[0] == 1


def test_what_no_rule_of_the_game_refuses_is_not_said_to_be(axis: Path, orders: Path, losing: None) -> None:
    told = run("send", str(orders), "-g", str(axis)).err
    assert told.startswith("refused: nothing is signed, because the file gives something up"), told
    orders.write_text("orders:\n- buy: 9 elephants\n")
    assert run("check", str(orders), "-g", str(axis)).err.startswith("refused: order 1: ")
    assert json.loads(run("check", str(orders), "-g", str(axis), "--json").out)["outcome"] == "refused by rule"
