"""The only place that writes to the disk: appending, replacing and locking so that a crash leaves before or after."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from pbem.kernel.wording import msg
from pbem.protocol.outcomes import unreadable
from pbem.store import clock
from pbem.store.paths import LOCK

MOMENT = 3.0  # seconds in which a program that works for a moment only is done


class NotWritten(OSError):
    """Something could not be written; what was there before is still there."""


class Disk:
    """Files by name. Every OSError that leaves it names the file; what cannot be written raises NotWritten.

    Tests replace `open`, `put`, `sync`, `rename`, `sync_folder`, `truncate` and `mkdir` to crash before each of
    these steps, to tear writes and to raise I/O errors.
    """

    # -- what the rest of the program uses --------------------------------------------------------------------------

    def read(self, path: Path) -> bytes:
        """The whole file."""
        return path.read_bytes()

    def tail(self, path: Path, start: int) -> bytes:
        """What a file holds from a byte on; nothing where it is missing."""
        try:
            with path.open("rb") as file:
                file.seek(start)
                return file.read()
        except FileNotFoundError:
            return b""

    def append(self, path: Path, data: bytes, size: int) -> None:
        """Append behind the first `size` bytes and force to disk; a torn tail behind them is dropped first.

        After an error the file is cut back to `size`, where the disk still lets it; a torn tail that stays is no
        line of the file, and the next append drops it.
        """
        is_new = not path.exists()
        with _named(path):
            descriptor = self.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
            try:
                if os.fstat(descriptor).st_size != size:
                    self.truncate(descriptor, size)
                self._write(descriptor, data)
            except OSError:
                with contextlib.suppress(OSError):
                    self.truncate(descriptor, size)
                raise
            finally:
                os.close(descriptor)
            if is_new:
                self.sync_folder(path.parent)

    def replace(self, path: Path, data: bytes, mode: int = 0o644) -> None:
        """Write a new file beside the old one, force it to disk, then take its place."""
        beside = path.with_name(path.name + ".new")
        with _named(path), _alone_in(path.parent):
            with contextlib.suppress(FileNotFoundError):
                beside.unlink()  # left by a crash; its mode may be another
            descriptor = self.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
            try:
                self._write(descriptor, data)
            finally:
                os.close(descriptor)
            self.rename(beside, path)
            self.sync_folder(path.parent)

    def remove(self, path: Path) -> None:
        """The file goes, if it is there."""
        with _named(path):
            path.unlink(missing_ok=True)

    @contextlib.contextmanager
    def whole_folder(self, path: Path, mode: int = 0o755) -> Iterator[Path]:
        """A folder to be filled under another name; it takes the name `path` when all is written, else it goes.

        Each program fills one of its own, beside those that a crash has left: all go when one of them has got the name.
        Raises ProtocolError (unreadable) when that was another program's.
        """
        beside = path.with_name(path.name + ".new") / os.urandom(8).hex()
        with _named(path):
            try:
                self.make_folder(beside, mode)
                yield beside
                self.rename(beside, path)
            except Exception:
                shutil.rmtree(beside, ignore_errors=True)
                with contextlib.suppress(OSError):
                    beside.parent.rmdir()
                if path.is_dir() and any(path.iterdir()):
                    raise unreadable(msg("{to} exists already: name a new folder", to=str(path))) from None
                raise
            for left in beside.parent.glob("[0-9a-f]" * 16):
                shutil.rmtree(left, ignore_errors=True)
            with contextlib.suppress(OSError):  # a folder of this name that holds something else is somebody's own
                beside.parent.rmdir()
            self.sync_folder(path.parent)

    def make_folder(self, path: Path, mode: int = 0o755) -> None:
        """A folder with its parents, unless it is there."""
        with _named(path):
            self.mkdir(path, mode)

    @contextlib.contextmanager
    def lock(self, path: Path, patience: float = 0) -> Iterator[None]:
        """One program at a time in a folder; `patience`: seconds in which the other one may end.

        Raises BlockingIOError when another one is at work, OSError without locks.
        """
        with _named(path):
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            with _named(path):
                _wait_for(descriptor, patience)
            yield
        finally:
            os.close(descriptor)

    @contextlib.contextmanager
    def alone_at(self, home: Path) -> Iterator[None]:
        """Of the programs of this home one reads a file there, or one that they share, and writes it anew at a time.

        Raises what `lock` does, when another one needs more than a moment.
        """
        self.make_folder(home, 0o700)
        with self.lock(home / LOCK, MOMENT):
            yield

    def _write(self, descriptor: int, data: bytes) -> None:
        """All bytes, however many the system takes at once, and forced to disk."""
        while data:
            data = data[self.put(descriptor, data) :]
        self.sync(descriptor)

    # -- single steps ---------------------------------------------------------------------------------------------------

    def open(self, path: Path, flags: int, mode: int = 0o644) -> int:
        """A file descriptor."""
        return os.open(path, flags, mode)

    def mkdir(self, path: Path, mode: int) -> None:
        """A folder with its parents."""
        path.mkdir(parents=True, exist_ok=True, mode=mode)

    def put(self, descriptor: int, data: bytes) -> int:
        """How many of the bytes were written."""
        return os.write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        """Force a file to disk."""
        os.fsync(descriptor)

    def rename(self, old: Path, new: Path) -> None:
        """Take the other file's place in one step."""
        os.replace(old, new)

    def sync_folder(self, folder: Path) -> None:
        """Force a rename to disk, where the system can."""
        with contextlib.suppress(OSError):
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def truncate(self, descriptor: int, size: int) -> None:
        """Drop what stands behind `size` bytes."""
        os.ftruncate(descriptor, size)


@contextlib.contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """What is written beside a file has the same name in all programs: they wait for each other, as each needs a moment.

    A lock of the folder itself leaves no file and ends with its program. Windows locks no folders; there no program can take
    away or rename what another one has open. Raises BlockingIOError when another one is still at work then.
    """
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        yield
        return
    try:
        try:
            _wait_for(descriptor, MOMENT)
        except BlockingIOError:
            raise
        except OSError:
            pass  # a disk without locks
        yield
    finally:
        os.close(descriptor)


def _wait_for(descriptor: int, patience: float) -> None:
    end = clock.ticks() + patience
    while not _is_taken(descriptor, clock.ticks() >= end):
        clock.wait(0.02)


def _is_taken(descriptor: int, at_last: bool) -> bool:
    """The lock is ours now. Raises what `_take_lock` does when this is the last attempt."""
    try:
        _take_lock(descriptor)
    except BlockingIOError:
        if at_last:
            raise
        return False
    return True


def _take_lock(descriptor: int) -> None:
    """Raises BlockingIOError when it is taken, OSError where the system has no locks: without one nothing is signed."""
    try:
        import fcntl
    except ImportError:
        _take_windows_lock(descriptor)
        return
    fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _take_windows_lock(descriptor: int) -> None:
    try:
        import msvcrt
    except ImportError:
        raise OSError(errno.ENOLCK, "this system cannot lock files, so that two programs could sign at once") from None
    try:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    except OSError as error:
        raise BlockingIOError(errno.EAGAIN, "locked by another program") from error


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    """An error of writing is one by name; that of a descriptor does not say which file it was."""
    try:
        yield
    except (BlockingIOError, NotWritten):
        raise
    except OSError as error:
        raise NotWritten(error.errno, error.strerror or str(error), str(error.filename or path)) from None
