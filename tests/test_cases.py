"""Every case file is played; a case that the program is known to fail stands in its game's known_faults.yaml."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from pbem import games
from tests.case_driver import Case, read_cases, stage_of

ROOT = Path(__file__).parent / "cases"
PLACES = [(path.relative_to(ROOT).parts[0], case) for path in sorted(ROOT.rglob("*.cases")) for case in read_cases(path)]
CASES = [case for _, case in PLACES]
KNOWN_FAULTS: dict[str, str] = {
    name: sentence
    for path in sorted(ROOT.glob("*/known_faults.yaml"))
    for name, sentence in yaml.safe_load(path.read_text("utf-8"))["known_faults"].items()
}


def _marked(game: str, case: Case) -> object:
    if case.id not in KNOWN_FAULTS:
        return pytest.param(game, case, id=case.id)
    return pytest.param(game, case, id=case.id, marks=pytest.mark.xfail(reason=KNOWN_FAULTS[case.id], strict=True))


@pytest.mark.parametrize(("game", "case"), [_marked(*place) for place in PLACES])
def test_case(game: str, case: Case) -> None:
    assert case.cites, "a case cites its rules"
    stage_of(game)(case).run()


def test_case_numbers_are_unique() -> None:
    ids = [c.id for c in CASES]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("game", sorted({game for game, _ in PLACES}))
@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["OPTION no-such-option yes"], "no option of this game: no-such-option"),
        (["OPTION {name} never-so"], "{name} is one of"),
        (["OPTION {name} {choice}", "OPTION {name} {choice}"], "{name} stands twice"),
    ],
    ids=["name", "choice", "twice"],
)
def test_a_stage_refuses_options_that_the_game_has_not(game: str, lines: list[str], words: str) -> None:
    option = games.load(game.replace("_", "-")).options[-1]
    told = {"name": option.name, "choice": option.choices[0]}
    with pytest.raises(AssertionError, match=words.format(**told)):
        stage_of(game)(Case("option", "", [], [line.format(**told) for line in lines], [])).run()


def test_known_faults_name_cases() -> None:
    assert set(KNOWN_FAULTS) <= {c.id for c in CASES}
