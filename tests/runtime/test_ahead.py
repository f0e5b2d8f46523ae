"""The question that a plan may answer next: found behind dice and others' answers, never past what nobody can foresee."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Commit, Simultaneous
from pbem.kernel.forms import Partial
from pbem.kernel.records import to_plain
from pbem.kernel.standing import read_clauses
from pbem.kernel.wording import Message, verbatim
from pbem.runtime import ahead
from pbem.runtime.ahead import Ahead, drawn_from, go_on
from pbem.runtime.asked import form_at
from pbem.runtime.ledger import StandingOrder
from pbem.runtime.table import Table
from tests.runtime.test_counting_parts import PLAY, ROLL, Small, Words, ask, reading
from tests.toygame.party import Person, found_game
from tests.toygame.skirmish import SkirmishState

HELD: Any = SimpleNamespace(hand=lambda seat: {}, reveal=None)  # nothing hidden


class Named(Words):
    def named(self, g: Any, word: str) -> Message:
        return verbatim(word)


class Planned(Small):
    """The part of the turn is the tens of the round, the stretch for which plans hold the ones."""

    seats = {"red": "allies", "rust": "allies", "blue": "axis"}
    plannable = {"b": ("done",), "c": ("done",)}

    def words(self) -> Any:
        return Named()

    def own_turn(self, state: SkirmishState) -> Plain:
        return None

    def stretch(self, state: SkirmishState) -> int:
        return state.round % 10

    def stretches_since(self, state: SkirmishState, stretch: int) -> int:
        return state.round % 10 - stretch


def desk_of(*play: Any) -> Any:
    """Of nowak's file that answers the first question of these."""
    PLAY[:] = play
    party = [Person("nowak", ["red", "rust"]), Person("yamada", ["blue"])]
    found_game(Planned(), party, {})
    start: Table = party[0].table
    table = start.fork()
    table.engine.reply("done")
    return SimpleNamespace(start=start, table=table, player="nowak", game=start.game, knowledge_at=lambda _: HELD)


def found(*play: Any) -> Ahead | None:
    desk = desk_of(*play)
    seen: list[Any] = []
    before = desk.start.to_plain(), desk.table.to_plain()
    desk.knowledge_at = lambda table: seen.append(table) or HELD
    there = ahead.ahead(desk)
    assert (desk.start.to_plain(), desk.table.to_plain()) == before, "it is tried on a copy"
    assert seen == ([] if there is None else [there.table]), "what may be picked is what is known there"
    return there


def test_it_is_found_behind_dice_and_behind_what_others_are_asked() -> None:
    there = found(ask("a"), ROLL, ask("b", "hold", seat="blue"), ask("b"))
    assert there is not None and (there.ask.kind, there.ask.seat, there.seat) == ("b", "red", "")
    assert there.table.engine.request is there.ask and there.table.due.player == "nowak"
    assert there.table.engine.state.losses[2] == "hold", "the other's question has the answer that does least"


def test_it_stands_behind_the_dice_of_number_nought() -> None:
    play = (ask("a"), *[ROLL] * 20, ask("b"))
    drawn = drawn_from(desk_of(*play).table, 0)
    go_on(drawn)
    there = found(*play)
    assert there is not None and there.table.engine.state.losses == drawn.engine.state.losses


def test_own_questions_that_no_plan_answers_are_passed() -> None:
    there = found(ask("a"), ask("d"), ask("e", "x", "y", default="y"), ask("c"))
    assert there is not None and there.ask.kind == "c" and there.table.engine.state.losses[1:] == ["done", "y"]


def test_a_step_names_the_seat_where_it_is_another_than_the_files() -> None:
    there = found(ask("a"), ask("b", seat="rust"))
    assert there is not None and there.seat == "rust"
    there = found(ask("a", seat="rust"), ask("b", seat="rust"))
    assert there is not None and there.seat == ""


def test_its_form_is_that_of_the_question() -> None:
    there = found(ask("a"), ask("b", "hold", "go"))
    assert there is not None
    step = there.step(Partial(""))
    assert step == there.form().step(Partial("")) == form_at(there.table, there.ask, HELD).step(Partial(""))
    assert {"hold", "go"} <= {str(pick.value) for pick in step.picks} | {str(order) for order in step.orders}


@pytest.mark.parametrize("end", ["axis", 11, 2], ids=["the game is over", "another part", "another stretch"])
def test_nothing_is_foreseen_where_a_plan_holds_no_longer(end: Any) -> None:
    assert found(ask("a"), end, ask("b")) is None


def test_nothing_is_foreseen_past_what_is_hidden_or_decided_by_several() -> None:
    hide = Commit("red", "b", "C", verbatim("hide"), reading(1))
    both = Simultaneous((ask("b"), ask("b", seat="blue")), "C")
    other = Simultaneous((ask("b", seat="blue"), ask("b")), "C")
    for one in (hide, both, other):
        assert found(ask("a"), one, ask("b")) is None


def test_nothing_is_foreseen_at_what_is_left_to_decide_when_others_have_said_their_part() -> None:
    both = Simultaneous((ask("b", seat="blue"), ask("b")), "C")
    desk = desk_of(ask("a"), both, ask("b"))
    clauses = [to_plain(clause) for clause in read_clauses("b", "done")]
    desk.table.ledger.standing.append(StandingOrder(0, "yamada", "b", clauses))
    drawn = drawn_from(desk.table, 0)
    go_on(drawn)
    assert (drawn.due.player, drawn.due.what) == ("nowak", "orders"), "he is the last and is asked openly"
    assert ahead.ahead(desk) is None


def test_nothing_is_foreseen_past_a_question_that_nothing_tried_answers() -> None:
    assert found(ask("a"), ask("x", "yes", seat="blue", listed=("no", "pass")), ask("b")) is None


def test_so_many_questions_are_passed_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert ahead.MOST == 400
    monkeypatch.setattr(ahead, "MOST", 3)
    for passed, is_there in ((2, True), (3, False)):
        assert (found(ask("a"), *[ask("d")] * passed, ask("b")) is not None) is is_there
