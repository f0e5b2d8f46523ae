"""Pacific War: command links and supply of the whole map (target 20 ms), drawing the map (target 150 ms)."""

from __future__ import annotations

from functools import cache
from typing import Any

from pbem import games
from pbem.games.pacific_war import picture
from pbem.games.pacific_war.state import SIDES, State
from pbem.games.pacific_war.world import links
from pbem.report import svg_map
from pbem.report.maps.hex_land import ground, layout
from pbem.report.maps.look import Look
from tests.pacific_war import table

WHOLE_WAR = "strategic-1941"


@cache
def war() -> State:
    """The first position of the whole war."""
    state: State = table.begin(WHOLE_WAR).state
    return state


def test_links_of_the_whole_map(benchmark: Any) -> None:
    """Every linked hex of both sides, nothing remembered."""
    g = war()

    def both() -> int:
        g.memo.forget()
        g.reaches.clear()
        return sum(len(links.linked_hexes(g, side)) for side in SIDES)

    assert benchmark(both) > 500


def _draw() -> str:
    return svg_map.draw(games.load("pacific-war"), picture.picture(war(), []), "The Pacific", Look())


def test_map(benchmark: Any) -> None:
    assert benchmark(_draw).startswith("<svg")


def test_first_map(benchmark: Any) -> None:
    """With the ground that later maps share."""

    def forget() -> None:
        ground.cache_clear()
        layout.cache_clear()

    assert benchmark.pedantic(_draw, setup=forget, rounds=5).startswith("<svg")
