"""What the rules text states about the strategic scenario, month by month, held against its files."""

from __future__ import annotations

from collections import Counter as Count

import pytest

from pbem.games.pacific_war.board import FORT
from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.month.merchants import garrison_penalty
from pbem.games.pacific_war.month.repair import LONE_SHIPS, YARDS
from pbem.games.pacific_war.state import ALLIES, JAPAN, SIDES, State
from tests.pacific_war import table

SCENARIO = table.scenario("strategic-1941")
COUNTERS = {c["id"]: c for c in SCENARIO["counters"]["counters"]}
SCHEDULE = {int(month): row for month, row in SCENARIO["schedule"].items()}
OPTIONS = ("mustangs", "tirpitz", "conversions", "panama", "refuelling")
UNTIL_JUNE_1942 = range(44, 37, -1)


def start(**options: str) -> State:
    return GAME.start(SCENARIO, options)


def listed() -> list[str]:
    """Every unit that the scenario puts somewhere, as often as it does."""
    rows = [*SCENARIO["forces"].values(), *SCENARIO["aboard"].values()]
    rows += [row.get(side, []) for row in SCHEDULE.values() for side in SIDES]
    rows += [units for forces in SCENARIO["by_option"].values() for units in forces.values()]
    return [name.partition(" less ")[0] for row in rows for name in row]


def arrives(name: str) -> list[int]:
    return [month for month, row in SCHEDULE.items() if any(name in row.get(side, []) for side in SIDES)]


def test_the_war_lasts_from_december_1941_to_july_1945() -> None:
    assert (SCENARIO["month"], SCENARIO["last_month"]) == (44, 1)
    assert sorted(SCHEDULE, reverse=True) == list(range(43, 0, -1))


def test_every_counter_is_listed_once_and_exists() -> None:
    twice = [name for name, n in Count(listed()).items() if n > 1]
    assert not twice and set(listed()) <= set(COUNTERS)


def test_every_ship_comes_into_play_and_aircraft_only_as_steps() -> None:
    """Naval and submarine counters that nothing lists wait for an option, or for new submarine steps."""
    left = {c for c in COUNTERS if c not in listed() and COUNTERS[c]["kind"] == "naval"}
    assert left == {"BB13 Tirpitz", "CVL8 Chitose", "CVL9 Chiyoda"}
    assert not [u for row in SCHEDULE.values() for s in SIDES for u in row.get(s, []) if COUNTERS[u]["kind"] == "air"]


def test_sixteen_and_five_resource_hexes() -> None:
    ledger = SCENARIO["ledger"]
    assert sum(k.startswith("resource ") for k in ledger) == 16
    homes = {k[5:] for k in ledger if k.startswith("home ")}
    g = start()
    assert len(homes) == 5 and {"Sasebo", "Kure"} <= {g.board.hex(int(h)).name for h in homes}
    assert all(g.control[int(h)] == JAPAN for h in homes)


def test_three_fortifications_of_three_hits() -> None:
    g = start()
    found = {
        g.board.hex(g.units[u].at).name: (g.counter(u).nation, g.counter(u).capacity)
        for u in g.on_map(ALLIES)
        if g.counter(u).type == FORT
    }
    assert found == {
        "Singapore": ("britain", 3),
        "Corregidor": ("us", 3),
        "Wake": ("us", 3),
    }


def test_ten_indian_cities_and_a_row_of_exit_hexes() -> None:
    g = start()
    assert len(g.board.region("indian-city")) == 10
    assert all(g.board.on_map(h) for h in range(5801, 5813))
    assert any(g.board.land(h) for h in range(5801, 5813))


def test_yards_and_headquarters_stand_in_allied_ports() -> None:
    g = start()
    assert all(g.port(ALLIES, yard) for yard in YARDS)
    assert all(g.port(hq.side, hq.at) for hq in g.hqs.values())
    assert (g.hqs["South Pacific"].at, g.hqs["South Pacific"].range) == (135, 17)
    assert g.hqs["South Seas"].at == 2432
    assert {"SEAC", "Malaya", "ABDA", "Combined Fleet", "China Army"} <= set(g.hqs)


def test_manchuria_is_garrisoned_as_the_first_months_ask() -> None:
    """Twelve divisions and thirty air steps until the table asks for less."""
    assert garrison_penalty(start()) == 0


@pytest.mark.parametrize("month", range(43, 15, -1))
def test_no_bomber_points_before_may_1944(month: int) -> None:
    assert not any("20th" in k or "21st" in k or "bomber" in k for k in SCHEDULE[month].get("points", {}).get(ALLIES, {}))


@pytest.mark.parametrize(
    ("months", "key"),
    [((15, 14), "20th points"), ((13, 12, 11, 10), "20th points"), ((9,), "21st points"), (range(8, 0, -1), "bomber points")],
)
def test_bomber_points_of_a_month_go_to_one_group_then_to_either(months: range, key: str) -> None:
    """May and June 1944 to the 20th, which is alone until November; November to the 21st; later ones as the Allies like."""
    for month in months:
        assert list(SCHEDULE[month]["points"][ALLIES]) == [key]


def test_doolittle_comes_with_the_hornet_in_april_1942() -> None:
    assert [m for m, row in SCHEDULE.items() if "doolittle" in row.get("points", {}).get(ALLIES, {})] == [40]
    assert arrives("CV5 Hornet") == [40]


def test_units_that_are_named_with_their_values() -> None:
    assert COUNTERS["CVE8 Casablanca"]["capacity"] == 4
    assert set(LONE_SHIPS) <= set(COUNTERS)
    regiments = [c for c in COUNTERS.values() if c.get("size") == "regiment" and c.get("nation") in ("us", "japan")]
    assert all(c["steps"] == 3 for c in regiments)
    assert all(c["tq"] == 8 for c in regiments if c["type"] == "marine")
    assert all(c["range"] == 16 for c in COUNTERS.values() if c.get("type") == "LRA")
    assert (COUNTERS["144th Regiment"]["tq"], COUNTERS["30th Brigade"]["tq"], COUNTERS["30th Brigade"]["steps"]) == (6, 5, 4)


def test_kamikazes_are_one_engined_of_level_0_without_anti_air_strength() -> None:
    kamikazes = [c for c in COUNTERS.values() if c.get("kamikaze")]
    assert kamikazes and all((c["type"], c["level"]) == ("1E", 0) and "aa" not in c for c in kamikazes)
    assert all(c.get("steps", 6) <= 6 for c in kamikazes)


def test_reds_and_nationalists_are_two_nations() -> None:
    g = start()
    assert {g.counter(u).nation for u in g.on_map(ALLIES, "ground") if "Communist" in u} == {"red-china"}
    assert len([u for u in g.on_map(ALLIES, "ground") if g.counter(u).nation == "china"]) > 10


def test_counters_of_the_optional_rules_come_with_their_options_only() -> None:
    special = {"BB13 Tirpitz", "P-51 group", "CVL8 Chitose", "CVL9 Chiyoda", "SS8 STO", "SS9 KRS"}
    assert not special & set(start().units)
    assert special <= set(start(**dict.fromkeys(OPTIONS, "yes")).units)
    mustang = COUNTERS["P-51 group"]
    assert (mustang["type"], mustang["level"], mustang.get("steps", 6)) == ("1E", 2, 6)


def test_the_first_seven_months_pay_from_the_last_column() -> None:
    """[PW-CMD-02] Column 100 whatever resources Japan holds: the table has one."""
    rows = SCENARIO["charts"]["japanese_points"]["resources"]
    assert rows[-1][0] == 100 and len(UNTIL_JUNE_1942) == 7
