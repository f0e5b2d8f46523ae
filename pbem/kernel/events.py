"""Typed events: the only way a rule changes a state. One function applies and records them."""

from __future__ import annotations

from typing import Any, Protocol

from msgspec import Struct

from pbem.kernel.canon import Plain
from pbem.kernel.images import mark
from pbem.kernel.records import Mark, metadata_of
from pbem.kernel.wording import Message


class Event(Protocol):
    """Something that happened. `rule` is the section that made it happen; `apply` changes the state accordingly."""

    @property
    def rule(self) -> str: ...

    def apply(self, state: Any) -> None: ...


class Cursor(Struct):
    """A place in the sequence of play: a segment's name and its plain arguments."""

    name: str
    args: list[Plain]

    def __str__(self) -> str:
        return " ".join([self.name, *(str(a) for a in self.args)])


class State(Protocol):
    """What the kernel needs of a game's state: the stack of segments still to be played and the record of events."""

    stack: list[Cursor]
    running: Cursor | None
    marks: dict[str, Mark]  # states to go back to, by name
    events: list[Event]  # a cache: not part of the hashed state

    def forget(self) -> None:
        """Make the values of cache fields worthless: everything may have changed."""
        ...


def emit(state: Any, event: Event) -> None:
    """Apply an event to the state and record it."""
    event.apply(state)
    state.events.append(event)


class Entered(Struct, frozen=True):
    """A segment begins: its cursor leaves the stack and becomes the running one."""

    rule: str = "sequence"

    def apply(self, state: State) -> None:
        state.running = state.stack.pop()


class Left(Struct, frozen=True):
    """The running segment is over."""

    rule: str = "sequence"

    def apply(self, state: State) -> None:
        state.running = None


class Scheduled(Struct, frozen=True):
    """Segments are put on top of the stack, the first of them to be played first."""

    cursors: tuple[tuple[str, tuple[Plain, ...]], ...]
    rule: str = "sequence"

    def apply(self, state: State) -> None:
        state.stack.extend(Cursor(name, list(args)) for name, args in reversed(self.cursors))


class Marked(Struct, frozen=True):
    """The state as it stands is kept under a name, for a rule that may take everything back."""

    name: str
    rule: str

    def apply(self, state: Any) -> None:
        others, state.marks = state.marks, {}
        state.marks = {**others, self.name: mark(state)}


class Unmarked(Struct, frozen=True):
    """A mark that nobody can go back to any more."""

    name: str
    rule: str

    def apply(self, state: Any) -> None:
        state.marks.pop(self.name, None)


class Rewound(Struct, frozen=True):
    """Everything since the mark is taken back; what comes next is scheduled afterwards by the rule."""

    name: str
    rule: str

    def apply(self, state: Any) -> None:
        kind: Any = type(state)
        restored = state.marks[self.name].record(kind)
        for name, told in metadata_of(kind).items():
            if name not in ("running", "marks") and not told.get("cache"):
                setattr(state, name, getattr(restored, name))
        state.forget()


class DiceThrown(Struct, frozen=True):
    """Open dice have come. Emitted by the engine for every roll, before the rule goes on."""

    label: Message
    dice: tuple[int, ...]
    sides: int
    rule: str

    def apply(self, state: Any) -> None:
        """The rule decides what they do."""


class Stated(Struct, frozen=True):
    """A seat has stated something about hidden things. Emitted by the engine for every statement."""

    seat: str
    kind: str
    about: Message
    value: Plain
    rule: str

    def apply(self, state: Any) -> None:
        """The rule decides what it does."""


QUIET = frozenset((Entered, Left, Scheduled, Marked, Unmarked, DiceThrown, Stated))  # they change nothing that lies on a map
