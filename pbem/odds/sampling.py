"""For battles with too many states: some of their courses, and how far off the frequencies may be."""

from __future__ import annotations

import random  # noqa: TID251 - an estimate for a reader, never a die of the game
from collections.abc import Callable, Hashable, Mapping
from math import sqrt
from typing import Generic, TypeVar

from msgspec import Struct

S = TypeVar("S", bound=Hashable)
SEED = 1940  # the same question gets the same estimate


class Sampled(Struct, Generic[S], frozen=True):
    """Frequencies of final states. `error`: the standard error of a frequency of one half, which is the largest."""

    chances: dict[S, float]
    error: float


def sample(start: Mapping[S, float], follow: Callable[[S], Mapping[S, float] | None], number: int) -> Sampled[S]:
    """`number` courses through the graph that `chances.solve` would count out."""
    dice = random.Random(SEED)
    known: dict[S, Mapping[S, float] | None] = {}
    found: dict[S, float] = {}
    for _ in range(number):
        state = _pick(start, dice)
        while (after := _following(state, follow, known)) is not None:
            state = _pick(after, dice)
        found[state] = found.get(state, 0.0) + 1 / number
    return Sampled(found, 0.5 / sqrt(number))


def _following(
    state: S, follow: Callable[[S], Mapping[S, float] | None], known: dict[S, Mapping[S, float] | None]
) -> Mapping[S, float] | None:
    """What follows, but for staying where one is."""
    if state not in known:
        after = follow(state)
        others = {s: p for s, p in after.items() if s != state} if after else {}
        known[state] = others or None
    return known[state]


def _pick(chances: Mapping[S, float], dice: random.Random) -> S:
    return dice.choices([*chances], [*chances.values()])[0]
