"""Machines on which a folder may lie."""

from __future__ import annotations

import locale
from collections.abc import Iterator

import pytest


@pytest.fixture
def ascii_system() -> Iterator[None]:
    """A machine whose own encoding knows no letters but ASCII, as some have."""
    before = locale.setlocale(locale.LC_CTYPE)
    locale.setlocale(locale.LC_CTYPE, "C")
    yield
    locale.setlocale(locale.LC_CTYPE, before)
