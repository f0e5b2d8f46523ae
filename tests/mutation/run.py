"""Mutation testing of the layers on which the promises rest: `python -m tests.mutation.run [MODULE ...]`.

`modules.yaml` names for each module the few fast test files that have to notice a change in it. mutmut makes the mutants
and runs them in a copy of the project, one module after the other. What it leaves alive is tried once more in a process of
its own: what happens at import, or is kept in a cache, happens before mutmut chooses a mutant. `survivors.yaml` lists the
survivors that are accepted, each with its reason. The exit code is 1 when a package has less than 95 % killed, or a
survivor is not listed.

A run that was stopped goes on where it stood (`--work` names the folder); a module whose source and tests are those of its
last run is not run again. `--survivors` only tries again what survived the last run, with the tests as they are now.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence, Set
from pathlib import Path

import yaml
from mutmut.mutation.diff_apply import get_diff_for_mutant

from tests.mutation.copying import undecorated
from tests.mutation.verdicts import Module, Survivor, judge, read_survivors, survivor

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
FLOOR = 95  # per cent of a package's mutants
TOO_LONG = 300  # seconds for the tests of one module
KILLED, TIMEOUT = {1, 3, -11}, {36, -24, 24, 152, 255, -9}  # exit codes of a mutant's tests; -11: the interpreter fell
SETTINGS = """[mutmut]
source_paths=pbem
only_mutate={path}
also_copy=
    conftest.py
    templates
    scenarios
pytest_add_cli_args=
    -p
    no:xdist
    -p
    no:benchmark
    --hypothesis-seed=0
pytest_add_cli_args_test_selection=
{tests}
timeout_multiplier=6
timeout_constant=2
process_isolation=forkserver
track_dependencies=false
use_git_change_detection=false
"""
QUICK = """from hypothesis import HealthCheck, Phase, settings

settings.register_profile(  # a mutant is dead at the first example: nobody reads the smallest one
    "mutants",
    phases=[Phase.explicit, Phase.generate],
    max_examples=20,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
settings.load_profile("mutants")


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: hasattr(item.function, "hypothesis"))  # properties last: they take longest
"""


def main(arguments: Sequence[str]) -> int:
    """Run the modules asked for (all of them by default), print a line for each and the verdict."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*", help="files or folders, such as pbem/kernel")
    parser.add_argument("--work", type=Path, default=ROOT / "build" / "mutation")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--survivors", action="store_true", help="only try the survivors of the last run again")
    wanted = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # takes mutmut along
    tests = read_modules(HERE / "modules.yaml")
    chosen = [path for path in tests if not wanted.modules or any(path.startswith(m.rstrip("/")) for m in wanted.modules)]
    accepted, done, stopped = read_survivors(HERE / "survivors.yaml"), [], []
    for path in chosen:
        bench = Bench(path, tests[path], wanted.work.resolve(), wanted.jobs, set(accepted))
        try:
            done.append(bench.again() if wanted.survivors else bench.run())
            print(done[-1], flush=True)
        except Stopped as why:
            stopped.append(f"STOPPED: {path}: {why}")
            print(stopped[-1], flush=True)
    failed = judge(done, accepted, FLOOR)
    print(*stopped, sep="\n")
    return 1 if stopped else failed


def read_modules(file: Path) -> dict[str, list[str]]:
    """Module -> its test files; a key of the file is a module or a folder, and the longest key that fits counts."""
    listed: dict[str, list[str]] = yaml.safe_load(file.read_text())
    found = {}
    for folder in listed:
        for path in sorted((ROOT / folder).rglob("*.py") if (ROOT / folder).is_dir() else [ROOT / folder]):
            name = path.relative_to(ROOT).as_posix()
            found[name] = listed[max((key for key in listed if name.startswith(key)), key=len)]
    return {name: tests for name, tests in found.items() if "def " in (ROOT / name).read_text()}


class Stopped(Exception):
    """A module's mutants could not be run."""


class Bench:
    """One module's copy of the project, and what came of its mutants."""

    def __init__(self, path: str, tests: Sequence[str], work: Path, jobs: int, accepted: Set[Survivor]) -> None:
        self.path, self.tests, self.jobs, self.accepted = path, list(tests), jobs, accepted
        self.name = path.removesuffix(".py").replace("/", ".")
        self.folder = work / self.name
        self.state = self.folder / "state.json"

    def run(self) -> Module:
        """Run what is left to run of the module's mutants."""
        marked = self.fingerprint()
        known = json.loads(self.state.read_text()) if self.state.exists() else {}
        if known.get("fingerprint") != marked:
            shutil.rmtree(self.folder, ignore_errors=True)
            self.copy()
            known = {"fingerprint": marked}
            self.state.write_text(json.dumps(known))
        if "verdicts" not in known:
            self.mutmut("run", "--max-children", str(self.jobs))
            known["verdicts"] = self.confirmed(self.meta())
            self.state.write_text(json.dumps(known, indent=1))
        return self.result(known["verdicts"])

    def again(self) -> Module:
        """Try the survivors of the last run again with the tests of today."""
        known = json.loads(self.state.read_text())
        for name in ("tests", "pyproject.toml"):
            _copy(ROOT / name, self.folder / "mutants" / name)
        if self.alone("") != "survived":
            raise Stopped("a test fails on the copy of the last run without any mutant; run it anew")
        known["verdicts"] = self.confirmed(known["verdicts"])
        self.state.write_text(json.dumps({"fingerprint": "", "verdicts": known["verdicts"]}, indent=1))
        return self.result(known["verdicts"])

    def fingerprint(self) -> str:
        """Of the module, its tests, and what runs them."""
        digest = hashlib.sha256()
        for file in [ROOT / self.path, HERE / "copying.py", HERE / "mutmut_with_conditions.py", *self.test_files()]:
            digest.update(file.read_bytes())
        return digest.hexdigest()

    def test_files(self) -> Iterator[Path]:
        for test in self.tests:
            here = ROOT / test.partition("::")[0]
            yield from sorted(here.rglob("*.py")) if here.is_dir() else [here]

    def copy(self) -> None:
        """The project as it stands, this module with its decorators moved, and mutmut's settings."""
        for name in ("pbem", "templates", "scenarios", "tests", "pyproject.toml"):
            _copy(ROOT / name, self.folder / name)
        (self.folder / self.path).write_text(undecorated((ROOT / self.path).read_text()))
        (self.folder / "conftest.py").write_text(QUICK)
        tests = "\n".join(f"    {test}" for test in self.tests)
        (self.folder / "setup.cfg").write_text(SETTINGS.format(path=self.path, tests=tests))

    def mutmut(self, *arguments: str) -> None:
        command = [sys.executable, str(HERE / "mutmut_with_conditions.py"), *arguments]
        log = self.folder / "mutmut.log"
        with log.open("w") as out:
            code = subprocess.run(command, cwd=self.folder, stdout=out, stderr=subprocess.STDOUT).returncode
        if code and self.meta():  # a module without functions has no mutants
            raise Stopped(f"mutmut went no further, most often because a test fails without any mutant: see {log}")

    def meta(self) -> dict[str, str]:
        """Mutant -> killed, survived, or timeout, as mutmut left them."""
        meta = json.loads((self.folder / "mutants" / f"{self.path}.meta").read_text())
        codes = meta["exit_code_by_key"]
        return {n: "killed" if code in KILLED else "timeout" if code in TIMEOUT else "survived" for n, code in codes.items()}

    def confirmed(self, verdicts: dict[str, str]) -> dict[str, str]:
        """The verdicts, each survivor that is not accepted tried once more in a process of its own."""
        lived = [name for name, verdict in verdicts.items() if verdict == "survived"]
        doubtful = [name for name, one in zip(lived, self.lines(lived), strict=True) if one not in self.accepted]
        return verdicts | {name: self.alone(name) for name in doubtful}

    def alone(self, mutant: str) -> str:
        """A mutant in a process of its own, under all tests: mutmut runs only those that it has seen to reach the function."""
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--rootdir=.", "--hypothesis-seed=0", "-p", "no:xdist"]
        environment = {**os.environ, "MUTANT_UNDER_TEST": mutant, "PY_IGNORE_IMPORTMISMATCH": "1", "PYTHONPATH": "."}
        place = self.folder / "mutants"
        try:
            ended = subprocess.run([*command, *self.tests], cwd=place, env=environment, capture_output=True, timeout=TOO_LONG)
        except subprocess.TimeoutExpired:
            return "timeout"
        return "survived" if ended.returncode in (0, 5) else "killed"

    def result(self, verdicts: dict[str, str]) -> Module:
        lived = [name for name, verdict in verdicts.items() if verdict == "survived"]
        return Module(self.path, len(verdicts), sum(v == "timeout" for v in verdicts.values()), self.lines(lived))

    def lines(self, mutants: Iterable[str]) -> list[Survivor]:
        """Where each mutant differs from the module."""
        with contextlib.chdir(self.folder):
            return [survivor(self.path, mutant, get_diff_for_mutant(mutant, path=self.path)) for mutant in mutants]


def _copy(source: Path, target: Path) -> None:
    if source.is_file():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
    else:
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__", ".hypothesis"))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
