"""The drawn map agrees with the adjacency data: two areas share a visible border exactly when the data says so.

There is no exception: islands lie inside their sea zone and share their coast with it.
"""

import itertools
import json
import math
from pathlib import Path

import pytest
import yaml

SCENARIO = Path(__file__).parents[2] / "scenarios" / "axis_and_allies_pacific"
VISIBLE = 14  # board units of 2400 across: 7 pixels on a picture 1200 pixels wide


@pytest.fixture(scope="module")
def board():
    return yaml.safe_load((SCENARIO / "map.yaml").read_text("utf-8"))


@pytest.fixture(scope="module")
def shapes():
    return json.loads((SCENARIO / "shapes.json").read_text("utf-8"))


def points(arc):
    """The absolute points of an arc [left, right, x, y, dx, dy, ...]."""
    return list(zip(itertools.accumulate(arc[2::2]), itertools.accumulate(arc[3::2]), strict=True))


def drawn_borders(shapes):
    lengths = {}
    for arc in shapes["arcs"]:
        pair = frozenset(arc[:2])
        lengths[pair] = lengths.get(pair, 0) + sum(itertools.starmap(math.dist, itertools.pairwise(points(arc))))
    return {pair: length for pair, length in lengths.items() if "" not in pair}


def outline(shapes, ring):
    found = []
    for number in ring:
        line = points(shapes["arcs"][abs(number) - 1])
        line = line if number > 0 else line[::-1]
        assert not found or found[-1] == line[0], "the ring is broken"
        found += line[1:] if found else line
    assert found[0] == found[-1], "the ring is open"
    return found


def surface(ring):
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in itertools.pairwise(ring)) / 2


def test_borders_agree_with_the_adjacency_data(board, shapes):
    wanted = {frozenset((a, b)) for a, others in board["borders"].items() for b in others}
    drawn = drawn_borders(shapes)
    missing = {tuple(sorted(p)) for p in wanted if drawn.get(p, 0) < VISIBLE}
    extra = {tuple(sorted(p)): round(length, 1) for p, length in drawn.items() if p not in wanted}
    assert not missing, missing
    assert not extra, extra


def test_every_space_of_the_board_is_drawn_and_has_a_place_for_its_stacks(board, shapes):
    spaces = board["territories"].keys() | board["zones"].keys()
    assert spaces == shapes["areas"].keys() == shapes["boxes"].keys()
    assert all(rings for rings in shapes["areas"].values())


def test_the_areas_cover_the_board_without_gap_or_overlap(shapes):
    width, height = shapes["size"]
    surfaces = {name: sum(surface(outline(shapes, ring)) for ring in rings) for name, rings in shapes["areas"].items()}
    assert min(surfaces.values()) > 0
    assert sum(surfaces.values()) == pytest.approx(width * height)
