"""Random legal play and bot play on the bare engine, with invariants; a failure prints its seed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from pbem.games.axis_and_allies_pacific import bot
from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Roll
from tests.axis_and_allies_pacific import invariants, table

Chooser = Callable[[Engine, Ask, random.Random], Plain]


def at_random(engine: Engine, ask: Ask, dice: random.Random) -> Plain:
    return dice.choice(list(ask.options()))


def by_bot(engine: Engine, ask: Ask, dice: random.Random) -> Plain:
    return bot.choose(engine.state, ask)


def play(seed: int, rounds: int, choose: Chooser, watch: Callable[[Engine], None] | None = None) -> Engine:
    """One game to its end or round limit."""
    dice = random.Random(seed)
    options = {"round-limit": rounds}
    engine = Engine(GAME, table.scenario(), GAME.start(table.scenario(), options))
    for _ in range(50_000):
        request = engine.request
        if request is None:
            return engine
        if watch is not None:
            watch(engine)
        if isinstance(request, Roll):
            engine.reply([dice.randint(1, request.sides) for _ in range(request.dice)])
            continue
        assert isinstance(request, Ask)
        engine.reply(request.forced if request.forced is not None else choose(engine, request, dice))
    raise AssertionError(f"seed {seed}: the game does not end")


def count(engine: Engine, tally: Counter[str]) -> None:
    """What happened, for the floors."""
    names = {
        "BattleEnded": "battles",
        "Landed": "landings",
        "Scrambled": "scrambles",
        "RaidEnded": "raids",
        "KamikazeSpent": "kamikazes",
        "WarDeclared": "declarations",
        "Destroyed": "losses",
    }
    by_rule = {
        ("ControlChanged", "CAP-03"): "captures",
        ("ControlChanged", "LIB-01"): "liberations",
        ("ControlChanged", "CAP-09"): "liberations",
        ("DiceRolled", "GC-08"): "submarine strikes",
    }
    for event in engine.state.events:
        kind = type(event).__name__
        what = names.get(kind) or by_rule.get((kind, event.rule))
        if what is not None:
            tally[what] += 1


def is_victory(engine: Engine) -> bool:
    """Won by cities or by Japan's capital, not on points at the round limit."""
    return engine.state.win_rule in ("VIC-02", "VIC-03")


class Watch:
    """Invariants at every segment, options and resumption now and then."""

    def __init__(self, every: int) -> None:
        self.every, self.steps, self.segment = every, 0, ""

    def __call__(self, engine: Engine) -> None:
        self.steps += 1
        cursor = str(engine.state.running)
        if cursor != self.segment:
            self.segment = cursor
            invariants.check(engine.state)
            invariants.check_combat_begins(engine.state)
            if engine.state.phase == "purchase":
                invariants.check_between_turns(engine.state)
        if isinstance(engine.request, Ask) and engine.request.kind in ("retreat", "escape"):
            invariants.check_retreat(engine.state, engine.request)
        if isinstance(engine.request, Ask) and engine.request.kind == "noncombat-move" and engine.state.pledged:
            invariants.check_promise(engine.state, engine.request)
        if self.steps % self.every == 0:
            invariants.check_resume(engine)
            if isinstance(engine.request, Ask):
                invariants.check_options(engine.request)
