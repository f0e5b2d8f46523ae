"""The files of a log taken again, one by one: the table before each, and what it brought that still holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from pbem.games.parts import Words
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.events import emit
from pbem.runtime import ledger as records
from pbem.runtime.giving_up import copied
from pbem.runtime.hand import FileSupply, Hand
from pbem.runtime.replaying import replay
from pbem.runtime.table import Table
from pbem.runtime.taking import Taken, take, take_in_place

Document = Mapping[str, Any]
Fetch = Callable[[int], Document]


class Step(Struct, frozen=True):
    """A file of the log with the table before it and what it brought. `begun`: the state before it, where the table goes on."""

    before: Table
    taken: Taken
    document: Document
    begun: Any = None

    @property
    def state(self) -> Any:
        """The state before the file."""
        return self.before.engine.state if self.begun is None else self.begun


def history(table: Table, documents: Iterable[Document], fetch: Fetch) -> Iterator[Step]:
    """The files of a log taken again from a table on, one at a time: none is held when the next one comes."""
    for document in documents:
        taken = take(table, document, fetch)
        yield Step(table, taken, document)
        table = taken.table


def played_along(table: Table, documents: Iterable[Document], fetch: Fetch) -> Iterator[Step]:
    """As `history`, but on one table, beside which one copy of its state is kept: that is where each step begins.

    For a reader that plays a step's events on its state, as `story.report` does, or nothing, before it asks for the next. Files
    that may take others back have a table of their own before them, which those of a report need.
    """
    table, start = table.fork(), copied(table)
    for document in documents:
        if document["type"] != "turn" or table.ledger.offer is not None:
            step = Step(table, take(table, document, fetch), document)
            table = step.taken.table
            yield step
            start = copied(table)
            continue
        engine, known = table.engine, len(start.events)
        taken = take_in_place(table, document, fetch)
        yield Step(table, taken, document, start)
        if table.engine is not engine:  # under other rules from here on
            start = copied(table)
            continue
        for event in taken.events[len(start.events) - known :]:
            emit(start, event)


def of_turn(words: Words, steps: Iterable[Step], number: int) -> Iterator[Step]:
    """The files that were sent in a turn or led into it."""
    return (s for s in steps if words.turn(s.state) <= number <= words.turn(s.taken.table.engine.state))


def events_of(step: Step, voided: Sequence[int], fetch: Fetch) -> tuple[Any, Sequence[Any]]:
    """What a file brought that still holds, and the state before it. Orders that were taken back brought nothing."""
    seq, before = step.taken.seq, step.before
    if seq in voided:
        return step.state, _dice_only(step) if seq - 1 not in voided else ()
    after = step.taken.table
    if before.ledger.voided == after.ledger.voided:
        return step.state, step.taken.events
    to = next(v for v in after.ledger.voided if v not in before.ledger.voided)  # what was taken back, by offer or heal
    past = before.fork()
    past.ledger.voided = after.ledger.voided
    fresh = replay(past, fetch, Engine, dice_only=to)
    return fresh.engine.state, after.engine.state.events[len(fresh.engine.state.events) :]


def _dice_only(step: Step) -> Sequence[Plain]:
    """The dice of earlier orders that a file's link turned."""
    table, document, seq = step.before.fork(), step.document, step.taken.seq
    table.ledger.entries.append(records.Entry(step.taken.id, document["player"], document["type"], document["link"]))
    known = len(table.engine.state.events)
    table.advance(Hand(document["player"], seq, [], FileSupply(list(document.get("open") or []))))
    events: Sequence[Plain] = table.engine.state.events[known:]
    return events
