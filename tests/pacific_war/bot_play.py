"""Games with the bot on the bare engine: against itself, or against random play."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from pbem.games.pacific_war import bot
from pbem.games.pacific_war.state import ALLIES, JAPAN, State
from pbem.games.pacific_war.terms import month_name
from pbem.games.pacific_war.victory import owner
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Simultaneous
from tests.pacific_war import random_play, table


def play(
    name: str, seed: int, bots: Sequence[str], most: int = 100_000, watch: random_play.Watch | None = None, **options: Any
) -> Engine:
    """One game of a scenario to its end; sides that are not the bot's play at random."""
    engine, dice = table.begin(name, **options), random.Random(seed)
    for _ in range(most):
        request = engine.request
        if request is None:
            return engine
        if watch is not None:
            watch(engine)
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


class Chronicle:
    """What a war looks like: month by month the points, the operations of both sides, the named hexes that changed hands."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._month = 0
        self._operation: object = None
        self._held: dict[int, str] = {}
        self._row: list[str] = []

    def __call__(self, engine: Engine) -> None:
        """Looks at the game before a question is answered."""
        g = engine.state
        if g.month != self._month:
            if self._month:
                self._close(g)
            self._month = g.month
        o = g.operation
        if o is not None and o is not self._operation and (self._operation is None or o.start != self._operation):
            self._row.append(f"{g.operator[0].upper()} {o.hq} {o.start}: {o.spent}/{o.bid}")
        self._operation = o.start if o is not None else None
        self._compare(g)

    def _compare(self, g: State) -> None:
        key = g.memo.layout
        if key == getattr(self, "_layout", None):
            return
        self._layout = key
        places = {*g.airfields, *g.ports, *(int(k[9:]) for k in g.ledger if k.startswith("resource "))}
        for place in sorted(places):
            side = owner(g, place)
            if side and self._held.setdefault(place, side) != side:
                self._held[place] = side
                self._row.append(f"{side[0].upper()}+{g.board.name(place)}")

    def _close(self, g: State) -> None:
        points = {side: g.purse.get(side, 0) for side in (JAPAN, ALLIES)}
        self.lines.append(f"{month_name(self._month)} {points} {g.initiative}: " + "; ".join(self._row))
        self._row = []
