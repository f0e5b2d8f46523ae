"""What the bot makes of small positions."""

from __future__ import annotations

from typing import Any

from pbem.games.axis_and_allies_pacific import bot
from pbem.games.axis_and_allies_pacific.bot.judgement import outlook
from pbem.games.axis_and_allies_pacific.bot.legal import smaller_ones
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Roll
from tests.axis_and_allies_pacific.table import build, empty, engine_at, kinds, put

COMBAT, NONCOMBAT = "combat-move", "noncombat-move"


def at_war() -> State:
    g = empty()
    g.wars = ["anzac japan", "china japan", "japan united-kingdom", "japan united-states"]
    return g


def orders(engine: Engine, kind: str, roll: int = 6) -> list[Any]:
    """The bot's orders for one kind of question, until another kind comes up."""
    given: list[Any] = []
    while (isinstance(engine.request, Ask) and engine.request.kind == kind) or isinstance(engine.request, Roll):
        asked = engine.request
        if isinstance(asked, Roll):
            engine.reply([roll] * asked.dice)
            continue
        given.append(bot.choose(engine.state, asked))
        engine.reply(given[-1])
    return given


def words(given: list[Any], verb: str) -> list[Any]:
    return [o[verb] for o in given if isinstance(o, dict) and verb in o]


def test_troops_that_are_afloat_already_land_where_the_capital_lies_open() -> None:
    g = at_war()
    put(g, "japan", "japan", "infantry")
    put(g, "united-states", "sz-7", "transport", 3)
    put(g, "united-states", "western-united-states", "infantry", 4)
    for ship in [u for u in g.of("united-states") if u.type == "transport"]:
        put(g, "united-states", "sz-7", "tank")
        g.units[g.next_id - 1].aboard = ship.id
    engine = engine_at(g, "united-states", COMBAT)
    orders(engine, COMBAT)
    assert sum(u.target == "japan" for u in engine.state.of("united-states") if u.type == "tank") >= 2


def test_cargo_fights_as_an_attacker_and_not_as_a_defender() -> None:
    g = at_war()
    put(g, "japan", "japan", "infantry", 2)
    put(g, "united-states", "sz-6", "transport")
    put(g, "united-states", "sz-6", "tank")
    g.units[g.next_id - 1].aboard = g.next_id - 2
    tank = [g.units[g.next_id - 1]]
    assert outlook(g, tank, g.at("japan")).defence_cost > 0
    assert outlook(g, g.at("japan"), tank).attack_left == 2000


def test_a_threatened_capital_keeps_its_garrison() -> None:
    g = at_war()
    put(g, "japan", "japan", "infantry", 4)
    put(g, "japan", "sz-6", "transport", 2)
    put(g, "united-states", "sz-7", "transport", 3)
    put(g, "united-states", "sz-7", "battleship", 2)
    for ship in [u for u in g.of("united-states") if u.type == "transport"]:
        put(g, "united-states", "sz-7", "infantry", 2)
        g.units[g.next_id - 1].aboard = g.units[g.next_id - 2].aboard = ship.id
    engine = engine_at(g, "japan", NONCOMBAT)
    orders(engine, NONCOMBAT)
    assert kinds(u for u in engine.state.at("japan") if u.owner == "japan") == {"infantry": 4}


def test_a_threatened_capital_gets_guards() -> None:
    g = at_war()
    g.cash["japan"] = 12
    build(g, "japan", "major-ic")
    put(g, "japan", "japan", "infantry")
    put(g, "united-states", "sz-6", "transport", 4)
    for ship in [u for u in g.of("united-states") if u.type == "transport"]:
        put(g, "united-states", "sz-6", "tank")
        g.units[g.next_id - 1].aboard = ship.id
    bought = words(orders(engine_at(g, "japan", "purchase"), "purchase"), "buy")
    assert [next(iter(b)) for b in bought] == ["infantry"] * 4


def test_nothing_is_bought_that_no_complex_could_make() -> None:
    g = at_war()
    g.cash["united-kingdom"] = 60
    build(g, "india", "minor-ic")
    put(g, "united-kingdom", "india", "infantry", 6)
    bought = words(orders(engine_at(g, "united-kingdom", "purchase"), "purchase"), "buy")
    assert 1 <= len(bought) <= 3


def test_a_lone_transport_does_not_sail_into_danger_and_a_fleet_comes_for_it() -> None:
    g = at_war()
    put(g, "japan", "japan", "infantry", 6)
    put(g, "japan", "japan", "fighter", 2)
    put(g, "united-states", "hawaiian-islands", "infantry", 3)
    put(g, "united-states", "sz-26", "transport")
    put(g, "united-states", "sz-26", "infantry")
    g.units[g.next_id - 1].aboard = g.next_id - 2
    put(g, "united-states", "sz-10", "battleship")
    put(g, "united-states", "sz-10", "destroyer", 3)
    engine = engine_at(g, "united-states", NONCOMBAT)
    orders(engine, NONCOMBAT)
    assert {u.at for u in engine.state.of("united-states") if u.type == "destroyer"} == {"sz-26"}
    assert not [u for u in engine.state.of("united-states") if u.type == "transport" and u.at in ("sz-6", "sz-7", "sz-16")]


def test_a_good_attack_is_made_and_a_hopeless_one_is_not() -> None:
    for defenders, attacks in ((1, True), (12, False)):
        g = at_war()
        put(g, "japan", "kiangsu", "infantry", 4)
        put(g, "japan", "kiangsu", "artillery", 2)
        put(g, "china", "anhwe", "infantry", defenders)
        given = orders(engine_at(g, "japan", COMBAT), COMBAT)
        assert any(m["to"] == "anhwe" for m in words(given, "move")) == attacks


def test_orders_shrink_when_ships_are_lost_on_the_way() -> None:
    order: Plain = {"assault": {"units": {"infantry": 3}, "from": "sz-6", "to": "japan"}}
    numbers = [o["assault"]["units"]["infantry"] for o in smaller_ones(order)]  # type: ignore[index,call-overload]
    assert numbers == [3, 2, 1]
    assert list(smaller_ones("done")) == ["done"]


def scrambled(fighters: int, attackers: int, aboard: int = 0) -> bool:
    g = at_war()
    build(g, "japan", "air-base")
    put(g, "japan", "japan", "fighter", fighters)
    put(g, "japan", "sz-6", "destroyer")
    put(g, "japan", "sz-6", "aircraft-carrier", aboard // 2)
    put(g, "japan", "sz-6", "fighter", aboard)
    put(g, "united-states", "sz-7", "cruiser", attackers)
    engine = engine_at(g, "united-states", COMBAT)
    engine.reply({"move": {"units": {"cruiser": attackers}, "from": "sz-7", "to": "sz-6"}})
    engine.reply("done")
    while not (isinstance(engine.request, Ask) and engine.request.kind == "scramble"):
        asked = engine.request
        assert isinstance(asked, Ask)
        engine.reply(asked.forced if asked.forced is not None else bot.choose(engine.state, asked))
    answer = bot.choose(engine.state, engine.request)
    assert isinstance(answer, dict)
    return answer["scramble"] not in ("none", [])


def test_fighters_scramble_when_they_turn_the_battle_and_stay_when_they_would_be_lost() -> None:
    assert scrambled(fighters=3, attackers=2)
    assert not scrambled(fighters=1, attackers=8)


def test_aircraft_on_decks_below_count_for_those_who_may_scramble() -> None:
    assert scrambled(fighters=1, attackers=4, aboard=2)


def test_kamikazes_go_for_the_dearest_ships_all_of_them_before_japan_itself() -> None:
    g = at_war()
    g.kamikaze_enabled = True
    put(g, "japan", "sz-6", "destroyer")
    put(g, "united-states", "sz-7", "destroyer", 4)
    put(g, "united-states", "sz-7", "battleship", 2)
    engine = engine_at(g, "united-states", COMBAT)
    engine.reply({"move": {"units": {"destroyer": 4}, "from": "sz-7", "to": "sz-6"}})
    engine.reply({"move": {"units": {"battleship": 2}, "from": "sz-7", "to": "sz-6"}})
    engine.reply("done")
    while not (isinstance(engine.request, Ask) and engine.request.kind == "kamikaze"):
        asked = engine.request
        assert isinstance(asked, Ask)
        engine.reply(asked.forced if asked.forced is not None else bot.choose(engine.state, asked))
    answer: Any = bot.choose(engine.state, engine.request)
    assert [name.split(" of ")[0] for name in answer["kamikaze"]] == ["battleship"] * 2 + ["destroyer"] * 4


def test_nothing_is_engaged_that_pins_the_carrier_on_which_aircraft_count() -> None:
    g = at_war()
    g.power, g.phase = "japan", COMBAT
    put(g, "japan", "caroline-islands", "fighter", 2)
    put(g, "japan", "sz-33", "aircraft-carrier")
    put(g, "united-states", "sz-33", "transport")
    put(g, "united-states", "sz-54", "destroyer")
    engage: Plain = {"engage": "transports in SZ 33"}
    assert Rehearsal(g, "japan").attempt([engage])
    stage = Rehearsal(g, "japan")
    assert stage.attempt([{"move": {"units": {"fighter": 2}, "from": "caroline-islands", "to": "sz-54"}}])
    assert not stage.attempt([engage])
