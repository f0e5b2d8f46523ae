"""Jobs done on an executor of `concurrent.futures`: results come in the order of the jobs, whoever is done first."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from contextlib import closing

from pbem.batch.jobs import Job, Kept
from pbem.batch.pools import Pool
from pbem.kernel.canon import Plain

Work = Mapping[str, Callable[[Mapping[str, Plain]], Plain]]  # kind -> what does it: functions that a worker can import
Tell = Callable[[int, int], None]  # how many are done, of how many
Ended = Generator[tuple[Job, Plain], None, None]
TICK = 1  # seconds after which it is told how far it came, even if nothing is done
LIVES = 3  # a job that breaks the pool so often, with nothing else getting done, is given up


def _silent(done: int, of: int) -> None:
    """Nobody is told."""


def run(jobs: Sequence[Job], work: Work, pool: Pool, kept: Kept, tell: Tell = _silent) -> Ended:
    """Every job with its result, in the order of the jobs. What is kept is not done again; what gets done is kept at once.

    Whoever has seen enough stops iterating: jobs that nobody has begun are left. A worker that dies takes nothing with it:
    what it had begun is done again. Raises what a job raises, and BrokenExecutor where one breaks every worker.
    """
    open_jobs = {job.id: job for job in jobs if job.id not in kept.found}

    def count() -> None:
        tell(len(jobs) - sum(job.id not in kept.found for job in open_jobs.values()), len(jobs))

    with closing(_as_they_end(list(open_jobs.values()), work, pool, count)) as ending:
        for job in jobs:
            while job.id not in kept.found:
                done, result = next(ending)
                kept.add(done, result)
                count()
            yield job, kept.found[job.id]


def _as_they_end(jobs: Sequence[Job], work: Work, pool: Pool, tick: Callable[[], None]) -> Ended:
    """Results in the order in which they come; after a breakdown of the pool a new one does what is left."""
    left, lives = {job.id: job for job in jobs}, LIVES
    while left:
        before = len(left)
        try:
            for job, result in _in_one_pool(list(left.values()), work, pool, tick):
                del left[job.id]
                yield job, result
        except BrokenExecutor:
            lives = LIVES if len(left) < before else lives - 1
            if not lives:
                raise


def _in_one_pool(jobs: Sequence[Job], work: Work, pool: Pool, tick: Callable[[], None]) -> Ended:
    """As many jobs as the workers need are handed over, not all at once: they may carry whole games."""
    with pool.opened() as executor:
        waiting, flying = deque(jobs), dict[Future[Plain], Job]()
        try:
            while waiting or flying:
                while waiting and len(flying) < pool.at_once:
                    job = waiting.popleft()
                    flying[executor.submit(work[job.kind], dict(job.arguments))] = job
                ended, _ = wait(flying, timeout=TICK, return_when=FIRST_COMPLETED)
                tick()
                for future in [f for f in flying if f in ended]:
                    job = flying.pop(future)
                    yield job, future.result()
        finally:
            for future in flying:
                future.cancel()
