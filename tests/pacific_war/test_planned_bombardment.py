"""[PW-BOM-01] Ships bombard as it was planned before: a file fewer, and no choice for who can compute the dice."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pbem.games.pacific_war.records import Base
from pbem.games.pacific_war.sea.bombardment import bombardment
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from tests.pacific_war.staged_files import Scene, perform
from tests.pacific_war.test_hidden_hands import audited
from tests.pacific_war.test_hidden_land import BOMBERS, DIVISION, HEAVY, MANILA, WING, fleet, luzon, put
from tests.toygame.party import Person

J = "japan"
FIELD: Plain = {"bombard": {HEAVY: "airfield"}}
AT_FORCE: list[Plain] = [{"bombard": {HEAVY: "force"}}, {"bombard": {HEAVY: DIVISION}}]


def off_manila(*, hidden: bool) -> State:
    g = luzon()
    fleet(g, "J1", MANILA, HEAVY)
    put(g, MANILA, DIVISION, WING, hidden=hidden)
    g.airfields[MANILA] = Base("allies", size=18)
    g.advantage = J
    g.memo.forget()
    return g


def bombarding(plan: list[Plain], *, hidden: bool = False, by_hand: Sequence[Plain] = ()) -> list[Person]:
    orders: dict[tuple[str, str], list[Plain]] = {(J, "bombard"): [*by_hand]} if by_hand else {}
    plans = {J: plan} if plan else {}
    return perform(Scene(lambda: off_manila(hidden=hidden), bombardment, orders, plans=plans))


def answers(party: list[Person]) -> list[tuple[str, Plain]]:
    return [(f.by, f.order) for f in party[0].table.ledger.fired if f.kind == "bombard"]


def files(party: list[Person]) -> int:
    """Of the side that bombards, with an order in them."""
    return sum(d.get("player") == "yamada" and bool(d.get("orders")) for d in party[0].log)


@pytest.mark.parametrize("sealed", [False, True])
def test_an_airfield_is_bombarded_without_another_file_of_orders(sealed: bool) -> None:
    step: dict[str, Plain] = {"at": "bombard", "do": [FIELD]}
    planned = bombarding([{**step, "sealed": True} if sealed else step])
    by_hand = bombarding([], by_hand=[FIELD])
    assert answers(planned) == [("plan", FIELD)] and answers(by_hand) == []
    assert [r["label"] for d in planned[0].log for r in d.get("dice", ())] == [f"{HEAVY} bombards airfield"]
    assert files(planned) == files(by_hand) == 1, "that with the plan; by hand that with the order"
    assert audited(planned) is None


def test_troops_behind_a_force_marker_are_picked_by_the_same_step() -> None:
    """Its owner shows them in between, and with them the link: who picked only then would know the dice."""
    party = bombarding([{"at": "bombard", "do": AT_FORCE}], hidden=True)
    assert answers(party) == [("plan", order) for order in AT_FORCE] and files(party) == 1
    assert [c.kind for c in party[0].table.ledger.claims] == ["force"]
    assert audited(party) is None


def test_a_target_that_is_not_there_is_left_out_and_told_and_the_next_step_fires() -> None:
    plan: list[Plain] = [
        {"at": "bombard", "when": "enemy at manila = 0", "do": ["pass"]},
        {"at": "bombard", "do": [{"bombard": {HEAVY: BOMBERS}}], "else": "drop"},
        {"at": "bombard", "do": [FIELD]},
    ]
    assert answers(bombarding(plan)) == [("passed", ["pass"]), ("passed", {"bombard": {HEAVY: BOMBERS}}), ("plan", FIELD)]
