"""Plans in Skirmish: red plans his march day by day; what dice and blue bring decides, and nobody chooses with known dice.

Red's first day is ordered by hand with the plan; blue lets him pass, and the weather of the day is rolled from blue's file by
the link of red's next one. Red can compute it, and is then asked whether he marches on.
"""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import planned
from pbem.runtime.audit import audit
from pbem.runtime.composing import Draft
from pbem.runtime.ledger import PlanHeld
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused
from tests.toygame.party import Person, send
from tests.toygame.test_attacks import advance_to, due, refused, signed
from tests.toygame.test_seats import named
from tests.toygame.test_skirmish import disclosures, people, play


def passed(plan: list[Plain], storm: bool = False) -> list[Person]:
    """Red marches with a plan and blue lets him pass: red's file with the weather, which is a storm or none, is due."""
    for seed in range(40):
        party = people()
        advance_to(party, "red", "march", seed)
        send(party, Draft(orders=["go"], plan=plan))
        while party[0].table.due.what != "orders":
            send(party, Draft())
        send(party, Draft(orders=["let pass"]))
        (weather,) = named(party, "nowak").write(Draft()).document["dice"][0]["dice"]
        if (weather == 6) == storm:
            return party
    raise AssertionError("no such weather")


def told(party: list[Person]) -> list[tuple[str, Plain, str]]:
    return [(f.by, f.order, f.why[0].reason if f.why else "") for f in party[0].table.ledger.fired]


def wanted(party: list[Person]) -> tuple[str, str, str]:
    table = party[0].table
    return table.due.player, table.due.what, getattr(table.engine.request, "kind", "")


def test_a_step_answers_with_the_dice_of_its_owner_s_own_link() -> None:
    party = passed([{"at": "march", "do": ["go"]}])
    assert wanted(party)[:2] == ("nowak", "witness"), "the weather is rolled from blue's file"
    document = send(party, Draft())
    assert document["dice"] and "orders" not in document
    assert told(party)[-1] == ("plan", "go", "") and wanted(party) == ("yamada", "orders", "stop")


def test_who_can_compute_the_dice_gives_no_order_instead_of_his_plan() -> None:
    party = passed([{"at": "march", "do": ["go"]}])
    red = named(party, "nowak")
    with pytest.raises(Refused, match="left over"):
        red.write(Draft(orders=["halt"]))
    forged = signed(red, Draft(), orders=["halt"])
    assert refused(party, forged).outcome is Outcome.REFUSED


def test_a_new_plan_in_the_file_that_shows_the_dice_does_not_count() -> None:
    party = passed([{"at": "march", "do": ["go"]}])
    forged = signed(named(party, "nowak"), Draft(), plan=[{"at": "march", "do": ["halt"]}])
    assert refused(party, forged).outcome is Outcome.REFUSED
    assert planned.in_force(party[0].table, "nowak") is not None


def test_without_a_plan_red_may_order_behind_the_dice() -> None:
    party = passed([{"at": "march", "when": "at > 5", "do": ["go"]}])
    send(party, Draft())
    assert told(party)[-1] == ("passed", ["go"], "condition") and wanted(party) == ("nowak", "orders", "march")


@pytest.mark.parametrize(("when", "order"), [("at = 1", "go"), ("at = 1 and month = 2", "halt"), ("not at = 1", "halt")])
def test_of_several_steps_the_first_whose_condition_holds_answers(when: str, order: str) -> None:
    party = passed([{"at": "march", "when": when, "do": ["go"]}, {"at": "march", "do": ["halt"]}])
    send(party, Draft())
    assert told(party)[-1] == ("plan", order, "")


def test_a_condition_is_judged_when_its_question_comes_and_never_again() -> None:
    """`at` is 1 at the first question and 2 at the second."""
    party = passed([{"at": "march", "when": "at = 2", "do": ["halt"]}, {"at": "march", "do": ["go", "go"]}])
    send(party, Draft())
    send(party, Draft(orders=["let pass"]))
    send(party, Draft())
    assert [order for by, order, _ in told(party) if by == "plan"] == ["go", "go"]


def test_a_step_that_has_begun_goes_on_whatever_becomes_of_its_condition() -> None:
    party = passed([{"at": "march", "when": "at = 1", "do": ["go", "go"]}])
    send(party, Draft())
    send(party, Draft(orders=["let pass"]))
    send(party, Draft())
    state = party[0].table.engine.state
    assert [by for by, _, _ in told(party)] == (["plan"] if state.at == 0 else ["plan"] * 2)


def test_a_plan_of_a_file_behind_the_source_is_not_yet_in_force() -> None:
    party = passed([{"at": "march", "do": ["go"]}])
    table = party[0].table
    (held,) = table.ledger.plans
    table.ledger.plans.append(PlanHeld(table.last + 1, "nowak", held.stretch, [*held.steps], [""], [0]))
    assert planned.in_force(table, "nowak") is held


def test_an_illegal_order_ends_the_plan_and_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.toygame import skirmish

    monkeypatch.setitem(skirmish.GAME.plannable, "march", ("go", "halt", "fly"))
    party = passed([{"at": "march", "do": ["fly", "go"]}])
    send(party, Draft())
    assert told(party)[-1] == ("stopped", "fly", "illegal") and wanted(party) == ("nowak", "orders", "march")
    assert planned.in_force(party[0].table, "nowak") is None
    dropped = passed([{"at": "march", "do": ["fly", "go"], "else": "drop"}])
    send(dropped, Draft())
    assert told(dropped)[-2:] == [("passed", "fly", "illegal"), ("plan", "go", "")]


def test_a_plan_ends_with_its_month() -> None:
    party = passed([{"at": "march", "do": ["halt"]}, {"at": "march", "do": ["go"]}])
    send(party, Draft())
    advance_to(party, "red", "march", 3)
    assert party[0].table.engine.state.round == 2
    assert [by for by, _, _ in told(party)].count("plan") == 1


@pytest.mark.parametrize("sealed", [{}, {"sealed": True}], ids=["open", "sealed"])
def test_a_step_for_a_later_month_waits_for_it(sealed: dict[str, Plain]) -> None:
    """It answers nothing in the month of its file; those of that month answer nothing in the next."""
    now: Plain = {"at": "march", "do": ["halt", "go"]}
    party = passed([{"at": "march", "do": ["go"], "later": 1, **sealed}, now])
    if sealed:
        assert party[0].table.ledger.plans[-1].steps[0].keys() == {"at", "seat", "later", "sealed"}
    send(party, Draft())
    assert told(party)[-1] == ("plan", "halt", "")
    advance_to(party, "blue", "stop")
    assert party[0].table.engine.state.round == 2
    assert [order for by, order, _ in told(party) if by == "plan"] == ["halt", "go"]


def test_a_sealed_step_says_no_other_month_than_it_shows(monkeypatch: pytest.MonkeyPatch) -> None:
    """What its content says of `later` counts for nothing: it is due when it is shown to be."""
    from pbem.runtime import composing

    hidden = composing._with_shut
    monkeypatch.setattr(composing, "_with_shut", lambda step, seal: hidden(step, lambda c: seal({**c, "later": 1})))
    party = passed([{"at": "march", "do": ["go", "go"], "sealed": True}])
    send(party, Draft())
    send(party, Draft(orders=["let pass"]))
    send(party, Draft())
    assert [order for by, order, _ in told(party) if by == "plan"] == ["go", "go"]


def test_who_orders_by_hand_what_he_planned_has_done_with_the_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blue's word is planned. Where he could compute the dice the plan answers; while nobody can, his hand goes before it."""
    party = people()
    red = advance_to(party, "red", "march")
    blue = named(party, "yamada")
    send(party, Draft(orders=["go"]))
    assert red.table.due.player == "yamada"
    for person in party:
        person.table.ledger.plans.append(PlanHeld(1, "yamada", 1, [{"at": "stop", "seat": "blue", "do": ["stop"]}], [""], [0]))
    by_plan = blue.write(Draft()).table.ledger
    assert by_plan.fired[-1].by == "plan" and not by_plan.plans[-1].over
    with pytest.raises(Refused, match="left over"):
        blue.write(Draft(orders=["let pass"]))
    monkeypatch.setattr(Table, "no_die_is_known", True)
    by_hand = blue.write(Draft(orders=["let pass"])).table.ledger
    assert not by_hand.fired and by_hand.plans[-1].over


# -- sealed steps ----------------------------------------------------------------------------------------------------


SEALED: list[Plain] = [{"at": "march", "do": ["go"], "sealed": True}]


def test_a_sealed_step_shows_its_question_alone_and_is_opened_when_it_is_due() -> None:
    party = passed([*SEALED, {"at": "march", "when": "at = 7", "do": ["halt"], "sealed": True}])
    shown = next(d["plan"] for d in party[0].log[1:] if "plan" in d)
    assert [sorted(step) for step in shown] == [["at", "sealed"]] * 2
    document = send(party, Draft())
    assert [o["order"] for o in document["open"]] == [{"do": ["go"]}] and document["dice"]
    assert told(party)[-1] == ("plan", "go", "")
    assert [h in party[0].table.ledger.opened for h in party[0].table.ledger.plans[0].seals] == [True, False]


def test_an_order_instead_of_a_sealed_step_is_refused_and_hiding_it_stalls() -> None:
    party = passed(SEALED)
    red = named(party, "nowak")
    with pytest.raises((Refused, ProtocolError)):
        red.write(Draft(orders=["halt"]))
    honest = red.write(Draft())
    hidden = red.sign({**honest.document, "open": []})
    state = party[0].table.fork()
    assert refused(party, red.sign({**honest.document, "open": [], "orders": ["halt"]}))
    red.sealed = {}
    for person in party:
        person.table = state.fork()
    send(party, Draft())
    assert wanted(party) == ("nowak", "open", "march"), "the dice are shown, and nothing else is taken before the opening"
    assert hidden["dice"]


def test_another_opening_than_what_was_sealed_is_refused() -> None:
    party = passed(SEALED)
    red = named(party, "nowak")
    document = red.write(Draft()).document
    changed = [{**entry, "order": {"do": ["halt"]}} for entry in document["open"]]
    assert refused(party, red.sign({**document, "open": changed})).outcome is Outcome.BAD_OPENING


UNREADABLE: list[Plain] = [None, "go", {"do": "go"}, {"do": []}, {"do": ["go"], "when": "("}, {"do": ["fly"]}]


@pytest.mark.parametrize("content", UNREADABLE, ids=str)
def test_a_sealed_step_that_cannot_be_read_is_passed_over(content: Plain, monkeypatch: pytest.MonkeyPatch) -> None:
    """A changed program may seal anything; it has bound itself to nothing by it, and nothing can be chosen in its place."""

    def anything(step: Any, seal: Any) -> Plain:
        return {"at": step["at"], "sealed": seal(content)} if step.get("sealed") else step

    monkeypatch.setattr("pbem.runtime.composing._with_shut", anything)
    party = passed([*SEALED, {"at": "march", "do": ["halt"]}])
    send(party, Draft())
    assert told(party)[-1] == ("plan", "halt", "")


# -- what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "why"),
    [
        ({"at": "card", "do": ["pass"]}, "no question that can be planned for"),
        ({"at": "marhc", "do": ["go"]}, "did you mean march"),
        ({"at": "march", "do": ["fly"]}, "no order there"),
        ({"at": "march", "when": "att = 1", "do": ["go"]}, "there is no fact 'att'; did you mean at"),
        ({"at": "march", "when": "at = 1 or not (5 < 6)", "do": ["go"]}, "there is no fact '5'"),
        ({"at": "march", "when": "moon in [1, 2]", "do": ["go"]}, "there is no fact 'moon'"),
        ({"at": "march", "when": "at = (", "do": ["go"]}, "condition"),
        ({"at": "march", "seat": "blue", "do": ["go"]}, "does not play 'blue'"),
        ({"at": "march", "do": "go"}, "a list of orders"),
        ({"at": "march", "do": ["go"], "if": "x"}, "unknown key 'if'"),
        ({"at": "march", "do": ["go"], "else": "choose"}, "else is ask or drop"),
        ({"at": "card", "do": ["pass"], "sealed": True}, "no question that can be planned for"),
        ({"at": "march", "do": ["fly"], "sealed": True}, "no order there"),
        ({"at": "march", "do": ["go"], "later": 2}, "`later` is a number from 1 to 1"),
        ({"at": "march", "do": ["go"], "later": "soon", "sealed": True}, "`later` is a number from 1 to 1"),
        ({"at": "march", "do": ["go"], "later": True}, "`later` is a number from 1 to 1"),
    ],
    ids=str,
)
def test_a_plan_that_cannot_be_carried_out_is_refused_when_it_is_written(step: Plain, why: str) -> None:
    party = people()
    red = advance_to(party, "red", "march")
    with pytest.raises(Refused, match=why.replace("(", r"\(")):
        red.write(Draft(orders=["go"], plan=[step]))


@pytest.mark.parametrize(
    ("plan", "outcome"),
    [
        ([{"at": "march", "do": ["go"], "sealed": "ab" * 32}], Outcome.UNREADABLE),
        ([{"at": "march"}], Outcome.UNREADABLE),
        ([{"at": "march", "do": []}], Outcome.UNREADABLE),
        ([{"at": "march", "do": ["go"], "when": 1}], Outcome.UNREADABLE),
        ([{"at": "march", "do": ["go"]}] * 65, Outcome.UNREADABLE),
        ([{"at": "march", "do": ["go"], "later": 0}], Outcome.UNREADABLE),
        ([{"at": "march", "do": ["fly"]}], Outcome.REFUSED),
        ([{"at": "march", "do": ["go"], "later": 2}], Outcome.REFUSED),
        ([{"at": "cards", "sealed": "ab" * 32}], Outcome.REFUSED),
    ],
    ids=str,
)
def test_a_plan_of_another_program_is_judged_by_the_same_rules(plan: list[Plain], outcome: Outcome) -> None:
    party = people()
    red = advance_to(party, "red", "march")
    assert refused(party, signed(red, Draft(orders=["go"]), plan=plan)).outcome is outcome


def test_version_1_knows_no_plans() -> None:
    party = people(pbem=1)
    red = advance_to(party, "red", "march")
    document = signed(red, Draft(orders=["go"]), plan=[{"at": "march", "do": ["go"]}])
    assert refused(party, document).outcome is Outcome.UNREADABLE


def test_an_undo_takes_the_plan_back() -> None:
    party = people()
    advance_to(party, "red", "march")
    at = party[0].table.last + 1
    send(party, Draft(orders=["go"], plan=[{"at": "march", "do": ["halt"]}]))
    assert party[0].table.ledger.plans
    while due(party).name != "yamada" or party[0].table.due.what != "orders":
        send(party, Draft())
    blue = named(party, "yamada")
    document = blue.sign(blue.write(Draft(type="undo", extra={"to": at})).document)
    for person in party:
        person.receive(_text(document))
    while party[0].table.ledger.offer is not None:
        send(party, Draft(type="accept", extra={"accepts": party[0].table.ledger.offer.id}))
    assert not party[0].table.ledger.plans


def _text(document: Any) -> str:
    from pbem.protocol import strict_yaml

    return strict_yaml.write_document(document)


def test_a_game_with_plans_has_a_clean_audit_and_the_same_checkpoint() -> None:
    party = passed([*SEALED, {"at": "march", "do": ["halt"], "sealed": True}])
    table = party[0].table
    again = type(table).from_plain(table.charter, table.module, None, table.to_plain())
    assert again.ledger.plans == table.ledger.plans and again.ledger.plans[0].seals
    play(party, 5)
    assert audit(party[0].table, disclosures(party), party[0].fetch) is None
