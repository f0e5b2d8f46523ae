"""Orders that name hidden items: the owner's program spells out their handles, from his own hand only."""

from __future__ import annotations

import pytest

from pbem.games.module import GameModule
from pbem.runtime.composing import Draft
from pbem.runtime.taking import Refused
from tests.toygame.party import Person, send
from tests.toygame.skirmish import DECK, GAME
from tests.toygame.test_attacks import advance_to
from tests.toygame.test_seats import named
from tests.toygame.test_skirmish import people


def hand_of(person: Person) -> dict[str, str]:
    return person.knowledge().hand("red")


def test_a_card_is_named_and_its_handle_is_sent() -> None:
    party = people()
    writer = advance_to(party, "red", "card")
    hand = hand_of(writer)
    assert len(hand) == 2 and set(hand) <= set(DECK)
    name, handle = sorted(hand.items())[0]
    document = send(party, Draft(orders=[{"play": name}]))
    assert document["orders"] == [{"play": handle}]
    assert party[0].table.engine.state.played == [name]
    assert name not in hand_of(writer)


def test_a_handle_may_still_be_written_out() -> None:
    party = people()
    writer = advance_to(party, "red", "card")
    handle = sorted(hand_of(writer).values())[1]
    assert send(party, Draft(orders=[{"play": handle}]))["orders"] == [{"play": handle}]


def test_a_card_that_is_not_in_hand_stays_as_written_and_is_refused() -> None:
    party = people()
    writer = advance_to(party, "red", "card")
    absent = next(c for c in DECK if c not in hand_of(writer))
    with pytest.raises(Refused, match=f"{absent} is not in red's hand"):
        writer.write(Draft(orders=[{"play": absent}]))


def test_nobody_else_knows_the_hand() -> None:
    party = people()
    writer = advance_to(party, "red", "card")
    assert hand_of(writer) and not hand_of(named(party, "yamada"))


def test_a_module_without_the_method_gets_orders_as_written() -> None:
    order, state = {"play": "charge"}, GAME.start({}, {})
    assert GameModule.spelled_out(GAME, state, "red", order, {"charge": "red:draw0:0"}) is order
    assert GAME.spelled_out(state, "red", order, {"charge": "red:draw0:0"}) == {"play": "red:draw0:0"}
    assert GAME.spelled_out(state, "blue", order, {"charge": "red:draw0:0"}) == order
