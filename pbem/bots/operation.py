"""An operation: units that do something together for one goal, what that is worth, and why."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from pbem.kernel.canon import Plain


class Operation(Struct, frozen=True):
    """Orders (`steps`) in players' notation that belong together.

    `goal`: the place or thing it is about; one operation is chosen for a goal. `units`: who takes part, in the game's own
    numbers. `value`: what is expected of it, gain less cost, in thousandths of the game's unit of account. `reasons`: the
    numbers behind the value by name, for whoever wants to be told why. `stand`: where units of it end that the main body could
    cover; `lone`: what it is worth less when the body goes elsewhere.
    """

    goal: str
    units: frozenset[int]
    value: int
    steps: tuple[Plain, ...]
    reasons: Mapping[str, int] = field(default_factory=dict)
    stand: str = ""
    lone: int = 0

    def excludes(self, other: Operation) -> bool:
        """Not both: they have the goal or a unit in common."""
        return self.goal == other.goal or not self.units.isdisjoint(other.units)
