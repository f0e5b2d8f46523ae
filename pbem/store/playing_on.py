"""The files of a log played on a table that stands somewhere before them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.table import Table
from pbem.runtime.taking import take_in_place

if TYPE_CHECKING:
    from pbem.store.opened import Opened

PLAYED_OTHERWISE = (Outcome.REFUSED, Outcome.DIVERGED, Outcome.BAD_DICE, Outcome.BAD_OPENING, Outcome.FAULT)


def play_on(session: Opened, table: Table, until: int | None = None, each: Callable[[Table], None] = lambda _: None) -> None:
    """The files behind a table played on it, up to file `until`; `each` sees it after every one. Raises ProtocolError."""
    for entry in session.folder.log.standing()[table.last + 1 : None if until is None else until + 1]:
        try:
            take_in_place(table, entry["document"], session.folder.fetch)
        except ProtocolError as error:
            raise _of_entry(session, entry, error) from error
        each(table)


def _of_entry(session: Opened, entry: dict[str, Any], error: ProtocolError) -> ProtocolError:
    """An error in a file that this folder has taken once: the log was changed since, or this program plays otherwise."""
    if error.outcome in PLAYED_OTHERWISE:
        return ProtocolError(error.outcome, msg("log entry {n}: {error}", n=entry["n"], error=error.told))
    return session.folder.log_damaged(
        msg(
            "log entry {n} is not what was taken once ({word}: {error})",
            n=entry["n"],
            word=error.outcome.word,
            error=error.told,
        )
    )
