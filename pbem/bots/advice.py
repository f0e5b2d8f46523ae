"""Advice: orders that answer a question, what they are worth, and why; and what other orders lost against it."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from pbem.kernel.canon import Plain, canonical
from pbem.kernel.wording import NO_WORDS, Message

MOST = 3  # alternatives, and losses that are told


class Advice(Struct, frozen=True):
    """One way to answer a question.

    `orders`: in players' notation, legal one after the other as far as no die falls. `value`: what is expected of them, in
    thousandths of the game's unit of account; None where they were not weighed in it. `goal`: what they are about;
    `reasons`: the numbers behind the value, one sentence each.
    """

    orders: tuple[Plain, ...]
    value: int | None = None
    goal: Message = NO_WORDS
    reasons: tuple[Message, ...] = ()


class Loss(Struct, frozen=True):
    """What was given away by one evaluation: `value` in thousandths of its unit, what was played (nothing: it was left
    undone), and what it prefers (None: to leave it undone).
    """

    value: int
    played: Advice | None
    better: Advice | None


def best(found: Iterable[Advice], number: int = MOST) -> list[Advice]:
    """The most valuable, each answer once; those that were not weighed come last, in their order."""
    distinct: dict[bytes, Advice] = {}
    for one in found:
        distinct.setdefault(canonical([*one.orders]), one)
    ranked = sorted(distinct.values(), key=lambda one: (one.value is None, -(one.value or 0)))
    return ranked[:number]


def greatest(found: Iterable[Loss], number: int = MOST) -> list[Loss]:
    """The largest losses; what lost nothing is none."""
    return sorted((one for one in found if one.value > 0), key=lambda one: -one.value)[:number]
