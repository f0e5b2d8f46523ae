"""What a bot plans beyond the dice: it plays its turn on with drawn dice, and writes down what it would do when.

Pacific 1940: each future gives a step for each phase, whose condition is what its orders rest on: the units that they move, and
who holds where they go. The others (`turns`): what is ordered most often, each attack of Next War as long as there is somebody
to attack, its support by its target. A future that is none of those drawn stops the plan or finds no step, and costs a file by
hand as before.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from pbem.games import Module
from pbem.games.parts import Bot
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Facts, Roll
from pbem.kernel.plans import Step
from pbem.kernel.standing import LONGEST, Answered, answer, read_clauses
from pbem.runtime.table import Table
from tests.mails import turns
from tests.toygame.party import Person

FUTURES = 24  # that are drawn for a turn
STEPS = 64  # of a plan
AIR = ("fighter", "tactical-bomber", "strategic-bomber")


@dataclass
class Phase:
    """What a power orders in a phase of one future, and the facts when it began."""

    facts: Facts
    orders: list[Plain] = field(default_factory=list)


def plan_of(writer: Person, table: Table, standing: Mapping[str, Plain], seed: int) -> list[Plain]:
    """A plan for the phases of this turn that dice still stand before; nothing where the game takes none."""
    module, power, seat = table.game, getattr(table.engine.state, "power", ""), writer.seats[0]
    if not module.plannable:
        return []
    if not power:
        begun, reveal = module.stretch(writer.table.engine.state), writer.knowledge().reveal
        planner = turns.Planner(table, seat, begun, lambda engine, asked, bot: _answer(engine, asked, bot, standing), reveal)
        return turns.plan_of(planner, seed)[:STEPS]
    found: dict[str, dict[str, list[Plain]]] = {}
    for n in range(FUTURES):
        engine = Engine.resume(module, table.engine.scenario, table.engine.checkpoint())
        for kind, phase in _future(engine, module, standing, power, random.Random(seed * FUTURES + n)).items():
            when = _shortened(dict.fromkeys(_rests_on(phase)))
            if phase.orders:
                found.setdefault(kind, {}).setdefault(when, phase.orders)
    steps = [Step(kind, tuple(orders), power, when) for kind, ways in found.items() for when, orders in _strictest_first(ways)]
    return [{"at": s.at, "seat": s.seat, "do": [*s.do], **({"when": s.when} if s.when else {})} for s in steps[:STEPS]]


def _shortened(parts: Iterable[str]) -> str:
    """As much of a condition as a step may have: an order that is not allowed for the rest is told, and its owner asked."""
    when = ""
    for part in parts:
        longer = f"{when} and {part}" if when else part
        when = longer if len(longer) <= LONGEST else when
    return when


def _strictest_first(ways: Mapping[str, list[Plain]]) -> list[tuple[str, list[Plain]]]:
    most = STEPS // 2
    return sorted(ways.items(), key=lambda way: -len(way[0]))[:most]


def _future(engine: Engine, module: Module, standing: Mapping[str, Plain], power: str, dice: random.Random) -> dict[str, Phase]:
    """The power's turn played to its end."""
    bot, found = module.bot(), dict[str, Phase]()
    assert bot is not None
    while (asked := engine.request) is not None:
        if isinstance(asked, Roll):
            engine.reply([dice.randint(1, asked.sides) for _ in range(asked.dice)])
            continue
        assert isinstance(asked, Ask)
        if asked.kind in module.plannable and asked.seat != power:
            break
        order = _answer(engine, asked, bot, standing)
        if asked.kind in module.plannable and asked.forced is None:
            if asked.kind not in found:
                found[asked.kind] = Phase(_snapshot(module, engine.state, power))
            found[asked.kind].orders.append(order)
        engine.reply(order)
    return found


def _answer(engine: Engine, asked: Ask, bot: Bot, standing: Mapping[str, Plain]) -> Plain:
    if asked.forced is not None:
        return asked.forced
    if asked.kind in standing:
        given = answer(asked, read_clauses(asked.kind, standing[asked.kind]))
        if isinstance(given, Answered):
            return given.order
    return asked.default if asked.default is not None else bot.choose(engine.state, asked, {}, 0)


def _snapshot(module: Module, state: Any, power: str) -> Facts:
    facts = module.facts(state, power)
    return {name: facts[name] for name in facts if not name.startswith("enemy")}


def _rests_on(phase: Phase) -> Iterator[str]:
    """The facts that make these orders possible."""
    needed, moved = Counter[str](), list[str]()
    for order in phase.orders:
        body = next(iter(order.values())) if isinstance(order, dict) else None
        if not isinstance(body, dict):
            continue
        units, here, to = body.get("units"), body.get("from"), body.get("to") or body.get("in") or body.get("zone")
        assert isinstance(units, dict)
        for kind, number in units.items():
            name = f"own-{kind.split()[-1]}-at-{here}"
            if here is not None and name in phase.facts and isinstance(number, int):
                needed[name] += number
        if f"{to}-held-by" in phase.facts:
            moved.append(f"{to}-held-by = {phase.facts[f'{to}-held-by']}")
    for name, number in needed.items():
        there = phase.facts[name]
        assert isinstance(there, int)
        exact = any(name.startswith(f"own-{kind}-") for kind in AIR)
        yield f"{name} {'=' if exact else '>='} {there if exact else min(there, number)}"
    yield from moved
