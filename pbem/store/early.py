"""Documents that came before the files that they rest on: few of each author's, looked at again whenever the log has grown.

Files that a known key has signed lie in `aside` under their place instead.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

from pbem.kernel.canon import canonical, sha256_hex
from pbem.protocol import strict_yaml
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store.folder import GameFolder
from pbem.store.session import Session

Document = dict[str, Any]
MOST, MOST_BYTES = 8, 1 << 18  # of one author; of one document
LAST = 1 << 40
UNSIGNED = "unsigned"  # by any key that is known here: anybody may have written it


def kept(session: Session, document: Document, outcome: Outcome) -> Path | None:
    """Where a document lies that may be taken later; None where it never will be, or is too large, or there is no room.

    The oldest of the same author gives way: nobody fills another's room, nor the disk.
    """
    author = _author(session, document, outcome) if outcome in (Outcome.WAITING, Outcome.BAD_SIGNATURE) else ""
    data = strict_yaml.write_document(document).encode() if author else b""
    if not 0 < len(data) <= MOST_BYTES:
        return None
    folder, name = session.folder, sha256_hex(canonical(document))[:16]
    lying = [path for path in _paths(folder) if _author_in(path) == author]
    known = next((path for path in lying if path.stem.endswith(name)), None)
    if known is not None:
        return known
    number = int(lying[-1].stem.split("-")[-2]) + 1 if lying else 1
    copy = folder.path / "aside" / f"early-{author}-{number:09d}-{name}.yaml"
    with suppress(OSError):
        folder.disk.make_folder(copy.parent)
        folder.disk.replace(copy, data)
        for path in lying[: max(0, len(lying) + 1 - MOST)]:
            folder.disk.remove(path)
        return copy
    return None


def _author(session: Session, document: Document, outcome: Outcome) -> str:
    """By whom a document is kept that may be taken when more has come; "" for any other."""
    if not session.folder.is_running:
        return UNSIGNED if document.get("game") == document_id(session.folder.draft()) else ""
    if document.get("game") != session.charter.game_id:
        return ""
    if outcome is Outcome.BAD_SIGNATURE:
        return UNSIGNED if _is_ahead(session, document) else ""
    kind = document.get("type")
    return f"of-{session.folder.part(document)}" if kind == "slip" else "heals" if kind == "heal" else ""


def _is_ahead(session: Session, document: Document) -> bool:
    """It names a file that is not here: behind that one its author may have another key."""
    ledger = session.table.ledger
    return document.get("head", document.get("prev")) not in {e.id for e in ledger.entries}.union(ledger.gone)


def lying(folder: GameFolder) -> list[tuple[Path, Document]]:
    """What waits: files by their place, then the rest; what cannot be read any more is left out."""
    found: list[tuple[Path, Document]] = []
    for path in _paths(folder):
        with suppress(OSError, ProtocolError):
            found.append((path, strict_yaml.read_document(folder.disk.read(path))[0]))
    return sorted(found, key=lambda pair: pair[1]["seq"] if isinstance(pair[1].get("seq"), int) else LAST)


def _paths(folder: GameFolder) -> list[Path]:
    return sorted((folder.path / "aside").glob(f"early-*-{'[0-9]' * 9}-*.yaml"))


def _author_in(path: Path) -> str:
    return path.stem.removeprefix("early-").rsplit("-", 2)[0]


def waits(folder: GameFolder) -> bool:
    """Something may be taken when more has come."""
    return bool(_paths(folder))


def is_to_try(session: Session) -> bool:
    """The log has another newest file than when all that waits was looked at."""
    if not waits(session.folder):
        return False
    with suppress(OSError):
        return session.folder.disk.read(_mark(session.folder)) != session.head.encode()
    return True


def tried(folder: GameFolder, head: str) -> None:
    """All that waits was looked at while this was the newest file."""
    with suppress(OSError):
        folder.disk.replace(_mark(folder), head.encode())


def _mark(folder: GameFolder) -> Path:
    return folder.path / "aside" / "early.head"
