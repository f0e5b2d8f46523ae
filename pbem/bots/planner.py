"""Chooses among operations those that can be carried out together and are worth most."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pbem.bots.operation import Operation

STANDS = 6  # places of the main body that are tried
ROUNDS = 12  # of repair; each has to gain something


def select(operations: Sequence[Operation]) -> list[Operation]:
    """Operations without a common goal or unit, best first; the better of two greedy choices, repaired by swaps.

    Only those that are worth something are taken. The order of the proposals decides between equals.
    """
    able = [o for o in operations if o.value > 0]
    by_value = sorted(able, key=lambda o: -o.value)
    by_share = sorted(able, key=lambda o: -o.value // (1 + len(o.units)))
    one, other = (_repaired(_greedy([], order), by_value) for order in (by_value, by_share))
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


def _greedy(kept: Sequence[Operation], order: Sequence[Operation]) -> list[Operation]:
    plan = list(kept)
    goals, busy = {o.goal for o in plan}, {u for o in plan for u in o.units}
    for operation in order:
        if operation.goal not in goals and busy.isdisjoint(operation.units):
            plan.append(operation)
            goals.add(operation.goal)
            busy |= operation.units
    return plan


def _repaired(plan: list[Operation], order: Sequence[Operation]) -> list[Operation]:
    """Puts one operation in the place of those that it excludes, and fills up, as long as that gains something."""
    for _ in range(ROUNDS):
        better = _one_swap(plan, order)
        if better is None:
            break
        plan = better
    return plan


def _one_swap(plan: list[Operation], order: Sequence[Operation]) -> list[Operation] | None:
    held = worth(plan)
    for operation in order:
        if operation in plan:
            continue
        kept = [other for other in plan if not operation.excludes(other)]
        lost = held - worth(kept)
        if operation.value * 3 < lost:
            continue
        filled = _greedy([*kept, operation], order)
        if worth(filled) > held:
            return filled
    return None
