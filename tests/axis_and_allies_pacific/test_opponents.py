"""The bot plays a believable war: small numbers of games, the many are in .ci/long (`opponents --floors`)."""

from __future__ import annotations

import random
from functools import cache

from pbem.games.axis_and_allies_pacific import bot
from pbem.games.axis_and_allies_pacific.bot.book import war_round
from pbem.games.axis_and_allies_pacific.bot.course import forget
from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Roll
from tests.axis_and_allies_pacific import greedy, table
from tests.axis_and_allies_pacific.opponents import CHOOSE, REPORT, TRAIN, Game, lines, missed, played


@cache
def war() -> Game:
    return played(CHOOSE[0], 5)


def first_turn(seed: int) -> list[Plain]:
    """Japan's purchases and combat moves, up to the first question of somebody else or the first die."""
    engine = Engine(GAME, table.scenario(), GAME.start(table.scenario(), {}))
    given: list[Plain] = []
    while isinstance(engine.request, Ask) and engine.request.kind in ("purchase", "combat-move"):
        forced = engine.request.forced
        given.append(forced if forced is not None else bot.choose(engine.state, engine.request, seed=seed))
        engine.reply(given[-1])
    return given


def test_japan_goes_for_hong_kong_and_the_indies_at_once() -> None:
    game = war()
    assert game.fell.get("kwangtung", 9) <= game.war + 1, lines([game], 5)
    assert {"java", "borneo", "sumatra", "celebes"} & game.fell.keys(), lines([game], 5)
    assert game.ipc[game.war + 2]["japan"] >= 42, lines([game], 5)


def test_japanese_aircraft_fly_against_several_targets_and_come_home() -> None:
    game = war()
    assert min(game.flying[game.war], game.flying[game.war + 1]) >= 7, "one game; the floors of eight and twelve are of many"
    assert max(game.targets.values()) >= 3, lines([game], 5)
    assert game.silly["aircraft without a landing place"] == 0


def test_japan_leaves_the_united_states_out_of_the_war_for_two_rounds_in_most_games() -> None:
    rounds = [war_round(seed) for seed in TRAIN[:100]]
    assert rounds.count(3) > 60, "measured: the later war is worth some 300 IPC after eleven rounds"
    assert set(rounds) == {1, 2, 3}
    assert war().war == war_round(CHOOSE[0]) == 3


def test_whoever_attacks_japan_early_does_not_bring_it_to_attack_the_united_states() -> None:
    g = table.start()
    g.wars = ["anzac japan", "china japan", "japan united-kingdom"]
    engine = table.engine_at(g, "japan", "combat-move")
    assert isinstance(engine.request, Ask)
    seed = next(s for s in TRAIN if war_round(s) == 3)
    first = bot.choose(engine.state, engine.request, seed=seed)
    assert "declare war" not in (first if isinstance(first, dict) else {})


def test_a_turn_takes_no_longer_than_three_seconds() -> None:
    assert max(war().seconds) < 3, lines([war()], 3)


def test_seeds_give_different_first_turns() -> None:
    assert len({str(first_turn(seed)) for seed in TRAIN[:8]}) >= 4


def test_the_same_position_gives_the_same_orders_whatever_was_thought_before() -> None:
    once = first_turn(3)
    first_turn(4)
    forget()
    assert first_turn(3) == once


def test_a_game_put_down_in_the_middle_of_a_phase_goes_on_with_the_same_orders() -> None:
    dice = random.Random(5)
    engine = Engine(GAME, table.scenario(), GAME.start(table.scenario(), {}))
    asked = {"combat-move": 0, "noncombat-move": 0}
    while engine.state.power == "japan":
        request = engine.request
        if isinstance(request, Roll):
            engine.reply([dice.randint(1, request.sides) for _ in range(request.dice)])
            continue
        assert isinstance(request, Ask)
        answer = request.forced if request.forced is not None else bot.choose(engine.state, request, seed=3)
        if request.kind in asked:
            asked[request.kind] += 1
            if asked[request.kind] % 4 == 0:
                again = Engine.resume(GAME, table.scenario(), engine.checkpoint())
                forget()
                assert isinstance(again.request, Ask)
                assert bot.choose(again.state, again.request, seed=3) == answer, (request.kind, asked)
        engine.reply(answer)
    assert min(asked.values()) > 8


def test_the_seeds_of_training_choosing_and_reporting_are_apart() -> None:
    assert not set(TRAIN) & set(CHOOSE) and not set(CHOOSE) & set(REPORT)


def test_floors_that_are_missed_are_named() -> None:
    poor = Game(1, ipc={r: {"japan": 20} for r in (1, 3, 6)}, flying={1: 1, 2: 2}, opening="nothing")
    assert "MISSED: Java by the third, per cent: 0, floor 80" in missed([poor])


def test_a_player_of_another_kind_plays_both_sides() -> None:
    for side in ("axis", "allies"):
        match = greedy.played(TRAIN[0], side, 2)
        assert (match.side, match.rounds, match.won) == (side, 2, False)


def test_a_bot_that_does_not_beat_the_greedy_player_misses_its_floor() -> None:
    def match(side: str, standing: int) -> greedy.Match:
        return greedy.Match(side, 1, standing, False, 14)

    assert greedy.missed([match("axis", 399), match("allies", 1000)]) == ["MISSED: axis stands at +399, floor +400"]
    assert greedy.missed([match("axis", 400), match("allies", 1000)]) == []
