"""What the bot keeps: cities, capitals, what an aircraft from afar can reach; and what the last round is to it."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.bot.ending import city
from pbem.games.axis_and_allies_pacific.bot.judgement import rivals
from pbem.games.axis_and_allies_pacific.bot.value import exposure
from tests.axis_and_allies_pacific.table import build, engine_at, put
from tests.axis_and_allies_pacific.test_bot import COMBAT, NONCOMBAT, at_war, orders, words


def test_a_bomber_from_afar_is_a_danger_where_it_can_land_beyond() -> None:
    """SZ 44 is five spaces from New South Wales; Celebes beside it is the only land to come down on."""
    for owner, danger in (("netherlands", True), ("japan", False)):
        g = at_war()
        g.control |= {"celebes": owner}
        put(g, "japan", "sz-44", "transport")
        put(g, "united-states", "new-south-wales", "fighter")
        assert exposure(g, "japan", "sz-44", g.at("sz-44")) == 0
        put(g, "united-states", "new-south-wales", "strategic-bomber")
        assert (exposure(g, "japan", "sz-44", g.at("sz-44")) > 0) == danger


def test_the_last_man_stays_in_a_victory_city() -> None:
    for men in (1, 2):
        g = at_war()
        g.control |= {"kiangsu": "japan", "anhwe": "china", "kiangsi": "japan"}
        put(g, "japan", "kiangsu", "infantry", men)
        engine = engine_at(g, "japan", COMBAT)
        orders(engine, COMBAT)
        orders(engine, NONCOMBAT)
        assert any(u.owner == "japan" for u in engine.state.at("kiangsu")), men


def test_a_capital_without_men_gets_some_though_nobody_is_near() -> None:
    g = at_war()
    g.control |= {"japan": "japan", "kiangsu": "japan"}
    build(g, "japan", "major-ic")
    build(g, "kiangsu", "minor-ic")
    put(g, "china", "anhwe", "infantry", 6)
    g.cash["japan"] = 9
    engine = engine_at(g, "japan", "purchase")
    bought = words(orders(engine, "purchase"), "buy")
    assert bought == [{"infantry": 1}] * 3
    orders(engine, COMBAT)
    orders(engine, NONCOMBAT)
    orders(engine, "mobilize")
    assert sum(u.type == "infantry" for u in engine.state.at("japan")) == 3


def test_a_city_that_decides_the_game_is_worth_much_more() -> None:
    g = at_war()
    g.control |= dict.fromkeys(g.board.victory_cities.values(), "united-states")
    cities = sorted(g.board.victory_cities.values())
    g.control |= dict.fromkeys(cities[:5], "japan")
    assert city(g, "japan") > 5 * city(g, "united-states")
    g.control[cities[5]] = "japan"
    assert city(g, "united-states") > 5 * city(g, "japan")


def test_in_the_last_round_four_cities_decide_and_who_has_moved_is_no_danger() -> None:
    g = at_war()
    g.control |= dict.fromkeys(g.board.victory_cities.values(), "united-states")
    g.control |= dict.fromkeys(sorted(g.board.victory_cities.values())[:4], "japan")
    g.options["round-limit"], g.power = 3, "united-states"
    for number, many, foes in ((1, False, ["japan"]), (3, True, [])):
        g.round = number
        assert (city(g, "united-states") > 50_000) == many
        assert rivals(g, "united-states") == foes


def test_aircraft_land_where_they_save_the_city_that_decides() -> None:
    g = at_war()
    g.options["round-limit"] = g.round
    g.control |= dict.fromkeys(("kiangsu", "kwangtung", "philippines", "shantung", "jehol"), "japan")
    put(g, "japan", "kiangsu", "infantry", 2)
    put(g, "japan", "jehol", "infantry")
    put(g, "japan", "jehol", "fighter", 2)
    put(g, "china", "anhwe", "infantry", 5)
    engine = engine_at(g, "japan", NONCOMBAT)
    orders(engine, NONCOMBAT)
    assert sum(u.type == "fighter" for u in engine.state.at("kiangsu")) == 2
