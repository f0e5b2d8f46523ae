"""Sealed steps of a plan that answer a secret decision: they are the seal, and nobody chooses once the other answer lies open.

Red and rust are nowak's; rust bids in secret against blue, who answers last. Nowak's card brings the bid along.
"""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Simultaneous
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.audit import audit
from pbem.runtime.composing import Draft
from pbem.runtime.dues import AUTOMATIC
from pbem.runtime.ledger import PlanHeld
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused
from tests.toygame.party import Person, found_game, send
from tests.toygame.skirmish import GAME
from tests.toygame.test_attacks import advance_to, refused, signed
from tests.toygame.test_seats import named
from tests.toygame.test_skirmish import disclosures, play


@pytest.fixture(autouse=True)
def bids_are_planned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAME.plannable, "bid", ("",))  # a bid is a number: it has no verb


def bid(*do: Plain, seat: str = "rust", sealed: bool = True, **more: Plain) -> dict[str, Plain]:
    return {"at": "bid", "seat": seat, "do": [*do], **({"sealed": True} if sealed else {}), **more}


def go_on(party: list[Person]) -> None:
    while party[0].table.due.what in AUTOMATIC:
        send(party, Draft())


def asked(party: list[Person]) -> tuple[str, str, str]:
    table = party[0].table
    request = table.engine.request
    return table.due.player, table.due.what, "bid" if isinstance(request, Simultaneous) else getattr(request, "kind", "")


def begun() -> list[Person]:
    """Red is asked for a card."""
    party = [Person("yamada", ["blue"]), Person("nowak", ["red", "rust"])]
    found_game(GAME, party, {})
    advance_to(party, "red", "card")
    return party


def carded(plan: list[Plain]) -> list[Person]:
    """Red lets his card be and plans rust's bid."""
    party = begun()
    assert asked(party) == ("nowak", "orders", "card")
    send(party, Draft(["pass"], plan=plan))
    while party[0].table.due.what in AUTOMATIC and asked(party)[2] != "bid":
        send(party, Draft())
    return party


def answered(party: list[Person]) -> list[tuple[str, Plain]]:
    return [(f.by, f.order) for f in party[0].table.ledger.fired if f.kind == "bid"]


def scored(party: list[Person]) -> dict[str, int]:
    score: dict[str, int] = party[0].table.engine.state.score
    return score


def test_without_a_plan_rust_is_asked_for_a_seal() -> None:
    party = carded([])
    assert asked(party) == ("nowak", "seal", "bid")


def test_a_sealed_step_is_the_seal_and_opens_when_the_other_has_answered() -> None:
    party = carded([bid(4)])
    assert asked(party) == ("yamada", "orders", "bid"), "rust has sealed before"
    assert party[0].table.ledger.sealed_answers == {"rust": "plan"} and not answered(party)
    before = scored(party)
    send(party, Draft([2]))
    assert party[0].table.due.player == "nowak" and party[0].table.due.what == "open"
    document = send(party, Draft())
    assert [entry["order"] for entry in document["open"]] == [{"do": [4]}] and "orders" not in document
    assert answered(party) == [("plan", 4)] and scored(party)["allies"] == before.get("allies", 0) + 1


def test_of_several_sealed_steps_the_first_that_applies_answers_and_those_behind_it_stay_shut() -> None:
    party = carded([bid(5, when="at = 7"), bid(9), bid(3), bid(1)])
    send(party, Draft([2]))
    go_on(party)
    assert answered(party) == [("passed", [5]), ("passed", [9]), ("plan", 3)]
    handles = party[0].table.ledger.plans[-1].seals
    assert [handle in party[0].table.ledger.opened for handle in handles] == [True, True, True, False]


@pytest.mark.parametrize("plan", [[bid(9)], [bid(4, when="at = 7")]], ids=["illegal", "condition"])
def test_where_none_applies_the_default_counts_and_nobody_is_asked_again(plan: list[Plain]) -> None:
    """Else rust could seal nothing, look at blue's bid, and then choose."""
    party = carded(plan)
    before = scored(party)
    send(party, Draft([2]))
    go_on(party)
    assert [by for by, _ in answered(party)] == ["passed"] and scored(party)["axis"] == before.get("axis", 0) + 1, "0 against 2"
    assert asked(party)[2] != "bid"


def test_who_has_seen_the_other_answer_gives_no_order_and_no_other_opening() -> None:
    party = carded([bid(4)])
    send(party, Draft([2]))
    rust = named(party, "nowak")
    with pytest.raises((Refused, ProtocolError)):
        rust.write(Draft([5]))
    with pytest.raises((Refused, ProtocolError)):
        rust.write(Draft([{"seal": 5, "seat": "rust"}]))
    document = rust.write(Draft()).document
    changed = [{**entry, "order": {"do": [5]}} for entry in document["open"]]
    assert refused(party, rust.sign({**document, "open": changed})).outcome is Outcome.BAD_OPENING
    assert refused(party, signed(rust, Draft(), open=[], orders=[5])).outcome is not Outcome.DONE


def test_a_bid_by_hand_goes_before_the_plan_while_no_die_is_known_and_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    party = begun()
    monkeypatch.setattr(Table, "no_die_is_known", True)
    document = send(party, Draft(["pass", {"seal": 1, "seat": "rust"}], plan=[bid(4)]))
    assert "sealed" in document["orders"][1]
    assert party[0].table.ledger.sealed_answers.get("rust", "plan") != "plan"


def test_an_open_step_says_the_bid_before_as_a_public_standing_order_does() -> None:
    party = carded([bid(4, sealed=False)])
    assert asked(party) == ("yamada", "orders", "bid") and answered(party) == [("plan", 4)]


@pytest.mark.parametrize(("do", "told"), [(2, [("plan", 2)]), (9, [("passed", [9])])])
def test_of_the_last_one_a_step_answers_at_once_and_where_it_does_not_apply_he_is_asked(do: int, told: list[Any]) -> None:
    """Blue answers last, while what rust has sealed is shut."""
    party = carded([bid(4)])
    for person in party:
        held = person.table.ledger.plans[-1]
        person.table.ledger.plans.append(PlanHeld(1, "yamada", held.stretch, [bid(do, seat="blue", sealed=False)], [""], [0]))
    after = named(party, "yamada").write(Draft([] if do == 2 else [1])).table
    assert [(f.by, f.order) for f in after.ledger.fired if f.kind == "bid"] == told
    assert after.ledger.open_answers == {"blue": 2 if do == 2 else 1} and after.due.what == "open"


def test_games_with_secret_plans_have_a_clean_audit_and_the_same_checkpoint() -> None:
    party = carded([bid(4), bid(2)])
    table = party[0].table
    again = Table.from_plain(table.charter, table.module, None, table.to_plain())
    assert again.ledger.sealed_answers == {"rust": "plan"} and again.due == table.due
    play(party, 5)
    assert audit(party[0].table, disclosures(party), party[0].fetch) is None
