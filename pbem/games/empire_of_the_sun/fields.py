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
        nw, sw, n, s, ne, se = self._able[kind]
        west = (places & nw) >> ACROSS | (places & sw) >> HEIGHT
        east = (places & ne) << HEIGHT | (places & se) << ACROSS
        return west | east | (places & n) >> 1 | (places & s) << 1

    @cached_property
    def _able(self) -> Mapping[str, tuple[Field, ...]]:
        """By kind the hexes that have the step of each direction."""
        return {kind: tuple(able for _, able in steps) for kind, steps in self.steps.items()}


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
        steps[kind] = tuple((shift, able.get(shift, 0)) for shift in SHIFTS)
    far = tuple((empty.of([a]), empty.of([b]), n) for (a, b), n in links.items() if a in near and b in near)
    return Fields(west, steps, {h: empty.of(ring) for h, ring in rings.items()}, far)
