"""Hints and reviews: which attack promises most, by the ten faces of the die. Everything in this game lies open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.bots.advice import Advice, Loss, best, greatest
from pbem.games.next_war.bot.fighting import best_attack
from pbem.games.next_war.bot.judgement import POINT, defended, driven_out, expect_support, forecast
from pbem.games.next_war.combat import targets
from pbem.games.next_war.labels import place
from pbem.games.next_war.state import State
from pbem.games.parts import NOTHING, Own
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from pbem.kernel.questions import DONE
from pbem.kernel.wording import msg

UNIT = msg("VP")
KIND = "combat"
FACES = 10


def advise(g: State, ask: Ask, own: Own = NOTHING, seed: int = 0) -> list[Advice]:
    """The attacks that promise most, one for each hex, and to make none."""
    return best(_attacks(g, ask)) if ask.kind == KIND else []


def review(g: State, ask: Ask, orders: Sequence[Plain], own: Own = NOTHING, seed: int = 0) -> list[Loss]:
    """What the first order of a Combat Segment lost: a weak attack, or that none was made.

    Attacks of one segment do not exclude each other, so that only one that promises less than nothing has lost something;
    `done` loses the best attack that was left.
    """
    if ask.kind != KIND or not orders:
        return []
    played = _none() if orders[0] == DONE else _weighed(g, ask, orders[0])
    if played is None:
        return []
    if orders[0] != DONE:
        return greatest([Loss(-(played.value or 0), played, None)])
    top = best(_attacks(g, ask), 1)[0]
    return greatest([Loss(top.value or 0, played, top)])


def _none() -> Advice:
    return Advice((DONE,), 0, msg("no further attack"))


def _attacks(g: State, ask: Ask) -> Iterator[Advice]:
    for target in sorted(targets(g, ask.seat)):
        found = _weighed(g, ask, best_attack(g, ask, target)[1])
        if found is not None:
            yield found
    yield _none()


def _weighed(g: State, ask: Ask, order: Plain) -> Advice | None:
    """An attack by what it gains and loses on the mean of the die; None for what is no legal attack."""
    if not isinstance(order, dict) or "attack" not in order:
        return None
    try:
        fight = ask.read(order)[1]
    except Rejected:
        return None
    seen = expect_support(g, defended(g, fight))
    total = forecast(g, seen)
    reasons = (
        msg("the hex falls on {n} of 10 faces of the die (exact, with the support to be expected)", n=driven_out(g, seen)),
        msg("units that attack: {n}", n=len(fight.units)),
    )
    return Advice((order,), 1000 * total // (FACES * POINT), msg("attack: {place}", place=place(g, fight.target)), reasons)
