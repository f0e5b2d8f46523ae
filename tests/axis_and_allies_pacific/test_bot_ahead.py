"""The hard bot of Pacific 1940: plans are played on, without luck and without tempers that nobody can know."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from pbem.games.axis_and_allies_pacific import bot
from pbem.games.axis_and_allies_pacific.bot import lookahead
from pbem.games.axis_and_allies_pacific.bot.attack import plan_combat
from pbem.games.axis_and_allies_pacific.bot.balance import standing
from pbem.games.axis_and_allies_pacific.bot.course import forget
from pbem.games.axis_and_allies_pacific.bot.judgement import temper
from pbem.games.axis_and_allies_pacific.state import State
from pbem.games.parts import HARD
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Roll
from pbem.kernel.wording import Message
from tests.axis_and_allies_pacific import table
from tests.axis_and_allies_pacific.test_bot import COMBAT, at_war

HITS = 3


@pytest.fixture(autouse=True)
def _nothing_thought_before() -> None:
    forget()


def _bait() -> State:
    """A lone transport within reach of Japan's only cruiser."""
    g = at_war()
    table.put(g, "japan", "japan", "infantry", 8)
    table.put(g, "united-states", "western-united-states", "infantry", 4)
    table.put(g, "japan", "sz-6", "cruiser")
    table.put(g, "united-states", "sz-16", "transport")
    return g


def _given(g: State, level: str = HARD) -> list[Plain]:
    engine = table.engine_at(g, "japan", COMBAT, ("united-states",))
    given: list[Plain] = []
    while isinstance(engine.request, Ask) and engine.request.kind == COMBAT:
        given.append(bot.choose(engine.state, engine.request, seed=3, level=level))
        engine.reply(given[-1])
    return given


def test_the_plan_that_comes_out_best_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    def played(g: State, power: str, orders: Sequence[Plain], *more: object) -> State:
        end = table.start()
        end.cash["japan"] = 100 * (not orders)
        return end

    usual = _given(_bait(), "normal")
    assert len(usual) > 1, "it goes for the transport"
    monkeypatch.setattr(lookahead, "_played_on", played)
    assert _given(_bait()) == ["done"]


def test_the_same_position_gives_the_same_orders_whatever_was_thought_before() -> None:
    once = _given(_bait())
    forget()
    assert _given(_bait()) == once


def test_look_ahead_changes_nothing_in_the_game_that_is_played() -> None:
    g = _bait()
    engine = table.engine_at(g, "japan", COMBAT, ("united-states",))
    before = engine.state_hash()
    assert isinstance(engine.request, Ask)
    bot.choose(engine.state, engine.request, seed=3, level=HARD)
    assert engine.state_hash() == before


def test_even_dice_hit_as_often_as_is_to_be_expected() -> None:
    g = table.start()
    thrown = [lookahead.EvenDice(str(n)).throw(g, _roll(dice=5, at=HITS)) for n in range(200)]
    hits = [sum(die <= HITS for die in dice) for dice in thrown]
    assert set(hits) == {2, 3} and 460 <= sum(hits) <= 540
    assert lookahead.EvenDice("1").throw(g, _roll(6, 1)).count(1) == 1
    assert all(1 <= die <= 6 for die in lookahead.EvenDice("1").throw(g, _roll(4, 0)))


def _roll(dice: int, at: int) -> Roll:
    return Roll(Message("test", {"at": at}) if at else Message("test"), dice, 6, "TEST")


def test_enemies_are_played_with_tempers_of_their_own_the_own_side_with_its_own() -> None:
    g = table.start()
    mind = temper(3, "united-states", g.board)
    hands = [lookahead.Hands(g, "united-states", [], mind, sample, bot._answer) for sample in (0, 1)]
    assert {hands[0].minds[p].seed for p in ("united-states", "united-kingdom", "anzac", "china")} == {3}
    assert 3 not in {h.minds["japan"].seed for h in hands}
    assert hands[0].minds["japan"] != hands[1].minds["japan"]


def test_an_operation_may_be_left_out_and_an_answer_feared_more_or_less() -> None:
    g = table.engine_at(_bait(), "japan", COMBAT, ("united-states",)).state
    usual = plan_combat(g, "japan", temper(3, "japan", g.board))
    assert [o.goal for o in usual.chosen] == ["sz-16"]
    assert not plan_combat(g, "japan", temper(3, "japan", g.board), ["sz-16"]).chosen
    assert standing(g, "japan") == -standing(g, "anzac")
