"""What a strong player would not do: capitals without a margin, ships made to be sunk, cities overseas left to one man."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.bot.ending import CITY, city, presses
from pbem.games.axis_and_allies_pacific.bot.exact import Verdict
from pbem.games.axis_and_allies_pacific.bot.forces import without_guards
from pbem.games.axis_and_allies_pacific.bot.judgement import is_safe, temper
from pbem.games.axis_and_allies_pacific.bot.redeploy import _pull
from pbem.games.axis_and_allies_pacific.bot.value import comes_to, judged, nearness
from pbem.games.axis_and_allies_pacific.state import SEA, State
from tests.axis_and_allies_pacific.table import build, engine_at, put
from tests.axis_and_allies_pacific.test_bot import COMBAT, NONCOMBAT, at_war, orders, words
from tests.axis_and_allies_pacific.test_bot_allies import bought


def test_three_men_stay_in_a_city_overseas() -> None:
    g = at_war()
    g.control |= {"hawaiian-islands": "united-states"}
    put(g, "united-states", "hawaiian-islands", "infantry", 5)
    assert len(without_guards(g, "united-states", "hawaiian-islands", g.at("hawaiian-islands"))) == 2


def test_men_go_to_a_city_overseas_that_has_too_few() -> None:
    for men, more in ((1, 2), (3, 0)):
        g = at_war()
        g.control |= {"hawaiian-islands": "united-states", "western-united-states": "united-states"}
        put(g, "united-states", "hawaiian-islands", "infantry", men)
        put(g, "united-states", "western-united-states", "infantry", 9)
        put(g, "united-states", "sz-10", "transport")
        build(g, "western-united-states", "naval-base")
        engine = engine_at(g, "united-states", NONCOMBAT)
        orders(engine, NONCOMBAT)
        assert sum(u.type == "infantry" and u.aboard is None for u in engine.state.at("hawaiian-islands")) == men + more


def test_the_fifth_city_is_worth_more_and_is_no_reason_to_open_war() -> None:
    g = at_war()
    g.control |= dict.fromkeys(g.board.victory_cities.values(), "united-states")
    g.control |= dict.fromkeys(sorted(g.board.victory_cities.values())[:3], "japan")
    assert city(g, "japan") == CITY
    g.control |= dict.fromkeys(sorted(g.board.victory_cities.values())[:4], "japan")
    assert city(g, "japan") > 2 * CITY
    assert city(g, "united-states") == CITY
    assert not presses(g, "japan")


def test_the_next_city_draws_the_fleet_and_without_transports_it_covers_its_harbours() -> None:
    near = {}
    for transports in (0, 2):
        g = at_war()
        g.control |= dict.fromkeys(("japan", "caroline-islands", "kiangsu", "kwangtung", "philippines"), "japan")
        g.control |= {"hawaiian-islands": "united-states", "celebes": "united-kingdom"}
        build(g, "japan", "major-ic")
        put(g, "japan", "sz-6", "transport", transports)
        put(g, "united-states", "hawaiian-islands", "infantry")
        put(g, "united-kingdom", "celebes", "infantry")
        near[transports] = nearness(g, "japan", temper(0, "japan", g.board))
    assert near[0]["sz-6"] == 1000 > near[0]["sz-26"]
    assert near[2]["sz-26"] > near[2]["sz-31"] > near[2]["sz-6"]
    assert near[2]["sz-26"] > near[2]["sz-44"]  # Hawaii with one man, not Celebes with one


def test_an_island_is_answered_less_often_than_land_by_land() -> None:
    g = at_war()
    answer = Verdict(1000, 0, 5000, 0)
    assert judged(answer, 9000, comes_to(g, "java"))[0] > 400 > judged(answer, 9000, comes_to(g, "malaya"))[0]


def test_japan_with_many_aircraft_buys_men() -> None:
    for aircraft, more in ((4, True), (20, False)):
        g = at_war()
        g.round, g.cash["japan"] = 6, 60
        g.control |= dict.fromkeys(("japan", "kiangsu", "manchuria", "shantung"), "japan")
        build(g, "japan", "major-ic")
        for land in ("kiangsu", "manchuria", "shantung"):
            build(g, land, "minor-ic")
            put(g, "japan", land, "infantry", 4)
        put(g, "japan", "japan", "infantry", 4)
        put(g, "japan", "japan", "fighter", aircraft)
        put(g, "japan", "sz-6", "transport", 2)
        put(g, "japan", "sz-6", "destroyer", 6)
        assert (bought(g, "japan")["fighter"] > 0) == more


def test_no_ships_are_made_where_they_are_lost() -> None:
    for foes, ships in ((0, True), (3, False)):
        g = at_war()
        g.round, g.cash["japan"] = 6, 40
        g.control |= dict.fromkeys(("japan", "manchuria"), "japan")
        build(g, "japan", "major-ic")
        put(g, "japan", "japan", "infantry", 12)
        put(g, "united-states", "sz-8", "battleship", foes)
        put(g, "united-states", "sz-8", "aircraft-carrier", foes)
        put(g, "united-states", "sz-26", "destroyer", 8)
        assert any(kind in SEA for kind in bought(g, "japan")) == ships


def test_a_capital_is_held_for_certain_and_another_key_place_on_the_mean() -> None:
    for land, safe in (("japan", False), ("kiangsu", True)):
        g = at_war()
        g.control[land] = "japan"
        build(g, land, "minor-ic")
        put(g, "japan", land, "infantry", 7)
        put(g, "united-states", "sz-6" if land == "japan" else "sz-19", "transport", 3)
        for ship in [u for u in g.of("united-states") if u.type == "transport"]:
            for kind in ("infantry", "artillery"):
                put(g, "united-states", ship.at, kind)
                g.units[g.next_id - 1].aboard = ship.id
        assert is_safe(g, "japan", land) == safe
        put(g, "japan", land, "infantry", 4)
        assert is_safe(g, "japan", land)


def test_bombers_go_for_the_complex_and_not_for_the_base_beside_it() -> None:
    g = at_war()
    g.control["india"] = "united-kingdom"
    for kind in ("air-base", "major-ic"):
        build(g, "india", kind)
    put(g, "japan", "yunnan", "strategic-bomber")
    g.control["yunnan"] = "japan"
    engine = engine_at(g, "japan", COMBAT)
    engine.reply({"bomb": {"units": {"strategic-bomber": 1}, "from": "yunnan", "to": "india"}})
    orders(engine, COMBAT)
    assert words(orders(engine, "bomb-targets"), "targets") == [{"major-ic": 1}]


def put_tanks_aboard(g: State, zone: str) -> None:
    """Ten American transports with two tanks each."""
    put(g, "united-states", zone, "transport", 10)
    for ship in [u for u in g.at(zone) if u.type == "transport"]:
        for _ in range(2):
            put(g, "united-states", zone, "tank")
            g.units[g.next_id - 1].aboard = ship.id


def test_no_more_men_guard_a_place_than_it_is_worth() -> None:
    """What could come to Shanghai over the sea is more than any garrison stops: those beyond nine march and strike."""
    g = at_war()
    g.control |= dict.fromkeys(("kiangsu", "kiangsi", "japan"), "japan")
    build(g, "kiangsu", "minor-ic")
    put(g, "japan", "kiangsu", "infantry", 14)
    put_tanks_aboard(g, "sz-19")
    assert not is_safe(g, "japan", "kiangsu")
    assert len(without_guards(g, "japan", "kiangsu", [u for u in g.at("kiangsu") if u.owner == "japan"])) == 5
    put(g, "japan", "japan", "infantry", 14)
    put_tanks_aboard(g, "sz-6")
    assert not without_guards(g, "japan", "japan", [u for u in g.at("japan") if u.owner == "japan"])


def test_calcutta_draws_troops_from_farther_away_than_a_province() -> None:
    """Kiangsi is four steps from Calcutta, Shantung five; Anhwe, beside both, is all that China has left."""
    g = at_war()
    g.control |= {t: "japan" for t in g.board.territories if g.control[t] == "china"}
    g.control |= dict.fromkeys(("kwangtung", "french-indo-china", "siam", "kiangsu"), "japan")
    g.control |= dict.fromkeys(("india", "burma", "shan-state", "malaya"), "united-kingdom")
    g.control["anhwe"] = "china"
    pull = _pull(g, "japan", temper(0, "japan", g.board))
    assert pull["kiangsi"] < pull["shantung"]


def test_two_transports_are_bought_in_a_turn_for_those_who_wait() -> None:
    g = at_war()
    g.round, g.cash["japan"] = 6, 80
    g.control |= dict.fromkeys(("japan", "kiangsu", "manchuria", "shantung"), "japan")
    build(g, "japan", "major-ic")
    put(g, "japan", "japan", "infantry", 30)
    put(g, "japan", "japan", "fighter", 4)
    put(g, "japan", "sz-6", "destroyer", 6)
    assert bought(g, "japan")["transport"] == 2
