"""Distributions of hits: lists of probabilities, the index is the number of hits."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate
from math import comb
from operator import mul

Dice = tuple[tuple[int, int], ...]  # (faces that hit, number of dice), faces from 1 to sides
Distribution = Sequence[float]


@cache
def binomial(number: int, faces: int, sides: int = 6) -> Distribution:
    """Hits of `number` dice of which each hits on `faces` of its `sides`."""
    p, q = faces / sides, (sides - faces) / sides
    return [comb(number, k) * p**k * q ** (number - k) for k in range(number + 1)]


def convolve(one: Distribution, other: Distribution) -> Distribution:
    """The distribution of the sum of two independent counts."""
    short, long = (one, other) if len(one) <= len(other) else (other, one)
    turned, last = short[::-1], len(short) - 1
    padded = [0.0] * last + list(long) + [0.0] * last
    return [sum(map(mul, turned, padded[k : k + last + 1])) for k in range(len(long) + last)]


@lru_cache(maxsize=100_000)
def hits(dice: Dice, sides: int = 6) -> Distribution:
    """Hits of several groups of dice; dice of which no face hits add nothing."""
    if not dice:
        return [1.0]
    *others, (faces, number) = dice
    last = binomial(number, faces, sides)
    return convolve(hits(tuple(others), sides), last) if others else last


def tail(distribution: Distribution) -> list[float]:
    """At least k, for each k."""
    return list(accumulate(reversed(distribution)))[::-1]


def together(dice: Sequence[int]) -> Dice:
    """Dice by the number of faces that hit, those that cannot hit left out."""
    return tuple((faces, dice.count(faces)) for faces in sorted(set(dice)) if faces > 0)


def expected(dice: Dice, sides: int = 6) -> float:
    """Mean number of hits."""
    return sum(faces * number for faces, number in dice) / sides
