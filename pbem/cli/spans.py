"""The files of a log that a command looks at, played again from the nearest table on the shelf."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.parts import Words
from pbem.report.steps import Step, history, of_turn, played_along
from pbem.runtime.table import Table
from pbem.store import shelf
from pbem.store.session import Session


def steps_from(session: Session, first: int, last: int | None = None) -> Iterator[Step]:
    """The files from one on. Slips beside the log, a resignation say, came later than these: they change none of them."""
    files = session.folder.log.files()[first : None if last is None else last + 1]
    return history(shelf.table_at(session, first - 1), files, session.folder.fetch)


class Walk:
    """The files up to one of a log, played once for all that look at them, as far back as any of them asks."""

    def __init__(self, session: Session, last: int) -> None:
        self._session, self.last = session, last
        self._steps: list[Step] = []

    def since(self, first: int) -> list[Step]:
        """The files from one on."""
        known = self.last - len(self._steps)
        if first <= known:
            self._steps = [*steps_from(self._session, first, known), *self._steps]
        return self._steps[len(self._steps) - (self.last - first + 1) :]

    def of_turn(self, words: Words, turn: int) -> list[Step]:
        """The files that were sent in a turn or led into it."""
        if not self._steps or words.turn(self._steps[0].state) >= turn:
            self.since(_before_turn(self._session, words, turn, self.last) + 1)
        return [*of_turn(words, self._steps, turn)]


def told_of_turn(session: Session, words: Words, turn: int, last: int) -> Iterator[Step]:
    """The files up to one that were sent in a turn or led into it, for a reader that plays each along before the next."""
    start = _before_turn(session, words, turn, last)
    files = session.folder.log.files()[start + 1 : last + 1]
    return of_turn(words, played_along(shelf.table_at(session, start), files, session.folder.fetch), turn)


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
