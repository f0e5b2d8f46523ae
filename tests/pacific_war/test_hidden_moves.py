"""[PW-FOG-01] Forces that move unseen: new Force markers, what they may not do, and what an owner who lies is caught at."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pbem.games.pacific_war.cycle.contact import contact_air, contact_land
from pbem.games.pacific_war.secret.forces import roster, whole
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Claim, Commit
from pbem.kernel.forms import Partial
from pbem.kernel.orders import Rejected
from pbem.kernel.wording import english
from tests.generic.test_forms import walk
from tests.pacific_war import table
from tests.pacific_war.test_muster import MARINES, NOUMEA, at_activation, muster, order

LILLE, BOMBERS = 234, "11th Bomb Group"
BRISBANE, PORT_MORESBY = 722, 1426


def stirring_at_noumea() -> State:
    """The Allies have activated a regiment and a bomb group in secret; a contact phase is about to begin."""
    engine = at_activation()
    assert muster(engine, order([MARINES, BOMBERS]))
    state = engine.state
    state.phase, state.moved = "contact", {}
    return state


def secret_order(state: State, rule: Any, plain: Plain) -> Commit:
    """The moves of a phase are sealed; the request that takes them, after which `rule` waits."""
    request = next(rule)
    while not isinstance(request, Commit):
        if isinstance(request, Ask) and request.kind == "show":
            request = rule.send(request.read({"show": "none"}))
        elif isinstance(request, Ask) and request.kind.endswith("_hidden"):
            request = rule.send(request.read({request.kind: "yes"}))
        else:
            assert isinstance(request, Claim), request
            request = rule.send(request.truth(table.behind))
    return request


def carried_out(state: State, rule: Any, plain: Plain) -> list[tuple[str, Plain]]:
    """What the owner states after his sealed order."""
    secret_order(state, rule, plain)
    request = rule.send(f"seal 2 {json.dumps(plain)}")
    stated: list[tuple[str, Plain]] = []
    while isinstance(request, Claim):
        stated.append((request.kind, request.truth(table.behind)))
        try:
            request = rule.send(stated[-1][1])
        except StopIteration:
            break
    return stated


def test_troops_that_march_unseen_stand_behind_a_new_force_marker() -> None:
    state = stirring_at_noumea()
    before = state.forces["allies"]
    stated = carried_out(state, contact_land(state, False), {"march": {MARINES: [LILLE]}})
    assert stated == [("lawful", True), ("forces", sorted([*before, LILLE]))]
    assert state.forces["allies"] == sorted([*before, LILLE])
    assert roster(state, "allies", table.behind)[MARINES].at == LILLE
    assert state.units[MARINES].at == NOUMEA, "what everybody last saw"


def test_aircraft_that_fly_unseen_become_part_of_another_force() -> None:
    state = stirring_at_noumea()
    before = [*state.forces["allies"]]
    stated = carried_out(state, contact_air(state, False), {"fly": {BOMBERS: BRISBANE}})
    assert stated == [("lawful", True), ("forces", before)]
    assert whole(state, "allies", table.behind).units[BOMBERS].at == BRISBANE


def test_two_flights_in_a_row() -> None:
    state = stirring_at_noumea()
    assert carried_out(state, contact_air(state, False), {"fly": {BOMBERS: [BRISBANE, NOUMEA]}})[0] == ("lawful", True)
    assert whole(state, "allies", table.behind).units[BOMBERS].at == NOUMEA


@pytest.mark.parametrize(
    ("rule", "order"),
    [(contact_land, {"march": {MARINES: [LILLE]}}), (contact_air, {"fly": {BOMBERS: [BRISBANE, NOUMEA]}})],
)
def test_unseen_moves_are_picked_by_what_their_owner_knows(rule: Any, order: Plain) -> None:
    state = stirring_at_noumea()
    ask = secret_order(state, rule(state, False), order)
    assert ask.form is not None

    def may_seal(plain: Plain) -> Plain:
        ask.check(plain, table.behind)
        return plain

    form = ask.form(may_seal, table.behind)
    assert walk(form, form.partial(order)).orders == (order,)
    assert english(form.step(Partial()).picks[0].name) in ("march", "fly")


def judged(state: State, rule: Any, plain: Plain) -> str:
    """Why the owner's own program refuses a sealed order."""
    commit = secret_order(state, rule, plain)
    assert commit.judge is not None
    with pytest.raises(Rejected) as caught:
        commit.judge(plain, table.behind)
    return str(caught.value)


@pytest.mark.parametrize(
    ("plain", "words"),
    [
        ({"march": {MARINES: [LILLE, NOUMEA, LILLE, NOUMEA]}}, "movement points"),
        ({"march": {MARINES: [BRISBANE]}}, "not next to"),
        ({"march": {"1st Marine Regiment": [LILLE]}}, "not activated"),
        ({"march": {"144th Regiment": [1629]}}, "not one of your"),
        ({"march": {BOMBERS: [LILLE]}}, "not one of your ground units"),
    ],
)
def test_a_march_is_judged_as_an_open_one(plain: Plain, words: str) -> None:
    state = stirring_at_noumea()
    assert words in judged(state, contact_land(state, False), plain)


def test_nobody_marches_unseen_into_what_the_enemy_holds() -> None:
    state = stirring_at_noumea()
    state.control[LILLE] = "japan"
    assert "the enemy's" in judged(state, contact_land(state, False), {"march": {MARINES: [LILLE]}})


def test_nobody_marches_unseen_past_a_force_of_the_enemy() -> None:
    state = stirring_at_noumea()
    state.forces["japan"] = [*state.forces["japan"], LILLE]
    assert "the enemy's" in judged(state, contact_land(state, False), {"march": {MARINES: [LILLE]}})


def test_nobody_flies_unseen_where_enemy_aircraft_may_be() -> None:
    state = stirring_at_noumea()
    state.forces["japan"] = [*state.forces["japan"], 721]
    assert "may meet enemy aircraft" in judged(state, contact_air(state, False), {"fly": {BOMBERS: BRISBANE}})


def test_an_unseen_flight_ends_on_an_airfield() -> None:
    state = stirring_at_noumea()
    assert "no hex" in judged(state, contact_air(state, False), {"fly": {BOMBERS: "CV3 Yorktown"}})


def test_an_order_that_does_not_hold_moves_nobody() -> None:
    state = stirring_at_noumea()
    stated = carried_out(state, contact_land(state, False), {"march": {"1st Marine Regiment": [LILLE]}})
    assert stated == [("lawful", False)]
    assert roster(state, "allies", table.behind)["1st Marine Regiment"].at == NOUMEA


def test_who_has_nothing_stirring_is_not_asked() -> None:
    state = stirring_at_noumea()
    state.stirring["allies"] = False
    kinds = []
    rule = contact_land(state, False)
    request = next(rule, None)
    while isinstance(request, Ask) and request.kind == "show":
        kinds.append(request.kind)
        try:
            request = rule.send(request.read({"show": "none"}))
        except StopIteration:
            request = None
    assert kinds == ["show"] and request is None
