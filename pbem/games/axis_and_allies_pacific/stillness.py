"""Events after which every unit stands where it stood and belongs to whom it belonged: an index of units still holds."""

from __future__ import annotations

from typing import Any, TypeVar

from pbem.kernel.events import QUIET

E = TypeVar("E", bound=type[Any])
STILL: set[type[Any]] = {*QUIET}


def still(kind: E) -> E:
    """Such a kind of event."""
    STILL.add(kind)
    return kind
