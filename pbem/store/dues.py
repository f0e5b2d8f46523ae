"""Who has to send what, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.kernel.wording import english
from pbem.runtime.dues import Due

if TYPE_CHECKING:
    from pbem.store.session import Session


def told(session: Session) -> str:
    """Who has to send what."""
    table = session.table
    if table.result is not None:
        side = table.result.winner
        text = (
            f"The game is over: {side + ' won' if side else 'a draw'} ({english(table.result.reason)}) [{table.result.rule}]."
        )
        pending = audit_pending(session)
        return text + (f" Audit pending: {', '.join(pending)}." if pending else "")
    return clause(table.due)


def clause(due: Due) -> str:
    """Who has to send what, as one clause."""
    what = {
        "orders": "orders", "witness": "a witness file that turns the dice", "start": "the opening file",
        "draws": "new draw keys", "open": "an opening", "claim": "a statement", "seal": "a sealed order",
        "accept": "an answer to an offer",
    }[due.what]  # fmt: skip
    rule = f" [{due.rule}]" if due.rule else ""
    return f"{due.player} has to send {what}{': ' + english(due.detail) if due.detail else ''}{rule}"


def audit_pending(session: Session) -> list[str]:
    """The players who have not yet shown all their draw keys and seals."""
    from pbem.runtime import audit

    slips_shown = [s for s in session.folder.log.slips() if s["slip"] == "audit"]
    return audit.undisclosed(session.table.ledger, audit.collect(session.table, slips_shown))
