"""Whether orders are in the log already: a file that is sent a second time says which one it is, not that it is left over."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from pbem.cli.speech import speak
from pbem.kernel.canon import Plain
from pbem.kernel.notation import order_text
from pbem.kernel.orders import Problem
from pbem.kernel.questions import DONE
from pbem.kernel.wording import counted, linked, msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store import dues
from pbem.store.session import Session

LOOKED_AT = 12  # of one's newest files
_HANDLE = re.compile(r" \w+:draw\d+:\d+")


class Sent(Struct, frozen=True):
    """File `seq` says what the first `orders` of a file say; `whole`: that is all of it."""

    seq: int
    orders: int
    whole: bool


def sent_as(session: Session, orders: Sequence[Plain]) -> int:
    """The newest own file of the log, when it says what these orders say; else 0."""
    mine = _own(session)[:1]
    return mine[0] if mine and _compared(session, mine[0], orders, nothing_counts=True) == Sent(mine[0], 0, True) else 0


def sent_before(session: Session, orders: Sequence[Plain]) -> Sent | None:
    """The newest of the own files of the log that says all of these orders, or else one that says the first of them."""
    found = [_compared(session, seq, orders) for seq in _own(session)[:LOOKED_AT]]
    there = [sent for sent in found if sent is not None]
    return next((sent for sent in there if sent.whole), there[0] if there else None)


def once_more(session: Session, orders: Sequence[Plain], plan: Sequence[Plain]) -> list[str]:
    """A line where legal orders say, with their plan, what the newest own file said: they would do it a second time."""
    seq = sent_as(session, orders) if any(order != DONE for order in orders) else 0
    if seq and [*plan] != (session.folder.fetch(seq).get("plan") or []):
        return []
    return [speak("Mind: file {seq} of yours says the same; these orders do it once more", seq=seq)] if seq else []


def check_not_sent(session: Session, orders: Sequence[Plain], problems: Sequence[Problem]) -> None:
    """Raises ProtocolError (already known, refused) where refused orders are those of a file in the log, or begin with them.

    Orders of which the first ones stand here say something new, whatever they begin with.
    """
    if problems and problems[0].order and session.table.due.player == session.me.player:
        return
    sent = sent_before(session, orders)
    if sent is None:
        return
    file = msg("file {seq} by {player}", seq=sent.seq, player=session.me.player)
    since = session.table.last - sent.seq
    behind = [counted("{n} file has come since", "{n} files have come since", since)] if since else []
    if sent.whole:
        due = session.table.due
        now = [dues.clause(due)] if due.player else [msg("the game is over")]
        raise ProtocolError(
            Outcome.ALREADY_KNOWN, linked("; ", msg("{file} says this already: it was sent", file=file), *behind, *now)
        )
    first = counted(
        "{n} order at the beginning is in {file} already: take it out, and check what is left",
        "{n} orders at the beginning are in {file} already: take them out, and check what is left",
        sent.orders,
        file=file,
    )
    raise ProtocolError(Outcome.REFUSED, linked("; ", first, *behind))


def _own(session: Session) -> list[int]:
    """One's own files with decisions, the newest first."""
    entries = session.table.ledger.entries
    return [seq for seq, e in reversed([*enumerate(entries)]) if e.player == session.me.player and e.decides]


def _compared(session: Session, seq: int, orders: Sequence[Plain], *, nothing_counts: bool = False) -> Sent | None:
    """How much of what is written a file of the log says; None: not even its beginning. A `done` more or less is the same."""
    signed = _opened(session, seq, session.folder.fetch(seq).get("orders") or [])
    theirs, written = [o for o in signed if o != DONE], [_bare(o) for o in orders if o != DONE]
    if not theirs and not nothing_counts:  # it says only that it was enough
        return Sent(seq, len(signed), True) if signed and [*orders] == signed else None
    if len(theirs) > len(written) or not all(_says(o, w) for o, w in zip(theirs, written, strict=False)):
        return None
    whole = len(theirs) == len(written)
    return Sent(seq, 0 if whole else _number(orders, len(theirs)), whole)


def _opened(session: Session, seq: int, orders: Sequence[Plain]) -> list[Plain]:
    """A file's orders with what is in the seals, which its author knows; one that he does not know stays shut."""
    known = session.me.sealed
    inside = {seal.hash: known[h]["order"] for h, seal in session.table.ledger.seals.items() if seal.seq == seq and h in known}
    return [inside.get(str(o.get("sealed")), o) if isinstance(o, dict) else o for o in orders]


def _bare(order: Plain) -> Plain:
    """What is to be sealed, without the word that says so."""
    return order["seal"] if isinstance(order, dict) and "seal" in order else order


def _number(orders: Sequence[Plain], said: int) -> int:
    """How many entries of a file hold so many orders that are not `done`."""
    at = [n for n, order in enumerate(orders) if order != DONE]
    return at[said - 1] + 1


def _says(sent: Plain, written: Plain) -> bool:
    """An order as it was signed, with the handles of cards behind their names."""
    return _HANDLE.sub("", order_text(sent)) == order_text(written)
