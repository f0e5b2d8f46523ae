"""Hints and reviews of Empire of the Sun: uses of a card, from the own hand alone."""

from __future__ import annotations

from functools import cache

import pytest

from pbem.bots.advice import Advice
from pbem.games.empire_of_the_sun import bot
from pbem.games.empire_of_the_sun.bot import hints
from pbem.games.empire_of_the_sun.game import GAME
from pbem.games.empire_of_the_sun.state import FOE
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from tests.empire_of_the_sun import hidden_play
from tests.empire_of_the_sun.test_bot import by_bot
from tests.toygame.party import send

Hand = dict[str, str]


@cache
def _asked(kind: str) -> tuple[Engine, Hand]:
    """The first question of a kind in a game with hidden hands, and the hand of who is asked."""
    party = hidden_play.two_people("burma")
    for _ in range(80):
        due = party[0].table.due
        writer = next(p for p in party if p.name == due.player)
        if due.what == "orders":
            found = _walked(Engine.resume(GAME, writer.table.engine.scenario, writer.table.engine.checkpoint()), kind, writer)
            if found is not None:
                return found
        send(party, by_bot(writer))
    raise AssertionError(f"nobody is asked {kind}")


def _walked(engine: Engine, kind: str, person: hidden_play.Person) -> tuple[Engine, Hand] | None:
    knowledge = person.knowledge()
    while isinstance(engine.request, Ask) and engine.request.seat in person.seats:
        asked, hand = engine.request, knowledge.hand(engine.request.seat)
        if asked.kind == kind:
            return engine, hand
        order = asked.forced if asked.forced is not None else bot.choose(engine.state, asked, hand)
        engine.reply(GAME.spelled_out(engine.state, asked.seat, order, hand))
        if not isinstance(engine.request, Ask) and hasattr(engine.request, "handle"):
            engine.reply(knowledge.reveal(engine.request.handle))  # type: ignore[union-attr]
    return None


def _advice(engine: Engine, hand: Hand) -> list[Advice]:
    assert isinstance(engine.request, Ask)
    return hints.advise(engine.state, engine.request, hand)


def test_uses_of_a_card_are_ranked_as_the_bot_ranks_them() -> None:
    engine, hand = _asked("use")
    assert isinstance(engine.request, Ask)
    found = _advice(engine, hand)
    values = [one.value or 0 for one in found]
    assert 1 <= len(found) <= 3
    assert values == sorted(values, reverse=True)
    for one in found:
        engine.request.read(GAME.spelled_out(engine.state, engine.request.seat, one.orders[0], hand))


def test_cards_are_ranked_by_the_best_use_of_each() -> None:
    engine, hand = _asked("card")
    assert isinstance(engine.request, Ask)
    found = _advice(engine, hand)
    values = [one.value or 0 for one in found]
    assert len(found) == 3 and values == sorted(values, reverse=True)
    assert len({str(one.orders[0]) for one in found}) == 3, "one of each card"
    for one in found:
        played = engine.fork()
        for order in one.orders:
            asked = played.request
            assert isinstance(asked, Ask)
            if order is one.orders[1]:
                assert one.value == _advice(played, hand)[0].value and order == _advice(played, hand)[0].orders[0]
            played.reply(GAME.spelled_out(played.state, asked.seat, order, hand))
            if not isinstance(played.request, Ask) and hasattr(played.request, "handle"):
                played.reply(next(card for card, handle in hand.items() if handle == played.request.handle))


@pytest.mark.parametrize("kind", ["use", "card"])
def test_what_the_other_side_hides_changes_no_hint_and_no_order(kind: str) -> None:
    engine, hand = _asked(kind)
    other = engine.fork()
    assert isinstance(other.request, Ask)
    foe = FOE[other.request.seat]
    assert len(other.state.hands[foe]) > 1
    other.state.hands[foe].reverse()
    assert other.state.hands[foe] != engine.state.hands[foe]
    assert _advice(other, hand) == _advice(engine, hand)
    assert isinstance(engine.request, Ask)
    assert bot.choose(other.state, other.request, hand) == bot.choose(engine.state, engine.request, hand)


def test_a_worse_use_has_lost_the_difference() -> None:
    engine, hand = _asked("use")
    assert isinstance(engine.request, Ask)
    found = _advice(engine, hand)
    assert hints.review(engine.state, engine.request, [found[0].orders[0]], hand) == []
    if len(found) > 1 and found[0].value != found[-1].value:
        lost = hints.review(engine.state, engine.request, [found[-1].orders[0]], hand)
        assert lost[0].value == (found[0].value or 0) - (found[-1].value or 0)
