"""Aircraft that are of use: they strike what stands unguarded, and do not stand unguarded themselves."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.bot.airfields import _cost, kept_promises
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.paths import flights
from pbem.games.axis_and_allies_pacific.state import State
from tests.axis_and_allies_pacific.table import engine_at, put
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


def _all_japanese(g: State) -> None:
    g.control |= {t: "japan" for t, owner in g.control.items() if owner not in ("soviet-union", "none", "neutral")}


def _before_calcutta(men: int) -> State:
    """Calcutta well guarded, Japan's wing far behind, so many men in Burma; a fleet of the enemy off Shanghai."""
    g = at_war()
    _all_japanese(g)
    g.control["india"] = "united-kingdom"
    put(g, "united-kingdom", "india", "infantry", 8)
    put(g, "japan", "burma", "infantry", men)
    put(g, "japan", "kiangsi", "fighter", 9)
    put(g, "united-states", "sz-19", "destroyer", 6)
    return g


def test_the_wing_goes_to_a_city_that_troops_can_take_and_not_to_one_that_they_cannot() -> None:
    for men, goes in ((12, True), (0, False)):
        engine = engine_at(_before_calcutta(men), "japan", NONCOMBAT)
        orders(engine, NONCOMBAT)
        near = flights(engine.state, "japan", "india", 2)
        planes = [u.at for u in engine.state.of("japan") if u.type == "fighter"]
        assert (sum(at in near for at in planes) >= 5) == goes, planes


def test_aircraft_divide_between_two_targets_that_one_place_does_not_reach() -> None:
    g = at_war()
    _all_japanese(g)
    put(g, "japan", "kiangsi", "fighter", 8)
    put(g, "united-states", "sz-17", "destroyer", 6)
    put(g, "united-kingdom", "sz-44", "destroyer", 6)
    engine = engine_at(g, "japan", NONCOMBAT)
    orders(engine, NONCOMBAT)
    places = [u.at for u in engine.state.of("japan") if u.type == "fighter"]
    for zone in ("sz-17", "sz-44"):
        assert sum(zone in flights(engine.state, "japan", at, 2) for at in places) >= 3, places
