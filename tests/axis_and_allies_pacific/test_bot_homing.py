"""Aircraft think of where they land before they strike, and leave a place that is lost."""

from __future__ import annotations

import pytest

from pbem.games.axis_and_allies_pacific.state import AIR, State
from tests.axis_and_allies_pacific.table import build, engine_at, put
from tests.axis_and_allies_pacific.test_bot import COMBAT, NONCOMBAT, at_war, orders


def _american_pacific() -> State:
    """Hawaii and Wake are American, all else that could take aircraft in is Japanese."""
    g = at_war()
    g.control |= {t: "japan" for t, place in g.board.territories.items() if place.owner not in ("soviet-union", "none")}
    g.control |= {"hawaiian-islands": "united-states", "wake-island": "united-states"}
    build(g, "hawaiian-islands", "air-base")
    put(g, "united-states", "hawaiian-islands", "infantry", 5)
    return g


def _landing_force(g: State, zone: str, transports: int) -> None:
    """Two men of Japan on each transport, and battleships."""
    put(g, "japan", zone, "battleship", 2)
    for _ in range(transports):
        put(g, "japan", zone, "transport")
        put(g, "japan", zone, "infantry", 2)
        g.units[g.next_id - 1].aboard = g.units[g.next_id - 2].aboard = g.next_id - 3


@pytest.mark.parametrize(("transports", "strikes"), [(0, True), (3, False)])
def test_bombers_strike_no_destroyer_when_they_are_lost_on_the_only_island_they_reach(transports: int, strikes: bool) -> None:
    g = _american_pacific()
    put(g, "united-states", "hawaiian-islands", "strategic-bomber", 2)
    put(g, "japan", "sz-22", "destroyer")
    _landing_force(g, "sz-24", transports)
    engine = engine_at(g, "united-states", COMBAT)
    orders(engine, COMBAT)
    assert any(u.type in AIR and u.at == "sz-22" for u in engine.state.of("united-states")) == strikes


@pytest.mark.parametrize(("transports", "stays"), [(1, True), (6, False)])
def test_a_bomber_leaves_a_city_that_is_lost_with_it_and_no_other(transports: int, stays: bool) -> None:
    g = _american_pacific()
    g.control["philippines"] = "united-states"
    put(g, "united-states", "philippines", "infantry")
    put(g, "united-states", "philippines", "strategic-bomber")
    build(g, "philippines", "air-base")
    g.control["guam"] = "united-states"
    put(g, "united-states", "guam", "infantry", 9)
    _landing_force(g, "sz-34", transports)
    engine = engine_at(g, "united-states", NONCOMBAT)
    orders(engine, NONCOMBAT)
    assert any(u.type in AIR for u in engine.state.at("philippines")) == stays
