"""Who has to send what, in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pbem.games.parts import Words
from pbem.kernel.engine import Result
from pbem.kernel.wording import Message, msg
from pbem.runtime.dues import Due, sends

if TYPE_CHECKING:
    from pbem.store.session import Session

_SEAL, _DRAWN = re.compile(r".*:seal(\d+):\d+"), re.compile(r".*:draw\d+:\d+")


def told(session: Session) -> Message:
    """Who has to send what."""
    table = session.table
    if table.result is None:
        return clause(table.due)
    result = ended(session.game.words(), table.result)
    pending = audit_pending(session)
    if not pending:
        return msg("The game is over: {result}.", result=result)
    return msg("The game is over: {result}. Audit pending: {players}.", result=result, players=", ".join(pending))


def ended(words: Words, result: Result) -> Message:
    """Who won, why, and by which rule."""
    if not result.winner:
        return msg("a draw ({reason}) [{rule}]", reason=result.reason, rule=result.rule)
    return msg("{side} won ({reason}) [{rule}]", side=words.SIDES[result.winner], reason=result.reason, rule=result.rule)


def clause(due: Due) -> Message:
    """Who has to send what, as one clause."""
    told = sends(due)
    if due.detail:
        told = msg("{sends}: {detail}", sends=told, detail=_about(due))
    return Message("{sends} [{rule}]" if due.rule else "{sends}", {"sends": told, "rule": due.rule})


def _about(due: Due) -> Message:
    """What it is about: of something sealed the file that sealed it, of something drawn only that: a handle tells nothing."""
    seq = sealed_in(due)
    if due.what == "open" and _DRAWN.fullmatch(str(due.detail)):
        return msg("what was drawn or rolled in secret")
    return msg("what was sealed in file {seq}", seq=seq) if seq else due.detail


def sealed_in(due: Due) -> int:
    """The file that sealed what has to be opened; 0 where nothing of that kind is due."""
    sealed = _SEAL.fullmatch(str(due.detail)) if due.what == "open" else None
    return int(sealed[1]) if sealed else 0


def audit_pending(session: Session) -> list[str]:
    """The players who have not yet shown all their draw keys and seals."""
    from pbem.runtime import audit

    slips_shown = [s for s in session.folder.log.slips() if s["slip"] == "audit"]
    return audit.undisclosed(session.table.ledger, audit.collect(session.table, slips_shown))
