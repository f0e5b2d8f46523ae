"""The only place that writes to the disk: appending, replacing and locking so that a crash leaves before or after."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


class Disk:
    """Files by name. Tests replace it to crash before each step, to tear writes and to raise I/O errors."""

    def read(self, path: Path) -> bytes:
        """The whole file."""
        return path.read_bytes()

    def append(self, path: Path, data: bytes) -> None:
        """Append and force to disk. A torn append is noticed and dropped by the reader of the file."""
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            self.write(descriptor, data)
            self.sync(descriptor)
        finally:
            os.close(descriptor)

    def replace(self, path: Path, data: bytes, mode: int = 0o644) -> None:
        """Write a new file beside the old one, force it to disk, then take its place."""
        beside = path.with_name(path.name + ".new")
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode)
        try:
            self.write(descriptor, data)
            self.sync(descriptor)
        finally:
            os.close(descriptor)
        self.rename(beside, path)
        self.sync_folder(path.parent)

    def write(self, descriptor: int, data: bytes) -> None:
        """All bytes, or an OSError."""
        while data:
            data = data[os.write(descriptor, data) :]

    def sync(self, descriptor: int) -> None:
        """Force a file to disk."""
        os.fsync(descriptor)

    def rename(self, old: Path, new: Path) -> None:
        """Take the other file's place in one step."""
        os.replace(old, new)

    def sync_folder(self, folder: Path) -> None:
        """Force a rename to disk, where the system can."""
        with contextlib.suppress(OSError, AttributeError):
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def truncate(self, path: Path, size: int) -> None:
        """Drop what stands behind `size` bytes."""
        os.truncate(path, size)

    @contextlib.contextmanager
    def lock(self, path: Path) -> Iterator[None]:
        """One program at a time in a folder. Raises BlockingIOError when another one is at work."""
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            with contextlib.suppress(ImportError):
                import fcntl

                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        finally:
            os.close(descriptor)
