"""The bot makes an end of an enemy whom it has beaten: all it has goes where it counts."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.games.axis_and_allies_pacific.bot.attack import plan_combat
from pbem.games.axis_and_allies_pacific.bot.buying import _wishes
from pbem.games.axis_and_allies_pacific.bot.fleets import _empty
from pbem.games.axis_and_allies_pacific.bot.judgement import MARCHING, steps, temper
from pbem.games.axis_and_allies_pacific.bot.mastery import lift_to_end_it, rules_the_sea
from pbem.games.axis_and_allies_pacific.bot.posts import rebase
from pbem.games.axis_and_allies_pacific.bot.redeploy import plan_noncombat
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.bot.value import nearness
from pbem.games.axis_and_allies_pacific.state import AIR, SEA, State
from tests.axis_and_allies_pacific.table import build, engine_at, put, start
from tests.axis_and_allies_pacific.test_bot import COMBAT, NONCOMBAT, at_war

US, UK = "united-states", "united-kingdom"


def _off_california(bombers: int) -> State:
    """Japan's whole fleet lies before San Francisco, where bombers wait."""
    g = at_war()
    for kind in ("major-ic", "air-base", "naval-base"):
        build(g, "western-united-states", kind)
    fleet = {"aircraft-carrier": 3, "cruiser": 2, "destroyer": 4, "submarine": 2, "fighter": 3, "tactical-bomber": 3}
    for kind, number in fleet.items():
        put(g, "japan", "sz-10", kind, number)
    put(g, US, "western-united-states", "infantry", 9)
    put(g, US, "western-united-states", "fighter", 3)
    put(g, US, "western-united-states", "strategic-bomber", bombers)
    return g


@pytest.mark.parametrize(("bombers", "fly"), [(19, True), (8, False)])
def test_a_fleet_that_fewer_aircraft_would_not_sink_is_sunk_by_all(bombers: int, fly: bool) -> None:
    g = engine_at(_off_california(bombers), US, COMBAT).state
    stage = plan_combat(g, US, temper(1, US, g.board))
    assert (sum(u.type in AIR and u.at == "sz-10" for u in stage.g.of(US)) > 15) == fly


def _off_tokyo(transports: int, guards: int) -> State:
    g = at_war()
    build(g, "japan", "major-ic")
    put(g, "japan", "japan", "infantry", guards)
    put(g, US, "sz-7", "destroyer", 4)
    put(g, US, "sz-7", "transport", transports)
    for ship in [u for u in g.at("sz-7") if u.type == "transport"]:
        for kind in ("infantry", "tank"):
            put(g, US, "sz-7", kind)
            g.units[g.next_id - 1].aboard = ship.id
    return g


def test_more_transports_than_eight_land_together_where_it_takes_them() -> None:
    g = engine_at(_off_tokyo(14, 20), US, COMBAT).state
    stage = plan_combat(g, US, temper(1, US, g.board))
    assert sum(u.target == "japan" for u in stage.g.of(US)) > 16


def test_idle_aircraft_far_from_any_target_come_nearer_step_by_step() -> None:
    g = at_war()
    g.control |= dict.fromkeys(
        ("india", "burma", "shan-state", "yunnan", "kwangsi", "kwangtung", "siam", "french-indo-china"), UK
    )
    g.control |= {t: "china" for t, place in g.board.territories.items() if place.chinese}
    g.control |= {t: UK for t, owner in g.control.items() if owner in ("netherlands", "france")}
    for home in ("india", "kwangtung"):
        put(g, UK, home, "infantry", 6)
    put(g, "china", "yunnan", "infantry", 6)
    put(g, "japan", "japan", "infantry", 9)
    put(g, UK, "india", "fighter", 6)
    stage = Rehearsal(engine_at(g, UK, NONCOMBAT).state, UK)
    rebase(stage, temper(1, UK, g.board))
    assert [u for u in stage.g.at("india") if u.type in AIR] == []


def test_empty_transports_sail_home_for_troops_that_wait_more_than_a_turn_away() -> None:
    g = at_war()
    g.control["western-united-states"] = US
    build(g, "western-united-states", "major-ic")
    put(g, US, "western-united-states", "infantry", 8)
    put(g, US, "sz-6", "transport", 3)
    put(g, US, "sz-6", "destroyer", 3)
    put(g, "japan", "japan", "infantry", 9)
    stage = Rehearsal(engine_at(g, US, NONCOMBAT).state, US)
    _empty(stage, nearness(stage.g, US, temper(1, US, g.board)))
    far = steps(g.board, "sea")["sz-10"]
    assert [far[u.at] for u in stage.g.of(US) if u.type == "transport"] == [far["sz-6"] - 2] * 3


def _beaten(ships: int) -> State:
    """Nine men hold Tokyo; the United States have four transports and a fleet, Japan has `ships`."""
    g = at_war()
    g.round, g.cash[US] = 8, 60
    g.control["western-united-states"] = US
    g.start.control = dict(g.control)
    build(g, "western-united-states", "major-ic")
    put(g, US, "western-united-states", "infantry", 30)
    put(g, US, "sz-10", "transport", 8)
    put(g, US, "sz-10", "destroyer", 8)
    put(g, US, "sz-10", "aircraft-carrier", 3)
    put(g, US, "sz-10", "fighter", 6)
    put(g, "japan", "japan", "infantry", 20)
    put(g, "japan", "sz-6", "destroyer", ships)
    return g


def test_where_the_sea_is_ruled_transports_for_the_last_landing_are_bought_before_warships() -> None:
    g = _beaten(2)
    assert rules_the_sea(g, US) and lift_to_end_it(g, US) == 13
    assert _wishes(g, US, temper(1, US, g.board))[0] == "transport"
    g = _beaten(9)
    assert not rules_the_sea(g, US)
    assert "transport" not in _wishes(g, US, temper(1, US, g.board))


def test_the_lift_is_no_larger_than_the_garrison_asks_for() -> None:
    g = _beaten(2)
    put(g, US, "sz-10", "transport", 5)
    assert not {*Counter(_wishes(g, US, temper(1, US, g.board)))} & {"transport", "destroyer", "aircraft-carrier"}


def test_troops_whom_no_road_leads_to_an_enemy_go_to_the_shore() -> None:
    g = at_war()
    g.control |= {t: "japan" for t, owner in g.control.items() if owner in ("china", UK) or t == "french-indo-china"}
    g.control |= {"new-south-wales": "anzac", "ceylon": UK}
    put(g, "anzac", "new-south-wales", "infantry", 5)
    put(g, "japan", "hunan", "infantry", 6)
    g = plan_noncombat(engine_at(g, "japan", NONCOMBAT).state, "japan", temper(1, "japan", g.board)).g
    assert [u.at for u in g.of("japan") if not g.board.coast(u.at)] == []


def test_no_ships_are_bought_into_a_harbour_where_they_would_be_sunk() -> None:
    for fleet, ships in ((7, False), (0, True)):
        g = _beaten(4)
        for unit in g.at("sz-10"):
            del g.units[unit.id]
        put(g, "japan", "sz-26", "aircraft-carrier", fleet)
        put(g, "japan", "sz-26", "battleship", fleet)
        put(g, "japan", "sz-26", "fighter", fleet)
        g.forget()
        assert bool({*_wishes(g, US, temper(1, US, g.board))[:2]} & {*SEA}) == ships


def _mainland_taken(wanted: bool) -> State:
    """Japan has a complex in India; beside it China is beaten, or not (`wanted`)."""
    g = at_war()
    g.round, g.cash["japan"] = 9, 60
    g.control |= {t: "japan" for t, owner in g.control.items() if owner in ("china", UK) or t == "french-indo-china"}
    g.control |= {"new-south-wales": "anzac", "yunnan": "china" if wanted else "japan"}
    g.start.control = dict(g.control)
    for land, kind in (("japan", "major-ic"), *((t, "minor-ic") for t in ("india", "kiangsu", "manchuria"))):
        build(g, land, kind)
    put(g, "anzac", "new-south-wales", "infantry", 5)
    put(g, "japan", "japan", "infantry", 14)
    put(g, "japan", "india", "infantry", 12)
    put(g, "japan", "sz-6", "transport", 7)
    put(g, "japan", "sz-6", "battleship", 3)
    return g


@pytest.mark.parametrize("wanted", [True, False])
def test_where_no_road_leads_to_an_enemy_ships_are_bought_for_those_who_wait(wanted: bool) -> None:
    g = _mainland_taken(wanted)
    wishes = _wishes(g, "japan", temper(0, "japan", g.board))
    assert ("transport" in wishes) != wanted, wishes
    g.purchased["japan"] = {"transport": 2}
    assert bool({*_wishes(g, "japan", temper(0, "japan", g.board))} & {*MARCHING}) == wanted


def test_troops_that_wait_in_a_harbour_stay_there() -> None:
    g = engine_at(start(), US, NONCOMBAT).state
    g = plan_noncombat(g, US, temper(1, US, g.board)).g
    before = sum(u.owner == US and u.type in MARCHING for u in start().at("western-united-states"))
    assert sum(u.owner == US and u.type in MARCHING for u in g.at("western-united-states")) == before > 0
