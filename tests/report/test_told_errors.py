"""What the program's own errors say goes into other sentences as a sentence, never as English text."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
SPEAKING = {"Diverged", "ProtocolError", "Refused", "Rejected"}  # errors that are `told` in every language
PLAIN = {
    ("pbem/cli/play.py", "_fault"),  # the reason in a signed refusal: records are English
    ("pbem/kernel/engine.py", "reply"),  # a fault of the program, for a report to its makers
    ("pbem/store/log.py", "_healed"),  # what Python says, where the error has no sentence
}


def texts(tree: ast.AST) -> Iterator[tuple[str, ast.ExceptHandler]]:
    """The functions that catch an error of these kinds and write it out as text."""
    for function in (n for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)):
        for handler in (n for n in ast.walk(function) if isinstance(n, ast.ExceptHandler) and n.name and n.type):
            kinds = {n.id for n in ast.walk(handler.type) if isinstance(n, ast.Name)}
            if kinds & SPEAKING and any(_is_written(n, handler.name) for n in ast.walk(handler)):
                yield function.name, handler


def _is_written(node: ast.AST, name: str) -> bool:
    """`str(error)` or an f-string with the error in it."""
    if isinstance(node, ast.FormattedValue):
        return isinstance(node.value, ast.Name) and node.value.id == name
    called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "str"
    return called and any(isinstance(n, ast.Name) and n.id == name for n in node.args)


def test_no_error_that_has_a_sentence_is_written_out_as_english_text() -> None:
    found = {
        (path.relative_to(ROOT).as_posix(), function)
        for path in sorted((ROOT / "pbem").rglob("*.py"))
        for function, _ in texts(ast.parse(path.read_text("utf-8")))
    }
    assert found == PLAIN


def test_the_search_sees_what_it_looks_for() -> None:
    seen = "def f():\n try: g()\n except (OSError, Refused) as e:\n  {}"
    for line, is_found in (("h(str(e))", True), ("h(f'{e}')", True), ("h(e.told)", False), ("h(str(1))", False)):
        assert bool(list(texts(ast.parse(seen.format(line))))) is is_found
    assert not list(texts(ast.parse("def f():\n try: g()\n except OSError as e: h(str(e))")))
