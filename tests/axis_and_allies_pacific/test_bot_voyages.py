"""Guardians make for Dutch land that is two turns away, and count what holds an objective as the rules do."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.bot.judgement import steps, temper
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.bot.value import gain
from pbem.games.axis_and_allies_pacific.bot.voyages import set_out
from pbem.games.axis_and_allies_pacific.state import State
from tests.axis_and_allies_pacific.table import build, engine_at, put
from tests.axis_and_allies_pacific.test_bot import NONCOMBAT, at_war, orders


def _worth(g: State, power: str, territory: str) -> int:
    g.forget()
    return gain(g, power, territory, temper(0, power, g.board))[1]


def test_the_last_land_of_an_objective_is_worth_it_even_where_it_is_a_friends() -> None:
    """New Guinea and its neighbours bring five to ANZAC only when Dutch New Guinea is no longer Dutch [AZ-1]."""
    g = at_war()
    last = _worth(g, "anzac", "dutch-new-guinea")
    g.control["new-guinea"] = "japan"
    assert last > 3 * _worth(g, "anzac", "dutch-new-guinea") > 0
    g.control |= {"new-guinea": "anzac", "dutch-new-guinea": "united-states"}
    assert _worth(g, "anzac", "dutch-new-guinea") < last // 10, "the United States hold it for ANZAC"


def test_an_objective_of_one_power_wants_what_its_friends_hold() -> None:
    """Okinawa and Iwo Jima bring five to the United States alone [US-3]."""
    g = at_war()
    g.control |= {"okinawa": "united-states"}
    one = _worth(g, "united-states", "iwo-jima")
    g.control |= {"okinawa": "anzac"}
    assert _worth(g, "united-states", "iwo-jima") < one


def _sailing(cruisers: int = 0) -> State:
    """After ANZAC's noncombat moves with eight men in Sydney and a transport there: all Dutch land but one is Japanese."""
    g = at_war()
    g.control |= {t: "japan" for t, owner in g.control.items() if owner == "netherlands" and t != "dutch-new-guinea"}
    put(g, "japan", "japan", "infantry", 8)
    put(g, "anzac", "new-south-wales", "infantry", 8)
    put(g, "anzac", "sz-62", "transport")
    for waters in ("sz-33", "sz-42"):
        put(g, "japan", waters, "cruiser", cruisers)
    build(g, "new-south-wales", "major-ic")
    engine = engine_at(g, "anzac", NONCOMBAT)
    orders(engine, NONCOMBAT)
    state: State = engine.state
    return state


def _way(g: State) -> tuple[int, int]:
    """Men aboard, and zones from their transport to Dutch New Guinea."""
    ship = next(u for u in g.of("anzac") if u.type == "transport")
    return len(g.cargo(ship)), min(steps(g.board, "sea")[ship.at][z] for z in g.board.coast("dutch-new-guinea"))


def test_a_transport_takes_men_aboard_for_dutch_land_two_turns_away() -> None:
    men, way = _way(_sailing())
    assert men == 2 and way <= 2


def test_nobody_sets_out_into_the_arms_of_a_fleet() -> None:
    """Cruisers off the Caroline Islands and off Java reach every zone from which one could land."""
    men, way = _way(_sailing(4))
    assert men == 0 or way > 2


def test_each_transport_has_a_shore_of_its_own() -> None:
    """Two transports off Sydney and one Dutch land: the second stays with its men; with two lands both set out."""
    found = []
    for others in ("dutch-new-guinea", "celebes"):
        g = at_war()
        g.control |= {t: "japan" for t, owner in g.control.items() if owner == "netherlands" and t != "dutch-new-guinea"}
        g.control[others] = "netherlands"
        put(g, "anzac", "new-south-wales", "infantry", 8)
        put(g, "anzac", "sz-62", "transport", 2)
        stage = Rehearsal(engine_at(g, "anzac", NONCOMBAT).state, "anzac")
        set_out(stage, temper(0, "anzac", g.board))
        found.append(sum(bool(u.moved) for u in stage.g.of("anzac") if u.type == "transport"))
    assert found == [1, 2]
