"""How far a long work came, on the error stream of a terminal: only where it takes longer than a second."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import typer

PATIENCE = 1.0  # seconds without a bar


@contextmanager
def shown(label: str) -> Iterator[Callable[[int, int], None]]:
    """What takes (done, of) and draws a bar of it."""
    begun, bars = time.monotonic(), list[Any]()
    with ExitStack() as stack:

        def tell(done: int, of: int) -> None:
            if not bars and time.monotonic() - begun > PATIENCE and sys.stderr.isatty():
                bars.append(stack.enter_context(typer.progressbar(length=of, label=label, file=sys.stderr)))
            for bar in bars:
                bar.update(done - bar.pos)

        yield tell
