"""A job as plain data, and the file of results: one JSON line a job, named by the job's hash, so that a stopped run goes on."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pbem.kernel.canon import Plain, canonical, digest
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import ProtocolError, unreadable
from pbem.store.disk import Disk
from pbem.store.paths import home

TAG = "pbem/1 job"


@dataclass(frozen=True)
class Job:
    """Something to do: of which kind, and with what. Everything that its result depends on stands in the arguments."""

    kind: str
    arguments: Mapping[str, Plain]

    @property
    def plain(self) -> dict[str, Plain]:
        """The job as it is hashed and written."""
        return {"kind": self.kind, "arguments": dict(self.arguments)}

    @cached_property
    def id(self) -> str:
        """SHA-256 of the canonical job. Raises NotPlain for arguments that are not plain data."""
        return digest(TAG, self.plain)


@dataclass
class Kept:
    """Results by job id, in memory alone."""

    found: dict[str, Plain] = field(default_factory=dict)

    def add(self, job: Job, result: Plain) -> None:
        """A job is done."""
        self.found[job.id] = result


class Lines(Kept):
    """Results in a file: each is appended as soon as it is there, as `{"id", "job", "result"}` in canonical form."""

    def __init__(self, path: Path, disk: Disk | None = None) -> None:
        """Read what a run before has left; the half of a last line is dropped with the next result.

        Raises ProtocolError (unreadable) for a file that holds something else.
        """
        super().__init__()
        self.path, self.disk, self._size = path, disk or Disk(), 0
        self._before: dict[str, bytes] = {}
        self._catch_up()

    def add(self, job: Job, result: Plain) -> None:
        """A job is done: on the disk when this returns. Raises NotWritten, BlockingIOError, ProtocolError."""
        line = _line(job, result)
        with self.disk.alone_at(home()):
            self._catch_up()
            self.disk.append(self.path, line, self._size)
            self._size += len(line)
        super().add(job, result)

    def put_in_order(self, jobs: Sequence[Job], seen: Sequence[Job]) -> None:
        """The file holds what it held of other jobs, then these in their order: equal bytes, whoever did them, and when.

        Left out is what was done too much: what this run has done and nobody has seen; nothing where another run has written
        into the file meanwhile. Raises what `add` does.
        """
        own = {job.id for job in jobs}
        with self.disk.alone_at(home()):
            self._catch_up()
            wanted = {*self._before, *(job.id for job in seen)}
            lines = {id: line for id, line in self._before.items() if id not in own}
            lines |= {job.id: _line(job, self.found[job.id]) for job in jobs if job.id in wanted}
            data = b"".join(lines.values())
            if data != self.disk.tail(self.path, 0):
                self.disk.replace(self.path, data)
            self._size = len(data)

    def _catch_up(self) -> None:
        """Read the file where another run has written into it, or nothing was read yet."""
        if (self.path.stat().st_size if self.path.exists() else 0) == self._size:
            return
        data = self.disk.tail(self.path, 0)
        whole, _, torn = data.rpartition(b"\n")
        for number, line in enumerate(whole.split(b"\n") if whole else (), 1):
            self._read(number, line)
        self._size = len(data) - len(torn)

    def _read(self, number: int, line: bytes) -> None:
        entry = None
        with suppress(ValueError, RecursionError):
            entry = json.loads(line)
        if not (isinstance(entry, dict) and {"id", "job", "result"} == entry.keys() and _is_of(entry["id"], entry["job"])):
            raise _no_results(self.path, number)
        self.found[entry["id"]] = entry["result"]
        self._before[entry["id"]] = line + b"\n"


def _is_of(id: Plain, job: Plain) -> bool:
    """A job's own id, so that nobody's result stands for another job."""
    with suppress(ValueError):
        return digest(TAG, job) == id
    return False


def _line(job: Job, result: Plain) -> bytes:
    return canonical({"id": job.id, "job": job.plain, "result": result}) + b"\n"


def _no_results(path: Path, number: int) -> ProtocolError:
    return unreadable(
        msg("line {number} of {path} is no result of a job: name another file for the results", number=number, path=str(path))
    )
