"""The last turn of a power in a game with a round limit: it holds what it has, the front is of no use any more."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.bot.airfields import prospects_of
from pbem.games.axis_and_allies_pacific.bot.garrisons import Stakes
from pbem.games.axis_and_allies_pacific.bot.judgement import temper
from pbem.games.axis_and_allies_pacific.state import State
from tests.axis_and_allies_pacific.table import engine_at, put
from tests.axis_and_allies_pacific.test_bot import NONCOMBAT, at_war, orders

LAST = 8


def in_round(number: int) -> State:
    g = at_war()
    g.options["round-limit"], g.round = LAST, number
    return g


def test_an_army_spreads_over_the_lands_that_the_enemy_could_walk_into() -> None:
    held = []
    for number in (LAST - 3, LAST):
        g = in_round(number)
        g.control |= {"kiangsu": "japan", "shantung": "japan", "anhwe": "japan", "kiangsi": "japan", "jehol": "china"}
        put(g, "japan", "kiangsu", "infantry", 9)
        put(g, "china", "jehol", "infantry")
        put(g, "china", "hunan", "infantry")
        engine = engine_at(g, "japan", NONCOMBAT)
        orders(engine, NONCOMBAT)
        held.append(sum(bool(engine.state.at(t)) for t in ("shantung", "anhwe", "kiangsi")))
    assert held[1] == 3 > held[0], held


def test_transports_bring_men_where_one_could_land() -> None:
    for landing, men in ((1, 2), (0, 0)):
        g = in_round(LAST)
        g.control |= {t: "china" for t, power in g.control.items() if power == "japan" and t not in ("japan", "korea")}
        put(g, "japan", "japan", "infantry", 6)
        put(g, "japan", "sz-6", "transport")
        put(g, "united-states", "sz-7", "transport", landing)
        if landing:
            put(g, "united-states", "sz-7", "infantry")
            g.units[g.next_id - 1].aboard = g.next_id - 2
        engine = engine_at(g, "japan", NONCOMBAT)
        orders(engine, NONCOMBAT)
        assert len(engine.state.at("korea")) == men, landing


def test_nobody_goes_where_he_would_only_be_lost_too() -> None:
    g = in_round(LAST)
    g.control |= {"anhwe": "japan", "kiangsi": "japan"}
    put(g, "japan", "anhwe", "infantry")
    put(g, "china", "hunan", "infantry", 40)
    engine = engine_at(g, "japan", NONCOMBAT)
    orders(engine, NONCOMBAT)
    assert not engine.state.at("kiangsi")


def test_an_army_beside_several_lands_has_its_share_for_each_and_all_for_a_city() -> None:
    g = in_round(LAST)
    put(g, "china", "kiangsi", "infantry", 6)
    found = []
    for kwangsi in ("china", "japan"):
        g.control |= {"kiangsu": "japan", "kwangtung": "china", "anhwe": "japan", "kwangsi": kwangsi}
        g.forget()
        stakes = Stakes(g, "japan", temper(0, "japan", g.board))
        found.append([len(stakes._sent("china", t)) for t in ("anhwe", "kiangsu")])
    assert found == [[3, 6], [2, 6]]


def test_nothing_draws_aircraft_that_fly_no_more() -> None:
    for number, drawn in ((LAST - 1, True), (LAST, False)):
        g = in_round(number)
        put(g, "china", "hunan", "infantry", 3)
        put(g, "united-states", "sz-7", "transport")
        assert bool(prospects_of(g, "japan", temper(0, "japan", g.board))) == drawn
