"""The clock of this machine: only what a folder notes for its own player, never what a game depends on."""

from __future__ import annotations

import datetime
import time


def now() -> str:
    """The time of receipt, UTC, such as 2026-01-31T18:00:00Z."""
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def ticks() -> float:
    """Seconds of a clock that nobody sets, to measure how long something takes."""
    return time.monotonic()


def wait(seconds: float) -> None:
    """Nothing happens meanwhile."""
    time.sleep(seconds)
