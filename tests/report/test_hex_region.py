"""The sheet under a hex map: a region as one closed line, paper over what goes beyond the board."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

from pbem.report import svg_map
from pbem.report.maps import svg
from pbem.report.maps.hex_land import layout, whole
from pbem.report.maps.look import Look
from tests.report.test_hex_map import BOARD, GAME, picture


def corners_of(path: str) -> list[list[str]]:
    """The points of each closed line of path data."""
    return [line.rstrip("z").split("L") for line in path.split("M")[1:]]


def test_a_region_to_be_filled_is_as_long_as_its_border() -> None:
    at = layout(BOARD)
    ((*alone,),) = corners_of(whole(at, [402]))
    assert sorted(alone) == sorted(
        f"{svg.number(x)} {svg.number(y)}"
        for x, y in ((at.middles[402][0] + dx, at.middles[402][1] + dy) for dx, dy in at.corners)
    )
    assert [len(line) for line in corners_of(whole(at, [302, 303]))] == [10]
    assert [len(line) for line in corners_of(whole(at, [302, 602]))] == [6, 6]
    assert whole(at, []) == ""


def test_a_hole_in_a_region_is_a_line_of_its_own_the_other_way_round() -> None:
    at = layout(BOARD)
    ring = [h for h in at.near[302] if h in at.cells]
    assert len(ring) == 6
    around, hole = sorted(corners_of(whole(at, ring)), key=len, reverse=True)
    assert (len(around), len(hole)) == (18, 6)
    assert {302: turning(around), 0: turning(hole)} == {302: True, 0: False}


def turning(line: list[str]) -> bool:
    """Does a closed line go round with the clock?"""
    points = [tuple(map(float, point.split())) for point in line]
    return sum(x * ny - nx * y for (x, y), (nx, ny) in pairwise([*points, points[0]])) > 0


def test_the_board_is_not_clipped_and_paper_covers_what_goes_beyond_it() -> None:
    drawn = svg_map.draw(GAME, picture(), "Title", Look())
    frame = re.search(r'<svg x="0" y="([\d.]+)" width="([\d.]+)" height="([\d.]+)" [^>]*overflow="visible">', drawn)
    assert frame
    top, width, high = map(float, frame.groups())
    behind = drawn[drawn.index("</svg>") :]
    above, below = re.findall(r'<rect y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)" fill="#ffffff"/>', behind)
    y, wide, tall = map(float, above)
    assert (y, wide) == (-top, width)
    assert tall == pytest.approx(2 * top, abs=0.15)  # beyond the picture too: its height is rounded
    y, wide, tall = map(float, below)
    assert wide == width
    assert y == pytest.approx(top + high, abs=0.15)
    assert y + tall > float(drawn.split('viewBox="0 0 ')[1].split('"')[0].split()[1]) + 10
