"""The replay command: a game as one HTML file to step through."""

from __future__ import annotations

from pathlib import Path

from pbem.cli import speech
from pbem.cli.speech import speak
from pbem.report import replay
from pbem.report.languages import language
from pbem.report.view import Note
from pbem.runtime.table import Table
from pbem.store import talk, unsending
from pbem.store.session import Session


def write(path: Path, to: Path, lang: str) -> str:
    """Write the replay of a game folder. Raises ProtocolError, Rejected (unknown language)."""
    session = Session.open(path)
    tongue = language(lang, (session.game.words().CATALOGUE,)) if lang else speech.tongue()
    documents = session.folder.log.files()
    start = Table.start(session.charter, session.game, session.scenario)
    notes = [Note(said.who, said.seq, said.text or "") for said in talk.public(session)]
    text = replay.page(start, documents, session.folder.fetch, tongue, session.folder.log.slips(), notes)
    unsending.hand_out(session, "replay")
    session.folder.disk.replace(to, text.encode())
    return speak(
        "{to} written: {number} files, {size} KiB", to=str(to), number=len(documents) - 1, size=len(text.encode()) // 1024
    )
