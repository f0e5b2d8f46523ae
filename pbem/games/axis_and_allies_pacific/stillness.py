"""What events leave alone: after some every unit stands where it stood and belongs to whom it belonged, so that an index of
units still holds, and after most of these no land, war or facility has changed; after others one unit and what it carries stand
elsewhere, or it is aboard or ashore, and no land, war or facility has changed.
"""

from __future__ import annotations

from typing import Any, TypeVar

from pbem.kernel.events import QUIET

E = TypeVar("E", bound=type[Any])
STILL: set[type[Any]] = {*QUIET}
LAND: set[type[Any]] = set()
MOVES: set[type[Any]] = set()


def still(kind: E) -> E:
    """Such a kind of event."""
    STILL.add(kind)
    return kind


def still_but_for_land(kind: E) -> E:
    """Such a kind of event after which land, a war or a facility may be another, or with which a turn begins."""
    LAND.add(kind)
    return still(kind)


def moves_one(kind: E) -> E:
    """A kind of event after which only its `unit` may be aboard another ship or none, and only it and what it has aboard may
    stand elsewhere.
    """
    MOVES.add(kind)
    return kind
