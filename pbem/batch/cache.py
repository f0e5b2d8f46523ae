"""Results that are kept between two runs, in one SQLite file: whoever deletes it loses time alone."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pbem.kernel.canon import Plain, canonical
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import unreadable

_TABLE = "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, result BLOB NOT NULL) WITHOUT ROWID"


class Cache:
    """Plain results by key."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    @classmethod
    @contextmanager
    def opened(cls, path: Path) -> Iterator[Cache]:
        """A cache in a file, made if need be. Raises ProtocolError (unreadable) where the file is something else."""
        try:
            with closing(sqlite3.connect(path, isolation_level=None)) as connection:
                connection.execute(_TABLE)
                yield cls(connection)
        except sqlite3.Error as error:
            raise unreadable(msg("{path} cannot be used: {reason}", path=str(path), reason=str(error))) from None

    def get(self, key: str) -> Plain:
        """A result; None where there is none."""
        row = self._connection.execute("SELECT result FROM results WHERE key = ?", (key,)).fetchone()
        found: Plain = json.loads(row[0]) if row else None
        return found

    def put(self, key: str, result: Plain) -> None:
        """Keep a result, in the place of an older one."""
        self._connection.execute("INSERT OR REPLACE INTO results VALUES (?, ?)", (key, canonical(result)))
