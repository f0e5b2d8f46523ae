"""Charts that an owner of the game types in: checked, in the charter by their hash, the same for both players."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pbem.games.pacific_war.checking import faults, faults_of, replaced
from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.world.initiative import level_at, shift
from tests.commands import inside, must, run
from tests.pacific_war import table

MINE = """\
terrain_shift: {clear: 0, atoll: -1, jungle: -2, rough: -2, mountain: -3, "": 0}
air_naval:
  flak: [0, 0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3]
"""
NEW = ("new", "one", "--system", "pacific-war", "--scenario", "coral-sea", "--charts", "mine.yaml")


@pytest.fixture
def here(tmp_path: Path) -> Any:
    with inside(tmp_path):
        Path("mine.yaml").write_text(MINE)
        yield tmp_path


def test_a_chart_that_is_given_is_no_longer_reconstructed(here: Path) -> None:
    told = must(*NEW)
    assert "ratio" in told and "terrain_shift" not in told
    kept = json.loads(Path("one/scenario.json").read_text())
    assert kept["charts"]["terrain_shift"]["atoll"] == -1
    assert kept["charts"]["air_naval"]["flak"][1] == 0
    assert kept["charts"]["air_naval"]["torpedo"] == table.scenario("coral-sea")["charts"]["air_naval"]["torpedo"]


def test_both_players_need_the_same_charts(here: Path) -> None:
    must(*NEW)
    join = ("join", "one/charter.yaml", "--as", "nowak", "--seats", "allies", "-g", "two")
    done = run(*join)
    assert done.code == 5 and "coral-sea is played with the drafter's own charts: --charts FILE" in done.err
    Path("other.yaml").write_text(MINE.replace("atoll: -1", "atoll: -2"))
    done = run(*join, "--charts", "other.yaml")
    assert done.code == 11 and "both players need the same files" in done.err
    assert not Path("two").exists()
    must(*join, "--scenario", "one/scenario.json")


def test_the_same_charts_are_enough_to_join_and_the_game_begins(here: Path) -> None:
    """As the manual says: `new` and `join`, each with the same file of charts."""
    assert "the others join with --charts and that file" in must(*NEW)
    must("join", "--as", "yamada", "--seats", "japan", "-g", "one")
    must("join", "one/charter.yaml", "--as", "nowak", "--seats", "allies", "--charts", "mine.yaml", "-g", "two")
    assert Path("one/scenario.json").read_bytes() == Path("two/scenario.json").read_bytes()
    must("accept", "-g", "two")
    must("accept", "two/charter.yaml", "-g", "one")
    assert "The game has begun." in must("accept", "one/charter.yaml", "-g", "two")
    for folder in ("one", "two"):
        must("verify", "-g", folder)


def test_an_umpire_joins_with_the_charts_too(here: Path) -> None:
    must(*NEW)
    umpire = ("umpire", "join", "one/charter.yaml", "--as", "smith", "--role", "witness", "-g", "three")
    assert run(*umpire).code == 5
    must(*umpire, "--charts", "mine.yaml")


def test_charts_over_a_scenario_of_ones_own(here: Path) -> None:
    plain = {**table.scenario("coral-sea"), "game": "pacific-war", "name": "reef"}
    Path("reef.json").write_text(json.dumps(plain))
    must("new", "one", "--scenario", "reef.json", "--charts", "mine.yaml")
    join = ("join", "one/charter.yaml", "--as", "nowak", "--seats", "allies", "-g", "two")
    assert "and --scenario FILE his scenario" in run(*join).err
    assert run(*join, "--charts", "mine.yaml").code == 5
    must(*join, "--charts", "mine.yaml", "--scenario", "reef.json")


def test_charts_do_not_go_with_a_game_that_has_none_of_its_own(here: Path) -> None:
    must(*NEW[:-2])
    done = run("join", "one/charter.yaml", "--as", "nowak", "--seats", "allies", "--charts", "mine.yaml", "-g", "two")
    assert done.code == 5 and "drafted with pbem's own charts" in done.err


@pytest.mark.parametrize(
    ("wrong", "right", "told"),
    [
        ("terrian_shift:", "terrain_shift:", "mine.yaml:1:1: terrian_shift 'terrian_shift' is no key here"),
        ("atoll: x", "atoll: -1", "mine.yaml:1:34: terrain_shift.atoll is 'x', not a whole number"),
        ("1, 3]", "2, 2, 3]", "air_naval.flak has 11 entries; 12 are needed"),
        ("flack:", "flak:", "flack"),
    ],
)
def test_a_fault_is_told_with_its_place_and_nothing_begins(here: Path, wrong: str, right: str, told: str) -> None:
    Path("mine.yaml").write_text(MINE.replace(right, wrong))
    done = run(*NEW)
    assert done.code == 5 and told in done.err, done.err
    assert not Path("one").exists()


def test_another_game_takes_no_charts(here: Path) -> None:
    done = run("new", "one", "--system", "next-war", "--scenario", "training", "--charts", "mine.yaml")
    assert done.code == 5 and "takes no charts of your own" in done.err


def test_a_ground_chart_needs_a_result_for_every_band() -> None:
    ground = json.loads(json.dumps(table.scenario("coral-sea")["charts"]["ground"]))
    assert faults({"ground": ground}) == []
    ground["rows"][1]["results"].pop()
    assert [f.path for f in faults({"ground": ground})] == [("ground", "rows", 1, "results")]


@pytest.mark.parametrize("name", table.SCENARIOS)
def test_what_is_shipped_has_no_faults(name: str) -> None:
    assert [str(f) for f in faults_of(table.scenario(name))] == []


def test_a_game_is_played_with_the_charts_of_its_owner() -> None:
    changed = replaced(table.scenario("coral-sea"), {"critical": [3] * 10})
    assert GAME.start(changed, {}).board.charts.critical == (3,) * 10
    assert table.begin("coral-sea").state.board.charts.critical != (3,) * 10


@pytest.mark.parametrize(
    ("printed", "levels"),
    [([0, 1, 4], [-4, -4, -1, 0, 0, 0, 1, 4, 4]), (None, [-4, -3, -2, -1, 0, 1, 2, 3, 4]), ([], [0] * 9)],
    ids=["printed", "a scenario of before", "an empty track"],
)
def test_the_space_of_the_initiative_gives_the_level_that_is_printed_in_it(
    printed: list[int] | None, levels: list[int]
) -> None:
    """[PW-SI-01] [PW-SI-04] Spaces from -4 to 4: of a track that ends sooner the last level counts."""
    charts = {k: v for k, v in table.scenario("strategic-1941")["charts"].items() if k != "initiative"}
    changed = charts if printed is None else {**charts, "initiative": printed}
    state = table.begin("strategic-1941", {"charts": changed}).state
    assert [level_at(state, space) for space in range(-4, 5)] == levels
    for _ in range(11):
        shift(state, 1, "PW-SI-02")
    assert state.initiative == (10 if printed is None else len(printed)), "the track ends there"
