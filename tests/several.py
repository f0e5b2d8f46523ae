"""The same game at several seeds, for the programs that measure bots."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import TypeVar

Game = TypeVar("Game")


def played_at(seeds: Sequence[int], played: Callable[[int], Game], workers: int) -> list[Game]:
    """The games of some seeds, in their order, on some processes."""
    if workers == 1:
        return [played(seed) for seed in seeds]
    with ProcessPoolExecutor(workers) as pool:
        return list(pool.map(played, seeds))
