"""The files of a log taken again, one by one: the table before each, and what it brought that still holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.games.module import Words
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.runtime import ledger as records
from pbem.runtime.hand import FileSupply, Hand
from pbem.runtime.replaying import replay
from pbem.runtime.table import Table
from pbem.runtime.taking import Taken, take

Document = Mapping[str, Any]
Fetch = Callable[[int], Document]


@dataclass(frozen=True, slots=True)
class Step:
    """A file of the log with the table before it and what it brought."""

    before: Table
    taken: Taken
    document: Document


def history(table: Table, documents: Iterable[Document], fetch: Fetch) -> Iterator[Step]:
    """The files of a log taken again from a table on, one at a time: none is held when the next one comes."""
    for document in documents:
        taken = take(table, document, fetch)
        yield Step(table, taken, document)
        table = taken.table


def of_turn(words: Words, steps: Iterable[Step], number: int) -> Iterator[Step]:
    """The files that were sent in a turn or led into it."""
    return (s for s in steps if words.turn(s.before.engine.state) <= number <= words.turn(s.taken.table.engine.state))


def events_of(step: Step, voided: Sequence[int], fetch: Fetch) -> tuple[Any, Sequence[Any]]:
    """What a file brought that still holds, and the state before it. Orders that were taken back brought nothing."""
    seq, before = step.taken.seq, step.before
    if seq in voided:
        return before.engine.state, _dice_only(step) if seq - 1 not in voided else ()
    after = step.taken.table
    if before.ledger.voided == after.ledger.voided:
        return before.engine.state, step.taken.events
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
