"""A player's draw keys: each of his masters serves the 1024 draws of the tree whose root it gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.kernel.wording import msg
from pbem.protocol import draws
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime.knowledge import Unknown
from pbem.runtime.ledger import Ledger


class KeyMissing(ProtocolError, Unknown):
    """The key of a draw is with whoever held the seat before. Its outcome is "waiting": for what he hands over."""

    def __init__(self, j: int) -> None:
        lacking = msg(
            "the key of draw {j} is not in this folder: whoever held the seat before has it. `pbem seat secrets FILE` "
            "takes what he hands over",
            j=j,
        )
        super().__init__(Outcome.WAITING, lacking)


class DrawKeys(dict[int, bytes]):
    """K_j by j, computed when asked for. Draws of trees whose master is unknown must be given as `known`.

    Raises KeyMissing for a draw of a tree that neither covers.
    """

    def __init__(self, ledger: Ledger, player: str, nonce: str, masters: Sequence[bytes], known: Any = None) -> None:
        super().__init__({int(j): bytes.fromhex(shown["key"]) for j, shown in (known or {}).items()})
        self._known, self._nonce, self._masters = known or {}, nonce, masters
        self._trees = [t for t in ledger.trees if t.player == player]
        self._ledger, self._player = ledger, player

    def __missing__(self, j: int) -> bytes:
        return draws.draw_secret(self._master(j), j)

    def path(self, j: int) -> list[str]:
        """The Merkle path of draw key j."""
        shown = self._known.get(str(j))
        return list(shown["path"]) if shown else draws.path(self._nonce, self._master(j), j)

    def _master(self, j: int) -> bytes:
        if len(self._trees) == len(self._masters) == 1:
            return self._masters[0]
        made = next((d for d in self._ledger.draws if d.player == self._player and d.j == j), None)
        tree = self._ledger.tree_of(self._player, j, made.source if made else self._ledger.source)
        for master in self._masters:
            if tree is not None and draws.root(self._nonce, master) == tree.root:
                return master
        raise KeyMissing(j)
