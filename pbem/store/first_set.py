"""The set of standing orders that a player's first file brings, where his program writes that before he is asked anything."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from pbem.kernel.canon import Plain
from pbem.store import sets
from pbem.store.folder import GameFolder

if TYPE_CHECKING:
    from pbem.store.session import Session

NOTE = "first-set"  # holds its name


def put(folder: GameFolder, name: str, known: Collection[str]) -> None:
    """A set of the game (`known`), or an own one, is to go with the first file. Raises ProtocolError for another name."""
    every = [*sets.own_sets(folder.path), *known]
    if name not in every:
        raise sets.no_such(name, every)
    folder.disk.replace(folder.path / NOTE, f"{name}\n".encode())


def of_first_file(session: Session) -> dict[str, Plain]:
    """The standing orders of a file that the program writes: those of the set, until the first file is there."""
    note = session.folder.path / NOTE
    if not note.exists() or any(entry.player == session.me.player for entry in session.table.ledger.entries[1:]):
        return {}
    return sets.named(session, note.read_bytes().decode().strip())
