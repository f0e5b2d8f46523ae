"""Whoever can compute the dice chooses nothing any more: what is in force answers before the orders of his file.

Red marches; blue has said beforehand, sealed or openly, whether he stops him; the weather is rolled from red's file by the
link of blue's next one. An order of blue's at that place would make another file the source of the dice.
"""

from __future__ import annotations

from typing import Any

import pytest

from pbem.kernel.canon import Plain
from pbem.protocol import turnfile
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime.composing import Draft
from pbem.runtime.taking import Refused
from tests.toygame.party import Person, send
from tests.toygame.test_attacks import due, refused, signed
from tests.toygame.test_seats import named
from tests.toygame.test_skirmish import choose, people


def marching(sealed: list[Plain], **more: Any) -> list[Person]:
    """Red has marched; blue's sealed order about stopping is due to be opened."""
    import random

    party, dice, given = people(**more), random.Random(1), False
    for _ in range(200):
        request, writer = party[0].table.engine.request, due(party)
        if getattr(request, "kind", "") == "march" and given:
            send(party, Draft(orders=["go"]))
            return party
        draft = choose(writer, dice)
        if writer.name == "yamada" and draft.orders and not given:
            draft.sealed_standing, given = {"stop": sealed}, True
        send(party, draft)
    raise AssertionError("no march")


@pytest.mark.parametrize("order", ["let pass", "stop"])
def test_an_order_instead_of_a_due_opening_is_refused(order: str) -> None:
    party = marching([{"do": "let pass"}])
    blue = named(party, "yamada")
    assert (party[0].table.due.player, party[0].table.due.what) == ("yamada", "open")
    with pytest.raises((Refused, ProtocolError)):
        blue.write(Draft(orders=[order]))
    honest = blue.write(Draft())
    assert honest.document["dice"], "the opening turns the dice"
    forged = signed(blue, Draft(), orders=[order], open=[], dice=[], state=party[0].table.engine.state_hash())
    refused(party, forged)
    refused(party, blue.sign({**honest.document, "orders": [order]}))


def test_with_ask_me_the_order_counts_and_the_dice_wait_for_red() -> None:
    party = marching([{"do": "ask me"}])
    composed = named(party, "yamada").write(Draft(orders=["let pass"]))
    assert composed.document["open"] and "dice" not in composed.document
    assert composed.table.due.player == "nowak"


def test_a_sealed_bare_word_answers() -> None:
    party = marching(["let pass"])
    document = send(party, Draft())
    assert [o["order"] for o in document["open"]] == [{"do": "let pass"}] and document["dice"]


def test_a_foreign_bare_word_means_the_same_from_version_2_on(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program may have sealed the word alone."""
    monkeypatch.setattr("pbem.runtime.composing._sealed_clause", lambda kind, plain, version: (plain, ""))
    document = send(marching(["let pass"]), Draft())
    assert [o["order"] for o in document["open"]] == ["let pass"] and document["dice"]
    party = marching(["let pass"], pbem=1)
    assert len(named(party, "yamada").write(Draft(orders=["stop"])).document["open"]) == 8, "version 1: it never applies"


def test_a_shown_scope_keeps_the_other_clauses_shut() -> None:
    party = marching([{"do": "stop", "scope": "day 3", "show": "scope"}, {"do": "stop", "scope": "day 2", "show": "scope"}])
    assert (party[0].table.due.player, party[0].table.due.what) == ("yamada", "orders"), "day 1 is neither clause's"
    composed = named(party, "yamada").write(Draft(orders=["let pass"]))
    assert "open" not in composed.document
    shown = [s for d in party[0].log[1:] for s in (d.get("standing_sealed") or {}).get("stop", [])]
    assert [s["scope"] for s in shown] == ["day 3", "day 2", *["day 3"] * 6]
    turnfile.read_turn({**composed.document, "signature": party[0].log[1]["signature"]})


def test_a_hidden_scope_is_opened_in_vain() -> None:
    party = marching([{"do": "stop", "scope": "day 3"}])
    assert (party[0].table.due.player, party[0].table.due.what) == ("yamada", "open")


@pytest.mark.parametrize(
    "clause",
    [{"do": "stop", "show": "scope"}, {"do": "stop", "scope": "day 1", "show": "all"}, {"do": "stop", "if": "x"}],
    ids=str,
)
def test_a_sealed_clause_that_makes_no_sense_is_refused_before_it_is_sealed(clause: Plain) -> None:
    with pytest.raises(Refused):
        marching([clause])


def test_nine_sealed_clauses_are_one_too_many() -> None:
    with pytest.raises(Refused, match="at most 8"):
        marching([{"do": "stop"}] * 9)
