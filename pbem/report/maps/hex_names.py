"""Where the names of places go on a hex map: below their hex, or wherever they cover less of what else is drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.report.maps import svg
from pbem.report.maps.hex_land import HALF

NAME, NUMBER, COUNTERS, LAND, EDGE = 5.0, 3.0, 2.0, 0.5, 20.0  # how bad it is to cover a square unit of these
LATER = 12.0  # how much worse each next position is than the one before
ASIDE = 27.0  # from the middle of a hex to a name beside its island


@dataclass(frozen=True, slots=True)
class Area:
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

    def outside(self, frame: Area) -> float:
        """How much of this area lies beyond a frame."""
        inside = Area(frame.left, frame.top, frame.right, frame.bottom).cost(self)
        return (self.right - self.left) * (self.bottom - self.top) - inside


@dataclass(frozen=True, slots=True)
class Label:
    """A name with the middle of its baseline."""

    words: str
    x: float
    y: float


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
    areas: list[tuple[int, Area]] = list(taken)
    for h, name in names.items():
        x, y = middles[h]
        near = [
            a
            for i, a in areas
            if abs(middles[i][0] - x) < 8 * HALF and abs(middles[i][1] - y) < 4 * HALF and (i != h or a.weight != LAND)
        ]
        options = _positions(name, x, y, size, frame)
        costs = [_cost(label, size, near, frame) + LATER * i for i, label in enumerate(options)]
        best = options[costs.index(min(costs))]
        found.append(best)
        areas.append((h, _covers(best, size)))
    return found


def _positions(name: str, x: float, y: float, size: float, frame: Area) -> list[Label]:
    """Below, lower, above, to the right, to the left, in the middle; each drawn into the frame."""
    half = svg.breadth(name, size, True) / 2
    low, high, level = y + HALF + 0.62 * size, y - HALF - 0.3 * size, y + 0.3 * size
    below = [(x, low), (x, low + 4), (x - half / 2, low + 4), (x + half / 2, low + 4)]
    others = [(x, high), (x + ASIDE + half, level), (x - ASIDE - half, level), (x, level)]
    first, last = frame.left + half + 2, frame.right - half - 2
    return [Label(name, max(first, min(px, last)), py) for px, py in (*below, *others)]


def _covers(label: Label, size: float) -> Area:
    return area(label.words, label.x, label.y, size, NAME, bold=True)


def _cost(label: Label, size: float, taken: Sequence[Area], frame: Area) -> float:
    covers = _covers(label, size)
    return sum(a.cost(covers) for a in taken) + EDGE * covers.outside(frame)
