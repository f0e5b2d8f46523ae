"""Whole processes: how long a person waits for a command. python -m pytest tests/benchmarks --benchmark-only -m ''

The targets, on an idle machine: help 120 ms, check and receive of a large turn 300 ms.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.commands import inside, prepare

ROOT = Path(__file__).parents[2]
LARGE = """\
orders:
  - buy: 4 infantry, 1 transport
  - done
  - declare war: united-kingdom
  - move: 3 infantry, 1 artillery from Kwangsi to Yunnan
  - load: 1 infantry from Japan in SZ 6
  - move: 1 loaded transport, 1 battleship from SZ 6 to SZ 20
  - assault: 1 infantry from SZ 20 to Kwangtung
  - done
standing:
  casualties: cheapest first
  battle: any
  submarines: strike
  retreat:
    - {when: own-strength < enemy-strength, do: retreat}
    - {do: press}
note:
  - Good luck.
"""


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A running game; the file of a large turn lies in `posted`."""
    root = tmp_path_factory.mktemp("benchmark")
    moments = prepare(root)
    shutil.copytree(moments["running"], root / "work")
    (root / "work" / "large.yaml").write_text(LARGE)
    shutil.copytree(root / "work", root / "posted")
    with inside(root / "posted"):
        subprocess.run(
            [sys.executable, "-m", "pbem", "send", "large.yaml", "-g", "axis", "--yes"], check=True, env=environment()
        )
    return root


def environment() -> dict[str, str]:
    """As after an installation: modules are compiled once and kept."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(ROOT), "PBEM_HOME": "home"}


def whole_process(words: list[str], folder: Path, code: int = 0) -> None:
    """One command from start to end."""
    done = subprocess.run([sys.executable, "-m", "pbem", *words], cwd=folder, env=environment(), capture_output=True, text=True)
    assert done.returncode == code, done


@pytest.mark.parametrize("words", [["--version"], ["--help"], ["games"], ["receive", "--help"]], ids=" ".join)
def test_start_up(words: list[str], game: Path, benchmark: Any) -> None:
    benchmark.pedantic(whole_process, (words, game / "work"), rounds=11, warmup_rounds=2)


@pytest.mark.parametrize("words", [["status"], ["check", "large.yaml"], ["orders"], ["log"], ["verify"]], ids=" ".join)
def test_looking(words: list[str], game: Path, benchmark: Any) -> None:
    benchmark.pedantic(whole_process, ([*words, "-g", "axis"], game / "work"), rounds=7, warmup_rounds=1)


@pytest.mark.parametrize(
    "words",
    [["send", "large.yaml", "-g", "axis", "--yes"], ["receive", "../posted/axis/outbox/0001-yamada.eml", "-g", "allies"]],
    ids=" ".join,
)
def test_writing(words: list[str], game: Path, benchmark: Any) -> None:
    """Each round begins with a fresh copy of the folder."""

    def fresh() -> tuple[tuple[Any, ...], dict[str, Any]]:
        shutil.rmtree(game / "fresh", ignore_errors=True)
        shutil.copytree(game / "work", game / "fresh")
        return (words, game / "fresh"), {}

    benchmark.pedantic(whole_process, setup=fresh, rounds=7, warmup_rounds=1)
