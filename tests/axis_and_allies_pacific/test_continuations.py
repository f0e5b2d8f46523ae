"""Paired continuations: the same dice for the same thing, nothing told where nothing differs, and the weight as it was."""

from __future__ import annotations

import pytest

from pbem.games.axis_and_allies_pacific import bot
from pbem.games.axis_and_allies_pacific.bot import airfields, judgement
from pbem.games.axis_and_allies_pacific.bot.balance import CITY, TURNS, WON, standing
from pbem.games.axis_and_allies_pacific.income import production
from pbem.games.axis_and_allies_pacific.state import POWERS, State
from pbem.kernel.flow import Ask, Roll
from pbem.kernel.wording import Message
from tests.axis_and_allies_pacific import table
from tests.axis_and_allies_pacific.continuations import HashedDice, measured, told


def test_the_same_dice_fall_for_the_same_thing_whatever_was_thrown_between() -> None:
    g = table.start()
    strike, other = (Roll(Message(text), 6, 6, "TEST") for text in ("strike", "other"))
    one, two = HashedDice("a"), HashedDice("a")
    two.throw(g, other)
    assert one.throw(g, strike) == two.throw(g, strike)
    assert one.throw(g, strike) != HashedDice("a").throw(g, strike)
    assert HashedDice("b").throw(g, strike) != HashedDice("a").throw(g, strike)


def test_two_equal_values_differ_in_nothing_and_the_weight_is_put_back() -> None:
    usual = airfields.UNSAFE
    assert measured(1, "china", [1], 1, "airfields.UNSAFE", (usual + 1, usual + 1)) == [[0]]
    assert usual == airfields.UNSAFE


def test_only_the_power_that_is_measured_has_the_weight(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, set[int]] = {}

    def choose(g: object, ask: Ask, seed: int, level: str) -> object:
        seen.setdefault(ask.seat, set()).add(judgement.SURE)
        return next(iter(ask.options()))

    monkeypatch.setattr(bot, "choose", choose)
    measured(1, "japan", [1], 1, "judgement.SURE", (7, 8))
    assert seen.pop("japan") == {7, 8}
    assert set().union(*seen.values()) == {judgement.SURE}


def test_only_the_power_that_is_measured_plays_at_the_level(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: dict[str, set[str]] = {}

    def choose(g: object, ask: Ask, seed: int, level: str) -> object:
        seen.setdefault(ask.seat, set()).add(level)
        return next(iter(ask.options()))

    monkeypatch.setattr(bot, "choose", choose)
    measured(1, "japan", [1], 1, "level", ("hard", "easy"))
    assert seen.pop("japan") == {"hard", "easy"}
    assert set().union(*seen.values()) == {"normal"}


@pytest.mark.parametrize(("turns", "last"), [(0, (1, "anzac")), (1, (2, "japan"))])
def test_it_ends_with_the_answer_or_with_so_many_more_turns(
    monkeypatch: pytest.MonkeyPatch, turns: int, last: tuple[int, str]
) -> None:
    seen: list[tuple[int, str]] = []

    def choose(g: State, ask: Ask, seed: int, level: str) -> object:
        seen.append((g.round, g.power))
        return next(iter(ask.options()))

    monkeypatch.setattr(bot, "choose", choose)
    measured(1, "japan", [1], 1, "level", ("hard", "easy"), turns)
    assert max(seen, key=lambda at: (at[0], [*POWERS].index(at[1]))) == last


def test_a_side_is_worth_what_the_other_is_not() -> None:
    g = table.start()
    assert standing(g, "japan") == -standing(g, "anzac")
    before = standing(g, "japan")
    table.put(g, "japan", "japan", "infantry", 2)
    assert standing(g, "japan") == before + 6


def test_the_error_is_that_of_positions() -> None:
    assert told([[4, 6], [-1, -1], [3, 3]]) == "+2.3 +- 1.8 IPC, 3 positions: 2 better, 1 worse, the rest alike"
    assert told([[4, 6]]) == "+5.0 +- ? IPC, 1 positions: 1 better, 0 worse, the rest alike"


def test_cities_count_and_as_many_as_win_count_only_with_japan_held() -> None:
    g = table.empty()
    cities = sorted(g.board.victory_cities.values(), key=lambda t: t != g.board.capitals["japan"])
    g.control |= dict.fromkeys(cities, "china") | dict.fromkeys(cities[:5], "japan")
    five = standing(g, "japan") - _land(g)
    g.control[cities[5]] = "japan"
    six = standing(g, "japan") - _land(g)
    assert six - five == CITY + WON
    g.control |= {cities[0]: "china", cities[6]: "japan"}
    assert standing(g, "japan") - _land(g) == five + CITY


def _land(g: State) -> int:
    """What production adds to Japan's standing."""
    return sum((1 if p == "japan" else -1) * TURNS * production(g, p) for p in POWERS)
