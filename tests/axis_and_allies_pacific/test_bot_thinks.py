"""How the bot values battles, answers, islands and openings."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.bot.book import BOOK
from pbem.games.axis_and_allies_pacific.bot.exact import verdict
from pbem.games.axis_and_allies_pacific.bot.judgement import temper
from pbem.games.axis_and_allies_pacific.bot.lifts import lifts_to
from pbem.games.axis_and_allies_pacific.bot.value import counter, exposure, gain, judged
from pbem.games.axis_and_allies_pacific.orders import read_some
from pbem.games.axis_and_allies_pacific.purchase import price
from tests.axis_and_allies_pacific import table
from tests.axis_and_allies_pacific.table import engine_at, put
from tests.axis_and_allies_pacific.test_bot import COMBAT, NONCOMBAT, at_war, orders, words


def test_the_odds_of_a_battle_are_exact() -> None:
    """One infantry attacks one: a hit of 1/6 against one of 2/6 each round, 1/9 against 2/9 and 1/18 for both."""
    g = at_war()
    put(g, "japan", "kiangsu", "infantry")
    put(g, "china", "anhwe", "infantry")
    found = verdict(g, g.at("kiangsu"), g.at("anhwe"))
    assert found.won == 250
    assert (found.mine_lost, found.theirs_lost) == (2250, 1125)


def test_aircraft_alone_take_no_land() -> None:
    g = at_war()
    put(g, "japan", "kiangsu", "fighter", 5)
    put(g, "japan", "kiangsu", "infantry")
    put(g, "china", "anhwe", "infantry")
    planes = [u for u in g.at("kiangsu") if u.type == "fighter"]
    assert verdict(g, g.at("kiangsu"), g.at("anhwe")).won < verdict(g, [*g.at("kiangsu"), *planes], g.at("anhwe")).won


def test_land_that_a_stronger_enemy_can_take_back_is_not_held() -> None:
    g = at_war()
    put(g, "japan", "anhwe", "infantry")
    put(g, "china", "hunan", "infantry", 6)
    kept, cost = judged(counter(g, "japan", "anhwe", g.at("anhwe")), 5000)
    assert kept < 400
    assert cost > 0
    put(g, "japan", "anhwe", "tank", 8)
    assert judged(counter(g, "japan", "anhwe", g.at("anhwe")), 5000)[0] > 900


def test_a_transport_is_in_danger_alone_and_not_under_cover() -> None:
    g = at_war()
    put(g, "japan", "sz-20", "transport")
    put(g, "united-states", "sz-21", "destroyer")
    assert exposure(g, "japan", "sz-20", g.at("sz-20")) >= 7000
    put(g, "japan", "sz-20", "battleship", 2)
    assert exposure(g, "japan", "sz-20", g.at("sz-20")) == 0


def test_a_transport_takes_its_cargo_from_a_shore_on_the_way() -> None:
    g = at_war()
    g.control["formosa"] = "japan"
    put(g, "japan", "sz-19", "transport")
    put(g, "japan", "formosa", "infantry", 2)
    engine = engine_at(g, "japan", COMBAT)
    lift = lifts_to(engine.state, "japan", "sz-35")[0]
    assert [next(iter(o)) for o in lift.orders if isinstance(o, dict)] == ["move", "load", "load", "move"]
    assert len(lift.cargo) == 2


def test_an_empty_island_is_taken_by_one_transport() -> None:
    g = at_war()
    put(g, "japan", "sz-36", "transport")
    put(g, "japan", "hainan", "infantry", 2)
    put(g, "japan", "sz-36", "battleship")
    given = orders(engine_at(g, "japan", COMBAT), COMBAT)
    assert words(given, "assault")


def test_the_united_kingdom_takes_dutch_islands_into_its_care() -> None:
    g = at_war()
    put(g, "united-kingdom", "sz-37", "transport")
    put(g, "united-kingdom", "malaya", "infantry", 4)
    engine = engine_at(g, "united-kingdom", NONCOMBAT)
    orders(engine, NONCOMBAT)
    assert "united-kingdom" in {engine.state.control[t] for t in ("java", "sumatra", "celebes")}


def test_a_capital_is_worth_more_than_an_island_and_that_more_than_a_rock() -> None:
    g = at_war()
    mind = temper(0, "japan", g.board)
    india, java, guam = (sum(gain(g, "japan", t, mind)) for t in ("india", "java", "guam"))
    assert india > java > guam > 0


def test_every_opening_can_be_paid() -> None:
    g = table.start()
    for line in BOOK:
        assert sum(group.count * price(g, group.type) for group in read_some(line.purchase)) <= g.cash[line.power], line
        assert line.weight > 0
        assert line.why
