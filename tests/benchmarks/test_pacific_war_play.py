"""Pacific War: 1,000 random decisions a second, receiving a file with a whole air mission in 300 ms."""

from __future__ import annotations

import time
from typing import Any

import pytest

from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.protocol import strict_yaml
from pbem.runtime.composing import Draft
from pbem.runtime.taking import take
from tests.pacific_war import random_play
from tests.pacific_war.hidden_play import two_people
from tests.pacific_war.test_messages import ATTACKER, RAID
from tests.toygame.party import send


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("name", ["coral-sea", "pearl-harbor", "savo-island", "guadalcanal", "midway", "santa-cruz"])
def test_random_decisions(benchmark: Any, name: str) -> None:
    """A game to its end; `decisions a second` in the extra columns counts orders chosen among proposals."""
    decisions = 0

    def count(engine: Engine) -> None:
        nonlocal decisions
        decisions += isinstance(engine.request, Ask)

    def game() -> None:
        nonlocal decisions
        decisions = 0
        random_play.play(name, 3, count)

    benchmark.pedantic(game, rounds=3, warmup_rounds=1)
    benchmark.extra_info["decisions a second"] = round(decisions / benchmark.stats.stats.mean)


@pytest.mark.benchmark(timer=time.process_time)
def test_receive_an_air_mission(benchmark: Any) -> None:
    """The defender's program takes the order file, then its own that turns the dice of the whole mission."""
    party = two_people("pearl-harbor")
    send(party, Draft(RAID, ATTACKER))
    document, _ = strict_yaml.read_document(strict_yaml.write_document(send(party, Draft())))
    before = two_people("pearl-harbor")
    send(before, Draft(RAID, ATTACKER))
    benchmark(lambda: take(before[0].table.fork(), document, before[0].fetch))
