"""Every sentence of Pacific 1940 is a message with named parts where the rule makes it: nothing is glued, nothing read back."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from pbem.games import axis_and_allies_pacific
from tests.report.catalogues import ROOT

FOLDER = ROOT / "pbem" / "games" / axis_and_allies_pacific.__name__.rpartition(".")[2]
SAID = {"illegal": (0, 2), "unreadable": (0, 1), "Problem": (1, 3), "Ask": (3,), "Roll": (0,)}  # arguments that are sentences
READS_PLAYERS = ("orders.py", "typed.py", "casualties.py", "standing.py")  # their patterns read what players wrote


def calls() -> Iterator[tuple[str, str, ast.Call]]:
    for path in sorted(FOLDER.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield f"{path.name}:{node.lineno}", node.func.id, node


def test_what_is_said_is_a_message() -> None:
    """The words of an order may stand alone as they were written, other text may not."""
    glued = [
        where
        for where, name, call in calls()
        for at in SAID.get(name, ())
        if at < len(call.args) and isinstance(call.args[at], ast.Constant | ast.JoinedStr | ast.BinOp)
    ]
    assert glued == []


def test_a_message_is_written_out_and_names_its_parts() -> None:
    for where, name, call in calls():
        if name not in ("msg", "counted"):
            continue
        forms = call.args[: 1 if name == "msg" else 2]
        assert all(isinstance(form, ast.Constant) and isinstance(form.value, str) for form in forms), where
        if any(part.arg is None for part in call.keywords) or (where.startswith("wording.py") and not call.keywords):
            continue  # the parts of a die's label, the columns of a table
        named = {str(part.arg) for part in call.keywords} | ({"n"} if name == "counted" else set())
        for form in forms:
            assert isinstance(form, ast.Constant)
            used = {field for _, field, _, _ in Formatter().parse(str(form.value)) if field}
            assert used <= named and named - used <= {"n"}, where


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.name)
def test_nothing_is_read_back(path: Path) -> None:
    text = path.read_text("utf-8")
    assert path.name in READS_PLAYERS or ("import re\n" not in text and "from re import" not in text)
