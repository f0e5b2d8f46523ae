"""Which share of many samples a run takes.

Tests that look at many samples of one kind (random games, positions, sizes of a screen) divide them into shares, and a run
takes one of them in turn: that of the number in `PBEM_TEST_TURN` (0 if it is not set); all where it says `all`, as `.ci/long`,
and where tests are asked for by name. So do tests of whole pages and games, each of which meets much that others meet too.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Sequence
from typing import TypeVar
from zlib import crc32

import pytest

T = TypeVar("T")
ASKED = "PBEM_TEST_TURN"


def every() -> bool:
    """Whether all samples are taken."""
    return os.environ.get(ASKED) == "all"


def now(shares: int, whose: str = "") -> int:
    """The share whose turn it is, from 0; `whose` starts elsewhere, so that no run takes the dearest samples of all tests."""
    return (0 if every() else int(os.environ.get(ASKED, "0")) + crc32(whose.encode())) % shares


def share(samples: Sequence[T], shares: int, whose: str = "") -> Sequence[T]:
    """Those of the samples whose turn it is."""
    return samples if every() else samples[now(shares, whose) :: shares]


def divided(items: Sequence[pytest.Item]) -> tuple[list[pytest.Item], list[pytest.Item]]:
    """The tests to run, and those that wait: of a test that is marked `in_turn(shares)`, all but one share of its samples."""
    families = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        if (mark := item.get_closest_marker("in_turn")) is not None:
            families[f"{item.nodeid.partition('[')[0]} {mark.args[0]}"].append(item)
    taken = {id(item) for name, family in families.items() for item in share(family, int(name.rpartition(" ")[2]), name)}
    waiting = {id(item) for family in families.values() for item in family} - taken
    return [item for item in items if id(item) not in waiting], [item for item in items if id(item) in waiting]
