"""What enemy ships forbid, enemy ships out of sight forbid too: a sealed task force has no ships that the board knows."""

from __future__ import annotations

import pytest

from pbem.games.pacific_war.cycle.common_phase import may_rest
from pbem.games.pacific_war.records import Marker
from pbem.games.pacific_war.sea.combat import exits
from pbem.games.pacific_war.state import State
from tests.case_driver import Case
from tests.pacific_war.stage import GameStage


def position(*lines: str, hidden: int) -> State:
    """A position with a sealed Allied task force in a hex."""
    state: State = GameStage(Case("sealed", "", ["PW-FOG-01"], list(lines))).engine.state
    state.markers["A9"] = Marker("allies", hidden, handle="sealed")
    return state


@pytest.mark.parametrize(("hidden", "rests"), [(1328, False), (1329, True)])
def test_ships_do_not_rest_beside_a_sealed_enemy(hidden: int, rests: bool) -> None:
    g = position("FLEET J1 1328: CA1 Aoba", hidden=hidden)
    assert may_rest(g, "CA1 Aoba") is rests


def test_nobody_withdraws_to_a_sealed_enemy() -> None:
    g = position("FLEET J1 1134: CA1 Aoba", "FLEET A1 1134: CA2 Chicago", hidden=1133)
    assert 1133 not in exits(g, "japan", 1134)
    assert 1234 in exits(g, "japan", 1134)
