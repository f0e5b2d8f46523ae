"""Commands are made when they are asked for, and are then what they would be if all had been made at the start."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer

from pbem import games
from pbem.cli import lazy
from pbem.cli.app import app
from tests.commands import ORDERS, begun, inside, run

EAGER: Any = typer.main.get_command(app)
NAMES = [(), *((name,) for name in EAGER.commands)]
NAMES += [(name, part) for name, command in EAGER.commands.items() for part in list(getattr(command, "commands", ()))[:2]]


def test_the_commands_stand_in_the_order_in_which_help_lists_them() -> None:
    assert list(lazy.program(app).commands) == list(EAGER.commands)


def test_one_command_is_made_of_all_and_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    make = lazy.Commands._make

    def noted(self: lazy.Commands, info: Any) -> Any:
        made.append(info.name or info.callback.__name__)
        return make(self, info)

    monkeypatch.setattr(lazy.Commands, "_make", noted)
    commands = lazy.Commands(app)
    assert commands["card"] is commands["card"] and commands["mail"].commands
    assert made == ["card", "mail"] and len(commands) == len(EAGER.commands) and "nothing" not in commands


def test_the_list_of_commands_reads_no_parameters(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []
    monkeypatch.setattr(lazy.Commands, "__getitem__", lambda self, name: read.append(name))
    program = lazy.program.__wrapped__(app)
    context = program.make_context("pbem", ["--version"], resilient_parsing=True)
    listed = program.get_help(context)
    assert all(f"  {name} " in listed for name in EAGER.commands) and not read


@pytest.mark.parametrize("words", NAMES, ids=" ".join)
def test_help_is_that_of_the_whole_tree(words: tuple[str, ...]) -> None:
    command = EAGER
    context = EAGER.make_context("pbem", ["--version"], resilient_parsing=True)
    for word in words:
        command = command.commands[word]
        context = command.make_context(word, [], parent=context, resilient_parsing=True)
    done = run(*words, "--help")
    assert done.code == 0 and "Usage: " in done.out
    said = command.get_help(context)
    assert done.out.partition(" ")[2].split("\n", 1)[1].strip() == said.partition(" ")[2].split("\n", 1)[1].strip()


def test_the_list_of_games_says_what_they_call_themselves_and_loads_none() -> None:
    assert {name: load().title for name, load in games.BUILT_IN.items()} == games.TITLES
    code = "import sys; from pbem import games; games.titles(); print([m for m in sys.modules if m.endswith('.game')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


LOADED = """
import sys
from pbem.cli.app import main
sys.argv = ["pbem", *sys.argv[1:]]
try:
    main()
finally:
    print(*sys.modules, file=sys.stderr)
"""
NEVER = {
    "status -g axis": ("pbem.cli.receiving", "pbem.cli.setup", "pbem.runtime.desk", "pbem.report.render"),
    "check o.yaml -g axis": ("pbem.cli.receiving", "pbem.cli.setup", "pbem.games.index", "pbem.report.render"),
    "send o.yaml -g axis --yes": ("pbem.report.svg_map", "pbem.cli.receiving", "jinja2"),
    "receive axis/outbox -g allies": ("pbem.report.svg_map", "pbem.cli.setup", "pbem.runtime.desk", "jinja2"),
}


def test_a_command_loads_what_it_does_and_no_more(tmp_path: Path) -> None:
    """What only other commands do stays on the disk: every start would wait for it."""
    with inside(tmp_path):
        begun()
        Path("o.yaml").write_text(ORDERS)
        for words, never in NEVER.items():
            done = subprocess.run([sys.executable, "-c", LOADED, *words.split()], capture_output=True, text=True)
            assert done.returncode == 0, done
            loaded = done.stderr.split()
            assert "pbem.cli.app" in loaded and not [name for name in never if name in loaded], (words, done.stdout)


def test_a_start_looks_for_no_garbage() -> None:
    """Of 90 searches in 100,000 things that all stay, and one more at the end, which takes the longest."""
    code = (
        "import atexit, gc, sys\n"
        "runs = []\n"
        "gc.callbacks.append(lambda phase, info: runs.append(phase))\n"
        "atexit.register(lambda: print(len(runs) // 2, gc.get_freeze_count() > 10_000))\n"
        "from pbem.cli.app import main\n"
        "sys.argv = ['pbem', 'games']\n"
        "main()\n"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    searches, is_frozen = told.splitlines()[-1].split()
    assert int(searches) <= 3 and is_frozen == "True", told
