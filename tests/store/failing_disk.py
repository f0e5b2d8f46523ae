"""A disk that stops, fails or writes short at a chosen step. A crash also spoils what was not yet forced to disk."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.store.disk import Disk


class Crash(BaseException):
    """The machine stops here: nothing catches this, and nothing is written after it."""


class Failure:
    """What goes wrong at step `at` (from 1): a crash, or an I/O error of this number. `part`: how much of a write gets through.

    `steps` counts, `hit` tells whether the step was reached. Without `at` nothing fails and steps are only counted.
    """

    def __init__(self, at: int = 0, *, error: int = 0, part: float = 0.5, short: bool = False) -> None:
        self.at, self.error, self.part, self.short = at, error, part, short
        self.steps, self.hit = 0, False
        self.unsynced: dict[int, int] = {}  # a duplicate descriptor -> size that is safe on disk

    def step(self) -> None:
        """Count; at the chosen step and, after a crash, at every later one, fail."""
        self.steps += 1
        if self.short:
            return
        if self.hit and not self.error:
            raise Crash
        if self.steps == self.at:
            self.hit = True
            self.fail()

    def fail(self) -> None:
        if self.error:
            raise OSError(self.error, os.strerror(self.error))
        self.spoil()
        raise Crash

    def spoil(self) -> None:
        """The power is gone: of bytes that were not forced to disk only half are there."""
        for descriptor, safe in self.unsynced.items():
            size = os.fstat(descriptor).st_size
            os.ftruncate(descriptor, safe + (size - safe) // 2)

    def wrote(self, descriptor: int, before: int) -> None:
        self.unsynced.setdefault(os.dup(descriptor), before)

    def forced(self, descriptor: int) -> None:
        inode = os.fstat(descriptor).st_ino
        for held in [d for d in self.unsynced if os.fstat(d).st_ino == inode]:
            del self.unsynced[held]
            os.close(held)

    def close(self) -> None:
        for descriptor in self.unsynced:
            os.close(descriptor)


class FailingDisk(Disk):
    """A disk with a failure built in."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure

    def open(self, path: Path, flags: int, mode: int = 0o644) -> int:
        self.failure.step()
        return super().open(path, flags, mode)

    def put(self, descriptor: int, data: bytes) -> int:
        failure, before = self.failure, os.fstat(descriptor).st_size
        if failure.steps + 1 == failure.at and not failure.hit:
            written = super().put(descriptor, data[: int(len(data) * failure.part)])
            failure.wrote(descriptor, before)
            if failure.short:
                failure.steps, failure.hit = failure.steps + 1, True
                return written
        failure.step()
        written = super().put(descriptor, data)
        failure.wrote(descriptor, before)
        return written

    def sync(self, descriptor: int) -> None:
        self.failure.step()
        super().sync(descriptor)
        self.failure.forced(descriptor)

    def rename(self, old: Path, new: Path) -> None:
        self.failure.step()
        super().rename(old, new)

    def sync_folder(self, folder: Path) -> None:
        self.failure.step()
        super().sync_folder(folder)

    def truncate(self, descriptor: int, size: int) -> None:
        self.failure.step()
        super().truncate(descriptor, size)

    def mkdir(self, path: Path, mode: int) -> None:
        self.failure.step()
        super().mkdir(path, mode)


@contextmanager
def everywhere(failure: Failure, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every Disk of the program has this failure."""
    with monkeypatch.context() as patch:
        patch.setattr("pbem.store.folder.Disk", lambda: FailingDisk(failure))
        patch.setattr("pbem.cli.player_key.Disk", lambda: FailingDisk(failure))
        patch.setattr("pbem.cli.proof.Disk", lambda: FailingDisk(failure))
        try:
            yield
        finally:
            failure.close()
