"""A copy of the state, for orders that have to be played through before they are judged as a whole."""

from __future__ import annotations

from operator import attrgetter

from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.images import copied
from pbem.kernel.records import metadata_of

_values = attrgetter(*metadata_of(State))


def rehearse(g: State) -> State:
    """The same position: places of units, control and the offensive may be changed; the rest is shared."""
    copy = State(*_values(g))
    copy.pieces, copy.control, copy.militia_gone = dict(g.pieces), dict(g.control), list(g.militia_gone)
    copy.offensive = copied(g.offensive) if g.offensive is not None else None
    copy.marks, copy.events, copy.memo = {}, [], g.memo.copy()
    return copy
