"""Positions and scenarios of Empire of the Sun for tests, on the bare engine: every card is known."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

from pbem import games
from pbem.games.empire_of_the_sun.game import GAME
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Claim, Draw, Open, Request, Roll
from pbem.store.library import load_scenario

SCENARIOS = sorted(p.stem for p in (Path(__file__).parents[2] / "scenarios" / "empire_of_the_sun" / "compiled").glob("*.json"))


@cache
def scenario(name: str) -> Any:
    return load_scenario(games.load("empire-of-the-sun"), name)


def begin(name: str, **options: Plain) -> Engine:
    """A game at its first question."""
    return Engine(GAME, scenario(name), GAME.start(scenario(name), options))


def chance(request: Request, dice: random.Random) -> Plain:
    """An answer to what nobody decides: dice, draws (cards by name), openings, statements."""
    if isinstance(request, Roll):
        return [dice.randint(1, request.sides) for _ in range(request.dice)]
    if isinstance(request, Draw):
        return list(dice.sample([c for c in request.base if c not in request.less], request.count))
    if isinstance(request, Open):
        return request.handle
    assert isinstance(request, Claim)
    return request.truth(lambda handle: handle)
