"""Printed tables: bands of die results such as `<=-3`, `5-6`, `>=9`, and results such as `1/2R`, `*A-2`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from msgspec import Struct

_BAND = re.compile(r"(<=|>=)?(-?\d+)(?:-(\d+))?")
_CELL = re.compile(r"(\d+|-)/(\d+|-)(R?)")
_FIRE = re.compile(r"(\*?)(A?)(?:-(\d+))?")
FAR = 10_000
TERRAINS = (
    *("flat", "flat_woods", "rough", "rough_woods", "highland", "highland_woods"),
    *("marsh", "mountain", "high_mountain", "urban"),
)
ROADS = ("secondary", "primary", "highway")
MOBILITIES = ("leg", "li", "mot", "mech")


@cache
def band(text: str) -> tuple[int, int]:
    """Lowest and highest number of a band. Raises ValueError for anything else."""
    found = _BAND.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no band such as <=2, 3-5, 7, >=9")
    low = int(found[2])
    if found[1] == "<=":
        return -FAR, low
    return low, FAR if found[1] == ">=" else int(found[3] or low)


def pick(table: Mapping[str, Any], number: int) -> Any:
    """The entry whose band holds the number; beyond the ends, the end band."""
    for key, value in table.items():
        low, high = band(key)
        if low <= number <= high:
            return value
    bands = [(band(key), value) for key, value in table.items()]
    lowest, highest = min(bands, key=lambda b: b[0]), max(bands, key=lambda b: b[0])
    return lowest[1] if number < lowest[0][0] else highest[1]


class CombatResult(Struct, frozen=True):
    """[9.7] Steps that each side loses, and whether the defender retreats."""

    attacker: int
    defender: int
    retreat: bool


@cache
def combat_result(text: str) -> CombatResult:
    """A cell of the Combat Results Table, attacker/defender."""
    found = _CELL.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no combat result such as 1/2R")
    steps = [0 if part == "-" else int(part) for part in (found[1], found[2])]
    return CombatResult(steps[0], steps[1], bool(found[3]))


class Fire(Struct, frozen=True):
    """[6.6.1.1] Result of Air Defense Fire: abort, points without effect, permanent loss."""

    abort: bool
    spoiled: int
    lost: bool


@cache
def fire_result(text: str) -> Fire:
    """A cell of the Air Defense Fire table."""
    if text == "-":
        return Fire(False, 0, False)
    found = _FIRE.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is no result of Air Defense Fire such as *A-2")
    return Fire(bool(found[2]), int(found[3] or 0), bool(found[1]))
