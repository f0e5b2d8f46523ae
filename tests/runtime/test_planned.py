"""Plans: what a game can carry out, from where on a plan holds, which step answers, which is passed over, when it is over."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Commit, Simultaneous
from pbem.kernel.orders import Rejected
from pbem.kernel.standing import WhyNot
from pbem.kernel.wording import Message, english, msg, verbatim
from pbem.runtime import planned
from pbem.runtime.dues import Due
from pbem.runtime.hand import FileSupply, Hand
from pbem.runtime.ledger import Fired, PlanHeld
from tests.runtime import test_together
from tests.runtime.desks import Charter, Desk, sealed
from tests.runtime.test_together import HASH, THREE, TWO, ask, plan, shut, step

RED = ask("red")
NINE = {"bid": 9}  # no legal bid


class Game(test_together.Game):
    """One whose facts and stretch a test says."""

    now = 1
    known: dict[str, int] = {"at": 3}

    def stretch(self, state: Any) -> int:
        assert state == "state"
        return self.now

    def facts(self, state: Any, seat: str) -> dict[str, int]:
        assert state == "state" and seat in ("red", "rust")
        return self.known


class Seats(Charter):
    def seats_of(self, player: str) -> list[str]:
        return {"nowak": ["red", "rust"], "yamada": ["blue"]}[player]


@pytest.fixture
def desk() -> Any:
    desk = Desk(game=Game(), charter=Seats())
    desk.ledger.source, desk.engine.state = 4, "state"
    return desk


def sentence(detail: Any) -> str:
    """What every language can tell, in English."""
    assert isinstance(detail, Message)
    return english(detail)


def told(rejected: Any) -> tuple[str, str]:
    (problem,) = rejected.value.problems
    return str(problem.reason), str(problem.legal)


def hand(player: str = "yamada", *opens: Plain) -> Hand:
    return Hand(player, 5, [], FileSupply([*opens]))


# -- what can be planned ----------------------------------------------------------------------------------------------


def test_a_game_without_plans_takes_none(desk: Any) -> None:
    desk.game.plannable = {}
    with pytest.raises(Rejected) as caught:
        planned.check(desk, "nowak", [])
    assert told(caught)[0] == "no plans are made in this game"


@pytest.mark.parametrize(
    ("plain", "reason", "legal"),
    [
        (step("blue", TWO), "plan, step 2: nowak does not play 'blue'", "one of: red, rust"),
        ({"at": "march", "sealed": HASH}, "plan, step 2: 'march' is no question that can be planned for", "one of: bid, stop"),
        ({"sealed": HASH}, "plan, step 2: 'None' is no question that can be planned for", "one of: bid, stop"),
        (step("red", {"go": 1}), "plan, step 2: go: 1 is no order there", "one of: bid"),
        ({**step("red", TWO), "when": "month > 1"}, "plan, step 2: there is no fact 'month'", ""),
    ],
    ids=str,
)
def test_a_step_that_cannot_be_carried_out_is_named(desk: Any, plain: Plain, reason: str, legal: str) -> None:
    desk.game.plannable = {"bid": ("bid",), "stop": ("stop",)}
    with pytest.raises(Rejected) as caught:
        planned.check(desk, "nowak", [step("rust", TWO), plain])
    assert told(caught)[0] == reason and told(caught)[1].startswith(legal)


def test_steps_of_own_seats_pass_and_one_without_a_seat_is_the_first_ones(desk: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    planned.check(
        desk, "nowak", [step("rust", TWO), {"at": "bid", "sealed": HASH}, {"at": "bid", "seat": "rust", "sealed": HASH}]
    )
    asked: list[Any] = []
    monkeypatch.setattr(planned, "read", lambda *given: asked.append(given))
    plain: Plain = {"at": "bid", "do": [TWO]}
    planned.check(desk, "nowak", [plain, step("rust", TWO), "nothing", {**plain, "seat": None}])
    assert asked == [
        *((desk, 1, plain, "red"), (desk, 2, step("rust", TWO), "rust")),
        *((desk, 3, "nothing", "red"), (desk, 4, {**plain, "seat": None}, "red")),
    ]


# -- from where on it holds -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "request_of",
    [
        RED,
        Commit("red", "hide", "S", verbatim("hide"), lambda order: order),
        Simultaneous((ask("blue"), ask("rust"), RED), "S4"),
    ],
    ids=["ask", "commit", "together"],
)
def test_a_plan_takes_the_older_ones_place_with_the_first_order_of_its_file(desk: Any, request_of: Any) -> None:
    desk.engine.request = request_of
    given = Hand("nowak", 5, plan=[{"at": "bid", "do": [TWO]}, {"at": "bid", "seat": "rust", "sealed": HASH}])
    given.plan_seals = ["", "h"]
    planned.begin(desk, given)
    steps: list[Plain] = [{"seat": "red", "at": "bid", "do": [TWO]}, {"seat": "rust", "at": "bid", "sealed": HASH}]
    assert desk.ledger.plans == [PlanHeld(5, "nowak", 1, steps, ["", "h"], [0, 0])]
    planned.begin(desk, Hand("nowak", 6))
    assert len(desk.ledger.plans) == 1, "a file without a plan leaves the older one"


def test_the_plan_of_the_file_that_fixed_the_seed_is_in_force(desk: Any) -> None:
    assert planned.in_force(desk, "nowak") is None
    first = plan(desk, "nowak", step("red", TWO))
    second = plan(desk, "nowak", step("red", THREE))
    later, other = plan(desk, "nowak", step("red", TWO)), plan(desk, "yamada", step("blue", TWO))
    second.seq, later.seq = 4, 5
    assert planned.in_force(desk, "nowak") is second and planned.in_force(desk, "yamada") is other
    desk.ledger.source = 3
    assert planned.in_force(desk, "nowak") is first
    desk.ledger.source = 4
    second.over = True
    assert planned.in_force(desk, "nowak") is None, "an older one does not come back"
    second.over, desk.game.now = False, 2
    assert planned.in_force(desk, "nowak") is None, "it held for its own stretch"


def test_steps_for_a_question_are_those_of_its_seat_and_kind_that_are_not_used_up(desk: Any) -> None:
    shown: dict[str, Plain] = {"at": "bid", "seat": "red", "sealed": HASH}
    steps = [step("red", TWO, THREE), step("rust", TWO), {**step("red", TWO), "at": "stop"}, shown, step("red", TWO)]
    held = plan(desk, "nowak", *steps)

    def due(*used: int) -> list[int]:
        held.used = [*used]
        return [at for at, _ in planned.due_steps(desk, held, "red", "bid")]

    assert due(0, 0, 0, 0, 0) == [0, 3, 4] and due(1, 0, 0, 0, 1) == [0, 3] and due(2, 0, 0, 5, 3) == [3]
    assert due(planned.PASSED, 0, 0, planned.PASSED, 0) == [4]


def test_an_order_by_hand_in_a_later_file_has_done_with_the_plan(desk: Any) -> None:
    for seq, question, over in ((4, RED, True), (5, RED, False), (4, ask("rust"), False), (2, RED, True)):
        desk.ledger.plans = []
        held = plan(desk, "nowak", step("red", TWO))
        held.seq, desk.ledger.source = seq, 5
        planned.overrule(desk, question, "nowak", Hand("nowak", 5))
        assert held.over is over, (seq, question.seat)
    planned.overrule(desk, RED, "yamada", Hand("yamada", 5))


# -- open questions ---------------------------------------------------------------------------------------------------


def fired(order: Plain, by: Any, number: int, *why: WhyNot) -> Fired:
    return Fired(5, "red", "bid", order, by, 2, number, [*why])


def apply(desk: Any, given: Hand | None = None) -> Due | bool:
    return planned.apply(desk, RED, "nowak", given or hand())


def test_without_a_plan_nothing_answers(desk: Any) -> None:
    assert apply(desk) is False
    plan(desk, "nowak", step("rust", TWO))
    assert apply(desk) is False and desk.engine.given == [] and desk.ledger.fired == []


def test_the_first_step_that_holds_answers_order_by_order(desk: Any) -> None:
    held = plan(desk, "nowak", {**step("red", THREE), "when": "at > 3"}, step("red", TWO, THREE))
    assert apply(desk) is True and apply(desk) is True and apply(desk) is False
    assert desk.engine.given == [TWO, THREE] and held.used == [planned.PASSED, 2]
    why = WhyNot(1, "condition", "at > 3")
    assert desk.ledger.fired == [fired([THREE], "passed", 1, why), fired(TWO, "plan", 2), fired(THREE, "plan", 2)]


def test_a_condition_is_judged_once_before_the_first_order(desk: Any) -> None:
    held = plan(desk, "nowak", {**step("red", TWO, THREE), "when": "at = 3"})
    assert apply(desk) is True
    desk.game.known = {"at": 4}
    assert apply(desk) is True and desk.engine.given == [TWO, THREE] and held.used == [2]
    again = plan(desk, "nowak", {**step("red", TWO), "when": "at = 3"})
    assert apply(desk) is False and again.used == [planned.PASSED]
    desk.game.known = {"at": 3}
    assert apply(desk) is False, "never again"


def test_an_illegal_order_ends_the_plan(desk: Any) -> None:
    held = plan(desk, "nowak", step("red", NINE, TWO), step("red", THREE))
    assert apply(desk) is False and held.over and desk.engine.given == [] and held.used == [1, 0]
    (told,) = desk.ledger.fired
    assert (told.order, told.by, told.clause, told.why[0].clause, told.why[0].reason) == (NINE, "stopped", 1, 1, "illegal")
    assert "1 to 3" in sentence(told.why[0].detail)
    assert apply(desk) is False


def test_with_else_drop_an_illegal_order_is_left_out(desk: Any) -> None:
    held = plan(desk, "nowak", {**step("red", NINE, TWO, NINE), "else": "drop"}, step("red", THREE))
    assert apply(desk) is True and not held.over and held.used == [2, 0] and desk.engine.given == [TWO]
    assert [(f.order, f.by) for f in desk.ledger.fired] == [(NINE, "passed"), (TWO, "plan")]
    assert apply(desk) is True and desk.engine.given == [TWO, THREE] and held.used == [3, 1]


def test_a_step_that_cannot_be_read_any_more_is_passed_over_without_a_word(desk: Any) -> None:
    held = plan(desk, "nowak", step("red", {"go": 1}), step("red", TWO))
    assert apply(desk) is True and held.used == [planned.PASSED, 1] and desk.ledger.fired == [fired(TWO, "plan", 2)]


def test_a_sealed_step_is_opened_before_it_answers(desk: Any) -> None:
    made, handle, opening = shut(desk, "nowak", "red", 0, TWO)
    held = plan(desk, "nowak", made, seals=(handle,))
    due = Due("nowak", "open", "red", verbatim(handle), "S4 red")
    assert apply(desk) == due and held.used == [0] and held.steps == [made]
    assert apply(desk, hand("nowak", opening)) is True and desk.engine.given == [TWO]
    assert held.steps == [{"do": [TWO], "at": "bid", "seat": "red"}] and held.used == [1]


@pytest.mark.parametrize("content", ["nothing", None, {"do": []}, {"do": [{"go": 1}]}], ids=str)
def test_a_sealed_step_that_holds_nothing_that_can_be_read_is_passed_over(desk: Any, content: Plain) -> None:
    handle, opening = sealed(desk, "nowak", 2, 0, content)
    made: dict[str, Plain] = {"at": "bid", "seat": "red", "sealed": HASH}
    held = plan(desk, "nowak", made, step("red", THREE), seals=(handle, ""))
    assert apply(desk, hand("nowak", opening)) is True and desk.engine.given == [THREE]
    assert held.used == [planned.PASSED, 1] and held.steps[0] == made and desk.ledger.fired == [fired(THREE, "plan", 2)]


def test_an_opened_step_cannot_name_another_question_or_seat(desk: Any) -> None:
    handle, opening = sealed(desk, "nowak", 2, 0, {"do": [TWO], "at": "stop", "seat": "rust"})
    held = plan(desk, "nowak", {"at": "bid", "seat": "red", "sealed": HASH}, seals=(handle,))
    assert apply(desk, hand("nowak", opening)) is True
    assert held.steps == [{"do": [TWO], "at": "bid", "seat": "red"}]


# -- secret questions -------------------------------------------------------------------------------------------------


def in_secret(desk: Any, given: Hand | None = None) -> Due | Plain:
    return planned.answer_in_secret(desk, RED, "nowak", given or hand())


def test_a_sealed_step_in_force_is_the_seal(desk: Any) -> None:
    assert not planned.seals_answer(desk, RED, "nowak")
    plan(desk, "nowak", step("red", TWO))
    assert not planned.seals_answer(desk, RED, "nowak")
    made, handle, _ = shut(desk, "nowak", "red", 0, TWO)
    held = plan(desk, "nowak", step("red", TWO), made, seals=("", handle))
    assert planned.seals_answer(desk, RED, "nowak") and not planned.seals_answer(desk, ask("rust"), "nowak")
    held.used[1] = planned.PASSED
    assert not planned.seals_answer(desk, RED, "nowak")


def test_in_secret_each_step_gives_its_next_order_and_the_engine_hears_nothing_yet(desk: Any) -> None:
    assert in_secret(desk) is None
    held = plan(desk, "nowak", {**step("red", THREE), "when": "at > 3"}, step("red", TWO, THREE))
    assert [in_secret(desk), in_secret(desk), in_secret(desk)] == [TWO, THREE, None]
    assert desk.engine.given == [] and held.used == [planned.PASSED, 2]
    why = WhyNot(1, "condition", "at > 3")
    assert desk.ledger.fired == [fired([THREE], "passed", 1, why), fired(TWO, "plan", 2), fired(THREE, "plan", 2)]


@pytest.mark.parametrize("otherwise", ["ask", "drop"])
def test_in_secret_an_illegal_order_passes_its_step_over_whatever_its_else_says(desk: Any, otherwise: str) -> None:
    held = plan(desk, "nowak", {**step("red", NINE, TWO), "else": otherwise}, step("red", THREE))
    assert in_secret(desk) == THREE and held.used == [planned.PASSED, 1] and not held.over
    passed, answered = desk.ledger.fired
    assert (passed.order, passed.by, passed.why[0].clause, passed.why[0].reason) == ([NINE, TWO], "passed", 1, "illegal")
    assert "1 to 3" in sentence(passed.why[0].detail) and answered == fired(THREE, "plan", 2)


def test_in_secret_a_condition_is_judged_once(desk: Any) -> None:
    plan(desk, "nowak", {**step("red", TWO, THREE), "when": "at = 3"})
    assert in_secret(desk) == TWO
    desk.game.known = {"at": 4}
    assert in_secret(desk) == THREE


def test_in_secret_a_sealed_step_opens_first_and_an_unreadable_one_is_passed_over(desk: Any) -> None:
    handle, opening = sealed(desk, "nowak", 2, 0, "nothing")
    second, its_handle, its_opening = shut(desk, "nowak", "red", 1, TWO)
    first: dict[str, Plain] = {"at": "bid", "seat": "red", "sealed": HASH}
    held = plan(desk, "nowak", first, second, seals=(handle, its_handle))
    assert in_secret(desk) == Due("nowak", "open", "red", verbatim(handle), "S4 red")
    assert in_secret(desk, hand("nowak", opening)) == Due("nowak", "open", "red", verbatim(its_handle), "S4 red")
    assert in_secret(desk, hand("nowak", its_opening)) == TWO
    assert held.used == [planned.PASSED, 1] and desk.ledger.fired == [fired(TWO, "plan", 2)]


def test_words_of_a_step_number_it(desk: Any) -> None:
    with pytest.raises(Rejected) as caught:
        planned.read(desk, 7, {"at": "bid"}, "red")
    assert told(caught)[0].startswith(str(msg("plan, step {number}", number=7)))


# -- later stretches --------------------------------------------------------------------------------------------------


def test_a_step_for_a_later_stretch_answers_there_and_a_plan_whose_time_is_past_is_over(desk: Any) -> None:
    desk.game.plans_ahead = 1
    held = plan(desk, "nowak", step("red", TWO), {**step("red", THREE), "later": 1})
    assert [planned.is_left(desk, held, at) for at in (0, 1)] == [True, True]
    desk.game.now = 2
    planned.lapse(desk)
    assert [planned.is_left(desk, held, at) for at in (0, 1)] == [False, True] and not held.over
    assert [at for at, _ in planned.due_steps(desk, held, "red", "bid")] == [1] and apply(desk) is True
    assert desk.engine.given == [THREE] and not planned.is_left(desk, held, 1)
    desk.game.now = 3
    planned.lapse(desk)
    assert held.over and planned.in_force(desk, "nowak") is None
    desk.game.now = 1
    planned.lapse(desk)
    assert held.over, "for good"


@pytest.mark.parametrize("later", [0, 3, True, "1", None])
def test_later_is_a_number_of_stretches_that_the_game_knows(desk: Any, later: Plain) -> None:
    plain: dict[str, Plain] = {**step("red", TWO), "later": later}
    for most, words in (
        (0, "in this game a plan is for its own turn alone, without `later`"),
        (2, "`later` is a number from 1 to 2"),
    ):
        desk.game.plans_ahead = most
        with pytest.raises(Rejected) as caught:
            planned.check(desk, "nowak", [plain])
        assert told(caught)[0] == f"plan, step 1: {words}"
    planned.check(desk, "nowak", [{**plain, "later": 1}, {**plain, "later": 2}])


def test_for_which_stretch_a_sealed_step_is_lies_open(desk: Any) -> None:
    desk.game.plans_ahead = 2
    handle, opening = sealed(desk, "nowak", 2, 0, {"do": [TWO], "later": 2})
    shown: dict[str, Plain] = {"at": "bid", "seat": "red", "sealed": HASH}
    held = plan(desk, "nowak", shown, seals=(handle,))
    assert apply(desk, hand("nowak", opening)) is True and held.steps == [{"do": [TWO], "at": "bid", "seat": "red"}]
    held = plan(desk, "nowak", {**shown, "later": 1}, seals=(handle,))
    assert apply(desk, hand("nowak", opening)) is False and held.used == [0]
    desk.game.now = 2
    assert apply(desk, hand("nowak", opening)) is True
    assert held.steps == [{"do": [TWO], "later": 1, "at": "bid", "seat": "red"}]
    with pytest.raises(Rejected):
        planned.check(desk, "nowak", [{**shown, "later": 3}])


# -- steps that stay sealed -------------------------------------------------------------------------------------------

HIDE = Commit("red", "hide", "S", verbatim("hide"), lambda order: order)
UNSEEN: dict[str, Plain] = {"at": "sealed hide", "seat": "red", "sealed": HASH}


@pytest.fixture
def hiding(desk: Any) -> Any:
    """A desk at which what is hidden may be planned too."""
    desk.game.plannable = {"bid": ("bid",), "sealed hide": ("hide", "bury")}
    return desk


def test_a_step_for_a_question_answered_by_a_seal_is_sealed_in_a_file_and_open_to_its_owner(hiding: Any) -> None:
    plain: dict[str, Plain] = {"at": "sealed hide", "do": [{"hide": 3}]}
    planned.check(hiding, "nowak", [plain, step("red", TWO)], shut=False)
    with pytest.raises(Rejected) as caught:
        planned.check(hiding, "nowak", [step("red", TWO), plain])
    assert told(caught) == ("plan, step 2: 'sealed hide' has to be sealed", "")
    planned.check(hiding, "nowak", [UNSEEN, step("red", TWO)])
    with pytest.raises(Rejected) as caught:
        planned.check(hiding, "nowak", [{"at": "sealed bluff", "do": [{"hide": 3}]}])
    assert "'sealed bluff' is no question that can be planned for" in told(caught)[0], "a question that is none comes first"
    with pytest.raises(Rejected) as caught:
        planned.check(hiding, "nowak", [{**plain, "seat": "rust", "do": [{"go": 1}]}], shut=False)
    assert told(caught)[0] == "plan, step 1: go: 1 is no order there"


def test_which_steps_stay_shut_their_question_says() -> None:
    assert planned.stays_shut(UNSEEN) and planned.stays_shut({"at": "sealed hide"})
    for plain in ({"at": "bid", "sealed": HASH}, {"sealed": HASH}, {"at": "hide, sealed "}, "sealed hide", None, ["sealed "]):
        assert not planned.stays_shut(plain)


def test_a_question_answered_by_a_seal_has_a_name_and_verbs_of_its_own_in_plans(hiding: Any) -> None:
    assert (planned.name_of(HIDE), planned.name_of(RED)) == ("sealed hide", "bid")
    assert planned.verbs_of_seal(hiding, HIDE) == ("hide", "bury")
    hiding.game.plannable = {"bid": ("bid",)}
    assert planned.verbs_of_seal(hiding, HIDE) == ()


def test_a_step_that_stays_sealed_answers_once_unopened_and_the_next_one_after_it(hiding: Any) -> None:
    assert planned.seal_of(hiding, HIDE, "nowak", hand()) == ""
    other: dict[str, Plain] = {**UNSEEN, "sealed": "cd" * 32}
    held = plan(hiding, "nowak", {**UNSEEN, "seat": "rust"}, UNSEEN, step("red", TWO), other, seals=("a", "b", "", "c"))
    assert [planned.seal_of(hiding, HIDE, "nowak", hand()) for _ in range(3)] == ["b", "c", ""]
    assert held.used == [0, 1, 0, 1] and held.steps[1] == UNSEEN and not held.over and hiding.engine.given == []
    assert hiding.ledger.fired == [
        Fired(5, "red", "hide", {"sealed": HASH}, "plan", 2, 2),
        Fired(5, "red", "hide", {"sealed": "cd" * 32}, "plan", 2, 4),
    ]
    assert [planned.is_left(hiding, held, at) for at in range(4)] == [True, False, True, False]
    assert planned.seal_of(hiding, HIDE, "yamada", hand()) == ""


def test_who_seals_by_hand_what_a_step_would_have_sealed_has_done_with_the_plan(hiding: Any) -> None:
    held = plan(hiding, "nowak", UNSEEN, seals=("a",))
    planned.overrule(hiding, RED, "nowak", Hand("nowak", 5))
    assert not held.over
    planned.overrule(hiding, HIDE, "nowak", Hand("nowak", 5))
    assert held.over and planned.seal_of(hiding, HIDE, "nowak", hand()) == ""


def test_an_open_step_is_used_up_by_its_last_order_and_not_by_its_first(hiding: Any) -> None:
    held = plan(hiding, "nowak", step("red", TWO, THREE), {"at": "bid", "seat": "red", "sealed": HASH}, seals=("", "a"))
    for used, left in ((0, True), (1, True), (2, False), (planned.PASSED, False)):
        held.used = [used, used]
        assert planned.is_left(hiding, held, 0) is left, used
        assert planned.is_left(hiding, held, 1) is (used != planned.PASSED), "how many a sealed one holds is not known"
    held.used = [0, 0]
    hiding.game.now = 2
    assert not planned.is_left(hiding, held, 0), "its time is past"
