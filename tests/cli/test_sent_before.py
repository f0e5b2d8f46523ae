"""A file that is sent, checked, continued or received a second time: which file of the log says this, and whose it is."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pbem.cli import sent
from pbem.cli.sent import Sent, sent_before
from pbem.kernel.canon import Plain
from pbem.store.session import Session
from tests.commands import must, run
from tests.toygame import folders

BOUGHT = "  - buy: 1 infantry\n"
MOVED = "  - move: 1 infantry from Kwangsi to Yunnan\n"
SAYS = "file 1 by axis says this already: it was sent"


@pytest.fixture
def axis(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The first player's folder; he has sent his purchase."""
    run("play", str(tmp_path / "g"), stdin="")
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "g" / "keys"))
    folder = tmp_path / "g" / "axis"
    written(folder, f"{BOUGHT}  - done\n")
    must("send", str(folder.parent / "orders.yaml"), "-g", str(folder), "--yes")
    return folder


def written(axis: Path, orders: str) -> str:
    to = axis.parent / "orders.yaml"
    to.write_text(f"orders:\n{orders}")
    return str(to)


@pytest.mark.parametrize("command", [("check",), ("send",), ("send", "--yes"), ("orders", "--continue")])
@pytest.mark.parametrize("orders", [BOUGHT, f"{BOUGHT}  - done\n"])
def test_the_same_orders_again_name_the_file_that_says_them(command: tuple[str, ...], orders: str, axis: Path) -> None:
    known = (axis / "log.jsonl").read_bytes()
    done = run(*command, written(axis, orders), "-g", str(axis))
    assert done.code == 9 and SAYS in done.err and "left over" not in done.err
    assert (axis / "log.jsonl").read_bytes() == known


def test_it_is_said_whose_turn_it_is_and_what_came_since(axis: Path) -> None:
    again = written(axis, BOUGHT)
    shown = run("check", again, "-g", str(axis)).err
    assert "has come since" not in shown and "axis has to send orders: Japan: combat moves" in shown.replace("\n", " ")
    must("send", written(axis, MOVED), "-g", str(axis), "--yes")
    assert "1 file has come since" in run("check", written(axis, BOUGHT), "-g", str(axis)).err


@pytest.mark.parametrize("command", [("check",), ("send",), ("orders", "--continue")])
def test_orders_of_which_the_first_were_sent_say_which_are_left(command: tuple[str, ...], axis: Path) -> None:
    done = run(*command, written(axis, BOUGHT + MOVED), "-g", str(axis))
    assert done.code != 0 and "1 order at the beginning is in file 1 by axis already: take it out" in done.err
    must("check", written(axis, MOVED), "-g", str(axis))


def test_what_was_never_sent_is_judged_as_ever(axis: Path) -> None:
    for orders in ("  - buy: 2 infantry\n", f"{MOVED}  - buy: 1 infantry\n", "  - scramble: none\n"):
        done = run("check", written(axis, orders), "-g", str(axis))
        assert done.code not in (0, 9) and "file 1" not in done.err, orders


def test_what_is_legal_a_second_time_is_told_to_be_done_twice(axis: Path) -> None:
    must("send", written(axis, MOVED), "-g", str(axis), "--yes")
    again = written(axis, MOVED)
    told = "Mind: file 2 of yours says the same; these orders do it once more"
    planned = written(axis, f"{MOVED}plan:\n  - {{at: mobilize, do: [done]}}\n")
    assert "Mind: file" not in must("check", planned, "-g", str(axis)), "with another plan it is something else"
    again = written(axis, MOVED)
    assert told in must("check", again, "-g", str(axis)) and told in must("send", again, "-g", str(axis), "--yes")
    assert "Mind: file" not in must("check", written(axis, "  - move: 1 artillery from Kwangsi to Yunnan\n"), "-g", str(axis))


def test_orders_of_which_the_first_stand_here_say_something_new(axis: Path) -> None:
    must("send", written(axis, MOVED), "-g", str(axis), "--yes")
    done = run("check", written(axis, f"{MOVED}  - move: 9 infantry from Kwangsi to Yunnan\n"), "-g", str(axis))
    assert done.code == 1 and "orders.yaml:3" in done.err and "at the beginning" not in done.err


def test_a_file_that_says_all_goes_before_a_newer_one_that_says_the_beginning(axis: Path) -> None:
    both = MOVED + "  - move: 1 artillery from Kwangsi to Yunnan\n"
    for orders in (both, MOVED):
        must("send", written(axis, orders), "-g", str(axis), "--yes")
    session = Session.open(axis)
    assert sent_before(session, session.folder.fetch(2)["orders"]) == Sent(2, 0, True)


def test_of_orders_all_of_which_were_sent_the_newest_file_counts(axis: Path) -> None:
    session = Session.open(axis)
    assert sent_before(session, [{"buy": "1 infantry"}]) == Sent(1, 0, True)
    assert sent_before(session, ["done", {"buy": "1 infantry"}, "done"]) == Sent(1, 0, True)
    assert sent_before(session, ["done", {"buy": "1 infantry"}, {"move": "x"}]) == Sent(1, 2, False)
    assert sent_before(session, [{"move": "x"}, {"buy": "1 infantry"}]) is None and sent_before(session, []) is None


def test_what_was_sealed_is_compared_by_what_its_author_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dice, sealed, session = random.Random(1), list[Plain](), None
    with folders.at(tmp_path, monkeypatch):
        party = folders.found(folders.TWO)
        while not sealed:
            folders.spread(party)
            name = folders.due(party)
            must("send", folders.orders(name, folders.answer(name, dice)), "-g", name)
            session = Session.open(Path(name))
            sealed = [o for o in session.folder.fetch(session.table.last)["orders"] if isinstance(o, dict) and "sealed" in o]
        assert session is not None
        seq, orders = session.table.last, session.folder.fetch(session.table.last)["orders"]
        content = [*session.me.sealed.values()][-1]["order"]
        assert orders == sealed and len(sealed) == 1 and isinstance(content, int)
        assert sent_before(session, [content]) == Sent(seq, 0, True)
        assert sent_before(session, [{"seal": content, "seat": "red"}]) == Sent(seq, 0, True)
        for other in (*sealed, content + 1, int(f"{content}0")):
            assert sent_before(session, [other]) is None, other
        session.me.sealed.clear()
        assert sent_before(session, [content]) is None, "what he does not know any more says nothing"


def test_an_order_that_goes_on_where_another_ends_is_another(axis: Path) -> None:
    session = Session.open(axis)
    assert sent_before(session, [{"buy": "1 inf"}]) is None and sent_before(session, [{"buy": "1 infantry, 1 tank"}]) is None


def test_the_place_of_a_card_in_the_hand_is_no_part_of_what_was_written() -> None:
    assert sent._says({"event": "J43 japan:draw0:12"}, {"event": "J43"})
    long: Plain = {"offensive": {"card": "A5 allies:draw1:0", "hq": "SEAC HQ"}}
    assert sent._says(long, {"offensive": {"card": "A5", "hq": "SEAC HQ"}})
    assert not sent._says({"event": "J43 japan:draw0:12"}, {"event": "J4"})


def test_a_file_that_is_received_again_is_named_with_its_author(axis: Path) -> None:
    (sent,) = (axis / "outbox").glob("0001*.yaml")
    assert "file 1 by axis is already in the log" in " ".join(must("receive", str(sent), "-g", str(axis)).split())
