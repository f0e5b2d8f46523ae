"""What a file gives up: phases without an order, questions that stay open, and what the game counts, before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.consequences import Consequence
from pbem.kernel.events import Cursor
from pbem.kernel.flow import Ask, Commit, Flow
from pbem.kernel.orders import illegal
from pbem.kernel.wording import verbatim
from pbem.runtime.composing import Draft
from pbem.runtime.giving_up import consequences, copied
from tests.runtime.test_living import Errands, ask, living_of
from tests.toygame.party import Person, found_game, send
from tests.toygame.skirmish import SkirmishState

HILL: Plain = {"hill": 3}


def buying(g: SkirmishState) -> Flow[None]:
    """[E1] Purchases with `done`; then one question that cannot be passed, and phases with `done` for ever."""
    while (yield ask("buy", "buy", "done", options=lambda: [{"buy": 1}, "done"], series=True)) != "done":
        g.at += 1
    yield ask("say", "say")
    while (yield ask("march", "march", "done", options=lambda: ["done", "again"])) != "done":
        g.day += 1

    def no_done(order: Plain) -> Plain:
        if order != {"stay": 1}:
            raise illegal("not now", "E stay")
        return order

    yield Ask("red", "stay", "E stay", verbatim("stay?"), no_done, ("stay", "done"))
    yield ask("end", "end", "done", options=lambda: [{"end": 1}, "done"])
    if g.at == 4:
        yield Commit("red", "levy", "E levy", verbatim("levy?"), lambda plain: plain)
    if g.at == 3:
        yield Ask("red", "word", "E word", verbatim("word?"), lambda order: order)
    while True:
        yield ask("rest", "rest", "done", seat="blue")


def lost(text: str, **more: Any) -> Consequence:
    return Consequence("lost", verbatim(text), "E9", final=True, **more)


class Giving(Errands):
    """Says what it is asked about, and gives up the purchases that have not been made."""

    weighed = ("buy", "march", "levy")
    usual: Mapping[str, Plain] = {"end": "x"}
    segments = {"buying": buying}

    def start(self, scenario: Plain, options: Mapping[str, Plain]) -> SkirmishState:
        return SkirmishState(dict(options), stack=[Cursor("buying", [])])

    def attach(self, state: Any, scenario: Plain) -> None:
        state.attached = scenario

    def consequences(self, before: SkirmishState, after: SkirmishState, ask: Ask | Commit) -> Sequence[Consequence]:
        assert before is not after and before.attached == after.attached == HILL
        return [lost(f"{ask.kind} {before.at}, {before.day} to {after.at}, {after.day}")]


class State(SkirmishState):
    """One that shows whether the scenario was attached to it."""

    attached: Plain = None


@pytest.fixture
def party(monkeypatch: pytest.MonkeyPatch) -> list[Person]:
    monkeypatch.setattr("tests.runtime.test_giving_up.SkirmishState", State)
    monkeypatch.setattr(Giving, "state_type", State)
    people = [Person("nowak", ["red"]), Person("yamada", ["blue"])]
    found_game(Giving(), people, {}, HILL)
    return people


def given_up(party: list[Person], *orders: Plain, player: str = "nowak") -> list[tuple[str, str, str, bool, bool]]:
    person = next(p for p in party if p.name == player)
    found = consequences(living_of(person), orders, player)
    return [(c.kind, str(c.message), c.rule, c.final, c.pending) for c in found]


def unfinished(kind: str) -> tuple[str, str, str, bool, bool]:
    said = f"still asked, so that another file of yours is needed: {kind}?"
    return ("unfinished", said, f"E {kind}", False, False)


def test_a_phase_that_ends_without_an_order_is_told(party: list[Person]) -> None:
    assert given_up(party, "done") == [
        ("lost", "buy 0, 0 to 0, 0", "E9", True, False),
        ("skipped", "ended with no order in it: buy?", "E buy", False, False),
        unfinished("say"),
    ]


def test_what_is_said_twice_in_the_same_words_is_told_once(party: list[Person], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Giving, "consequences", lambda *_: [lost("a"), lost("b"), lost("a")])
    assert [said for kind, said, *_ in given_up(party, {"buy": 1}, {"buy": 2}, "done") if kind == "lost"] == ["a", "b"]


def test_what_every_order_of_a_weighed_question_gives_up_is_told_and_done_behind_one_skips_nothing(party: list[Person]) -> None:
    assert given_up(party, {"buy": 1}, {"buy": 2}, "done", {"say": 1}) == [
        ("lost", "buy 0, 0 to 1, 0", "E9", True, False),
        ("lost", "buy 1, 0 to 2, 0", "E9", True, False),
        ("lost", "buy 2, 0 to 2, 0", "E9", True, False),
        ("lost", "march 2, 0 to 2, 0", "E9", False, True),
        unfinished("march"),
    ]


def test_a_question_that_lists_only_done_and_beginning_anew_is_not_skipped_by_done(party: list[Person]) -> None:
    assert given_up(party, {"buy": 1}, "done", {"say": 1}, "done") == [
        ("lost", "buy 0, 0 to 1, 0", "E9", True, False),
        ("lost", "buy 1, 0 to 1, 0", "E9", True, False),
        ("lost", "march 1, 0 to 1, 0", "E9", True, False),
        unfinished("stay"),
    ], "and where `done` is not allowed it gives up nothing"


def test_an_open_question_tells_what_done_would_give_up_and_that_a_standing_order_would_answer(party: list[Person]) -> None:
    found = given_up(party, {"buy": 1}, "done", {"say": 1}, "done", {"stay": 1})
    assert found[-3:] == [
        ("lost", "end 1, 0 to 1, 0", "E9", False, True),
        unfinished("end"),
        ("unasked", "a standing order would save a message: end", "protocol", False, False),
    ]


def test_nothing_is_open_where_the_other_side_is_asked(party: list[Person]) -> None:
    found = given_up(party, {"buy": 1}, "done", {"say": 1}, "done", {"stay": 1}, {"end": 1})
    assert [kind for kind, *_ in found] == ["lost"] * 3, "an order at a question that is not weighed is not asked about"


def test_where_done_would_be_a_word_as_any_other_it_gives_nothing_up(party: list[Person]) -> None:
    found = given_up(party, *[{"buy": 1}] * 3, "done", {"say": 1}, "done", {"stay": 1}, {"end": 1})
    assert found[5:] == [unfinished("word")] and [kind for kind, *_ in found[:5]] == ["lost"] * 5


def test_a_sealed_answer_gives_something_up_too_and_skips_no_phase(party: list[Person]) -> None:
    found = given_up(party, *[{"buy": 1}] * 4, "done", {"say": 1}, "done", {"stay": 1}, {"end": 1}, {"levy": 2})
    assert ("lost", "levy 4, 0 to 4, 0", "E9", True, False) in found and all(kind == "lost" for kind, *_ in found)
    done = given_up(party, *[{"buy": 1}] * 4, "done", {"say": 1}, "done", {"stay": 1}, {"end": 1}, "done")
    assert "skipped" not in {kind for kind, *_ in done}


def test_a_file_without_orders_leaves_its_question_open(party: list[Person]) -> None:
    assert given_up(party) == [("lost", "buy 0, 0 to 0, 0", "E9", False, True), unfinished("buy")]


def test_only_ones_own_questions_are_open(party: list[Person]) -> None:
    send(party, Draft(orders=["done", {"say": 1}, "done", {"stay": 1}, {"end": 1}]))
    assert given_up(party, player="yamada")[-1] == unfinished("rest")
    assert given_up(party, player="nowak") == []


def test_a_copied_state_is_another_one_with_its_scenario(party: list[Person]) -> None:
    table = party[0].table
    table.engine.state.at = 7
    state = copied(table)
    assert state is not table.engine.state and (state.at, state.attached) == (7, HILL)


def test_looking_changes_nothing(party: list[Person]) -> None:
    table = party[0].table
    before = table.engine.state_hash()
    given_up(party, {"buy": 1}, "done")
    assert table.engine.state_hash() == before and party[0].table is table


def test_each_order_is_shown_with_the_table_before_it_and_what_is_asked_there(party: list[Person]) -> None:
    person, seen = party[0], list[Any]()

    def looked(table: Any, asked: Any, at: int) -> None:
        seen.append((table.engine.state.at, asked and asked.kind, at))

    consequences(living_of(person), [{"buy": 1}, {"buy": 1}, "done", {"say": 1}], "nowak", looked)
    assert seen == [(0, "buy", 0), (1, "buy", 1), (2, "buy", 2), (2, "say", 3)]
