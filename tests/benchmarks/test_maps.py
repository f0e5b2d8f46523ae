"""Drawing maps in process: target 100 ms for the whole theatre."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.report.maps.areas import areas
from tests.report.test_map import draw, japans_turn, opening


@pytest.mark.parametrize("look", [{}, {"width": 400}, {"around": "hunan"}], ids=["theatre", "phone", "battle"])
def test_svg_map(benchmark: Any, look: dict[str, Any]) -> None:
    assert benchmark(draw, japans_turn(), **look).startswith("<svg")


def test_first_svg_map(benchmark: Any) -> None:
    """With reading the shapes."""
    assert benchmark.pedantic(draw, (opening(),), setup=areas.cache_clear, rounds=10).startswith("<svg")
