"""The second, slow reading of links, activation, rest and control agrees with the game, at random and with the bot."""

from __future__ import annotations

import random

import pytest

from pbem.games.pacific_war.state import SIDES
from pbem.games.pacific_war.world import links
from pbem.kernel.engine import Engine
from tests.pacific_war import bot_play, random_play, slow_links


class Noticed(Exception):
    """The two readings differ: the rest of the game is no matter."""


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("by", ["random", "bot"])
def test_links_and_who_may_act_are_read_the_same_twice(by: str) -> None:
    watch = slow_links.Watch(random.Random(5), 0.06, 0.004)
    if by == "bot":
        bot_play.play("guadalcanal", 3, SIDES, watch=watch, secrets="open")
    else:
        random_play.play("guadalcanal", 2, watch, secrets="open")
    assert min(watch.seen[what] for what in ("links", "activations", "rests", "control")) > 1, watch.seen


@pytest.mark.parametrize("wrong", ["range", "port", "rest"])
def test_the_slow_reading_can_disagree(wrong: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A judge with another range, or a game that forgets a condition, is noticed."""
    if wrong == "range":
        monkeypatch.setattr(slow_links, "SPARE", -3)
    elif wrong == "port":
        monkeypatch.setattr(links, "OSB_SEA", 2)
        monkeypatch.setattr(links, "LAND_POINTS", 2)
    else:
        monkeypatch.setattr("pbem.games.pacific_war.cycle.common_phase.may_rest", lambda g, unit: g.units[unit].active)
    judge = slow_links.Watch(random.Random(5), 0.5, 0.02)

    def watch(engine: Engine) -> None:
        if judge.disagreements(engine):
            raise Noticed

    with pytest.raises(Noticed):
        random_play.play("guadalcanal", 2, watch, secrets="open")
