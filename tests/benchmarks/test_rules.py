"""Rules: 4,000 random legal decisions a second and 300 ms to check a large turn are aimed at (one core)."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import demonstration, sending, setup
from pbem.games.axis_and_allies_pacific import bot
from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask
from pbem.kernel.forms import Partial, form_of
from pbem.protocol.strict_yaml import write_document
from pbem.store.session import Session
from tests.axis_and_allies_pacific import random_play
from tests.axis_and_allies_pacific.table import engine_at, scenario, start


def replies_of(rounds: int) -> list[Any]:
    """Every reply to the engine in a random game: orders, forced answers and dice."""
    replies: list[Any] = []
    reply = Engine.reply

    def kept(engine: Engine, value: Any) -> None:
        replies.append(value)
        reply(engine, value)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Engine, "reply", kept)
        random_play.play(0, rounds, random_play.at_random)
    return replies


def replayed(replies: list[Any], rounds: int) -> float:
    """CPU seconds of the same game when nobody looks for proposals."""
    began = time.process_time()
    engine = Engine(GAME, scenario(), GAME.start(scenario(), {"round-limit": rounds}))
    for reply in replies:
        engine.reply(reply)
    assert engine.request is None
    return time.process_time() - began


@pytest.mark.benchmark(timer=time.process_time)
@pytest.mark.parametrize("rounds", [3, 12])
def test_random_decisions(benchmark: Any, rounds: int) -> None:
    """No invariants are looked at. The extra columns: orders chosen, and as the floor in the same run the game replayed."""
    decisions = 0

    def at_random(engine: Engine, ask: Ask, dice: random.Random) -> Any:
        nonlocal decisions
        decisions += 1
        return random_play.at_random(engine, ask, dice)

    replies, floors = replies_of(rounds), []

    def begin() -> None:
        nonlocal decisions
        floors.append(replayed(replies, rounds))
        decisions = 0

    benchmark.pedantic(random_play.play, (0, rounds, at_random), setup=begin, rounds=5, warmup_rounds=1)
    benchmark.extra_info["decisions"] = decisions
    benchmark.extra_info["decisions per second"] = round(decisions / benchmark.stats.stats.min)
    benchmark.extra_info["floor s"] = round(min(floors), 3)


@pytest.mark.benchmark(timer=time.process_time)
def test_bot_rounds(benchmark: Any) -> None:
    """Four rounds of the bot against itself: 3 s for each is the limit."""
    benchmark.pedantic(random_play.play, (1, 4, random_play.by_bot), rounds=3)


@pytest.fixture
def at_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Japan's folder at the start of a game between two players."""
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    axis, allies = tmp_path / "axis", tmp_path / "allies"
    setup.new(axis, "axis-and-allies-pacific", "spring-1940", [], "72h")
    setup.join(axis, None, "yamada", ["japan"])
    setup.join(allies, axis / "charter.yaml", "nowak", demonstration.ALLIES.split(","))
    setup.accept(allies, None)
    setup.accept(axis, allies / "charter.yaml")
    return axis


def large_turn(session: Session) -> list[Any]:
    """The bot's purchase and combat moves of Japan's first turn."""
    engine = Engine.resume(session.game, session.scenario, session.table.engine.checkpoint())
    orders: list[Any] = []
    while isinstance(engine.request, Ask) and engine.request.seat == "japan":
        asked = engine.request
        order = asked.forced if asked.forced is not None else bot.choose(engine.state, asked)
        if asked.forced is None:
            orders.append(order)
        engine.reply(order)
    return orders


@pytest.mark.benchmark(timer=time.process_time)
def test_check_of_a_large_turn(benchmark: Any, at_work: Path) -> None:
    """In process: reading, judging and the odds of every battle that the orders start."""
    orders = large_turn(Session.open(at_work))
    file = at_work / "orders.yaml"
    file.write_text(write_document({"orders": orders}))
    plain, _ = benchmark.pedantic(sending.check, (at_work, file), rounds=5, warmup_rounds=1)
    assert plain["legal"] == len(orders) > 12


@pytest.mark.benchmark(timer=time.process_time)
def test_a_click_on_the_desk(benchmark: Any, at_work: Path) -> None:
    """One order more behind many, written into the text and played on the table that goes on."""
    desk = Session.open(at_work).desk(write_document({"orders": [{"buy": "1 infantry"}] * 6}))
    assert len(desk.sheet.orders) == 6

    def taken_back() -> None:
        desk.undo()

    benchmark.pedantic(lambda: desk.put([{"buy": "1 infantry"}]), setup=taken_back, rounds=10)
    assert len(desk.sheet.orders) == 6


@pytest.mark.benchmark(timer=time.process_time)
def test_the_ends_of_every_stack(benchmark: Any) -> None:
    """Where each stack of the set-up can go in Combat Move, as a form shows it."""
    engine = engine_at(start(), "japan", "combat-move")

    def ends() -> int:
        form = form_of(engine.request)  # type: ignore[arg-type]
        found = 0
        for at in [p for p in form.step(Partial()).picks if p.slot == "at"]:
            units = [p for p in form.step(Partial().plus(at)).picks if p.why_not is None]
            found += sum(len(form.step(Partial().plus(at).plus(unit)).picks) for unit in units)
        return found

    assert benchmark.pedantic(ends, rounds=3, warmup_rounds=1) > 100
