"""What leaves a game folder: the file and its mail in the outbox, and a backup."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.kernel.wording import english
from pbem.runtime import trust
from pbem.store import backups, dues, telling

if TYPE_CHECKING:
    from pbem.runtime.table import Table
    from pbem.store.session import Session


def put_out(session: Session, document: dict[str, Any], before: Table | None = None) -> Path:
    """The file, and a mail unless it is a slip, in the outbox. `before`: the table before the file, which is used up."""
    from pbem.protocol.strict_yaml import write_document

    path = session.folder.outgoing(document)
    if document["type"] != "slip":
        session.folder.disk.replace(path.with_suffix(".eml"), mail(session, document, before))
    session.folder.disk.replace(path, write_document(document).encode())
    return path


def mail(session: Session, document: dict[str, Any], before: Table | None = None) -> bytes:
    """The mail of a file: who has to send what, proved forks, what the file did, its block."""
    from pbem.transport.mail import write_eml

    proved = trust.proved(session.folder.log.files(), session.folder.log.slips())
    lines = [english(dues.told(session)), *(f"PROVED: {fork}" for fork in proved)]
    told = telling.in_short(session, document, before) if document["type"] != "heal" else ""
    text = "\n".join([*lines, *(["", told] if told else [])])
    return write_eml(document, session.charter.game_id[:8], text, subject=subject(session, document["seq"]))


def put_out_note(session: Session, note: dict[str, Any]) -> Path:
    """A note and its mail in the outbox: a public one can be read in the mail, of a private one only its block is there."""
    from pbem.protocol.strict_yaml import write_document

    path = session.folder.outgoing(note)
    session.folder.disk.replace(path.with_suffix(".eml"), note_mail(session, note))
    session.folder.disk.replace(path, write_document(note).encode())
    return path


def note_mail(session: Session, note: dict[str, Any]) -> bytes:
    """The mail of a note; nothing of a sealed text is in it."""
    from pbem.transport.mail import write_eml

    name = session.folder.path.absolute().name
    heading = f"{session.game.title}: {note['player']} has something to say ({name})"
    told = note.get("text") or f"For {note['to']}: `pbem receive` takes it, `pbem notes` opens it."
    return write_eml(note, session.charter.game_id[:8], told, subject=heading)


def mail_of(session: Session, document: dict[str, Any]) -> bytes:
    """The mail of whatever lies in the outbox without one."""
    from pbem.transport.mail import write_eml

    if document["type"] == "note":
        return note_mail(session, document)
    if document["type"] != "slip":
        return mail(session, document)
    told, last = english(dues.told(session)), subject(session, session.table.last)
    return write_eml(document, session.charter.game_id[:8], told, subject=f"{last}, {document['slip']}")


def subject(session: Session, seq: int) -> str:
    """Game, turn, who is due, and the folder with the number of the file: `Next War: Turn 2, nowak is due (korea #12)`."""
    table, name = session.table, session.folder.path.absolute().name
    where = english(session.game.words().heading(table.engine.state)).partition(":")[0]
    now = "the game is over" if table.result is not None or not table.due.player else f"{table.due.player} is due"
    return f"{session.game.title}: {where}, {now} ({name} #{seq})"


def back_up(session: Session) -> None:
    """What is signed is in a backup too; a failure is a remark."""
    backups.keep(session.folder.path, session.folder.disk, session.table.last)
