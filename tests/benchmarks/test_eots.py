"""Empire of the Sun: 1,000 random legal decisions a second, supply of the whole map in 10 ms, a campaign again in 10 s."""

from __future__ import annotations

import random
import time
from functools import cache
from typing import Any

import pytest

from pbem.games.empire_of_the_sun import lines, supply
from pbem.games.empire_of_the_sun.game import GAME
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from tests.empire_of_the_sun import table
from tests.empire_of_the_sun.random_play import Player

CAMPAIGN = "campaign-1941"


@cache
def campaign(seed: int) -> tuple[Engine, tuple[Plain, ...], int]:
    """A random game of the full campaign: its end, every answer, how many decisions were made."""
    engine, player = table.begin(CAMPAIGN), Player(random.Random(seed))
    answers = []
    while engine.request is not None:
        answers.append(player.answer(engine.request))
        engine.reply(answers[-1])
    return engine, tuple(answers), player.decisions


def replayed(answers: tuple[Plain, ...]) -> Engine:
    """The same game when nobody looks for proposals."""
    engine = table.begin(CAMPAIGN)
    for answer in answers:
        engine.reply(answer)
    return engine


def forget_lines() -> None:
    """Supply lines that are kept between positions are found anew."""
    table.begin(CAMPAIGN).state.board.fields.floods.forget()
    lines._sea_field.cache_clear()


@pytest.mark.benchmark(timer=time.process_time)
def test_random_decisions_of_a_campaign(benchmark: Any) -> None:
    """With real movement and combat; extra columns: orders chosen, and as the floor in the same run the game replayed."""

    def begin() -> None:
        campaign.cache_clear()
        forget_lines()

    benchmark.pedantic(lambda: campaign(5), setup=begin, rounds=3, warmup_rounds=1)
    benchmark.extra_info["decisions"] = campaign(5)[2]
    benchmark.extra_info["decisions per second"] = round(campaign(5)[2] / benchmark.stats.stats.min)
    floors = []
    for _ in range(3):
        forget_lines()
        began = time.process_time()
        assert replayed(campaign(5)[1]).request is None
        floors.append(time.process_time() - began)
    benchmark.extra_info["floor s"] = round(min(floors), 3)


@pytest.mark.benchmark(timer=time.process_time)
def test_campaign_replayed_from_scratch(benchmark: Any) -> None:
    """Every answer of a whole game from 1941 on is judged again."""
    _, answers, _ = campaign(5)
    ended = benchmark.pedantic(replayed, (answers,), setup=forget_lines, rounds=3)
    benchmark.extra_info["ms an answer"] = round(1000 * benchmark.stats.stats.min / len(answers), 3)
    assert ended.request is None and ended.state.winner == campaign(5)[0].state.winner


@pytest.mark.benchmark(timer=time.process_time)
def test_supply_of_the_whole_map(benchmark: Any) -> None:
    """Zones, HQs and all units of both sides, with nothing kept from before."""
    g = GAME.start(table.scenario("year-1943"), {})

    def again() -> None:
        g.memo.forget()
        g.supplies.clear()
        g.board.fields.floods.forget()

    benchmark.pedantic(lambda: supply.supply(g), setup=again, rounds=200)
