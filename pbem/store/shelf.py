"""Tables of earlier places of a log, kept beside it: looking back from the newest file costs the same at any length.

They are by-products of playing the log again, lie in the folder `tables`, close together near the newest file and sparse far
behind it. Deleting them loses nothing; `pbem verify` compares them with the log.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pbem import __version__
from pbem.kernel.engine import Diverged
from pbem.kernel.orders import Rejected
from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.runtime.table import Table
from pbem.store.playing_on import play_on

if TYPE_CHECKING:
    from pbem.store.session import Session

EVERY = 16  # files
_SPARSE = ((256, EVERY), (2048, 128))  # so far behind the newest file one of so many is kept; farther back one of 1024
_FAR = 1024


def is_kept(seq: int, newest: int) -> bool:
    """A table after file `seq` is worth its room while file `newest` is the last one."""
    step = next((step for reach, step in _SPARSE if newest - seq <= reach), _FAR)
    return seq > 0 and seq % step == 0


def table_at(session: Session, seq: int) -> Table:
    """The table after file `seq` as it stood then; slips that came beside the log play no part. Raises ProtocolError."""
    entries = session.folder.log.standing()
    table = _nearest(session, seq, entries) or Table.start(session.charter, session.game, session.scenario)
    play_on(session, table, seq, lambda played: _keep(session, played, len(entries) - 1))
    return table


def saved(session: Session) -> Iterator[tuple[Path, Table]]:
    """Every table that is kept and fits the log, with the file in which it lies."""
    entries = session.folder.log.standing()
    for path in _paths(session):
        table = _read(session, path, entries)
        if table is not None:
            yield path, table


def put_note(session: Session, name: str, content: dict[str, Any]) -> None:
    """Something that was worked out from the log as it is now, to be gone on from later."""
    last = session.table.last
    plain = {"seq": last, "program": __version__, "links": _links(session.folder.log.standing(), last), "content": content}
    with suppress(OSError):
        session.folder.disk.make_folder(session.folder.path / "tables")
        session.folder.disk.replace(session.folder.path / "tables" / f"{name}.json", json.dumps(plain).encode())


def note(session: Session, name: str) -> tuple[int, dict[str, Any]]:
    """The file up to which a note goes and what it holds; 0 and nothing where it fits neither the log nor this program."""
    entries = session.folder.log.standing()
    with suppress(OSError, LookupError, TypeError, ValueError):
        plain = json.loads(session.folder.disk.read(session.folder.path / "tables" / f"{name}.json"))
        if (
            plain["program"] == __version__
            and 0 < plain["seq"] < len(entries)
            and _links(entries, plain["seq"]) == plain["links"]
        ):
            return plain["seq"], dict(plain["content"])
    return 0, {}


def _nearest(session: Session, seq: int, entries: list[dict[str, Any]]) -> Table | None:
    for path in reversed([p for p in _paths(session) if int(p.stem) <= seq]):
        table = _read(session, path, entries)
        if table is not None:
            return table
    return None


def _paths(session: Session) -> list[Path]:
    found = [p for p in (session.folder.path / "tables").glob("*.json") if p.stem.isdecimal()]
    return sorted(found, key=lambda p: int(p.stem))


def _read(session: Session, path: Path, entries: list[dict[str, Any]]) -> Table | None:
    """The table of a file; None where it cannot be read, or is of other files or of another program."""
    with suppress(OSError, LookupError, TypeError, ValueError, AttributeError, Diverged, Rejected):
        plain = json.loads(session.folder.disk.read(path))
        if plain["program"] == __version__ and _links(entries, int(path.stem)) == plain["links"]:
            return Table.from_plain(session.charter, session.game, session.scenario, plain["table"])
    return None


def _links(entries: list[dict[str, Any]], seq: int) -> list[str]:
    """The ids that say which files stand up to a place: of its file, which names all before it; of void places down to one."""
    first = next(n for n in range(seq, -1, -1) if entries[n]["document"]["type"] != heal.VOID)
    return [document_id(entry["document"]) for entry in entries[first : seq + 1]]


def _keep(session: Session, table: Table, newest: int) -> None:
    """Put a table on the shelf if it belongs there, and take off what is too close to others now.

    A full or read-only disk does without.
    """
    if not is_kept(table.last, newest):
        return
    folder, disk = session.folder.path / "tables", session.folder.disk
    plain = {
        "program": __version__,
        "links": _links(session.folder.log.standing(), table.last),
        "table": table.to_plain(),
    }
    with suppress(OSError):
        disk.make_folder(folder)
        disk.replace(folder / f"{table.last:06d}.json", json.dumps(plain, separators=(",", ":")).encode())
        for path in _paths(session):
            if not is_kept(int(path.stem), newest):
                disk.remove(path)
