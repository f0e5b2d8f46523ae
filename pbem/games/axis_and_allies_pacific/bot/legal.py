"""Which orders of a plan are still legal, whole or for fewer units."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from pbem.kernel.questions import DONE


def next_legal(ask: Ask, orders: Sequence[Plain]) -> tuple[int, Plain] | None:
    """The first of some orders that is legal, or `done`: the number of orders that are passed over, and it."""
    for number, order in enumerate(orders):
        for smaller in smaller_ones(order):
            if is_legal(ask, smaller):
                return number, smaller
    return (len(orders), DONE) if is_legal(ask, DONE) else None


def is_legal(ask: Ask, order: Plain) -> bool:
    try:
        ask.read(order)
    except Rejected:
        return False
    return True


def smaller_ones(order: Plain) -> Iterator[Plain]:
    """An order and the same for fewer units: some may have been lost on the way."""
    yield order
    verb, body = next(iter(order.items())) if isinstance(order, dict) else ("", None)
    units = body.get("units") if isinstance(body, dict) else None
    if isinstance(body, dict) and isinstance(units, dict) and len(units) == 1:
        kind, most = next(iter(units.items()))
        for number in range(int(str(most)) - 1, 0, -1):
            yield {verb: {**body, "units": {kind: number}}}
