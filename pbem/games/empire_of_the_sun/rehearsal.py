"""A copy of the state, for orders that have to be played through before they are judged as a whole."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.images import copied


def rehearse(g: State, units: Iterable[str] | None = None) -> State:
    """The same position: these units (all of them), control and the offensive may be changed; the rest is shared."""
    offensive = copied(g.offensive) if g.offensive is not None else None
    return dataclasses.replace(
        g,
        pieces=dict(g.pieces),
        control=dict(g.control),
        militia_gone=list(g.militia_gone),
        offensive=offensive,
        marks={},
        events=[],
        memo=g.memo.copy(),
    )
