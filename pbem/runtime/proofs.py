"""Openings against commitments: a private item, a sealed order, sealed contents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.kernel.canon import Plain
from pbem.protocol import draws, seals
from pbem.protocol.keys import key_bytes
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.ledger import Ledger

if TYPE_CHECKING:
    from pbem.runtime.table import Table


def check_opening(table: Table, handle: str, entry: Plain) -> Plain:
    """The item behind a handle. Raises ProtocolError (bad opening) when it does not fit what was committed."""
    assert isinstance(entry, dict)
    if fits(table.ledger, table.charter.game_id, handle, entry):
        return entry["order"] if handle in table.ledger.seals else entry["item"]
    raise ProtocolError(Outcome.BAD_OPENING, f"the opening of {handle} does not fit what was committed to")


def fits(ledger: Ledger, game_id: str, handle: str, entry: dict[str, Plain]) -> bool:
    """Whether an opening {handle, item | order, salt} gives the commitment or the seal."""
    salt = bytes.fromhex(str(entry["salt"]))
    if handle in ledger.seals:
        seal = ledger.seals[handle]
        key = key_bytes(ledger.key_at(seal.player, seal.seq))
        return seals.seal(game_id, key, seal.seq, seal.number, salt, entry["order"]) == seal.hash
    made = ledger.draw_of(handle)
    promised = ledger.commits.get(f"{made.player} {made.j}") if made else None
    if made is None or promised is None:
        return False
    i = int(handle.rsplit(":", 1)[1])
    key = key_bytes(ledger.key_at(made.player, ledger.committed_in[f"{made.player} {made.j}"]))
    return draws.commitment(game_id, key, made.j, i, salt, entry["item"]) == promised[i]
