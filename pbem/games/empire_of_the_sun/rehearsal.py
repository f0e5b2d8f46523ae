"""A copy of the state, for orders that have to be played through before they are judged as a whole."""

from __future__ import annotations

import dataclasses

from pbem.games.empire_of_the_sun.state import Offensive, State
from pbem.kernel.records import from_plain, to_plain


def rehearse(g: State) -> State:
    """The same position: units, control and the offensive may be changed; everything else is shared and is not."""
    pieces = {unit: dataclasses.replace(piece) for unit, piece in g.pieces.items()}
    offensive = from_plain(Offensive, to_plain(g.offensive)) if g.offensive is not None else None
    return dataclasses.replace(
        g, pieces=pieces, control=dict(g.control), offensive=offensive, marks={}, events=[], memo=dict(g.memo)
    )
