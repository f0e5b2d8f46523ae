"""What the Allies buy: transports for the islands, a garrison, aircraft with the rest; carriers with their aircraft."""

from __future__ import annotations

from collections import Counter

from pbem.games.axis_and_allies_pacific.bot.buying import _task_force
from pbem.games.axis_and_allies_pacific.state import State
from tests.axis_and_allies_pacific.table import build, engine_at, put
from tests.axis_and_allies_pacific.test_bot import at_war, orders, words


def bought(g: State, power: str) -> Counter[str]:
    given = words(orders(engine_at(g, power, "purchase"), "purchase"), "buy")
    return sum((Counter(o) for o in given), Counter[str]())


def sydney(cash: int, men: int) -> State:
    g = at_war()
    g.control["new-south-wales"] = "anzac"
    build(g, "new-south-wales", "minor-ic")
    g.cash["anzac"] = cash
    put(g, "anzac", "new-south-wales", "infantry", men)
    return g


def test_anzac_buys_a_transport_for_the_dutch_islands_where_it_is_not_lost() -> None:
    assert bought(sydney(10, 3), "anzac") == {"transport": 1, "infantry": 1}
    g = sydney(10, 3)
    put(g, "japan", "sz-54", "battleship", 3)
    assert "transport" not in bought(g, "anzac")


def test_anzac_with_men_enough_buys_a_fighter_or_saves_up_for_one() -> None:
    for cash, aircraft in ((12, {"fighter": 1}), (9, {})):
        g = sydney(cash, 12)
        put(g, "anzac", "sz-62", "transport", 2)
        assert bought(g, "anzac") == aircraft


def test_transports_of_the_enemy_near_the_capital_call_for_men() -> None:
    g = sydney(12, 12)
    put(g, "anzac", "sz-62", "transport", 2)
    put(g, "japan", "sz-55", "transport", 2)
    assert "fighter" not in bought(g, "anzac")


def test_the_united_kingdom_makes_its_garrison_before_ships() -> None:
    for enemies, ships in ((0, 1), (12, 0)):
        g = at_war()
        g.round, g.cash["united-kingdom"] = 2, 10
        g.control |= {"india": "united-kingdom", "burma": "japan"}
        build(g, "india", "major-ic")
        put(g, "united-kingdom", "india", "infantry", 4)
        put(g, "japan", "burma", "infantry", enemies)
        assert bought(g, "united-kingdom")["transport"] == ships


def test_a_task_force_has_escorts_then_decks_then_aircraft_for_them() -> None:
    have = Counter({"aircraft-carrier": 1, "fighter": 2, "transport": 2, "destroyer": 2})
    assert _task_force(have)[0] == "destroyer"
    have["destroyer"] = 3
    assert _task_force(have)[0] == "aircraft-carrier"
    have["aircraft-carrier"], have["destroyer"] = 2, 4
    assert _task_force(have)[0] == "tactical-bomber"
