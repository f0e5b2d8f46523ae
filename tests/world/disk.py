"""The disks of the simulated world: real folders on a memory disk, whose single steps crash, fill up or are counted."""

from __future__ import annotations

import errno
import importlib
import os
import pkgutil
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import pbem.cli
import pbem.store
from pbem.store.disk import Disk
from tests.store.failing_disk import FailingDisk, Failure

MEMORY = Path("/dev/shm")


class Full(Failure):
    """A disk without room for so many commands. Cutting and renaming still work."""

    def __init__(self, commands: int, error: int = errno.ENOSPC) -> None:
        super().__init__()
        self.commands, self.error = commands, error


class WorldDisk(FailingDisk):
    """One step at a time, as the weather of the world has it."""

    def put(self, descriptor: int, data: bytes) -> int:
        if isinstance(self.failure, Full):
            raise OSError(self.failure.error, os.strerror(self.failure.error))
        return super().put(descriptor, data)


@contextmanager
def every_disk(patch: pytest.MonkeyPatch, failure: Callable[[], Failure]) -> Iterator[None]:
    """Every module of the program that makes a Disk makes one with the failure of the moment, whatever is loaded so far."""
    for package in (pbem.store, pbem.cli):
        for found in pkgutil.iter_modules(package.__path__, package.__name__ + "."):
            importlib.import_module(found.name)
    with patch.context() as inner:
        for name, module in sorted(sys.modules.items()):
            if name.startswith("pbem.") and getattr(module, "Disk", None) is Disk:
                inner.setattr(module, "Disk", lambda: WorldDisk(failure()))
        yield


@contextmanager
def memory_folder() -> Iterator[Path]:
    """An empty folder that is gone afterwards; on a memory disk where there is one."""
    path = Path(tempfile.mkdtemp(prefix="pbem-world-", dir=MEMORY if os.access(MEMORY, os.W_OK) else None))
    try:
        yield path
    finally:
        shutil.rmtree(path, ignore_errors=True)
