"""Hex grids against a slow judge: neighbours drawn on paper, distances by walking."""

from __future__ import annotations

from functools import cache
from math import hypot, isclose, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.kernel.canon import Plain
from pbem.kernel.hexes import SIDES, Grid, distances, labels_in

GRIDS = [Grid(), Grid(odd_lower=False), Grid(True, 1000), Grid(False, 1000)]
table = cache(distances)
columns, rows = st.integers(4, 40), st.integers(10, 60)


def centre(grid: Grid, place: int) -> tuple[float, float]:
    """Where a hex of height 1 lies on paper: x to the right, y down."""
    column, row = place // grid.base, place % grid.base
    return column * sqrt(3) / 2, row + (0.5 if (column % 2 == 1) == grid.odd_lower else 0)


def test_the_printed_numbering_of_two_maps() -> None:
    assert Grid().neighbours(1010) == (1009, 1109, 1110, 1011, 910, 909)
    assert Grid().neighbours(1110) == (1109, 1210, 1211, 1111, 1011, 1010)
    assert Grid(odd_lower=False).neighbours(1010) == (1009, 1110, 1111, 1011, 911, 910)
    assert Grid(odd_lower=False).neighbours(1110) == (1109, 1209, 1210, 1111, 1010, 1009)
    assert Grid(base=1000).neighbours(10010) == (10009, 11009, 11010, 10011, 9010, 9009)


@pytest.mark.parametrize("grid", GRIDS)
@given(column=columns, row=rows)
@settings(deadline=None)
def test_neighbours_lie_on_their_sides_at_distance_one(grid: Grid, column: int, row: int) -> None:
    place = column * grid.base + row
    x, y = centre(grid, place)
    towards = {"N": (0, -1), "NE": (1, -0.5), "SE": (1, 0.5), "S": (0, 1), "SW": (-1, 0.5), "NW": (-1, -0.5)}
    for i, (side, near) in enumerate(zip(SIDES, grid.neighbours(place), strict=True)):
        nx, ny = centre(grid, near)
        right, down = towards[side]
        assert isclose(nx - x, right * sqrt(3) / 2) and isclose(ny - y, down) and isclose(hypot(nx - x, ny - y), 1)
        assert grid.neighbours(near)[(i + 3) % 6] == place
        assert grid.distance(place, near) == 1


def walked(grid: Grid, start: int, steps: int) -> dict[int, int]:
    """Hex -> steps from the start, by walking."""
    found, edge = {start: 0}, [start]
    for step in range(1, steps + 1):
        edge = [n for place in edge for n in grid.neighbours(place) if found.setdefault(n, step) == step]
    return found


@pytest.mark.parametrize("grid", GRIDS)
@given(column=columns, row=rows)
@settings(deadline=None, max_examples=20)
def test_distance_and_surroundings_are_those_of_walking(grid: Grid, column: int, row: int) -> None:
    start = column * grid.base + row
    found = walked(grid, start, 3)
    assert {place: grid.distance(start, place) for place in found} == found
    assert {place: grid.distance(place, start) for place in found} == found
    assert list(grid.within(start, 3)) == sorted(found)
    assert list(grid.within(start, 1)) == sorted([start, *grid.neighbours(start)])
    assert list(grid.within(start, 0)) == [start]
    assert {type(place) for place in grid.within(start, 3)} == {int} == {type(grid.distance(start, place)) for place in found}


def test_far_distances() -> None:
    assert Grid().distance(101, 1101) == 10
    assert Grid().distance(101, 1111) == 15
    assert Grid().distance(1111, 101) == 15
    assert Grid(odd_lower=False).distance(101, 1111) == 15
    assert Grid().distance(1001, 1010) == 9


@pytest.mark.parametrize("grid", GRIDS)
@given(one=st.integers(0, 9999), other=st.integers(0, 9999))
def test_the_table_of_distances_is_that_of_the_grid(grid: Grid, one: int, other: int) -> None:
    assert table(grid)(one, other) == grid.distance(one, other) and type(table(grid)(one, other)) is int


@pytest.mark.parametrize(
    ("order", "labels"),
    [
        (722, ["0722"]),
        (2330, ["2330"]),
        (True, []),
        (None, []),
        ("3823", ["3823"]),
        ("move 2 tanks from 3823 to N2618, S0602.", ["3823", "N2618"]),  # a full stop may go on, as in 3823.5
        ("(3823)", ["3823"]),
        ("13823 x3823 3823x 38 382 3823-3824 3823/2 n2618", []),
        ([722, "3823", [1, "x"]], ["0722", "3823", "0001"]),
        ({"3823": {"to": [722]}, "N2618": "3824", "x": None}, ["3823", "N2618", "0722", "3824"]),
    ],
)
def test_what_may_be_the_number_of_a_hex(order: Plain, labels: list[str]) -> None:
    assert list(labels_in(order)) == labels
