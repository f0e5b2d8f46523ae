"""What one player knows and the other does not: items drawn, private dice, sealed contents. Never part of the log."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from msgspec import Struct, field

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Claim
from pbem.protocol import draws
from pbem.protocol.keys import key_bytes
from pbem.runtime.ledger import DrawMade, Ledger


class Unknown(LookupError):
    """A handle whose owner has not opened it and that these secrets do not explain."""


def draw_items(made: DrawMade, secret: bytes, less: list[str]) -> list[Plain]:
    """What draw j gives: items of the pool in canonical order, or one list of dice (protocol, private draws)."""
    private = draws.private_value(secret, bytes.fromhex(made.seed))
    if made.sides:
        return [list(draws.private_dice(private, made.label, made.count, made.sides))]
    pool = sorted(made.base)
    for item in less:
        pool.remove(item)
    return list(draws.shuffle(private, pool, made.count))


class Knowledge(Struct):
    """One player's secrets, applied to a ledger: draw secrets K_j and sealed contents {handle: {order, salt}}."""

    player: str
    secrets: Mapping[int, bytes]  # K_j by j; a derived mapping, see keyring
    sealed: Mapping[str, Mapping[str, Any]]
    ledger: Ledger
    game_id: str
    _items: dict[int, list[Plain]] = field(default_factory=dict)

    def reveal(self, handle: str) -> Plain:
        """The item behind a handle, from what is public or from these secrets. Raises Unknown."""
        if handle in self.ledger.opened:
            return self.ledger.opened[handle]
        if handle in self.sealed:
            order: Plain = self.sealed[handle]["order"]
            return order
        made = self.ledger.draw_of(handle) if ":draw" in handle else None
        if made is None or made.player != self.player:
            raise Unknown(handle)
        return self.items(made)[int(handle.rsplit(":", 1)[1])]

    def items(self, made: DrawMade) -> list[Plain]:
        """All items of one own draw."""
        if made.j not in self._items:
            less = [str(self.reveal(x)) if ":" in x else x for x in made.less]
            self._items[made.j] = draw_items(made, self.secrets[made.j], less)
        return self._items[made.j]

    def hand(self, seat: str) -> dict[str, str]:
        """Item -> handle of what this seat has drawn and not shown; of an item drawn twice the later handle.

        Draws whose key is with the seat's last holder are left out.
        """
        found: dict[str, str] = {}
        for made in self.ledger.draws:
            if made.seat != seat or made.player != self.player or made.sides:
                continue
            with suppress(LookupError):
                drawn = zip(made.handles(), self.items(made), strict=True)
                found.update({str(item): handle for handle, item in drawn if handle not in self.ledger.opened})
        return found

    def commitments(self, made: DrawMade) -> list[str]:
        """The commitments to every item of one own draw."""
        seq = self.ledger.committed_in.get(f"{made.player} {made.j}")
        key = key_bytes(self.ledger.keys[self.player] if seq is None else self.ledger.key_at(self.player, seq))
        secret = self.secrets[made.j]
        return [
            draws.commitment(self.game_id, key, made.j, i, draws.salt(secret, i), item)
            for i, item in enumerate(self.items(made))
        ]

    # -- Supply: what the owner's program opens and states --------------------------------------------------------------

    def opening(self, handle: str) -> Plain | None:
        """The entry that opens an own handle."""
        if handle in self.sealed:
            sealed = self.sealed[handle]
            return {"handle": handle, "order": sealed["order"], "salt": sealed["salt"]}
        made = self.ledger.draw_of(handle) if ":draw" in handle else None
        if made is None or made.player != self.player:
            return None
        i = int(handle.rsplit(":", 1)[1])
        return {"handle": handle, "item": self.items(made)[i], "salt": draws.salt(self.secrets[made.j], i).hex()}

    def claim(self, n: int, request: Claim) -> Plain | None:
        """The true answer to a claim, as the owner's program states it by itself."""
        return {"claim": n, "value": request.truth(self.reveal)}
