"""What a bot plans in games of two sides: what it orders most often in futures that it draws, to the end of this turn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from pbem.games.parts import Bot
from pbem.kernel.canon import Plain, canonical
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Roll, Simultaneous
from pbem.kernel.plans import DROP
from pbem.runtime.table import Table

FUTURES = 24
Answering: TypeAlias = Callable[[Engine, Ask, Bot], Plain]


@dataclass(frozen=True)
class Given:
    """One order of a future: to which question, and in which combat."""

    kind: str
    order: Plain
    target: Plain = 0
    secret: bool = False


def plan_of(table: Table, seat: str, answering: Answering, seed: int) -> list[Plain]:
    """Steps for the questions of this side until its turn, or the turn in which it is asked, is over."""
    lines = [[*_future(table, seat, answering, random.Random(seed * FUTURES + n))] for n in range(FUTURES)]
    kinds = dict.fromkeys(given.kind for line in lines for given in line)
    return [{"seat": seat, **step} for kind in kinds for step in _WRITERS.get(kind, _usual)(kind, lines)]


def _future(table: Table, seat: str, answering: Answering, dice: random.Random) -> Iterator[Given]:
    """The own orders that a plan could give; it ends with the turn, or where something hidden is wanted."""
    module = table.game
    engine = Engine.resume(module, table.engine.scenario, table.engine.checkpoint())
    bot, turn = module.bot(), module.own_turn(engine.state)
    assert bot is not None
    while (asked := engine.request) is not None and module.own_turn(engine.state) == turn:
        if isinstance(asked, Roll):
            engine.reply([dice.randint(1, asked.sides) for _ in range(asked.dice)])
            continue
        if isinstance(asked, Simultaneous):
            orders = {ask.seat: bot.choose(engine.state, ask, {}, 0) for ask in asked.asks}  # never what silence counts as
            yield from (
                Given(a.kind, orders[a.seat], secret=True) for a in asked.asks if a.seat == seat and a.kind in module.plannable
            )
            engine.reply(orders)
            continue
        if not isinstance(asked, Ask) or (asked.default is None and not [*asked.options()]):
            return
        order = answering(engine, asked, bot)
        if asked.seat == seat and asked.kind in module.plannable and asked.forced is None:
            yield Given(asked.kind, order, module.facts(engine.state, seat).get("target", 0))
        engine.reply(order)


Line: TypeAlias = list[Given]


def _usual(kind: str, lines: list[Line]) -> Iterator[dict[str, Plain]]:
    """All orders to questions of one kind as they come most often."""
    ways = Counter(canonical([g.order for g in line if g.kind == kind]) for line in lines if any(g.kind == kind for g in line))
    most = ways.most_common(1)[0][0]
    line = next(line for line in lines if canonical([g.order for g in line if g.kind == kind]) == most)
    found = [g for g in line if g.kind == kind]
    if found[0].secret:
        yield from ({"at": kind, "do": [g.order], "sealed": True} for g in found)
        return
    yield {"at": kind, "do": [g.order for g in found], "else": DROP}


def _attacks(kind: str, lines: list[Line]) -> Iterator[dict[str, Plain]]:
    """Each attack, as long as the enemy stands there; then no more."""
    attacks = {canonical(g.order): g.order for line in lines for g in line if g.kind == kind and isinstance(g.order, dict)}
    for order in attacks.values():
        said = order.get("attack") if isinstance(order, dict) else None
        there = {"when": f"enemy at {said['at']} > 0"} if isinstance(said, dict) else {}
        yield {"at": kind, **there, "do": [order], "else": DROP}
    yield {"at": kind, "do": ["done"]}


def _supports(kind: str, lines: list[Line]) -> Iterator[dict[str, Plain]]:
    """What is sent to each attack most often."""
    sent: dict[Plain, Counter[bytes]] = {}
    orders: dict[bytes, Plain] = {}
    for given in (g for line in lines for g in line if g.kind == kind):
        said = canonical(given.order)
        orders[said] = given.order
        sent.setdefault(str(given.target), Counter())[said] += 1
    for target, ways in sent.items():
        yield {"at": kind, "when": f"target = {target}", "do": [orders[ways.most_common(1)[0][0]]], "else": DROP}


_WRITERS: dict[str, Callable[[str, list[Line]], Iterator[dict[str, Plain]]]] = {"combat": _attacks, "support": _supports}
