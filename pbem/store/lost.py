"""What somebody can do who has lost his key, his secrets or his passphrase: the ways out, in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem.kernel.wording import Message, msg
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import ProtocolError
from pbem.store import backups


def ways_out(game: Path, player: str = "") -> Message:
    """Backup, a new key by others, resignation: one sentence. `player`: whose folder this is, where it is known."""
    newest = backups.newest(game)
    restore = msg("restore a backup (pbem restore)")
    if newest:
        restore = msg("restore the newest backup (pbem restore {backup} NEW-FOLDER)", backup=str(newest))
    return msg(
        "What can be done: {restore}; {new_key}; or resign (`pbem resign`, or, where the key is gone, by telling the others).",
        restore=restore,
        new_key=_new_key(_charter(game), player),
    )


def _charter(game: Path) -> dict[str, Any]:
    try:
        return strict_yaml.read_document((game / "charter.yaml").read_bytes())[0]
    except (ProtocolError, OSError):
        return {}


def _new_key(charter: dict[str, Any], player: str) -> Message:
    """Who may give the seat a new key, by the charter."""
    name = player or "NAME"
    try:
        umpire, seats = charter.get("umpire") or {}, list(charter["seats"].values())
        sides = {s["side"] for s in seats if s["player"] == player}
        allies = sorted({s["player"] for s in seats if s["side"] in sides and s["player"] not in (None, player)})
        if charter.get("lost_keys") == "umpire" and umpire:
            return msg(
                "have the umpire {umpire} give the seat a new key (`pbem seat take {name}` in a new folder that "
                "watches the game, "
                "then `pbem seat give` by him)",
                umpire=umpire["player"],
                name=name,
            )
    except (LookupError, TypeError, AttributeError):
        return msg("see who may give the seat a new key: `lost_keys` in charter.yaml")
    if charter.get("lost_keys") == "others" and allies:
        return msg(
            "have an ally ({allies}) give the seat a new key when all others agree (`pbem seat take {name}` "
            "in a new folder that "
            "watches the game, then `pbem seat give` by him)",
            allies=", ".join(allies),
            name=name,
        )
    return msg("nobody may give the seat a new key: the charter says so")
