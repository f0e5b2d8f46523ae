"""A file being written: an order that is accepted costs itself, one that could have come earlier plays the file anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from pbem.games.parts import Own
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Option
from pbem.kernel.events import Scheduled, emit
from pbem.kernel.flow import Ask, Commit, Flow, Roll, Simultaneous
from pbem.kernel.orders import illegal, verb_of
from pbem.protocol.outcomes import ProtocolError
from pbem.protocol.strict_yaml import write_document
from pbem.runtime import living
from pbem.runtime.composing import Composed, Draft
from pbem.runtime.living import Living, Place, is_surplus, is_too_late, place_of
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused
from tests.runtime.one_segment import OneSegment
from tests.toygame.party import Person, found_game, send
from tests.toygame.skirmish import SkirmishState
from tests.toygame.test_dues import reading


def ask(kind: str, *verbs: str, seat: str = "red", **more: Any) -> Ask:
    """A question that takes these verbs with a number behind, or as they stand."""

    def read(order: Plain) -> Plain:
        if verb_of(order) not in verbs or (isinstance(order, dict) and order[verb_of(order)] not in (1, 2, 3)):
            raise illegal(f"{order!r} is not possible", f"E {kind}", ", ".join(verbs))
        return order

    return Ask(seat, kind, f"E {kind}", f"{kind}?", read, verbs, **more)


def shop(g: SkirmishState) -> Flow[None]:
    """[E1] Two purchases, or fewer with `done`: then it ends by itself."""
    for _ in range(2):
        if (yield ask("shop", "buy", "done", series=True)) == "done":
            break
        g.at += 1
    emit(g, Scheduled((("move", ()),), "E1"))


def move(g: SkirmishState) -> Flow[None]:
    """[E2] Moves until `done`; then questions that defaults answer, and the last one."""
    while (yield ask("move", "move", "done", series=True)) != "done":
        g.day += 1
    for kind, verbs in (
        () if g.day == 3 else (("bomb", ("bomb",)), ("again", ("bomb",)), ("dig", ("dig", "bomb")), ("wait", ("wait",)))
    ):
        g.played.append(str((yield ask(kind, *verbs, default=verbs[0]))))
    if g.at == 2:
        g.played.append(str((yield Ask("red", "word", "E word", "word?", reading("yes", "no"), default="no"))))
        g.played.append(str((yield ask("never", "never", default="never"))))
    yield ask("end", "end")
    emit(g, Scheduled((("secrets", ()),), "E2"))


def secrets(g: SkirmishState) -> Flow[None]:
    """[E3] A hidden number, bids at once, dice."""
    g.garrison = yield Commit("red", "garrison", "E hide", "hide men", reading(0, 1, 2))
    yield ask("then", "then")
    bids = (ask("bid", "bid", default={"bid": 1}), ask("bid", "bid", seat="blue"))
    g.losses = [str((yield Simultaneous(bids, "E bid")))]
    (luck,) = yield Roll("luck", 1, 6, "E luck", "blue")
    g.at = luck
    while True:
        yield ask("rest", "rest")


class Errands(OneSegment):
    name, title = "errands", "Errands"
    options: Sequence[Option] = ()
    hidden_hands = True
    segments = {"shop": shop, "move": move, "secrets": secrets}

    def spelled_out(self, state: SkirmishState, seat: str, order: Plain, own: Own) -> Plain:
        """`buy: one` is `buy: 1`."""
        return {"buy": 1} if order == {"buy": "one"} else order


def people() -> list[Person]:
    party = [Person("nowak", ["red"]), Person("yamada", ["blue"])]
    found_game(Errands(), party, {})
    return party


def living_of(person: Person, **draft: Any) -> Living:
    return Living(person.table, person.secrets(), person.fetch, lambda *_: b"\7" * 32, Draft(**draft))


@pytest.fixture
def begun(monkeypatch: pytest.MonkeyPatch) -> tuple[Living, list[int]]:
    """A file without orders, and how many orders each composition from the beginning had."""
    counted: list[int] = []
    real = living.compose

    def compose(table: Table, secrets: Any, draft: Draft, *more: Any) -> Composed:
        counted.append(len(draft.orders))
        return real(table, secrets, draft, *more)

    monkeypatch.setattr(living, "compose", compose)
    return living_of(people()[0]), counted


def agrees(one: Living) -> bool:
    """It says what the same orders say that are played from the beginning."""
    fresh = one.compose(one.orders)
    same = fresh.table.engine.state_hash() == one.table.engine.state_hash() and fresh.table.due == one.table.due
    return same and fresh.table.ledger.fired == one.table.ledger.fired and fresh.sealed == one.sealed


BUY, MOVE = {"buy": 1}, {"move": 1}


# -- adding -----------------------------------------------------------------------------------------------------------


def test_an_accepted_order_is_played_once(begun: tuple[Living, list[int]]) -> None:
    one, counted = begun
    assert (counted, one.orders, one.places) == ([0], [], [])
    for order in (BUY, BUY, MOVE, MOVE):
        one.add(order)
    assert counted == [0] and one.orders == [BUY, BUY, MOVE, MOVE]
    assert [place.ask.kind for place in one.places if place] == ["shop", "shop", "move", "move"]
    assert (one.table.engine.state.at, one.table.engine.state.day) == (2, 2) and agrees(one)
    assert one.start.engine.state.at == 0, "the table that it began with is left alone"


def test_behind_an_answer_of_a_default_the_file_is_played_anew(begun: tuple[Living, list[int]]) -> None:
    one, counted = begun
    for order in ("done", MOVE, "done"):
        one.add(order)
    assert counted == [0] and one.table.engine.state.played == ["bomb", "bomb", "dig", "wait"]
    one.add({"dig": 2})
    assert counted == [0, 4] and one.table.engine.state.played == ["bomb", "bomb", "{'dig': 2}", "wait"]
    one.add("end")
    assert counted == [0, 4, 5] and agrees(one)
    assert one.table.due.what == "seal" and len(one.places) == 5


def test_an_order_that_is_refused_changes_nothing(begun: tuple[Living, list[int]]) -> None:
    one, counted = begun
    one.add(BUY)
    before = one.table.engine.state_hash()
    for order in ({"buy": 9}, {"move": 1}, "nonsense"):
        with pytest.raises(Refused) as refused:
            one.add(order)
        assert [problem.order for problem in refused.value.problems] == [1]
        assert (one.orders, len(one.places), one.table.engine.state_hash()) == ([BUY], 1, before)
    assert counted == [0], "nothing was played again"
    one.add(BUY)
    assert counted == [0] and agrees(one)


def test_after_a_refusal_behind_a_default_everything_stands(begun: tuple[Living, list[int]]) -> None:
    one, _ = begun
    for order in ("done", "done"):
        one.add(order)
    before = one.table.engine.state_hash()
    for order in ({"dig": 9}, {"end": 9}, "nonsense"):
        with pytest.raises(Refused):
            one.add(order)
        assert (one.orders, len(one.places), one.table.engine.state_hash()) == (["done", "done"], 2, before)
    one.add("end")
    assert agrees(one)


def at_secrets(one: Living) -> None:
    """Where something is hidden, without an answer by a default on the way."""
    for order in ("done", MOVE, MOVE, MOVE, "done", "end"):
        one.add(order)
    assert not one.table.ledger.fired


def test_what_is_secret_is_sealed_wherever_it_stands(begun: tuple[Living, list[int]]) -> None:
    one, counted = begun
    assert one.sealed == {}
    at_secrets(one)
    assert isinstance(one.places[-1], Place) and one.places[-1].ask.kind == "end" and counted == [0]
    one.add(2)
    assert [content["order"] for content in one.sealed.values()] == [2] and counted[1:] == [7] and agrees(one)
    known = len(counted)
    one.add("then")
    assert len(counted) == known, "behind it an order costs itself again"
    one.add({"bid": 3})
    assert [content["order"] for content in one.sealed.values()] == [2, {"bid": 3}] and agrees(one)
    assert isinstance(one.places[-3], Place) and isinstance(one.places[-3].ask, Commit)
    assert isinstance(one.places[-1], Place) and one.places[-1].ask.kind == "bid"
    with pytest.raises((Refused, ProtocolError)):
        one.add("rest")
    assert len(one.orders) == 9 and len(one.places) == 9


def test_the_last_of_those_who_answer_at_once_answers_openly() -> None:
    party = people()
    orders = ["done", MOVE, MOVE, MOVE, "done", "end", {"seal": 1, "seat": "red"}, "then", {"seal": {"bid": 1}, "seat": "red"}]
    send(party, Draft(orders=orders))
    one = living_of(party[1])
    assert (one.table.due.player, one.table.due.what) == ("yamada", "orders")
    one.add({"bid": 2})
    assert one.orders == [{"bid": 2}] and one.sealed == {} and agrees(one)


def test_what_a_player_writes_is_spelled_out_as_in_a_file(begun: tuple[Living, list[int]]) -> None:
    one, counted = begun
    one.add({"buy": "one"})
    assert counted == [0] and one.orders == [{"buy": "one"}] and one.table.engine.state.at == 1 and agrees(one)


def test_what_falls_over_is_played_anew_and_told(begun: tuple[Living, list[int]], monkeypatch: pytest.MonkeyPatch) -> None:
    one, counted = begun
    one.add(BUY)
    before = one.table.engine.state_hash()
    real = Table.advance

    def advance(table: Table, hand: Any) -> None:
        if hand.has_orders and len(hand.orders) == 2:
            table.engine.state.at = 99
            raise ValueError("a fault of the rules")
        real(table, hand)

    with monkeypatch.context() as patch:
        patch.setattr(Table, "advance", advance)
        with pytest.raises(ProtocolError, match="a fault of the program"):
            one.add(BUY)
    assert one.orders == [BUY] and one.table.engine.state_hash() == before, "as if it had not been tried"
    assert counted == [0, 1, 2]
    one.add(BUY)
    assert counted == [0, 1, 2, 2] and agrees(one), "it is no longer trusted until all was played again"
    one.add(MOVE)
    assert counted == [0, 1, 2, 2] or agrees(one)


def test_a_file_is_composed_with_all_that_its_owner_has(monkeypatch: pytest.MonkeyPatch) -> None:
    """Earlier files too: orders may accept an undo, which plays them again."""
    given: list[Any] = []
    real = living.compose

    def compose(*what: Any) -> Composed:
        given.append(what)
        return real(*what)

    monkeypatch.setattr(living, "compose", compose)
    person = people()[0]
    secrets, salt = person.secrets(), lambda *_: b"\7" * 32
    Living(person.table, secrets, person.fetch, salt, Draft())
    ((table, known, draft, fetch, salted, stops),) = given
    assert (table, known, fetch, salted, stops) == (person.table, secrets, person.fetch, salt, False) and draft.orders == []


def test_the_rest_of_the_draft_goes_along() -> None:
    one = living_of(people()[0], orders=[BUY], note=["Good luck."])
    assert one.orders == [] and one.table.engine.state.at == 0
    assert one.compose([BUY]).document["note"] == ["Good luck."] and one.compose().document.get("orders") is None


# -- what defaults answer ---------------------------------------------------------------------------------------------


def kinds(one: Living) -> list[str]:
    return [passed.ask.kind for passed in one.passed()]


def test_questions_that_defaults_answer_are_shown_as_far_as_an_order_would_answer_them(begun: tuple[Living, list[int]]) -> None:
    one, _ = begun
    assert kinds(one) == []
    one.add(BUY)
    one.add(BUY)
    assert kinds(one) == []
    before = one.table.engine.state_hash()
    one.add("done")
    assert one.table.engine.state_hash() != before
    assert kinds(one) == ["bomb", "dig", "wait", "word"], "`again` takes no other verb; `word` takes whatever is ordered"
    assert agrees(one) and one.table.due.detail is not None
    tables = [passed.table for passed in one.passed()]
    assert [len(table.engine.state.played) for table in tables] == [0, 2, 3, 4], "each at its own place"
    assert [table.engine.request.kind for table in tables if isinstance(table.engine.request, Ask)] == kinds(one)
    one.add({"bomb": 1})
    assert kinds(one) == ["again", "dig", "wait", "word"]
    one.add("yes")
    assert kinds(one) == ["never"] and agrees(one)
    one.add("never")
    assert kinds(one) == []
    one.add("end")
    assert kinds(one) == [] and agrees(one)


def test_what_was_answered_before_this_file_is_nobodys_to_give() -> None:
    party = people()
    send(party, Draft(orders=["done", "done", "end", {"seal": 1, "seat": "red"}, "then", {"seal": {"bid": 1}, "seat": "red"}]))
    send(party, Draft(orders=[{"bid": 1}]))
    while party[0].table.due.what != "orders":
        send(party, Draft())
    one = living_of(party[0])
    assert party[0].table.ledger.fired and one.passed() == []
    one.add("rest")
    assert one.passed() == [] and agrees(one)


# -- places -----------------------------------------------------------------------------------------------------------


def test_a_place_is_what_is_asked_of_a_player() -> None:
    party = people()
    table = party[0].table
    place = place_of(table, "nowak")
    assert place is not None and place.ask is table.engine.request
    assert (place.cursor, place.series, place.takes_done) == (str(table.engine.state.running), True, True)
    assert place_of(table, "yamada") is None
    one = living_of(party[0])
    at_secrets(one)
    hidden = place_of(one.table, "nowak")
    assert hidden is not None and isinstance(hidden.ask, Commit) and (hidden.series, hidden.takes_done) == (False, False)
    assert one.places[-1] is not None and (one.places[-1].series, one.places[-1].takes_done) == (False, False)


def place(cursor: str, series: bool = True, takes_done: bool = True) -> Place:
    return Place(ask("x", "x"), cursor, series, takes_done)


@pytest.mark.parametrize(
    ("before", "order", "now", "previous", "surplus"),
    [
        (place("a"), "done", place("b"), BUY, True),
        (place("a", takes_done=False), "done", place("b", series=False), BUY, True),
        (None, "done", place("b"), None, False),
        (place("a"), "done", None, BUY, False),
        (place("a"), BUY, place("b"), BUY, False),
        (place("a"), "done", place("b"), "done", False),
        (place("a"), "done", place("a"), BUY, False),
        (place("a", series=False), "done", place("b"), BUY, False),
        (place("a"), "done", place("b", takes_done=False), BUY, False),
    ],
)
def test_a_done_behind_what_had_ended_by_itself_is_surplus(
    before: Place | None, order: Plain, now: Place | None, previous: Plain, surplus: bool
) -> None:
    assert is_surplus(before, order, now, previous) is surplus


def test_a_done_is_too_late_where_its_segment_is_over_and_too_early_where_dice_interrupt_it() -> None:
    table = people()[0].table
    over, going_on = place("over"), place(str(table.engine.state.running))
    assert is_too_late(over, "done", table, BUY) and not is_too_late(going_on, "done", table, BUY)
    assert not is_too_late(over, "done", table, "done") and not is_too_late(over, BUY, table, BUY)
    assert not is_too_late(None, "done", table, BUY) and not is_too_late(place("over", series=False), "done", table, BUY)


def test_a_file_that_was_kept_open_is_the_file_that_is_sent() -> None:
    party = people()
    one = living_of(party[0])
    for order in (BUY, "done", MOVE, "done", {"bomb": 2}, "end", 1, "then", {"bid": 2}):
        one.add(order)
    composed = one.compose(one.orders)
    assert composed.document["orders"][:6] == [BUY, "done", MOVE, "done", {"bomb": 2}, "end"]
    assert [set(order) for order in composed.document["orders"][6::2]] == [{"sealed"}, {"sealed"}]
    party[1].receive(write_document(party[0].sign(composed.document)))
    assert party[1].table.engine.state_hash() == composed.table.engine.state_hash()


def test_a_decision_of_several_is_passed_by_no_default() -> None:
    one = living_of(people()[0])
    for order in ("done", MOVE, "done", "end", 2, "then"):
        one.add(order)
    assert {fired.by for fired in one.table.ledger.fired} == {"default"}
    assert isinstance(one.table.engine.request, Simultaneous) and one.passed() == []
