"""File names for players whose names are no file names everywhere: ASCII, in small letters, no device of Windows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pbem.kernel.canon import sha256_hex
from pbem.protocol.ids import document_id

_PLAIN = re.compile(r"[a-z0-9-]+")
_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])")


def in_game(player: str, players: Iterable[str]) -> str:
    """A player's part of file names in a game folder: his name, or p1, p2 by its place among the sorted names."""
    return player if _is_safe(player) else f"p{[*sorted({*players, player})].index(player) + 1}"


def of_key(player: str) -> str:
    """The name of a player's key file, the same in every game: his name, or the start of its hash."""
    return player if _is_safe(player) else f"key-{sha256_hex(player.encode())[:16]}"


def _is_safe(name: str) -> bool:
    """Any system takes this file name, and none takes it for another."""
    return bool(_PLAIN.fullmatch(name)) and not _DEVICE.fullmatch(name)


def of_outgoing(document: Mapping[str, Any], part: str) -> str:
    """A file, slip or note in the outbox, without its suffix; `part`: of its player."""
    if document["type"] == "heal":
        return f"heal-{int(document['seq']):04d}-{document_id(dict(document))[:12]}"
    if document["type"] == "note":
        return f"note-{int(document['n']):04d}-{part}"
    if document["type"] != "slip":
        return f"{int(document['seq']):04d}-{part}"
    about = [f"{int(document['place']):04d}"] if "place" in document else []
    if document["slip"] in ("head", "restored"):  # there may be several
        about = [document_id(dict(document))[:12]]
    return "-".join(["slip", document["slip"], *about, *([document["then"]] if "then" in document else []), part])
