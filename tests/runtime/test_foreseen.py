"""Sealed steps of a plan on a tiny game: how it is played on to them, what is guessed, and which doubt is told."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.events import Cursor
from pbem.kernel.flow import Claim, Commit, Flow, Open, PrivateRoll, Request, Roll, Simultaneous
from pbem.kernel.orders import illegal
from pbem.kernel.wording import english, verbatim
from pbem.runtime.foreseen import MOST, doubts
from pbem.runtime.knowledge import Unknown
from pbem.runtime.ledger import PlanHeld
from tests.runtime.one_segment import OneSegment
from tests.runtime.test_counting_parts import ask
from tests.toygame.skirmish import SkirmishState

PLAY: list[Callable[[SkirmishState], Request | None]] = []  # None: the game is over
MUSTER: Plain = {"at": "sealed muster", "do": ["men"]}


def playing(g: SkirmishState) -> Flow[None]:
    """[F1] What a test wants."""
    for one in PLAY:
        request = one(g)
        if request is None:
            g.stack.clear()
            return
        answer = yield request
        if answer == "breaks":
            raise AttributeError("the rule falls over")
        g.played.append(str(answer))


def hiding(g: SkirmishState) -> Flow[None]:
    """[F2] Red hides something that is never allowed, so that the whole course is told."""
    yield Commit("red", "muster", "F", verbatim("muster"), never(g))


def never(g: SkirmishState) -> Callable[[Plain], Plain]:
    def read(order: Plain) -> Plain:
        raise illegal(verbatim(f"{order}: {' '.join(g.played)}"), "F")

    return read


class Course(OneSegment):
    name, title = "course", "Course"
    segments = {"playing": playing, "hiding": hiding}

    def start(self, scenario: Plain, options: Mapping[str, Plain]) -> SkirmishState:
        return SkirmishState(dict(options), stack=[Cursor("hiding", []), Cursor("playing", [])], at=3)

    def facts(self, state: SkirmishState, seat: str) -> Mapping[str, int]:
        return {"at": state.at, "red": int(seat == "red")}

    def stretches_since(self, state: SkirmishState, stretch: Plain) -> int:
        assert isinstance(stretch, int)
        return state.round + 6 - stretch


@dataclass
class Case:
    """A table behind nowak's file with a plan, and what he knows."""

    steps: Sequence[Plain]
    play: Sequence[Any]
    open_answers: dict[str, Plain] = field(default_factory=dict)
    sealed_answers: dict[str, str] = field(default_factory=dict)
    known: dict[str, Plain] = field(default_factory=dict)
    held: list[PlanHeld] | None = None

    def _reveal(self, handle: str) -> Plain:
        try:
            return self.known[handle]
        except KeyError:
            raise Unknown(handle) from None

    def found(self) -> list[tuple[int, str]]:
        PLAY[:] = [one if callable(one) else lambda g, one=one: one for one in self.play]
        game = Course()
        engine = Engine(game, None, game.start(None, {}))
        plan = PlanHeld(3, "nowak", 7, [*self.steps], [""] * len(self.steps), [0] * len(self.steps))
        ledger = SimpleNamespace(
            plans=[PlanHeld(1, "nowak", 9, [], [], []), plan] if self.held is None else self.held,
            open_answers=self.open_answers,
            sealed_answers=self.sealed_answers,
        )
        charter = SimpleNamespace(seats_of=lambda player: {"nowak": ["red", "rust"]}[player])
        table: Any = SimpleNamespace(game=game, engine=engine, ledger=ledger, charter=charter)
        knowledge: Any = SimpleNamespace(reveal=self._reveal)
        before, asked = dict(self.open_answers), engine.fingerprint
        given = doubts(table, "nowak", knowledge, self.steps)
        assert (self.open_answers, engine.fingerprint) == (before, asked), "it is tried on a copy"
        assert [*plan.used] == [0] * len(self.steps)
        return [(step, english(why)) for step, why in given]


def course(*play: Any, steps: Sequence[Plain] = (), **more: Any) -> str:
    """What was answered on the way to the step that is refused."""
    [(step, why)] = Case([*steps, MUSTER], play, **more).found()
    assert step == len(steps) + 1
    said, _, answers = why.partition("men: ")
    assert said.endswith("not allowed: "), why
    return answers.removesuffix(" [F]").strip()


# -- whether it is looked at ----------------------------------------------------------------------------------------------


def test_a_sealed_step_that_is_not_allowed_is_told_with_its_number() -> None:
    [(step, why)] = Case([{"at": "march", "do": ["go"]}, MUSTER], []).found()
    assert step == 2 and "men: " in why
    assert Case(["what", MUSTER], []).found() == [], "the log holds no such plan"


def test_no_doubt_where_nothing_is_sealed_or_another_plan_holds() -> None:
    assert Case([{"at": "muster", "do": ["men"]}], []).found() == []
    used = {"steps": [MUSTER], "seals": [""], "used": [0]}
    for held in (
        [],
        [PlanHeld(3, "yamada", 7, **used)],
        [PlanHeld(3, "nowak", 7, [MUSTER, MUSTER], ["", ""], [0, 0])],
        [PlanHeld(3, "nowak", 7, [MUSTER], [""], [1])],
        [PlanHeld(3, "nowak", 7, [MUSTER], [""], [-1])],
    ):
        assert Case([MUSTER], [], held=held).found() == []
    assert Case([MUSTER], [], held=[PlanHeld(3, "nowak", 7, **used)]).found()


def test_no_doubt_where_what_is_sealed_is_allowed_or_the_course_ends_before_it() -> None:
    fine = Commit("red", "muster", "F", verbatim("muster"), lambda order: order)
    assert Case([MUSTER], [fine]).found() == []
    assert Case([MUSTER], [lambda g: None]).found() == [], "the game is over"
    stuck = ask("x", "done", "go", listed=("other",))
    assert Case([MUSTER], [stuck]).found() == []
    assert Case([{"at": "x", "do": ["bad", "go"]}, MUSTER], [stuck]).found() == [], "what the plan has for later is not tried"
    assert Case([MUSTER], [lambda g: Roll(verbatim("luck"), 1, 6, "F")] * (MOST - 1)).found()
    assert Case([MUSTER], [lambda g: Roll(verbatim("luck"), 1, 6, "F")] * MOST).found() == []


# -- what is answered -----------------------------------------------------------------------------------------------------


def test_own_questions_are_answered_as_planned_then_as_the_rules_have_it() -> None:
    go: Plain = {"at": "march", "do": ["go"]}
    assert course(ask("march", "stay", "go", default="stay"), steps=[go]) == "go"
    assert course(ask("march", "stay", "go", seat="rust", default="stay"), steps=[go]) == "go", "his other seat"
    assert course(ask("march", "stay", "go", seat="blue", default="stay"), steps=[go]) == "stay", "of the other side"
    assert course(ask("march", "stay", default="stay"), steps=[go]) == "stay", "what does not stand"
    assert course(ask("other", "stay", "go", default="stay"), steps=[go]) == "stay"


def test_without_a_plan_the_only_order_the_default_the_idle_one_and_the_quietest_come_in_turn() -> None:
    words = ("a", "b", "c", "done")
    assert course(ask("x", *words, forced="a", default="b", idle="c")) == "a"
    assert course(ask("x", *words, default="b", idle="c")) == "b"
    assert course(ask("x", *words, idle="c")) == "c"
    assert course(ask("x", *words)) == "done"
    assert course(ask("x", "b", "c", listed=("a", "b", "c"))) == "b"
    anything = replace(ask("x"), read=lambda order: order)
    assert course(replace(anything, default="b")) == "b" and course(replace(anything, idle="c")) == "c"


def test_orders_of_a_step_are_used_in_turn_and_those_of_the_next_step_behind_them() -> None:
    two: Plain = {"at": "march", "do": ["one", "two"]}
    three: Plain = {"at": "march", "do": ["three"]}
    words = ("one", "two", "three", "four")
    march = [ask("march", *words, default="four")] * 4
    assert course(*march, steps=[two, three]) == "one two three four"


@pytest.mark.parametrize(
    ("step", "used"),
    [
        ({"when": "at = 3"}, True),
        ({"when": "at = 4"}, False),
        ({"when": "red = 1"}, True),
        ({"when": ""}, True),
        ({"later": 0}, True),
        ({"later": 1}, False),
        ({"do": "go"}, False),
        ({"do": []}, False),
    ],
)
def test_whether_a_step_is_used(step: dict[str, Plain], used: bool) -> None:
    planned: Plain = {"at": "march", "do": ["go", "on"], **step}
    march = [ask("march", "go", "on", "stay", default="stay")] * 2
    assert course(*march, steps=[planned]) == ("go on" if used else "stay stay")


def test_the_condition_of_a_step_is_looked_at_once() -> None:
    planned: Plain = {"at": "march", "do": ["go", "on"], "when": "red = 1"}
    march = [ask("march", "go", "stay", default="stay"), ask("march", "on", "stay", seat="rust", default="stay")]
    assert course(*march, steps=[planned]) == "go on"


def test_what_several_decide_at_once() -> None:
    bids = Simultaneous((ask("bid", 1, 2, 3, default=1), ask("bid", 1, 2, 3, seat="blue", default=1)), "F")
    assert course(bids) == "{'red': 1, 'blue': 1}"
    step: Plain = {"at": "bid", "do": [2, 3]}
    assert course(bids, steps=[step]) == "{'red': 2, 'blue': 1}"
    assert course(bids, bids, steps=[step], open_answers={"blue": 3}) == "{'red': 2, 'blue': 3} {'red': 3, 'blue': 1}"
    sealed = {"red": "nowak:seal2:0", "blue": "yamada:seal2:0"}
    mine: dict[str, Plain] = {"nowak:seal2:0": 3}
    assert course(bids, steps=[step], sealed_answers=sealed, known=mine) == "{'red': 3, 'blue': 1}", "what he knows"


def test_dice_are_middling_and_hidden_ones_too() -> None:
    made: list[str] = []

    def shown(g: SkirmishState) -> Request:
        made.append(g.played[-1])
        return Open("red", g.played[-1], "F")

    luck = Roll(verbatim("luck"), 3, 6, "F")
    assert course(luck, Roll(verbatim("luck"), 1, 10, "F")) == "(3, 3, 3) (5,)"
    private = PrivateRoll("blue", verbatim("luck"), 2, 6, "F")
    handle = "blue:seal1000000:0"
    assert course(private, shown) == f"{handle} (3, 3)" and made == [handle]
    hide = Commit("red", "hide", "F", verbatim("hide"), lambda order: order, default=4)
    assert course(private, hide) == f"{handle} red:seal1000000:1"


def test_what_is_shown_is_what_he_knows_and_nothing_goes_on_where_he_does_not() -> None:
    assert course(Open("red", "nowak:seal2:0", "F"), known={"nowak:seal2:0": "ace"}) == "ace"
    shown = Open("blue", "yamada:seal2:0", "F")
    assert Case([MUSTER], [shown]).found() == []

    class Late(dict[str, Plain]):
        """What is known when it is asked for once more."""

        def __missing__(self, handle: str) -> Plain:
            self[handle] = "ace"
            raise KeyError(handle)

    assert Case([MUSTER], [shown], known=Late()).found() == [], "it is not asked for once more"


def test_own_statements_are_true() -> None:
    def truth(reveal: Any) -> Plain:
        return [reveal("nowak:seal2:0"), "so"]

    mine: dict[str, Plain] = {"nowak:seal2:0": "ace"}
    for seat in ("red", "rust"):
        assert course(Claim(seat, "x", verbatim("x"), "F", truth), known=mine) == "('ace', 'so')"
    assert Case([MUSTER], [Claim("red", "x", verbatim("x"), "F", truth)]).found() == []


def test_others_state_the_first_that_stands() -> None:
    def claim(*good: Plain) -> Claim:
        def read(stated: Plain) -> Plain:
            if not any(stated == one and type(stated) is type(one) for one in good):
                raise illegal(verbatim("no"), "F")
            return stated

        return Claim("blue", "x", verbatim("x"), "F", lambda reveal: "truth", read=read)

    for good in (True, False, 0, "", [], {}):
        assert course(claim(good), claim(good)) == f"{good} {good}".strip()
    assert course(claim(False, True, 0)) == "True" and course(claim(0, False)) == "False"
    assert Case([MUSTER], [claim(5)]).found() == []


def test_a_guess_that_breaks_the_rules_is_thrown_away_and_what_breaks_them_behind_one_ends_it() -> None:
    def read(stated: Plain) -> Plain:
        return "breaks" if stated is True else "fine" if stated is False else stated

    claim = Claim("blue", "x", verbatim("x"), "F", lambda reveal: "truth", read=read)
    assert course(ask("y"), claim, ask("z")) == "done fine done"
    wrong = ask("y", "breaks", "fine", default="breaks")
    assert Case([MUSTER], [claim, ask("z"), wrong]).found() == []
    own = Claim("red", "x", verbatim("x"), "F", lambda reveal: "truth")
    for before in ([], [own]):
        with pytest.raises(AttributeError, match="falls over"):
            Case([MUSTER], [*before, wrong]).found()


def test_what_is_hidden_on_the_way_is_the_default_or_the_first_that_may_be() -> None:
    seen: list[Any] = []

    def read(order: Plain) -> Plain:
        seen.append(order)
        return order

    def hide(seat: str = "red", **more: Any) -> Commit:
        return Commit(seat, "hide", "F", verbatim("hide"), read, **more)

    def shown(g: SkirmishState) -> Request:
        return Open("red", g.played[-1], "F")

    assert course(hide(options=lambda: [4, 5]), shown).endswith(" 4")
    assert course(hide(options=lambda: [4, 5], default=6), shown).endswith(" 6")
    assert course(hide(default=6), shown).endswith(" 6")
    assert Case([MUSTER], [hide()]).found() == [] and not seen, "what is unknown is not judged"
    step: Plain = {"at": "sealed hide", "do": [7]}
    assert course(hide(default=6), shown, steps=[step]).endswith(" 7") and seen == [7]
    assert course(hide("blue", default=6), shown, steps=[step]).endswith(" 6"), "another's is not his to plan"


def test_a_seal_is_judged_by_what_its_owner_knows() -> None:
    def judge(order: Plain, reveal: Any) -> None:
        raise illegal(verbatim(f"{order} behind {reveal('nowak:seal2:0')} and {reveal('red:seal1000000:0')}"), "F")

    first = Commit("red", "hide", "F", verbatim("hide"), lambda order: order, default="men")
    second = Commit("red", "ships", "F", verbatim("ships"), lambda order: order, judge=judge)
    steps: list[Plain] = [{"at": "sealed ships", "do": ["CV1"]}, {"at": "hide", "do": ["other"]}]
    [(step, why)] = Case(steps, [first, second], known={"nowak:seal2:0": "ace"}).found()
    assert step == 1 and "CV1 behind ace and men" in why
