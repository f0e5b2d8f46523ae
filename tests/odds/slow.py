"""Battles counted out die by die with exact fractions: written apart from pbem.odds, as slow as it likes to be."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

State = tuple[int, int]


def every_throw(faces: Sequence[int]) -> dict[int, Fraction]:
    """Hits of dice that hit on these faces, by listing every throw."""
    found: dict[int, Fraction] = defaultdict(Fraction)
    for throw in product(range(1, 7), repeat=len(faces)):
        number = sum(die <= face for die, face in zip(throw, faces, strict=True))
        found[number] += Fraction(1, 6 ** len(faces))
    return dict(found)


def fight(
    attack: Sequence[Sequence[int]],
    defence: Sequence[Sequence[int]],
    opening: Sequence[int] = (),
    stops: Callable[[int, int, int], bool] = lambda a, d, r: False,
    rounds: int = 10**9,
) -> dict[State, Fraction]:
    """The ends of a duel: (hits on the attacker, hits on the defender) -> probability.

    `attack[i]`: the faces on which the dice hit that are left after i hits. `stops(a, d, round)` after each round.
    """
    most_a, most_d = len(attack) - 1, len(defence) - 1
    ends: dict[State, Fraction] = defaultdict(Fraction)

    def step(a: int, d: int, extra: Sequence[int]) -> dict[State, Fraction]:
        found: dict[State, Fraction] = defaultdict(Fraction)
        for (h, p), (g, q) in product(every_throw([*attack[a], *extra]).items(), every_throw(defence[d]).items()):
            found[min(a + g, most_a), min(d + h, most_d)] += p * q
        return found

    def go_on(a: int, d: int, number: int, chance: Fraction) -> None:
        if a == most_a or d == most_d or stops(a, d, number) or number == rounds:
            ends[a, d] += chance
            return
        after = step(a, d, ())
        same = after.pop((a, d), Fraction(0))
        if same and rounds == 10**9:
            chance /= 1 - same
        elif same:
            go_on(a, d, number + 1, chance * same)
        for (x, y), p in after.items():
            go_on(x, y, number + 1, chance * p)

    for (a, d), p in step(0, 0, opening).items():
        go_on(a, d, 1, p)
    return ends
