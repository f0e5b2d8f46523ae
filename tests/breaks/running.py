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
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from types import FrameType, ModuleType
from typing import Any

from pbem.kernel.orders import Rejected
from pbem.kernel.shapes import ScenarioFault
from tests.breaks.edits import ROOT, Break, Unusable
from tests.case_driver import Case, read_cases, stage_of

PATIENCE = 30  # seconds of computing, not of waiting, for a case: a break that never ends counts as a crash
OURS, STAGES = str(ROOT), str(ROOT / "tests")
WARM = ("pbem.kernel.engine", "pbem.kernel.naming", "pbem.kernel.questions", "pbem.odds", "pbem.store.library", "random")
Say = Callable[[object], None]


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
    """The verdicts, as they come, game by game. This process has no game loaded, and loads none."""
    for name in WARM:
        importlib.import_module(name)
    for game in dict.fromkeys(b.game for b in wanted):
        mine = [b for b in wanted if b.game == game]
        cases(game)
        assert not any(name.startswith("pbem.games.") and name.count(".") > 2 for name in sys.modules), (
            "a game is loaded already"
        )
        told = 0
        for verdict in _from_a_copy(Loading(game, mine, jobs).run):
            told += 1
            yield verdict
        assert told == len(mine), f"{game}: {len(mine) - told} breaks have no verdict"


def _from_a_copy(work: Callable[[Say], None]) -> Iterator[Any]:
    """What a copy of this process, and copies that it makes, have to say."""
    context = multiprocessing.get_context("fork")
    reads, writes = context.Pipe(duplex=False)
    turn = context.Lock()

    def say(thing: object) -> None:
        with turn:
            writes.send(thing)

    copy = context.Process(target=work, args=(say,))
    copy.start()
    writes.close()
    with contextlib.suppress(EOFError):  # the last copy is gone
        while True:
            yield reads.recv()
    copy.join()


class Loading:
    """A process that loads a game module by module, each behind those it needs; before a module comes, the breaks in it are
    judged, each in a copy that has to load only this module and those above it.
    """

    def __init__(self, game: str, wanted: Sequence[Break], jobs: int) -> None:
        self.game, self.wanted, self.jobs = game, wanted, jobs
        self.under: dict[int, Break] = {}  # those that are being judged, by process

    def run(self, say: Say) -> None:
        """Say a verdict for each break."""
        [order] = _from_a_copy(self._say_order)
        waiting: dict[str, list[Break]] = {}
        for one in self.wanted:
            waiting.setdefault(_module(one), []).append(one)
        for name in order:
            for module in [m for m in waiting if _comes_with(m, name)]:
                for one in waiting.pop(module):
                    self._judge(one, say)
            importlib.import_module(name)
        for one in [b for held in waiting.values() for b in held]:  # no case needs their modules at once, or they are not there
            self._judge(one, say)
        while self.under:
            self._wait(say)

    def _say_order(self, say: Say) -> None:
        """The modules in the order in which they are complete."""
        noting = Noting()
        sys.meta_path.insert(0, noting)
        stage_of(self.game)
        say(noting.complete)

    def _judge(self, wanted: Break, say: Say) -> None:
        while len(self.under) >= self.jobs:
            self._wait(say)
        assert _module(wanted) not in sys.modules, f"{wanted.name}: its module is loaded already"
        process = os.fork()
        if process:
            self.under[process] = wanted
            return
        try:
            say(judge(wanted))
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)

    def _wait(self, say: Say) -> None:
        process, status = os.wait()
        wanted = self.under.pop(process)
        if status:
            say(Verdict(wanted, "crashed", f"the process ended with {status}"))


def _comes_with(module: str, name: str) -> bool:
    """Whether a module may be loaded when this one is: it is the same, or of a package that begins with it."""
    parts = name.split(".")
    first = next(n for n in (".".join(parts[: i + 1]) for i in range(len(parts))) if n == name or n not in sys.modules)
    return module in (name, first) or (first != name and module.startswith(f"{first}."))


def _module(wanted: Break) -> str:
    try:
        return wanted.module
    except Unusable:
        return ""


class Noting(importlib.abc.MetaPathFinder):
    """Notes which modules are complete."""

    def __init__(self) -> None:
        self.complete: list[str] = []

    def find_spec(self, name: str, path: Sequence[str] | None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        loader = spec and spec.loader
        if not isinstance(loader, importlib.machinery.SourceFileLoader):
            return None
        execute = loader.exec_module

        def noted(module: ModuleType) -> None:
            execute(module)
            self.complete.append(name)

        loader.exec_module = noted  # type: ignore[method-assign]
        return spec


def judge(wanted: Break) -> Verdict:
    """Play the break's cases until one fails by what it expects. Only in a process where the module is not loaded yet."""
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
