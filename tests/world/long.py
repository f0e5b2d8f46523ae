"""The simulated world at length, with printed seeds: `python -m tests.world.long --steps 200000 --jobs 2`."""

from __future__ import annotations

import argparse
import multiprocessing
import sys
from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, Phase, seed, settings

from tests.world.machine import WorldMachine, run

PIECE = settings(
    max_examples=50,
    stateful_step_count=50,
    deadline=None,
    database=None,
    print_blob=True,
    report_multiple_bugs=False,
    phases=[Phase.generate],
    suppress_health_check=[*HealthCheck],
)


def piece(number: int, games: int = PIECE.max_examples, harms: Iterable[str] = WorldMachine.harms) -> tuple[int, int, str]:
    """The world under one seed, so many games with these harms: the seed, its steps, what broke."""

    chosen = [*harms]

    @seed(number)
    class Machine(WorldMachine):
        steps, outcomes, harms = 0, {}, frozenset(chosen)

    with pytest.MonkeyPatch.context() as patch:
        try:
            run(Machine, settings(PIECE, max_examples=games), patch)
        except Exception as error:
            notes = "\n".join(getattr(error, "__notes__", []))
            return number, Machine.steps, f"{type(error).__name__}: {error}\n{notes}"
    return number, Machine.steps, ""


def main(arguments: list[str]) -> int:
    """Play until so many steps are done; how many seeds broke a promise."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args(arguments)
    done, broken = 0, 0
    with multiprocessing.get_context("spawn").Pool(asked.jobs, maxtasksperchild=2) as pool:
        seeds = range(asked.seed, asked.seed + asked.steps // 1500 + 1)
        for number, steps, fault in pool.imap_unordered(piece, seeds):
            done, broken = done + steps, broken + bool(fault)
            print(f"seed {number}: {steps} steps{', broken' if fault else ''}; {done} in all", flush=True)
            if fault:
                print(fault, flush=True)
            if done >= asked.steps:
                break
        pool.terminate()
    print(f"{done} steps, {broken} seeds broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
