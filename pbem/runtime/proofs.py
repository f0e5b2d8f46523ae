"""Openings against commitments: a private item, a sealed order, sealed contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.kernel.canon import Plain
from pbem.kernel.wording import msg
from pbem.protocol import draws, seals
from pbem.protocol.keys import key_bytes
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.ledger import DrawMade, Ledger

if TYPE_CHECKING:
    from pbem.runtime.table import Table


def check_opening(table: Table, handle: str, entry: Plain) -> Plain:
    """The item behind a handle. Raises ProtocolError (bad opening) when it does not fit what was committed."""
    assert isinstance(entry, dict)
    if not fits(table.ledger, table.charter.game_id, handle, entry):
        raise ProtocolError(
            Outcome.BAD_OPENING, msg("the opening of {handle} does not fit what was committed to", handle=handle)
        )
    if handle in table.ledger.seals:
        return entry["order"]
    made = table.ledger.draw_of(handle)
    if made is None or not _could_give(made, entry["item"]):
        raise ProtocolError(
            Outcome.BAD_OPENING, msg("{handle} cannot be what its opening says: the draw does not hold it", handle=handle)
        )
    return entry["item"]


def _could_give(made: DrawMade, item: Plain) -> bool:
    """Whether a draw could give this item at all: one of its base; of a private roll as many numbers as dice."""
    if not made.sides:
        return item in made.base
    dice = item if isinstance(item, list) else []
    return len(dice) == made.count and all(type(d) is int and 1 <= d <= made.sides for d in dice)


def fits(ledger: Ledger, game_id: str, handle: str, entry: dict[str, Plain]) -> bool:
    """Whether an opening {handle, item | order, salt} gives the commitment or the seal."""
    salt = bytes.fromhex(str(entry["salt"]))
    if handle in ledger.seals:
        if "order" not in entry:
            return False
        seal = ledger.seals[handle]
        key = key_bytes(ledger.key_at(seal.player, seal.seq))
        return seals.seal(game_id, key, seal.seq, seal.number, salt, entry["order"]) == seal.hash
    made = ledger.draw_of(handle)
    promised = ledger.commits.get(f"{made.player} {made.j}") if made else None
    if made is None or promised is None or "item" not in entry:
        return False
    i = int(handle.rsplit(":", 1)[1])
    key = key_bytes(ledger.key_at(made.player, ledger.committed_in[f"{made.player} {made.j}"]))
    return draws.commitment(game_id, key, made.j, i, salt, entry["item"]) == promised[i]
