"""[PW-BID-01] Who is asked for a bid: whoever has points for one, and under earlier rules everybody."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.state import State
from pbem.kernel.flow import Ask, Simultaneous
from tests.pacific_war import table


def asked(game: Any, **points: int) -> list[str]:
    """The sides that are asked, with so many points in a headquarters of each."""
    g: State = table.begin("guadalcanal", secrets="open").state
    for side, found in points.items():
        next(h for h in g.hqs.values() if h.side == side).points = found
    request = next(game.segments["bids"](g, True), None)
    if isinstance(request, Simultaneous):
        return [ask.seat for ask in request.asks]
    return [request.seat] if isinstance(request, Ask) else []


def test_nobody_without_points_is_asked() -> None:
    assert asked(GAME, japan=3, allies=3) == ["japan", "allies"]
    assert asked(GAME, allies=1) == ["allies"]
    assert asked(GAME, japan=1) == ["japan"]
    assert asked(GAME) == []


@pytest.mark.parametrize("version", [4, 3, 2])
def test_a_game_of_an_earlier_version_asks_as_it_did(version: int) -> None:
    assert asked(GAME.earlier[version]) == ["japan", "allies"]
    assert GAME.earlier[version].rules_version == version
