"""Where an area's name and stacks go: the largest free rectangle, for an islet one in the sea beside it."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

Mask = NDArray[np.bool_]
Box = tuple[int, int, int, int]  # middle x, middle y, width, height in board units


def best_box(free: Mask, towards: tuple[float, float], sizes: Iterable[tuple[int, int]], cell: int) -> Box | None:
    """The first size (width, height in board units) that fits into the mask, placed nearest to `towards` (row, column)."""
    sums = np.pad(free.astype(np.int32), ((1, 0), (1, 0))).cumsum(0).cumsum(1)
    for width, height in sizes:
        w, h = -(-width // cell), -(-height // cell)
        if h >= free.shape[0] or w >= free.shape[1]:
            continue
        inside = sums[h:, w:] - sums[:-h, w:] - sums[h:, :-w] + sums[:-h, :-w]
        rows, columns = np.nonzero(inside == w * h)
        if rows.size:
            distance = np.hypot(rows + h / 2 - towards[0], columns + w / 2 - towards[1])
            i = int(distance.argmin())
            return (int((columns[i] + w / 2) * cell), int((rows[i] + h / 2) * cell), width, height)
    return None


def middle(mask: Mask) -> tuple[float, float]:
    """The cell farthest from the area's border, with the edge of the board as a border."""
    distance = ndimage.distance_transform_edt(np.pad(mask, 1))[1:-1, 1:-1]
    row, column = np.unravel_index(int(distance.argmax()), distance.shape)
    return float(row), float(column)


def occupy(free: NDArray[np.int16], box: Box, cell: int) -> None:
    """Takes a box out of the labels that are still free."""
    x, y, w, h = box
    rows = slice(max(0, (y - h // 2) // cell - 1), (y + h // 2) // cell + 2)
    columns = slice(max(0, (x - w // 2) // cell - 1), (x + w // 2) // cell + 2)
    free[rows, columns] = -1
