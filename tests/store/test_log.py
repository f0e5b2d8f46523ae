"""Crash and error sweeps over the log: before or after, never between."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store.disk import Disk
from pbem.store.folder import GameFolder
from pbem.store.log import Log


class Crash(Exception):
    """The machine stops here."""


class FailingDisk(Disk):
    """Stops or fails at step `at`; a torn write leaves `part` bytes."""

    def __init__(self, at: int, part: int = 0, error: int = 0) -> None:
        self.at, self.part, self.error, self.steps = at, part, error, 0

    def _step(self) -> bool:
        self.steps += 1
        return self.steps == self.at

    def _fail(self) -> None:
        if self.error:
            raise OSError(self.error, "the disk fails")
        raise Crash

    def write(self, descriptor: int, data: bytes) -> None:
        if self._step():
            super().write(descriptor, data[: self.part])
            self._fail()
        super().write(descriptor, data)

    def sync(self, descriptor: int) -> None:
        if self._step():
            self._fail()
        super().sync(descriptor)

    def rename(self, old: Path, new: Path) -> None:
        if self._step():
            self._fail()
        super().rename(old, new)


@pytest.mark.parametrize("error", [0, errno.EIO, errno.ENOSPC])
@pytest.mark.parametrize("part", [0, 1, 40])
@pytest.mark.parametrize("at", [1, 2])
def test_an_append_is_there_or_not(tmp_path: Path, at: int, part: int, error: int) -> None:
    path = tmp_path / "log.jsonl"
    Log.open(Disk(), path).append("charter", {"a": 1}, "t")
    with pytest.raises((Crash, OSError)):
        Log.open(FailingDisk(at, part, error), path).append("file", {"b": 2}, "t")
    log = Log.open(Disk(), path)
    assert len(log.entries) in (1, 2)
    log.append("file", {"c": 3}, "t")
    assert Log.open(Disk(), path).entries[-1]["document"] == {"c": 3}


@pytest.mark.parametrize("at", range(1, 4))
def test_a_replaced_file_is_old_or_new(tmp_path: Path, at: int) -> None:
    path = tmp_path / "f"
    Disk().replace(path, b"old")
    with pytest.raises(Crash):
        FailingDisk(at, 1).replace(path, b"new")
    assert path.read_bytes() in (b"old", b"new")


def test_every_changed_byte_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log = Log.open(Disk(), path)
    for i in range(3):
        log.append("file", {"i": i}, "t")
    head, data = log.head, path.read_bytes()
    for at in range(len(data)):
        path.write_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
        try:
            assert Log.open(Disk(), path).head != head, at
        except ProtocolError as damage:
            assert damage.outcome is Outcome.LOG_DAMAGED


def test_dropped_swapped_and_doubled_lines_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log = Log.open(Disk(), path)
    for i in range(3):
        log.append("file", {"i": i}, "t")
    a, b, c = path.read_bytes().splitlines(keepends=True)
    for lines in ([b, c], [a, c], [b, a, c], [a, a, b, c]):
        path.write_bytes(b"".join(lines))
        with pytest.raises(ProtocolError):
            Log.open(Disk(), path)


def test_a_torn_last_line_is_dropped_with_a_message(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    Log.open(Disk(), path).append("file", {"i": 1}, "t")
    path.write_bytes(path.read_bytes() + b'{"n":1')
    log = Log.open(Disk(), path)
    assert "dropped" in log.torn and len(log.entries) == 1
    assert not Log.open(Disk(), path).torn


def test_one_program_at_a_time(tmp_path: Path) -> None:
    disk = Disk()
    with disk.lock(tmp_path / "lock"), pytest.raises(BlockingIOError), disk.lock(tmp_path / "lock"):
        pass


def test_private_files_are_private(tmp_path: Path) -> None:
    from pbem.store.folder import PlayerSecrets

    folder = GameFolder.create(tmp_path / "g", {"a": 1})
    folder.save_secrets(PlayerSecrets.fresh("nowak"))
    assert (tmp_path / "g" / "private").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "g" / "private" / "secrets.json").stat().st_mode & 0o777 == 0o600
