"""Crash and error sweeps over the log: before or after, never between."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store.disk import Disk
from pbem.store.folder import GameFolder
from pbem.store.log import Log
from tests.store.failing_disk import Crash, FailingDisk, Failure


@pytest.mark.parametrize("error", [0, errno.EIO, errno.ENOSPC])
@pytest.mark.parametrize("part", [0, 0.01, 0.5, 1])
@pytest.mark.parametrize("at", [1, 2, 3])
def test_an_append_is_there_or_not(tmp_path: Path, at: int, part: float, error: int) -> None:
    path = tmp_path / "log.jsonl"
    Log.open(Disk(), path).append("charter", {"a": 1}, "t")
    failure = Failure(at, part=part, error=error)
    with pytest.raises((Crash, OSError)):
        Log.open(FailingDisk(failure), path).append("file", {"b": 2}, "t")
    failure.close()
    log = Log.open(Disk(), path)
    assert len(log.entries) == 1 or not error, "an error leaves the log as it was"
    log.append("file", {"c": 3}, "t")
    assert Log.open(Disk(), path).entries[-1]["document"] == {"c": 3}


def test_the_same_program_goes_on_after_a_failed_append(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    log = Log.open(FailingDisk(Failure(2, error=errno.ENOSPC)), path)
    with pytest.raises(OSError, match=r"log\.jsonl"):
        log.append("charter", {"a": 1}, "t")
    log.append("charter", {"b": 1}, "t")
    assert [e["document"] for e in Log.open(Disk(), path).entries] == [{"b": 1}]


def test_a_short_write_is_continued(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    Log.open(FailingDisk(Failure(2, short=True)), path).append("charter", {"a": 1}, "t")
    assert Log.open(Disk(), path).entries[0]["document"] == {"a": 1}


@pytest.mark.parametrize("error", [0, errno.EIO, errno.ENOSPC, errno.EACCES])
@pytest.mark.parametrize("at", range(1, 5))
def test_a_replaced_file_is_old_or_new(tmp_path: Path, at: int, error: int) -> None:
    path = tmp_path / "f"
    Disk().replace(path, b"old")
    failure = Failure(at, error=error)
    with pytest.raises((Crash, OSError)):
        FailingDisk(failure).replace(path, b"new")
    failure.close()
    assert path.read_bytes() in (b"old", b"new")
    Disk().replace(path, b"later")
    assert path.read_bytes() == b"later"


def test_a_folder_appears_whole_or_not(tmp_path: Path) -> None:
    with pytest.raises(ValueError), Disk().whole_folder(tmp_path / "f") as beside:
        (beside / "one").write_text("1")
        raise ValueError
    assert not list(tmp_path.iterdir())
    with Disk().whole_folder(tmp_path / "f") as beside:
        (beside / "one").write_text("1")
        assert not (tmp_path / "f").exists()
    assert (tmp_path / "f" / "one").read_text() == "1"


def test_reading_a_log_writes_nothing(tmp_path: Path) -> None:
    """Another program may be in the middle of its append."""
    path = tmp_path / "log.jsonl"
    Log.open(Disk(), path).append("file", {"i": 1}, "t")
    path.write_bytes(path.read_bytes() + b'{"n":1')
    before = path.read_bytes()
    assert "dropped" in Log.open(Disk(), path).torn
    assert path.read_bytes() == before


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
    log.append("file", {"i": 2}, "t")
    after = Log.open(Disk(), path)
    assert not after.torn and len(after.entries) == 2


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


def test_a_withdrawn_file_stays_in_the_log_and_leaves_its_line(tmp_path: Path) -> None:
    log = Log.open(Disk(), tmp_path / "log.jsonl")
    for kind, document in (
        ("charter", {"game": "x"}),
        ("file", {"seq": 1, "text": "first"}),
        ("withdrawn", {"seq": 1, "id": "ab", "refusal": None}),
        ("file", {"seq": 1, "text": "second"}),
    ):
        log.append(kind, document, "2026-01-01T00:00:00Z")
    again = Log.open(Disk(), tmp_path / "log.jsonl")
    assert [f.get("text") for f in again.files()] == [None, "second"]
    assert len(again.entries) == 4
