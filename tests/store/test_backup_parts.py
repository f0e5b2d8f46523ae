"""Backups by their parts: what is packed, which archives are unpacked, which are kept, what a failure says."""

from __future__ import annotations

import os
import stat
import time
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store import backups
from pbem.store.disk import Disk


def refused(source: Path) -> tuple[Outcome, str]:
    with pytest.raises(ProtocolError) as caught:
        backups.unpack(source)
    return caught.value.outcome, str(caught.value)


@pytest.fixture
def game(tmp_path: Path) -> Path:
    path = tmp_path / "game"
    for name in ("pbem.json", "log.jsonl", "private/key", "private/key.new", "checkpoint.json", "files/0001-x.yaml"):
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(name.encode() * 300)
    return path


def packed(path: Path, *members: tuple[str, bytes], how: int = zipfile.ZIP_STORED) -> Path:
    with zipfile.ZipFile(path, "w", how) as made:
        for name, data in members:
            made.writestr(name, data)
    return path


# -- packing -----------------------------------------------------------------------------------------------------------


def test_a_backup_holds_what_is_no_cache(game: Path, tmp_path: Path) -> None:
    source = tmp_path / "a.zip"
    data = backups.bundle(game, Disk())
    source.write_bytes(data)
    names = ["pbem.json", "log.jsonl", "private/key"]
    assert backups.unpack(source) == {name: name.encode() * 300 for name in names}
    with zipfile.ZipFile(source) as made:
        assert [m.filename for m in made.infolist()] == names
        for member in made.infolist():
            assert (member.external_attr, member.compress_type) == (0o600 << 16, zipfile.ZIP_DEFLATED)
            assert member.date_time == (1980, 1, 1, 0, 0, 0) and member.compress_size < member.file_size
    assert backups.bundle(game, Disk()) == data
    assert set(backups.CONTENT) >= {"private/secrets.json", "private/lock.json", "private/place.json", "notes.jsonl"}


# -- unpacking ---------------------------------------------------------------------------------------------------------


def none(source: Path, damaged: str = "") -> tuple[Outcome, str]:
    return Outcome.UNREADABLE, f"{source} is no backup of a game folder{damaged}; nothing was restored"


def too_large(source: Path, why: str) -> tuple[Outcome, str]:
    return Outcome.TOO_LARGE, f"{source} is no backup that this program made ({why}); nothing was restored"


def test_what_is_no_backup(tmp_path: Path) -> None:
    source = tmp_path / "a.zip"
    broken = packed(tmp_path / "b.zip", ("pbem.json", b"x" * 50)).read_bytes()
    for data in (b"", b"PK", broken[:-5], broken.replace(b"x" * 50, b"y" * 50), broken[10:]):
        source.write_bytes(data)
        assert refused(source) == none(source, ", or it is damaged"), data
    packed(source, ("log.jsonl", b"x"))
    assert refused(source) == none(source)
    with pytest.raises(FileNotFoundError):
        backups.unpack(tmp_path / "none")
    packed(source, ("pbem.json", b"x"), ("private/other", b"y"), ("../key", b"z"))
    assert backups.unpack(source) == {"pbem.json": b"x"}


@pytest.mark.parametrize("how", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_ways_of_packing_that_no_backup_has(tmp_path: Path, how: int) -> None:
    source = packed(tmp_path / "a.zip", ("pbem.json", b"x"), how=how)
    assert refused(source) == none(source, ", or it is damaged")
    other = packed(tmp_path / "b.zip", ("pbem.json", b"x"))
    with zipfile.ZipFile(other, "a", how) as made:
        made.writestr("other", b"x")
    assert backups.unpack(other) == {"pbem.json": b"x"}, "what is passed over may be packed as it likes"


def test_how_many_members_an_archive_has(tmp_path: Path) -> None:
    own = ("pbem.json", b"x")
    source = packed(tmp_path / "a.zip", own, *((f"{n}", b"") for n in range(19)))
    assert backups.unpack(source) == {"pbem.json": b"x"}
    packed(source, own, *((f"{n}", b"") for n in range(20)))
    assert refused(source) == too_large(source, "21 members, not at most 20")
    packed(source, own, *((f"{n:04d}" * 25, b"") for n in range(200)))
    assert refused(source) == too_large(source, "more than 20 members")


def listed(tmp_path: Path, size: int, before: bytes = b"") -> Path:
    """An archive of one member whose list says that it is so long."""
    source = packed(tmp_path / "l.zip", ("pbem.json", b"x"))
    data = source.read_bytes()
    end = data.rfind(b"PK\x05\x06")
    source.write_bytes(data[:end] + before + data[end : end + 12] + size.to_bytes(4, "little") + data[end + 16 :])
    return source


def test_how_long_the_list_of_members_is(tmp_path: Path) -> None:
    assert refused(listed(tmp_path, (1 << 14) + 1)) == too_large(tmp_path / "l.zip", "more than 20 members")
    assert refused(listed(tmp_path, 1 << 14)) == none(tmp_path / "l.zip", ", or it is damaged")
    assert refused(listed(tmp_path, 1 << 24)) == too_large(tmp_path / "l.zip", "more than 20 members")
    size = len("pbem.json") + 46
    assert backups.unpack(listed(tmp_path, size)) == {"pbem.json": b"x"}
    locator = b"PK\x06\x07" + bytes(16)
    assert refused(listed(tmp_path, size, locator)) == too_large(tmp_path / "l.zip", "more than 20 members")
    assert refused(listed(tmp_path, size, locator + b"x"))[0] is not Outcome.TOO_LARGE, "it stands right before the end"
    source, short = tmp_path / "e.zip", b"PK\x05\x06" + bytes(18)
    long = short[:12] + (1 << 20).to_bytes(4, "little") + short[16:]
    for data in (short + long, long, locator + short):
        source.write_bytes(data)
        assert refused(source) == too_large(source, "more than 20 members"), "the last end counts, wherever it stands"
    source.write_bytes(b"\xff" * 60)
    assert refused(source) == none(source, ", or it is damaged")


def test_how_large_and_dense_an_archive_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, deflated = tmp_path / "a.zip", zipfile.ZIP_DEFLATED
    packed(source, ("pbem.json", b"x" * (1 << 20)), how=deflated)
    assert len(backups.unpack(source)["pbem.json"]) == 1 << 20, "a mebibyte may be as dense as it likes"
    packed(source, ("pbem.json", b"x" * ((1 << 20) + 1)), how=deflated)
    assert refused(source) == too_large(source, "pbem.json is packed more than 100 times")
    packed(source, ("pbem.json", b"x"), ("other", b"x" * ((1 << 20) + 1)), how=deflated)
    assert backups.unpack(source) == {"pbem.json": b"x"}
    noise = b"".join(n.to_bytes(2, "big") * 40 for n in range(20_000))
    packed(source, ("pbem.json", noise), how=deflated)
    ratio = len(noise) / zipfile.ZipFile(source).infolist()[0].compress_size
    assert ratio > 2
    for most, fits in ((int(ratio) + 1, True), (int(ratio), False)):
        monkeypatch.setattr(backups, "MOST_DENSE", most)
        if fits:
            assert backups.unpack(source) == {"pbem.json": noise}
        else:
            assert refused(source) == too_large(source, f"pbem.json is packed more than {most} times")
    monkeypatch.setattr(backups, "MOST_BYTES", 2 << 20)
    both = ("pbem.json", b"x" * (1 << 20)), ("log.jsonl", b"x" * (1 << 20))
    packed(source, *both, ("other", b"x" * (1 << 20)), how=deflated)
    assert backups.unpack(source).keys() == {"pbem.json", "log.jsonl"}
    packed(source, *both, ("charter.yaml", b"x"), how=deflated)
    assert refused(source) == too_large(source, "more than 2 MiB unpacked")
    source.write_bytes(bytes(2 << 20))
    assert refused(source) == none(source, ", or it is damaged")
    source.write_bytes(bytes((2 << 20) + 1))
    assert refused(source) == too_large(source, "more than 2 MiB")


def test_a_member_that_is_larger_than_it_says_fills_no_memory(tmp_path: Path) -> None:
    """It says that it holds a mebibyte, and unpacks to forty."""
    source = packed(tmp_path / "a.zip", ("pbem.json", bytes(40 << 20)), how=zipfile.ZIP_DEFLATED)
    data = bytearray(source.read_bytes())
    listed = data.rfind(b"PK\x01\x02")
    data[listed + 24 : listed + 28] = (1 << 20).to_bytes(4, "little")
    source.write_bytes(data)
    tracemalloc.start()
    try:
        assert refused(source) == none(source, ", or it is damaged")
        assert tracemalloc.get_traced_memory()[1] < 8 << 20
    finally:
        tracemalloc.stop()


# -- keeping -----------------------------------------------------------------------------------------------------------


def test_a_backup_is_kept_behind_its_file(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = backups.keep(game, Disk(), 7)
    assert made == game / "backups/0007.zip" == backups.newest(game) and made.read_bytes() == backups.bundle(game, Disk())
    assert stat.S_IMODE(made.stat().st_mode) == 0o600 and stat.S_IMODE(made.parent.stat().st_mode) == 0o700
    monkeypatch.setattr(backups, "_superfluous", lambda found: [path for path in found if path.stem == "0007"])
    assert backups.keep(game, Disk(), 8) == game / "backups/0008.zip"
    assert sorted(p.name for p in made.parent.iterdir()) == ["0008.zip"]


def failing(error: OSError) -> Callable[..., Any]:
    def fail(*_: Any) -> Any:
        raise error

    return fail


def test_a_failure_is_a_remark(game: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for error, why in ((OSError(28, "No space left"), "No space left"), (OSError("just words"), "just words")):
        disk = Disk()
        monkeypatch.setattr(disk, "replace", failing(error))
        assert backups.keep(game, disk, 7) is None
        told = f"Mind: no backup was made in {game / 'backups'} ({why}). The game goes on.\n"
        assert capsys.readouterr() == ("", told)


def test_a_week_ends_at_the_same_time_everywhere(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever travels loses no backup by it: Sunday and Monday are those of UTC."""
    folder, monday = game / "backups", 1_767_571_200  # 2026-01-05
    folder.mkdir()
    for n, when in enumerate((monday - 3600, monday + 3600, *(monday + day * 604_800 for day in (1, 2, 3)))):
        (folder / f"{n:04d}.zip").touch()
        os.utime(folder / f"{n:04d}.zip", (when, when))
    try:
        for zone in ("AAA+5", "AAA-5", "UTC"):
            monkeypatch.setenv("TZ", zone)
            time.tzset()
            assert backups._superfluous(backups._numbered(game)) == []
    finally:
        monkeypatch.undo()
        time.tzset()


def test_which_backups_there_are(game: Path) -> None:
    folder = game / "backups"
    assert backups.newest(game) is None and not backups.covers(game, 0) and backups.files_of_newest(game) == []
    folder.mkdir()
    for name in ("0002.zip", "0010.zip", "10000.zip", "mine.zip", "0011.zip.new", "٣.zip", "²1.zip"):
        (folder / name).touch()
    assert backups.newest(game) == folder / "10000.zip"
    assert backups.covers(game, 10_000) and backups.covers(game, 9_999) and not backups.covers(game, 10_001)
    backups.drop_from(game, Disk(), 10)
    assert backups.newest(game) == folder / "0002.zip" and (folder / "mine.zip").exists()
    (folder / "0005.zip").touch()
    assert backups.drop_all_but(folder / "0002.zip", Disk()) == 1 and backups.newest(game) == folder / "0002.zip"
    assert sorted(p.name for p in folder.glob("*.zip")) == sorted(["0002.zip", "mine.zip", "٣.zip", "²1.zip"])


def test_the_files_of_the_newest_backup(game: Path) -> None:
    lines = [b'{"kind": "charter", "document": 0}', b'{"kind": "file", "document": 1}', b'{"kind": "slip", "document": 2}']
    lines.append(b'{"kind": "file", "document": 3}')
    log = game / "log.jsonl"
    log.write_bytes(b"\n".join(lines))
    backups.keep(game, Disk(), 1)
    assert backups.files_of_newest(game) == [1, 3]
    for damage in (b"{", b"7", b"{}", b'{"kind": "file"}', b"\xff", b"[]"):
        log.write_bytes(b"\n".join([lines[1], damage, lines[3]]))
        backups.keep(game, Disk(), 2)
        assert backups.files_of_newest(game) == [1]
    (game / "backups/0002.zip").write_bytes(b"")
    assert backups.files_of_newest(game) == []
    (game / "backups/0003.zip").mkdir()
    assert backups.files_of_newest(game) == []
