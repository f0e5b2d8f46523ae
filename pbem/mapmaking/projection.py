"""Longitude and latitude to board units: a cylindrical projection whose scale is larger where the board is crowded."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike, NDArray
from scipy.interpolate import PchipInterpolator


class Projection(Struct, frozen=True):
    """Two monotone curves through the given (degrees, board units) nodes. Longitudes count eastwards beyond 180."""

    width: int
    height: int
    longitudes: list[tuple[float, float]]
    latitudes: list[tuple[float, float]]

    def project(self, lon: ArrayLike, lat: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Board units of points in degrees; beyond the outer nodes the scale stays."""
        return _curve(self.longitudes)(lon), _curve(self.latitudes)(lat)


def _curve(nodes: list[tuple[float, float]]) -> PchipInterpolator:
    (x0, y0), (x1, y1), *_, (x2, y2), (x3, y3) = ordered = sorted(map(tuple, nodes))
    before = (x0 - 360, y0 - 360 * (y1 - y0) / (x1 - x0))
    after = (x3 + 360, y3 + 360 * (y3 - y2) / (x3 - x2))
    xs, ys = zip(before, *ordered, after, strict=True)
    return PchipInterpolator(xs, ys)
