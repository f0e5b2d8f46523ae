"""Every sentence names its parts: the places of a message are the keywords of its call."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

PACKAGE = Path(__file__).resolve().parents[2] / "pbem"
CALLS = {"msg": 1, "speak": 1, "counted": 2, "speak_counted": 2}


def _wrong(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name | ast.Attribute):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        first = node.args[0] if name in CALLS and node.args else None
        if not isinstance(first, ast.Constant) or any(k.arg is None for k in node.keywords) or not node.keywords:
            continue
        places = {place for _, place, _, _ in Formatter().parse(str(first.value)) if place}
        given = {str(k.arg) for k in node.keywords} | ({"n"} if CALLS[name] == 2 else set())
        if places - given:
            yield f"{path.relative_to(PACKAGE)}:{node.lineno} {sorted(places - given)}"


def test_every_place_of_a_message_is_given() -> None:
    assert [line for path in sorted(PACKAGE.rglob("*.py")) for line in _wrong(path)] == []
