"""Refusals and questions are messages: said in words of the game, and in the language of who reads them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.games import next_war
from pbem.games.next_war.state import ALLIED
from pbem.games.next_war.support import Means, _read
from pbem.kernel.orders import Rejected
from pbem.report.languages import language
from tests.next_war.table import begin

PLACES = {"Ask": 3, "choose_word": 3, "choose_unit": 4, "choose_spot": 4, "illegal": 0, "unreadable": 0}
INSTEAD = {"illegal": 2, "unreadable": 1}  # what would be legal


def calls() -> Iterator[tuple[str, ast.Call]]:
    for path in Path(*next_war.__path__).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield f"{path.name}:{node.lineno}", node


def test_no_refusal_and_no_question_is_bare_text() -> None:
    bare = []
    for at, call in calls():
        assert isinstance(call.func, ast.Name)
        for places in (PLACES, INSTEAD):
            index = places.get(call.func.id)
            if index is not None and len(call.args) > index and isinstance(call.args[index], ast.JoinedStr | ast.Constant):
                bare.append(at)
    assert bare == []


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", "at most 2"),
        ("cs", "nejvýše 2"),
        ("pl", "najwyżej 2"),
        ("fr", "2 au plus"),
        ("ru", "не более 2"),
    ],
)
def test_a_refusal_speaks_the_reader_s_language(code: str, words: str) -> None:
    with pytest.raises(Rejected) as refused:
        _read(begin("training").state, ALLIED, Means(False, 2, (), ()), {"support": {"air": 3}})
    legal = refused.value.problems[0].legal
    assert language(code, ("next_war",)).text(legal) == words
