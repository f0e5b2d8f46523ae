"""One step of a form: 30 ms as a rule, 100 ms for the worst one of any scenario; the slowest is in the extra columns."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from pbem.kernel.flow import Ask, Simultaneous
from pbem.kernel.forms import Form, Partial, Step, form_of
from tests.generic.test_forms import moments
from tests.next_war import random_play
from tests.next_war import table as korea
from tests.pacific_war import table as pacific_war

GAMES = (
    "axis_and_allies_pacific/bot-103",
    "empire_of_the_sun/2nd-2015-campaign-1941-401",
    "next_war/korea-random-509",
    "pacific_war/guadalcanal-bot-608",
)


class Watch:
    """Steps of forms, with the time that each takes."""

    def __init__(self) -> None:
        self.times: list[float] = []

    def step(self, form: Form, partial: Partial) -> Step:
        """One step."""
        begun = time.process_time()
        step = form.step(partial)
        self.times.append(time.process_time() - begun)
        return step

    def walk(self, form: Form, dice: random.Random, deepest: int = 8) -> None:
        """Picks at random, one after the other."""
        so_far = Partial()
        for _ in range(deepest):
            able = [p for p in self.step(form, so_far).picks if p.why_not is None]
            if not able:
                return
            so_far = so_far.plus(dice.choice(able))

    def tell(self, benchmark: Any) -> None:
        """The slowest and the middle one."""
        found = sorted(self.times)
        benchmark.extra_info["slowest ms"] = round(1000 * found[-1], 1)
        benchmark.extra_info["median ms"] = round(1000 * found[len(found) // 2], 2)


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("title", GAMES)
def test_steps_in_a_recorded_game(benchmark: Any, title: str) -> None:
    """Random picks at the first questions of every kind."""
    watch, dice = Watch(), random.Random(title)

    def steps() -> None:
        for _, ask, _ in moments(title, 3):
            watch.walk(form_of(ask), dice)

    benchmark.pedantic(steps, rounds=1)
    watch.tell(benchmark)


@pytest.mark.benchmark(timer=time.process_time)
def test_every_stack_of_korea(benchmark: Any) -> None:
    """Every verb, every hex with units, one unit and the whole stack, and where they can go."""
    engine, dice, watch = korea.begin("korea"), random.Random(3), Watch()
    while not (isinstance(engine.request, Ask) and engine.request.kind == "movement"):
        request = engine.request
        assert request is not None
        engine.reply(random_play.choose(request, dice, 9) if isinstance(request, Ask) else korea.chance(request, dice))
    form = form_of(engine.request)

    def steps() -> None:
        for verb in [p for p in watch.step(form, Partial()).picks if p.slot == "verb"]:
            for at in [p for p in watch.step(form, Partial(verb.value)).picks if p.slot == "at"]:
                here = Partial(verb.value).plus(at)
                units = [p for p in watch.step(form, here).picks if p.slot == "unit" and p.why_not is None]
                for stack in (units[:1], units):
                    so_far = here
                    for unit in stack:
                        so_far = so_far.plus(unit)
                    watch.step(form, so_far)

    benchmark.pedantic(steps, rounds=1)
    watch.tell(benchmark)


def _activation() -> Form:
    """The first activation of the strategic game."""
    engine, dice = pacific_war.begin("strategic-1941"), random.Random(4)
    while not (isinstance(engine.request, Ask) and engine.request.kind == "activate"):
        request = engine.request
        if isinstance(request, Ask):
            engine.reply(request.forced if request.forced is not None else list(request.options())[-1])
        elif isinstance(request, Simultaneous):
            engine.reply({ask.seat: list(ask.options())[-1] for ask in request.asks})
        else:
            assert request is not None
            engine.reply(pacific_war.chance(request, dice))
    return form_of(engine.request)


@pytest.mark.benchmark(timer=time.process_time)
def test_an_activation_of_the_strategic_game(benchmark: Any) -> None:
    """From every headquarters unit after unit, until none can be paid for."""
    watch, form = Watch(), _activation()

    def steps() -> None:
        for hq in watch.step(form, Partial("activate")).picks:
            so_far = Partial("activate").plus(hq)
            while units := [p for p in watch.step(form, so_far).picks if p.slot == "unit" and p.why_not is None]:
                so_far = so_far.plus(units[0])

    benchmark.pedantic(steps, rounds=1)
    watch.tell(benchmark)
    assert len(watch.times) > 50
