"""The files of a log that a command looks at, played again from the nearest table on the shelf."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.module import Words
from pbem.report.steps import Step, history, of_turn
from pbem.runtime.table import Table
from pbem.store import shelf
from pbem.store.session import Session


def steps_from(session: Session, first: int, last: int | None = None) -> Iterator[Step]:
    """The files from one on. Slips beside the log, a resignation say, came later than these: they change none of them."""
    files = session.folder.log.files()[first : None if last is None else last + 1]
    return history(shelf.table_at(session, first - 1), files, session.folder.fetch)


def steps_of_turn(session: Session, words: Words, turn: int, last: int) -> Iterator[Step]:
    """The files up to `last` that were sent in a turn or led into it."""
    return of_turn(words, steps_from(session, _before_turn(session, words, turn, last) + 1, last), turn)


def _before_turn(session: Session, words: Words, turn: int, last: int) -> int:
    """A file behind which an earlier turn is still played; 0 where none is on the shelf."""
    at = (k for k in places(session, last) if words.turn(shelf.table_at(session, k).engine.state) < turn)
    return next(at, 0)


def places(session: Session, last: int) -> list[int]:
    """Places up to file `last` from which it is quick to play on, newest first."""
    newest = session.table.last
    return [k for k in range(last, 0, -1) if shelf.is_kept(k, newest)]


def table_after(session: Session, last: int) -> Table:
    """The table after file `last`; of the newest one with what slips beside the log have changed."""
    return session.table if last == session.table.last else shelf.table_at(session, last)
