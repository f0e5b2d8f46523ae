"""Where the names of places go on a hex map: into their own hex, or wherever they cover less of what else is drawn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pbem.report.maps import svg
from pbem.report.maps.hex_land import HALF

NAME, NUMBER, COUNTERS, LAND, EDGE = 5.0, 400.0, 2.0, 3.0, 20.0  # how bad it is to cover a square unit of these
LATER = 12.0  # how much worse each next position is than the one before
GAP = 4.0  # between two names
ASIDE = 27.0  # from the middle of a hex to a name beside its island
LOW = HALF + 1.5  # the lower side of a name in its own hex
SMALLER = (1.0, 0.86, 0.72)  # of the usual size, where a name would hide a number or what a counter says
LESS = 30.0  # how much worse each next size is
HIDDEN = 60.0  # from here on what a counter says cannot be read
NEAR = (8 * HALF, 4 * HALF)  # farther away nothing can be covered


class Area(Struct, frozen=True):
    """A rectangle by its upper left and lower right corners, and how bad it is to cover a square unit of it."""

    left: float
    top: float
    right: float
    bottom: float
    weight: float = 1.0

    def cost(self, other: Area) -> float:
        """Of covering this area with another one."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return self.weight * wide * high if wide > 0 and high > 0 else 0.0

    def wider(self, by: float) -> Area:
        """With some room on its left and right."""
        return replace(self, left=self.left - by, right=self.right + by)

    def outside(self, frame: Area) -> float:
        """How much of this area lies beyond a frame."""
        inside = Area(frame.left, frame.top, frame.right, frame.bottom).cost(self)
        return (self.right - self.left) * (self.bottom - self.top) - inside


class Label(Struct, frozen=True):
    """The name of a hex with the middle of its baseline and its size."""

    place: int
    words: str
    x: float
    y: float
    size: float

    @property
    def covers(self) -> Area:
        """What it stands on."""
        return area(self.words, self.x, self.y, self.size, NAME, bold=True)


def area(words: str, x: float, y: float, size: float, weight: float, *, bold: bool = False) -> Area:
    """What a text around `x` on the baseline `y` covers."""
    half = svg.breadth(words, size, bold) / 2
    return Area(x - half, y - 0.76 * size, x + half, y + 0.22 * size, weight)


def labels(
    names: Mapping[int, str],
    middles: Mapping[int, tuple[float, float]],
    size: float,
    taken: Sequence[tuple[int, Area]],
    frame: Area,
) -> list[Label]:
    """One position for each name. `taken`: what is drawn, each with the hex to which it belongs."""
    found: list[Label] = []
    fields: dict[tuple[int, int], list[tuple[int, Area]]] = {}
    for h, a in taken:
        fields.setdefault(_field(*middles[h]), []).append((h, a))
    for h, name in names.items():
        x, y = middles[h]
        label = Label(h, name, x, y, size)
        reach = _reach(label)
        near = [
            a
            for field in _around(*_field(x, y))
            for i, a in fields.get(field, ())
            if a.left < reach.right and a.right > reach.left and a.top < reach.bottom and a.bottom > reach.top
            if i != h or a.weight != LAND
        ]
        best = _best(label, near, frame)
        found.append(best)
        fields.setdefault(_field(x, y), []).append((h, best.covers.wider(GAP)))
    return found


def _reach(label: Label) -> Area:
    """What any position of a name could cover."""
    wide, high = ASIDE + svg.breadth(label.words, label.size, True) + 2, HALF + 1.1 * label.size
    return Area(label.x - wide, label.y - high, label.x + wide, label.y + high)


def _field(x: float, y: float) -> tuple[int, int]:
    return int(x // NEAR[0]), int(y // NEAR[1])


def _around(column: int, row: int) -> list[tuple[int, int]]:
    return [(column + dx, row + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]


def _best(label: Label, near: Sequence[Area], frame: Area) -> Label:
    """The cheapest position of a name that is given in the middle; a smaller one only where any other hides something."""
    best, least = label, float("inf")
    for step, part in enumerate(SMALLER):
        for i, one in enumerate(_positions(replace(label, size=label.size * part), frame)):
            extra = LATER * i + LESS * step
            if extra >= least:
                break
            covers = one.covers
            cost = sum(a.cost(covers) for a in near) + EDGE * covers.outside(frame) + extra
            if cost < least:
                best, least = one, cost
        if not _hides(best.covers, near):
            break
    return best


def _hides(covers: Area, near: Sequence[Area]) -> bool:
    """A number, or what a counter says, could not be read."""
    return any(a.cost(covers) > (0 if a.weight == NUMBER else HIDDEN) for a in near if a.weight in (NUMBER, COUNTERS))


def _positions(label: Label, frame: Area) -> Iterator[Label]:
    """Low in its hex, to both sides of that, above its signs, right, left, below the hex, above it, in the middle."""
    x, y, size = label.x, label.y, label.size
    half = svg.breadth(label.words, size, True) / 2
    low, inner, level = y + LOW - 0.22 * size, y + LOW - 22.5 - 0.22 * size, y + 0.3 * size
    inside = [(x, low), (x - half / 2, low), (x + half / 2, low), (x, inner), (x, inner - 8)]
    beyond = [(x, y + HALF + 0.62 * size), (x, y - HALF - 0.3 * size)]
    aside = [(x + ASIDE + half, level), (x - ASIDE - half, level), (x + ASIDE + half, low), (x - ASIDE - half, low)]
    first, last = frame.left + half + 2, frame.right - half - 2
    for px, py in (*inside, *aside, *beyond, (x, level)):
        yield replace(label, x=max(first, min(px, last)), y=py)
