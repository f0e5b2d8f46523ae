"""Hex grids of flat-topped hexes in vertical columns, numbered CCRR (100 * column + row)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from msgspec import Struct

from pbem.kernel.canon import Plain

_ALONE = re.compile(r"(?<![\w./-])[A-Z]?[0-9]{4}(?![\w./-])")
SIDES = ("N", "NE", "SE", "S", "SW", "NW")  # clockwise; side i of a hex is side (i + 3) % 6 of its neighbour


class Grid(Struct, frozen=True):
    """A numbering: `odd_lower` says that odd columns stand half a hex lower than even ones."""

    odd_lower: bool = True
    base: int = 100

    def neighbours(self, hex_id: int) -> tuple[int, int, int, int, int, int]:
        """The six neighbours in the order of SIDES, whether or not they are on the map."""
        column, row = divmod(hex_id, self.base)
        lowered = (column % 2 == 1) == self.odd_lower
        up, down = (row, row + 1) if lowered else (row - 1, row)
        b = self.base
        return (
            hex_id - 1,
            (column + 1) * b + up,
            (column + 1) * b + down,
            hex_id + 1,
            (column - 1) * b + down,
            (column - 1) * b + up,
        )

    def distance(self, one: int, other: int) -> int:
        """Hexes from one to the other: the start is not counted, the target is."""
        q1, r1 = self._axial(one)
        q2, r2 = self._axial(other)
        dq, dr = q1 - q2, r1 - r2
        return max(abs(dq), abs(dr), abs(dq + dr))

    def within(self, centre: int, radius: int) -> Iterator[int]:
        """All hex numbers at most `radius` away, on the map or not, in ascending order of column and row."""
        column = centre // self.base
        _, r = self._axial(centre)
        for dq in range(-radius, radius + 1):
            low, high = max(-radius, -dq - radius), min(radius, -dq + radius)
            for dr in range(low, high + 1):
                yield self._number(column + dq, r + dr)

    def _axial(self, hex_id: int) -> tuple[int, int]:
        column, row = divmod(hex_id, self.base)
        shift = column - (column & 1) if self.odd_lower else column + (column & 1)
        return column, row - shift // 2

    def _number(self, column: int, r: int) -> int:
        shift = column - (column & 1) if self.odd_lower else column + (column & 1)
        return column * self.base + r + shift // 2


def distances(grid: Grid) -> Callable[[int, int], int]:
    """`grid.distance` in a fraction of its time, for numbers of hexes from 0 to 9999."""
    base = grid.base
    lowered = [h // base % 2 == grid.odd_lower for h in range(10_000)]
    depths = [2 * (h % base) + low for h, low in enumerate(lowered)]  # how far down a hex lies, in half hexes

    def distance(one: int, other: int) -> int:
        across, down = abs(one // base - other // base), abs(depths[one] - depths[other])
        return across if down <= across else across + (down - across) // 2

    return distance


def labels_in(order: Plain) -> Iterator[str]:
    """What may be a printed number of a hex: integers, and words like `3823` or `N2618`, with a sheet's letter."""
    if isinstance(order, dict):
        order = [*order, *order.values()]
    if isinstance(order, list):
        for part in order:
            yield from labels_in(part)
    elif isinstance(order, str):
        yield from _ALONE.findall(order)
    elif isinstance(order, int) and not isinstance(order, bool):
        yield f"{order:04}"
