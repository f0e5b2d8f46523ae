"""Convoys: submarines go where they cost the enemy income, and destroyers hunt them."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.bot.battles import at_sea
from pbem.games.axis_and_allies_pacific.bot.convoys import drain, prowl, toll
from pbem.games.axis_and_allies_pacific.bot.judgement import steps, temper
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.state import State
from tests.axis_and_allies_pacific.table import build, engine_at, put
from tests.axis_and_allies_pacific.test_bot import NONCOMBAT, at_war, orders, words


def quiet(**lands: str) -> State:
    """Nobody's land is worth a voyage but these."""
    g = at_war()
    g.control |= {t: "united-states" for t, owner in g.control.items() if owner != "soviet-union"}
    g.control |= {t.replace("_", "-"): owner for t, owner in lands.items()}
    return g


def places(g: State, power: str = "united-states") -> list[str]:
    engine = engine_at(g, power, NONCOMBAT)
    orders(engine, NONCOMBAT)
    return sorted(u.at for u in engine.state.of(power))


def test_ships_take_no_more_than_the_shores_of_a_zone_are_worth_to_an_enemy() -> None:
    g = quiet(malaya="japan", siam="japan")
    put(g, "united-states", "sz-37", "submarine", 3)
    ships = g.at("sz-37")
    assert [toll(g, "united-states", "sz-37", ships[:n]) for n in (1, 3)] == [0, 4000]  # the other two take it already
    assert toll(g, "united-states", "sz-38", ships) == 0
    assert drain(g, "japan", "sz-37", ships) == 4000
    g.wars.remove("japan united-states")
    assert toll(g, "united-states", "sz-37", ships) == 0


def test_china_loses_nothing_by_convoys() -> None:
    g = at_war()
    g.control["kwangsi"] = "china"
    put(g, "japan", "sz-36", "submarine")
    assert toll(g, "japan", "sz-36", g.at("sz-36")) == drain(g, "china", "sz-36", g.at("sz-36")) == 0


def test_submarines_raid_where_they_take_most_and_no_two_the_same_income() -> None:
    g = quiet(kwangtung="japan", malaya="japan")
    put(g, "united-states", "sz-35", "submarine", 2)
    assert places(g) == ["sz-20", "sz-37"]


def test_submarines_stay_for_a_raid_beside_warships_that_may_sail_on() -> None:
    g = quiet(malaya="japan")
    put(g, "united-states", "sz-37", "cruiser", 3)
    put(g, "united-states", "sz-37", "submarine", 2)
    stage = Rehearsal(engine_at(g, "united-states", NONCOMBAT).state, "united-states")
    assert len(prowl(stage, [u.id for u in g.of("united-states")])) == 2


def test_submarines_go_to_a_raid_that_is_two_turns_away() -> None:
    g = quiet(java="japan")
    put(g, "united-states", "sz-23", "submarine")
    stage, number = Rehearsal(engine_at(g, "united-states", NONCOMBAT).state, "united-states"), g.of("united-states")[0].id
    assert prowl(stage, [number]) == {number}
    assert steps(g.board, "sea")["sz-42"][stage.g.units[number].at] == 2


def test_submarines_keep_away_from_destroyers_with_aircraft() -> None:
    for hunters, raids in ((0, True), (3, False)):
        g = quiet(kwangtung="japan", japan="japan")
        put(g, "united-states", "sz-35", "submarine")
        put(g, "japan", "sz-19", "destroyer", hunters)
        put(g, "japan", "kwangtung", "fighter", 3)
        assert (places(g) == ["sz-20"]) == raids


def test_submarines_that_raid_are_worth_more_to_destroyers_than_those_that_do_not() -> None:
    for hunter, more in (("destroyer", True), ("cruiser", False)):
        worth = {}
        for holder in ("japan", "united-states"):
            g = quiet(kwangtung=holder)
            put(g, "united-states", "sz-20", "submarine")
            put(g, "japan", "sz-19", hunter, 2)
            engine = engine_at(g, "japan", "combat-move")
            found = at_sea(engine.state, "japan", "sz-20", temper(0, "japan", g.board), frozenset())
            worth[holder] = max(o.value for o in found)
        assert (worth["japan"] > worth["united-states"] + 1000) == more


def test_the_united_states_buys_submarines_as_long_as_they_find_prey() -> None:
    for prey, number in ((("kwangtung", "malaya", "japan", "korea"), 3), ((), 0)):
        g = quiet(**{t.replace("-", "_"): "japan" for t in prey})
        build(g, "western-united-states", "major-ic")
        put(g, "united-states", "sz-10", "destroyer", 3)
        put(g, "japan", "sz-44", "battleship", 2)
        g.round, g.cash["united-states"] = 4, 40
        given = words(orders(engine_at(g, "united-states", "purchase"), "purchase"), "buy")
        assert sum(o.get("submarine", 0) for o in given) == number
