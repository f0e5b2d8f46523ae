"""How the bot keeps its front: garrisons that strike, land that is not left open, troops that are brought."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.bot.airfields import _is_landing_place
from pbem.games.axis_and_allies_pacific.bot.battles import at_sea
from pbem.games.axis_and_allies_pacific.bot.buying import _berths, _wants_complex
from pbem.games.axis_and_allies_pacific.bot.ending import presses
from pbem.games.axis_and_allies_pacific.bot.forces import by_land
from pbem.games.axis_and_allies_pacific.bot.judgement import temper
from pbem.games.axis_and_allies_pacific.bot.redeploy import _pull
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.state import AIR
from tests.axis_and_allies_pacific.table import build, engine_at, put
from tests.axis_and_allies_pacific.test_bot import COMBAT, NONCOMBAT, at_war, orders, words


def test_a_garrison_may_strike_those_whom_it_guards_against() -> None:
    g = at_war()
    build(g, "kiangsu", "minor-ic")
    put(g, "japan", "kiangsu", "artillery", 4)
    put(g, "china", "anhwe", "infantry", 4)
    put(g, "china", "shantung", "infantry", 1)
    assert len(by_land(g, "japan", "anhwe")) > len(by_land(g, "japan", "shantung"))


def test_the_last_man_stays_where_the_enemy_could_walk_in() -> None:
    for enemies, stay in ((1, True), (0, False)):
        g = at_war()
        g.control |= {"kiangsu": "japan", "hunan": "japan", "kiangsi": "japan", "kwangsi": "japan"}
        put(g, "japan", "kiangsi", "infantry")
        put(g, "japan", "hunan", "tank", 9)
        put(g, "china", "anhwe", "infantry", enemies)
        engine = engine_at(g, "japan", NONCOMBAT)
        orders(engine, NONCOMBAT)
        assert any(u.type == "infantry" for u in engine.state.at("kiangsi")) or not stay


def test_a_large_body_leaves_a_guard_in_empty_land_beside_it() -> None:
    """Anhwe and Kiangsi are as near to the front: all would stay in one of them, and a man of China walk into the other."""
    for men, guards in ((9, True), (4, False)):
        g = at_war()
        g.control |= {"kiangsu": "japan", "anhwe": "japan", "kiangsi": "japan", "kwangtung": "japan", "kwangsi": "japan"}
        put(g, "japan", "kiangsu", "infantry")
        put(g, "japan", "anhwe", "infantry", men)
        put(g, "china", "hunan", "infantry")
        engine = engine_at(g, "japan", NONCOMBAT)
        orders(engine, NONCOMBAT)
        assert bool(engine.state.at("kiangsi")) == guards, men
        assert len(engine.state.at("anhwe")) >= 4


def test_the_bodies_of_others_stay_together_before_the_aircraft_of_japan() -> None:
    g = at_war()
    g.control |= {"kiangsu": "china", "anhwe": "china", "kiangsi": "china", "kwangsi": "china", "hunan": "japan"}
    put(g, "china", "anhwe", "infantry", 9)
    put(g, "japan", "hunan", "infantry")
    engine = engine_at(g, "china", NONCOMBAT)
    orders(engine, NONCOMBAT)
    assert sum(bool(engine.state.at(t)) for t in ("anhwe", "kiangsi", "kiangsu", "kwangsi")) == 1


def test_idle_troops_of_the_home_island_cross_to_the_mainland() -> None:
    g = at_war()
    g.control |= {"korea": "japan", "manchuria": "japan"}
    put(g, "japan", "japan", "infantry", 12)
    put(g, "japan", "sz-6", "transport", 2)
    put(g, "china", "hopei", "infantry", 2)
    put(g, "japan", "manchuria", "infantry", 6)
    engine = engine_at(g, "japan", NONCOMBAT)
    ashore = words(orders(engine, NONCOMBAT), "unload")
    assert sum(sum(o["units"].values()) for o in ashore) == 4


def test_an_aircraft_that_needs_its_carrier_is_not_sent_where_the_carrier_is_lost() -> None:
    """A transport far out: by itself a prize, not worth the carrier that has to come for the fighter."""
    worth = []
    for fleet in (0, 3):
        g = at_war()
        put(g, "japan", "sz-53", "aircraft-carrier")
        put(g, "japan", "sz-53", "fighter")
        g.units[g.next_id - 1].aboard = g.next_id - 2
        put(g, "united-states", "sz-62", "transport")
        put(g, "united-states", "sz-61", "battleship", fleet)
        worth.append(
            max((o.value - o.lone for o in at_sea(g, "japan", "sz-62", temper(0, "japan", g.board), frozenset())), default=0)
        )
    assert worth[0] > 0 > worth[1]


def test_idle_aircraft_leave_the_deck_to_those_that_have_fought() -> None:
    """The carrier has room for the two that are in the air beside it; a third from land would push one into the sea."""
    g = at_war()
    put(g, "united-states", "sz-19", "aircraft-carrier")
    put(g, "united-states", "sz-19", "fighter", 2)
    put(g, "united-states", "midway", "fighter")
    tired = [u for u in g.at("sz-19") if u.type == "fighter"]
    for plane in tired:
        plane.moved, plane.fought, plane.used = "combat", True, 4
    idle = g.at("midway")[0]
    assert not _is_landing_place(g, "united-states", idle, "sz-19")
    del g.units[tired[0].id]
    g.forget()
    assert _is_landing_place(g, "united-states", idle, "sz-19")


def test_three_complexes_on_the_mainland_are_enough() -> None:
    wanted = []
    for number in (2, 3):
        g = at_war()
        g.round, g.cash["japan"] = 6, 90
        for land in ("kwangtung", "kiangsu", "shantung", "manchuria", "korea", "french-indo-china"):
            g.control[land] = g.start.control[land] = "japan"
        for land in ("kwangtung", "kiangsu", "french-indo-china")[:number]:
            build(g, land, "minor-ic")
        wanted.append(_wants_complex(g, "japan", {}))
    assert wanted == [True, False]


def test_no_more_troops_are_made_at_home_than_transports_take() -> None:
    g = at_war()
    put(g, "japan", "japan", "infantry", 2)
    assert _berths(g, "japan") == 0
    put(g, "japan", "sz-6", "transport", 2)
    assert _berths(g, "japan") == 2
    put(g, "japan", "sz-6", "transport", 5)
    assert _berths(g, "japan") == 4


def test_a_city_at_hand_draws_troops_more_than_a_capital_far_away() -> None:
    """Hong Kong beside Kwangsi draws more than Calcutta, three steps from Yunnan, and more than a poor province of China."""
    g = at_war()
    pull = _pull(g, "japan", temper(0, "japan", g.board))
    assert pull["kwangsi"] < pull["yunnan"]
    assert pull["kwangsi"] < pull["hopei"]


def test_a_deck_that_comes_for_one_aircraft_does_not_keep_another_from_flying_home() -> None:
    """The bomber has only the deck; once the carrier with a fighter of its own is there, no order reaches the other fighter."""
    g = at_war()
    put(g, "japan", "sz-6", "aircraft-carrier")
    put(g, "japan", "sz-6", "fighter")
    g.units[g.next_id - 1].aboard = g.next_id - 2
    for kind, used in (("tactical-bomber", 4), ("fighter", 1)):
        put(g, "japan", "sz-17", kind)
        plane = g.units[g.next_id - 1]
        plane.moved, plane.fought, plane.used = "combat", True, used
    engine = engine_at(g, "japan", NONCOMBAT)
    orders(engine, NONCOMBAT)
    assert sorted(u.type for u in engine.state.of("japan") if u.type in AIR) == ["fighter", "fighter", "tactical-bomber"]


def test_no_plan_leads_where_the_combat_moves_cannot_end() -> None:
    """[CM-05] A transport that sails to no battle: the turn would start over, and over."""
    g = at_war()
    put(g, "japan", "sz-6", "transport")
    stage = Rehearsal(engine_at(g, "japan", COMBAT).state, "japan")
    away = {"move": {"units": {"empty transport": 1}, "from": "sz-6", "to": "sz-19"}}
    assert not stage.attempt([away])
    assert stage.orders == stage.places == []
    assert [u.at for u in stage.g.of("japan")] == ["sz-6"]
    assert stage.give(away)
    assert not stage.may_end()


def test_japan_waits_for_no_round_where_the_next_city_decides_or_few_rounds_are_left() -> None:
    g = at_war()
    assert not presses(g, "japan")
    for city in ("kwangtung", "philippines", "new-south-wales"):
        g.control[city] = "japan"
    assert presses(g, "japan"), "five of eight are held"
    short = at_war()
    short.options["round-limit"] = 3
    assert presses(short, "japan")
