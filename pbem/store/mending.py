"""What a crash left undone between the log and its copies."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.protocol import charter
from pbem.protocol.outcomes import ProtocolError
from pbem.store import backups, catching_up, clock, outgoing, pen, unsending
from pbem.store.folder import GameFolder

if TYPE_CHECKING:
    from pbem.store.session import Session


def mend(session: Session) -> list[Path]:
    """The copies and the outgoing file of the newest entry, where a crash came before them; what was written.

    A copy of the folder may have lost the folders in it that were empty.
    """
    if not session.folder.is_running and not _begins_again(session.folder):
        return []
    session.folder.make_folders()
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


def _begins_again(folder: GameFolder) -> bool:
    """A log that is empty or gone begins anew with its own copy of the charter, which was written behind the log's first entry;
    the rest of what lies here, and in the record, follows.
    """
    document = folder.copy_of_charter()
    with suppress(ProtocolError):
        if document is not None and charter.verify(document):
            folder.add("charter", document, clock.now())
    return folder.is_running
