"""Looking at a long game, and hex maps of three theatres, each beside its floor in the same run.

The floors: what a start imports in any case, and for a game of 500 files playing its log. Targets on an idle machine: a replay
of 500 files 5 s and 60 MB, the first hex map of a process 60 ms, its PNG 1.5 s and 1 MB.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pbem import games
from pbem.kernel.engine import Engine
from pbem.report import svg_map, view
from pbem.report.maps import hex_land
from pbem.report.maps.look import Look
from pbem.report.png import png
from pbem.store import library
from pbem.store.folder import GameFolder
from tests.axis_and_allies_pacific.table import scenario
from tests.benchmarks.test_commands import environment
from tests.replay.games import one_by_one

FILES = 500
THEATRES = [("empire-of-the-sun", "campaign-1941"), ("next-war", "korea"), ("pacific-war", "strategic-1941")]
WHEN = "2026-01-01T00:00:00Z"
FLOOR = "import typer, yaml, cryptography.hazmat.primitives.asymmetric.ed25519"
RUN = """
import sys
from pbem.store import opened
opened.scenario_hash = lambda plain: "0" * 64  # what the charters of tests say
from pbem.cli.app import main
main()
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A long game, watched by somebody who has looked at it before."""
    path = tmp_path_factory.mktemp("looks") / "long"
    folder, log = GameFolder.create(path, {"system": "axis-and-allies-pacific"}), one_by_one(FILES)
    for kind, document in zip(["charter"] + ["file"] * FILES, log, strict=False):
        folder.log.append(kind, document, WHEN)
    (path / "scenario.json").write_text(json.dumps(scenario()))
    command(path, "report", "--from", str(FILES))
    return path


def command(path: Path, *words: str) -> None:
    subprocess.run([sys.executable, "-c", RUN, *words], cwd=path, env=environment(), check=True, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize(
    "words", ["import typer, yaml, cryptography.hazmat.primitives.asymmetric.ed25519", RUN], ids=["floor", "games"]
)
def test_start(benchmark: Any, words: str) -> None:
    line = [sys.executable, "-c", words, "games"]
    benchmark.pedantic(subprocess.run, (line,), {"env": environment(), "check": True}, rounds=7, warmup_rounds=1)


@pytest.mark.parametrize(
    "words",
    ["status", "verify", "map --to map.svg", "report --turn 2 --out turn.md", "report --from 490 --out end.md", "replay"],
)
def test_looking_at_500_files(benchmark: Any, folder: Path, words: str) -> None:
    """`status` and `verify`, which plays all, are the floors of the others."""
    benchmark.pedantic(command, (folder, *words.split()), rounds=3, warmup_rounds=1)
    benchmark.extra_info["largest child so far, MB"] = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024


def theatre(system: str, name: str) -> tuple[Any, Any]:
    game = games.load(system)
    plain = library.load_scenario(game, name)
    state = game.start(plain, {option.name: option.choices[0] for option in game.options})
    game.attach(state, plain)
    return game, view.picture_of(game, Engine(game, plain, state).state, [], "none")


@pytest.mark.parametrize("first", [True, False], ids=["first", "next"])
@pytest.mark.parametrize("system, name", THEATRES)
def test_theatre_as_svg(benchmark: Any, system: str, name: str, first: bool) -> None:
    game, picture = theatre(system, name)

    def forget() -> None:
        for kept in (hex_land.ground, hex_land.layout, hex_land.lines):
            kept.cache_clear()

    how: dict[str, Any] = {"setup": forget} if first else {}
    assert benchmark.pedantic(svg_map.draw, (game, picture, "Theatre", Look()), rounds=10, **how).startswith("<svg")


@pytest.mark.parametrize("system, name", THEATRES)
def test_theatre_as_png(benchmark: Any, system: str, name: str) -> None:
    drawn = svg_map.draw(*theatre(system, name), "Theatre", Look())
    benchmark.extra_info["KiB"] = len(benchmark.pedantic(png, (drawn,), rounds=2)) // 1024
