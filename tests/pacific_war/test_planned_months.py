"""[PW-RNF-01] What a month of the strategic game asks beside its paperwork is planned: merchant shipping, new submarines."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.month.shipping import merchant_points, submarines
from pbem.games.pacific_war.sea.submarines import submarine_combat
from pbem.games.pacific_war.state import STRATEGIC, State
from pbem.kernel.canon import Plain
from tests.pacific_war import table
from tests.pacific_war.staged_files import Rule, Scene, perform
from tests.pacific_war.test_hidden_hands import audited
from tests.pacific_war.test_hidden_land import fleet, luzon, put
from tests.pacific_war.test_plannable_here import here, state_of
from tests.toygame.party import Person

J, A = "japan", "allies"
HQ = "South Seas"
SEA, BOAT, PREY = 3818, "SS5 5th Squadron", "CA2 Chicago"
BUYS: Plain = {"buy": {HQ: 2}}


def at_home() -> State:
    """December 1941; a Japanese headquarters has points."""
    g: State = table.begin("strategic-1941").state
    for h in g.hqs.values():
        h.points = 0
    next(h for name, h in g.hqs.items() if name == HQ).points = 9
    g.memo.forget()
    return g


def shipping(g: State) -> Any:
    return merchant_points(g, 3)


def boats(g: State) -> Any:
    return submarines(g, J, 2)


def played(rule: Rule, plan: list[Plain]) -> list[Person]:
    return perform(Scene(at_home, rule, plans={J: plan}))


def answers(party: list[Person]) -> list[tuple[str, Plain]]:
    return [(f.by, f.order) for f in party[0].table.ledger.fired if f.kind in ("merchants", "submarines")]


@pytest.mark.parametrize("sealed", [False, True])
def test_merchant_shipping_is_bought_by_plan(sealed: bool) -> None:
    step: dict[str, Plain] = {"at": "merchants", "do": [BUYS, "done"]}
    party = played(shipping, [{**step, "sealed": True} if sealed else step])
    assert answers(party) == [("plan", BUYS), ("plan", "done")]
    g = party[0].table.engine.state
    assert g.hqs[HQ].points == 3 and g.ledger["merchants"] == at_home().ledger["merchants"] + 2
    assert audited(party) is None


def test_a_headquarters_that_cannot_pay_is_told_and_the_next_one_is_tried() -> None:
    dear: Plain = {"buy": {HQ: 4}}
    party = played(shipping, [{"at": "merchants", "do": [dear, BUYS, "done"], "else": "drop"}])
    assert answers(party) == [("passed", dear), ("plan", BUYS), ("plan", "done")]


def test_new_submarine_steps_are_placed_by_plan() -> None:
    party = played(boats, [{"at": "submarines", "do": [{"submarines": "none"}]}])
    assert answers(party) == [("plan", {"submarines": "none"})]
    assert audited(party) is None


@pytest.mark.parametrize("sealed", [False, True])
@pytest.mark.parametrize("word", ["yes", "no"])
def test_submarines_attack_or_let_pass_as_it_was_planned_before_anybody_knew_the_die(word: str, sealed: bool) -> None:
    """The task force is shown first, and with it the link that turns the die of the attack."""

    def met() -> State:
        g = luzon()
        fleet(g, "A1", SEA, PREY)
        put(g, SEA, BOAT)
        return g

    step: dict[str, Plain] = {"at": "submarines", "do": [{"submarines": word}]}
    plan: list[Plain] = [{**step, "sealed": True} if sealed else step]
    party = perform(Scene(met, lambda g: submarine_combat(g, J, SEA), plans={J: plan}))
    assert answers(party) == [("plan", {"submarines": word})]
    attacked = any(r["label"].startswith("submarine attacks") for d in party[0].log for r in d.get("dice", ()))
    assert attacked == (word == "yes")
    assert audited(party) is None


def test_who_may_plan_for_them() -> None:
    assert {"merchants", "submarines"} <= here("strategic-1941")
    assert "merchants" not in here("guadalcanal") and "submarines" in here("guadalcanal"), "boats that meet ships attack"
    g = state_of(False, 0)
    assert GAME.may_ask(g, "submarines", 0) == GAME.may_ask(g, "merchants", 0) == (g.level == STRATEGIC)
    assert GAME.may_ask(state_of(True, 2), "submarines", 1) and not GAME.may_ask(state_of(True, 2), "merchants", 1)
