"""Nothing of the rules' own proof is left out: every worked example, boundary and section has its case."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.case_driver import read_cases

ROOT = Path(__file__).parents[2]
CASES = {c.id: c for path in (ROOT / "tests/cases/next_war").glob("*.cases") for c in read_cases(path)}
SECTIONS = yaml.safe_load((ROOT / "pbem/games/next_war/sections.yaml").read_text("utf-8"))["sections"]


@pytest.mark.parametrize("number", range(1, 20))
def test_every_worked_example_has_a_case(number: int) -> None:
    assert f"NW-EX-{number:02}" in CASES


@pytest.mark.parametrize("number", range(1, 29))
def test_every_boundary_has_a_case(number: int) -> None:
    assert f"NW-BT-{number:02}" in CASES


@pytest.mark.parametrize("rule", [r for r, entry in SECTIONS.items() if entry["status"] == "implemented"])
def test_every_section_has_a_case(rule: str) -> None:
    assert SECTIONS[rule]["cases"]


def test_every_switch_of_the_edition_is_played_on_both_sides() -> None:
    pairs = {name[:-1] for name in CASES if name.startswith("NW-ED-")}
    assert len(pairs) >= 33
    for name in sorted(pairs):
        assert f"{name}o" in CASES and f"{name}n" in CASES, name
        assert "OPTION edition newer" in CASES[f"{name}n"].setup, name
        assert "OPTION edition newer" not in CASES[f"{name}o"].setup, name
        assert "EDITION" in CASES[f"{name}o"].cites and "EDITION" in CASES[f"{name}n"].cites, name
