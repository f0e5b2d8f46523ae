"""The order file under the board: read when somebody else changed it, replaced in one step, never over a change unseen."""

from __future__ import annotations

from pathlib import Path

from pbem.kernel.canon import sha256_hex
from pbem.store.disk import Disk

NAME = "unsent.yaml"  # in the game folder; `pbem play` goes on with the same
NOTHING = ""


class ChangedElsewhere(Exception):
    """The file is not the one that the page has seen."""

    def __init__(self, text: str, stamp: str) -> None:
        super().__init__(stamp)
        self.text, self.stamp = text, stamp


class DraftFile:
    """One order file."""

    def __init__(self, path: Path, disk: Disk) -> None:
        self.path, self._disk = path, disk

    def read(self) -> tuple[str, str]:
        """Its text and its stamp; both empty where there is none."""
        try:
            data = self._disk.read(self.path)
        except FileNotFoundError:
            return "", NOTHING
        return data.decode("utf-8", "replace"), stamp_of(data)

    def save(self, text: str, seen: str) -> str:
        """Another text in the place of the one with the stamp `seen`; the new stamp. Raises ChangedElsewhere."""
        now, stamp = self.read()
        if stamp != seen and now != text:
            raise ChangedElsewhere(now, stamp)
        data = text.encode("utf-8", "surrogatepass")
        if stamp != stamp_of(data):
            self._disk.replace(self.path, data)
        return stamp_of(data)

    def discard(self) -> None:
        """It is sent: the file goes."""
        self._disk.remove(self.path)


def stamp_of(data: bytes) -> str:
    """What tells one content from another."""
    return sha256_hex(data)[:16] if data else NOTHING
