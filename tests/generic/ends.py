"""Picks that lead nowhere: from everything that a form offers, further picks make a finished order.

A pick is followed by further ones, at random first and then by all of them, up to `FURTHER` deep. When all of them were
followed and none makes an order, the pick leads nowhere. What was not found among `MOST` steps is counted as undecided. A run
goes on behind a finding: it is counted, under its own words, and nothing is followed behind it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.forms import VERB, Form, Partial, Pick, Step, form_of
from tests.generic.chains import NEW, NOWHERE, Enough, Picking

FURTHER, MOST = 12, 80
TRIES = 6  # chains at random before all picks are followed
DEEP = 8  # picks behind which picks are looked at
EACH = 2  # verbs, and picks of one field, that are looked at


class Ends(Picking):
    """Every kind of pick at the questions of a game is followed to an order."""

    def _at(self, engine: Engine, ask: Ask | Commit) -> None:
        met = self.tally[f"asked: {ask.kind}"]
        if met >= NEW and self.dice.random() >= self.seldom:
            return
        self.tally[f"asked: {ask.kind}"] += 1
        for _ in range(2):
            self._walk(ask, form_of(ask))
            self.tally["chains"] += 1
            if self.tally["chains"] >= self.most:
                raise Enough

    def _walk(self, ask: Ask | Commit, form: Form) -> None:
        so_far = Partial()
        for _ in range(DEEP):
            step = form.step(so_far)
            sample = [so_far.plus(p, n) for p in self._sample(step) for n in dict.fromkeys((1, p.most))]
            ways = [after for after in sample if self._follows(ask, form, so_far, after)]
            if not ways or (step.orders and self.dice.random() < 0.4):
                return
            so_far = self.dice.choice(ways)

    def _sample(self, step: Step) -> list[Pick]:
        fields: dict[tuple[str, str], list[Pick]] = {}
        for pick in _able(step):
            fields.setdefault((pick.slot, pick.value if pick.slot == VERB else ""), []).append(pick)
        return [p for picks in fields.values() for p in self.dice.sample(picks, min(EACH, len(picks)))]

    def _follows(self, ask: Ask | Commit, form: Form, before: Partial, after: Partial) -> bool:
        """This pick leads on, or nobody found out."""
        self.tally["picks followed"] += 1
        found = leads_on(form, after)
        if found is None:
            self.tally["undecided"] += 1
        if found is False:
            problems = [str(p.reason) for p in form.step(after).problems]
            self.tally[f"{NOWHERE}: {ask.kind}: behind {before}, {after} {problems}"] += 1
        return found is not False


def leads_on(form: Form, begun: Partial) -> bool | None:
    """Further picks finish an order; None: not found in so many steps."""
    dice, steps = random.Random(5), iter(range(MOST))
    for _ in range(TRIES):
        so_far, step = begun, form.step(begun)
        for _ in range(FURTHER):
            ways = [*_further(so_far, step)]
            if step.orders or not ways:
                break
            so_far = dice.choice(ways)
            step = form.step(so_far)
        if step.orders:
            return True
    return _searched(form, begun, FURTHER, steps)


def _searched(form: Form, so_far: Partial, deep: int, steps: Iterator[int]) -> bool | None:
    if next(steps, None) is None:
        return None
    step = form.step(so_far)
    if step.orders:
        return True
    if not deep and _able(step):
        return None
    found: bool | None = False
    for further in _further(so_far, step):
        ends = _searched(form, further, deep - 1, steps)
        if ends:
            return True
        found = None if ends is None else found
    return found


def _further(so_far: Partial, step: Step) -> Iterator[Partial]:
    for pick in _able(step):
        yield from (so_far.plus(pick, n) for n in dict.fromkeys((pick.most, 1)))


def _able(step: Step) -> list[Pick]:
    return [p for p in step.picks if p.why_not is None]
