"""The opponent's prepared orders of the lesson stand whenever they are given: whatever was dealt and drawn."""

from __future__ import annotations

import random

import pytest

from pbem.games.empire_of_the_sun import bot
from pbem.games.empire_of_the_sun.lesson import LESSON
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Simultaneous
from tests.empire_of_the_sun import random_play, table

HANDS = 12


def at_the_card(seed: int) -> Engine:
    """A game of the lesson at the first card of the Allies."""
    engine, others = table.begin(LESSON.scenario), random_play.Player(random.Random(seed))
    while not (isinstance(engine.request, Ask) and engine.request.kind == "card" and engine.request.seat == "allies"):
        asked = engine.request
        if isinstance(asked, Ask) and asked.forced is None:
            engine.reply(bot.choose(engine.state, asked))
        elif isinstance(asked, Simultaneous):
            engine.reply({one.seat: bot.choose(engine.state, one) for one in asked.asks})
        else:
            assert asked is not None
            engine.reply(others.answer(asked))
    return engine


def replied(engine: Engine) -> bool:
    """The prepared orders are given and stand, to the last one; False where there are none for this hand."""
    asked = engine.request
    assert isinstance(asked, Ask)
    orders = LESSON.replies(engine.state, asked, {card: card for card in engine.state.hands["allies"]})
    for order in orders:
        engine.reply(order)
    return bool(orders)


def test_the_raid_on_kwajalein_stands_for_every_hand_that_it_is_prepared_for() -> None:
    given = []
    for seed in range(HANDS):
        engine = at_the_card(seed)
        given.append(replied(engine))
        assert not given[-1] or engine.state.battle_hex(4715)
    assert sum(given) >= HANDS // 2, "most hands hold a card that goes so far"


def test_nothing_is_prepared_where_the_ships_are_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = next(engine for engine in map(at_the_card, range(HANDS)) if replied(engine.fork()))
    monkeypatch.setattr(type(engine.state), "units_at", lambda state, place: [])
    assert not replied(engine)
