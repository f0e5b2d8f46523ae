"""Sets of hexes as whole numbers, one bit for each hex: floods over the whole map in microseconds.

Bit of hex ccrr: 32 * (cc - westernmost column) + rr, and one more for every second column, so that a step in each of the six
directions is the same shift everywhere: of the set of those hexes that have a hexside of the kind in that direction.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import compress
from typing import Any, TypeAlias, TypeVar

import msgspec
from msgspec import Struct

HEIGHT = 32
ACROSS = HEIGHT + 1
SHIFTS = (-ACROSS, -HEIGHT, -1, 1, HEIGHT, ACROSS)  # of the six directions
_DIGITS = bytes(int(chr(i) == "1") for i in range(256))  # "0" and "1" as numbers
FEW = 32  # hexes of a set that are sooner found one by one
MOST_KEPT, MOST_OF_A_KIND = 4096, 12  # floods that are kept: beginnings, results for one
T = TypeVar("T")
Field: TypeAlias = int
Steps: TypeAlias = tuple[tuple[int, Field], ...]  # (shift, hexes that have this step)


class Floods:
    """Results of floods by what they begin with, the last few of each: one holds while no hex that it met is another one."""

    def __init__(self) -> None:
        self._kept: dict[Hashable, list[tuple[tuple[Field, ...], tuple[Field, ...], Any]]] = {}

    def find(self, begin: Hashable, obstacles: tuple[Field, ...], flood: Callable[[], tuple[T, tuple[Field, ...]]]) -> T:
        """The result of a flood, which gives it with the hexes at which it has looked for each kind of obstacle."""
        kept = self._kept.get(begin)
        if kept is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            kept = self._kept[begin] = []
        for at, (before, met, found) in enumerate(kept):
            for then, now, looked_at in zip(before, obstacles, met, strict=True):
                if (then ^ now) & looked_at:
                    break
            else:
                if at:
                    kept.insert(0, kept.pop(at))  # the next question is probably the same
                known: T = found
                return known
        result, met = flood()
        kept.insert(0, (obstacles, met, result))
        del kept[MOST_OF_A_KIND:]
        return result

    def forget(self) -> None:
        """Every flood is made anew."""
        self._kept.clear()


def moved(places: Field, able: tuple[Field, ...]) -> Field:
    """Every hex one step away from a set; `able`: for each direction the hexes that have this step."""
    nw, sw, n, s, ne, se = able
    west = (places & nw) >> ACROSS | (places & sw) >> HEIGHT
    east = (places & ne) << HEIGHT | (places & se) << ACROSS
    return west | east | (places & n) >> 1 | (places & s) << 1


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
    _planes: dict[int, Planes] = field(default_factory=dict)

    @cached_property
    def far_ends(self) -> Field:
        """Where the long ways by sea end."""
        return sum({end for _, end, _ in self.links})

    def bit(self, place: int) -> int:
        """Which bit a hex is."""
        column, row = divmod(place, 100)
        return HEIGHT * (column - self.west) + row + (column + 1) // 2 - (self.west + 1) // 2

    @cached_property
    def one(self) -> Mapping[int, Field]:
        """Each hex alone."""
        return _Single(self)

    @cached_property
    def _numbers(self) -> list[int]:
        """The hex of each bit."""
        hexes = {self.bit(h): h for column in range(self.west, 100) for h in range(100 * column, 100 * column + HEIGHT)}
        return [hexes.get(bit, 0) for bit in range(max(hexes) + 1)]

    def of(self, places: Iterable[int]) -> Field:
        """A set of hexes."""
        found, one = 0, self.one
        for place in places:
            found |= one[place]
        return found

    def hexes(self, places: Field) -> list[int]:
        """The hexes of a set, in order of their numbers."""
        if places.bit_count() <= FEW:
            return self._few(places)
        return list(compress(self._numbers, f"{places:b}".encode()[::-1].translate(_DIGITS)))

    def _few(self, places: Field) -> list[int]:
        numbers, found = self._numbers, []
        while places:
            bit = places.bit_length() - 1
            found.append(numbers[bit])
            places ^= 1 << bit
        found.reverse()
        return found

    def has(self, places: Field, place: int) -> bool:
        """The hex is in the set."""
        return bool(places & self.one[place])

    def fill(self, kind: str, begin: Field, leave: Field, enter: Field) -> Field:
        """Every hex next to one of a set, and on from those that may be entered; only hexes of `leave` are left."""
        ways, reached, before = self._ways(kind, leave, enter), begin, -1
        while reached != before:
            before = reached
            for shift, one, two in ways:
                if shift > 0:
                    reached |= reached << shift & one
                    reached |= reached << 2 * shift & two
                else:
                    reached |= reached >> -shift & one
                    reached |= reached >> -2 * shift & two
        return self.step(kind, reached & leave)

    def planes(self, changes: int) -> Planes:
        """The map as often as a line by sea and land needs it that changes between the two at most so often."""
        found = self._planes.get(changes)
        if found is None:
            found = self._planes[changes] = _planes(self, changes)
        return found

    def _ways(self, kind: str, leave: Field, enter: Field) -> list[tuple[int, Field, Field]]:
        """For each direction the hexes into which one step leads, and those into which two in a row lead."""
        found = []
        for shift, able in self.steps[kind]:
            moving = able & leave
            one = (moving << shift if shift > 0 else moving >> -shift) & enter
            found.append((shift, one, one & (one << shift if shift > 0 else one >> -shift)))
        return found

    def step(self, kind: str, places: Field) -> Field:
        """Every hex one step of a kind away from a set."""
        if not places:
            return 0
        return moved(places, self._able[kind])

    @cached_property
    def _able(self) -> Mapping[str, tuple[Field, ...]]:
        """By kind the hexes that have the step of each direction."""
        return {kind: tuple(able for _, able in steps) for kind, steps in self.steps.items()}


class Planes(Struct, frozen=True, eq=False):
    """A map many times in one number, by sea and by land for each number of changes: one step moves in all of them.

    The order is sea, land; land, sea; sea, land ...: two planes further a line has changed once more, and travels otherwise.
    """

    width: int  # bits of one plane
    full: Field
    changes: int
    able: tuple[Field, ...]  # for each direction
    links: tuple[tuple[Field, Field, int], ...]

    def both(self, sea: Field, land: Field) -> Field:
        """One field in all planes by sea, another one in all by land."""
        sea, land, width = sea & self.full, land & self.full, self.width
        pairs = (sea | land << width, land | sea << width)
        return sum(pairs[changed % 2] << 2 * width * changed for changed in range(self.changes + 1))

    def apart(self, packed: Field) -> tuple[Field, Field]:
        """What is in some plane by sea, and in some by land."""
        found = [0, 0]
        for plane in range(2 * self.changes + 2):
            found[(plane + plane // 2) % 2] |= packed >> self.width * plane & self.full
        return found[0], found[1]


def _planes(fields: Fields, changes: int) -> Planes:
    width = max(map(fields.bit, fields.rings)) + 1
    empty = Planes(width, (1 << width) - 1, changes, (), ())
    able = tuple(empty.both(s, a) for (_, s), (_, a) in zip(fields.steps["sea"], fields.steps["land"], strict=True))
    by_sea = [width * (2 * changed + changed % 2) for changed in range(changes + 1)]
    links = tuple((start << at, end << at, far) for start, end, far in fields.links for at in by_sea)
    return Planes(width, empty.full, changes, able, links)


class _Single(dict[int, Field]):
    """Sets of one hex, each made when it is first asked for."""

    def __init__(self, fields: Fields) -> None:
        super().__init__()
        self.fields = fields

    def __missing__(self, place: int) -> Field:
        found = self[place] = 1 << self.fields.bit(place)
        return found


class Crossing(Struct):
    """The long ways by sea during one flood: who has set out, and when he arrives."""

    links: tuple[tuple[Field, Field, int], ...]
    closed: Field
    steps: int = 0
    waiting: list[tuple[int, Field]] = msgspec.field(default_factory=list)

    def step(self, setting_out: Field) -> Field:
        """One hex further: the hexes where somebody arrives."""
        if not self.links:
            return 0
        self.steps += 1
        for start, end, length in self.links:
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
        steps[kind] = tuple((shift, able.get(shift, 0)) for shift in SHIFTS)
    far = tuple((empty.of([a]), empty.of([b]), n) for (a, b), n in links.items() if a in near and b in near)
    return Fields(west, steps, {h: empty.of(ring) for h, ring in rings.items()}, far)
