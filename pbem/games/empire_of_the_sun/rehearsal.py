"""A copy of the state, for orders that have to be played through before they are judged as a whole."""

from __future__ import annotations

from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.records import from_plain, to_plain


def rehearse(g: State) -> State:
    """The same position, sharing only the board."""
    plain = to_plain(g)
    assert isinstance(plain, dict)
    copy: State = from_plain(State, {**plain, "marks": {}})
    copy.board = g.board
    return copy
