"""What an answer gives up in Next War."""

from __future__ import annotations

from pbem.games.next_war.game import GAME
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.kernel.wording import english
from tests.next_war.test_forms import CROWD, MARCH, position


def given_up(engine: Engine, order: Plain = "done") -> list[str]:
    """What an order gives up at the question at hand."""
    ask = engine.request
    assert isinstance(ask, Ask)
    copy = Engine.resume(engine.game, engine.scenario, engine.checkpoint())
    copy.reply(order)
    return [f"{c.kind}: {english(c.message)} [{c.rule}]" for c in GAME.consequences(engine.state, copy.state, ask)]


def test_units_that_could_still_come_beside_an_enemy() -> None:
    engine = position(*MARCH, "UNITS 0304: 5/II, 6/II")
    assert given_up(engine) == ["idle: Pino (0304), not moved, could still come beside an enemy: 5/II, 6/II [8.5]"]
    engine.reply({"move": "5/II, 6/II to 0305"})
    assert given_up(engine) == []


def test_stacks_above_the_limit() -> None:
    found = given_up(position(*CROWD[:2], "START movement basic allied"))
    assert found == ["exposed: 0906, stacking points above the limit: 7 [8.1.1.1]"]


def test_clearing_with_too_few() -> None:
    engine = position("UNITS 1405: 3/I", "MARKER allied 1405", "UNITS 1007: 11/A", "START movement basic allied")
    assert any("has to be cleared" in line and line.endswith("[8.4.1.2]") for line in given_up(engine))


def test_attacks_that_could_still_be_made() -> None:
    told = "idle: 1007 could still be attacked by: 1/MEC, 2/MEC, 3/I, 4/I, 5/II, 6/II [9.1]"
    assert given_up(position(*CROWD)) == [told]


def test_support_that_is_not_used() -> None:
    engine = position("UNITS 0906: 3/I", "UNITS 1007: 11/A", "MARK air allied 3", "START combat basic allied")
    engine.reply({"attack": "3/I at 1007"})
    engine.reply({"defend": "11/A"})
    assert given_up(engine, {"support": "air 1"}) == ["unspent: 1007, Air Points that could support: 2 [6.2.1]"]
    assert given_up(engine, {"support": "air 3"}) == []
