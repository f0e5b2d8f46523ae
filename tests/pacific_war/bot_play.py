"""Games with the bot on the bare engine: against itself, or against random play."""

from __future__ import annotations

import random
from collections.abc import Sequence

from pbem.games.pacific_war import bot
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Simultaneous
from tests.pacific_war import random_play, table


def play(name: str, seed: int, bots: Sequence[str], most: int = 100_000, **options: Plain) -> Engine:
    """One game of a scenario to its end; sides that are not the bot's play at random."""
    engine, dice = table.begin(name, **options), random.Random(seed)
    for _ in range(most):
        request = engine.request
        if request is None:
            return engine
        if isinstance(request, Simultaneous):
            engine.reply({a.seat: _choose(engine, a, bots, dice) for a in request.asks})
        elif isinstance(request, Ask):
            engine.reply(request.forced if request.forced is not None else _choose(engine, request, bots, dice))
        else:
            engine.reply(table.chance(request, dice))
    raise AssertionError(f"{name}, seed {seed}: the game does not end")


def _choose(engine: Engine, ask: Ask, bots: Sequence[str], dice: random.Random) -> Plain:
    return bot.choose(engine.state, ask) if ask.seat in bots else random_play.choose(ask, dice)


def wins(name: str, side: str, seeds: Sequence[int], bots: Sequence[str]) -> int:
    """How many of these games the side wins."""
    return sum(play(name, seed, bots).state.winner == side for seed in seeds)
