"""Hints and reviews: what the planner would attack, in players' orders, and what it would have made of a turn."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.bots.advice import Advice, Loss, best, greatest
from pbem.bots.operation import Operation
from pbem.bots.planner import select
from pbem.games.axis_and_allies_pacific.bot.attack import prospects
from pbem.games.axis_and_allies_pacific.bot.battles import land_attack, sea_attack
from pbem.games.axis_and_allies_pacific.bot.exact import LARGE
from pbem.games.axis_and_allies_pacific.bot.judgement import MARCHING, Temper, temper
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.state import AIR, SEA, State, Unit, enemy_units, is_hostile
from pbem.games.axis_and_allies_pacific.terms import place
from pbem.games.parts import NOTHING, Own
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.questions import DONE
from pbem.kernel.wording import Message, msg

UNIT = msg("IPC")
PHASE = "combat-move"


def advise(g: State, ask: Ask, own: Own = NOTHING, seed: int = 0) -> list[Advice]:
    """The most valuable attacks of a Combat Move, one for each goal; nothing for other questions. Everything lies open."""
    if ask.kind != PHASE:
        return []
    before, found = prospects(g, ask.seat, temper(seed, ask.seat, g.board))
    if not found:
        return [Advice((DONE,), 0, msg("no attack is worth its risk"))]
    return best(_advice(g, operation, found[0], before) for operation in found)


def review(g: State, ask: Ask, orders: Sequence[Plain], own: Own = NOTHING, seed: int = 0) -> list[Loss]:
    """What the attacks of a whole Combat Move lost against the planner's, goal by goal, from the position before it.

    An operation that was not carried out lost its value less that of what its units did instead; an attack that is worth less
    than nothing lost that.
    """
    if ask.kind != PHASE:
        return []
    mind = temper(seed, ask.seat, g.board)
    before, found = prospects(g, ask.seat, mind)
    played = made(g, ask.seat, orders, mind)
    losses = []
    for wanted in select(found):
        instead = [o for o in played if o.excludes(wanted)]
        done = next((o for o in instead if o.goal == wanted.goal), next(iter(instead), None))
        lost = wanted.value - sum(max(0, o.value) for o in instead)
        losses.append(Loss(lost, _advice(g, done, done) if done else None, _advice(g, wanted, wanted, before)))
    losses += [Loss(-o.value, _advice(g, o, o), None) for o in played if o.value < 0]
    return greatest(losses)


def made(g: State, power: str, orders: Sequence[Plain], mind: Temper) -> list[Operation]:
    """The attacks to which the orders of a Combat Move lead, weighed from the position before the moves as the planner
    weighs its own.
    """
    begun = Rehearsal(g, power)
    for order in orders:
        if isinstance(order, dict) and "declare war" in order:
            begun.give(order)
    stage = Rehearsal(begun.g, power)
    for order in orders:
        if order != DONE and not (isinstance(order, dict) and "declare war" in order):
            stage.give(order)
    moved = [u for u in stage.g.of(power) if (u.moved or u.target) and u.id in g.units]
    found = []
    for target in dict.fromkeys(u.target or u.at for u in moved if u.aboard is None or u.target):
        force = [u for u in moved if (u.target or u.at) == target]
        operation = _weighed(begun.g, power, target, force, stage.g, mind)
        if operation is not None:
            steps = tuple(o for o in orders if _leads_to(g, o, target))
            found.append(replace(operation, steps=steps))
    return found


def _weighed(g: State, power: str, target: str, force: Sequence[Unit], after: State, mind: Temper) -> Operation | None:
    """The attack of these units; None where nobody is attacked. `force`: as they stand in `after`."""
    before = [g.units[u.id] for u in force]
    if target in g.board.zones:
        there = any(u.type in SEA for u in enemy_units(g, power, target))
        return sea_attack(g, power, target, before, mind) if there else None
    if not is_hostile(g, power, target):
        return None
    landed = [g.units[u.id] for u in force if u.target == target and u.type in MARCHING]
    walking = [u for u in before if u not in landed and (u.type in MARCHING or u.type in AIR)]
    zones = {u.at for u in force if u.target == target}
    carriers = {u.aboard for u in force if u.target == target}
    ships = [replace(g.units[s.id], at=s.at) for s in after.of(power) if s.at in zones and s.id in carriers]
    return land_attack(g, power, target, walking, landed, ships, mind)


def _leads_to(g: State, order: Plain, target: str) -> bool:
    """The order brings units there; places are written by name or by id."""
    body = next(iter(order.values())) if isinstance(order, dict) else None
    return isinstance(body, dict) and str(body.get("to", "")) in (target, g.board.name(target))


# -- in words ------------------------------------------------------------------------------------------------------------


def _advice(g: State, operation: Operation, first: Operation, before: Sequence[Plain] = ()) -> Advice:
    goal = place(g, operation.goal)
    theirs = sum(u.owner not in {g.units[i].owner for i in operation.units} for u in g.at(operation.goal))
    exact = 4 * len(operation.units) * theirs <= LARGE  # two hits at most for each unit
    rest = [_together(g, first)] if operation is not first and operation.excludes(first) else []
    return Advice((*before, *operation.steps), operation.value, goal, (*_reasons(operation, exact), *rest))


def _reasons(operation: Operation, exact: bool) -> list[Message]:
    """The numbers of an operation that say something."""
    numbers = operation.reasons
    won = percent(numbers["won"])
    found = [msg("won: {percent} % (exact odds)", percent=won) if exact else msg("won: about {percent} %", percent=won)]
    if "held" in numbers:
        found.append(msg("held after the enemy's best answer: {percent} %", percent=percent(numbers["held"])))
    if numbers["mine"] or numbers["theirs"]:
        lost, killed = ipc(numbers["mine"]), ipc(numbers["theirs"])
        found.append(msg("expected losses: own {own} IPC, the enemy's {foe} IPC", own=lost, foe=killed))
    if numbers.get("ships", 0) > 0:
        found.append(msg("risk at sea: {ipc} IPC", ipc=ipc(numbers["ships"])))
    return found


def _together(g: State, first: Operation) -> Message:
    return msg("needs units of the first alternative: {goal}", goal=place(g, first.goal))


def percent(thousandths: int) -> str:
    """Thousandths as per cent, without a decimal."""
    return str((thousandths + 5) // 10)


def ipc(thousandths: int) -> Message:
    """Thousandths of an IPC with one decimal, without a float."""
    whole, rest = divmod((abs(thousandths) + 50) // 100, 10)
    return msg("{whole}.{tenths}", whole=f"{'-' if thousandths < 0 else ''}{whole}", tenths=rest)
