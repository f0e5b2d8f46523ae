"""Probabilities of the charts: hits of one attack and of many, the result of a ground combat. Exact; floats, never in rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import reduce
from typing import Any

from msgspec import Struct

from pbem.games.pacific_war.board import X
from pbem.games.pacific_war.dice import NAVAL_LINES, column, ground_result
from pbem.games.pacific_war.state import State
from pbem.odds.distributions import convolve

DIE = tuple(range(10))
Shot = tuple[str, int]  # (line of the chart, strength); a strength of -1 is zero-four, X none


def hits_on(charts: Any, line: str, strength: int, die: int) -> int:
    """What the chart prints, a troop quality test as no hit; zero-four waits for its second die."""
    return 0 if strength < 0 else _hits(charts.air_naval[line][column(strength, die)])


def _hits(printed: int | str) -> int:
    return 0 if printed == "T" else int(printed)


def shot(charts: Any, line: str, strength: int) -> list[float]:
    """[PW-DMG-02] [PW-DMG-06] [PW-NAV-08] The distribution of the hits of one attack, with second dice and critical hits."""
    if strength == X:
        return [1.0]
    found: dict[int, float] = {}
    for die in DIE:
        for hits, chance in _after(charts, line, strength, die).items():
            found[hits] = found.get(hits, 0.0) + chance / 10
    return [found.get(n, 0.0) for n in range(max(found) + 1)]


def _after(charts: Any, line: str, strength: int, die: int) -> Mapping[int, float]:
    """The hits that a first die leads to."""
    if strength >= 0:
        hits = hits_on(charts, line, strength, die)
        return critical(charts, line, hits) if die == 0 else {hits: 1.0}
    if die:
        return {0: 1.0}
    hits = _hits(charts.air_naval[line][1])
    found = {0: 0.5}  # a second die of five or more
    for n, p in [(hits, 0.4), *((n, 0.1 * p) for n, p in critical(charts, line, hits).items())]:
        found[n] = found.get(n, 0.0) + p
    return found


def critical(charts: Any, line: str, hits: int) -> Mapping[int, float]:
    """Hits after the die for a critical hit, where one is rolled."""
    if line not in NAVAL_LINES:
        return {hits: 1.0}
    found: dict[int, float] = {}
    for more in charts.critical:
        found[hits + more] = found.get(hits + more, 0.0) + 1 / len(charts.critical)
    return found


def volley(charts: Any, shots: Iterable[Shot]) -> Sequence[float]:
    """The distribution of the hits of several attacks together."""
    return reduce(convolve, (shot(charts, line, strength) for line, strength in shots), [1.0])


def mean(distribution: Sequence[float]) -> float:
    """The expected number of hits."""
    return sum(n * p for n, p in enumerate(distribution))


class Fought(Struct, frozen=True):
    """A ground combat before its retreats: chances of who must retreat, mean steps lost."""

    attacker_retreats: float
    defender_retreats: float
    attacker_loses: float
    defender_loses: float


def assault(g: State, net: int, steps: int) -> Fought:
    """[PW-LND-02] `net`: column and modifier before the die is taken off; `steps` of both sides together."""
    results = [ground_result(g, net - die, steps) for die in DIE]
    return Fought(
        sum(r[2] == "A" for r in results) / 10,
        sum(r[2] == "D" for r in results) / 10,
        sum(r[0] for r in results) / 10,
        sum(r[1] for r in results) / 10,
    )
