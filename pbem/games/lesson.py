"""What a game offers to a newcomer: a first game against a prepared opponent, file by file (`pbem tutorial`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Handle
from pbem.kernel.wording import Message

Own = Mapping[str, Handle]  # the writer's own hidden items -> their handles


def _nothing(g: Any, ask: Ask, own: Own) -> Sequence[Plain]:
    """The bot decides."""
    return ()


class Exercise(Struct, frozen=True):
    """One order file of the newcomer.

    `asked`: the kind of question that it answers; the exercise is passed over when something else is asked.
    `orders`: the file, from the state, the question and what he holds in secret; legal whatever the dice brought.
    """

    asked: str
    title: Message
    text: Message
    orders: Callable[[Any, Ask, Own], str]
    praise: Message
    leaves_undone: bool = False  # its file skips a phase or keeps money on purpose: it is sent with `--yes`


class Lesson(Struct, frozen=True):
    """A first game. `replies`: the opponent's orders for a question; none of them, or refused ones, and the bot decides."""

    scenario: str
    seats: tuple[str, ...]  # the newcomer's; the opponent has all others
    side: Message  # what the newcomer takes, as a sentence has it: "take Japan"
    exercises: tuple[Exercise, ...]
    end: Message
    options: tuple[str, ...] = ()
    opponent_begins: bool = False  # he has files to send before the newcomer is asked
    replies: Callable[[Any, Ask, Own], Sequence[Plain]] = field(default=_nothing)
