"""`found` and `advance_to` for tests of the program as it is: the same step from the same folders is taken once in a run.

From then on what it left is copied. Its keys and dice hang on the folders before it and on the step alone, so that they are the
same whoever takes it first. A test that changes the program before such a step takes it from `tests.toygame.folders`.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from pbem.protocol import charter
from pbem.store import clock
from tests.commands import bytes_of
from tests.dice import source
from tests.toygame import folders

Result = TypeVar("Result")
REAL_CLOCK = clock.now
FOLDERS, NOWHERE = Path("home", "games.json"), b"/nowhere"  # it names them by their whole paths
_KEPT: dict[str, tuple[Path, Any]] = {}


def found(seats: dict[str, str], role: str = "", **more: Any) -> list[str]:
    """`folders.found`, once for the same seats."""
    return [*_once(f"found {seats} {role} {more}", lambda: folders.found(seats, role, **more))]


def advance_to(players: list[str], kind: str, seed: int = 1) -> str:
    """`folders.advance_to`, once from the same position."""
    return _once(f"advance {players} {kind} {seed}", lambda: folders.advance_to(players, kind, seed))


def _once(step: str, prepare: Callable[[], Result]) -> Result:
    """What `prepare` answers, and the working folder as it leaves it. Where a test has a clock of its own it is done anew."""
    if clock.now is not REAL_CLOCK:
        return prepare()
    settings = sorted((name, value) for name, value in os.environ.items() if name.startswith("PBEM_"))
    before = hashlib.sha256(
        f"{step}\n{settings}\n{charter.CHAIN_LENGTH}\n{bytes_of(Path(), bytes(Path.cwd()))}".encode()
    ).hexdigest()
    if before not in _KEPT:
        with source.under(before):
            answer = prepare()
        _KEPT[before] = (_kept_at(before), answer)
        return answer
    kept, answer = _KEPT[before]
    for path in Path().iterdir():
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(kept, ".", dirs_exist_ok=True, symlinks=True)
    _renamed(NOWHERE, bytes(Path.cwd()))
    return answer  # type: ignore[no-any-return]


def _kept_at(name: str) -> Path:
    if not _KEPT:
        atexit.register(shutil.rmtree, _root(), ignore_errors=True)
    kept = Path(shutil.copytree(".", _root() / name, symlinks=True))
    _renamed(bytes(Path.cwd()), NOWHERE, kept)
    return kept


def _renamed(before: bytes, after: bytes, root: Path = Path()) -> None:
    """The list of the machine's game folders, as it would be at another place."""
    if (listed := root / FOLDERS).exists():
        listed.write_bytes(listed.read_bytes().replace(before, after))


def _root() -> Path:
    return Path(os.environ.get("PYTEST_DEBUG_TEMPROOT") or tempfile.gettempdir(), f"pbem-remembered-{os.getpid()}")
