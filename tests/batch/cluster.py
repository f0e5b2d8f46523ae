"""A real Dask scheduler and its workers on the loopback, as processes of their own."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

QUIET = ["--no-dashboard", "--host", "127.0.0.1"]


@contextmanager
def cluster(folder: Path, number: int) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """The scheduler's address and the processes of its workers; all of them are gone afterwards."""
    note = folder / "scheduler.json"
    begun = [_begin("scheduler", "--port", "0", "--scheduler-file", str(note), *QUIET)]
    try:
        address = _address(note, begun[0])
        for n in range(number):
            space = ["--local-directory", str(folder / f"worker{n}")]
            begun.append(_begin("worker", address, "--nthreads", "1", "--no-nanny", *space, *QUIET))
        yield address, begun[1:]
    finally:
        for process in reversed(begun):
            process.kill()
            process.wait()


def _begin(what: str, *words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "dask", what, *words]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _address(note: Path, scheduler: subprocess.Popen[bytes]) -> str:
    for _ in range(600):
        assert scheduler.poll() is None, "the scheduler has ended"
        if note.exists() and (text := note.read_text()).endswith("}"):
            return str(json.loads(text)["address"])
        time.sleep(0.1)
    raise AssertionError("no scheduler within a minute")
