"""Heals in a game folder: which lie here, what the log is after one, and how a complete one is taken (SPEC 9)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from pbem.kernel.wording import msg
from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import healing
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused, take_in_place
from pbem.store import heal_record, pen
from pbem.store.record import Row

if TYPE_CHECKING:
    from pbem.store.session import Session

Document = dict[str, Any]


def known(session: Session) -> list[Document]:
    """Heals that lie here and may still come into force, but for those that others stand instead of."""
    lying = session.folder.drafts()
    files = session.folder.log.files() if lying else []
    done = {document_id(d) for d in files} | {name for d in files for name in d.get("instead") or []}
    found = [d for d in lying if document_id(d) not in done and d.get("game") == session.charter.game_id]
    taken = [d for d in files if d["type"] == heal.TYPE]
    open_ = [d for d in found if not any(t["forked"]["seq"] <= d["forked"]["seq"] < t["seq"] for t in taken)]
    return [dict(d) for d in heal.newest_only(open_)]


def missing(table: Table, document: Document) -> list[str]:
    """The players who have not signed it yet."""
    return [p for p in healing.signers(table, document) if p not in (document.get("signatures") or {})]


def with_known(session: Session, document: Document) -> Document:
    """The heal with the signatures that lie here too."""
    if not document:
        raise ProtocolError(Outcome.WAITING, msg("no heal waits for signatures here"))
    same = [d for d in session.folder.drafts() if document_id(d) == document_id(document)]
    return heal.merged(document, same[0]) if same else document


def played(session: Session, document: Document, *, complete: bool) -> Table:
    """The table after the heal, all that it keeps judged anew. Raises ProtocolError, Refused."""
    files = heal.line(session.folder.log.files(), document)
    table = Table.start(session.charter, session.game, session.scenario)
    for file in files[1:-1]:
        take_in_place(table, file, lambda seq: files[seq])
    healing.take(table, document, lambda seq: files[seq], complete=complete)
    return table


def take(session: Session, document: Document) -> None:
    """A heal that all have signed into the log, by one entry. Raises ProtocolError, Refused."""
    _check_instead(session, document)
    table = played(session, document, complete=True)
    secrets = session.folder.secrets()
    if secrets is not None and secrets.player not in healing.check_signatures(table, document):
        with pen.held(session) as rows:
            heal_record.check_holds_all(session.folder.log.files(), rows, document, secrets.player)
    session.folder.add("heal", document, session.now())
    session.forget()
    if secrets is not None:
        with pen.held(session) as rows:
            heal_record.mark(session.folder.log.files(), rows, session.now())
    for file in heal.kept(document):
        session.folder.write_copy("file", dict(file))


def _check_instead(session: Session, document: Document) -> None:
    """A heal that stands in the log gives way only to one that names it, and only while nothing follows it.

    Raises ProtocolError (refused by rule, waiting).
    """
    files, place = session.folder.log.files(), document["forked"]["seq"]
    for seq, other in [(seq, d) for seq, d in enumerate(files) if d["type"] == heal.TYPE and seq >= place]:
        if document_id(other) not in (document.get("instead") or []):
            reason = msg(
                "this fork is healed at place {seq} already, and this heal does not stand instead of that one", seq=seq
            )
            raise ProtocolError(Outcome.REFUSED, reason)
        if seq < len(files) - 1:
            raise ProtocolError(
                Outcome.WAITING, msg("the game has gone on behind the heal at place {seq}: that one holds", seq=seq)
            )


def recover(session: Session, rows: Sequence[Row]) -> bool:
    """A heal that this folder has lost comes back from the record, where this player has gone on behind it."""
    lost = [d for row in rows for d in (row["answered"], row["document"]) if d and d.get("type") == heal.TYPE]
    found = [*lost, *session.folder.drafts()]
    here = {document_id(d) for d in session.folder.log.files()} if found else set()
    for document in found:
        if document_id(document) not in here and not missing(session.table, document):
            with suppress(Exception):  # not all have signed it, or it does not fit this log
                take(session, heal.read_heal(document))
                return True
    return False


def bring(session: Session, other: Session) -> None:
    """The heals of another folder's log that this one can take."""
    here = {document_id(d) for d in session.folder.log.files()}
    for document in [d for d in other.folder.log.files() if d["type"] == heal.TYPE and document_id(d) not in here]:
        with suppress(ProtocolError, Refused):
            take(session, document)
