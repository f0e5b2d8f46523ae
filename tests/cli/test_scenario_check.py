"""Scenarios of one's own: every fault with file, line and column; games that begin from a file; the manual's example."""

from __future__ import annotations

import json
import random
import re
import shlex
import shutil
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any

import pytest

from pbem import games
from pbem.kernel.shapes import ScenarioFault
from pbem.protocol.ids import scenario_hash
from pbem.shipped import data_folder
from pbem.store import library
from tests.commands import must, run
from tests.manual import blocks, page

VALLEY = """\
game: next-war
title: A valley for two
map: valley-map.yaml
units: valley-units.yaml
charts: charts.yaml
sides:
  allied: {name: Meria, nations: [Meria], countries: {Meria: [Meria]}}
  non-allied: {name: Boria, nations: [Boria], countries: {Boria: [Boria]}}
countries: {Meria: allied, Boria: non-allied}
friendly_map_edge: {allied: west, non-allied: east}
unit_types: {inf: {class: leg}, armor: {class: armor}}
reinforcements:
  - {turn: 2, side: non-allied, units: [3/B], where: ["0401", town]}
game_length_turns: 4
initiative_start: {side: non-allied, through: 1}
weather_table: {"0-6": clear, "7-8": overcast, "9": storm}
all_weather_capability: {allied: full, non-allied: limited}
air_points_turns: ["1-2", ">=3"]
air_points_table:
  "<=4": [[4, 3], [3, 3]]
  ">=5": [[3, 2], [2, 2]]
replacement_costs: {inf: [1, 2], armor: [3, 4]}
vp_chart: {airfield_or_town: 1, installation: 2, city: 4, urban: 4, capital: 6}
victory_levels: [[6, decisive], [3, marginal]]
sea_zones:
  - {id: bay, at_sea: bay-at-sea, inshore: [bay-inshore]}
"""
MAP = """\
terrain:
  flat: >-
    0101 0102 0201 0202
    0301 0302
  rough: 0401 0402
sea: 0103 0203 0303
inshore: {bay-inshore: 0103 0203 0303}
countries:
  Meria: 0101 0102 0201 0202
  Boria: 0301 0302 0401 0402
cities: {"0202": Tal}
towns: {"0401": Berg}
roads:
  primary: 0102-0202 0202-0302 0302-0402
"""
UNITS = """\
ground:
  - {id: 1/A, side: allied, nation: Meria, type: inf, size: xx, front: 4-6-4, er: 5, sp: 2, back: 2-3-4/4/1, at: "0202"}
  - {id: 2/B, side: non-allied, nation: Boria, type: armor, size: x, front: 5-4-8k, er: 6, sp: 1, at: "0302"}
  - {id: 3/B, side: non-allied, nation: Boria, type: inf, size: xx, front: 4-6-4, er: 5, sp: 2}
naval:
  - {id: Amph, side: allied, nation: Meria, kind: AMPH, cs: 1, range: 1, capacity: 2, at: bay-inshore}
"""


def written(folder: Path, **changed: str) -> Path:
    """The valley's three files."""
    files = {"valley.yaml": VALLEY, "valley-map.yaml": MAP, "valley-units.yaml": UNITS, **changed}
    for name, text in files.items():
        (folder / name).write_text(text, "utf-8")
    return folder / "valley.yaml"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PBEM_HOME", str(tmp_path / "home"))
    return tmp_path


def test_a_scenario_without_faults_is_counted(here: Path) -> None:
    written(here)
    told = must("scenario", "check", "valley.yaml")
    assert "8 land hexes, 3 sea hexes, 3 ground units, 0 helicopters, 1 naval units, 4 turns" in told
    assert "left to defaults: initiative_vp, fixed_turns, weather_drm" in told
    assert json.loads(must("scenario", "check", "valley.yaml", "--json"))["ground units"] == 3


BROKEN = [  # file, what stands there, what is written instead, where the fault is, what it says
    ("valley.yaml", "weather_table: {", "wether_table: {", "1:1", "weather_table is missing [4.0]; die -> weather"),
    ("valley.yaml", "weather_table: {", "wether_table: {", "16:1", "'wether_table' is no key here; did you mean weather_table"),
    (
        "valley.yaml",
        "overcast",
        "overcats",
        "16:38",
        "is 'overcats', not one of clear, overcast, storm [4.0]; did you mean overcast",
    ),
    ("valley.yaml", '"7-8"', '"6-8"', "16:32", "band 6-8 overlaps band 0-6 [4.0]"),
    ("valley.yaml", '"7-8": overcast, ', "", "16:32", "nothing stands for 7, between bands 0-6 and 9 [4.0]"),
    ("valley.yaml", "turns: 4", "turns: four", "14:20", "is 'four', not a whole number [12.3]; 1 to 99"),
    ("valley.yaml", "turns: 4", "turns: 400", "14:20", "is 400 [12.3]; 1 to 99"),
    ("valley.yaml", "non-allied: limited", "non-alied: limited", "17:40", "did you mean non-allied"),
    ("valley.yaml", "[3/B]", "[3/C]", "13:41", "there is no unit '3/C' [10.0]; did you mean 3/B"),
    ("valley.yaml", "town]", "twon]", "13:63", "there is no place 'twon' [10.0]; did you mean town"),
    ("valley.yaml", "side: non-allied, units", "side: allied, units", "13:37", "3/B is a unit of the non-allied side [10.0]"),
    ("valley.yaml", "[[3, 2], [2, 2]]", "[[3, 2]]", "21:10", "has 1 columns, air_points_turns has 2 [6.1]"),
    (
        "valley.yaml",
        "valley-map.yaml",
        "vally-map.yaml",
        "3:6",
        "vally-map.yaml: there is no such file; did you mean valley-map",
    ),
    (
        "valley.yaml",
        "[[6, decisive], [3, marginal]]",
        "[[3, marginal], [6, decisive]]",
        "24:17",
        "the highest difference first",
    ),
    ("valley-map.yaml", "0301 0302\n", "0301 03O2\n", "4:10", "'03O2' is no hex label [2.1]; column and row such as 0105"),
    ("valley-map.yaml", "rough: 0401", "rough: 0301 0401", "5:10", "0301 is flat already [8.3]"),
    ("valley-map.yaml", "rough:", "ruogh:", "5:3", "key is 'ruogh', not one of flat"),
    ("valley-map.yaml", "0202-0302", "0202-0401", "14:22", "0202-0401: no two neighbours [8.3.2]; next to 0202: 0101, 0102"),
    ("valley-map.yaml", "0202-0302", "0202-0502", "14:22", "0202-0502: '0502' is no hex of the map [8.3.2]"),
    ("valley-map.yaml", "  Boria:", "  Borea:", "10:3", "there is no country 'Borea' [2.1]; did you mean Boria"),
    (
        "valley-map.yaml",
        "{bay-inshore",
        "{bay-inshor",
        "7:11",
        "there is no sea area 'bay-inshor' [7.1]; did you mean bay-inshore",
    ),
    ("valley-map.yaml", '"0401": Berg', '"0303": Berg', "12:10", "0303 lies in the sea [8.3.1]"),
    ("valley-map.yaml", "roads:\n", "ferries: [0101-0102]\nroads:\n", "13:10", "is a list, not a mapping"),
    ("valley-map.yaml", "roads:\n", "ferries: {Meria: 7}\nroads:\n", "13:18", "is 7, not text"),
    ("valley-map.yaml", "roads:\n", "ferries: {Meria: [0101-0102]}\nroads:\n", "13:18", "is a list, not text"),
    ("valley-map.yaml", "roads:\n", "ferries: {Maria: 0101-0102}\nroads:\n", "13:11", "there is no country 'Maria' [2.1]"),
    ("valley-map.yaml", "roads:\n", "ferries: {Meria: 0101-0302}\nroads:\n", "13:18", "no two neighbours [8.3.1.8]"),
    ("valley-map.yaml", "towns:", "towns: [", "13:1", "not YAML"),
    ("valley-units.yaml", "5-4-8k", "5-4", "3:77", "is '5-4', not attack-defense-move such as 6-4-8k"),
    ("valley-units.yaml", "er: 6", "er: 12", "3:89", "is 12 [2.2]; 0 to 9"),
    ("valley-units.yaml", "type: armor", "type: armour", "3:54", "there is no unit type 'armour' [2.2]; did you mean armor"),
    ("valley-units.yaml", '"0302"', '"0303"', "3:104", "0303 lies in the sea [8.3.3]"),
    ("valley-units.yaml", '"0302"', '"0101"', "3:103", "2/B stands in an enemy hex at 0101 [2.3.6]"),
    ("valley-units.yaml", "id: 3/B", "id: 2/B", "4:10", "'2/B' stands there twice [2.2]"),
    ("valley-units.yaml", "nation: Boria, type: inf", "nation: Borria, type: inf", "4:41", "there is no nation 'Borria' [2.2]"),
    (
        "valley-units.yaml",
        "at: bay-inshore",
        "at: bay-inshor",
        "6:91",
        "there is no place 'bay-inshor' [2.3.6]; did you mean bay-inshore",
    ),
]


@pytest.mark.parametrize(("file", "old", "new", "place", "says"), BROKEN)
def test_a_fault_is_found_where_it_stands(here: Path, file: str, old: str, new: str, place: str, says: str) -> None:
    text = {"valley.yaml": VALLEY, "valley-map.yaml": MAP, "valley-units.yaml": UNITS}[file]
    assert old in text
    written(here, **{file: text.replace(old, new, 1)})
    done = run("scenario", "check", "valley.yaml")
    assert done.code == 5
    found = [line for line in done.out.splitlines() if says in line]
    assert [line.split(": ")[0] for line in found] == [f"{file}:{place}"], done.out


def test_several_faults_are_found_in_one_run(here: Path) -> None:
    main = VALLEY.replace("turns: 4", "turns: 0").replace("clear", "claer").replace("non-allied: east", "non-allied: esat")
    written(here, **{"valley.yaml": main, "valley-units.yaml": UNITS.replace("er: 5", "er: x")})
    told = json.loads(run("scenario", "check", "valley.yaml", "--json").out)["faults"]
    lines = [(f["file"], f["line"]) for f in told]
    assert lines == [("valley-units.yaml", 2), ("valley-units.yaml", 4), *(("valley.yaml", n) for n in (10, 14, 16))]


def test_beside_a_file_that_cannot_be_read_only_missing_keys_go_unmentioned(here: Path) -> None:
    """What the file would have brought is not missing; a strange key is strange, whatever it is called."""
    written(here, **{"valley.yaml": VALLEY + "who is missing: Boria\n", "valley-map.yaml": MAP.replace("towns:", "towns: [")})
    said = run("scenario", "check", "valley.yaml").out
    assert "not YAML" in said and "'who is missing' is no key here" in said
    assert "map is missing" not in said


STRANGE: list[object] = [None, "nowhere", -1, 99999, [], {}, [1], {"x": 1}, True, ""]


@pytest.mark.parametrize("system", games.BUILT_IN)
def test_what_stops_the_set_up_of_spoilt_data_is_a_fault(system: str) -> None:
    dice, game = random.Random(7), games.load(system)
    name = library.scenario_names(game)[0]
    text, stopped = json.dumps(library.load_scenario(game, name)), 0
    places = list(places_of(json.loads(text)))
    for _ in range(60):
        spoilt = json.loads(text)
        *way, last = dice.choice(places)
        inner = reduce(lambda at, key: at[key], way, spoilt)
        inner[last] = dice.choice(STRANGE)
        try:
            games.load(system).start(spoilt, {})
        except ScenarioFault as stop:
            stopped += 1
            assert stop.faults and all(f.text for f in stop.faults), (way, last)
    assert stopped


def places_of(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The way to every value of some data."""
    for key, held in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield (*path, key)
        yield from places_of(held, (*path, key))


def test_other_systems_are_compared_with_their_scenarios(here: Path) -> None:
    shipped = data_folder("scenarios") / "empire_of_the_sun" / "year-1942.yaml"
    text = "game: empire-of-the-sun\nname: mine\n" + shipped.read_text("utf-8")
    (here / "mine.yaml").write_text(text, "utf-8")
    assert "can be played (empire-of-the-sun)" in must("scenario", "check", "mine.yaml")
    (here / "mine.yaml").write_text(text.replace("\ntitle:", "\nturnz: 3\ntitle:"), "utf-8")
    done = run("scenario", "check", "mine.yaml")
    assert done.code == 5 and re.search(r"mine\.yaml:\d+:1: turnz 'turnz' is no key here", done.out)


def test_a_file_that_names_no_game_is_refused(here: Path) -> None:
    written(here, **{"valley.yaml": VALLEY.replace("next-war", "nextwar")})
    assert "valley.yaml:1:7: there is no game 'nextwar'; did you mean next-war" in run("scenario", "check", "valley.yaml").out


@pytest.mark.parametrize("name", ["training", "korea", "gap", "wonsan"])
def test_shipped_scenarios_pass(here: Path, name: str) -> None:
    folder = data_folder("scenarios") / "next_war"
    for file in folder.glob("*.yaml"):
        (here / file.name).write_bytes(file.read_bytes())
    text = (folder / f"{name}.yaml").read_text("utf-8")
    (here / f"{name}.yaml").write_text(f"game: next-war\n{text}", "utf-8")
    told = must("scenario", "check", f"{name}.yaml")
    assert "can be played (next-war)" in told


# -- play ------------------------------------------------------------------------------------------------------------------


def begun(file: str) -> str:
    """A game from a file: drafted by one, joined by the other with the same file; what the second is told at the end."""
    must("new", "one", "--scenario", file)
    must("join", "--as", "yamada", "--seats", "non-allied", "-g", "one")
    must("join", "one/charter.yaml", "--as", "nowak", "--seats", "allied", "--scenario", file, "-g", "two")
    must("accept", "-g", "two")
    must("accept", "two/charter.yaml", "-g", "one")
    return must("accept", "one/charter.yaml", "-g", "two")


def test_a_game_begins_from_a_file(here: Path) -> None:
    written(here)
    assert "The game has begun." in begun("valley.yaml")
    (here / "valley.yaml").unlink()  # the folders keep what they need
    assert "the weather of this turn" in must("status", "-g", "two")
    must("backup", "two.zip", "-g", "two")
    must("restore", "two.zip", "three")
    assert "the weather of this turn" in must("status", "-g", "three")


def test_without_the_file_nobody_joins(here: Path) -> None:
    written(here)
    must("new", "one", "--scenario", "valley.yaml")
    done = run("join", "one/charter.yaml", "--as", "nowak", "--seats", "allied", "-g", "two")
    assert done.code == 5 and "--scenario FILE" in done.err
    assert not Path("two").exists()


def test_a_file_that_differs_is_refused(here: Path) -> None:
    written(here)
    must("new", "one", "--scenario", "valley.yaml")
    written(here, **{"valley-units.yaml": UNITS.replace("5-4-8k", "9-4-8k")})
    done = run("join", "one/charter.yaml", "--as", "nowak", "--seats", "allied", "--scenario", "valley.yaml", "-g", "two")
    assert done.code == 11 and "both players need the same files" in done.err
    assert not Path("two").exists()
    must("join", "one/charter.yaml", "--as", "nowak", "--seats", "allied", "--scenario", "one/scenario.json", "-g", "two")


def test_a_faulty_or_shipped_name_starts_nothing(here: Path) -> None:
    written(here, **{"valley.yaml": VALLEY.replace("turns: 4", "turns: four")})
    done = run("new", "one", "--scenario", "valley.yaml")
    assert done.code == 5 and "valley.yaml:14:20: game_length_turns" in done.err
    written(here, **{"valley.yaml": VALLEY + "name: korea\n"})
    assert "give yours another name" in run("new", "one", "--scenario", "valley.yaml").err
    assert not Path("one").exists()


def test_a_kept_scenario_that_was_changed_is_noticed(here: Path) -> None:
    written(here)
    begun("valley.yaml")
    kept = Path("two/scenario.json")
    kept.write_text(kept.read_text("utf-8").replace("5-4-8k", "9-4-8k"), "utf-8")
    done = run("status", "-g", "two")
    assert done.code == 11 and "is not the charter's valley" in done.err


# -- manual ----------------------------------------------------------------------------------------------------------------


def test_the_page_of_the_manual_is_followed(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (example,) = blocks(page("own-scenarios"), "yaml")
    drafting, joining = blocks(page("own-scenarios"), "sh")
    (here / "bridge.yaml").write_text(example, "utf-8")
    shown = [must(*shlex.split(line, comments=True)[1:]) for line in drafting.splitlines()]
    assert "15 land hexes, 0 sea hexes, 5 ground units" in shown[0]
    must("join", "--as", "yamada", "--seats", "non-allied", "-g", "bridge")
    there = here / "other machine"
    there.mkdir()
    for file in (here / "bridge.yaml", here / "bridge" / "charter.yaml"):
        shutil.copy(file, there)
    monkeypatch.chdir(there)
    for line in joining.splitlines():
        must(*shlex.split(line, comments=True)[1:])
    must("accept", "-g", "bridge")
    assert "The game has begun." in must("accept", str(there / "bridge" / "charter.yaml"), "-g", str(here / "bridge"))


@pytest.mark.parametrize(("system", "name"), [("next-war", "training"), ("next-war", "wonsan"), ("pacific-war", "midway")])
def test_a_shipped_scenario_knows_its_game_from_its_folder(system: str, name: str) -> None:
    game = games.load(system)
    said = must("scenario", "check", str(game.home("scenarios") / f"{name}.yaml"))
    assert f"can be played ({system})" in said and f"pbem new FOLDER --system {system} --scenario {name}" in said
    assert f"hash {scenario_hash(library.load_scenario(game, name))}" in said


def test_every_system_has_a_folder_of_scenarios() -> None:
    for system in games.BUILT_IN:
        assert library.scenario_names(games.load(system)), system
