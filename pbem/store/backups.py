"""Backups of a game folder: what belongs to one, and those that the program makes by itself after each signed file."""

from __future__ import annotations

import contextlib
import datetime
import io
import json
import sys
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.store.disk import Disk

CONTENT = (
    "pbem.json",
    "charter.yaml",
    "scenario.json",
    "log.jsonl",
    "notes.jsonl",
    "wait",
    "private/place.json",
    "private/lock.json",
    "private/key",
    "private/key.pub",
    "private/key.next",
    "private/secrets.json",
    "private/pins.json",
)
MOST_MEMBERS, MOST_LISTED = 20, 1 << 14  # of an archive; bytes of its list of members
MOST_BYTES, MOST_DENSE = 64 << 20, 100  # of all members unpacked; how many times one may be packed
NEWEST = 3  # kept; of those before, the last of each week


def bundle(game: Path, disk: Disk) -> bytes:
    """Everything that is not a cache, as the bytes of a zip file. What is encrypted in the folder is encrypted in it.

    Its members have no date: a clock that is wrong keeps no backup from being made.
    """
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as packed:
        for name in CONTENT:
            if (game / name).exists():
                member = zipfile.ZipInfo(name)
                member.external_attr = 0o600 << 16
                packed.writestr(member, disk.read(game / name), zipfile.ZIP_DEFLATED, 1)
    return held.getvalue()


def unpack(source: Path) -> dict[str, bytes]:
    """The files of a backup by name; what it holds besides is passed over. Nothing is unpacked before the limits hold.

    Raises ProtocolError: unreadable, too large; OSError where the file itself cannot be read.
    """
    if source.stat().st_size > MOST_BYTES:
        raise _too_large(source, f"more than {MOST_BYTES >> 20} MiB")
    data = source.read_bytes()
    _check_directory(source, data)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            _check_members(source, packed.infolist())
            held = {m.filename: packed.open(m).read(m.file_size) for m in packed.infolist() if m.filename in CONTENT}
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError):
        raise unreadable(
            msg("{source} is no backup of a game folder, or it is damaged; nothing was restored", source=str(source))
        ) from None
    if "pbem.json" not in held:
        raise unreadable(msg("{source} is no backup of a game folder; nothing was restored", source=str(source)))
    return held


def _check_directory(source: Path, data: bytes) -> None:
    """The list of an archive's members is short. Raises ProtocolError (too large)."""
    end = data.rfind(b"PK\x05\x06")
    size = int.from_bytes(data[end + 12 : end + 16], "little") if end >= 0 else 0
    if size > MOST_LISTED or b"PK\x06\x07" in data[max(end - 20, 0) : end]:
        raise _too_large(source, f"more than {MOST_MEMBERS} members")


def _check_members(source: Path, members: Sequence[zipfile.ZipInfo]) -> None:
    """As many, as large and as densely packed as a backup may be. Raises ProtocolError (too large)."""
    if len(members) > MOST_MEMBERS:
        raise _too_large(source, f"{len(members)} members, not at most {MOST_MEMBERS}")
    wanted = [m for m in members if m.filename in CONTENT]
    if sum(m.file_size for m in wanted) > MOST_BYTES:
        raise _too_large(source, f"more than {MOST_BYTES >> 20} MiB unpacked")
    for member in wanted:
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise zipfile.BadZipFile
        if member.file_size > max(MOST_DENSE * member.compress_size, 1 << 20):
            raise _too_large(source, f"{member.filename} is packed more than {MOST_DENSE} times")


def _too_large(source: Path, why: str) -> ProtocolError:
    return ProtocolError(
        Outcome.TOO_LARGE,
        msg("{source} is no backup that this program made ({why}); nothing was restored", source=str(source), why=why),
    )


def keep(game: Path, disk: Disk, seq: int) -> Path | None:
    """A backup behind file `seq`, and room for the next; None where it failed.

    That is a remark and no error: the file itself is signed and safe.
    """
    folder = game / "backups"
    made = folder / f"{seq:04d}.zip"
    try:
        disk.make_folder(folder, 0o700)
        disk.replace(made, bundle(game, disk), 0o600)
        for old in _superfluous(_numbered(game)):
            disk.remove(old)
    except OSError as error:
        print(f"Mind: no backup was made in {folder} ({error.strerror or error}). The game goes on.", file=sys.stderr)
        return None
    return made


def newest(game: Path) -> Path | None:
    """The last backup that the program has made by itself."""
    return next(iter(_numbered(game)), None)


def files_of_newest(game: Path) -> list[dict[str, Any]]:
    """The files in the log of the newest one, as they stand there; none where it cannot be read."""
    found: list[dict[str, Any]] = []
    with contextlib.suppress(ProtocolError, OSError, LookupError, TypeError, ValueError):
        for line in unpack(_numbered(game)[0])["log.jsonl"].splitlines():
            entry = json.loads(line)
            found += [entry["document"]] if entry["kind"] == "file" else []
    return found


def covers(game: Path, seq: int) -> bool:
    """The newest of them was made behind file `seq`."""
    found = newest(game)
    return found is not None and int(found.stem) >= seq


def drop_all_but(kept: Path, disk: Disk) -> int:
    """Remove the other backups beside this one; how many went."""
    older = [path for path in _numbered(kept.parent.parent) if path != kept]
    for old in older:
        disk.remove(old)
    return len(older)


def drop_from(game: Path, disk: Disk, seq: int) -> None:
    """Remove the backups that hold file `seq`."""
    for path in _numbered(game):
        if int(path.stem) >= seq:
            disk.remove(path)


def _numbered(game: Path) -> list[Path]:
    """The newest first."""
    found = [p for p in (game / "backups").glob("*.zip") if p.stem.isascii() and p.stem.isdecimal()]
    return sorted(found, key=lambda p: int(p.stem), reverse=True)


def _superfluous(backups: list[Path]) -> list[Path]:
    """Those that are neither among the newest nor the last of their week."""
    weeks: set[tuple[int, int]] = set()
    gone = []
    for place, path in enumerate(backups):
        day = datetime.datetime.fromtimestamp(path.stat().st_mtime, datetime.UTC).isocalendar()
        week = (day.year, day.week)
        if place >= NEWEST and week in weeks:
            gone.append(path)
        weeks.add(week)
    return gone
