"""Areas on a raster: land and sea from coastlines, then every cell to the area that it belongs to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from scipy import ndimage
from shapely import affinity
from shapely.geometry import MultiPoint, Polygon
from shapely.geometry.base import BaseGeometry

from pbem.mapmaking.projection import Projection
from pbem.mapmaking.topojson import polygons

CELL = 2  # board units
COAST_CELLS = 7  # how far a coast claims the sea for its own zones
SPECK_CELLS = 60  # smaller islands without seeds are left out
STRAY_CELLS = 25  # an island without seeds this near to land belongs to it, others are left out
REACH = 3.0  # cells, the width of the smallest corridor
FORBIDDEN = 6.0  # against 1.0 for a border that the data knows
ANCHOR = 0.15  # how much a cell likes the area that its nearest seed gave it
Labels = NDArray[np.int16]


def coastlines(path: Path, projection: Projection) -> list[tuple[BaseGeometry, tuple[float, float]]]:
    """Land polygons in board units with their middle in degrees (0 to 360 east)."""
    found = []
    for rings in polygons(path, "land"):
        ring = _unwrapped(np.array(rings[0]))
        if abs(ring[0, 0] - ring[-1, 0]) > 1:  # around a pole
            continue
        x, y = projection.project(ring[:, 0], ring[:, 1])
        low, high = ring.min(axis=0), ring.max(axis=0)
        found.append((Polygon(np.column_stack([x, y])).buffer(0), tuple(((low + high) / 2).tolist())))
    return found


def _unwrapped(ring: NDArray[np.float64]) -> NDArray[np.float64]:
    """A ring without jumps of longitude, its middle between 0 and 360 degrees east."""
    lon = np.unwrap(ring[:, 0], period=360.0)
    middle = (lon.min() + lon.max()) / 2
    return np.column_stack([lon - 360.0 * np.floor(middle / 360.0), ring[:, 1]])


def rasterise(shape: BaseGeometry, height: int, width: int) -> NDArray[np.bool_]:
    """Cells whose middle lies in the shape."""
    mask = np.zeros((height, width), bool)
    x0, y0, x1, y1 = shape.bounds
    left, right = max(0, int(x0 / CELL)), min(width, int(x1 / CELL) + 1)
    top, bottom = max(0, int(y0 / CELL)), min(height, int(y1 / CELL) + 1)
    if left >= right or top >= bottom:
        return mask
    xs, ys = np.meshgrid((np.arange(left, right) + 0.5) * CELL, (np.arange(top, bottom) + 0.5) * CELL)
    shapely.prepare(shape)
    mask[top:bottom, left:right] = shapely.contains_xy(shape, xs, ys)
    return mask


def _without_lakes(land: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Land with every water filled in that is no part of the ocean."""
    waters, _ = ndimage.label(~land)
    sizes = np.bincount(waters.ravel())
    sizes[0] = 0
    return waters != sizes.argmax()


def nearest(mask: NDArray[np.bool_], seeds: Labels) -> Labels:
    """Every cell of the mask takes the nearest seed's label."""
    _, (rows, columns) = ndimage.distance_transform_edt(seeds < 0, return_indices=True)
    return np.where(mask, seeds[rows, columns], -1).astype(np.int16)


class Canvas:
    """The raster with a number for every area."""

    def __init__(self, plan: Mapping[str, Any], borders: Mapping[str, list[str]]) -> None:
        self.plan = plan
        units_wide, units_high = plan["size"]
        self.width, self.height = units_wide // CELL, units_high // CELL
        self.projection = Projection(units_wide, units_high, plan["longitudes"], plan["latitudes"])
        self.names = [*plan["territories"], *plan["islands"], *plan["zones"]]
        self.number = {name: i for i, name in enumerate(self.names)}
        self.sea = {self.number[z] for z in plan["zones"]}
        self.allowed = {frozenset((self.number[a], self.number[b])) for a, others in borders.items() for b in others}

    def seeds(self, points: Mapping[str, list[list[float]]]) -> Labels:
        """A raster with the seed cells."""
        found = np.full((self.height, self.width), -1, np.int16)
        for name, places in points.items():
            for lon, lat in places:
                x, y = self.projection.project(lon, lat)
                row = min(self.height - 1, max(0, int(y / CELL)))
                found[row, min(self.width - 1, max(0, int(x / CELL)))] = self.number[name]
        return found

    def land(self, coasts: list[tuple[BaseGeometry, tuple[float, float]]]) -> Labels:
        """Territories, islands enlarged; -1 where there is sea."""
        mainland = np.zeros((self.height, self.width), bool)
        islands = np.full((self.height, self.width), -1, np.int16)
        taken: set[int] = set()
        for name, how in self.plan["islands"].items():
            shape = self._island(how, coasts, taken)
            islands[rasterise(shape, self.height, self.width)] = self.number[name]
        for i, (shape, _) in enumerate(coasts):
            if i not in taken and shape.area > 900:
                mainland |= rasterise(shape, self.height, self.width)
        mainland = _without_lakes(mainland & (islands < 0))
        labels = self._grown(mainland)
        return self._parted(np.where(islands >= 0, islands, labels).astype(np.int16))

    def _grown(self, mainland: NDArray[np.bool_]) -> Labels:
        """Every land mass shared out among its own seeds; one without seeds goes to its neighbour."""
        labels = np.full(mainland.shape, -1, np.int16)
        seeds = self.seeds(self.plan["territories"])
        masses, count = ndimage.label(mainland)
        alone = np.zeros(mainland.shape, bool)
        for i in range(1, count + 1):
            mass = masses == i
            if (seeds[mass] >= 0).any():
                labels = np.where(mass, nearest(mass, np.where(mass, seeds, -1).astype(np.int16)), labels)
            elif mass.sum() >= SPECK_CELLS:
                alone |= mass
        distance = ndimage.distance_transform_edt(labels < 0)
        return np.where(alone & (distance < STRAY_CELLS), nearest(alone, labels), labels).astype(np.int16)

    def _parted(self, labels: Labels) -> Labels:
        """Straits opened between a land mass and an island that the data does not know as neighbours."""
        parted = labels.copy()
        masses, _ = ndimage.label(labels >= 0)
        for name in self.plan["islands"]:
            masses[labels == self.number[name]] = -self.number[name]
        for pair in contacts(labels):
            one, other = sorted(pair)
            if pair not in self.allowed and not set(masses[labels == one]) & set(masses[labels == other]):
                close = ndimage.distance_transform_edt(labels != one) < 3.5
                parted[(labels == other) & close] = -1
        return parted

    def _island(
        self, how: Mapping[str, Any], coasts: list[tuple[BaseGeometry, tuple[float, float]]], taken: set[int]
    ) -> BaseGeometry:
        if "at" in how:
            points = [self.projection.project(lon, lat) for lon, lat in how["at"]]
            shape = MultiPoint([(float(x), float(y)) for x, y in points]).buffer(how["radius"])
        else:
            west, south, east, north = how["box"]
            inside = [i for i, (_, (lon, lat)) in enumerate(coasts) if west <= lon <= east and south <= lat <= north]
            taken |= set(inside)
            shape = shapely.union_all([coasts[i][0] for i in inside]).buffer(how.get("grow", 0))
        scale = how.get("scale", 1)
        shape = affinity.scale(shape, scale, scale)
        step_x, step_y = how.get("move", [0, 0])
        return affinity.translate(shape, step_x * 15, -step_y * 15)

    def zones(self, land: Labels) -> Labels:
        """Land and sea: along a coast only the zones that the data allows there, elsewhere the nearest zone seed."""
        sea = land < 0
        seeds = self.seeds(self.plan["zones"])
        labels = np.where(sea, nearest(sea, seeds), land).astype(np.int16)
        distance, (rows, columns) = ndimage.distance_transform_edt(sea, return_indices=True)
        coast = land[rows, columns]
        for number in range(len(self.names)):
            near = sea & (coast == number) & (distance <= COAST_CELLS)
            allowed = [z for z in self.sea if frozenset((z, number)) in self.allowed]
            if not allowed or not near.any():
                continue
            only = np.where(np.isin(seeds, allowed), seeds, -1).astype(np.int16)
            labels = np.where(near & ~np.isin(labels, allowed), nearest(near, only), labels).astype(np.int16)
        return labels

    def relax(self, labels: Labels, sweeps: int) -> Labels:
        """Threshold dynamics: borders that the data does not know are dear, so a third area moves in between them.

        Every cell takes the label with the least cost in its surroundings; land stays land and sea stays sea.
        """
        count = len(self.names)
        cost = np.full((count, count), FORBIDDEN, np.float32)
        for a, b in map(tuple, self.allowed):
            cost[a, b] = cost[b, a] = 1.0
        np.fill_diagonal(cost, 0.0)
        is_sea = np.isin(np.arange(count), list(self.sea))
        first = labels
        for _ in range(sweeps):
            labels = self._sweep(labels, first, cost, is_sea)
        return labels

    def _sweep(self, labels: Labels, first: Labels, cost: NDArray[np.float32], is_sea: NDArray[np.bool_]) -> Labels:
        near = np.stack([_around(labels == i) for i in range(len(self.names))])
        best = np.full(labels.shape, np.inf, np.float32)
        chosen = labels.copy()
        for i in range(len(self.names)):
            rows, columns = np.nonzero((near[i] > 0.02) & (is_sea[labels] == is_sea[i]))
            if not rows.size:
                continue
            top, bottom, left, right = rows.min(), rows.max() + 1, columns.min(), columns.max() + 1
            window = np.s_[top:bottom, left:right]
            energy = np.tensordot(cost[i], near[:, top:bottom, left:right], axes=1) - ANCHOR * (first[window] == i)
            energy[(near[i][window] <= 0.02) | (is_sea[labels[window]] != is_sea[i])] = np.inf
            better = energy < best[window]
            best[window] = np.where(better, energy, best[window])
            chosen[window] = np.where(better, i, chosen[window])
        return chosen


def _around(mask: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The share of cells with the label around every cell."""
    return ndimage.gaussian_filter(mask.astype(np.float32), REACH, truncate=2.5, mode="nearest")


def contacts(labels: Labels) -> dict[frozenset[int], int]:
    """How many cell edges two areas share, for every pair that shares one."""
    found: dict[frozenset[int], int] = {}
    for one, other in ((labels[:, :-1], labels[:, 1:]), (labels[:-1], labels[1:])):
        edge = (one != other) & (one >= 0) & (other >= 0)
        pairs, counts = np.unique(np.column_stack([one[edge], other[edge]]), axis=0, return_counts=True)
        for (a, b), n in zip(pairs.tolist(), counts.tolist(), strict=True):
            key = frozenset((a, b))
            found[key] = found.get(key, 0) + n
    return found
