"""Lines of an opening book, of which a number draws one by weight."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar


class Weighted(Protocol):
    """A line that is played so often among others."""

    @property
    def weight(self) -> int:
        """At least 1."""
        ...


L = TypeVar("L", bound=Weighted)


def weight_of(lines: Sequence[Weighted]) -> int:
    """All weights together."""
    return sum(line.weight for line in lines)


def by_weight(lines: Sequence[L], number: int) -> L:
    """The line that a number from 0, less than all weights together, falls on. Raises LookupError for a larger one."""
    for line in lines:
        if number < line.weight:
            return line
        number -= line.weight
    raise LookupError(number)
