"""Events of some files of a game, for pictures: what lasted of them, and those of the latest stretch of play. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from pbem.kernel.events import Marked, Rewound, emit
from pbem.kernel.images import copied
from pbem.kernel.records import metadata_of

S = TypeVar("S")
File = tuple[S, Sequence[Any]]  # the state before a file, and the events that the file brought
Test = Callable[[Any], bool]


def lasting(files: Iterable[File[Any]]) -> list[Any]:
    """What happened in the files without what was taken back."""
    kept: list[Any] = []
    marks: dict[str, int] = {}
    for event in (event for _, events in files for event in events):
        if isinstance(event, Marked):
            marks[event.name] = len(kept)
        elif isinstance(event, Rewound):
            del kept[marks.get(event.name, 0) :]
        else:
            kept.append(event)
    return kept


def since(files: Sequence[File[S]], start: Test, end: Test | None = None, deed: Test | None = None) -> list[File[S]]:
    """The files from the latest `start` on to the `end` after it or to now; the first and the last may be cut.

    With `deed`: from the latest start since which there was one, before the next start. Without any start: no files.
    """
    begun: tuple[int, int] | None = None
    waiting: tuple[int, int] | None = None
    for i, (_, events) in enumerate(files):
        for j, event in enumerate(events):
            if start(event):
                waiting = i, j
            if waiting is not None and (deed is None or deed(event)):
                begun, waiting = waiting, None
    return between(files, begun, _after(files, begun, end)) if begun is not None else []


def _after(files: Sequence[File[Any]], begun: tuple[int, int], end: Test | None) -> tuple[int, int] | None:
    """Where the first end after a beginning is over."""
    for i, (_, events) in enumerate(files):
        for j, event in enumerate(events):
            if end is not None and (i, j) > begun and end(event):
                return i, j + 1
    return None


def between(files: Sequence[File[S]], first: tuple[int, int], last: tuple[int, int] | None) -> list[File[S]]:
    """The files from one event (file, number) up to another, which is left out, or to now."""
    until, rest = last if last is not None else (len(files) - 1, None)
    return [_cut(files[n], first[1] if n == first[0] else 0, rest if n == until else None) for n in range(first[0], until + 1)]


def _cut(file: File[S], first: int, last: int | None) -> File[S]:
    state, events = file
    return brought_forward(state, events[:first]), events[first:last]


def brought_forward(state: S, events: Sequence[Any]) -> S:
    """The state after some events: the state itself after none, else a copy."""
    if not events:
        return state
    again = _copy(state)
    for event in events:
        emit(again, event)
    return again


def _copy(state: S) -> S:
    """The same position, with the same board."""
    again: Any = copied(state)
    for name, told in metadata_of(again.__class__).items():
        if told.get("cache"):
            setattr(again, name, getattr(state, name))
    again.events = []
    again.forget()
    found: S = again
    return found
