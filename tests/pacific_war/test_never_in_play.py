"""Counters that have never been in play: whatever question names one, it is refused in words."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.orders import Rejected
from tests.pacific_war import random_play, table

QUESTIONS = 400


def others(g: State, order: Plain) -> Iterator[Plain]:
    """The order with a counter of the same side and kind that is nowhere, in the place of one that it names."""
    gone = {(c.side, c.kind): n for n, c in g.board.counters.items() if n not in g.units}
    text = json.dumps(order)
    for name in [n for n in g.units if json.dumps(n) in text][:3]:
        c = g.counter(name)
        if (c.side, c.kind) in gone:
            yield json.loads(text.replace(json.dumps(name), json.dumps(gone[c.side, c.kind])))


def test_a_unit_that_is_nowhere_is_refused() -> None:
    dice = random.Random(3)
    refused: set[str] = set()

    def watch(request: Ask | Commit) -> None:
        for order in list(request.options())[:8]:
            for wrong in others(engine.state, order):
                try:
                    request.check(wrong, table.behind) if isinstance(request, Commit) else request.read(wrong)
                except Rejected:
                    refused.add(request.kind)

    engine = table.begin("strategic-1941", None, forces="sealed", land="sealed")
    for _ in range(QUESTIONS):
        request = engine.request
        if request is None:
            break
        if isinstance(request, Ask | Commit):
            watch(request)
        if isinstance(request, Ask):
            engine.reply(request.forced if request.forced is not None else random_play.choose(request, dice))
        elif hasattr(request, "asks"):
            engine.reply({a.seat: random_play.choose(a, dice) for a in request.asks})
        else:
            engine.reply(table.chance(request, dice))
    assert {"join", "common"} <= refused, refused
