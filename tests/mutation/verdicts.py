"""Killed, survived, accepted: what a mutation run says in the end."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml


@dataclass(frozen=True, slots=True)
class Survivor:
    """A mutant that no test notices, known by what it changes and not by its number: lines of a function, before and after."""

    module: str
    function: str
    was: str
    now: str

    def __str__(self) -> str:
        return f"{self.module} {self.function}\n  - {self.was}\n  + {self.now}"


@dataclass(frozen=True, slots=True)
class Module:
    """What came of a module's mutants. A mutant on which the tests run for ever counts as killed, and is counted apart."""

    path: str
    mutants: int
    timeouts: int
    survivors: list[Survivor]

    def __str__(self) -> str:
        killed = self.mutants - len(self.survivors) - self.timeouts
        lived = len(self.survivors)
        return f"{self.path:44} {killed:5} killed {lived:4} survived {self.timeouts:4} timeout {_rate([self]):6.1f} %"


def survivor(module: str, mutant: str, shown: str) -> Survivor:
    """A survivor from its name and mutmut's diff: `pbem.kernel.flow.xǁCommitǁcheck__mutmut_3` is `Commit.check`."""
    name = mutant.rpartition(".")[2].partition("__mutmut")[0]
    function = ".".join(name.split("ǁ")[1:]) if "ǁ" in name else name.removeprefix("x_")
    lines = shown.splitlines()
    was = [line[1:].strip() for line in lines if line.startswith("-") and not line.startswith("---")]
    now = [line[1:].strip() for line in lines if line.startswith("+") and not line.startswith("+++")]
    return Survivor(module, function, " ".join(was), " ".join(now))


def read_survivors(file: Path) -> dict[Survivor, str]:
    """The accepted survivors with their reasons: for each reason and function a list of lines."""
    found = {}
    for entry in yaml.safe_load(file.read_text()) or []:
        for pair in entry["mutants"]:
            found[Survivor(entry["module"], entry["function"], pair["was"], pair["now"])] = entry["reason"]
    return found


def judge(modules: Sequence[Module], accepted: dict[Survivor, str], floor: int) -> int:
    """Print the rate of each package, unlisted survivors, and listed ones that died since; the exit code."""
    packages = defaultdict(list)
    for module in modules:
        packages[module.path.rpartition("/")[0]].append(module)
    low = [name for name, inside in packages.items() if _rate(inside) < floor]
    for name, inside in packages.items():
        print(f"{name:44} {sum(m.mutants for m in inside):5} mutants, {_rate(inside):.1f} % killed, floor {floor} %")
    lived = Counter(one for module in modules for one in module.survivors)
    unlisted = [one for one in lived if one not in accepted]
    for one in unlisted:
        print(f"NOT LISTED: {one}")
    ran = {module.path for module in modules}
    for one in accepted:
        if one.module in ran and one not in lived:
            print(f"listed, but killed by now: {one}")
    for name in low:
        print(f"TOO FEW KILLED: {name}")
    return 1 if low or unlisted else 0


def _rate(modules: Iterable[Module]) -> float:
    mutants = sum(module.mutants for module in modules)
    return 100 * (mutants - sum(len(module.survivors) for module in modules)) / mutants if mutants else 100.0
