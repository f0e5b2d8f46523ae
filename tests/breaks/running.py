"""A break is applied in a process of its own, as the module is imported; then the cases are played."""

from __future__ import annotations

import ast
import contextlib
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import io
import multiprocessing
import signal
import sys
import traceback
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from types import FrameType, ModuleType

from pbem.kernel.orders import Rejected
from pbem.kernel.shapes import ScenarioFault
from tests.breaks.edits import ROOT, Break, Unusable
from tests.case_driver import Case, read_cases, stage_of

PATIENCE = 30  # seconds of computing, not of waiting, for a case: a break that never ends counts as a crash
OURS, STAGES = str(ROOT), str(ROOT / "tests")
WARM = ("pbem.kernel.engine", "pbem.kernel.naming", "pbem.kernel.questions", "pbem.odds", "pbem.store.library", "random")


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a break, and why, in a line.

    `noticed`: a case failed; `crashed`: the program fell over, and no case failed otherwise (`crash meant` where the break says
    why no edit of this clause does less); `survived`: every case held; `unusable`.
    """

    rule: Break
    outcome: str
    why: str = ""


@cache
def cases(game: str) -> dict[str, Case]:
    """The cases of a game by number."""
    paths = sorted((ROOT / "tests" / "cases" / game).rglob("*.cases"))
    return {case.id: case for path in paths for case in read_cases(path)}


def judged(wanted: Sequence[Break], jobs: int) -> Iterator[Verdict]:
    """The verdicts, as they come. The machine's processes begin as copies of this one, which has no game loaded."""
    for name in WARM:
        importlib.import_module(name)
    for game in {b.game for b in wanted}:
        cases(game)
    assert not any(name.startswith("pbem.games.") and name.count(".") > 2 for name in sys.modules), "a game is loaded already"
    with multiprocessing.get_context("fork").Pool(jobs, maxtasksperchild=1) as pool:
        yield from pool.imap_unordered(judge, wanted, chunksize=1)


def judge(wanted: Break) -> Verdict:
    """Play the break's cases until one fails by what it expects. Only in a process where the game is not loaded yet."""
    try:
        sys.meta_path.insert(0, Edited(wanted.module, str(wanted.path), wanted.source()))
    except Unusable as fault:
        return Verdict(wanted, "unusable", str(fault))
    missing = [name for name in wanted.cases if name not in cases(wanted.game)]
    if missing or not wanted.cases:
        return Verdict(wanted, "unusable", f"no such case: {', '.join(missing)}" if missing else "no case is cited")
    signal.signal(signal.SIGVTALRM, _too_long)
    crash = ""
    for name in wanted.cases:
        found = played(wanted.game, cases(wanted.game)[name])
        if found and not found.crashed:
            return _noticed(wanted, f"{name}: {found.why}")
        if found:
            crash = crash or f"{name}: {found.why}"
    if crash:
        return Verdict(wanted, "crash meant" if wanted.crash else "crashed", crash)
    return Verdict(wanted, "survived", " ".join(wanted.cases))


def _noticed(wanted: Break, why: str) -> Verdict:
    if wanted.crash:
        return Verdict(wanted, "unusable", f"it says that it can only crash, and does not: {why}")
    return Verdict(wanted, "noticed", why)


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a case does not hold: in a line, and whether the program crashed instead of doing something else."""

    why: str
    crashed: bool


def played(game: str, case: Case) -> Fault | None:
    """What is wrong; nothing if the case holds."""
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            stage_of(game)(case).run()
    except BaseException as error:  # whatever it is, the case does not hold
        return Fault(f"{type(error).__name__} {error}".splitlines()[0][:200], is_crash(error))
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return None


def is_crash(error: BaseException) -> bool:
    """Whether a case ended in a failure of the program: neither an expectation of the case nor a refusal.

    What a stage itself raises (a unit that it looks for is gone) is an expectation. An order on which the rules fail is refused
    with a trace; it is a crash also where the case then says that it wanted another refusal.
    """
    fallen: BaseException | None = error
    while fallen is not None:
        if isinstance(fallen, Rejected) and any(p.trace for p in fallen.problems):
            return True
        fallen = fallen.__cause__ or fallen.__context__
    cause = error.__cause__ or error.__context__
    stops = cause is not None and not isinstance(cause, Rejected | ScenarioFault)  # a set-up in which the program fell over
    if isinstance(error, Rejected) or (isinstance(error, ScenarioFault) and not stops):  # turned down in words
        return False
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith(OURS)]
    return isinstance(error, TimeoutError) or not frames or not frames[-1].filename.startswith(STAGES)


def _too_long(number: int, frame: FrameType | None) -> None:
    raise TimeoutError(f"more than {PATIENCE} seconds")


class Edited(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds one module, with another text than its file has."""

    def __init__(self, name: str, path: str, source: str | ast.Module) -> None:
        self.name, self.path, self.source = name, path, source

    def find_spec(self, name: str, path: object, target: object = None) -> importlib.machinery.ModuleSpec | None:
        if name != self.name:
            return None
        places = [self.path.removesuffix("/__init__.py")] if self.path.endswith("__init__.py") else None
        return importlib.util.spec_from_file_location(name, self.path, loader=self, submodule_search_locations=places)

    def exec_module(self, module: ModuleType) -> None:
        exec(compile(self.source, self.path, "exec"), module.__dict__)
