"""[PW-CMD-01] [PW-CMD-04] [PW-CMD-05] Command points that only their owner knows, on the bare engine."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pbem.games.pacific_war.records import Allotment, Headquarters
from pbem.games.pacific_war.secret.points import afford, balance, bid_of, ledger, pay, payer, read_reserve, spend_bid
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.veils import Allotted
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Flow
from pbem.kernel.orders import Rejected
from pbem.kernel.records import to_plain
from tests.pacific_war import random_play, table

HERE, THERE = "South Pacific", "South West Pacific"


def sealed(*allocations: tuple[int, int, Plain]) -> State:
    """Guadalcanal with a second Allied headquarters: by month the points and what is sealed about them."""
    g: State = table.begin("guadalcanal", points="sealed").state
    g.accounts.clear()
    g.hqs[THERE] = Headquarters("allies", 1, 17, 2)
    for month, total, shares in allocations:
        g.month = month
        handle = f"seal {month} {json.dumps({'allocate': shares})}"
        emit(g, Allotted("allies", Allotment(month, handle, total, [HERE, THERE]), total, "PW-CMD-04"))
    return g


def points(g: State) -> dict[str, int]:
    return {n: k for n, k in ledger(g, "allies", table.behind)[0].items() if k}


def truly(flow: Flow[Any]) -> Any:
    """The flow with true statements; its result."""
    try:
        request = next(flow)
        while True:
            assert isinstance(request, Claim)
            request = flow.send(request.truth(table.behind))
    except StopIteration as end:
        return end.value


def test_what_is_sealed_is_what_the_headquarters_have() -> None:
    assert points(sealed((36, 30, {HERE: 20, "south west pacific": 10}))) == {HERE: 20, THERE: 10}


def test_the_other_side_learns_only_what_a_headquarters_can_have_at_most() -> None:
    one, other = sealed((36, 30, {HERE: 30})), sealed((36, 30, {THERE: 1}))
    for g in (one, other):
        g.accounts["allies"].allotments[0].handle = "sealed"
    assert to_plain(one) == to_plain(other)
    assert one.hqs[HERE].points == one.hqs[THERE].points == 30


@pytest.mark.parametrize(
    "shares", [{HERE: 31}, {"Central Pacific": 5}, {HERE: -1}, {HERE: 25, "reserve": {"month": 35, "points": 6}}]
)
def test_a_sealed_allocation_that_is_not_legal_gives_all_to_the_first(shares: Plain) -> None:
    assert points(sealed((36, 30, shares))) == {HERE: 30}


RESERVE: Plain = {HERE: 10, "reserve": {"month": 34, "points": 20}}


def test_a_sealed_reserve_comes_in_its_month_to_one_headquarters() -> None:
    more: Plain = {HERE: 20, "reserve": {"month": 34, "points": 10}}
    assert points(sealed((36, 30, RESERVE), (35, 30, more))) == {HERE: 20}
    assert points(sealed((36, 30, RESERVE), (35, 30, more), (34, 30, {HERE: 16, THERE: 14}))) == {HERE: 46, THERE: 14}
    assert points(sealed((36, 30, RESERVE), (35, 30, more), (34, 30, {HERE: 16, "release": THERE}))) == {HERE: 16, THERE: 30}


def test_only_one_reserve_at_a_time() -> None:
    second: Plain = {THERE: 20, "reserve": {"month": 33, "points": 10}}
    assert points(sealed((36, 30, RESERVE), (35, 30, second))) == {HERE: 30}, "not legal: all to the first"


def test_what_is_spent_comes_off_and_lapses_with_the_month() -> None:
    g = sealed((36, 30, {HERE: 20, THERE: 10}))
    pay(g, THERE, 4, "PW-ACT-03")
    assert points(g) == {HERE: 20, THERE: 6} and g.hqs[HERE].points == g.hqs[THERE].points == 26
    pay(g, THERE, -1, "PW-TIM-02")
    assert points(g) == {HERE: 20, THERE: 7}
    emit(g, Allotted("allies", Allotment(35, f"seal 1 {json.dumps({'allocate': {HERE: 5}})}", 5, [HERE]), 5, "PW-CMD-04"))
    assert points(g) == {HERE: 5}


@pytest.mark.parametrize(("price", "able"), [(10, True), (11, False)])
def test_the_owner_states_whether_a_headquarters_can_pay(price: int, able: bool) -> None:
    g = sealed((36, 30, {HERE: 20, THERE: 10}))
    assert truly(afford(g, "allies", THERE, price, "PW-ACT-03")) is able


def test_a_dispersed_headquarters_has_nothing() -> None:
    g = sealed((36, 30, {HERE: 20, THERE: 10}))
    g.hqs[THERE].box = "involuntary"
    assert balance(g, "allies", THERE, table.behind) == 0


@pytest.mark.parametrize(("price", "who"), [(5, THERE), (20, THERE), (21, "")])
def test_the_richest_headquarters_pays(price: int, who: str) -> None:
    g = sealed((36, 30, {HERE: 10, THERE: 20}))
    assert truly(payer(g, "allies", [HERE, THERE], price, "PW-TIM-03", richest=True)) == who


def test_what_is_left_of_a_bid_comes_from_its_headquarters_then_from_the_richest() -> None:
    g = sealed((36, 30, {HERE: 10, THERE: 20}))
    spend_bid(g, "allies", 15, HERE, "PW-ACT-03")
    assert points(g) == {THERE: 15}


@pytest.mark.parametrize(("bid", "stands"), [(0, 0), (16, 16), (17, 0)])
def test_a_bid_stands_if_one_headquarters_can_pay_it(bid: int, stands: int) -> None:
    assert truly(bid_of(sealed((36, 30, {HERE: 14, THERE: 16})), "allies", bid, True)) == stands


@pytest.mark.parametrize(("first", "bid", "stands"), [(True, 0, 20), (True, 19, 20), (True, 30, 30), (False, 0, 0)])
def test_the_first_bid_of_the_month_is_at_least_the_sealed_reserve(first: bool, bid: int, stands: int) -> None:
    g = sealed((36, 30, RESERVE), (35, 30, {HERE: 30}), (34, 30, {HERE: 30}))
    assert truly(bid_of(g, "allies", bid, first)) == stands


def test_open_points_need_no_statement() -> None:
    g = table.begin("guadalcanal").state
    g.hqs[HERE].points = 5
    assert truly(afford(g, "allies", HERE, 5, "PW-ACT-03")) is True
    assert list(payer(g, "allies", [HERE], 6, "PW-TIM-03")) == []


@pytest.mark.parametrize("seed", range(4))
def test_in_random_play_nobody_honest_spends_more_than_he_has(seed: int) -> None:
    """Whatever is tried: balances stay between nothing and what everybody knows to be the most."""
    tried: set[str] = set()

    def watch(engine: Engine) -> None:
        g, request = engine.state, engine.request
        tried.update([request.kind] if isinstance(request, Claim) else [])
        for side in g.accounts:
            for name, n in ledger(g, side, table.behind)[0].items():
                assert n >= 0, f"{name} has {n}"
                assert g.hqs[name].box != "map" or n <= g.hqs[name].points, f"{name} has {n}"

    engine = random_play.play("guadalcanal", seed, watch, points="sealed", forces="sealed")
    assert engine.state.winner and {"afford", "payer", "bid"} <= tried


def test_a_reserve_is_kept_for_a_month_by_its_name_or_its_number() -> None:
    assert read_reserve({"month": "September 1942", "points": 10}, 36, (0, 0), 30) == (35, 10)
    assert read_reserve({"month": "oct", "points": "7"}, 36, (0, 0), 30) == (34, 7)
    assert read_reserve({"month": 32, "points": 1}, 36, (0, 0), 30) == (32, 1)
    assert read_reserve({"month": "35", "points": 1}, 36, (35, 10), 30) == (35, 1)


@pytest.mark.parametrize(
    ("month", "told"),
    [
        ("August 1942", "'August 1942'"),
        ("", "''"),
        ("1942", "'1942'"),
        (36, "36"),
        (31, "31"),
        ([35], "[35]"),
    ],
)
def test_a_reserve_for_another_month_is_refused_with_the_months_that_there_are(month: Plain, told: str) -> None:
    with pytest.raises(Rejected) as refused:
        read_reserve({"month": month, "points": 10}, 36, (0, 0), 30)
    there = "September 1942, October 1942, November 1942, December 1942"
    assert str(refused.value) == f"not allowed: no month that may be meant: {told} [PW-CMD-05]; {there}"


def test_a_second_reserve_is_refused_by_the_name_of_the_month_of_the_first() -> None:
    with pytest.raises(Rejected, match="the reserve is kept for September 1942"):
        read_reserve({"month": "October 1942", "points": 10}, 36, (35, 10), 30)


def test_in_the_last_month_nothing_can_be_kept() -> None:
    with pytest.raises(Rejected):
        read_reserve({"month": 1, "points": 10}, 1, (0, 0), 30)
