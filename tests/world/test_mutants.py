"""The list of programs that break one rule of trust: each can be applied, and its directed test is there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.breaks.edits import ROOT
from tests.world.machine import WorldMachine
from tests.world.mutants import Mutant, mutants

RUN = "from tests.world.mutants import mutants, tested; print(tested(mutants(['R7'])[0]).fault)"


@pytest.mark.parametrize("mutant", mutants(), ids=lambda m: m.name)
def test_a_mutant_can_be_applied_and_has_a_directed_test(mutant: Mutant) -> None:
    assert mutant.sources()
    path, _, name = mutant.test.partition("::")
    assert name and f"def {name}(" in Path(ROOT, path).read_text()
    assert set(mutant.harms) <= WorldMachine.harms


def test_the_directed_test_notices_the_mutant_in_a_process_of_its_own() -> None:
    done = subprocess.run(
        [sys.executable, "-c", RUN],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert done.stdout.startswith("FAILED tests/toygame/test_pen.py::test_who_refuses")
