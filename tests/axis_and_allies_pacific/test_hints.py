"""Hints and reviews of Pacific 1940 in small positions."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific import bot
from pbem.games.axis_and_allies_pacific.bot import hints
from pbem.games.axis_and_allies_pacific.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from tests.axis_and_allies_pacific.table import engine_at, put, start
from tests.axis_and_allies_pacific.test_bot import COMBAT, at_war


def _open_anhwe(defenders: int = 1) -> State:
    g = at_war()
    put(g, "japan", "kiangsu", "infantry", 4)
    put(g, "japan", "kiangsu", "artillery", 2)
    put(g, "china", "anhwe", "infantry", defenders)
    return g


def _march(number: int) -> list[Plain]:
    return [{"move": {"units": {"infantry": number}, "from": "kiangsu", "to": "anhwe"}}, "done"]


def _asked(g: State) -> tuple[State, Ask]:
    engine = engine_at(g, "japan", COMBAT)
    assert isinstance(engine.request, Ask)
    return engine.state, engine.request


def test_the_best_attack_comes_with_its_exact_odds() -> None:
    g, ask = _asked(_open_anhwe())
    found = hints.advise(g, ask)
    assert "anhwe" in str(found[0].orders)
    assert found[0].value is not None and found[0].value > 0
    assert found[0].reasons[0].id == "won: {percent} % (exact odds)"
    assert int(str(found[0].reasons[0].args["percent"])) >= 90


def test_no_attack_is_advised_that_is_hopeless() -> None:
    g, ask = _asked(_open_anhwe(14))
    assert [one.orders for one in hints.advise(g, ask)] == [("done",)]


def test_idling_loses_what_the_attack_was_worth() -> None:
    g, ask = _asked(_open_anhwe())
    lost = hints.review(g, ask, ["done"])
    assert lost[0].value == hints.advise(g, ask)[0].value
    assert lost[0].played is None


def test_a_hopeless_attack_is_a_loss_of_its_own() -> None:
    g, ask = _asked(_open_anhwe(8))
    lost = hints.review(g, ask, _march(1))
    assert lost[0].better is None
    assert lost[0].value > 2000
    assert "anhwe" in str(lost[0].played)


def test_playing_as_advised_loses_nothing() -> None:
    g, ask = _asked(_open_anhwe())
    top = hints.advise(g, ask)[0]
    assert hints.review(g, ask, [*top.orders, "done"]) == []


def test_an_easy_bot_plays_the_same_orders_for_the_same_seed_and_others_than_a_normal_one() -> None:
    g = _open_anhwe()
    put(g, "china", "hunan", "infantry")
    put(g, "china", "kiangsi", "infantry")
    put(g, "japan", "kwangsi", "infantry", 4)
    state, ask = _asked(g)
    easy = [bot.choose(state, ask, seed=seed, level="easy") for seed in range(12)]
    assert easy == [bot.choose(state, ask, seed=seed, level="easy") for seed in range(12)]
    assert easy != [bot.choose(state, ask, seed=seed) for seed in range(12)]


def test_advice_that_needs_a_war_begins_with_its_declaration() -> None:
    g = start()
    g.round = 3  # the latest in which any seed opens it
    g, ask = _asked(g)
    assert hints.advise(g, ask)[0].orders[0] == {"declare war": ["united-kingdom", "united-states"]}
