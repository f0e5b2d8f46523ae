"""Aircraft that are of use: they strike what stands unguarded, and do not stand unguarded themselves."""

from __future__ import annotations

import pytest

from pbem.games.axis_and_allies_pacific.bot.airfields import _cost, kept_promises
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.state import AIR, State
from tests.axis_and_allies_pacific.table import build, engine_at, put
from tests.axis_and_allies_pacific.test_bot import COMBAT, NONCOMBAT, at_war, orders


def _over_burma(kind: str, number: int) -> State:
    """Japan's wing in Yunnan, no troops in reach; some of the United Kingdom in Burma."""
    g = at_war()
    g.control |= {"yunnan": "japan", "burma": "united-kingdom", "india": "united-kingdom"}
    put(g, "japan", "yunnan", "fighter", 6)
    put(g, "japan", "yunnan", "tactical-bomber", 4)
    put(g, "united-kingdom", "burma", kind, number)
    return g


def _strikers(g: State) -> int:
    engine = engine_at(g, "japan", COMBAT)
    orders(engine, COMBAT, 1)
    return sum(u.moved == "combat" and u.owner == "japan" for u in engine.state.at("burma"))


def test_aircraft_alone_strike_aircraft_that_stand_unguarded() -> None:
    assert _strikers(_over_burma("fighter", 3)) >= 3


def test_aircraft_alone_leave_men_alone_who_cost_more_than_they_are_worth() -> None:
    assert _strikers(_over_burma("infantry", 6)) == 0


def test_guns_keep_them_away_where_the_prize_is_small() -> None:
    for guns, strikes in ((0, True), (1, False)):
        g = _over_burma("fighter", 1)
        put(g, "united-kingdom", "burma", "aa-gun", guns)
        assert (_strikers(g) > 0) == strikes


def test_a_wing_that_comes_without_troops_is_a_danger_to_aircraft_that_stand_together() -> None:
    costs = []
    for wing in (0, 20):
        g = at_war()
        g.control |= {"yunnan": "japan", "burma": "united-kingdom"}
        put(g, "united-kingdom", "burma", "fighter", 5)
        put(g, "japan", "yunnan", "fighter", wing)
        costs.append(_cost(g, "united-kingdom", g.at("burma")[0], "burma", {}))
    assert costs[0] == 0 < 5000 < costs[1]


def test_a_single_tank_with_a_wing_makes_it_no_less_of_a_danger() -> None:
    """The tank hardly ever lives to take the land; the aircraft there are lost all the same."""
    costs = []
    for tanks in (0, 1):
        g = at_war()
        g.control |= {"yunnan": "japan", "burma": "united-kingdom"}
        put(g, "united-kingdom", "burma", "fighter", 7)
        put(g, "japan", "yunnan", "fighter", 22)
        put(g, "japan", "yunnan", "tank", tanks)
        costs.append(_cost(g, "united-kingdom", g.at("burma")[0], "burma", {}))
    assert 5000 < costs[0] <= costs[1]


@pytest.mark.parametrize(("wing", "army", "lands"), [(6, 0, 6), (6, 20, 0), (16, 8, 16)])
def test_a_wing_does_not_land_without_troops_before_an_army_it_does_not_outmatch(wing: int, army: int, lands: int) -> None:
    g = at_war()
    g.control |= {"yunnan": "japan", "hunan": "japan", "kwangsi": "japan", "burma": "united-kingdom", "india": "united-kingdom"}
    g.cash["united-kingdom"] = 30
    build(g, "india", "major-ic")
    put(g, "united-kingdom", "burma", "infantry", army)
    put(g, "united-kingdom", "india", "infantry", 3)
    put(g, "japan", "hunan", "infantry", 2)
    put(g, "japan", "hunan", "fighter", wing)
    engine = engine_at(g, "japan", NONCOMBAT)
    orders(engine, NONCOMBAT)
    assert sum(u.type == "fighter" for u in engine.state.at("yunnan")) == lands


def test_a_carrier_that_has_sailed_sails_on_to_aircraft_that_count_on_it() -> None:
    g = at_war()
    g.control["guam"] = "united-states"
    put(g, "japan", "sz-18", "aircraft-carrier", 2)
    put(g, "japan", "guam", "tactical-bomber")
    g = engine_at(g, "japan", NONCOMBAT).state
    *ships, plane = g.of("japan")
    for ship in ships:
        ship.moved, ship.used = "noncombat", 1
    plane.moved, plane.used, g.pledged = "combat", 3, [plane.id]
    stage = Rehearsal(g, "japan")
    assert not stage.may_end()
    assert all(stage.give(order) for order in kept_promises(g, "japan"))
    assert stage.may_end()


def _in_the_air(g: State, space: str, kind: str, used: int) -> None:
    """An aircraft of Japan that has fought."""
    put(g, "japan", space, kind)
    plane = g.units[g.next_id - 1]
    plane.moved, plane.fought, plane.used = "combat", True, used


def test_who_reaches_land_leaves_the_decks_to_those_who_reach_none() -> None:
    """Seven places for seven in two seas; a bomber over one of them could fly ashore, and has to."""
    g = at_war()
    g.control |= {"sumatra": "japan", "java": "japan", "northern-territory": "japan", "new-zealand": "anzac"}
    put(g, "united-kingdom", "sz-40", "submarine")
    put(g, "japan", "sz-55", "aircraft-carrier", 4)
    put(g, "japan", "sz-55", "tactical-bomber")
    _in_the_air(g, "sz-41", "tactical-bomber", 2)
    for kind in ("fighter", "tactical-bomber", "tactical-bomber"):
        _in_the_air(g, "sz-40", kind, 3)
    for kind in ("fighter", "fighter", "fighter", "tactical-bomber"):
        _in_the_air(g, "new-zealand", kind, 3)
    engine = engine_at(g, "japan", NONCOMBAT)
    far = [u for u in engine.state.of("japan") if u.used == 3]
    engine.state.pledged = [u.id for u in far]
    orders(engine, NONCOMBAT)
    assert sum(u.type in AIR for u in engine.state.of("japan")) == 9
    assert sorted(u.at for u in far) == ["sz-41"] * 3 + ["sz-63"] * 4


def test_two_carriers_go_to_two_seas_where_each_is_needed() -> None:
    """The carrier that could serve both goes where the other does not come."""
    g = at_war()
    g.control["guam"] = "united-states"
    put(g, "japan", "sz-6", "aircraft-carrier")
    put(g, "japan", "sz-20", "aircraft-carrier")
    for zone in ("sz-7", "sz-7", "sz-19", "sz-19"):
        _in_the_air(g, zone, "fighter", 4)
    g = engine_at(g, "japan", NONCOMBAT).state
    g.control |= {t: "china" for t in g.board.territories if not g.board.territories[t].island}
    engine = engine_at(g, "japan", NONCOMBAT)
    orders(engine, NONCOMBAT)
    assert sorted(u.at for u in engine.state.of("japan")) == ["sz-19"] * 3 + ["sz-7"] * 3
