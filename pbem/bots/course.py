"""What is left of a plan that takes several orders: found by the position, so that the same question gets the same answer
however often it is asked, and of whichever copy of the position.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from pbem.kernel.canon import Plain
from pbem.kernel.hashing import canonical_record

KEPT = 400  # positions for which the rest of a plan is remembered
UNDER_WAY = 8  # games in which a plan is being carried out

Orders = tuple[Plain, ...]


def place_of(g: Any) -> str:
    """A position by its content: the same in every copy of it."""
    return hashlib.sha256(canonical_record(g)).hexdigest()


class _Left(Struct, frozen=True):
    """What the last order given in a game leaves of its plan; so many events had happened by then."""

    game: Any
    name: str
    events: int
    orders: Orders


class Course:
    """The plans of one bot."""

    def __init__(self) -> None:
        self._rest: dict[str, Orders] = {}  # what is planned, and the position -> the orders that are still to be given
        self._left: list[_Left] = []  # one for each game

    def rest(self, g: Any, name: str) -> Orders | None:
        """What is left here of the plan `name` (which has to say all that it is made for); None where there is none.

        A game that has gone on since its last order goes on with the plan, even if it went back to where it was before.
        """
        key = f"{name} {place_of(g)}"
        for left in self._left:
            if left.game is g and left.name == name and left.events != len(g.events):
                self._keep(key, left.orders)
        return self._rest.get(key)

    def begin(self, g: Any, name: str, orders: Sequence[Plain]) -> Orders:
        """A plan for this position."""
        self._keep(f"{name} {place_of(g)}", tuple(orders))
        return tuple(orders)

    def give(self, g: Any, name: str, left: Sequence[Plain]) -> None:
        """An order of the plan is given in this game, which leaves the others."""
        others = [one for one in self._left if one.game is not g]
        self._left = [*others[-UNDER_WAY + 1 :], _Left(g, name, len(g.events), tuple(left))]

    def forget(self) -> None:
        """As after a start of the program."""
        self._rest.clear()
        self._left.clear()

    def _keep(self, key: str, orders: Orders) -> None:
        self._rest[key] = orders
        while len(self._rest) > KEPT:
            del self._rest[next(iter(self._rest))]
