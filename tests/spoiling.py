"""Orders made illegal on purpose, along random games: every one of them must be refused and change nothing."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from pbem.kernel.wording import english

Spoilt: TypeAlias = tuple[str, Plain]  # how, order


class Spoiler:
    """Called at every request of a game: now and then a few orders of `spoil` are tried, until `wanted` were."""

    def __init__(
        self,
        spoil: Callable[[Any, Ask, random.Random], Iterable[Spoilt]],
        seed: int,
        wanted: int,
        *,
        every: float,
        most: int,
    ) -> None:
        self.spoil, self.seed, self.wanted, self.every, self.most = spoil, seed, wanted, every, most
        self.dice, self.refused = random.Random(seed), Counter[str]()

    def along(self, play: Callable[[int, Spoiler], object]) -> Counter[str]:
        """Play game after game from the seed on, until enough orders were refused; how many of each kind."""
        game = self.seed
        while self.refused.total() < self.wanted:
            play(game, self)
            game += 1
        return self.refused

    def __call__(self, engine: Engine, *_: object) -> None:
        """Look at a request."""
        ask = engine.request
        if (
            self.refused.total() >= self.wanted
            or not isinstance(ask, Ask)
            or ask.forced is not None
            or self.dice.random() > self.every
        ):
            return
        before = engine.state_hash() if self.dice.random() < 0.05 else ""
        found = list(self.spoil(engine.state, ask, self.dice))
        for how, order in self.dice.sample(found, min(self.most, len(found))):
            check_refused(ask, how, order, self.seed)
            self.refused[how] += 1
        assert not before or engine.state_hash() == before, "a refused order changed the state"


def check_refused(ask: Ask, how: str, order: Plain, seed: int) -> None:
    """Raises AssertionError when the order is accepted, whatever the engine thinks of it otherwise."""
    try:
        ask.read(order)
    except Rejected:
        return
    raise AssertionError(f"seed {seed}: {how}: {order} was accepted for {ask.kind}: {english(ask.prompt)}")
