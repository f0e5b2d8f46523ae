"""Sets of hexes as whole numbers, one bit for each hex: floods over the whole map in microseconds.

Bit of hex ccrr: 32 * (cc - westernmost column) + rr. A step across a hexside of some kind is a shift of the set of those
hexes that have such a hexside in that direction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

HEIGHT = 32
Field: TypeAlias = int
Steps: TypeAlias = tuple[tuple[int, Field], ...]  # (shift, hexes that have this step)


@dataclass(frozen=True)
class Fields:
    """The steps of one map, by kind of hexside, and the rings of two hexes around each hex."""

    west: int
    steps: Mapping[str, Steps]
    rings: Mapping[int, Field]

    def bit(self, place: int) -> int:
        """Which bit a hex is."""
        return HEIGHT * (place // 100 - self.west) + place % 100

    def of(self, places: Iterable[int]) -> Field:
        """A set of hexes."""
        found = 0
        for place in places:
            found |= 1 << self.bit(place)
        return found

    def hexes(self, field: Field) -> list[int]:
        """The hexes of a set, in order of their numbers."""
        found = []
        while field:
            low = field & -field
            bit = low.bit_length() - 1
            found.append(100 * (bit // HEIGHT + self.west) + bit % HEIGHT)
            field ^= low
        return found

    def has(self, field: Field, place: int) -> bool:
        """The hex is in the set."""
        return bool(field >> self.bit(place) & 1)

    def step(self, kind: str, field: Field) -> Field:
        """Every hex one step of a kind away from a set."""
        found = 0
        if not field:
            return found
        for shift, able in self.steps[kind]:
            moving = field & able
            if moving:
                found |= moving << shift if shift > 0 else moving >> -shift
        return found


def build(
    near: Mapping[int, tuple[int, ...]], kinds: Mapping[str, Callable[[int, int], bool]], rings: Mapping[int, Iterable[int]]
) -> Fields:
    """The fields of a map: `near` six neighbours (0 none), `kinds` whether side i of a hex is of a kind."""
    west = min(h // 100 for h in near) if near else 0
    empty = Fields(west, {}, {})
    steps: dict[str, Steps] = {}
    for kind, is_such in kinds.items():
        able: dict[int, int] = {}
        for h, neighbours in near.items():
            for i, n in enumerate(neighbours):
                if n and is_such(h, i):
                    shift = empty.bit(n) - empty.bit(h)
                    able[shift] = able.get(shift, 0) | 1 << empty.bit(h)
        steps[kind] = tuple(sorted(able.items()))
    return Fields(west, steps, {h: empty.of(ring) for h, ring in rings.items()})
