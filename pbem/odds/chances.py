"""Battles of any kind as a graph of states, each with the distribution of what follows it. Exact, and slower than a duel."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Mapping
from typing import TypeVar

S = TypeVar("S", bound=Hashable)
Chances = dict[S, float]


class TooLarge(Exception):
    """More states than the limit: sample instead."""


def solve(
    start: Mapping[S, float],
    follow: Callable[[S], Mapping[S, float] | None],
    rank: Callable[[S], tuple[int, ...]],
    limit: int,
) -> Chances[S]:
    """The probabilities of the final states, for which `follow` is None.

    A state follows itself or states of a higher rank; returning to itself is summed up as a geometric series. Raises
    TooLarge when more than `limit` transitions have been followed.
    """
    reached: Chances[S] = dict(start)
    heap = [(rank(s), i, s) for i, s in enumerate(reached)]
    heapq.heapify(heap)
    final: Chances[S] = {}
    followed, entered = 0, len(heap)
    while heap:
        _, _, state = heapq.heappop(heap)
        chance, after = reached.pop(state), follow(state)
        if after is None or after.get(state, 0.0) >= 1.0:
            final[state] = chance
            continue
        followed += len(after)
        if followed > limit:
            raise TooLarge(f"more than {limit} transitions")
        chance /= 1.0 - after.get(state, 0.0)
        for other, p in after.items():
            if other in reached:
                reached[other] += chance * p
            elif other != state:
                reached[other] = chance * p
                entered += 1
                heapq.heappush(heap, (rank(other), entered, other))
    return final
