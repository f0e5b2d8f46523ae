"""Drawing hex maps in process: target 150 ms for the whole theatre."""

from __future__ import annotations

from typing import Any

import pytest

from pbem import games
from pbem.report import svg_map
from pbem.report.maps.hex_land import ground, layout
from pbem.report.maps.look import Look
from tests.empire_of_the_sun import test_telling


def draw(shown: Any, around: str = "") -> str:
    return svg_map.draw(games.load("empire-of-the-sun"), shown, "Theatre", Look(width=0, around=around))


@pytest.mark.parametrize("around", ["", "Manila"], ids=["theatre", "section"])
def test_hex_map(benchmark: Any, around: str) -> None:
    assert benchmark(draw, test_telling._pictured(), around).startswith("<svg")


def test_first_hex_map(benchmark: Any) -> None:
    """With the ground that later maps share."""

    def forget() -> None:
        ground.cache_clear()
        layout.cache_clear()

    assert benchmark.pedantic(draw, (test_telling._pictured(),), setup=forget, rounds=10).startswith("<svg")


def test_position_and_hex_map(benchmark: Any) -> None:
    """With zones, supply and arrows of the position."""
    assert benchmark(lambda: draw(test_telling._pictured())).startswith("<svg")
