"""What is computed once: answers about a position that holds until it changes, and the boards of scenarios."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")
MISSING: Any = object()
PRESENCE, PLACES, POSTURE = range(LAYERS := 3)  # who is on the map; where all are, and whose places are; how they stand
BOARDS = 8  # boards of a kind that are kept
_BOARDS: dict[Callable[[Any], Any], dict[int, tuple[Any, Any]]] = {}  # by the id of what each was made of; last used, last


class Memo:
    """Values that hold between two changes of the layout: who is where, how strong, and whose the places are.

    It stands in a cache field of a state. `layout` counts the changes. A game may tell layers of the layout apart: a change of
    one makes the values of that layer and of those behind it worthless.
    """

    __slots__ = ("_held", "layout")

    def __init__(self, layout: int = 0) -> None:
        self.layout = layout
        self._held: list[dict[Any, Any]] = [{} for _ in range(LAYERS)]

    def forget(self, layer: int = PRESENCE) -> None:
        """The layout is another one: nothing that was computed from what has changed holds."""
        self.layout += 1
        for behind in range(layer, LAYERS):
            self._held[behind] = {}

    def cached(self, key: Any, make: Callable[[], T], layer: int = POSTURE) -> T:
        """A value computed once between two changes of its layer or of one before it."""
        held = self._held[layer]
        found: T = held.get(key, MISSING)
        if found is MISSING:
            found = held[key] = make()
        return found

    def copy(self) -> Memo:
        """The same values for a copy of the state; from now on each of the two goes its own way."""
        again = Memo(self.layout)
        again._held = [dict(held) for held in self._held]
        return again

    def fresh(self) -> Memo:
        """One without any value, for a copy of the state that is changed by hand."""
        return Memo(self.layout + 1)


def boards(printed: Any, build: Callable[[Any], T]) -> T:
    """What is made of a scenario or a board, once for each such object, with the last few of a kind kept."""
    kept = _BOARDS.setdefault(build, {})
    held = kept.pop(id(printed), None) or (printed, build(printed))  # held itself: while it lives nothing else has its id
    kept[id(printed)] = held
    while len(kept) > BOARDS:
        del kept[next(iter(kept))]
    board: T = held[1]
    return board
