"""Where this program keeps keys and the record of signatures."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

PLACE = "private/place.json"  # in a game folder: which record of signatures vouches for it
IDENTITY = "record.json"  # in the home: which record it is
LOCK = "home.lock"  # in the home: who reads a file there and writes it anew holds it


def home() -> Path:
    """PBEM_HOME, else the XDG configuration folder."""
    if "PBEM_HOME" in os.environ:
        return Path(os.environ["PBEM_HOME"])
    return Path(os.environ.get("XDG_CONFIG_HOME", Path.home() / ".config")) / "pbem"


@contextmanager
def own_keys(folder: Path) -> Iterator[None]:
    """The keys of a local game are kept with its game folders, in `keys` below `folder`."""
    before = os.environ.get("PBEM_HOME")
    os.environ["PBEM_HOME"] = str(folder / "keys")
    try:
        yield
    finally:
        os.environ.pop("PBEM_HOME")
        if before is not None:
            os.environ["PBEM_HOME"] = before


def keys_of(game: Path) -> AbstractContextManager[None]:
    """While something is done in a game folder: the keys that lie beside it, where it names their record."""
    parties = game.absolute().parent
    with suppress(OSError, ValueError, TypeError, LookupError, RecursionError):
        beside = json.loads((parties / "keys" / IDENTITY).read_bytes())["record"]
        if json.loads((game / PLACE).read_bytes())["record"] == beside:
            return own_keys(parties)
    return nullcontext()
