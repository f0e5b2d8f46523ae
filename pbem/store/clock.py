"""The clock of this machine: only what a folder notes for its own player, never what a game depends on."""

from __future__ import annotations

import datetime


def now() -> str:
    """The time of receipt, UTC, such as 2026-01-31T18:00:00Z."""
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
