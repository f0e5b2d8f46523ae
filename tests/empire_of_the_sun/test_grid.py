"""Hex geometry of the map: the facts of the second edition's examples and of the errata of the first edition."""

from __future__ import annotations

import pytest

from pbem.games.empire_of_the_sun.board import GRID, distance
from tests.empire_of_the_sun import table

NEIGHBOURS = {
    "GRID-01": (2220, {2119, 2120, 2219, 2221, 2319, 2320}),
    "GRID-08": (2407, {2306, 2307, 2406, 2408, 2506, 2507}),
}
BESIDE = {
    "GRID-04": (2008, {2107}),
    "GRID-05": (3407, {3406, 3506}),
    "GRID-06": (2909, {3009}),
    "GRID-07": (2017, {1916, 1917}),
    "GRID-09": (2508, {2408, 2507}),
}
DISTANCES = {"GRID-02": (3014, 2220, 10), "GRID-03": (4612, 5108, 6), "GRID-10": (3520, 3319, 2)}


@pytest.fixture(scope="module")
def board():  # type: ignore[no-untyped-def]
    return table.begin("campaign-1941", rules="2nd-2015").state.board


@pytest.mark.parametrize(("centre", "ring"), NEIGHBOURS.values(), ids=NEIGHBOURS)
def test_all_neighbours(centre: int, ring: set[int]) -> None:
    assert set(GRID.neighbours(centre)) == ring


@pytest.mark.parametrize(("centre", "some"), BESIDE.values(), ids=BESIDE)
def test_some_neighbours(centre: int, some: set[int]) -> None:
    assert some <= set(GRID.neighbours(centre))


@pytest.mark.parametrize(("one", "other", "hexes"), DISTANCES.values(), ids=DISTANCES)
def test_distances(one: int, other: int, hexes: int) -> None:
    assert distance(one, other) == distance(other, one) == hexes


def test_bangka_is_joined_to_sumatra_by_land(board) -> None:  # type: ignore[no-untyped-def]
    assert set(board.by_land[2017]) == {1916, 1917}


def test_rangoon_adjoins_2107_by_land(board) -> None:  # type: ignore[no-untyped-def]
    assert 2107 in board.by_land[2008]


def test_soerabaja_is_entered_by_sea_from_three_hexes_only(board) -> None:  # type: ignore[no-untyped-def]
    """EX-07 [8.21]."""
    assert set(board.by_sea[2220]) == {2219, 2319, 2320}
    assert all(2220 not in board.by_sea[h] for h in (2119, 2120, 2221))
