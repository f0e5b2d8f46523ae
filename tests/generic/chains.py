"""Picks at random: python -m tests.generic.chains. 10,000 chains for each game, in games of printed seeds.

At the questions of a game that goes on by random play, picks are taken as they are offered until they make an order.
What they make is read, and orders that belong together are given one after the other: none may be refused. An order so made
is shown by picks again. Every kind of question that has been met is answered so.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Commit, Simultaneous
from pbem.kernel.forms import Form, Partial, Step, form_of, means_the_same
from pbem.kernel.orders import Rejected
from tests.full_runs import Kind, main
from tests.pacific_war import long as pacific_war
from tests.test_recorded_games import LONG, SHORT

CHAINS, DEEPEST = 100, 40  # of one run; picks of one chain
NEW, SELDOM = 3, 0.03  # so many questions of a kind in a run are taken at once, later ones so often


class Enough(Exception):
    """A run has its chains."""


class Picking:
    """Chains of picks along a game."""

    def __init__(self, seed: int, most: int = CHAINS) -> None:
        self.dice, self.most = random.Random(seed), most
        self.tally: Counter[str] = Counter()

    def watch(self, engine: Engine) -> None:
        """A chain or none at the question at hand."""
        request = engine.request
        for ask in request.asks if isinstance(request, Simultaneous) else (request,):
            if isinstance(ask, Ask | Commit):
                self._at(engine, ask)

    def _at(self, engine: Engine, ask: Ask | Commit) -> None:
        met = self.tally[f"asked: {ask.kind}"]
        if met >= NEW and self.dice.random() >= SELDOM:
            return
        self.tally[f"asked: {ask.kind}"] += 1
        form = form_of(ask)
        for _ in range(2):
            so_far, step = self._chain(form)
            self.tally["chains"] += 1
            if step.orders:
                self._finished(engine, ask, form, so_far, step.orders)
            else:
                self.tally[f"open: {ask.kind}"] += 1
            if self.tally["chains"] >= self.most:
                raise Enough

    def _chain(self, form: Form) -> tuple[Partial, Step]:
        """Picks until an order is finished, or nothing more can be picked."""
        so_far, dice = Partial(), self.dice
        for _ in range(DEEPEST):
            step = form.step(so_far)
            able = [p for p in step.picks if p.why_not is None]
            if not able or (step.orders and dice.random() < 0.6):
                return so_far, step
            pick = dice.choice(able)
            so_far = so_far.plus(pick, dice.randint(1, pick.most))
        return so_far, form.step(so_far)

    def _finished(self, engine: Engine, ask: Ask | Commit, form: Form, picks: Partial, orders: Sequence[Plain]) -> None:
        """What picks make is legal, one after the other, and is made by picks again."""
        try:
            ask.read(orders[0])
            if len(orders) > 1:
                self.tally["gestures of several orders"] += 1
                _given(engine, ask, orders)
        except Rejected as wrong:
            raise AssertionError(f"{ask.kind}: {picks} make {orders}, refused: {wrong}") from wrong
        if len(orders) == 1:
            made = form.step(form.partial(orders[0])).orders
            same = len(made) == 1 and (made[0] == orders[0] or means_the_same(ask.read, made[0], orders[0]))
            assert same, f"{ask.kind}: {picks} make {orders[0]}, whose picks {form.partial(orders[0])} make {made}"
        self.tally[f"answered: {ask.kind}"] += 1
        self.tally["orders"] += len(orders)


def _given(engine: Engine, ask: Ask | Commit, orders: Sequence[Plain]) -> None:
    """Orders one after the other, in a game that stands where this one does."""
    other = engine.fork()
    for order in orders:
        assert isinstance(other.request, Ask) and other.request.kind == ask.kind
        other.reply(order)


def along(system: str, seed: int, most: int = CHAINS) -> Counter[str]:
    """Chains along games of a system, from this seed on, until there are so many."""
    picking = Picking(seed, most)
    try:
        for number in range(seed * 1000, seed * 1000 + 1000):
            if system == "pacific_war":
                pacific_war.game(number, picking.watch)
            else:
                _play(system, number, picking)
    except Enough:
        return picking.tally
    except Exception as fault:
        fault.add_note(f"{system}, run {seed}, game {number}")
        raise
    raise AssertionError(f"{system}, run {seed}: too few questions")


def _play(system: str, number: int, picking: Picking) -> None:
    """A game at random like one of the recorded ones, with another seed."""
    recorded = [r for r in SHORT + LONG if r.system == system]
    recording = replace(recorded[number % len(recorded)], seed=number)
    engine, answer = recording.begin(), recording.answers()
    while engine.request is not None:
        picking.watch(engine)
        engine.reply(answer(engine))


SYSTEMS = ("axis_and_allies_pacific", "empire_of_the_sun", "next_war", "pacific_war")


def of_pacific_1940(seed: int) -> Counter[str]:
    """A run of Pacific 1940."""
    return along(SYSTEMS[0], seed)


def of_empire_of_the_sun(seed: int) -> Counter[str]:
    """A run of Empire of the Sun."""
    return along(SYSTEMS[1], seed)


def of_next_war(seed: int) -> Counter[str]:
    """A run of Next War."""
    return along(SYSTEMS[2], seed)


def of_pacific_war(seed: int) -> Counter[str]:
    """A run of Pacific War."""
    return along(SYSTEMS[3], seed)


chains = partial(Kind, number=10_000, floors={"chains": 100 * CHAINS}, each=CHAINS)
KINDS = (
    chains("pacific", "chains of picks in Pacific 1940", of_pacific_1940),
    chains("empire", "chains of picks in Empire of the Sun", of_empire_of_the_sun),
    chains("next_war", "chains of picks in Next War", of_next_war),
    chains("pacific_war", "chains of picks in Pacific War", of_pacific_war),
)

if __name__ == "__main__":
    sys.exit(main(KINDS, sys.argv[1:]))
