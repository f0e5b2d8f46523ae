"""Ranking of advice and losses, and what an easy bot makes of its ideas."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.bots.advice import Advice, Loss, best, greatest
from pbem.bots.levels import slip

ONE, TWO, OPEN = Advice(("a",), 5), Advice(("b",), 9), Advice(("c",))


@dataclass
class Position:
    """A position to draw from."""

    number: int


def test_the_best_come_first_each_once_and_those_without_a_value_last() -> None:
    assert best([OPEN, ONE, TWO, Advice(("b",), 9)]) == [TWO, ONE, OPEN]
    assert best([OPEN, ONE, TWO], 1) == [TWO]


def test_only_what_lost_something_is_a_loss() -> None:
    losses = [Loss(0, ONE, TWO), Loss(3, ONE, TWO), Loss(-2, ONE, None), Loss(7, None, TWO)]
    assert [one.value for one in greatest(losses)] == [7, 3]


def test_an_easy_bot_slips_half_the_time_and_always_in_the_same_way() -> None:
    ideas = [TWO, ONE, OPEN]
    drawn = [slip(ideas, Position(n), "japan", 7) for n in range(120)]
    assert drawn == [slip(ideas, Position(n), "japan", 7) for n in range(120)]
    assert 40 <= drawn.count(TWO) <= 80
    assert drawn.count(ONE) > 10
    assert drawn.count(OPEN) > 5
    assert drawn != [slip(ideas, Position(n), "japan", 8) for n in range(120)]
    assert slip([], Position(1), "japan", 7) is None
    assert all(slip([ONE], Position(n), "japan", 7) == ONE for n in range(12))
