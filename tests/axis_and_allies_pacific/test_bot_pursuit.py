"""Whether the attacker fights on after a round: what is gained and lost decides, not who is stronger."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific import bot
from pbem.games.axis_and_allies_pacific.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Roll
from tests.axis_and_allies_pacific.table import engine_at, put
from tests.axis_and_allies_pacific.test_bot import COMBAT, at_war


def _after_a_round(g: State, kind: str, number: int, at: str, to: str) -> Plain:
    """What the bot does after a round in which nobody has hit."""
    engine = engine_at(g, "japan", COMBAT)
    engine.reply({"move": {"units": {kind: number}, "from": at, "to": to}})
    engine.reply("done")
    while True:
        asked = engine.request
        if isinstance(asked, Roll):
            engine.reply([6] * asked.dice)
            continue
        assert isinstance(asked, Ask)
        if asked.kind == "retreat":
            return bot.choose(engine.state, asked)
        engine.reply(next(iter(asked.options())))


def _burma() -> State:
    g = at_war()
    g.control |= {"shan-state": "japan", "burma": "united-kingdom", "india": "united-kingdom", "yunnan": "japan"}
    return g


def test_a_stronger_wing_breaks_off_what_costs_more_than_it_kills() -> None:
    g = _burma()
    put(g, "japan", "shan-state", "fighter", 3)
    put(g, "united-kingdom", "burma", "infantry", 3)
    assert _after_a_round(g, "fighter", 3, "shan-state", "burma") != "press"


def test_a_wing_goes_on_against_aircraft_on_the_ground() -> None:
    g = _burma()
    put(g, "japan", "shan-state", "fighter", 3)
    put(g, "united-kingdom", "burma", "tactical-bomber", 2)
    assert _after_a_round(g, "fighter", 3, "shan-state", "burma") == "press"


def test_weaker_troops_go_on_where_a_capital_is_to_be_won() -> None:
    g = _burma()
    g.control["burma"] = "japan"
    g.cash["united-kingdom"] = 40
    put(g, "japan", "burma", "artillery", 4)
    put(g, "united-kingdom", "india", "infantry", 5)
    assert _after_a_round(g, "artillery", 4, "burma", "india") == "press"
