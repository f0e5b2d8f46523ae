"""Landings that arrive: what goes up from the island itself is met before the transports come."""

from __future__ import annotations

import pytest

from pbem.bots.operation import Operation
from pbem.games.axis_and_allies_pacific.bot import attack
from pbem.games.axis_and_allies_pacific.bot.battles import _fliers, on_land
from pbem.games.axis_and_allies_pacific.bot.judgement import fleet_threat, steps, temper, threat
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.state import State
from tests.axis_and_allies_pacific.table import build, engine_at, put
from tests.axis_and_allies_pacific.test_bot import COMBAT, at_war, orders, words


def _before_manila(fighters: int) -> State:
    """Two transports off Formosa; a man on the Philippines, with so many fighters and a base; nothing else to gain."""
    g = at_war()
    g.control |= {t: "japan" for t, owner in g.control.items() if owner != "soviet-union"} | {"philippines": "united-states"}
    put(g, "united-states", "philippines", "infantry")
    put(g, "united-states", "philippines", "fighter", fighters)
    build(g, "philippines", "air-base")
    put(g, "japan", "formosa", "infantry", 4)
    put(g, "japan", "sz-20", "transport", 2)
    return g


@pytest.mark.parametrize(("fighters", "lands"), [(0, True), (1, False)])
def test_transports_alone_do_not_land_where_a_fighter_goes_up(fighters: int, lands: bool) -> None:
    given = orders(engine_at(_before_manila(fighters), "japan", COMBAT), COMBAT)
    assert any(o["to"] == "philippines" for o in words(given, "assault")) == lands


def test_they_land_under_an_escort_that_beats_it() -> None:
    g = _before_manila(1)
    put(g, "japan", "sz-20", "cruiser", 3)
    given = orders(engine_at(g, "japan", COMBAT), COMBAT)
    assert any(o["to"] == "philippines" for o in words(given, "assault"))
    assert any(o["to"] == "sz-35" and "cruiser" in o["units"] for o in words(given, "move"))


def test_aircraft_of_the_escort_go_where_nobody_lies_when_the_landing_is_announced() -> None:
    g = _before_manila(1)
    put(g, "japan", "sz-20", "destroyer")
    put(g, "japan", "formosa", "fighter", 3)
    given = orders(engine_at(g, "japan", COMBAT), COMBAT)
    assert any(o["to"] == "philippines" for o in words(given, "assault"))
    assert any(o["to"] == "sz-35" and "fighter" in o["units"] for o in words(given, "move")), given


def test_of_aircraft_that_reach_no_land_again_as_many_are_counted_on_as_decks_take() -> None:
    g = _before_manila(0)
    put(g, "japan", "kwangtung", "tactical-bomber", 5)
    g.control |= {t: "united-kingdom" for t in g.board.territories if "kwangtung" != t != "philippines"}
    assert far(g) == 0
    put(g, "japan", "sz-20", "aircraft-carrier")
    assert far(g) == 2
    put(g, "japan", "philippines", "fighter")
    g.units[g.next_id - 1].moved, g.units[g.next_id - 1].used = "combat", 3
    assert far(g) == 1, "one that has flown needs a place too"


def _refused(g: State, power: str, target: str) -> list[object]:
    """Attacks on a territory that are thought of and that are not legal."""
    g = engine_at(g, power, COMBAT).state
    found = on_land(g, power, target, temper(1, power, g.board), frozenset())
    assert found
    return [o.steps for o in found if not Rehearsal(g, power).attempt(o.steps)]


def test_nobody_marches_to_the_beach_on_which_he_lands() -> None:
    g = at_war()
    g.control |= {"shan-state": "japan"}
    put(g, "japan", "shan-state", "infantry")
    put(g, "japan", "sz-37", "transport")
    put(g, "japan", "siam", "fighter", 3)
    put(g, "united-kingdom", "malaya", "infantry")
    assert _refused(g, "japan", "malaya") == []


def test_of_loaded_transports_in_a_zone_the_one_goes_alone_that_an_order_takes() -> None:
    g = at_war()
    for number, cargo in enumerate(("infantry", "artillery")):
        put(g, "united-states", "sz-32", "transport")
        put(g, "united-states", "sz-32", cargo)
        g.units[g.next_id - 1].aboard = g.next_id - 2
        assert len(g.of("united-states")) == 2 * (number + 1)
        g.forget()
    assert _refused(g, "united-states", "caroline-islands") == []


def far(g: State) -> int:
    """Tactical bombers that are thought of against the Philippines."""
    return len(_fliers(engine_at(g, "japan", COMBAT).state, "japan", "philippines", frozenset()))


def test_an_operation_that_turns_out_not_to_be_legal_gives_way_to_the_next_best(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = [Operation("philippines", frozenset({n}), 1000 - n, ({"number": n},)) for n in range(9)]
    monkeypatch.setattr(attack, "_operations", lambda g, power, mind, done: [o for o in wanted if o.goal not in done])
    monkeypatch.setattr(Rehearsal, "attempt", lambda stage, steps: steps[0]["number"] == 8)
    g = engine_at(_before_manila(0), "japan", COMBAT).state
    assert [o.value for o in attack.plan_combat(g, "japan", temper(1, "japan", g.board)).chosen] == [992]


@pytest.mark.parametrize(("came_from", "lies", "comes"), [("sz-20", "sz-35", True), ("sz-35", "sz-20", False)])
def test_a_fleet_is_a_danger_as_far_as_it_sails_from_where_it_lies_now(came_from: str, lies: str, comes: bool) -> None:
    g = at_war()
    g.control["philippines"] = "japan"
    build(g, "philippines", "naval-base")
    put(g, "japan", lies, "battleship")
    for ship in g.of("japan"):
        ship.start = came_from
    assert steps(g.board, "sea")["sz-17"][lies] == 3
    assert bool(fleet_threat(g, "united-states", "sz-17")) == comes


@pytest.mark.parametrize(("came_from", "lies", "comes"), [("sz-20", "sz-35", True), ("sz-35", "sz-20", False)])
def test_so_are_transports(came_from: str, lies: str, comes: bool) -> None:
    g = at_war()
    g.control |= {"philippines": "japan", "iwo-jima": "united-states"}
    build(g, "philippines", "naval-base")
    put(g, "japan", lies, "transport")
    put(g, "japan", lies, "infantry")
    ship, man = g.of("japan")
    ship.start, man.aboard = came_from, ship.id
    g.forget()
    assert any(u.type == "infantry" for u in threat(g, "united-states", "iwo-jima")) == comes
