"""Refusals and questions are messages: said in words of the game, and in the language of who reads them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.games import pacific_war
from pbem.games.pacific_war.air.mission_orders import read_mission
from pbem.games.pacific_war.orders import not_next
from pbem.kernel.orders import Rejected
from pbem.report.languages import language
from tests.pacific_war.table import begin

PROMPT = {"Ask": 3, "Commit": 3, "yes_or_no": 3, "orders_until_done": 3, "choose_unit": 4, "choose_place": 4}
REASON = {"illegal": 0, "unreadable": 0}


def calls() -> Iterator[tuple[str, ast.Call]]:
    for path in Path(*pacific_war.__path__).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield f"{path.name}:{node.lineno}", node


def test_no_refusal_and_no_question_is_bare_text() -> None:
    bare = []
    for at, call in calls():
        assert isinstance(call.func, ast.Name)
        index = {**PROMPT, **REASON}.get(call.func.id)
        if index is not None and len(call.args) > index and isinstance(call.args[index], ast.JoinedStr | ast.Constant):
            bare.append(at)
    assert bare == []


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("en", "there is nothing to attack in 1630 Rabaul"),
        ("cs", "v hexu 1630 Rabaul není na co útočit"),
        ("pl", "w heksie 1630 Rabaul nie ma czego atakować"),
        ("fr", "il n’y a rien à attaquer dans l’hexagone 1630 Rabaul"),
        ("ru", "в гексе 1630 Rabaul атаковать нечего"),
    ],
)
def test_a_refusal_speaks_the_reader_s_language(code: str, words: str) -> None:
    with pytest.raises(Rejected) as refused:
        read_mission(begin("pearl-harbor").state, "japan", {"mission": {"strike": 1630, "units": ["CAD1"]}})
    reason = refused.value.problems[0].reason
    assert language(code, ("pacific_war",)).text(reason) == words


def test_a_step_too_far_is_answered_with_the_hexes_that_are_next() -> None:
    g = begin("guadalcanal").state
    wrong = not_next(g, 1233, 1332, "PW-MOV-02").problems[0]
    assert str(wrong.reason) == "1233 Santa Isabel is not next to 1332 Shortland"
    assert {"1232 Munda", "1432 Buin"} <= set(str(wrong.legal).split(", ")) and "1332 Shortland" not in str(wrong.legal)
