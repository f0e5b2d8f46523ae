"""Charts typed a second time, from the printed cards and turned the other way round (by column, by class), against the data."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.next_war.charts import pick
from tests.next_war import table

SCENARIO: Any = table.scenario("korea")
CHARTS, TABLES = SCENARIO["charts"], SCENARIO["tables"]

# Terrain in the order of the card: what a class pays in Clear or Overcast, then what it pays in a Storm.
TERRAIN = ["flat", "flat_woods", "rough", "rough_woods", "highland", "highland_woods", "marsh", "mountain", "high_mountain"]
ENTERING = {
    "leg": ("1 2 2 2 3 3 3 4 P", "1 2 3 3 4 4 P 4 P"),
    "li": ("1 1 2 2 2 2 2 3 P", "1 1 2 2 3 3 4 4 P"),
    "mot": ("1 2 3 3 4 6 6 P P", "2 3 5 5 6 6 P P P"),
    "mech": ("1 2 3 4 6 8 8 P P", "2 3 4 5 8 8 P P P"),
}
# Secondary road, primary road, highway.
ROADS = {
    "leg": ("1 1/2 1/2", "1 1 1"),
    "li": ("1 1/2 1/2", "1 1 1"),
    "mot": ("1 1/2 1/3", "1 1 1/2"),
    "mech": ("1 1/2 1/3", "1 1 1/2"),
}
# Air Defense Fire by column: dice -1 to 9, from the firing side's Supremacy to the flying side's.
FIRE = [
    "*A-4 *A-3 *A-2 *A-2 *A-1 A-1 A-1 A-1 A-1 A-1 -",
    "*A-3 *A-2 *A-2 *A-1 A-1 A-1 A-1 A-1 - - -",
    "*A-3 *A-2 *A-1 A-1 A-1 A-1 - - - - -",  # 5 and 6 print A-1; errata: no effect
    "*A-2 *A-1 A-1 A-1 - - - - - - -",
    "*A-1 A-1 A-1 - - - - - - - -",
    "A-1 A-1 - - - - - - - - -",
    "A-1 - - - - - - - - - -",
]
# Air Points by turn: dice 0 to 9 of the DPRK, then of the US and ROK.
AIR_POINTS = {
    1: ("12 12 10 10 8 8 6 6 4 4", "6 4 3 3 2 2 1 0 0 0"),
    2: ("10 8 8 6 6 4 4 3 3 2", "8 6 4 4 3 3 2 2 1 0"),
    3: ("6 6 4 4 3 2 2 1 1 0", "10 8 6 6 5 4 4 3 3 2"),
    4: ("4 4 3 3 2 2 1 1 0 0", "12 10 8 8 6 6 5 4 4 3"),
    5: ("3 3 2 2 1 1 1 0 0 0", "14 12 10 8 8 6 6 5 4 4"),
    6: ("2 1 1 0 0 0 0 0 0 0", "18 14 12 12 10 10 8 8 6 6"),
    7: ("1 1 0 0 0 0 0 0 0 0", "24 22 20 20 16 14 12 10 10 8"),
    10: ("0 0 0 0 0 0 0 0 0 0", "30 26 24 22 20 18 16 14 12 10"),
}
# Sea control by turn: the highest die of the DPRK and the lowest of the allies.
SEA_CONTROL = {1: (7, None), 2: (2, 9), 3: (0, 6), 4: (-1, 3), 5: (None, 1), 9: (None, 1)}
DROP = {"flat": 9, "flat_woods": 8, "rough": 7, "rough_woods": 6}  # the die from which a step is lost
COSTS = {
    "inf light motorized": [1, 2],
    "armor mech armored_cavalry light_armored_recon": [3, 4],
    "airborne marine": [2, "NA"],
    "air_sniper naval_sniper": ["NA", "NA"],
    "airmobile": [3, "NA"],
}
ODDS = {  # the column of 1:3 and the highest ratio, which is column 13
    "flat": (5, "6:1"),
    "flat_woods": (5, "6:1"),
    "rough": (4, "7:1"),
    "rough_woods": (4, "7:1"),
    "marsh": (4, "7:1"),
    "highland": (3, "8:1"),
    "highland_woods": (3, "8:1"),
    "mountain": (2, "9:1"),
    "urban": (1, "10:1"),
}


def plain(cells: list[Any]) -> list[str]:
    return [str(c) for c in cells]


@pytest.mark.parametrize("weather", [0, 1])
@pytest.mark.parametrize("kind", ENTERING)
def test_terrain_effects(kind: str, weather: int) -> None:
    assert set(CHARTS["terrain_effects"]) == set(TERRAIN)
    assert plain([CHARTS["terrain_effects"][t][kind][weather] for t in TERRAIN]) == ENTERING[kind][weather].split()
    roads = [CHARTS["road_effects"][r][kind][weather] for r in ("secondary", "primary", "highway")]
    assert plain(roads) == ROADS[kind][weather].split()


def test_rivers() -> None:
    assert CHARTS["river_effects"] == {"leg": 1, "li": 1, "mot": 2, "mech": 2}


@pytest.mark.parametrize("column", range(7))
def test_air_defense_fire(column: int) -> None:
    assert [pick(CHARTS["adf_table"], die)[column] for die in range(-1, 10)] == FIRE[column].split()


def test_modifiers_of_air_defense_fire() -> None:
    drms = CHARTS["adf_drms"]
    assert (drms["escort"], drms["air_transport_home"], drms["near_enemy_installation"]) == (1, 3, -2)
    assert (drms["near_enemy_armor"], drms["flew_over_enemy"]) == (-1, -1)


@pytest.mark.parametrize("turn", AIR_POINTS)
def test_air_points(turn: int) -> None:
    column = next(i for i, band in enumerate(TABLES["air_points_turns"]) if pick({band: True}, turn) and band_holds(band, turn))
    rows = [pick(TABLES["air_points_table"], die)[column] for die in range(10)]
    assert tuple(" ".join(str(row[i]) for row in rows) for i in (0, 1)) == AIR_POINTS[turn]


def band_holds(text: str, turn: int) -> bool:
    low, _, high = text.removeprefix(">=").partition("-")
    return turn >= int(low) if text.startswith(">=") else int(low) <= turn <= int(high or low)


def test_weather_and_air_superiority() -> None:
    weather = [pick(TABLES["weather_table"], die) for die in range(10)]
    assert weather == ["clear"] * 5 + ["overcast"] * 3 + ["storm"] * 2
    levels = [pick(TABLES["air_superiority_table"], difference) for difference in (0, 3, 4, 7, 8, 15, 16, 30)]
    assert levels == [level for level in ("contested", "advantage", "superiority", "supremacy") for _ in range(2)]


@pytest.mark.parametrize("turn", SEA_CONTROL)
def test_sea_control(turn: int) -> None:
    theirs, ours = SEA_CONTROL[turn]
    for die in range(-3, 13):
        held = (
            "non-allied"
            if theirs is not None and die <= theirs
            else "allied"
            if ours is not None and die >= ours
            else "contested"
        )
        assert pick(pick(TABLES["sea_control_table"], turn), die) == held, die


def test_contested_sea_and_losses_of_bases() -> None:
    assert [pick(CHARTS["contested_sea_table"], die) for die in (0, 5, 6, 8, 9, 12)] == [
        "ok",
        "ok",
        "aborted",
        "aborted",
        "loss",
        "loss",
    ]
    assert [pick(CHARTS["point_loss_table"], die) for die in (0, 2, 3, 9)] == ["lost", "lost", "none", "none"]
    assert [pick(CHARTS["helo_loss_table"], die) for die in (0, 1, 2, 3, 9)] == [
        "destroyed",
        "step",
        "step",
        "rebase",
        "rebase",
    ]


@pytest.mark.parametrize("terrain", DROP)
def test_paradrop(terrain: str) -> None:
    column = list(DROP).index(terrain)
    lost = [pick(CHARTS["paradrop_table"], die)[column] for die in range(12)]
    assert lost == [int(die >= DROP[terrain]) for die in range(12)]


def test_automatic_victory() -> None:
    """The highest winning die of the first, the second and third, the fourth and fifth, and later throws."""
    chart = CHARTS["auto_victory_table"]
    assert chart["columns"] == ["1", "2-3", "4-5", ">=6"]
    for column, highest in enumerate((0, 3, 4, 5)):
        assert [pick(chart["rows"], die)[column] == "V" for die in range(10)] == [die <= highest for die in range(10)]


def test_clearing() -> None:
    assert CHARTS["clearing_mssp"] == {"urban": 4, "city": 3, "installation": 2}
    assert CHARTS["clearing_markers"] == {str(number): 9 for number in (3, 4, 5, 6)}


def test_replacement_costs_and_victory_points() -> None:
    for kinds, cost in COSTS.items():
        for kind in kinds.split():
            assert TABLES["replacement_costs"][kind] == cost, kind
    chart = TABLES["vp_chart"]
    assert [chart[k] for k in ("airfield_or_town", "installation", "city", "urban", "capital")] == [1, 2, 2, 4, 6]
    assert chart["site"] == {"allied": 5, "non-allied": 0}
    assert chart["eliminated"] == {"brigade": 1, "battalion": 1, "division": 3, "reserve": 2, "bct": 2, "helicopter": 2}


@pytest.mark.parametrize("terrain", ODDS)
def test_odds_rows(terrain: str) -> None:
    (row,) = [row for row in CHARTS["crt"]["rows"] if terrain in row["terrain"]]
    ratios = ["1:3", "1:2", "1:1", "1.5:1", *(f"{n}:1" for n in range(2, 11))]
    first, best = ODDS[terrain]
    assert row["columns"] == {ratio: first + i for i, ratio in enumerate(ratios[: ratios.index(best) + 1])}
    assert row["columns"][best] == 13


def test_air_transport_limits() -> None:
    assert SCENARIO["air_transport_limit"] == {"allied": 5, "non-allied": 1}  # 5 in the second edition
