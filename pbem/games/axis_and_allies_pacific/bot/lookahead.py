"""The plan of a phase by look-ahead: several plans are played on, the others answering, until the power's next turn begins."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from pbem.bots.lookahead import best_of
from pbem.games.axis_and_allies_pacific.bot.attack import plan_combat
from pbem.games.axis_and_allies_pacific.bot.balance import standing
from pbem.games.axis_and_allies_pacific.bot.judgement import Temper, draw, temper
from pbem.games.axis_and_allies_pacific.bot.legal import next_legal
from pbem.games.axis_and_allies_pacific.bot.redeploy import plan_noncombat
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.games.axis_and_allies_pacific.rolls import number_in
from pbem.games.axis_and_allies_pacific.state import SIDES, State
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Roll
from pbem.kernel.images import image

Choose = Callable[[State, Ask, Temper], Plain]

FANCIES, LIKING = 2, 25  # plans that like other goals, by up to so many per cent
FEARS = (0, 250)  # plans that fear the enemy's answer by so many per cent of what it costs
DROPS = 3  # plans without one of the least valuable operations
FINALISTS, SAMPLES = 2, 3  # plans beside the usual one that are played more than once, and how often
MARGIN = 3  # IPC by which another plan has to be better


def foresee(g: State, power: str, mind: Temper, choose: Choose) -> Rehearsal:
    """The best of several plans for the phase that begins here."""
    plans = list(_distinct(_combat(g, power, mind) if g.phase == "combat-move" else _noncombat(g, power, mind)))

    def played(plan: Rehearsal, sample: int) -> int:
        return standing(_played_on(g, power, plan.orders, mind, sample, choose), power)

    return best_of(plans, played, FINALISTS, SAMPLES, MARGIN)


# -- plans ---------------------------------------------------------------------------------------------------------------


def _distinct(plans: Iterator[Rehearsal]) -> Iterator[Rehearsal]:
    seen: list[Sequence[Plain]] = []
    for plan in plans:
        if plan.orders not in seen:
            seen.append(plan.orders)
            yield plan


def _combat(g: State, power: str, mind: Temper) -> Iterator[Rehearsal]:
    usual = plan_combat(g, power, mind)
    yield usual
    yield from (plan_combat(g, power, other) for other in _other_minds(mind))
    doubtful = sorted(usual.chosen, key=lambda o: (o.value, o.goal))[:DROPS]
    yield from (plan_combat(g, power, mind, [operation.goal]) for operation in doubtful)


def _noncombat(g: State, power: str, mind: Temper) -> Iterator[Rehearsal]:
    yield plan_noncombat(g, power, mind)
    yield from (plan_noncombat(g, power, other) for other in _other_minds(mind))


def _other_minds(mind: Temper) -> Iterator[Temper]:
    yield from (replace(mind, fear=fear) for fear in FEARS)
    for number in range(FANCIES):
        yield replace(mind, seed=draw(mind.seed, f"fancy {number}", 1, 10**6), noise=LIKING)


# -- played on -----------------------------------------------------------------------------------------------------------


def _played_on(g: State, power: str, orders: Sequence[Plain], mind: Temper, sample: int, choose: Choose) -> State:
    """The position at the power's next turn, or at the end of the game, after these orders of the phase that begins here."""
    engine, dice, last = _begun_again(g), EvenDice(str(sample)), g.round
    hands = Hands(g, power, orders, mind, sample, choose)
    while engine.request is not None:
        now, request = engine.state, engine.request
        if now.round > last and (now.power == power or now.round > last + 1):
            break
        if isinstance(request, Roll):
            engine.reply([*dice.throw(now, request)])
        else:
            assert isinstance(request, Ask)
            engine.reply(hands.order(now, request) if request.forced is None else request.forced)
    end: State = engine.state
    return end


def _begun_again(g: State) -> Engine:
    """A game that goes on from the beginning of the phase that has just begun."""
    state: State = image(g).record()
    state.board = g.board
    assert state.running is not None
    state.stack.append(state.running)
    state.running = None
    return Engine(GAME, None, state)


class Hands:
    """Everybody's orders: the plan that is tried, then those of usual bots; enemies have tempers that nobody knows."""

    def __init__(self, g: State, power: str, orders: Sequence[Plain], mind: Temper, sample: int, choose: Choose) -> None:
        enemy = draw(mind.seed, f"enemies {sample}", 1, 10**6)
        self.minds = {p: temper(mind.seed if side == SIDES[power] else enemy, p, g.board) for p, side in SIDES.items()}
        self.minds[power] = mind
        self.choose = choose
        self.under_way, self.left = (g.round, power, g.phase), list(orders)

    def order(self, g: State, ask: Ask) -> Plain:
        mind = self.minds[ask.seat]
        if ask.kind not in ("combat-move", "noncombat-move"):
            return self.choose(g, ask, mind)
        if self.under_way != (g.round, ask.seat, ask.kind):
            plan = plan_combat if ask.kind == "combat-move" else plan_noncombat
            self.under_way, self.left = (g.round, ask.seat, ask.kind), list(plan(g, ask.seat, mind).orders)
        found = next_legal(ask, self.left)
        if found is None:
            return self.choose(g, ask, mind)
        number, order = found
        del self.left[: number + 1]
        return order


class EvenDice:
    """Dice that hit as often as is to be expected, rounded up or down by the name of a sample and what is thrown for."""

    def __init__(self, name: str) -> None:
        self.name, self.thrown = name, Counter[str]()

    def throw(self, g: State, roll: Roll) -> list[int]:
        what = f"{self.name} {g.round} {g.power} {roll.label}"
        self.thrown[what] += 1
        lot = hashlib.sha256(f"{what} {self.thrown[what]}".encode()).digest()[0] % roll.sides
        at = number_in(roll.label, "at")
        if not at:
            return [1 + (lot + 5 * die) % roll.sides for die in range(roll.dice)]
        hits = (roll.dice * at + lot) // roll.sides
        return [1] * hits + [roll.sides] * (roll.dice - hits)
