"""What TAB offers in bash, zsh and fish: the entries that the shells call."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import inside, must, prepare

SHELLS = ("bash", "zsh", "fish")
ENTRY = "import sys; sys.argv = ['pbem']; from pbem.cli.app import main; main()"
SYSTEM = "axis-and-allies-pacific"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("completion")
    (root / "made").mkdir()
    moments = prepare(root / "made")
    shutil.copytree(moments["running"], root / "work")
    (root / "work" / "games").mkdir()
    shutil.copytree(root / "work" / "axis", root / "work" / "games" / "inner")
    return root / "work"


def offered(shell: str, folder: Path, *words: str) -> list[str]:
    """What is offered for the last word."""
    env = {**os.environ, "_PBEM_COMPLETE": f"complete_{shell}", "PYTHONPATH": str(Path(__file__).parents[2])}
    line = " ".join(["pbem", *words])
    if shell == "bash":
        env |= {"COMP_WORDS": line, "COMP_CWORD": str(len(words))}
    else:
        env |= {"_TYPER_COMPLETE_ARGS": line, "_TYPER_COMPLETE_FISH_ACTION": "get-args"}
    done = subprocess.run([sys.executable, "-c", ENTRY], cwd=folder, env=env, capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr, done.stderr
    if shell == "zsh":  # "value":"help" in lines; a colon is escaped
        lines = done.stdout.replace("_arguments '*: :((", "").split("\n")
        return [m[1].replace("\\", "") for line in lines if (m := re.match(r'"([^"]*)"', line))]
    return [line.split("\t")[0] for line in done.stdout.split("\n") if line.strip()]


CASES = [
    (["rec"], "receive", "report"),
    (["mail", "re"], "remind", "send"),
    (["rules", ""], SYSTEM, "axis"),
    (["rules", SYSTEM, "PUR-0"], "PUR-01", "GC-10"),
    (["status", "-g", ""], "axis", "home"),
    (["status", "-g", "games/"], "games/inner", "axis"),
    (["join", "--as", "x", "--seats", "j"], "japan", "china"),
    (["new", "f", "--scenario", ""], "spring-1940", "axis"),
    (["new", "f", "--option", "b"], "bid=0", "japan"),
    (["map", "-g", "axis", "--around", "yun"], "yunnan", "hunan"),
    (["odds", "ax"], SYSTEM, "infantry"),
    (["odds", SYSTEM, "inf"], "infantry", "tank"),
    (["check", "-g", "axis", "--order", "b"], "buy:", "infantry"),
    (["report", "--format", "h"], "html", "md"),
    (["seat", "take", "-g", "axis", ""], "nowak", "japan"),
    (["new", "f", "--then", "s"], "stand-in", "loss"),
    (["rule", "-g", "axis", ""], "nothing", "draw"),
    (["report", "--language", ""], "pl", "html"),
    (["manual", "next"], "next-war", "odds"),
]


@pytest.mark.parametrize(("words", "wanted", "unwanted"), CASES)
def test_offers(words: list[str], wanted: str, unwanted: str, folder: Path) -> None:
    found = offered("bash", folder, *words)
    assert wanted in found and unwanted not in found


@pytest.mark.parametrize("shell", ["zsh", "fish"])
@pytest.mark.parametrize(("words", "wanted", "unwanted"), [c for c in CASES if c[0][0] in ("mail", "map", "check")])
def test_the_other_shells(shell: str, words: list[str], wanted: str, unwanted: str, folder: Path) -> None:
    found = offered(shell, folder, *words)
    assert wanted in found and unwanted not in found


def test_an_order_is_completed_word_by_word(folder: Path) -> None:
    from pbem.cli import completion

    class Context:
        params = {"game": Path("axis"), "system": None, "words": [SYSTEM]}

    with inside(folder):
        assert "buy: 3 infantry" in completion.orders(Context(), "buy: 3 inf")  # type: ignore[arg-type]
        assert "move: 1 tank from japan" in completion.orders(Context(), "move: 1 tank from jap")  # type: ignore[arg-type]
        assert "buy: 3 infantry, 1 tank" in completion.orders(Context(), "buy: 3 infantry, 1 ta")  # type: ignore[arg-type]
        assert completion.forces(Context(), "3 infantry, 1 art") == ["3 infantry, 1 artillery"]  # type: ignore[arg-type]
        assert completion.seats(Context(), "japan,ch") == ["japan,china"]  # type: ignore[arg-type]


def test_an_order_is_completed_behind_those_before_it(folder: Path) -> None:
    from pbem.cli import completion

    class Context:
        params = {"game": Path("axis"), "system": None, "order": ["buy: 1 infantry", "done"]}

    def offers(text: str) -> list[str]:
        return completion.orders(Context(), text)  # type: ignore[arg-type, return-value]

    with inside(folder):
        assert {"move:", "load:", "done", "declare war:"} <= {*offers("")}
        assert "declare war:" in offers("declare w")
        assert "move: 2 infantry" in offers("move: 2 inf") and "move: 1 transport" in offers("move: 1 tr")
        assert "move: 2 infantry from" in offers("move: 2 infantry f")
        assert "move: 2 infantry from jehol" in offers("move: 2 infantry from j")
        assert "move: 1 submarine from jehol" not in offers("move: 1 submarine from j")
        assert "move: 2 infantry from jehol to" in offers("move: 2 infantry from jehol t")
        assert offers("move: 2 infantry from jehol to ch") == ["move: 2 infantry from jehol to chahar"]


@pytest.mark.parametrize("shell", SHELLS)
def test_nothing_is_offered_where_there_is_no_game(shell: str, tmp_path: Path) -> None:
    assert offered(shell, tmp_path, "map", "--around", "yun") == []
    assert offered(shell, tmp_path, "status", "-g", "") == []


@pytest.mark.parametrize("shell", SHELLS)
def test_hostile_folder_names_are_not_offered(shell: str, folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder / "axis", tmp_path / "a\x1b[2J")
    shutil.copytree(folder / "axis", tmp_path / "a\u202eb")
    shutil.copytree(folder / "axis", tmp_path / "good")
    found = offered(shell, tmp_path, "status", "-g", "")
    assert "good" in found and len(found) == 1


def test_check_takes_orders_from_the_command_line(folder: Path) -> None:
    with inside(folder):
        assert "2 orders are legal" in must("check", "--order", "done", "--order", "done", "-g", "axis")
