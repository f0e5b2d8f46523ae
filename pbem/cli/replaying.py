"""The replay command: a game as one HTML file to step through."""

from __future__ import annotations

import os
from pathlib import Path

from pbem.report import replay
from pbem.report.languages import language
from pbem.runtime.table import Table
from pbem.store.session import Session


def write(path: Path, to: Path, lang: str) -> str:
    """Write the replay of a game folder. Raises ProtocolError, Rejected (unknown language)."""
    session = Session.open(path)
    tongue = language(lang or os.environ.get("PBEM_LANGUAGE", "en"), (session.game.words().CATALOGUE,))
    documents = session.folder.log.files()
    start = Table.start(session.charter, session.game, session.scenario)
    text = replay.page(start, documents, session.folder.fetch, tongue, session.folder.log.slips())
    session.folder.disk.replace(to, text.encode())
    return f"{to} written: {len(documents) - 1} files, {len(text.encode()) // 1024} KiB"
