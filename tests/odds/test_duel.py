"""The fast solver against fractions that were counted out die by die."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from pbem.odds.distributions import hits, together
from pbem.odds.duel import Duel, Grid, first_round, one_round, to_the_end
from tests.odds.slow import every_throw, fight

NEARLY = 1e-12


def duel(attack: list[list[int]], defence: list[list[int]], opening: tuple[int, ...] = ()) -> Duel:
    return Duel(tuple(map(together, attack)), tuple(map(together, defence)), together(opening))


def losing(faces: list[int]) -> list[list[int]]:
    return [faces[i:] for i in range(len(faces) + 1)]


def assert_equal(grid: Grid, exact: dict[tuple[int, int], object]) -> None:
    for d, row in enumerate(grid):
        for a, chance in enumerate(row):
            assert abs(chance - exact.get((a, d), 0)) < NEARLY, (a, d)  # type: ignore[operator]


@pytest.mark.parametrize("faces", [[], [1], [2, 2, 3], [1, 1, 4, 6], [5, 5, 5, 5, 5]])
def test_hits_are_those_of_every_throw(faces: list[int]) -> None:
    found = hits(together(faces))
    assert all(abs(p - every_throw(faces).get(k, 0)) < NEARLY for k, p in enumerate(found))
    assert len(found) == len(faces) + 1


@pytest.mark.parametrize("seed", range(12))
def test_the_ends_of_small_battles(seed: int) -> None:
    dice = Random(seed)
    attack = losing([dice.randint(1, 4) for _ in range(dice.randint(1, 4))])
    defence = losing([dice.randint(1, 4) for _ in range(dice.randint(1, 4))])
    made = duel(attack, defence)
    ends = to_the_end(made, first_round(made), lambda a, d: a == len(attack) - 1 or d == len(defence) - 1)
    assert_equal(ends, fight(attack, defence))


def test_a_first_hit_takes_no_die_and_support_goes_with_its_giver() -> None:
    attack = [[2, 2, 4], [2, 2, 4], [1, 2, 4], [1, 4], [4], []]
    defence = [[2, 4], [2, 4], [4], [4], []]
    made = duel(attack, defence)
    ends = to_the_end(made, first_round(made), lambda a, d: a == 5 or d == 4)
    assert_equal(ends, fight(attack, defence))


def test_opening_fire_counts_once() -> None:
    attack, defence = losing([1, 3]), losing([2, 2, 4])
    made = duel(attack, defence, (3, 4))
    ends = to_the_end(made, first_round(made), lambda a, d: a == 2 or d == 3)
    assert_equal(ends, fight(attack, defence, (3, 4)))


@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_after_a_number_of_rounds(rounds: int) -> None:
    attack, defence = losing([1, 2, 3]), losing([2, 4])
    made = duel(attack, defence)
    grid = first_round(made)
    for _ in range(rounds - 1):
        grid = one_round(made, grid)
    assert_equal(grid, fight(attack, defence, rounds=rounds))


def test_an_end_before_the_last_unit() -> None:
    attack, defence = losing([1, 2, 3, 3]), losing([2, 2, 3])
    made = duel(attack, defence)
    ends = to_the_end(made, first_round(made), lambda a, d: a == 4 or d == 3 or a > d + 1)
    assert_equal(ends, fight(attack, defence, stops=lambda a, d, r: a > d + 1))


def test_who_cannot_hit_does_not_fight_for_ever() -> None:
    made = duel([[3], [0], []], [[2], [0], []])
    ends = to_the_end(made, first_round(made), lambda a, d: a == 2 or d == 2)
    assert ends[1][1] == pytest.approx(1 / 2 * 1 / 3 / (1 - 1 / 2 * 2 / 3))
    assert sum(map(sum, ends)) == pytest.approx(1, abs=NEARLY)


def test_a_defender_who_gains_a_die_is_refused() -> None:
    with pytest.raises(ValueError):
        duel(losing([1]), [[2], [1, 1], []])


def test_large_battles_add_up_to_one() -> None:
    attack, defence = losing([1] * 50 + [3] * 50), losing([2] * 40 + [4] * 30)
    made = duel(attack, defence)
    ends = to_the_end(made, first_round(made), lambda a, d: a == 100 or d == 70)
    assert abs(sum(map(sum, ends)) - 1) < NEARLY
    assert all(ends[d][a] < 1e-20 for a, d in product(range(100), range(70))), "the battle goes on until a side is gone"
