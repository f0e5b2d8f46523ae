"""Catching up: what this player has signed, and what he has answered, comes back into a folder that lost it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.protocol import strict_yaml
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import ProtocolError
from pbem.runtime import slips
from pbem.store import backups, heal_record, heals, pen
from pbem.store.folder import GameFolder
from pbem.store.paths import home
from pbem.store.record import Record, Row

if TYPE_CHECKING:
    from pbem.store.session import Session

Document = dict[str, Any]


def catch_up(session: Session) -> list[Document]:
    """Take what this player has signed, and what he has answered, from the record, outbox, copies and backups.

    Every document goes through the same door as one that comes by mail. Gives the files that were taken.
    """
    secrets = session.folder.secrets()
    if secrets is None:
        return []
    if any(d["type"] == "heal" for d in session.folder.log.files()):
        with pen.held(session) as written:
            heal_record.mark(session.folder.log.files(), written, session.now())
    record = Record(home(), session.charter.game_id, session.folder.disk)
    rows, unsent = record.signed(), record.unsent()
    rows = [row for row in rows if row["player"] == secrets.player]  # others may play at this machine too
    _recover_seals(session, rows)
    for withdrawn in session.folder.lost_withdrawals():
        session.folder.add("withdrawn", withdrawn, session.now())
        session.forget()
    taken: list[Document] = []
    tried: set[str] = set()
    while True:
        while found := _next_of(session, rows, tried | unsent):
            tried.add(document_id(found))
            with suppress(Exception):  # it does not fit this log: what does not fit is judged where it came from
                session.keep_taken(found)
                taken.append(found)
        if not heals.recover(session, rows):
            break
    _recover_slips(session, rows)
    _recover_handed_out(session, secrets.player, unsent)
    with suppress(Exception):  # a log that does not hold is judged where it is played
        recover_seals(session, asking=False)
    return taken


def _next_of(session: Session, rows: list[Row], tried: set[str]) -> Document | None:
    """A document for the next place of the log that was not tried yet."""
    files = session.folder.log.files()
    seq, head = len(files), document_id(files[-1])
    gone = {d["id"] for d in session.withdrawn()}
    for document in _known(session, rows, seq):
        fits = document.get("seq") == seq and document.get("prev") == head
        if fits and document_id(document) not in tried and document_id(document) not in gone:
            return document
    return None


def _known(session: Session, rows: list[Row], seq: int) -> Iterator[Document]:
    """Documents among which the one for a place may be."""
    for row in rows:
        if row["about"] is None:
            yield from (d for d in (row["document"], row["answered"]) if d and d.get("seq") == seq)
    for folder in ("outbox", "files", "aside"):
        yield from _lying_in(session.folder.path / folder, session.folder, f"{seq:04d}-*.yaml")
    if backups.covers(session.folder.path, seq):
        yield from backups.files_of_newest(session.folder.path)


def _lying_in(place: Path, folder: GameFolder, pattern: str) -> Iterator[Document]:
    for path in sorted(place.glob(pattern)):
        with suppress(OSError, ProtocolError):
            yield strict_yaml.read_document(folder.disk.read(path))[0]


def _recover_slips(session: Session, rows: list[Row]) -> None:
    for row in rows:
        if row["document"]["type"] == "slip":
            with suppress(ProtocolError):
                if row["document"] not in session.folder.log.slips():
                    session.add_slip(dict(row["document"]))


def _recover_handed_out(session: Session, player: str, unsent: set[str]) -> None:
    """Own questions and answers that lie in the outbox and not in the log, signed at whichever machine: the others hold them,
    and take no file that leaves out a question which they have answered."""
    lying = [p for kind in ("restored", "head") for p in sorted((session.folder.path / "outbox").glob(f"slip-{kind}-*.yaml"))]
    known = {document_id(slip)[:12] for slip in session.folder.log.slips()} if lying else set()
    for path in [p for p in lying if p.name.split("-")[2] not in known]:
        with suppress(OSError, ProtocolError):
            slip = strict_yaml.read_document(session.folder.disk.read(path))[0]
            if slip.get("player") == player and document_id(slip) not in unsent:
                slips.check(session.table, slip)
                session.add_slip(slip)


def _recover_seals(session: Session, rows: list[Row]) -> None:
    """Contents of own seals that the folder has lost, of files that the log lacks: the record keeps them too."""
    newest = len(session.folder.log.files())
    _put_back(session, [row for row in rows if row.get("kept") and row["seq"] >= newest])


def recover_seals(session: Session, asking: bool = True) -> None:
    """The same of files of the log, which may come from a machine at which nobody knew what was sealed here.

    What cannot be read stays lost. `asking`: the passphrase may be asked for.
    """
    with suppress(ProtocolError):
        ledger, me = session.table.ledger, session.me
        own = {handle: seal for handle, seal in ledger.seals.items() if seal.player == me.player}
        if not own or not (asking or session.folder.private.opens_unasked()):
            return
        gone = {ledger.entries[seal.seq].id for handle, seal in own.items() if handle not in me.sealed}
        rows = Record(home(), session.charter.game_id, session.folder.disk).signed() if gone else []
        _put_back(session, [row for row in rows if row.get("kept") and row["id"] in gone])


def _put_back(session: Session, rows: list[Row]) -> None:
    found = {h: c for row in rows for h, c in session.folder.private.unwrap("sealed", row["kept"]).items()}
    if found and not found.items() <= session.me.sealed.items():
        session.me.sealed.update(found)
        session.folder.save_secrets(session.me)
