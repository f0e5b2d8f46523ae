"""What this machine knows of its games: which folders hold one, and which files of others were looked at already.

Both are notes beside the keys, no proof: without them `pbem inbox` has to be told where games are, and looks at files again.
"""

from __future__ import annotations

import json
import os
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

from pbem.store.disk import Disk
from pbem.store.paths import home, keys_of

GAMES, SEEN = "games.json", "seen.json"
Stamp = tuple[int, int]  # size in bytes, time of the last change in ns


def note(path: Path) -> None:
    """A command works in this game folder, and it is none of `pbem play`, which has its own keys beside it.

    What cannot be written is left: the command's own work does not need it.
    """
    if not (path / "pbem.json").exists() or not isinstance(keys_of(path), nullcontext):
        return
    name = os.path.abspath(path)
    if name in _names():
        return
    with suppress(OSError), Disk().alone_at(home()):
        names = dict.fromkeys([*_names(), name])
        Disk().replace(home() / GAMES, json.dumps([*names]).encode(), 0o600)


def folders() -> list[Path]:
    """The game folders that commands have worked in and that are still there, in the order in which they came."""
    return [path for path in map(Path, _names()) if (path / "pbem.json").exists()]


def _names() -> list[str]:
    plain = _read(GAMES)
    return [name for name in plain if isinstance(name, str)] if isinstance(plain, list) else []


def seen() -> dict[str, Stamp]:
    """The files that need no second look, by absolute name, as they were then."""
    plain = _read(SEEN)
    found: dict[str, Stamp] = {}
    for name, value in plain.items() if isinstance(plain, dict) else ():
        if isinstance(value, list) and len(value) == 2 and all(isinstance(n, int) for n in value):
            found[name] = (value[0], value[1])
    return found


def write_seen(stamps: dict[str, Stamp]) -> None:
    """The files that need no second look from now on. Raises OSError."""
    if stamps != seen():
        Disk().make_folder(home(), 0o700)
        Disk().replace(home() / SEEN, json.dumps(stamps, sort_keys=True).encode(), 0o600)


def stamp(path: Path) -> Stamp:
    """How a file is now. Raises OSError."""
    found = path.stat()
    return found.st_size, found.st_mtime_ns


def _read(name: str) -> Any:
    with suppress(OSError, ValueError, RecursionError):
        return json.loads((home() / name).read_bytes())
    return None
