"""What somebody can do who has lost his key, his secrets or his passphrase: the ways out, in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import ProtocolError
from pbem.store import backups


def ways_out(game: Path, player: str = "") -> str:
    """Backup, a new key by others, resignation: one sentence. `player`: whose folder this is, where it is known."""
    newest = backups.newest(game)
    restore = f"restore the newest backup (pbem restore {newest} NEW-FOLDER)" if newest else "restore a backup (pbem restore)"
    resign = "resign (`pbem resign`, or, where the key is gone, by telling the others)"
    return f"What can be done: {restore}; {_new_key(_charter(game), player)}; or {resign}."


def _charter(game: Path) -> dict[str, Any]:
    try:
        return strict_yaml.read_document((game / "charter.yaml").read_bytes())[0]
    except (ProtocolError, OSError):
        return {}


def _new_key(charter: dict[str, Any], player: str) -> str:
    """Who may give the seat a new key, by the charter."""
    how = f"`pbem seat take {player or 'NAME'}` in a new folder that watches the game, then `pbem seat give`"
    try:
        umpire, seats = charter.get("umpire") or {}, list(charter["seats"].values())
        sides = {s["side"] for s in seats if s["player"] == player}
        allies = sorted({s["player"] for s in seats if s["side"] in sides and s["player"] not in (None, player)})
        if charter.get("lost_keys") == "umpire" and umpire:
            return f"have the umpire {umpire['player']} give the seat a new key ({how} by him)"
    except (LookupError, TypeError, AttributeError):
        return "see who may give the seat a new key: `lost_keys` in charter.yaml"
    if charter.get("lost_keys") == "others" and allies:
        return f"have an ally ({', '.join(allies)}) give the seat a new key when all others agree ({how} by him)"
    return "nobody may give the seat a new key: the charter says so"
