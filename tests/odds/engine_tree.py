"""Battles through the real engine: every number of hits of every roll, or dice thrown by a seeded generator."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from math import comb
from random import Random
from typing import Any

from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.games.axis_and_allies_pacific.orders import read_groups, read_space, spell
from pbem.games.axis_and_allies_pacific.state import LAND, State
from pbem.kernel import standing
from pbem.kernel.engine import Checkpoint, Engine
from pbem.kernel.flow import Ask, Roll
from tests.axis_and_allies_pacific import table

Orders = Mapping[str, Any]  # kind -> standing order of both sides
USUAL: Orders = {"casualties": "cheapest first", "submarines": "strike", "retreat": "press"}


def position(space: str, attack: str, defence: str, came_from: str = "", sea: str = "") -> State:
    """Japan attacks the United Kingdom; `sea`: a zone from which land units land and whose ships bombard."""
    g = table.empty()
    g.wars = sorted([*g.wars, "japan united-kingdom"])
    place, zone = read_space(g.board, space), read_space(g.board, sea) if sea else ""
    if place in g.board.territories:
        g.control[place] = "united-kingdom"
    for origin in [read_space(g.board, came_from)] if came_from else []:
        if origin in g.control:
            g.control[origin] = "japan"
    for group in read_groups(defence):
        table.put(g, "united-kingdom", place, group.type, group.count, group.mark == "damaged")
    for group in read_groups(attack):
        for _ in range(group.count):
            _attacker(g, group.type, group.mark == "damaged", place, zone, came_from)
    return g


def _attacker(g: State, kind: str, damaged: bool, place: str, zone: str, came_from: str) -> None:
    at_sea = zone and g.board.types[kind].kind != "air"
    table.put(g, "japan", zone if at_sea else place, kind, 1, damaged)
    unit = g.units[g.next_id - 1]
    unit.moved = "combat"
    if zone and kind in LAND:
        table.put(g, "japan", zone, "transport")
        unit.aboard, unit.target = g.next_id - 1, place
    elif came_from:
        unit.came_from = read_space(g.board, came_from)


def fight(g: State) -> Engine:
    """Conduct Combat begins; nothing but this one battle is there."""
    return table.engine_at(g, "japan", "conduct-combat")


def is_over(engine: Engine) -> bool:
    running = engine.state.running
    return running is None or running.name not in ("conduct-combat", "next-battle", "battle")


def answer(ask: Ask, orders: Orders) -> Any:
    """The forced answer, the default, or what the standing orders say."""
    if ask.forced is not None:
        return ask.forced
    if ask.kind not in orders:
        return ask.default
    given = standing.answer(ask, standing.read_clauses(ask.kind, orders[ask.kind]))
    if isinstance(given, str) and ask.kind in USUAL:
        given = standing.answer(ask, standing.read_clauses(ask.kind, USUAL[ask.kind]))
    assert isinstance(given, standing.Answered), given
    return given.order


def go_on(engine: Engine, orders: Orders) -> Roll | None:
    """Answer questions up to the next roll; None when the battle is over."""
    while not is_over(engine):
        if isinstance(engine.request, Roll):
            return engine.request
        assert isinstance(engine.request, Ask)
        engine.reply(answer(engine.request, orders))
    return None


def left(g: State, power: str) -> str:
    """What is left of a power, ships that only carried or bombarded set aside, in the words of the odds."""
    units = [u for u in g.of(power) if u.type not in ("transport", "aa-gun") and u.role != "bombarded"]
    counts: dict[str, int] = {}
    for kind in g.board.types:
        for name in (kind, f"damaged {kind}"):
            n = sum(u.type == kind and u.damaged == (name != kind) for u in units)
            if n:
                counts[name] = n
    return spell(counts)


def faces(roll: Roll) -> int:
    return int(roll.label[-1])


def every_course(g: State, orders: Orders) -> dict[tuple[str, str], Fraction]:
    """(what is left of the attacker, of the defender) -> probability, by every number of hits of every roll.

    For battles that end after a few rounds; courses that look alike at a roll are followed once.
    """
    engine = fight(g)
    ends: dict[tuple[str, str], Fraction] = defaultdict(Fraction)
    frontier: dict[str, tuple[Fraction, Checkpoint]] = {}

    def put(engine: Engine, chance: Fraction) -> None:
        roll = go_on(engine, orders)
        if roll is None:
            ends[left(engine.state, "japan"), left(engine.state, "united-kingdom")] += chance
            return
        units = [(u.type, u.owner, u.damaged, u.role) for u in engine.state.units.values()]
        key = f"{roll.label} {sorted(units)} {_since_round(engine)}"
        before = frontier.get(key, (Fraction(0), None))[0]
        frontier[key] = (before + chance, engine.checkpoint())

    put(engine, Fraction(1))
    while frontier:
        now, frontier = frontier, {}
        for chance, checkpoint in now.values():
            again = Engine.resume(GAME, table.scenario(), checkpoint)
            assert isinstance(again.request, Roll)
            n, at = again.request.dice, faces(again.request)
            for hits in range(n + 1):
                weight = Fraction(comb(n, hits) * at**hits * (6 - at) ** (n - hits), 6**n)
                branch = Engine.resume(GAME, table.scenario(), checkpoint)
                branch.reply([1] * hits + [6] * (n - hits))
                put(branch, chance * weight)
    return dict(ends)


def _since_round(engine: Engine) -> str:
    """The hits of the round that is being fought: they are still to take effect."""
    events = [e for e in engine.state.events if type(e).__name__ == "DiceRolled"]
    number = [e.label.partition(", round ")[2][:2] for e in events]
    return str([(e.label, e.hits) for e, n in zip(events, number, strict=True) if number and n in ("", number[-1])])


def one_course(g: State, orders: Orders, dice: Random) -> tuple[str, str]:
    """One battle with dice of a seeded generator."""
    engine = fight(g)
    while (roll := go_on(engine, orders)) is not None:
        engine.reply([dice.randint(1, 6) for _ in range(roll.dice)])
    return left(engine.state, "japan"), left(engine.state, "united-kingdom")
