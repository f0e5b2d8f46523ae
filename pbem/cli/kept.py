"""Orders of `pbem play` that are not sent yet: they wait in the game folder, where `pbem board` finds them too."""

from __future__ import annotations

from pathlib import Path

from pbem.cli.terminal import Talk
from pbem.kernel.wording import counted
from pbem.runtime.desk import Desk
from pbem.store.session import Session


def file_of(session: Session) -> Path:
    """Where they are kept."""
    return session.folder.path / "unsent.yaml"


def keep(session: Session, work: Desk, talk: Talk) -> None:
    """They stay in the folder; the next `pbem play` goes on with them."""
    if work.sheet.orders:
        file = file_of(session)
        session.folder.disk.replace(file, work.sheet.text.encode())
        n = len(work.sheet.orders)
        told = counted("{n} order is kept in {file}.", "{n} orders are kept in {file}.", n, file=str(file))
        talk.say(talk.language.text(told))


def orders(session: Session, talk: Talk) -> Desk:
    """The desk with the orders that were kept, without those if they do not fit any more."""
    path = file_of(session)
    if not path.exists():
        return session.desk()
    work = session.desk(path.read_bytes().decode("utf-8", "replace"))
    if work.sheet.trouble is None:
        return work
    talk.say(talk.speak("The orders that were kept do not fit any more and are left out."))
    return session.desk()
