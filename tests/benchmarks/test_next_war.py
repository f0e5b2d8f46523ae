"""Next War on the whole map of Korea: the range of one unit in 2 ms, 1,000 random legal decisions a second are aimed at."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from pbem.games.next_war import movement
from pbem.games.next_war.game import GAME
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from tests.next_war import random_play, table

KOREA = "korea"


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("unit", ["DPRK 105/820", "DPRK 3/II", "ROK 20/VII", "DPRK 32/II"])
def test_range_of_one_unit_in_korea(benchmark: Any, unit: str) -> None:
    """A tank division by highway, infantry at the front, a mechanized division round Seoul, light infantry."""
    g = table.begin("korea").state
    benchmark(lambda: movement.Search(g, g.seat(unit), [unit], g.pieces[unit].at).run())


@pytest.mark.benchmark(timer=time.process_time)
def test_range_of_every_unit(benchmark: Any) -> None:
    """Every ground unit on the map once from its hex; only zones are kept; `ms a unit` in the extra columns."""
    g = GAME.start(table.scenario(KOREA), {})
    stacks = [(g.seat(u), u, g.pieces[u].at) for s in ("allied", "non-allied") for u in g.on_map(s, "ground")]
    stacks = [(side, unit, at) for side, unit, at in stacks if not g.pieces[unit].aboard]

    def ranges() -> int:
        return sum(len(movement.Search(g, side, [unit], at).run().ends()) for side, unit, at in stacks)

    benchmark.pedantic(ranges, rounds=5, warmup_rounds=1)
    assert ranges() > 10 * len(stacks)
    benchmark.extra_info["ms a unit"] = round(1000 * benchmark.stats.stats.mean / len(stacks), 3)


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("name", [KOREA, "training"])
def test_random_decisions(benchmark: Any, name: str) -> None:
    """A game to its end; `decisions` in the extra columns is the number of orders chosen among proposals."""
    decisions = 0

    def game() -> Engine:
        nonlocal decisions
        engine, dice, decisions = table.begin(name), random.Random(5), 0
        while engine.request is not None:
            request = engine.request
            if not isinstance(request, Ask):
                engine.reply(table.chance(request, dice))
                continue
            decisions += 1
            engine.reply(request.forced if request.forced is not None else random_play.choose(request, dice, 12))
        return engine

    benchmark.pedantic(game, rounds=3, warmup_rounds=1)
    benchmark.extra_info["decisions"] = decisions
    benchmark.extra_info["decisions per second"] = round(decisions / benchmark.stats.stats.mean)
