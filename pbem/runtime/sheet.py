"""What the text of an order file says: the orders that stand, where they stop to, and what is asked behind them."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.orders import Problem
from pbem.kernel.wording import NO_WORDS, Message, msg
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime.taking import Refused


class Trouble(Struct, frozen=True):
    """Where the text stops being orders that stand, and why. `line`: from 1, 0 where there is none."""

    line: int
    problems: tuple[Problem, ...] = ()
    unread: Message = NO_WORDS


class LeftOut(Struct, frozen=True):
    """A `done` of the text that ends nothing: its entry, counted from 0, its line, and what is to be said about it."""

    at: int
    line: int
    message: Message


class Sheet(Struct, frozen=True):
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


def trouble_at(at: int, line: int, error: Refused | ProtocolError) -> Trouble:
    """What is wrong with the entry with this index."""
    if isinstance(error, Refused):
        return Trouble(line, tuple(replace(p, order=at) for p in error.problems))
    return Trouble(line, unread=error.told)


def done_left_out(ended: Message, asked: Message) -> Message:
    """About a `done` behind what had ended by itself."""
    return msg(
        "`done` is left out: what was asked before had ended by itself ({ended}). To end this too, write it twice: {asked}",
        ended=ended,
        asked=asked,
    )


def done_too_late(ended: Message) -> Message:
    """The same where nothing is asked any more."""
    return msg("`done` is left out: what was asked before had ended by itself ({ended})", ended=ended)
