"""Mutants of the games' rules: what is changed, which are chosen, who notices them."""

from __future__ import annotations

import ast
import os
import subprocess
import sys

from tests.breaks.edits import ROOT
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


def test_a_mutant_that_cases_reach_is_noticed() -> None:
    lines = (
        "from tests.mutation.rule_mutants import mutants",
        "from tests.mutation.rules import _judge",
        "wanted = [m for m in mutants('next_war') if m.function == '_overmatch' and m.was.startswith('3 * strength + 1')]",
        "print(_judge((wanted[0], ['NW-BT-18'], True))[1])",
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", "\n".join(lines)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, env=environment)
    assert done.stdout.startswith("NW-BT-18: ")
