"""Who has to send what, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.kernel.engine import Result
from pbem.kernel.wording import english
from pbem.runtime.dues import Due

if TYPE_CHECKING:
    from pbem.store.session import Session


def told(session: Session) -> str:
    """Who has to send what."""
    table = session.table
    if table.result is None:
        return clause(table.due)
    pending = audit_pending(session)
    audit = f" Audit pending: {', '.join(pending)}." if pending else ""
    return f"The game is over: {ended(table.result)}.{audit}"


def ended(result: Result) -> str:
    """Who won, why, and by which rule."""
    side = f"{result.winner} won" if result.winner else "a draw"
    return f"{side} ({english(result.reason)}) [{result.rule}]"


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
