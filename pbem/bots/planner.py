"""Chooses among operations those that can be carried out together and are worth most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce
from operator import or_

from msgspec.structs import replace

from pbem.bots.operation import Operation

STANDS = 6  # places of the main body that are tried
ROUNDS = 12  # of repair; each has to gain something


def select(operations: Sequence[Operation]) -> list[Operation]:
    """Operations without a common goal or unit, best first; the better of two greedy choices, repaired by swaps.

    Only those that are worth something are taken. The order of the proposals decides between equals.
    """
    able = [o for o in operations if o.value > 0]
    by_value = sorted(range(len(able)), key=lambda i: -able[i].value)
    by_share = sorted(range(len(able)), key=lambda i: -able[i].value // (1 + len(able[i].units)))
    rank = {number: i for i, number in enumerate(by_value)}
    field = _Field([able[i] for i in by_value])
    plans = [field.repaired(field.greedy(order)) for order in (range(len(able)), [rank[i] for i in by_share])]
    one, other = ([field.operations[i] for i in plan] for plan in plans)
    return sorted(one if worth(one) >= worth(other) else other, key=lambda o: -o.value)


def select_around(operations: Sequence[Operation], stands: Sequence[str] = ()) -> tuple[str, list[Operation]]:
    """The same for a main body that covers one place: the place that gives the best plan, and that plan.

    Operations that end elsewhere are worth less by what they risk alone. `stands`: the places that the body may choose from,
    by default the `STANDS` most wanted ones, or none.
    """
    wanted: dict[str, int] = {}
    for operation in operations:
        if operation.lone > 0 and operation.value > 0:
            saved = min(operation.lone, operation.value)
            wanted[operation.stand] = max(saved, wanted.get(operation.stand, 0))
    places = list(stands) or ["", *sorted(wanted, key=lambda s: (-wanted[s], s))[:STANDS]]
    plans = [(place, select([_seen_from(place, o) for o in operations])) for place in places]
    return max(plans, key=lambda found: worth(found[1]))


def _seen_from(place: str, operation: Operation) -> Operation:
    if operation.lone <= 0 or operation.stand == place:
        return operation
    return replace(operation, value=operation.value - operation.lone)


def worth(plan: Sequence[Operation]) -> int:
    """What the operations of a plan are worth together."""
    return sum(o.value for o in plan)


class _Field:
    """Operations by number, the most valuable first. Sets of them are bits of one integer: the lowest is the best of them."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.operations = operations
        self.values = [o.value for o in operations]
        goals, takers = dict[str, int](), dict[int, int]()  # who has each goal, each unit
        for number, operation in enumerate(operations):
            goals[operation.goal] = goals.get(operation.goal, 0) | 1 << number
            for unit in operation.units:
                takers[unit] = takers.get(unit, 0) | 1 << number
        self.excluded = [reduce(or_, (takers[u] for u in o.units), goals[o.goal]) for o in operations]  # by each

    def greedy(self, order: Iterable[int]) -> list[int]:
        """Each that excludes nobody before it."""
        plan, busy = list[int](), 0
        for number in order:
            if not busy >> number & 1:
                plan.append(number)
                busy |= self.excluded[number]
        return plan

    def repaired(self, plan: list[int]) -> list[int]:
        """Puts one operation in the place of those that it excludes, and fills up, as long as that gains something."""
        for _ in range(ROUNDS):
            better = self._one_swap(plan)
            if better is None:
                break
            plan = better
        return plan

    def _one_swap(self, plan: list[int]) -> list[int] | None:
        """The first swap that gains something."""
        held, everybody = sum(1 << i for i in plan), (1 << len(self.operations)) - 1
        ways: dict[int, tuple[int, int]] = {}  # who goes: what they were worth, and who can come instead
        for number, value in enumerate(self.values):
            gone = self.excluded[number] & held
            if gone not in ways:
                staying = reduce(or_, (self.excluded[i] for i in plan if not gone >> i & 1), 0)
                ways[gone] = sum(self.values[i] for i in plan if gone >> i & 1), everybody & ~staying
            lost, able = ways[gone]
            if held >> number & 1 or value * 3 < lost:
                continue
            filling = self._filling(able & ~self.excluded[number])
            if value + sum(self.values[i] for i in filling) > lost:
                return [*(i for i in plan if not gone >> i & 1), number, *filling]
        return None

    def _filling(self, able: int) -> list[int]:
        """Those of the able that exclude nobody before them."""
        found = []
        while able:
            best = (able & -able).bit_length() - 1
            found.append(best)
            able &= ~self.excluded[best]
        return found
