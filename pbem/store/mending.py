"""What a crash left undone between the log and its copies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pbem.store import backups, catching_up, outgoing, pen, unsending

if TYPE_CHECKING:
    from pbem.store.session import Session


def mend(session: Session) -> list[Path]:
    """The copies and the outgoing file of the newest entry, where a crash came before them; what was written."""
    if not session.folder.is_running:
        return []
    pen.adopt(session)
    unsending.finish(session)
    session.caught_up = catching_up.catch_up(session)
    for document in session.caught_up:
        if pen.is_mine(session, document):
            outgoing.put_out(session, document)
    session.folder.restore_copies(newest=1)
    newest = session.folder.log.entries[-1]
    document = newest["document"]
    if not pen.is_mine(session, document):
        return []
    if not backups.covers(session.folder.path, len(session.folder.log.files()) - 1):
        outgoing.back_up(session)
    path = session.folder.outgoing(document)
    if path.exists() and (newest["kind"] == "slip" or path.with_suffix(".eml").exists()):
        return []
    if not path.exists():
        unsending.note_handed_out(session, "")
    return [outgoing.put_out(session, document)]
