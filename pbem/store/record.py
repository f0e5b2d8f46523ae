"""What this machine's keys have signed, kept outside the game folders: a copied or restored folder signs nothing twice.

`PBEM_HOME/signed/<game id>.jsonl` is a log of rows, forced to disk before a signature leaves the memory. A row of kind
`signed` (or `adopted`, from a folder older than the record) holds `key`, `player`, `seq`, `before` (`prev` of the document),
`replaces`, `link`, `id`, `document`, `answered` (the file whose id is `before`, whole) and `kept` (seals made with it); of a
slip `seq` is null and `about` its kind and subject; a question after a loss has `asked_in`, the name of the record.
`left`, `took-over` and `yielded` say where the pen is and what gave way;
what was signed before `healed` and does not stand in the log is void; so is what was `unsent` behind its signature. A row
`shown` is of a file that the umpire has signed for a player of this machine, and that shows his link.
"""

from __future__ import annotations

import contextlib
import json
import secrets as random_bytes
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from pbem.kernel.wording import msg
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store.disk import MOMENT, Disk
from pbem.store.log import Log
from pbem.store.machine import machine_id
from pbem.store.paths import IDENTITY

KINDS = ("signed", "adopted", "left", "took-over", "yielded", "healed", "unsent", "shown")
SIGNED = ("signed", "adopted")
PENS = ("left", "took-over")  # they say where the pen is
CHARTERS = "charters"
Row = dict[str, Any]


class Record(Struct):
    """The rows of one game on this machine. Rows are read and written while the record is held."""

    home: Path
    game: str
    disk: Disk
    _log: Log | None = None

    @contextlib.contextmanager
    def held(self) -> Iterator[Record]:
        """One program of this machine at a time, whatever folder it works in: another one is waited for, as it needs a moment.

        Raises BlockingIOError when it is still at work then.
        """
        self.disk.make_folder(self.home / "signed", 0o700)
        with self.disk.lock(self.home / "signed" / f"{self.game}.lock", MOMENT):
            self._log = None
            yield self

    @property
    def log(self) -> Log:
        """The rows as they stand on the disk. Raises ProtocolError (log damaged)."""
        if self._log is None:
            self._log = Log.open(self.disk, self.home / "signed" / f"{self.game}.jsonl", KINDS)
        return self._log

    @property
    def rows(self) -> list[Row]:
        """The rows, oldest first, each with its `kind`."""
        return [{**e["document"], "kind": e["kind"]} for e in self.log.entries]

    def signed(self) -> list[Row]:
        """The rows of documents that this machine has signed or adopted, without those that were taken back unsent."""
        found: list[Row] = []
        for row in self.rows:
            if row["kind"] == "unsent":
                found = [one for one in found if one["id"] != row["id"]]
            elif row["kind"] in SIGNED:
                found.append(row)
        return found

    def unsent(self) -> set[str]:
        """The ids of documents that were taken back before they left, and not signed again since."""
        signed = {row["id"] for row in self.signed()}
        return {row["id"] for row in self.rows if row["kind"] == "unsent"} - signed

    def shown(self) -> list[Row]:
        """What stands in the rows of files that the umpire has signed for players of this machine."""
        return [dict(e["document"]) for e in self.log.entries if e["kind"] == "shown"]

    def since_the_pen_moved(self) -> list[Row]:
        """The rows behind the last one that says where the pen is."""
        rows = self.rows
        return rows[max((n for n, row in enumerate(rows, 1) if row["kind"] in PENS), default=0) :]

    def append(self, kind: str, row: Mapping[str, Any], when: str) -> None:
        """Add a row and force it to disk: a signature exists from here on."""
        self.log.append(kind, dict(row), when)

    @property
    def mark(self) -> tuple[int, str]:
        """How many rows there are, and the hash of the last."""
        return len(self.log.entries), self.log.head

    def hash_of(self, rows: int) -> str:
        """The hash of row number `rows`, counted from 1; of none the start value; "" where there are fewer."""
        if rows == len(self.log.entries):
            return self.log.head
        return str(self.log.entries[rows]["prev"]) if rows < len(self.log.entries) else ""


def row_of(document: Mapping[str, Any], key: str, answered: Mapping[str, Any] | None, kept: Any = None) -> Row:
    """The row of a file of a log."""
    return {
        "key": key,
        "player": str(document.get("signed_by") or document["player"]),
        "for": str(document["player"]),
        "seq": document["seq"],
        "before": document["prev"],
        "replaces": document.get("replaces"),
        "link": document.get("link"),
        "id": document_id(dict(document)),
        "document": dict(document),
        "answered": dict(answered) if answered is not None else None,
        "kept": kept,
        "about": None,
    }


def slip_row(slip: Mapping[str, Any], key: str, about: str) -> Row:
    """The row of a slip; `about`: its kind and subject, of which there is one."""
    row = row_of({**slip, "seq": None, "prev": None}, key, None)
    return {**row, "id": document_id(dict(slip)), "document": dict(slip), "about": about}


def heal_row(heal: Mapping[str, Any], player: str, key: str) -> Row:
    """The row of a heal: of one place a player signs another one only where that stands instead of this."""
    row = row_of({**heal, "player": player, "seq": None, "prev": None}, key, None)
    return {**row, "id": document_id(dict(heal)), "document": dict(heal), "about": f"heal {heal['seq']}"}


# -- which record this is ------------------------------------------------------------------------------------------------


def known_identity(home: Path, disk: Disk) -> dict[str, str] | None:
    """`{record, machine}` of this PBEM_HOME; None where it has none yet. Writes nothing."""
    path = home / IDENTITY
    if not path.exists():
        return None
    try:
        found = json.loads(disk.read(path))
        return {"record": str(found["record"]), "machine": str(found["machine"])}
    except (ValueError, TypeError, LookupError):
        raise ProtocolError(
            Outcome.LOG_DAMAGED, msg("{path} cannot be read: delete it, then see `pbem restored`", path=str(path))
        ) from None


def identity(home: Path, disk: Disk) -> dict[str, str]:
    """`{record, machine}` of this PBEM_HOME, made once: the record's own name and the machine that it is of."""
    found = known_identity(home, disk)
    if found is None:
        with disk.alone_at(home):  # of two programs the first one makes it
            found = known_identity(home, disk) or renew_identity(home, disk)
    return found


def renew_identity(home: Path, disk: Disk) -> dict[str, str]:
    """A new name: folders that another record vouched for know this one no more."""
    disk.make_folder(home, 0o700)
    plain = {"record": random_bytes.token_hex(16), "machine": machine_id()}
    disk.replace(home / IDENTITY, json.dumps(plain).encode(), 0o600)
    return plain


def is_of_this_machine(home: Path, disk: Disk) -> bool:
    """The record was made on this machine; a copied PBEM_HOME was not."""
    return identity(home, disk)["machine"] == machine_id()
