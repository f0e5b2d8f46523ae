"""Positions and scenarios of the Next War series for tests, on the bare engine."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Any

from pbem import games
from pbem.games.next_war.game import GAME
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Request, Roll
from pbem.store.library import load_scenario

SCENARIOS = sorted(p.stem for p in (Path(__file__).parents[2] / "scenarios" / "next_war" / "compiled").glob("*.json"))


@cache
def scenario(name: str) -> Any:
    return load_scenario(games.load("next-war"), name)


def begin(name: str, **options: Plain) -> Engine:
    """A game at its first question."""
    return Engine(GAME, scenario(name), GAME.start(scenario(name), options))


def chance(request: Request, dice: random.Random) -> Plain:
    """An answer to what nobody decides: here only dice."""
    assert isinstance(request, Roll)
    return [dice.randint(1, request.sides) for _ in range(request.dice)]
