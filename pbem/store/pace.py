"""Files that wait for a slot that the charter has agreed on: which one is the first of them, and until when."""

from __future__ import annotations

import datetime
from typing import TYPE_CHECKING

from msgspec import Struct

from pbem.kernel.wording import Message, msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.pace import Pace
from pbem.store import clock

if TYPE_CHECKING:
    from pbem.store.session import Session


class Held(Struct, frozen=True):
    """The first own file that has not to leave yet; those behind it wait with it."""

    seq: int
    until: str


_STAMP = "%Y-%m-%dT%H:%M:%SZ"


def first(agreed: Pace, stamp: str) -> str:
    """The first slot that is not before a time, as such a time."""
    at = datetime.datetime.strptime(stamp, _STAMP)
    day = at.replace(hour=0, minute=0, second=0)
    slots = [day + datetime.timedelta(days=n, minutes=minute) for n in (0, 1) for minute in agreed.slots]
    return next(slot for slot in slots if slot >= at).strftime(_STAMP)


def held(session: Session) -> Held | None:
    """What waits in this folder now; None where nothing does.

    A file waits from the time at which its folder has noted it, by the folder's clock: whoever turns that back waits longer.
    """
    secrets, agreed = session.folder.secrets(), session.charter.pace if session.folder.is_running else None
    if agreed is None or secrets is None:
        return None
    noted, entries, found = session.folder.log.standing(), session.table.ledger.entries, None
    for seq in range(len(entries) - 1, 0, -1):
        if entries[seq].player != secrets.player or entries[seq].signed_by:
            break
        until = first(agreed, noted[seq]["received"])
        if entries[seq].decides and until > clock.now():
            found = Held(seq, until)
    return found


def shown(session: Session) -> int:
    """How many files of the log others may see now, the charter included."""
    waiting = held(session)
    return waiting.seq if waiting else session.table.last + 1


def told(waiting: Held) -> Message:
    """The same in words."""
    return msg(
        "file {seq} waits until {until}, as agreed: it goes out then, and by hand not before",
        seq=waiting.seq,
        until=waiting.until,
    )


def check_nothing_waits(session: Session) -> None:
    """Raises ProtocolError (waiting) while a file waits: what shows it is handed out after its time."""
    waiting = held(session)
    if waiting is not None:
        raise ProtocolError(Outcome.WAITING, told(waiting))
