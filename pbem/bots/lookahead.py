"""Look-ahead: ideas are played on from the same position with the same luck, and the one that comes out best is followed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

Idea = TypeVar("Idea")


def best_of(ideas: Sequence[Idea], played: Callable[[Idea, int], int], finalists: int, samples: int, margin: int) -> Idea:
    """The idea that is worth most on the mean of `samples`; the first where none is better by more than `margin`.

    `played`: what comes of an idea with the luck of a sample, numbered from 0. All are tried once; the first goes on with those
    that did better, as many as there are `finalists`. Equal ones keep their order.
    """
    if len(ideas) == 1:
        return ideas[0]
    once = [played(idea, 0) for idea in ideas]
    others = sorted((i for i in range(1, len(ideas)) if once[i] > once[0]), key=lambda i: -once[i])[:finalists]
    if not others:
        return ideas[0]
    totals = {i: once[i] + sum(played(ideas[i], n) for n in range(1, samples)) for i in (0, *others)}
    best = max(others, key=lambda i: totals[i])
    return ideas[best] if totals[best] - totals[0] > margin * samples else ideas[0]
