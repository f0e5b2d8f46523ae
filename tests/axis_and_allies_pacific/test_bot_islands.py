"""Islands that were taken stay taken: no man is counted twice, and no island is left to a single transport."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.bot.forces import without_guards
from pbem.games.axis_and_allies_pacific.bot.judgement import threat
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


def test_the_last_man_stays_on_an_island_that_an_enemy_can_reach() -> None:
    for enemies, leave in ((1, 1), (0, 2)):
        g = _java(enemies)
        assert len(without_guards(g, "japan", "java", g.at("java"))) == leave


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
