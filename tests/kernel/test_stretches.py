"""Ways typed by their corners, on a square board of numbers: one way alone is filled in, two are told."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from pbem.kernel.stretches import Several, Way, corners, filled, shortest, swapped


def square(*walls: int) -> object:
    """Steps on a board of 10 by 10, up, down, left, right."""

    def steps(way: Way) -> Iterable[int]:
        at = way[-1]
        beside = (at - 10, at + 10, *([at - 1] if at % 10 else []), *([at + 1] if at % 10 < 9 else []))
        return [n for n in beside if 0 <= n < 100 and n not in walls]

    return steps


def fill(start: int, *stops: int, walls: tuple[int, ...] = (), most: int = 30) -> Way | None:
    return filled(start, stops, square(*walls), most)  # type: ignore[arg-type]


def test_a_straight_line_is_filled_in_and_a_bend_needs_its_corner() -> None:
    assert fill(0, 3) == (1, 2, 3)
    assert fill(0, 3, 33) == (1, 2, 3, 13, 23, 33)
    assert fill(0, 1, 2) == (1, 2) and fill(5) == () and fill(5, 5, 6) == (5, 6)


def test_two_shortest_ways_are_told_whole_with_what_else_was_named() -> None:
    with pytest.raises(Several) as told:
        fill(0, 1, 12, 14)
    assert {told.value.one, told.value.other} == {(1, 2, 12, 14), (1, 11, 12, 14)} and told.value.goal == 12


def test_what_is_barred_leaves_one_way_or_none() -> None:
    assert fill(0, 11, walls=(1,)) == (10, 11)
    assert fill(0, 11, walls=(1, 10)) is None
    assert fill(0, 2, walls=(1, 11)) == (10, 20, 21, 22, 12, 2), "round about, as no other way is as short"
    with pytest.raises(Several):
        fill(2, 22, walls=(12,))


def test_no_way_is_longer_than_it_may_be() -> None:
    assert fill(0, 3, most=3) == (1, 2, 3) and fill(0, 3, most=2) is None
    assert fill(0, 2, 4, most=4) == (1, 2, 3, 4) and fill(0, 2, 4, most=3) is None


def test_what_leads_on_may_depend_on_where_one_came_from() -> None:
    """From 11 straight on alone, so that of two ways to it each goes on to another hex."""

    def steps(way: Way) -> Iterable[int]:
        on = square()(way)  # type: ignore[operator]
        return [n for n in on if n - 11 == 11 - way[-2]] if way[-1] == 11 and len(way) > 1 else on

    assert [way[1:] for way in shortest((1,), 21, steps, 5)] == [(11, 21)]
    assert {way[1:] for way in shortest((1,), 12, steps, 5)} == {(2, 12)}


def test_a_stretch_is_its_two_ends() -> None:
    assert corners(["1531..1131", 1030, "Rabaul"]) == ["1531", "1131", 1030, "Rabaul"]
    assert corners(["Cape A .. Cape B", "..", "1.5"]) == ["Cape A", "Cape B", "..", "1.5"]


def test_ways_that_differ_in_one_hex() -> None:
    def near(at: int) -> list[int]:
        return [*square()((at,))]  # type: ignore[operator]

    assert [*swapped((0, 1, 11, 12), near)] == [(10, (0, 10, 11, 12)), (2, (0, 1, 2, 12))]
    assert [*swapped((0, 1, 2), near)] == [] and [*swapped((0, 1), near)] == []


def test_no_way_comes_to_a_hex_twice() -> None:
    """From 1 on to 9 alone for who comes from 2, which lies behind 1."""
    on = {(0,): [1], (0, 1): [2], (1, 2): [1], (2, 1): [9]}
    assert shortest((0,), 9, lambda way: on.get(way[-2:], []), 9) == []


def test_two_ways_are_enough_and_no_more_are_looked_at() -> None:
    looked: list[Way] = []

    def steps(way: Way) -> Iterable[int]:
        looked.append(way)
        return square()(way)  # type: ignore[operator, no-any-return]

    assert len(shortest((0,), 22, steps, 9)) == 2, "of six"
    looked.clear()
    assert len(shortest((0,), 66, steps, 20)) == 2
    assert len(looked) == 927, "two to each pair of last hexes"
