"""Whatever a charter may choose does something: each option of each game changes some legal order, view or result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

from pbem import games
from pbem.kernel.engine import Option
from tests.case_driver import Case, read_cases, stage_of

ROOT = Path(__file__).parents[1] / "cases"
OPTIONS = [(name, option) for name in sorted(games.BUILT_IN) for option in games.load(name).options]
TRIED = 200  # cases of an option that are played without it, until one fails


@cache
def cases(folder: str) -> list[Case]:
    return [case for path in sorted((ROOT / folder).rglob("*.cases")) for case in read_cases(path)]


def lines_of(option: Option, case: Case) -> list[str]:
    """The lines of a case that choose something else than the documented reading."""
    first = str(option.choices[0])
    written = [line for line in case.setup if line.startswith((f"OPTION {option.name} ", "EDITION "))]
    return [line for line in written if line.split()[-1] != first and (line.split()[0] == "OPTION" or option.name == "rules")]


def told_apart(folder: str, option: Option) -> Iterator[str]:
    """Cases that do not come out without the option."""
    chosen = [(case, lines) for case in cases(folder) if (lines := lines_of(option, case))]
    for case, lines in islice(chosen, TRIED):
        try:
            stage_of(folder)(replace(case, setup=[line for line in case.setup if line not in lines])).run()
        except Exception:  # whatever goes otherwise, an order refused or a line of THEN
            yield case.id


@pytest.mark.parametrize(("name", "option"), OPTIONS, ids=[f"{name}-{option.name}" for name, option in OPTIONS])
def test_every_option_does_something(name: str, option: Option) -> None:
    assert next(told_apart(games.load(name).folder, option), None), f"{name}: no case needs {option.name}"


def test_an_option_that_does_nothing_is_noticed() -> None:
    assert not list(told_apart("next_war", Option("fog-of-war", ("off", "on"), "an option without an effect", "13.2")))
