"""The steps of taking a file one by one: who is handed what, in which order, and what is said of orders that are left over."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.kernel.orders import Problem
from pbem.kernel.wording import english, verbatim
from pbem.protocol.outcomes import Outcome, ProgramFault, ProtocolError
from pbem.runtime import healing, taking
from pbem.runtime.dues import NOTHING, Due
from pbem.runtime.hand import Hand
from pbem.runtime.ledger import Entry
from pbem.runtime.taking import Refused
from tests.runtime.test_taking import QUESTION, Links

Calls = list[tuple[Any, ...]]


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """What is called with what, of the parts that carry a file out."""
    made: Calls = []

    def noted(module: Any, name: str) -> None:
        def note(*given: Any, **named: Any) -> None:
            made.append((name, *given, *named.values()))

        monkeypatch.setattr(module, name, note)

    for name in ("accept_by_playing", "make_offer", "accept", "decline"):
        noted(taking.offers, name)
    for name in ("take_rulings", "take_slips", "check_replacement"):
        noted(taking.slips, name)
    for name in ("take_commits", "take_standing", "_finish", "check_game", "check_place"):
        noted(taking, name)
    for name in ("check_signer", "check_signature", "check_fresh", "check_escrow"):
        noted(taking.seats, name)
    noted(taking.umpire, "check_stand_in")
    noted(taking.turnfile, "read_turn")
    return made


def played(calls: Calls, document: dict[str, Any]) -> Calls:
    """What is called between the first step and the last, without the table, which each is given."""
    table: Any = SimpleNamespace(advance=lambda hand: calls.append(("advance", table, hand)))
    hand = Hand("nowak", 7)
    taking._play(table, document, hand, "id", fetch)
    first, *between, last, end = calls
    assert (first, last, end) == (
        ("take_rulings", table, document),
        ("take_slips", table, document),
        ("_finish", table, hand),
    )
    assert all(given[0] is table for _, *given in between)
    told = {id(document): "document", id(hand): "hand", id(fetch): "fetch"}
    return [(name, *(told.get(id(one), one) for one in given[1:])) for name, *given in between]


def fetch(seq: int) -> Any:
    raise AssertionError("nothing is fetched")


@pytest.mark.parametrize(
    ("document", "parts"),
    [
        (
            {"type": "turn"},
            [
                ("accept_by_playing", "document", "hand", "fetch"),
                ("take_commits", "document", "nowak", True),
                ("take_standing", "document", "hand"),
                ("advance", "hand"),
                ("take_commits", "document", "nowak", False),
            ],
        ),
        ({"type": "turn", "signed_by": "smith"}, [("advance", "hand")]),
        ({"type": "undo"}, [("make_offer", "document", "hand", "id")]),
        ({"type": "offer", "signed_by": "smith"}, [("make_offer", "document", "hand", "id")]),
        ({"type": "seat"}, [("make_offer", "document", "hand", "id")]),
        ({"type": "accept"}, [("accept", "document", "hand", "fetch")]),
        ({"type": "decline"}, [("decline", "document", "hand")]),
        ({"type": "other"}, []),
    ],
    ids=str,
)
def test_each_kind_of_file_does_what_it_is_for(calls: Calls, document: dict[str, Any], parts: Calls) -> None:
    assert played(calls, document) == parts


def test_what_can_be_judged_at_once_is_judged_in_the_order_in_which_a_fault_is_named(calls: Calls) -> None:
    table: Any = object()
    document = {"type": "turn", "seq": 3}
    file_id = taking._check(table, document, fetch)
    assert calls == [
        ("read_turn", document),
        ("check_game", table, document),
        ("check_signer", table, document),
        ("check_signature", table, document),
        ("check_place", table, document, file_id, fetch),
        ("check_stand_in", table, document),
        ("check_replacement", table, document),
    ]
    assert file_id == taking.ids.document_id(document)


def test_a_file_is_carried_out_with_what_was_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    given: Calls = []
    copy: Any = object()
    table: Any = SimpleNamespace(fork=lambda: copy)
    monkeypatch.setattr(taking, "_check", lambda *of: given.append(of) or "id")
    monkeypatch.setattr(taking, "_carry_out", lambda *of: given.append(of) or "taken")
    monkeypatch.setattr(healing, "take", lambda *of: given.append(of) or ("id", (), ()))
    turn, heal = {"type": "turn", "seq": 3}, {"type": "heal", "seq": 4}
    taken: Any = taking.take(table, turn, fetch)
    assert taken == "taken" and given == [(table, turn, fetch), (copy, turn, "id", fetch)]
    taken = taking.take_in_place(table, turn, fetch)
    assert taken == "taken" and given[2:] == [(table, turn, fetch), (table, turn, "id", fetch)]
    assert taking.take(table, heal, fetch) == taking.Taken(copy, 4, "id", (), ()) and given[4:] == [(copy, heal, fetch)]
    assert taking.take_in_place(table, heal, fetch).table is table and given[5:] == [(table, heal, fetch)]


def test_the_dice_that_a_file_turned_and_what_happened_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    table: Any = SimpleNamespace(due=NOTHING, engine=SimpleNamespace(state=SimpleNamespace(events=["before"])))
    seen: Calls = []

    def play(table: Any, document: Any, hand: Hand, *more: Any) -> None:
        seen.append(more)
        hand.turned.append("dice")  # type: ignore[arg-type]
        hand.asked.append("march")
        table.engine.state.events += ["one", "two"]

    for name in ("show_link", "check_brings_something", "check_record"):
        monkeypatch.setattr(taking, name, lambda *of: None)
    monkeypatch.setattr(taking, "open_hand", lambda *of: Hand("nowak", 7))
    monkeypatch.setattr(taking, "Received", lambda *of: SimpleNamespace(unused=[]))
    monkeypatch.setattr(taking, "play", play)
    document = {"player": "nowak", "link": "ab", "seq": 7}
    taken = taking._carry_out(table, document, "id", fetch)
    assert taken == taking.Taken(table, 7, "id", ("dice",), ("one", "two"), ("march",))  # type: ignore[arg-type]
    assert seen == [("id", fetch)]


def test_where_nothing_can_be_said_of_a_file_the_fault_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    fault = KeyError("x")

    def broken(*_: Any) -> None:
        raise fault

    monkeypatch.setattr(taking, "_play", broken)
    table: Any = None
    with pytest.raises(ProgramFault) as caught:
        taking.play(table, {}, Hand("nowak", 7), "id", fetch)
    assert caught.value.trace == ProgramFault(verbatim("x"), fault).trace != ""


# -- places ---------------------------------------------------------------------------------------------------------------


def placed(seq: int, *types: str, **document: Any) -> tuple[Outcome, str]:
    entries = [Entry(f"id {n}", "nowak", kind, link="ab") for n, kind in enumerate(types)]
    ledger = SimpleNamespace(entries=entries, gone=[])
    table: Any = SimpleNamespace(last=len(types) - 1, ledger=ledger, due=Due("nowak", "orders"))
    file = {"seq": seq, "player": "nowak", "prev": f"id {seq - 1}", "link": "ab", **document}
    with pytest.raises(ProtocolError) as caught:
        taking.check_place(table, file, "new", lambda seq: {"log": seq})
    return caught.value.outcome, english(caught.value.message)


def test_only_the_next_place_is_taken() -> None:
    assert placed(3, "charter", "turn") == (Outcome.WAITING, "file 3 came before file 2")
    said = "file 2 does not follow the log's file 1"
    assert placed(2, "charter", "turn", prev="other") == (Outcome.BAD_CHAIN, said)


@pytest.mark.parametrize(("replaced", "replaces"), [(True, False), (False, True), (True, True)])
def test_a_file_that_was_refused_and_replaced_proves_nothing(
    monkeypatch: pytest.MonkeyPatch, replaced: bool, replaces: bool
) -> None:
    asked: Calls = []

    def refusal_in(table: Any, document: Any, refused: str) -> Any:
        asked.append((table is not None, document, refused))
        return {} if not (replaced if document == {"log": 1} else replaces) else {"slip": "refusal"}

    monkeypatch.setattr(taking.slips, "refusal_in", refusal_in)
    monkeypatch.setattr(taking.slips, "stands", lambda *of: False)
    outcome, said = placed(1, "charter", "turn")
    assert outcome is Outcome.DIVERGED
    assert asked[0] == (True, {"log": 1}, "new")
    if replaced:
        assert said == "one file replaces the other, which was refused: programs disagree" and len(asked) == 1
    else:
        assert said.startswith("file 1 was refused by another player and replaced, but") and asked[1][2] == "id 1"


# -- links ----------------------------------------------------------------------------------------------------------------


def test_what_a_chain_left_behind_is_not_left_out_of_the_next() -> None:
    assert Links(300, next_length=512).show(1, slips=[QUESTION]).next_skip == 0


@pytest.mark.parametrize(("umpire", "checked"), [("nowak", False), ("smith", True), ("", True)])
def test_a_player_leaves_his_next_chain_with_the_umpire_and_the_umpire_with_nobody(
    calls: Calls, umpire: str, checked: bool
) -> None:
    table: Any = Links(300)
    table.charter.umpire_name, table.ledger.tips = umpire, []
    renewal = {"tip": "cd" * 32, "length": "512"}
    held = table.show(1, next_chain=renewal)
    assert (held.next_tip, held.next_length, held.announced, table.ledger.tips) == ("cd" * 32, 512, 7, ["cd" * 32])
    assert calls == [("check_fresh", table, "tip", "cd" * 32), *([("check_escrow", table, renewal)] if checked else [])]


# -- the end of a file ----------------------------------------------------------------------------------------------------


def left_over(due: Due, *orders: str, used: int = 0) -> Problem:
    table: Any = SimpleNamespace(due=due)
    with pytest.raises(Refused) as caught:
        taking._finish(table, Hand("nowak", 7, [*orders], next=used))
    assert english(caught.value.told) == str(caught.value.problems[0])
    [problem] = caught.value.problems
    return problem


def test_orders_that_nobody_asked_for_are_left_over() -> None:
    begins = "this order and what follows it is left over: "
    later = "what is to hold beyond the dice is a standing order or a plan"
    over = left_over(NOTHING, "go")
    assert (over.verdict, str(over.reason)) == ("not allowed", "the game is over: this order and what follows it is left over")
    assert (over.rule, str(over.legal), over.order) == ("protocol", "", 0)
    others = left_over(Due("yamada", "orders", rule="E2"), "go")
    assert (str(others.reason), others.rule) == (f"{begins}yamada has to send orders", "E2")
    assert (str(others.legal), others.order) == ("it is not your turn", 0)
    behind = left_over(Due("yamada", "orders"), "go", "on", used=1)
    assert (str(behind.legal), behind.order) == (later, 1)
    own = left_over(Due("nowak", "witness"), "go")
    assert str(own.reason) == f"{begins}nowak has to send a file that turns the dice" and str(own.legal) == later


def test_a_file_whose_orders_are_used_is_finished_and_problems_come_in_the_order_of_the_file() -> None:
    table: Any = SimpleNamespace(due=NOTHING)
    taking._finish(table, Hand("nowak", 7, ["go"], next=1))
    taking._finish(table, Hand("nowak", 7))

    def problem(order: int | None) -> Problem:
        return Problem("not allowed", verbatim(f"{order}"), "E", order=order)

    hand = Hand("nowak", 7, ["a", "b"])
    hand.problems = [problem(1), problem(0), problem(-1), problem(None)]
    with pytest.raises(Refused) as caught:
        taking._finish(table, hand)
    assert [p.order for p in caught.value.problems] == [-1, None, 0, 1]
