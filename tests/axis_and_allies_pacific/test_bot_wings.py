"""Aircraft that are of use: they strike what stands unguarded, and do not stand unguarded themselves."""

from __future__ import annotations

import pytest

from pbem.games.axis_and_allies_pacific.bot.airfields import _cost, kept_promises
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.state import State
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
