"""Rules that need no position: excess losses, the charts typed a second time, what a scenario must bring along."""

from __future__ import annotations

import copy

import pytest

from pbem.games.next_war.charts import CombatResult, band, combat_result, fire_result, pick
from pbem.games.next_war.combat import excess, next_attack
from pbem.games.next_war.game import GAME, build_board
from pbem.games.next_war.movement import Search
from pbem.games.next_war.parameters import PARAMETERS
from pbem.games.next_war.state import SIDES, Fight, State
from pbem.kernel.canon import Plain
from pbem.kernel.questions import DONE
from pbem.kernel.shapes import ScenarioFault
from tests.next_war import table

# The Combat Results Table read a second time, by column: attacker/defender, R retreat; rows -3 to 12.
CRT = {
    1: "1/1R 1/1 1/1 1/1 1/- 2/1 2/1 2/- 1/1 2/- 3/1 3/- 2/1 4/- 4/- 4/-",
    2: "1/1R 1/1R 1/1 1/1 1/1 1/- 2/1 2/1 2/- 2/- 2/1 3/1 3/- 3/- 2/1 4/-",
    3: "-/1R 1/1R 1/1R 1/1 1/2 1/1 1/- 2/1 2/1 2/- 2/- 2/- 3/1 2/1 3/- 4/-",
    4: "-/1R -/1R 1/1R 1/1R 1/1 1/- 1/1 1/- 2/1 2/1 1/1 2/- 2/- 3/1 2/1 2/-",
    5: "-/2R -/1R -/1R 1/1R 1/1R 1/1 1/1 1/1 1/- 2/1 2/1 2/- 2/- 2/- 3/1 3/-",
    6: "-/2R 1/2R -/1 -/1R 1/2 1/1R 1/1 1/1 2/1 1/- 2/1 2/1 2/- 1/1 2/- 3/1",
    7: "-/2R -/2R 1/2R -/1R -/1R 1/1R 1/2 1/1 1/1 1/- 1/- 2/1 1/1 2/- 2/1 2/-",
    8: "-/3R -/2R -/2R 1/2R -/1 -/1R 1/1R 1/1R 1/2 1/1 1/1 1/- 2/1 1/1 2/- 2/1",
    9: "-/3R 1/3R -/2R -/1R 1/2R -/1R -/2 1/1R 1/1R 1/1 1/2 1/1 1/- 1/1 2/1 3/1",
    10: "-/3R -/3R 1/3R -/2R -/1R 1/2R -/1R -/1R 1/2 1/1R 1/1R 1/1 2/1 1/- 2/1 1/-",
    11: "-/4R 1/3R -/3R 1/3R -/2 -/2R 1/2R -/1 -/1R -/1R 1/2 1/1R 1/1 1/1 1/- 2/1",
    12: "-/4R 1/4R -/3R 1/2 1/3R -/2R -/2 1/2R -/1R 1/1 -/1R 1/1R 1/1R 1/1 1/1 2/1",
    13: "-/4R -/4R 1/4R 1/3 -/3R 1/3R -/2 -/2R 1/2R -/1R -/1 -/1R 1/1R 1/1R 1/- 2/1",
}


@pytest.mark.parametrize("column", CRT)
def test_combat_results_are_typed_twice(column: int) -> None:
    results = table.scenario("training")["charts"]["crt"]["results"]
    assert [pick(results, die)[column - 1] for die in range(-3, 13)] == CRT[column].split()


def a_fight(column: int, attacker: list[str], defender: list[str]) -> tuple[State, Fight]:
    engine = table.begin("training")
    return engine.state, Fight("non-allied", 907, attacker, attacker[0], defenders=defender, column=column)


@pytest.mark.parametrize(
    ("column", "result", "attacker", "defender", "left"),
    [
        (11, "2/3", ["1/G", "2/G"], ["3/I"], CombatResult(1, 3, False)),  # BT-21
        (10, "2/3", ["1/G", "2/G"], ["3/I"], CombatResult(2, 3, False)),  # BT-22
        (3, "3/1", ["1/G"], ["3/I"], CombatResult(3, 0, False)),  # BT-23
        (13, "1/2R", ["1/G"], ["3/I"], CombatResult(1, 2, True)),
    ],
)
def test_excess_losses(column: int, result: str, attacker: list[str], defender: list[str], left: CombatResult) -> None:
    g, fight = a_fight(column, attacker, defender)
    assert excess(g, fight, combat_result(result)) == left


@pytest.mark.parametrize("text", ["", "x", "1-", "=>3", "1/2"])
def test_malformed_bands_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no band"):
        band(text)


@pytest.mark.parametrize("text", ["A+1", "2", "*A-", "**"])
def test_malformed_fire_results_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="Air Defense Fire"):
        fire_result(text)


NEEDED = [p.name for p in PARAMETERS if repr(p.default) == repr(object) or not isinstance(p.default, bool | int | list | dict)]


@pytest.mark.parametrize("name", NEEDED)
def test_a_missing_parameter_is_named_with_its_section(name: str) -> None:
    scenario = copy.deepcopy(table.scenario("training"))
    for part in (scenario, scenario["charts"]):
        part.pop(name, None)
    rule = next(p.rule for p in PARAMETERS if p.name == name)
    with pytest.raises(ScenarioFault) as found:
        build_board(scenario)
    assert any(str(f).startswith(f"{name} is missing [{rule}]") for f in found.value.faults), found.value.faults


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"game_length_turns": "five"}, "game_length_turns is 'five', not a whole number [12.3]; 1 to 99"),
        ({"asw_level": {"allied": 2}}, "asw_level lacks non-allied [7.4.2]"),
        ({"weather_table": {"0-9": "fog"}}, "weather_table.0-9 is 'fog', not one of clear, overcast, storm [4.0]"),
        ({"weather_table": {"0-5": "clear", "5-9": "storm"}}, "weather_table.5-9 band 5-9 overlaps band 0-5 [4.0]"),
        (
            {"weather_table": {"0-4": "clear", "6-9": "storm"}},
            "weather_table.6-9 nothing stands for 5, between bands 0-4 and 6-9 [4.0]",
        ),
        ({"weather_table": {"0-8": "clear"}}, "weather_table does not answer every die from 0 to 9 [4.0]"),
        ({"wether_drm": 1}, "wether_drm 'wether_drm' is no key here; did you mean weather_drm"),
    ],
)
def test_a_malformed_parameter_is_named(change: dict[str, object], fault: str) -> None:
    with pytest.raises(ScenarioFault) as found:
        build_board({**table.scenario("training"), **change})
    assert any(str(f).startswith(fault) for f in found.value.faults), found.value.faults


@pytest.mark.parametrize("value", [{"0-4": "clear", "five": "storm"}, "19", ["1", "9"]], ids=str)
def test_what_is_no_table_by_bands_has_one_fault(value: object) -> None:
    """Nothing more is said of gaps between bands that are none."""
    with pytest.raises(ScenarioFault) as found:
        build_board({**table.scenario("training"), "weather_table": value})
    assert len([f for f in found.value.faults if str(f).startswith("weather_table")]) == 1, found.value.faults


def test_every_fault_of_a_map_is_named_at_once() -> None:
    scenario = copy.deepcopy(table.scenario("training"))
    scenario["map"]["roads"]["highway"] += " 0101-0505"
    scenario["map"]["terrain"]["swamp"] = "0101"
    scenario["units"]["ground"][0]["front"] = "6-4"
    with pytest.raises(ScenarioFault) as found:
        build_board(scenario)
    text = str(found.value)
    assert "0101-0505" in text and "swamp" in text and "6-4" in text


@pytest.mark.parametrize("name", ["training", "korea", "gap"])
def test_the_quick_search_finds_what_the_general_one_finds(name: str) -> None:
    g: State = table.begin(name).state
    for unit in [u for side in SIDES for u in g.on_map(side, "ground") if not g.pieces[u].aboard]:
        start = g.pieces[unit].at
        quick, slow = Search(g, g.seat(unit), [unit], start).run(), Search(g, g.seat(unit), [unit], start)
        slow._all_ways()
        found = {(at // 2, bool(at % 2), 0): [(spent,)] for at, spent in quick.spent.items()}
        assert found == {at: [way[2] for way in ways] for at, ways in slow.seen.items()}, unit


def test_a_standing_list_of_attacks_takes_the_first_that_stands() -> None:
    g: State = table.begin("training").state
    g.segment, g.may_attack = "combat", list(g.pieces)
    bold: Plain = {"units": ["12/A"], "at": "0705", "least": "1:1"}
    weak: Plain = "11/A at 0705 least 3:1"
    assert next_attack(g, "basic", "non-allied", [weak, "1/G at 0705", DONE]) == DONE
    assert next_attack(g, "basic", "non-allied", [weak, "11/A, 12/A at 0705 lead 12/A"]) == {
        "attack": {"units": "11/A, 12/A", "at": "0705", "lead": "12/A"}
    }
    assert next_attack(g, "basic", "non-allied", [bold]) == DONE


@pytest.mark.parametrize(
    ("unit", "place", "fault"),
    [
        ("Falcon 1", "0605", "Falcon 1 has no base at 0605"),
        ("Falcon 1", "0111", "Falcon 1 has no base at 0111"),
        ("Falcon 1", "0507", "Falcon 1, Falcon 2: 0507 is a base for 1"),
        ("Falcon 1", "Amph 1", "Falcon 1 has no base aboard Amph 1"),
        ("Falcon 1", "gulf-inshore", "Falcon 1 is no naval unit"),
        ("Escort", "0605", "Escort is neither at sea nor in an own Port at 0605"),
    ],
)
def test_a_helicopter_or_ship_without_a_base_is_refused(unit: str, place: str, fault: str) -> None:
    scenario = {**table.scenario("training"), "setup": {unit: place}}
    with pytest.raises(ScenarioFault, match=fault):
        GAME.start(scenario, {})
