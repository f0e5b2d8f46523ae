"""Random legal play on the bare engine, warlike enough that things happen; a failure prints its seed."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Simultaneous
from pbem.kernel.wording import english
from tests.pacific_war import table

Watch = Callable[[Engine], None]
PASSIVE = ("pass", "done", "stay", "hold", "none", "end")


def play(
    name: str, seed: int, watch: Watch | None = None, most: int = 100_000, changes: Any = None, **options: Plain
) -> Engine:
    """One game of a scenario to its end."""
    dice = random.Random(seed)
    engine = table.begin(name, changes, **options)
    for _ in range(most):
        request = engine.request
        if request is None:
            return engine
        if watch is not None:
            watch(engine)
        if isinstance(request, Ask):
            engine.reply(request.forced if request.forced is not None else choose(request, dice))
        elif isinstance(request, Simultaneous):
            engine.reply({a.seat: choose(a, dice) for a in request.asks})
        else:
            engine.reply(table.chance(request, dice))
    raise AssertionError(f"{name}, seed {seed}: the game does not end")


def choose(ask: Ask, dice: random.Random) -> Plain:
    """One of the orders that the question itself proposes; passive ones are taken less often."""
    options = list(ask.options())
    assert options, f"no option for {ask.kind}: {english(ask.prompt)}"
    if any(isinstance(o, dict) and str(o.get("show")).isdigit() for o in options) and dice.random() < 0.7:
        return {"show": "none"}  # a Force stays hidden more often than not
    eager = [o for o in options if not is_passive(o)]
    if eager and dice.random() < 0.8:
        return dice.choice(eager[:2] if dice.random() < 0.5 else eager)
    return dice.choice(options)


def is_passive(order: Plain) -> bool:
    """An order that lets things be."""
    if not isinstance(order, dict):
        return order in PASSIVE
    verb, body = next(iter(order.items()))
    return verb in ("deactivate", "rebase", "leave", "retreat", "reveal") or body in ("none", "no")
