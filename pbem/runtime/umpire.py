"""The umpire as escrow: he breaks a stall with a file that shows the link due, signed by himself."""

from __future__ import annotations

from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import seats
from pbem.runtime.contents import Document
from pbem.runtime.ledger import Entry
from pbem.runtime.table import Table

_KEYS = {"pbem", "type", "game", "seq", "prev", "player", "signed_by", "link", "state", "dice", "note", "signature"}


def entry(document: Document, file_id: str) -> Entry:
    """A file as the ledger keeps it."""
    signed_by = str(document.get("signed_by") or "")
    return Entry(file_id, str(document["player"]), str(document["type"]), str(document["link"]), signed_by=signed_by)


def may_show(table: Table) -> bool:
    """Whether an umpire with the escrow may show the link that is due: a witness's, or the one that turns the dice before an
    opening or a claim, which stays due from its player.
    """
    return table.due.what in ("witness", "start") or (table.due.what in seats.OWING and seats.dice_owed(table) > 0)


def check_stand_in(table: Table, document: Document) -> None:
    """A file that the umpire signs for somebody else shows a link and decides nothing. Raises ProtocolError (refused)."""
    if not document.get("signed_by"):
        return
    if document["type"] != "turn" or not may_show(table) or document["player"] != table.due.player:
        raise ProtocolError(Outcome.REFUSED, msg("the umpire shows a link that is due; decisions stay with their owner"))
    more = sorted(k for k, v in document.items() if k not in _KEYS and v)
    if more:
        raise ProtocolError(Outcome.REFUSED, msg("the umpire brings no {more}", more=", ".join(more)))
