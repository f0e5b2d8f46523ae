"""How many hand-written messages a turn takes when every reaction and all bookkeeping are standing orders."""

from __future__ import annotations

import random
from itertools import groupby

import pytest

from pbem.kernel.flow import Ask
from tests.next_war import random_play, table

STANDING = (
    *("defend", "stand", "failed", "retreat", "flee", "withdraw", "shelter", "sweep", "lead-clearing", "clearing-loss"),
    *("arrive", "replacements", "throw"),
)


@pytest.mark.parametrize("seed", range(5))
def test_an_initiative_turn_takes_at_most_seven_messages(seed: int) -> None:
    dice, written = random.Random(seed), []
    engine = table.begin("training")
    while engine.state.turn < 2 and (request := engine.request) is not None:
        if not isinstance(request, Ask):
            engine.reply(table.chance(request, dice))
            continue
        if request.forced is None and not request.reaction and request.kind not in STANDING:
            written.append(request.seat)
        engine.reply(request.forced if request.forced is not None else random_play.choose(request, dice, 8))
    messages = [seat for seat, _ in groupby(written)]
    assert messages == ["non-allied", "allied"] * 3, messages
