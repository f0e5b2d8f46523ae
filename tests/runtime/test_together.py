"""Decisions that several seats make at once: who seals, who has said so before, who answers openly, what opens."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Simultaneous
from pbem.kernel.orders import illegal, unreadable
from pbem.kernel.wording import msg, verbatim
from pbem.runtime.dues import Due
from pbem.runtime.hand import FileSupply, Hand
from pbem.runtime.ledger import Entry, Fired, PlanHeld, StandingOrder
from pbem.runtime.together import decide_together
from tests.runtime import desks
from tests.runtime.desks import Desk, sealed

HASH = "ab" * 32


@dataclass
class Game(desks.Game):
    """One whose bids may be planned."""

    plannable: dict[str, tuple[str, ...]] = field(default_factory=lambda: {"bid": ("bid",)})
    plans_ahead: int = 0

    def stretch(self, state: Any) -> int:
        return 1

    def stretches_since(self, state: Any, stretch: Plain) -> int | None:
        now = self.stretch(state)
        return now - stretch if isinstance(stretch, int) and 0 <= now - stretch <= self.plans_ahead else None


def read(order: Plain) -> Plain:
    if not isinstance(order, dict) or "bid" not in order:
        raise unreadable(verbatim("no bid"))
    if order["bid"] not in (1, 2, 3):
        raise illegal(verbatim("1 to 3"), "S4")
    return order


def ask(seat: str, **more: Any) -> Ask:
    return Ask(seat, "bid", f"S4 {seat}", msg("bid of {seat}?", seat=seat), read, ("bid",), default={"bid": 1}, **more)


BIDS = Simultaneous((ask("red"), ask("blue")), "S4")
TWO, THREE = {"bid": 2}, {"bid": 3}
SEAL = Due("nowak", "seal", "red", msg("bid of {seat}?", seat="red"), "S4 red")
ORDERS = Due("yamada", "orders", "blue", msg("bid of {seat}?", seat="blue"), "S4 blue")


@pytest.fixture
def desk() -> Any:
    """File 5 is at hand, the newest decision stands in file 4."""
    desk = Desk(game=Game())
    desk.ledger.entries = [Entry(str(n), "", "turn") for n in range(6)]
    desk.ledger.source, desk.ledger.rolls = 4, 2
    return desk


def hand(player: str, *orders: Plain, opens: list[Plain] | None = None) -> Hand:
    return Hand(player, 5, [*orders], FileSupply(opens or []))


def decide(desk: Any, by: Hand, request: Simultaneous = BIDS) -> Due | None:
    return decide_together(desk, request, by)


def as_before(desk: Any) -> bool:
    return (desk.ledger.source, desk.ledger.rolls, desk.ledger.entries[5].decides) == (4, 2, False)


def decided(desk: Any) -> bool:
    return (desk.ledger.source, desk.ledger.rolls, desk.ledger.entries[5].decides) == (5, 0, True)


# -- by hand ----------------------------------------------------------------------------------------------------------


def test_the_first_seat_has_to_seal(desk: Any) -> None:
    for by in (hand("yamada", THREE), hand("nowak")):
        assert decide(desk, by) == SEAL and as_before(desk)
    by = hand("nowak", {"sealed": HASH})
    assert decide(desk, by) is None and desk.ledger.sealed_answers == {"red": "red:seal5:0"} and decided(desk)
    assert desk.ledger.seals["red:seal5:0"].kind == "bid" and by.next == 1 and by.state == "state 0"
    assert decide(desk, by) == ORDERS and desk.engine.given == []


def test_who_has_to_seal_and_answers_openly_is_refused(desk: Any) -> None:
    by = hand("nowak", TWO, THREE)
    assert decide(desk, by) is None and desk.ledger.sealed_answers == {} and as_before(desk)
    assert by.unsealed is not None and (by.unsealed.seat, by.unsealed.read, by.unsealed.at) == ("red", read, 0)
    assert len(by.problems) == 1 and not by.has_orders


def test_the_last_seat_answers_openly(desk: Any) -> None:
    desk.ledger.sealed_answers["red"] = "red:seal3:0"
    for by in (hand("nowak", TWO), hand("yamada")):
        assert decide(desk, by) == ORDERS and as_before(desk)
    wrong = hand("yamada", {"bid": 9}, THREE)
    assert decide(desk, wrong) is None and desk.ledger.open_answers == {} and as_before(desk)
    (problem,) = wrong.problems
    assert (problem.order, problem.rule) == (0, "S4") and wrong.next == 1
    assert decide(desk, wrong) is None
    assert desk.ledger.open_answers == {"blue": THREE} and decided(desk) and desk.engine.given == []


def test_behind_the_last_answer_the_seals_open(desk: Any) -> None:
    handle, opening = sealed(desk, "nowak", 3, 0, TWO)
    desk.ledger.sealed_answers["red"], desk.ledger.open_answers["blue"] = handle, THREE
    due = Due("nowak", "open", "red", verbatim(handle), "S4 red")
    for by in (hand("yamada", opens=[opening]), hand("nowak")):
        assert decide(desk, by) == due and desk.engine.given == []
    assert decide(desk, hand("nowak", opens=[opening])) is None
    assert desk.engine.given == [{"blue": THREE, "red": TWO}]
    assert (desk.ledger.sealed_answers, desk.ledger.open_answers) == ({}, {})


def test_of_three_all_but_the_last_seal_and_open_in_their_order(desk: Any) -> None:
    desk.player_of = lambda seat: {"red": "nowak", "rust": "nowak", "blue": "yamada"}[seat]
    three = Simultaneous((ask("red"), ask("rust"), ask("blue")), "S4")
    first, second = (sealed(desk, "nowak", 3, n, bid) for n, bid in enumerate((TWO, THREE)))
    assert decide(desk, hand("yamada"), three) == SEAL
    desk.ledger.sealed_answers["red"] = first[0]
    due = decide(desk, hand("yamada"), three)
    assert due is not None and (due.what, due.seat) == ("seal", "rust")
    desk.ledger.sealed_answers["rust"] = second[0]
    assert decide(desk, hand("nowak"), three) == ORDERS
    desk.ledger.open_answers["blue"] = TWO
    due = decide(desk, hand("nowak"), three)
    assert due is not None and (due.what, due.detail) == ("open", verbatim(first[0]))
    due = decide(desk, hand("nowak", opens=[first[1]]), three)
    assert due is not None and (due.what, due.detail) == ("open", verbatim(second[0]))
    assert decide(desk, hand("nowak", opens=[second[1]]), three) is None
    assert desk.engine.given == [{"blue": TWO, "red": TWO, "rust": THREE}]


# -- standing orders --------------------------------------------------------------------------------------------------


def standing(desk: Any, player: str, *clauses: Plain, seals: tuple[str, ...] = ()) -> None:
    desk.ledger.standing.append(StandingOrder(2, player, "bid", [*clauses], [*seals]))


@pytest.mark.parametrize(("player", "seat"), [("nowak", "red"), ("yamada", "blue")])
def test_a_public_standing_order_has_said_so_before(desk: Any, player: str, seat: str) -> None:
    if seat == "blue":
        desk.ledger.sealed_answers["red"] = sealed(desk, "nowak", 3, 0, TWO)[0]
    standing(desk, player, {"do": {"bid": 9}}, {"do": THREE})
    due = decide(desk, hand("smith"))
    assert due is not None and due.player != player and due.what in ("orders", "open")
    assert desk.ledger.open_answers == {seat: THREE}
    assert desk.ledger.fired == [Fired(5, seat, "bid", THREE, "clause", 2, 2)] and as_before(desk)


def test_who_has_said_so_seals_nothing_and_both_together_are_answered_at_once(desk: Any) -> None:
    standing(desk, "nowak", {"do": TWO})
    standing(desk, "yamada", {"do": THREE})
    assert decide(desk, hand("smith")) is None and desk.engine.given == [{"red": TWO, "blue": THREE}]
    assert (desk.ledger.sealed_answers, desk.ledger.open_answers) == ({}, {})


@pytest.mark.parametrize("seals", [(), ("h",) * 8])
def test_a_standing_order_without_an_answer_or_a_sealed_one_says_nothing(desk: Any, seals: tuple[str, ...]) -> None:
    standing(desk, "nowak", {"do": TWO} if seals else {"do": {"bid": 9}}, seals=seals)
    assert decide(desk, hand("smith")) == SEAL and (desk.ledger.open_answers, desk.ledger.fired) == ({}, [])


def test_an_order_at_hand_goes_before_a_standing_order_while_nobody_knows_a_die(desk: Any) -> None:
    standing(desk, "nowak", {"do": TWO})
    assert decide(desk, hand("nowak", {"sealed": HASH})) is None
    assert (desk.ledger.open_answers, [*desk.ledger.sealed_answers]) == ({}, ["red"])
    standing(desk, "yamada", {"do": TWO})
    assert decide(desk, hand("yamada", THREE)) is None and desk.ledger.open_answers == {"blue": THREE}
    assert desk.ledger.fired == []


@pytest.mark.parametrize("orders", [(), ({"move": 1},), ("bid",)])
def test_other_orders_at_hand_leave_the_standing_order_its_answer(desk: Any, orders: tuple[Plain, ...]) -> None:
    standing(desk, "nowak", {"do": TWO})
    decide(desk, hand("nowak", *orders))
    assert desk.ledger.open_answers == ({} if orders == ("bid",) else {"red": TWO})


def test_who_knows_a_die_orders_nothing_instead_of_what_he_has_said(desk: Any) -> None:
    desk.no_die_is_known = False
    standing(desk, "nowak", {"do": TWO})
    by = hand("nowak", {"sealed": HASH})
    decide(desk, by)
    assert desk.ledger.open_answers == {"red": TWO} and desk.ledger.sealed_answers == {} and by.next == 0


# -- plans ------------------------------------------------------------------------------------------------------------


def plan(desk: Any, player: str, *steps: dict[str, Plain], seals: tuple[str, ...] = ()) -> PlanHeld:
    held = PlanHeld(2, player, 1, [*steps], [*(seals or ("",) * len(steps))], [0] * len(steps))
    desk.ledger.plans.append(held)
    return held


def step(seat: str, *do: Plain) -> dict[str, Plain]:
    return {"at": "bid", "seat": seat, "do": [*do]}


def shut(desk: Any, player: str, seat: str, number: int, *do: Plain) -> tuple[dict[str, Plain], str, dict[str, Plain]]:
    """A sealed step as it is shown, its handle and its opening."""
    handle, opening = sealed(desk, player, 2, number, {"do": [*do]})
    return {"at": "bid", "seat": seat, "sealed": HASH}, handle, opening


@pytest.mark.parametrize(("player", "seat"), [("nowak", "red"), ("yamada", "blue")])
def test_an_open_plan_has_said_so_before(desk: Any, player: str, seat: str) -> None:
    if seat == "blue":
        desk.ledger.sealed_answers["red"] = sealed(desk, "nowak", 3, 0, TWO)[0]
    plan(desk, player, step(seat, THREE))
    due = decide(desk, hand("smith"))
    assert due is not None and due.player != player and desk.ledger.open_answers == {seat: THREE} and as_before(desk)
    assert desk.ledger.fired == [Fired(5, seat, "bid", THREE, "plan", 2, 1)]


def test_both_plans_together_are_answered_at_once(desk: Any) -> None:
    plan(desk, "nowak", step("red", TWO))
    plan(desk, "yamada", step("blue", THREE))
    assert decide(desk, hand("smith")) is None and desk.engine.given == [{"red": TWO, "blue": THREE}]


def test_sealed_steps_are_the_seal_and_the_first_that_applies_answers_when_they_open(desk: Any) -> None:
    first, second = shut(desk, "nowak", "red", 0, {"bid": 9}), shut(desk, "nowak", "red", 1, TWO)
    plan(desk, "nowak", first[0], second[0], seals=(first[1], second[1]))
    assert decide(desk, hand("smith")) == ORDERS and desk.ledger.sealed_answers == {"red": "plan"}
    assert decide(desk, hand("yamada", THREE)) is None
    due = decide(desk, hand("yamada"))
    assert due == Due("nowak", "open", "red", verbatim(first[1]), "S4 red")
    assert decide(desk, hand("nowak", opens=[first[2], second[2]])) is None
    assert desk.engine.given == [{"blue": THREE, "red": TWO}] and desk.ledger.sealed_answers == {}


def test_where_no_sealed_step_applies_the_default_holds(desk: Any) -> None:
    made, handle, opening = shut(desk, "nowak", "red", 0, {"bid": 9})
    plan(desk, "nowak", made, seals=(handle,))
    desk.ledger.open_answers["blue"] = THREE
    decide(desk, hand("smith"))
    assert decide(desk, hand("nowak", opens=[opening])) is None and desk.engine.given == [{"blue": THREE, "red": {"bid": 1}}]


def test_a_sealed_step_of_the_last_seat_is_opened_before_it_answers(desk: Any) -> None:
    desk.ledger.sealed_answers["red"] = sealed(desk, "nowak", 3, 0, TWO)[0]
    made, handle, opening = shut(desk, "yamada", "blue", 0, THREE)
    plan(desk, "yamada", made, seals=(handle,))
    assert decide(desk, hand("smith")) == Due("yamada", "open", "blue", verbatim(handle), "S4 blue")
    assert desk.ledger.open_answers == {}
    due = decide(desk, hand("yamada", opens=[opening]))
    assert due is not None and due.player == "nowak" and desk.ledger.open_answers == {"blue": THREE}


def test_an_order_at_hand_goes_before_a_plan_and_has_done_with_it(desk: Any) -> None:
    made, handle, _ = shut(desk, "nowak", "red", 0, TWO)
    sealed_plan = plan(desk, "nowak", made, seals=(handle,))
    assert decide(desk, hand("nowak", {"sealed": HASH})) is None
    assert desk.ledger.sealed_answers == {"red": "red:seal5:0"} and sealed_plan.over
    open_plan = plan(desk, "yamada", step("blue", TWO))
    assert decide(desk, hand("yamada", THREE)) is None
    assert desk.ledger.open_answers == {"blue": THREE} and open_plan.over and desk.ledger.fired == []


def test_who_knows_a_die_orders_nothing_instead_of_his_plan(desk: Any) -> None:
    desk.no_die_is_known = False
    held = plan(desk, "nowak", step("red", TWO))
    decide(desk, hand("nowak", {"sealed": HASH}))
    assert desk.ledger.open_answers == {"red": TWO} and not held.over


def test_what_was_said_is_not_asked_again(desk: Any) -> None:
    """A plan with two orders: the second is for the next decision."""
    held = plan(desk, "nowak", step("red", TWO, THREE))
    for _ in range(2):
        assert decide(desk, hand("smith")) == ORDERS
    assert held.used == [1] and desk.ledger.open_answers == {"red": TWO}
