"""Random games of every scenario, orders that must be refused, and the second, slow reading of moves, zones and supply."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from pbem.games.next_war.game import GAME
from pbem.games.next_war.state import SIDES, State
from pbem.games.next_war.zoc import zone
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.kernel.records import from_plain, to_plain
from tests.full_runs import missing
from tests.next_war import disorder, invariants, mutations, random_play, table
from tests.next_war.random_play import MOVES, OPTIONS, count
from tests.next_war.slow_judge import disagreements, disagreements_on_ends, disagreements_on_moves, some_of, zones

GAMES = 3  # of every scenario, one for each set of options
FLOORS = {"attacks": 800, "retreats": 30, "advances": 250, "captures": 700, "losses": 1500, "marches": 2500}  # per 100 games


@pytest.fixture(scope="module")
def tally() -> Counter[str]:
    """Some games of every scenario with every set of options, with invariants at every segment."""
    found: Counter[str] = Counter()
    for name in table.SCENARIOS:
        for seed in range(GAMES):
            engine = random_play.play(name, seed, invariants.Watch(60), moves=MOVES[name], **OPTIONS[seed % 3])
            result = GAME.result(engine.state)
            assert result is not None and result.rule in ("12.2", "12.3")
            count(engine, found)
    return found


@pytest.mark.in_turn(2)
def test_random_games_of_every_scenario_come_to_their_end(tally: Counter[str]) -> None:
    assert tally["ends"] == GAMES * len(table.SCENARIOS)


def test_everything_happens_in_play(tally: Counter[str]) -> None:
    assert not missing(tally, GAMES * len(table.SCENARIOS), FLOORS)


@pytest.mark.parametrize("options", OPTIONS)
def test_events_alone_give_the_same_state(options: dict[str, Any]) -> None:
    engine = random_play.play("training", 5, **options)
    invariants.check_events_alone(engine, "training", **options)


def test_the_same_game_twice_gives_the_same_hash() -> None:
    one, two = (random_play.play("training", 9) for _ in range(2))
    assert one.state_hash() == two.state_hash()


def test_a_position_survives_writing_and_reading() -> None:
    plain = to_plain(random_play.play("training", 1).state)
    assert to_plain(from_plain(State, plain)) == plain


@pytest.mark.parametrize("seed", [11, 12])
def test_five_hundred_spoilt_orders_are_refused(seed: int) -> None:
    assert mutations.run(seed, 500).total() >= 500


@pytest.mark.in_turn(3)
@pytest.mark.parametrize(
    ("name", "options"),
    [
        pytest.param(name, options, marks=[pytest.mark.long] if name == "korea" and n else [])
        for name in table.SCENARIOS
        for n, options in enumerate(OPTIONS)
    ],
)
def test_the_slow_judge_agrees(name: str, options: dict[str, Any]) -> None:
    """Zones and supply at some positions of a game, the moves of some stacks at some questions."""
    dice = random.Random(7)
    seen: Counter[str] = Counter()

    def watch(engine: Engine, _: Plain) -> None:
        ask = engine.request
        moving = isinstance(ask, Ask) and ask.kind == "movement"
        if dice.random() > (0.3 if moving else 0.1) * (0.3 if name == "korea" else 1):
            return
        assert not disagreements(engine.state)
        seen["positions"] += 1
        if moving and isinstance(ask, Ask):
            assert not disagreements_on_moves(engine.state, ask, dice, 1)
            seen["moves"] += 1

    random_play.play(name, 3, watch, moves=MOVES[name], **options)
    assert seen["moves"] >= 3


@pytest.mark.in_turn(5)
@pytest.mark.parametrize("name", table.SCENARIOS)
def test_the_slow_judge_agrees_on_stacks_of_every_kind(name: str) -> None:
    """Zones, supply, and where stacks of one class and of several can go, at positions thrown together at random."""
    mixed = 0
    for seed in range(30 if name == "korea" else 60):
        dice = random.Random(seed)
        g = disorder.position(name, dice)
        assert not disagreements(g), f"seed {seed}"
        for side in SIDES:
            assert set(zone(g, side)) == zones(g, side), f"seed {seed}"
            for stack in dice.sample(list(g.occupied(side).values()), min(2, len(g.occupied(side)))):
                units = some_of(stack, dice)
                assert not disagreements_on_ends(g, side, units), f"seed {seed}"
                mixed += len({g.values(u).mobility for u in units}) > 1
    assert mixed > 10


def test_the_slow_judge_can_disagree(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a point more for every move the judge finds ends that the game refuses."""
    engine, dice = table.begin("training"), random.Random(1)
    while not (isinstance(engine.request, Ask) and engine.request.kind == "movement"):
        request = engine.request
        assert request is not None
        engine.reply(random_play.choose(request, dice, 9) if isinstance(request, Ask) else table.chance(request, dice))
    assert not disagreements_on_moves(engine.state, engine.request, random.Random(2), 5)
    monkeypatch.setattr("tests.next_war.slow_judge.SPARE", 1)
    assert disagreements_on_moves(engine.state, engine.request, random.Random(2), 5)
