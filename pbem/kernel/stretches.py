"""Ways typed by their corners: hexes that lie apart are joined where one shortest way alone leads from one to the next."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from pbem.kernel.canon import Plain

Way: TypeAlias = tuple[int, ...]
Steps: TypeAlias = Callable[[Way], Iterable[int]]  # the hexes that a way may go on to; its first hex is the start
_STRETCH = re.compile(r"\s*(\S.*?)\s*\.\.\s*(\S.*?)\s*")


class Several(Exception):
    """Two of the shortest ways to `goal`, a hex that was named; each from the start on, behind it what else was named."""

    def __init__(self, goal: int, one: Way, other: Way) -> None:
        super().__init__()
        self.goal, self.one, self.other = goal, one, other


def corners(parts: Sequence[Plain]) -> list[Plain]:
    """The hexes that are named, `1531..1131` as its two ends."""
    found: list[Plain] = []
    for part in parts:
        stretch = _STRETCH.fullmatch(part) if isinstance(part, str) else None
        found += stretch.groups() if stretch else [part]
    return found


def filled(start: int, stops: Sequence[int], steps: Steps, most: int) -> Way | None:
    """The way from `start` by these stops, without the start; None where none leads there in `most` hexes. Raises Several.

    A stop that is named twice stands there twice: whether one may stay the rules say.
    """
    way: Way = (start,)
    for n, stop in enumerate(stops, 1):
        if stop == way[-1]:
            way = (*way, stop)
            continue
        found = shortest(way, stop, steps, most + 1 - len(way))
        if not found:
            return None
        if len(found) > 1:
            one, other = ((*each[1:], *stops[n:]) for each in found)
            raise Several(stop, one, other)
        way = found[0]
    return way[1:]


def shortest(way: Way, goal: int, steps: Steps, most: int) -> list[Way]:
    """One or two of the shortest ways on to a hex, at most so many hexes long; none: there is none."""
    layer = [way]
    for _ in range(most):
        layer = _two_to_each((*known, place) for known in layer for place in steps(known) if place not in known)
        there = [known for known in layer if known[-1] == goal]
        if there:
            return there[:2]
    return []


def _two_to_each(ways: Iterable[Way]) -> list[Way]:
    """Two ways to each pair of last hexes are enough: what leads on depends on these alone."""
    found: dict[Way, list[Way]] = {}
    for way in ways:
        known = found.setdefault(way[-2:], [])
        if len(known) < 2:
            known.append(way)
    return [way for known in found.values() for way in known]


def swapped(path: Way, near: Callable[[int], Iterable[int]]) -> Iterable[tuple[int, Way]]:
    """The ways that differ from one in a single hex, each with that hex."""
    for n in range(1, len(path) - 1):
        behind = {*near(path[n + 1])}
        for place in near(path[n - 1]):
            if place in behind and place not in path:
                yield place, (*path[:n], place, *path[n + 1 :])
