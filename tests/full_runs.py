"""Full runs over seeds: how `python -m tests.GAME.long` runs its kinds, prints what happened, and judges floors.

They are jobs of `pbem.batch`: with `--to FILE` a run that was stopped goes on, with `--cluster` other machines do it.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from pbem.batch.jobs import Job, Kept, Lines
from pbem.batch.pools import Pool, pool
from pbem.batch.running import run
from pbem.kernel.canon import Plain


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of run: `number` things are done in runs of `each`; the floors are per 100 runs."""

    name: str
    title: str
    one: Callable[[int], Counter[str]]  # a seed: what happened
    number: int
    floors: Mapping[str, int] = field(default_factory=dict)
    each: int = 1
    first: int = 0  # seed of the first run
    never: str = ""  # what begins with these words must not happen at all


def missing(tally: Mapping[str, int], games: int, floors: Mapping[str, int]) -> list[str]:
    """What happened less often than the floors, given per 100 games, ask for."""
    rare = [what for what, floor in floors.items() if tally.get(what, 0) * 100 < floor * games]
    return [f"{tally.get(what, 0)} {what} in {games} games, floor {floors[what]} per 100" for what in rare]


def main(kinds: Sequence[Kind], arguments: Sequence[str]) -> int:
    """Run every kind, or as many of it as `--NAME` says. The exit code: 1 when a floor is missed."""
    parser = argparse.ArgumentParser()
    for kind in kinds:
        parser.add_argument(f"--{kind.name}", type=int, default=kind.number)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--to", type=Path, help="a file of results; what it holds is not done again")
    parser.add_argument("--cluster", default="", help="address of a Dask scheduler")
    wanted = vars(parser.parse_args(arguments))
    kept = Lines(wanted["to"]) if wanted["to"] else Kept()
    workers = pool(wanted["jobs"], wanted["cluster"])
    missed = [line for kind in kinds for line in _run(kind, wanted[kind.name], workers, kept)]
    for line in missed:
        print(f"MISSED: {line}")
    return 1 if missed else 0


def _counted(one: Callable[[int], Counter[str]], arguments: Mapping[str, Any]) -> Plain:
    """The work of a job: a run of a kind."""
    return {what: int(count) for what, count in one(arguments["seed"]).items()}


def _run(kind: Kind, number: int, workers: Pool, kept: Kept) -> list[str]:
    """Print the lines of a kind's table; what it missed."""
    seeds = range(kind.first, kind.first + number // kind.each)
    if not seeds:
        return []
    begun, tally = time.monotonic(), Counter[str]()
    spec = sys.modules[kind.one.__module__].__spec__  # that of `python -m` too: two games have kinds of one name
    named = f"{spec.name if spec else ''} {kind.one.__qualname__}"
    jobs = [Job(kind.name, {"run": named, "seed": seed}) for seed in seeds]
    for _, happened in run(jobs, {kind.name: partial(_counted, kind.one)}, workers, kept):
        assert isinstance(happened, dict)
        tally += Counter({what: int(str(count)) for what, count in happened.items()})
    print(f"{kind.title}: {len(seeds)} runs, seeds {seeds[0]} to {seeds[-1]}, {time.monotonic() - begun:.0f} s")
    for name, count in sorted(tally.items()):
        print(f"  {name:28} {count:8}  per 100 runs {100 * count // len(seeds)}", flush=True)
    unwanted = [f"{count} times {what}" for what, count in sorted(tally.items()) if kind.never and what.startswith(kind.never)]
    return missing(tally, len(seeds), kind.floors) + unwanted


@contextmanager
def home(folder: str) -> Iterator[None]:
    """Keys and secrets of the commands lie in this folder."""
    before = os.environ.get("PBEM_HOME")
    os.environ["PBEM_HOME"] = str(Path(folder) / "home")
    try:
        yield
    finally:
        if before is None:
            del os.environ["PBEM_HOME"]
        else:
            os.environ["PBEM_HOME"] = before
