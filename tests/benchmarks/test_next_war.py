"""Next War: 2 ms for the marches of one unit on the whole of Korea and 1,000 random decisions a second are aimed at."""

from __future__ import annotations

import time
from typing import Any

import pytest

from pbem.games.next_war.movement import Search
from tests.next_war import random_play, table


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("unit", ["DPRK 105/820", "DPRK 3/II", "ROK 20/VII", "DPRK 32/II"])
def test_range_of_one_unit_in_korea(benchmark: Any, unit: str) -> None:
    """A tank division by highway, infantry at the front, a mechanized division round Seoul, light infantry."""
    g = table.begin("korea").state
    benchmark(lambda: Search(g, g.seat(unit), [unit], g.pieces[unit].at).run())


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("name", ["training", "gap"])
def test_random_decisions(benchmark: Any, name: str) -> None:
    """One random game; `decisions per second` stands in the extra columns."""
    decisions = 0

    def count(*_: Any) -> None:
        nonlocal decisions
        decisions += 1

    benchmark.pedantic(random_play.play, (name, 3, count), rounds=5, warmup_rounds=1)
    benchmark.extra_info["decisions per second"] = round(decisions / 6 / benchmark.stats.stats.mean)
