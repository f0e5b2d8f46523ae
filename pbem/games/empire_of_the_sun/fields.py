"""Sets of hexes as whole numbers, one bit for each hex: floods over the whole map in microseconds.

Bit of hex ccrr: 32 * (cc - westernmost column) + rr. A step across a hexside of some kind is a shift of the set of those
hexes that have such a hexside in that direction.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import Any, TypeAlias, TypeVar

HEIGHT = 32
_DIGITS = bytes(int(chr(i) == "1") for i in range(256))  # "0" and "1" as numbers
MOST_KEPT, MOST_OF_A_KIND = 4096, 12  # floods that are kept: beginnings, results for one
T = TypeVar("T")
Field: TypeAlias = int
Steps: TypeAlias = tuple[tuple[int, Field], ...]  # (shift, hexes that have this step)


class Floods:
    """Results of floods by what they begin with, the last few of each: one holds while no hex that it met is another one."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, list[tuple[tuple[Field, ...], Field, Any]]] = {}

    def find(self, begin: Hashable, obstacles: tuple[Field, ...], flood: Callable[[], tuple[T, Field]]) -> T:
        """The result of a flood, which gives it with the hexes whose obstacles it has looked at."""
        kept = self._kept.get(begin)
        if kept is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            kept = self._kept[begin] = []
        for before, met, found in kept:
            if not any((one ^ other) & met for one, other in zip(before, obstacles, strict=True)):
                known: T = found
                return known
        result, met = flood()
        kept.insert(0, (obstacles, met, result))
        del kept[MOST_OF_A_KIND:]
        return result

    def forget(self) -> None:
        """Every flood is made anew."""
        self._kept.clear()


@dataclass(frozen=True, eq=False)
class Fields:
    """The steps of one map, by kind of hexside, the rings of two hexes around each hex, and long ways by sea.

    `links`: (start, end, hexes between them): ways over hexes that a small map leaves out.
    """

    west: int
    steps: Mapping[str, Steps]
    rings: Mapping[int, Field]
    links: tuple[tuple[Field, Field, int], ...] = ()
    floods: Floods = field(default_factory=Floods)

    @cached_property
    def far_ends(self) -> Field:
        """Where the long ways by sea end."""
        return sum({end for _, end, _ in self.links})

    def bit(self, place: int) -> int:
        """Which bit a hex is."""
        return HEIGHT * (place // 100 - self.west) + place % 100

    @cached_property
    def one(self) -> Mapping[int, Field]:
        """Each hex alone."""
        return _Single(self)

    @cached_property
    def _numbers(self) -> list[int]:
        """The hex of each bit."""
        return [100 * (bit // HEIGHT + self.west) + bit % HEIGHT for bit in range(HEIGHT * (100 - self.west))]

    def of(self, places: Iterable[int]) -> Field:
        """A set of hexes."""
        found, one = 0, self.one
        for place in places:
            found |= one[place]
        return found

    def hexes(self, places: Field) -> list[int]:
        """The hexes of a set, in order of their numbers."""
        return list(compress(self._numbers, f"{places:b}".encode()[::-1].translate(_DIGITS)))

    def has(self, places: Field, place: int) -> bool:
        """The hex is in the set."""
        return bool(places & self.one[place])

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


class _Single(dict[int, Field]):
    """Sets of one hex, each made when it is first asked for."""

    def __init__(self, fields: Fields) -> None:
        super().__init__()
        self.fields = fields

    def __missing__(self, place: int) -> Field:
        found = self[place] = 1 << self.fields.bit(place)
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
