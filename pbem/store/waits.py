"""Whether the files of a folder that hold no decision wait for their player's orders; a note of its owner's, no proof."""

from __future__ import annotations

from pbem.store.folder import GameFolder

NOTE = "wait"  # while it is there
SAYS = b"Dice before a question to you wait for your orders: pbem wait off\n"


def waits(folder: GameFolder) -> bool:
    """Whether they wait."""
    return (folder.path / NOTE).exists()


def put(folder: GameFolder, on: bool) -> None:
    """From now on they wait, or they go out at once."""
    if on:
        folder.disk.replace(folder.path / NOTE, SAYS)
    else:
        folder.disk.remove(folder.path / NOTE)
