"""Islands that were taken stay taken: no man is counted twice, and no island is left to a single transport."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.bot.forces import without_guards
from pbem.games.axis_and_allies_pacific.bot.judgement import is_safe, threat
from pbem.games.axis_and_allies_pacific.bot.lifts import lifts_to
from pbem.games.axis_and_allies_pacific.state import State
from tests.axis_and_allies_pacific.table import engine_at, put
from tests.axis_and_allies_pacific.test_bot import COMBAT, at_war


def _java(enemies: int) -> State:
    """Two Japanese on Java, so many Australians who could sail there."""
    g = at_war()
    g.control |= {"java": "japan", "western-australia": "anzac"}
    put(g, "japan", "java", "infantry", 2)
    put(g, "anzac", "western-australia", "infantry", enemies)
    put(g, "anzac", "sz-56", "transport")
    return g


def test_several_transports_leave_a_city_overseas_its_garrison() -> None:
    g = at_war()
    g.control["philippines"] = "japan"
    put(g, "japan", "philippines", "infantry", 6)
    put(g, "japan", "sz-35", "transport", 4)
    g = engine_at(g, "japan", COMBAT).state
    taken = {u.id for lift in lifts_to(g, "japan", "sz-36") for u in lift.cargo}
    assert sum(u.id not in taken for u in g.at("philippines")) == 3


def _beside(place: str, zone: str, base: str, enemies: int, transports: int) -> int:
    """How many of two Japanese in a place may leave it, with so many Australians on a base and transports in a zone."""
    g = at_war()
    g.control |= {place: "japan", base: "anzac"}
    put(g, "japan", place, "infantry", 2)
    put(g, "anzac", base, "infantry", enemies)
    put(g, "anzac", zone, "transport", transports)
    return len(without_guards(g, "japan", place, g.at(place)))


def test_the_last_man_stays_on_an_island_that_an_enemy_can_reach() -> None:
    assert _beside("okinawa", "sz-20", "formosa", 1, 1) == 1
    assert _beside("okinawa", "sz-20", "formosa", 0, 1) == 2


def test_a_stronger_wing_of_another_enemy_hides_no_landing() -> None:
    g = _java(1)
    g.control["northern-territory"] = "anzac"
    put(g, "united-states", "northern-territory", "strategic-bomber", 5)
    assert len(without_guards(g, "japan", "java", g.at("java"))) == 1
    assert not is_safe(g, "japan", "java", [u.id for u in g.at("java")])


def test_the_last_man_stays_however_many_transports_come() -> None:
    g = _java(1)
    put(g, "japan", "sz-42", "transport", 2)
    g = engine_at(g, "japan", COMBAT).state
    assert sum(len(lift.cargo) for lift in lifts_to(g, "japan", "sz-41")) == 1


def test_a_rock_without_income_needs_no_guard() -> None:
    g = _java(1)
    g.control |= {"caroline-islands": "japan", "guam": "united-states"}
    put(g, "japan", "caroline-islands", "infantry", 2)
    put(g, "united-states", "guam", "infantry")
    put(g, "united-states", g.board.coast("guam")[0], "transport")
    assert any(u.type == "infantry" for u in threat(g, "japan", "caroline-islands"))
    assert len(without_guards(g, "japan", "caroline-islands", g.at("caroline-islands"))) == 2
