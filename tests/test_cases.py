"""Every case file is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.case_driver import Case, Stage, read_cases

FILES = sorted((Path(__file__).parent / "cases").glob("*/*.cases"))
CASES = [case for path in FILES for case in read_cases(path)]


@pytest.mark.parametrize("case", CASES, ids=[c.id for c in CASES])
def test_case(case: Case) -> None:
    assert case.cites, "a case cites its rules"
    Stage(case).run()


def test_case_numbers_are_unique() -> None:
    ids = [c.id for c in CASES]
    assert len(ids) == len(set(ids))
