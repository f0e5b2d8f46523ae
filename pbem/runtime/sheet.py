"""What the text of an order file says: the orders that stand, where they stop to, and what is asked behind them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.orders import Problem
from pbem.kernel.wording import NO_WORDS, Message, linked, msg
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime.taking import Refused


@dataclass(frozen=True, slots=True)
class Trouble:
    """Where the text stops being orders that stand, and why. `line`: from 1, 0 where there is none."""

    line: int
    problems: tuple[Problem, ...] = ()
    unread: Message = NO_WORDS


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A `done` of the text that ends nothing: its entry, counted from 0, its line, and what is to be said about it."""

    at: int
    line: int
    message: Message


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the text says: the orders that stand with their lines, the first trouble, and what is asked behind them.

    `left_out`: a `done` right behind an order with which its phase had ended by itself: it is not sent, so that it ends
    no other phase. `passed`: the questions behind the orders that defaults answer, unless the text does.
    """

    text: str
    orders: tuple[Plain, ...]
    lines: tuple[int, ...]
    trouble: Trouble | None
    left_out: tuple[LeftOut, ...]
    asked: Ask | Commit | None
    passed: tuple[Ask, ...] = ()


def trouble_at(at: int, line: int, error: Refused | ProtocolError, hint: Message) -> Trouble:
    """What is wrong with the entry with this index; `hint`: what may help, told with what would be legal."""
    if isinstance(error, ProtocolError):
        return Trouble(line, unread=error.told)
    first, *others = (replace(p, order=at) for p in error.problems)
    if hint:
        first = replace(first, legal=linked("; ", *([first.legal] if first.legal else []), hint))
    return Trouble(line, (first, *others))


def done_left_out(ended: Message, asked: Message) -> Message:
    """About a `done` behind what had ended by itself."""
    return msg(
        "`done` is left out: what was asked before had ended by itself ({ended}). To end this too, write it twice: {asked}",
        ended=ended,
        asked=asked,
    )
