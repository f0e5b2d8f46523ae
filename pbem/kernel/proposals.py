"""Orders that a question proposes: likely to be legal, and judged only when somebody looks at them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
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


class Found(Sequence[Plain]):
    """Orders that are looked for one after the other, as far as somebody wants to know them."""

    def __init__(self, coming: Iterable[Plain]) -> None:
        self._coming, self._known = iter(coming), list[Plain]()

    def more_than(self, number: int) -> bool:
        """There are more than so many."""
        self._known.extend(islice(self._coming, max(0, number + 1 - len(self._known))))
        return len(self._known) > number

    def __iter__(self) -> Iterator[Plain]:
        at = 0
        while self.more_than(at):
            yield self._known[at]
            at += 1

    def __len__(self) -> int:
        self._known.extend(self._coming)
        return len(self._known)

    def __getitem__(self, index: Any) -> Any:
        return [*self][index]


def has_choice(orders: Sequence[Plain]) -> bool:
    """There is more than one."""
    return orders.more_than(1) if isinstance(orders, Found) else len(orders) > 1


def stands(read: Read, order: Plain) -> bool:
    """The order is legal."""
    try:
        read(order)
    except Rejected:
        return False
    return True
