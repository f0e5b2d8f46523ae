"""Sets of hexes as whole numbers, one bit for each hex: floods over the whole map in microseconds.

Bit of hex ccrr: 32 * (cc - westernmost column) + rr. A step across a hexside of some kind is a shift of the set of those
hexes that have such a hexside in that direction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

HEIGHT = 32
Field: TypeAlias = int
Steps: TypeAlias = tuple[tuple[int, Field], ...]  # (shift, hexes that have this step)


@dataclass(frozen=True, eq=False)
class Fields:
    """The steps of one map, by kind of hexside, the rings of two hexes around each hex, and long ways by sea.

    `links`: (start, end, hexes between them): ways over hexes that a small map leaves out.
    """

    west: int
    steps: Mapping[str, Steps]
    rings: Mapping[int, Field]
    links: tuple[tuple[Field, Field, int], ...] = ()

    def bit(self, place: int) -> int:
        """Which bit a hex is."""
        return HEIGHT * (place // 100 - self.west) + place % 100

    def of(self, places: Iterable[int]) -> Field:
        """A set of hexes."""
        found = 0
        for place in places:
            found |= 1 << self.bit(place)
        return found

    def hexes(self, places: Field) -> list[int]:
        """The hexes of a set, in order of their numbers."""
        found = []
        while places:
            low = places & -places
            bit = low.bit_length() - 1
            found.append(100 * (bit // HEIGHT + self.west) + bit % HEIGHT)
            places ^= low
        return found

    def has(self, places: Field, place: int) -> bool:
        """The hex is in the set."""
        return bool(places >> self.bit(place) & 1)

    def step(self, kind: str, places: Field) -> Field:
        """Every hex one step of a kind away from a set."""
        found = 0
        if not places:
            return found
        for shift, able in self.steps[kind]:
            moving = places & able
            if moving:
                found |= moving << shift if shift > 0 else moving >> -shift
        return found


@dataclass(slots=True)
class Crossing:
    """The long ways by sea during one flood: who has set out, and when he arrives."""

    fields: Fields
    closed: Field
    steps: int = 0
    waiting: list[tuple[int, Field]] = field(default_factory=list)

    def step(self, setting_out: Field) -> Field:
        """One hex further: the hexes where somebody arrives."""
        if not self.fields.links:
            return 0
        self.steps += 1
        for start, end, length in self.fields.links:
            if setting_out & start and not end & self.closed:
                self.waiting.append((self.steps + length - 1, end))
        arrived = 0
        for when, end in self.waiting:
            if when == self.steps:
                arrived |= end
        self.waiting = [w for w in self.waiting if w[0] > self.steps]
        return arrived


def build(
    near: Mapping[int, tuple[int, ...]],
    kinds: Mapping[str, Callable[[int, int], bool]],
    rings: Mapping[int, Iterable[int]],
    links: Mapping[tuple[int, int], int],
) -> Fields:
    """The fields of a map: `near` six neighbours (0 none), `kinds` whether side i of a hex is of a kind, `links` lengths."""
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
    far = tuple((empty.of([a]), empty.of([b]), n) for (a, b), n in links.items() if a in near and b in near)
    return Fields(west, steps, {h: empty.of(ring) for h, ring in rings.items()}, far)
