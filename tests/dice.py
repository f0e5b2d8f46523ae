"""Where the keys, chains and salts of tests come from: bytes that depend on a name alone."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager

DICE = os.environ.get("PBEM_TEST_DICE", "")  # another word: other dice


class Source:
    """Bytes in turn that depend on a name alone."""

    def __init__(self) -> None:
        self.name, self.given = "", 0

    def begin(self, name: str) -> None:
        """From here on the bytes of another name."""
        self.name, self.given = name, 0

    def bytes(self, length: int | None = None) -> bytes:
        """The next ones: 32, or so many."""
        self.given += 1
        return hashlib.shake_256(f"{DICE}\n{self.name}\n{self.given}".encode()).digest(32 if length is None else length)

    @contextmanager
    def under(self, name: str) -> Iterator[None]:
        """Meanwhile those of another name; what comes behind is as if nothing had been drawn."""
        before = self.name, self.given
        self.begin(name)
        try:
            yield
        finally:
            self.name, self.given = before


source = Source()
