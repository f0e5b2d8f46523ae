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
    newest = len(session.folder.log.standing()) - 1
    table = _nearest(session, seq) or Table.start(session.charter, session.game, session.scenario)
    play_on(session, table, seq, lambda played: _keep(session, played, newest))
    return table


def saved(session: Session) -> Iterator[tuple[Path, Table]]:
    """Every table that is kept and fits the log, with the file in which it lies."""
    for path in _paths(session):
        table = _read(session, path)
        if table is not None:
            yield path, table


def put_note(session: Session, name: str, content: dict[str, Any]) -> None:
    """Something that was worked out from the log as it is now, to be gone on from later. A full disk does without."""
    with suppress(OSError):
        _put(session, name, session.table.last, content=content)


def note(session: Session, name: str) -> tuple[int, dict[str, Any]]:
    """The file up to which a note goes and what it holds; 0 and nothing where it fits neither the log nor this program."""
    with suppress(OSError, LookupError, TypeError, ValueError):
        plain = _fitting(session, _folder(session) / f"{name}.json")
        return int(plain["seq"]), dict(plain["content"])
    return 0, {}


def _nearest(session: Session, seq: int) -> Table | None:
    for path in reversed([p for p in _paths(session) if int(p.stem) <= seq]):
        table = _read(session, path)
        if table is not None:
            return table
    return None


def _paths(session: Session) -> list[Path]:
    found = [p for p in _folder(session).glob("*.json") if p.stem.isdecimal()]
    return sorted(found, key=lambda p: int(p.stem))


def _read(session: Session, path: Path) -> Table | None:
    """The table of a file; None where it cannot be read, or is of other files or of another program."""
    with suppress(OSError, LookupError, TypeError, ValueError, AttributeError, Diverged, Rejected):
        plain = _fitting(session, path)
        if plain["seq"] == int(path.stem):
            return Table.from_plain(session.charter, session.game, session.scenario, plain["table"])
    return None


def _folder(session: Session) -> Path:
    return session.folder.path / "tables"


def _put(session: Session, name: str, seq: int, **content: Any) -> None:
    """What was worked out up to file `seq`, with what says which program did it, of which files. Raises OSError."""
    plain = {"seq": seq, "program": __version__, "links": _links(session.folder.log.standing(), seq), **content}
    session.folder.disk.make_folder(_folder(session))
    session.folder.disk.replace(_folder(session) / f"{name}.json", json.dumps(plain, separators=(",", ":")).encode())


def _fitting(session: Session, path: Path) -> dict[str, Any]:
    """What `_put` wrote. Raises OSError, or LookupError, TypeError, ValueError where it does not fit log or program."""
    plain: dict[str, Any] = json.loads(session.folder.disk.read(path))
    if (
        plain["program"] != __version__
        or not plain["seq"] > 0
        or _links(session.folder.log.standing(), plain["seq"]) != plain["links"]
    ):
        raise LookupError(path.name)
    return plain


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
    with suppress(OSError):
        _put(session, f"{table.last:06d}", table.last, table=table.to_plain())
        for path in _paths(session):
            if not is_kept(int(path.stem), newest):
                session.folder.disk.remove(path)
