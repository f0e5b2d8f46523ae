"""What a game folder shows to programs that exchange its files live: how far its log goes, its files byte by byte, its slips.

It is read anew whenever another command has written into the folder, and what is shown counts as handed out from then on.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from pbem.protocol import heal, strict_yaml
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import ProtocolError
from pbem.store import clock, pace, unsending
from pbem.store.folder import GameFolder
from pbem.store.session import Session

Document = dict[str, Any]
Stamp = tuple[tuple[int, int], ...]


class Shown:
    """One folder as others see it. `files`: by place, the charter first; `ids`: theirs; `beside`: slips, notes, heals."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.session = Session.open(path)
        self.game = self.session.charter.game_id
        self.files: list[Document] = []
        self.ids: list[str] = []
        self.beside: dict[str, tuple[str, bytes]] = {}  # by id: the head that they name, and their bytes
        self._stamp: Stamp = ()
        self._waits: pace.Held | None = None

    @property
    def known(self) -> set[str]:
        """The ids of all that is shown."""
        return {*self.ids, *self.beside}

    @property
    def last(self) -> int:
        """The place of the newest file."""
        return len(self.ids) - 1

    @property
    def head(self) -> str:
        """Its id."""
        return self.ids[-1]

    def refresh(self) -> bool:
        """Look again if anything was written; whether the log is another one than before.

        Raises BlockingIOError while another program is at work in the folder, ProtocolError where the log is damaged.
        """
        stamp = self._stamp_now()
        if stamp == self._stamp and (self._waits is None or clock.now() < self._waits.until):
            return False
        with Session.at_work(self.path) as session:
            self._waits = pace.held(session)
            end = pace.shown(session)
            unsending.note_handed_out(session, "live", end)
            before, self.session = self.ids, session
            self.files = session.folder.log.files()[:end]
            self.ids = [entry.id for entry in session.table.ledger.entries[:end]]
            self.beside = {document_id(d): (str(d.get("head") or ""), data) for d, data in self._beside(session.folder)}
            self._stamp = self._stamp_now()
        return self.ids != before

    def _stamp_now(self) -> Stamp:
        found = []
        for path in (self.path / "log.jsonl", self.path / "outbox"):
            stat = path.stat()
            found.append((stat.st_size, stat.st_mtime_ns))
        return tuple(found)

    def _beside(self, folder: GameFolder) -> list[tuple[Document, bytes]]:
        slips = [(slip, _written(slip)) for slip in folder.log.slips()]
        for path in sorted((self.path / "outbox").glob("*.yaml")):
            with suppress(OSError, ProtocolError):
                data = folder.disk.read(path)
                document = strict_yaml.read_document(data)[0]
                if document.get("type") in ("note", "heal", "slip"):
                    slips.append((document, data))
        return slips

    def is_void(self, seq: int) -> bool:
        """A heal has given this place up: there is nothing to show."""
        return bool(self.files[seq].get("type") == heal.VOID)

    def is_own(self, seq: int) -> bool:
        """A file of this folder's player."""
        secrets = self.session.folder.secrets()
        return secrets is not None and self.files[seq].get("player") == secrets.player

    def bytes_of(self, seq: int) -> bytes:
        """A file as its author wrote it: the readable copy, where it says the same as the log."""
        document, folder = self.files[seq], self.session.folder
        with suppress(OSError, ProtocolError):
            data = folder.disk.read(folder.copy_of(document))
            if strict_yaml.read_document(data)[0] == document:
                return data
        return _written(document)


def _written(document: Document) -> bytes:
    return strict_yaml.write_document(document).encode()
