"""[MOB-01] [MOB-02] What industrial complexes can make this turn, and where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from pbem.games.axis_and_allies_pacific.state import SEA, State

CAPACITY = {"minor-ic": 3, "major-ic": 10}
Used = Mapping[tuple[str, ...], int]  # complexes that could make units placed this turn -> how many such units


def usable_complex(g: State, power: str, territory: str) -> bool:
    """[MOB-01] An own complex, in a territory held since before the turn, not built or captured this turn."""
    held = g.start.control.get(territory) == power and g.control[territory] == power
    found = g.facility(territory, *CAPACITY)
    return held and found is not None and not found.fresh


def left(g: State, territory: str) -> int:
    """[MOB-02] Ten or three units, less one for each point of damage; what was enlarged this turn makes three [MOB-01]."""
    found = g.facility(territory, *CAPACITY)
    assert found is not None, f"no complex in {territory}"
    return max(0, CAPACITY["minor-ic" if found.enlarged else found.type] - found.damage)


def makers_for(g: State, power: str, kind: str, space: str) -> tuple[str, ...]:
    """[MOB-03] [MOB-04] [MOB-05] The complexes that can make a unit of this type in a space, by name."""
    memo, question = g.lasting(), ("makers for", power, kind, space)
    if question not in memo:
        memo[question] = tuple(sorted(_makers(g, power, kind, space)))
    found: tuple[str, ...] = memo[question]
    return found


def _makers(g: State, power: str, kind: str, space: str) -> list[str]:
    if space in g.board.territories:
        return [space] if kind not in SEA and usable_complex(g, power, space) else []
    if kind in ("fighter", "tactical-bomber") or kind in SEA:
        return [t for t in g.board.neighbours[space] if t in g.board.territories and usable_complex(g, power, t)]
    return []


def room_for(g: State, makers: tuple[str, ...], used: Used) -> int:
    """[MOB-02] How many more units these complexes can make, when each unit placed is counted wherever it leaves most room.

    What is bound to some complexes fits if no set of them has to make more than it can (Hall).
    """
    return max(0, min(capacity - made for capacity, made in _burdens(g, makers, used)))


def _burdens(g: State, makers: tuple[str, ...], used: Used) -> Iterator[tuple[int, int]]:
    """For each set of complexes that holds these: what it can make, and what it has to make already."""
    others = [t for t in dict.fromkeys(t for group in used for t in group) if t not in makers]
    for number in range(len(others) + 1):
        for more in combinations(others, number):
            together = {*makers, *more}
            made = sum(n for group, n in used.items() if together.issuperset(group))
            yield sum(left(g, t) for t in sorted(together)), made
