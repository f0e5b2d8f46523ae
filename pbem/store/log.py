"""The append-only log of a game folder: one canonical JSON line an entry, chained by hashes.

Opening one looks at every link of the chain, and at the form of the newest lines; `verify` reads each line to its last letter.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from pbem.kernel.canon import Plain, canonical, sha256_hex
from pbem.kernel.wording import msg
from pbem.protocol import heal
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store.disk import Disk

START = "0" * 64
_KEYS = {"n", "prev", "kind", "received", "document"}
_KINDS = ("charter", "file", "slip", "withdrawn", "heal")
_TIME = re.compile(r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z")
_TAIL = 16  # lines whose form is looked at on opening: behind an older one the next line's `prev` stands for it


class Log(Struct):
    """The entries {n, prev, kind, received, document}; `kind` is charter, file or slip. `torn`: what recovery dropped."""

    disk: Disk
    path: Path
    entries: list[dict[str, Any]] = field(default_factory=list)
    head: str = START
    torn: str = ""
    size: int = 0  # bytes of the whole lines
    kinds: tuple[str, ...] = _KINDS
    _standing: tuple[str, list[dict[str, Any]]] = ("", [])  # at which head

    @classmethod
    def open(cls, disk: Disk, path: Path, kinds: tuple[str, ...] = _KINDS) -> Log:
        """Read a log; nothing is written. An unfinished last line is left out with a message and goes with the next
        append; other damage raises (log damaged), naming the first entry that is not as it was written.
        """
        log = cls(disk, path, kinds=kinds)
        data = disk.read(path) if path.exists() else b""
        lines = data.split(b"\n")
        log.size = len(data) - len(lines[-1])
        if lines[-1]:
            why = msg("something stopped while it was written, or the file was cut")
            log.torn = f"an unfinished last line of {len(lines[-1])} bytes was dropped: {why}"
        log._read_linked(lines[:-1])
        for line in lines[len(log.entries) : -1]:
            log._read(line)
        return log

    def check(self) -> None:
        """Every line read to its last letter. Raises ProtocolError (log damaged)."""
        whole = Log(self.disk, self.path, kinds=self.kinds)
        for line in self.disk.read(self.path)[: self.size].split(b"\n")[:-1]:
            whole._read(line)

    def _read_linked(self, lines: list[bytes]) -> None:
        """The lines whose successor vouches for them by its `prev`; none of them where one does not."""
        head, found = START, []
        old = lines[:-_TAIL]
        with suppress(ValueError, RecursionError, LookupError, TypeError):
            for n, line in enumerate(old):
                entry = json.loads(line)
                if entry["prev"] != head or not self._has_the_shape(entry, n):
                    return
                head = sha256_hex(line)
                found.append(entry)
            if old and json.loads(lines[len(old)])["prev"] == head:
                self.entries, self.head = found, head

    def _has_the_shape(self, entry: dict[str, Any], n: int) -> bool:
        return (
            entry.keys() == _KEYS
            and entry["n"] == n
            and entry["kind"] in self.kinds
            and isinstance(entry["document"], dict)
            and isinstance(entry["received"], str)
        )

    def _read(self, line: bytes) -> None:
        n = len(self.entries)
        try:
            entry = json.loads(line)
            is_canonical = _is_canonical(line)
        except (ValueError, RecursionError):
            raise ProtocolError(Outcome.LOG_DAMAGED, msg("log entry {n} is not readable", n=n)) from None
        if not isinstance(entry, dict) or entry.get("n") != n or entry.get("prev") != self.head:
            raise ProtocolError(Outcome.LOG_DAMAGED, msg("log entry {n} does not follow entry {n2}", n=n, n2=n - 1))
        if not is_canonical:
            raise ProtocolError(Outcome.LOG_DAMAGED, msg("log entry {n} is not in canonical form", n=n))
        if not self._has_the_shape(entry, n):
            raise ProtocolError(Outcome.LOG_DAMAGED, msg("log entry {n} is no charter, file or slip", n=n))
        self.entries.append(entry)
        self.head = sha256_hex(line)

    def append(self, kind: str, document: dict[str, Plain], received: str) -> None:
        """Add an entry and force it to disk. `received` is this folder's own time of receipt.

        Raises ProtocolError (not written) when another program has written since this one read.
        """
        self._check_unchanged()
        entry: dict[str, Plain] = {
            "n": len(self.entries),
            "prev": self.head,
            "kind": kind,
            "received": received,
            "document": document,
        }
        line = canonical(entry)
        self.disk.append(self.path, line + b"\n", self.size)
        self.size += len(line) + 1
        self.entries.append(json.loads(line))  # as every later reader finds it
        self.head = sha256_hex(line)

    def _check_unchanged(self) -> None:
        """The file still ends with the line that was read last; what stands behind it is an unfinished line at most."""
        before = canonical(self.entries[-1]) + b"\n" if self.entries else b""
        start = self.size - len(before)
        now = self.disk.tail(self.path, start)
        if now[: len(before)] != before or b"\n" in now[len(before) :]:
            reason = msg(
                "another program has written to {path} since this one read it; nothing was written", path=str(self.path)
            )
            raise ProtocolError(Outcome.NOT_WRITTEN, msg("{reason}: give the command again", reason=reason))

    def files(self) -> list[dict[str, Any]]:
        """The charter and the turn files, by seq; after a heal also void places and the heal, which are nobody's files."""
        return [e["document"] for e in self.standing()]

    def standing(self) -> list[dict[str, Any]]:
        """The entries of the charter and the turn files, by seq; a file that its author had to withdraw is left out.

        A heal leaves the files before the parting, those of the version kept, and void places up to its own.
        """
        if self._standing[0] != self.head:
            found: list[dict[str, Any]] = []
            for entry in self.entries:
                if entry["kind"] == "withdrawn":
                    del found[entry["document"]["seq"] :]
                elif entry["kind"] == "heal":
                    found = _healed(found, entry)
                elif entry["kind"] in ("charter", "file"):
                    found.append(entry)
            self._standing = (self.head, found)
        return [*self._standing[1]]

    def known(self) -> list[dict[str, Any]]:
        """Every file that was ever in the log, but for those that were taken back before anybody else had them."""
        gone = {id for e in self.entries if e["kind"] == "withdrawn" for id in e["document"].get("unsent", ())}
        standing = {document_id(document) for document in self.files()} if gone else set()
        files = [e["document"] for e in self.entries if e["kind"] == "file"]
        return [d for d in files if not gone or (name := document_id(d)) not in gone or name in standing]

    def slips(self) -> list[dict[str, Any]]:
        """The slips, oldest first."""
        return [e["document"] for e in self.entries if e["kind"] == "slip"]


@lru_cache(maxsize=256)
def _is_canonical(line: bytes) -> bool:
    """Whether an entry is written as the canonical form has it; a command opens the same logs several times."""
    return canonical(json.loads(line)) == line


def _healed(found: list[dict[str, Any]], entry: dict[str, Any]) -> list[dict[str, Any]]:
    """The entries that stand after a heal; files that were here before keep their time of receipt. Raises ProtocolError."""
    try:
        documents = heal.line([e["document"] for e in found], entry["document"])
    except (ProtocolError, LookupError, TypeError) as error:
        why = error.told if isinstance(error, ProtocolError) else str(error)
        told = msg("log entry {n} heals another log than this: {error}", n=entry["n"], error=why)
        raise ProtocolError(Outcome.LOG_DAMAGED, told) from None
    new = [{**entry, "kind": "file", "document": document} for document in documents]
    return [found[n] if n < len(found) and found[n]["document"] == e["document"] else e for n, e in enumerate(new)]


def check_times(log: Log) -> None:
    """Every entry says when it came. Raises ProtocolError (log damaged)."""
    for entry in log.entries:
        if not _TIME.fullmatch(str(entry["received"])):
            what = msg("log entry {number} does not say when it was received", number=entry["n"])
            raise ProtocolError(Outcome.LOG_DAMAGED, what)


def bundle(files: Sequence[dict[str, Any]], slips: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """A whole game as one document for a verifier: the charter and the files by seq, the slips, the newest file's id."""
    head = document_id(files[-1])
    return {
        "pbem": files[0]["pbem"],
        "type": "game",
        "charter": files[0],
        "files": [*files[1:]],
        "slips": [*slips],
        "head": head,
    }
