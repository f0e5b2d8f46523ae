"""Games with the bot on the bare engine: against itself, or against random play."""

from __future__ import annotations

import random
from collections.abc import Sequence

from pbem.games.next_war import bot
from pbem.games.next_war.victory import lead
from pbem.games.parts import EASY
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from tests.next_war import random_play, table


def play(
    name: str,
    seed: int,
    bots: Sequence[str],
    watch: random_play.Watch | None = None,
    most: int = 50_000,
    easy: Sequence[str] = (),
    **options: Plain,
) -> Engine:
    """One game of a scenario to its end; sides that are neither the bot's nor the easy bot's play at random."""
    dice = random.Random(seed)
    engine = table.begin(name, **options)
    for _ in range(most):
        request = engine.request
        if request is None:
            return engine
        if not isinstance(request, Ask):
            answer = table.chance(request, dice)
        elif request.forced is not None:
            answer = request.forced
        elif request.seat in bots:
            answer = bot.choose(engine.state, request)
        elif request.seat in easy:
            answer = bot.choose(engine.state, request, seed=seed, level=EASY)
        else:
            answer = random_play.choose(request, dice, random_play.MOVES[name])
        engine.reply(answer)
        if watch is not None:
            watch(engine, answer)
    raise AssertionError(f"{name}, seed {seed}: the game does not end")


def margins(name: str, seeds: Sequence[int], bots: Sequence[str]) -> list[int]:
    """Victory Points of the allied side more than those of the other, game by game."""
    return [lead(play(name, seed, bots).state) for seed in seeds]


def wins(name: str, side: str, seeds: Sequence[int], bots: Sequence[str]) -> int:
    """How many of these games the side wins."""
    return sum(play(name, seed, bots).state.winner == side for seed in seeds)
