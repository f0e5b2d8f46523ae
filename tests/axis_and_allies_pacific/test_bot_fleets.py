"""Fleets that stay one body."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.bot.attack import _stragglers
from pbem.games.axis_and_allies_pacific.bot.battles import at_sea
from pbem.games.axis_and_allies_pacific.bot.fleets import _loaded
from pbem.games.axis_and_allies_pacific.bot.judgement import temper
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from tests.axis_and_allies_pacific.table import build, engine_at, put
from tests.axis_and_allies_pacific.test_bot import COMBAT, NONCOMBAT, at_war, orders


def test_carriers_join_the_ships_that_have_fought() -> None:
    g = at_war()
    g.control |= {t: "japan" for t, owner in g.control.items() if owner != "soviet-union"}
    g.control |= {"iwo-jima": "united-states", "western-united-states": "united-states", "india": "united-kingdom"}
    put(g, "japan", "japan", "infantry", 4)
    put(g, "japan", "sz-20", "aircraft-carrier", 2)
    put(g, "japan", "sz-35", "battleship", 2)
    put(g, "japan", "sz-35", "destroyer", 3)
    put(g, "united-states", "sz-10", "battleship")
    engine = engine_at(g, "japan", NONCOMBAT)
    for ship in engine.state.at("sz-35"):
        ship.fought = True
    orders(engine, NONCOMBAT)
    assert {u.at for u in engine.state.of("japan") if u.type == "aircraft-carrier"} == {"sz-35"}


class _Wary(Rehearsal):
    """A rehearsal after which the phase could not be ended the first time that somebody sails."""

    refused = 0

    def may_end(self) -> bool:
        if self.orders and not self.refused:
            self.refused = 1
            return False
        return super().may_end()


def test_ships_that_cannot_leave_for_one_zone_leave_for_another() -> None:
    g = at_war()
    put(g, "japan", "sz-20", "destroyer", 2)
    put(g, "japan", "sz-20", "cruiser")
    put(g, "united-states", "sz-20", "battleship", 5)
    stage = _Wary(engine_at(g, "japan", COMBAT).state, "japan")
    _stragglers(stage)
    assert stage.refused
    assert [u.at for u in stage.g.of("japan") if u.at == "sz-20"] == []


def _convoy(fleet: str, cruisers: int = 0) -> set[str]:
    """Where a loaded transport goes whose fleet lies there, so many Japanese cruisers being in reach of that."""
    g = at_war()
    put(g, "united-states", fleet, "destroyer", 2)
    put(g, "united-states", "sz-10", "transport")
    put(g, "united-states", "sz-10", "infantry", 2)
    for unit in g.at("sz-10")[1:]:
        unit.aboard = g.at("sz-10")[0].id
    put(g, "japan", "sz-7", "cruiser", cruisers)
    stage = Rehearsal(engine_at(g, "united-states", NONCOMBAT).state, "united-states")
    _loaded(stage, [fleet])
    return {u.at for u in stage.g.of("united-states") if u.type == "transport"}


def test_loaded_transports_follow_the_fleet_unless_the_danger_is_great() -> None:
    assert _convoy("sz-8") == _convoy("sz-8", 1) == {"sz-8"}
    assert _convoy("sz-8", 4) == {"sz-10"}
    assert _convoy("sz-16") == {"sz-13"}, "two turns away: as near as it comes"


def test_a_transport_does_not_wait_for_the_garrison_of_a_city() -> None:
    """Three men stay in Hawaii; four in the western United States may go."""
    g = at_war()
    g.control |= {"hawaiian-islands": "united-states", "western-united-states": "united-states"}
    put(g, "united-states", "hawaiian-islands", "infantry", 3)
    put(g, "united-states", "western-united-states", "infantry", 4)
    put(g, "united-states", "sz-26", "transport")
    put(g, "japan", "sz-6", "destroyer")
    engine = engine_at(g, "united-states", NONCOMBAT)
    orders(engine, NONCOMBAT)
    assert [u.at for u in engine.state.of("united-states") if u.type == "transport"] == ["sz-10"]


def test_aircraft_on_the_decks_of_a_fleet_count_among_its_defenders() -> None:
    """Six fighters sink two empty carriers; with four fighters aboard the carriers are no prize for them."""
    proposed = []
    for wing in (0, 2):
        g = at_war()
        put(g, "japan", "japan", "fighter", 6)
        for _ in range(2):
            put(g, "united-states", "sz-17", "aircraft-carrier")
            put(g, "united-states", "sz-17", "fighter", wing)
        g = engine_at(g, "japan", COMBAT).state
        proposed.append([o for o in at_sea(g, "japan", "sz-17", temper(0, "japan", g.board), frozenset()) if o.value > 0])
    assert proposed[0] and not proposed[1]


def test_aircraft_that_may_go_up_from_an_island_count_against_an_attack_at_sea() -> None:
    proposed = []
    for base in (False, True):
        g = at_war()
        put(g, "japan", "sz-35", "cruiser", 2)
        put(g, "united-states", "sz-35", "destroyer")
        put(g, "united-states", "philippines", "fighter", 6)
        if base:
            build(g, "philippines", "air-base")
        proposed.append([o for o in at_sea(g, "japan", "sz-35", temper(0, "japan", g.board), frozenset()) if len(o.units) == 2])
    assert proposed[0] and not proposed[1]
