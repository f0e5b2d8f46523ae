"""Every rule section: where it is implemented, by which cases it is tested; nothing is listed that is not there."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import yaml

from tests.case_driver import read_cases

ROOT = Path(__file__).parent.parent
FILES = {p.parent.name: p for p in sorted((ROOT / "pbem" / "games").glob("*/sections.yaml"))}
GAMES = sorted(FILES)


def places(folder: Path) -> set[str]:
    """module.function and module.Class of a game; a module in a folder is folder.module."""
    found = set()
    for path in folder.rglob("*.py"):
        module = ".".join(path.relative_to(folder).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                found.add(f"{module}.{node.name}")
    return found


@pytest.mark.parametrize("game", GAMES)
def test_sections_point_at_code_and_cases(game: str) -> None:
    sections = yaml.safe_load(FILES[game].read_text())["sections"]
    cases = {c.id: c for p in (ROOT / "tests" / "cases" / game).rglob("*.cases") for c in read_cases(p)}
    known = places(FILES[game].parent)
    for rule, entry in sections.items():
        if entry["status"] == "not applicable":
            assert entry["why"]
            continue
        assert entry["status"] == "implemented", f"{rule} is still open"
        assert entry["where"] and set(entry["where"]) <= known, f"{rule}: {set(entry['where']) - known}"
        for case in entry["cases"]:
            assert rule in cases[case].cites, f"{case} does not cite {rule}"


@pytest.mark.parametrize("game", GAMES)
def test_cited_rules_are_listed(game: str) -> None:
    sections = yaml.safe_load(FILES[game].read_text())["sections"]
    rulings = yaml.safe_load((FILES[game].parent / "rulings.yaml").read_text())["rulings"]
    for path in (ROOT / "tests" / "cases" / game).rglob("*.cases"):
        for case in read_cases(path):
            for rule in case.cites:
                assert rule in sections or rule in rulings or rule.startswith("T-"), f"{case.id} cites {rule}"
