"""Mutants of the games' rules: what is changed, which are chosen, who notices them."""

from __future__ import annotations

import ast
import os
import subprocess
import sys

import pytest

from tests.breaks.edits import GAMES, ROOT
from tests.mutation import rules
from tests.mutation.rule_mutants import functions, mutants, places

SOURCE = '''
def hits(dice: int | None, most: int) -> int:
    """Words > words."""
    assert dice > 0
    if dice > most and most + 1 < 5:
        note(f"{dice > 3}")
        raise ValueError
    return dice
'''


def test_every_kind_of_change_is_found_and_nothing_else() -> None:
    ((name, function),) = functions(ast.parse(SOURCE))
    assert name == "hits"
    assert [place.shown() for place in places(function)] == [
        ("dice > most and most + 1 < 5", "dice > most or most + 1 < 5"),
        ("dice > most", "dice >= most"),
        ("most + 1 < 5", "most + 1 <= 5"),
        ("most + 1", "most - 1"),
        ("note(f'{dice > 3}')", "pass"),
        ("raise ValueError", "pass"),
    ]


def test_a_mutant_changes_its_place_alone() -> None:
    for mutant in mutants("next_war")[:20]:
        before = ast.unparse(ast.parse((ROOT / mutant.path).read_text("utf-8"))).splitlines()
        after = ast.unparse(mutant.tree()).splitlines()
        assert before != after and mutant.was != mutant.now


def test_what_shows_or_suggests_is_left_out() -> None:
    paths = {m.path for m in mutants("pacific_war")}
    assert "pbem/games/pacific_war/world/links.py" in paths
    assert not [p for p in paths if "/bot/" in p or "/words/" in p or p.endswith("forms.py")]
    ((_, function),) = functions(ast.parse("def ask(n):\n    def form():\n        return n + 1\n    return n - 1"))
    assert [place.shown()[0] for place in places(function)] == ["n - 1"]
    assert not [m for m in mutants("empire_of_the_sun") if m.function.endswith("_form")]


def test_a_recorded_game_that_does_not_hold_judges_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(rules, "_goes_otherwise", lambda title: "Rejected" if title.endswith("101") else "")
    titles = rules.sound("axis_and_allies_pacific")
    assert titles and not [t for t in titles if t.endswith("101")]
    assert "random-101: Rejected" in capsys.readouterr().out


def test_quick_tests_judge_before_recorded_games(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(rules, "_goes_otherwise", lambda title: "")
    monkeypatch.setattr(rules, "_fails", lambda game, title: "TESTS_FAILED" if title == "test_muster" else "")
    titles = rules.sound("pacific_war")
    assert titles[0] == "test_refusals" and titles[-1].startswith("recorded ") and "test_muster" not in titles
    assert "test_muster: TESTS_FAILED" in capsys.readouterr().out
    assert all((ROOT / "tests" / game / f"test_{name}.py").exists() for game, names in rules.TESTS.items() for name in names)


def test_every_listed_survivor_is_still_a_change_of_its_function() -> None:
    listed = rules.accepted(rules.ACCEPTED)
    possible = {rules.identity(m) for game in GAMES for m in mutants(game)}
    assert not [survivor for survivor in listed if survivor not in possible]


def test_a_mutant_that_cases_reach_is_noticed() -> None:
    lines = (
        "from tests.mutation.rule_mutants import mutants",
        "from tests.mutation.rules import _judge",
        "wanted = [m for m in mutants('next_war') if m.function == '_overmatch' and m.was.startswith('3 * strength + 1')]",
        "print(_judge((wanted[0], ['NW-BT-18'], []))[1])",
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", "\n".join(lines)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=environment)
    assert done.stdout.startswith("NW-BT-18: ")


def test_every_survivor_in_the_list_is_a_mutant_of_today() -> None:
    mutants_of_today = {rules.identity(m) for game in rules.GAMES for m in mutants(game)}
    assert not [row for row in rules.accepted(rules.ACCEPTED) if row not in mutants_of_today]
