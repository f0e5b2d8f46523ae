"""Orders that a question proposes: likely to be legal, and judged only when somebody looks at them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected

Read = Callable[[Plain], Any]


class Proposals(Sequence[Plain]):
    """Orders that may be legal, in their order and each once."""

    def __init__(self, read: Read, candidates: Iterable[Plain]) -> None:
        self.read, self.candidates = read, list({str(order): order for order in candidates}.values())

    @cached_property
    def legal(self) -> list[Plain]:
        """Those that stand."""
        return [o for o in self.candidates if stands(self.read, o)]

    def __len__(self) -> int:
        return len(self.legal)

    def __getitem__(self, index: Any) -> Any:
        return self.legal[index]


def stands(read: Read, order: Plain) -> bool:
    """The order is legal."""
    try:
        read(order)
    except Rejected:
        return False
    return True
