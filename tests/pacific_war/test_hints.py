"""Hints and reviews of the strategic game of Pacific War: the operations of the headquarters."""

from __future__ import annotations

import random
from functools import cache

from pbem.games.pacific_war import bot
from pbem.games.pacific_war.bot import hints
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Simultaneous
from pbem.kernel.questions import DONE
from tests.pacific_war import table

MOST = 400


@cache
def _asked(kind: str) -> tuple[Engine, Ask]:
    """The first question of a kind in the strategic game for which more is weighed than to do nothing."""
    engine, dice = table.begin("strategic-1941"), random.Random(3)
    for _ in range(MOST):
        request = engine.request
        asks = request.asks if isinstance(request, Simultaneous) else (request,) if isinstance(request, Ask) else ()
        for ask in asks:
            if ask.kind == kind and len(hints.advise(engine.state, ask)) > 1:
                return engine, ask
        if isinstance(request, Simultaneous):
            engine.reply({ask.seat: bot.choose(engine.state, ask) for ask in request.asks})
        elif isinstance(request, Ask):
            engine.reply(request.forced if request.forced is not None else bot.choose(engine.state, request))
        else:
            assert request is not None
            engine.reply(table.chance(request, dice))
    raise AssertionError(f"nobody is asked {kind}")


def test_bids_are_the_prices_of_the_best_operations() -> None:
    engine, ask = _asked("operation-bid")
    found = hints.advise(engine.state, ask)
    assert len(found) > 1
    values = [one.value or 0 for one in found]
    assert values == sorted(values, reverse=True)
    for one in found:
        ask.read(one.orders[0])


def test_operations_are_those_that_the_bot_would_begin_and_a_worse_one_has_lost_the_difference() -> None:
    engine, ask = _asked("activate")
    found = hints.advise(engine.state, ask)
    for one in found:
        ask.read(one.orders[0])
    assert hints.review(engine.state, ask, [found[0].orders[0]]) == []
    lost = hints.review(engine.state, ask, [DONE])
    assert [one.value for one in lost] == ([found[0].value] if found[0].value else [])
