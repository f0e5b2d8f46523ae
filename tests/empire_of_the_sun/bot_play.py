"""Games with the bot on the bare engine: against itself, or against random play."""

from __future__ import annotations

import random
from collections.abc import Sequence

from pbem.games.empire_of_the_sun import bot
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Simultaneous
from tests.empire_of_the_sun import random_play, table


def play(
    name: str, seed: int, bots: Sequence[str], most: int = 100_000, watch: random_play.Watch | None = None, **options: Plain
) -> Engine:
    """One game of a scenario to its end; sides that are not the bot's play at random."""
    engine = table.begin(name, **options)
    others = random_play.Player(random.Random(seed))
    for _ in range(most):
        request = engine.request
        if request is None:
            return engine
        if watch is not None:
            watch(engine)
        if isinstance(request, Simultaneous):
            engine.reply({a.seat: _choose(engine, a, bots, others) for a in request.asks})
        elif isinstance(request, Ask) and request.forced is None:
            engine.reply(_choose(engine, request, bots, others))
        else:
            engine.reply(others.answer(request))
    raise AssertionError(f"{name}, seed {seed}: the game does not end")


def _choose(engine: Engine, ask: Ask, bots: Sequence[str], others: random_play.Player) -> Plain:
    return bot.choose(engine.state, ask) if ask.seat in bots else others.choose(ask)


def wins(name: str, side: str, seeds: Sequence[int], bots: Sequence[str]) -> int:
    """How many of these games the side wins."""
    return sum(play(name, seed, bots).state.winner == side for seed in seeds)
