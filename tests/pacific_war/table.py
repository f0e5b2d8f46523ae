"""Scenarios of Pacific War for tests, on the bare engine: everything is known."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

from pbem import games
from pbem.games.pacific_war.game import GAME
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Claim, Commit, PrivateRoll, Request, Roll
from pbem.store.library import load_scenario

SCENARIOS = sorted(p.stem for p in (Path(__file__).parents[2] / "scenarios" / "pacific_war" / "compiled").glob("*.json"))


@cache
def scenario(name: str) -> Any:
    return load_scenario(games.load("pacific-war"), name)


def begin(name: str, changes: dict[str, Any] | None = None, **options: Plain) -> Engine:
    """A game at its first question; `changes` of the scenario."""
    chosen = {**scenario(name), **changes} if changes else scenario(name)
    return Engine(GAME, chosen, GAME.start(chosen, options))


def chance(request: Request, dice: random.Random) -> Plain:
    """An answer to what nobody decides: dice and true statements."""
    if isinstance(request, Roll):
        return [dice.randint(1, request.sides) for _ in range(request.dice)]
    if isinstance(request, PrivateRoll):
        return f"{request.seat} {dice.randint(1, request.sides)}"  # a handle that says what is behind it
    if isinstance(request, Commit):
        contents = GAME.proposals(None, request, {}, behind)
        return f"seal {dice.randrange(10**9)} {json.dumps(dice.choice(contents))}"
    assert isinstance(request, Claim)
    return request.truth(behind)


def behind(handle: str) -> Plain:
    """What a handle of this table hides: the handle itself says it."""
    if handle.startswith("seal "):
        sealed: Plain = json.loads(handle.split(" ", 2)[2])
        return sealed
    return [int(handle.split()[-1])]
