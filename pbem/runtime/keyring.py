"""A player's draw keys: each of his masters serves the 1024 draws of the tree whose root it gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.protocol import draws
from pbem.runtime.ledger import Ledger


class DrawKeys(dict[int, bytes]):
    """K_j by j, computed when asked for. Draws of trees whose master is unknown must be given as `known`.

    Raises LookupError for a draw of a tree that neither covers.
    """

    def __init__(self, ledger: Ledger, player: str, nonce: str, masters: Sequence[bytes], known: Any = None) -> None:
        super().__init__({int(j): bytes.fromhex(shown["key"]) for j, shown in (known or {}).items()})
        self._known, self._nonce, self._masters = known or {}, nonce, masters
        self._trees = [t for t in ledger.trees if t.player == player]

    def __missing__(self, j: int) -> bytes:
        return draws.draw_secret(self._master(j), j)

    def path(self, j: int) -> list[str]:
        """The Merkle path of draw key j."""
        shown = self._known.get(str(j))
        return list(shown["path"]) if shown else draws.path(self._nonce, self._master(j), j)

    def _master(self, j: int) -> bytes:
        if len(self._trees) == len(self._masters) == 1:
            return self._masters[0]
        tree = [t for t in self._trees if t.first <= j][-1]
        for master in self._masters:
            if draws.root(self._nonce, master) == tree.root:
                return master
        raise LookupError(f"the key of draw {j} is not in this folder: whoever held the seat before has it")
