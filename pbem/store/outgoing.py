"""What leaves a game folder: the file and its mail in the outbox, and a backup."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem.kernel.wording import english
from pbem.runtime import trust
from pbem.store import backups, dues

if TYPE_CHECKING:
    from pbem.store.session import Session


def put_out(session: Session, document: dict[str, Any]) -> Path:
    """The file, and a mail unless it is a slip, in the outbox."""
    from pbem.protocol.strict_yaml import write_document
    from pbem.transport.mail import write_eml

    path = session.folder.outgoing(document)
    if document["type"] != "slip":
        proved = trust.proved(session.folder.log.files(), session.folder.log.slips())
        text = "\n".join([english(dues.told(session)), *(f"PROVED: {fork}" for fork in proved)])
        mail = write_eml(document, session.charter.game_id[:8], text)
        session.folder.disk.replace(path.with_suffix(".eml"), mail)
    session.folder.disk.replace(path, write_document(document).encode())
    return path


def back_up(session: Session) -> None:
    """What is signed is in a backup too; a failure is a remark."""
    backups.keep(session.folder.path, session.folder.disk, session.table.last)
