"""Who does jobs: processes of this machine, or a Dask cluster. Both are executors of `concurrent.futures`."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from pbem.kernel.wording import msg
from pbem.protocol.outcomes import ProtocolError, unreadable


class Pool(Protocol):
    """Workers. `at_once`: so many jobs keep all of them busy."""

    @property
    def at_once(self) -> int: ...

    def opened(self) -> AbstractContextManager[Executor]:
        """The executor while jobs are done."""
        ...


class Processes:
    """Processes of this machine, each begun afresh: they know nothing but what a job says."""

    def __init__(self, number: int = 0) -> None:
        """`number` of processes; 0: one for each core."""
        self.number = number or os.cpu_count() or 1

    @property
    def at_once(self) -> int:
        return 4 * self.number

    @contextmanager
    def opened(self) -> Iterator[Executor]:
        """A pool of processes; on leaving, what was not begun is not done any more."""
        executor = ProcessPoolExecutor(self.number, multiprocessing.get_context("spawn"))
        try:
            yield executor
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


class Cluster:
    """A Dask cluster by the address of its scheduler. Its workers need this program installed, and nothing else."""

    def __init__(self, address: str, at_once: int = 256) -> None:
        self.address, self.at_once = address, at_once

    @contextmanager
    def opened(self) -> Iterator[Executor]:
        """The cluster's executor. Raises ProtocolError (unreadable) without the extra, or where no scheduler answers."""
        try:
            from distributed import Client
        except ImportError:
            raise unreadable(msg("a cluster needs the extra: pip install 'pbem[cluster]'")) from None
        try:
            client = Client(self.address, set_as_default=False)
        except (OSError, ValueError) as error:
            raise self._no_scheduler(error) from None
        with client:
            executor = client.get_executor(pure=False)
            try:
                yield executor
            finally:
                executor.shutdown(wait=False)

    def _no_scheduler(self, error: Exception) -> ProtocolError:
        reason = str(error).partition("\n")[0] or type(error).__name__
        return unreadable(msg("no Dask scheduler answers at {address}: {reason}", address=self.address, reason=reason))


def pool(processes: int, cluster: str) -> Pool:
    """The cluster where an address is given, else so many processes of this machine."""
    return Cluster(cluster) if cluster else Processes(processes)
