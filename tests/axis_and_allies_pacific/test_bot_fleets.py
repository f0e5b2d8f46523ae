"""Fleets that stay one body."""

from __future__ import annotations

from tests.axis_and_allies_pacific.table import engine_at, put
from tests.axis_and_allies_pacific.test_bot import NONCOMBAT, at_war, orders


def test_carriers_join_the_ships_that_have_fought() -> None:
    g = at_war()
    g.control |= {t: "japan" for t, owner in g.control.items() if owner != "soviet-union"}
    g.control |= {"iwo-jima": "united-states", "western-united-states": "united-states", "india": "united-kingdom"}
    put(g, "japan", "japan", "infantry", 4)
    put(g, "japan", "sz-20", "aircraft-carrier", 2)
    put(g, "japan", "sz-35", "battleship", 2)
    put(g, "japan", "sz-35", "destroyer", 3)
    put(g, "united-states", "sz-10", "battleship")
    engine = engine_at(g, "japan", NONCOMBAT)
    for ship in engine.state.at("sz-35"):
        ship.fought = True
    orders(engine, NONCOMBAT)
    assert {u.at for u in engine.state.of("japan") if u.type == "aircraft-carrier"} == {"sz-35"}
