"""Picks at random: python -m tests.generic.chains. 10,000 chains for each game, in games of printed seeds, and some at every
kind of question that the cases ask.

At a question, picks are taken as they are offered until they make an order. What they make is read, and orders that belong
together are given one after the other: none may be refused. An order so made is shown by picks again. Whatever kind of question
a game has is answered so. And nothing is offered from which no order can be reached (`tests.generic.ends`).
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import yaml

from pbem import games
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Commit, Simultaneous
from pbem.kernel.forms import Form, Partial, Step, form_of, means_the_same
from pbem.kernel.orders import Rejected
from tests.case_driver import Case, stage_of
from tests.full_runs import Kind, main
from tests.pacific_war import long as pacific_war
from tests.test_cases import KNOWN_FAULTS, PLACES
from tests.test_recorded_games import LONG, SHORT

CHAINS, DEEPEST = 100, 40  # of one run; picks of one chain
NEW, SELDOM = 3, 0.02  # so many questions of a kind in a run are taken at once, later ones so often
TWICE = 2  # chains at one question
NOWHERE = "leads nowhere"  # how what is counted of a pick begins from which no order is reached
SYSTEMS = ("axis_and_allies_pacific", "empire_of_the_sun", "next_war", "pacific_war")
COVER = Path(__file__).with_name("cover.yaml")  # cases that the usual tests try; `--cover` chooses them anew
WARS = (*pacific_war.SCENARIOS, *pacific_war.MADE)


class Enough(Exception):
    """A run has its chains."""


class Picking:
    """Chains of picks along a game."""

    def __init__(self, seed: int, most: int = CHAINS, seldom: float = SELDOM) -> None:
        self.dice, self.most, self.seldom = random.Random(seed), most, seldom
        self.tally: Counter[str] = Counter()

    def watch(self, engine: Engine) -> None:
        """A chain or none at the question at hand."""
        request = engine.request
        for ask in request.asks if isinstance(request, Simultaneous) else (request,):
            if isinstance(ask, Ask | Commit):
                self._at(engine, ask)

    def _at(self, engine: Engine, ask: Ask | Commit) -> None:
        met = self.tally[f"asked: {ask.kind}"]
        if met >= NEW and self.dice.random() >= self.seldom:
            return
        self.tally[f"asked: {ask.kind}"] += 1
        form = form_of(ask)
        for _ in range(TWICE):
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


def along(system: str, seed: int, most: int = CHAINS, kind: type[Picking] = Picking) -> Counter[str]:
    """Chains along games of a system, from this seed on, until there are so many."""
    picking = kind(seed, most)
    try:
        for number in range(seed * 1000, seed * 1000 + 1000):
            if system == "pacific_war":
                pacific_war.game(number, picking.watch, WARS[number % len(WARS)])
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


# -- every kind of question -------------------------------------------------------------------------------------------------


def kinds(system: str) -> set[str]:
    """The kinds of questions of a game, as its words have them."""
    return {*games.load(system.replace("_", "-")).words().ASKED}


def in_cases(system: str, cases: Sequence[Case], seed: int, kind: type[Picking] = Picking) -> Counter[str]:
    """Chains at the first questions of each kind that the cases ask on their way."""
    picking = kind(seed, 100_000, 0.0)
    for case in cases:
        stage = stage_of(system)(case)
        stage.engine.reply = partial(_watched, stage.engine, stage.engine.reply, picking)  # type: ignore[method-assign]
        try:
            stage.run()
        except Exception as fault:
            fault.add_note(f"{system}, case {case.id}")
            raise
    return picking.tally


def _watched(engine: Engine, reply: Callable[[Plain], None], picking: Picking, answer: Plain) -> None:
    picking.watch(engine)
    reply(answer)


def cover(system: str) -> list[str]:
    """A few cases in which every kind of question is answered by picks: those that answer most that is new come first."""
    found = {case.id: in_cases(system, [case], 0) for game, case in PLACES if game == system and case.id not in KNOWN_FAULTS}
    answered = {name: {what[10:] for what in tally if what.startswith("answered: ")} for name, tally in found.items()}
    missing, taken = kinds(system), list[str]()
    while missing:
        best = max(sorted(answered), key=lambda name: len(answered[name] & missing))
        assert answered[best] & missing, f"{system}: in no case answered by picks: {', '.join(sorted(missing))}"
        missing -= answered[best]
        taken.append(best)
    return sorted(taken)


def asked_in_cases(seed: int) -> Counter[str]:
    """All cases of one game; each of its kinds of questions is asked there, and answered by picks."""
    system = SYSTEMS[seed]
    tally = in_cases(system, [case for game, case in PLACES if game == system and case.id not in KNOWN_FAULTS], seed)
    unanswered = [kind for kind in sorted(kinds(system)) if not tally[f"answered: {kind}"]]
    assert not unanswered, f"{system}: never answered by picks: {', '.join(unanswered)}"
    return Counter({**tally, f"kinds of questions of {system}": len(kinds(system))})


# -- what is run --------------------------------------------------------------------------------------------------------------


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


def to_their_ends(seed: int) -> Counter[str]:
    """Every kind of pick in a run of a game, and at the questions of its cases."""
    from tests.generic.ends import Ends

    system = SYSTEMS[seed % len(SYSTEMS)]
    cases = [case for game, case in PLACES if game == system and case.id not in KNOWN_FAULTS] if seed < len(SYSTEMS) else []
    return in_cases(system, cases, seed, Ends) + along(system, seed, CHAINS, Ends)


many = partial(Kind, number=10_000, floors={"chains": 100 * CHAINS}, each=CHAINS)
KINDS = (
    many("pacific", "chains of picks in Pacific 1940", of_pacific_1940),
    many("empire", "chains of picks in Empire of the Sun", of_empire_of_the_sun),
    many("next_war", "chains of picks in Next War", of_next_war),
    many("pacific_war", "chains of picks in Pacific War", of_pacific_war),
    Kind("cases", "chains of picks at the questions of cases, game by game", asked_in_cases, len(SYSTEMS)),
    Kind("ends", "picks followed to their orders, game by game", to_their_ends, 40, never=NOWHERE),
)


def run(arguments: Sequence[str]) -> int:
    """The kinds, or the cases that the usual tests try."""
    if [*arguments] != ["--cover"]:
        return main(KINDS, arguments)
    COVER.write_text(yaml.safe_dump({system: cover(system) for system in SYSTEMS}, width=120), "utf-8")
    return 0


if __name__ == "__main__":
    from tests.generic import chains as named  # by its name: what is run meets the classes of this module, not copies of them

    sys.exit(named.run(sys.argv[1:]))
