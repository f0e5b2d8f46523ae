"""What `pbem scenarios` says of each scenario, in every language; `pbem charts`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pbem import games
from pbem.report.languages import LANGUAGES
from pbem.store.library import load_scenario, scenario_names
from tests.commands import must, run


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("system", games.BUILT_IN)
def test_every_scenario_is_told_in_every_language(system: str, lang: str) -> None:
    names = set(scenario_names(games.load(system)))
    told, english = _told(must("--language", lang, "scenarios", system), names), _told(must("scenarios", system), names)
    assert set(told) == set(english) == names
    for name, text in told.items():
        assert text.count(".") >= 4 and "{" not in text, (name, text)
        assert (text == english[name]) == (lang == "en")
    assert json.loads(must("scenarios", system, "--json"))["summaries"] == english


def _told(said: str, names: set[str]) -> dict[str, str]:
    """The summaries of a list of scenarios by name."""
    parted = [part.partition(": ") for part in said.strip().split("\n\n")[1:]]
    return {name: text for name, _, text in parted if name in names}


def test_a_summary_stands_under_its_name() -> None:
    said = must("scenarios", "pacific-war")
    assert "\nsavo-island: Savo Island: one naval combat at night" in said
    assert "Strategic draw: the amphibious transport is sunk, two Japanese ships are sunk." in said


TOLD = [("pacific-war", "coral-sea"), ("next-war", "gap"), ("empire-of-the-sun", "burma")]


@pytest.mark.parametrize(("system", "name"), TOLD)
def test_a_scenario_of_ones_own_is_told_by_its_data(system: str, name: str) -> None:
    """Nothing is known of its story, nor how many files it takes."""
    game = games.load(system)
    scenario = load_scenario(game, name)
    assert isinstance(scenario, dict)
    ours, own = game.summary(scenario), game.summary({**scenario, "name": "mine"})
    assert ours is not None and own is not None and len(own.args) == len(ours.args) - 2


# -- charts ----------------------------------------------------------------------------------------------------------------


def test_the_charts_are_listed_with_what_is_printed() -> None:
    said = must("charts", "pacific-war")
    assert "air_naval               264 cells: 264 printed" in said and "stated" in said and "our own" in said
    assert json.loads(must("charts", "pacific-war", "--json"))["critical"] == {"printed": 10}


def test_a_chart_is_shown_cell_by_cell() -> None:
    said = must("charts", "pacific-war", "ground")
    row = next(line for line in said.splitlines() if line.startswith("rows.2.results.2 "))
    assert row.split(maxsplit=1)[1] == "3 0 A   stated: G01, G12, G14"
    assert "\nG01  stated: Port Moresby example" in said
    plain = json.loads(must("charts", "pacific-war", "ratio", "--json"))
    assert {"at": "5.3", "value": 0, "kind": "fact", "by": ["G03", "G01", "G07"]} in plain["cells"]


def test_what_an_owner_has_typed_in_is_shown_as_his(tmp_path: Path) -> None:
    mine = tmp_path / "mine.yaml"
    mine.write_text("terrain_shift: {clear: 0, atoll: 1, jungle: -1, rough: -2, mountain: -3, '': 0}\n")
    said = must("charts", "pacific-war", "terrain_shift", "--charts", str(mine))
    assert "yours: yours" in next(line for line in said.splitlines() if line.startswith("atoll"))
    assert "stated: G01" in next(line for line in said.splitlines() if line.startswith("mountain"))


def test_a_chart_that_there_is_not() -> None:
    assert "did you mean ground" in run("charts", "pacific-war", "grund").err
    assert "has no charts" in run("charts", "next-war").err
