"""Programs that break one rule of trust, run in the simulated world until it falls: `python -m tests.world.mutants [WORD ...]`.

Each is a few small edits of `mutants.yaml`, applied in a process of its own before anything of the program is loaded. A mutant
on which no seed falls is reported with the directed test that notices it.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import multiprocessing
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from tests.breaks.edits import Unusable, edited, file_of, parted
from tests.breaks.running import Edited

LIST = Path(__file__).with_suffix(".yaml")
SEEDS, GAMES = 20, 12  # seeds at most; games of up to 50 steps under each


@dataclass(frozen=True, slots=True)
class Edit:
    """One edit: a module of pbem and what is meant in it, the text there, and what stands there instead."""

    place: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Mutant:
    """A program that breaks one rule, and the directed test that notices it."""

    name: str
    test: str
    edits: tuple[Edit, ...]
    accident: str = ""  # of `tests.world.tries`, played before the whole world
    harms: tuple[str, ...] = ()  # those that bring it out, so that it falls sooner; none: all of them
    kept: str = ""  # why the world need not notice it

    def sources(self) -> dict[str, str]:
        """The text of each module with its edits in it, by module of pbem. Raises Unusable."""
        found: dict[str, str] = {}
        for edit in self.edits:
            module, inner = parted("", edit.place)
            text = found.get(module) or file_of("", module).read_text("utf-8")
            found[module] = edited(text, inner, edit.place, edit.old, edit.new)
        return found


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant: the seed under which it fell, how many steps it lived, what fell; seed 0 if none did."""

    mutant: Mutant
    seed: int
    steps: int
    fault: str


def mutants(words: Sequence[str] = ()) -> list[Mutant]:
    """Those of the list whose name has one of the words in it; without words all."""
    rows = yaml.safe_load(LIST.read_text("utf-8"))
    found = [
        Mutant(
            row["name"],
            row["noticed by"],
            _edits(row["edits"]),
            row.get("accident", ""),
            tuple(row.get("harms", ())),
            row.get("kept", ""),
        )
        for row in rows
    ]
    return [m for m in found if not words or any(word in m.name for word in words)]


def _edits(rows: Sequence[dict[str, str]]) -> tuple[Edit, ...]:
    return tuple(Edit(row["in"], row["old"], row["new"]) for row in rows)


def apply(mutant: Mutant) -> None:
    """From now on its modules are imported with the edits in them. Raises Unusable where one is loaded already."""
    for module, text in mutant.sources().items():
        name = f"pbem.{module}"
        if name in sys.modules:
            raise Unusable(f"{name} is loaded already")
        sys.meta_path.insert(0, Edited(name, str(file_of("", module)), text))


def lived(mutant: Mutant, seeds: Sequence[int]) -> Verdict:
    """Play its accident, then the whole world, under the seeds until a promise breaks. Only in a process of its own."""
    apply(mutant)
    long, tries = (importlib.import_module(f"tests.world.{name}") for name in ("long", "tries"))
    steps = 0
    for seed in seeds if mutant.accident else ():
        _, done, fault = tries.tried(mutant.accident, seed)
        steps += done
        if fault:
            return Verdict(mutant, seed, steps, fault)
    for seed in seeds:
        _, done, fault = long.piece(seed, GAMES, mutant.harms or long.WorldMachine.harms)
        steps += done
        if fault:
            return Verdict(mutant, seed, steps, fault)
    return Verdict(mutant, 0, steps, "")


def tested(mutant: Mutant) -> Verdict:
    """The directed test under the mutant: its fault, or none. Only in a process of its own."""
    apply(mutant)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        code = importlib.import_module("pytest").main(["-q", "-x", "-p", "no:cacheprovider", mutant.test])
    failed = [line for line in out.getvalue().splitlines() if line.startswith("FAILED")]
    return Verdict(mutant, 0, 0, failed[0] if code == 1 and failed else "")


def _lived(asked: tuple[Mutant, Sequence[int]]) -> Verdict:
    return lived(*asked)


def judged(wanted: Sequence[Mutant], seeds: Sequence[int], jobs: int) -> Iterator[Verdict]:
    """The verdicts, as they come."""
    with multiprocessing.get_context("spawn").Pool(jobs, maxtasksperchild=1) as pool:
        yield from pool.imap_unordered(_lived, [(m, seeds) for m in wanted], chunksize=1)


def main(arguments: Sequence[str]) -> int:
    """Prints under which seed each mutant fell and by which promise."""
    parser = argparse.ArgumentParser(prog="python -m tests.world.mutants", description=__doc__)
    parser.add_argument("words", nargs="*", help="parts of names")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--why", action="store_true", help="the whole run that fell")
    given = parser.parse_args(arguments)
    stood = 0
    for verdict in judged(mutants(given.words), range(given.seed, given.seed + given.seeds), given.jobs):
        mutant = verdict.mutant
        stood += not verdict.seed and not mutant.kept
        if verdict.seed:
            fault = verdict.fault if given.why else verdict.fault.splitlines()[0][:200]
            print(f"fallen under seed {verdict.seed}, {verdict.steps} steps: {mutant.name}: {fault}", flush=True)
        else:
            why = f"; {mutant.kept}" if mutant.kept else ""
            print(f"not fallen in {verdict.steps} steps: {mutant.name}{why}; noticed by {mutant.test}", flush=True)
    return 1 if stood else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
