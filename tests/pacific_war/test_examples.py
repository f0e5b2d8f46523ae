"""The worked examples of the rules text that are numbers, not positions (PW-EX-nn), and the charts against its results."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.games.pacific_war.air.landings import merge
from pbem.games.pacific_war.air.strikes import spread
from pbem.games.pacific_war.command.activation import common_price, level_of
from pbem.games.pacific_war.cycle.bidding import bonus
from pbem.games.pacific_war.cycle.calendar import advance
from pbem.games.pacific_war.dice import column, ground_result, halved
from pbem.games.pacific_war.game import GAME
from pbem.games.pacific_war.land.combat import ground_column, ratio_modifier
from pbem.games.pacific_war.land.retreat import leader_losses
from pbem.games.pacific_war.month.merchants import harassment_letter, harassment_losses, read_raid
from pbem.games.pacific_war.month.points import read_allocation
from pbem.games.pacific_war.month.repair import least_hits, yard
from pbem.games.pacific_war.records import Base, Headquarters, Operation, Unit
from pbem.games.pacific_war.sea.combat import new_range
from pbem.games.pacific_war.secret.pools import training
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.terms import month_name
from pbem.games.pacific_war.world.links import linked_hexes
from pbem.kernel.orders import Rejected
from tests.pacific_war import table
from tests.pacific_war.stage import clear

KNOWN = [  # line, strength, die, hits: every result of the rules text with both numbers
    ("cap-coordinated", 1, 1, 1),
    ("coordinated-cap", 2, 2, 1),
    ("flak", 6, 5, 1),
    ("air-installation", 2, 1, 2),
    ("strafing", 3, 3, 1),
    ("flak", 4, 4, 1),
    ("flak", 3, 4, 0),
    ("1E-naval", 4, 1, 2),
    ("1E-naval", 4, 2, 1),
    ("cap-coordinated", 6, 4, 1),
    ("coordinated-cap", 4, 4, 1),
    ("short", 5, 2, 2),
    ("short", 2, 2, 1),
    ("normal-bombing", 7, 1, 2),
]


def field(level: str = "campaign") -> State:
    """The map of the Coral Sea with nothing on it."""
    g = GAME.start(table.scenario("coral-sea"), {})
    clear(g)
    g.level = level
    g.memo.forget()
    return g


@pytest.mark.parametrize(("line", "strength", "die", "hits"), KNOWN)
def test_chart_gives_the_results_of_the_text(line: str, strength: int, die: int, hits: int) -> None:
    assert field().board.charts.air_naval[line][column(strength, die)] == hits


def test_critical_hits_of_the_text() -> None:
    assert [field().board.charts.critical[d] for d in (2, 4, 6)] == [0, 0, 1]


def test_every_chart_line_has_twelve_columns() -> None:
    assert {len(row) for row in field().board.charts.air_naval.values()} == {12}
    assert len(field().board.charts.air_naval) == 22


def test_counter_of_example_1() -> None:
    c = field().counter("Lexington air group")
    assert (c.type, c.carrier, c.level) == ("1E", True, 1)


def test_halves_are_rounded_up() -> None:
    assert [halved(n) for n in (7, 6, 1, 0, -1)] == [4, 3, 1, 0, -1]


def test_each_target_takes_a_hit_before_any_takes_a_second() -> None:
    room = {"CVS4": 2, "CL8": 2}
    assert spread(["CVS4", "CL8"], 2, room.__getitem__) == {"CVS4": 1, "CL8": 1}
    assert spread(["CVS4", "CL8"], 3, room.__getitem__) == {"CVS4": 2, "CL8": 1}


def test_reorganization_of_example_18() -> None:
    g = field()
    g.units["Tainan air group"] = Unit(1630, hits=3)
    g.units["25th Flotilla fighters"] = Unit(1630, hits=2)
    merge(g, ["Tainan air group", "25th Flotilla fighters"])
    assert sorted(g.steps(u) for u in g.units) == [1, 6]


@pytest.mark.parametrize(
    ("leader", "others", "loss", "expected"), [(3, [2, 2], 5, (3, 2)), (3, [2, 2], 4, (2, 2)), (1, [4], 1, (1, 0))]
)
def test_losses_of_example_22(leader: int, others: list[int], loss: int, expected: tuple[int, int]) -> None:
    assert leader_losses(leader, others, loss) == expected


def test_ground_combat_of_example_23() -> None:
    g = field()
    found = ground_column(g, 1426, 4, 5)
    assert found == 6
    assert ratio_modifier(g, 2, 4) == 0
    assert ground_result(g, found - 6, 6) == (3, 0, "A")


def test_bid_bonus_of_example_24() -> None:
    g = field("strategic")
    g.initiative = 5  # a space of level 3
    assert (bonus(g, "japan"), bonus(g, "allies")) == (15, 0)


def test_month_ends_on_space_1_from_30() -> None:
    g = field()
    g.day, g.operation = 30, Operation("South Seas", 10, 7, 14)
    assert advance(g, 2) and g.day == 1


def test_month_goes_on_to_space_30() -> None:
    g = field()
    g.day = 28
    assert not advance(g, 2) and g.day == 30


def raids() -> State:
    g = field("strategic")
    for at in (2533, 1134):
        g.airfields[at] = Base("allies", 18)
    g.ports[2533] = Base("allies")
    g.hqs["Marianas"] = Headquarters("allies", 2533, 20, 2, points=40)
    g.ledger = {"20th at": 1134, "20th points": 5, "21st at": 2533, "21st points": 5, "home 2432": 30, "home 3240": 20}
    return g


def test_raid_targets_of_example_28() -> None:
    g, groups = raids(), {"20th": 5, "21st": 5}
    assert read_raid(g, groups, {"raid": {"20th": 5, "21st": 2, "targets": [2432]}}) == ({"20th": 5, "21st": 2}, [2432])
    assert read_raid(g, groups, {"raid": {"21st": 2, "targets": [3240, 2432]}}) is not None
    with pytest.raises(Rejected) as refusal:
        read_raid(g, groups, {"raid": {"20th": 1, "21st": 2, "targets": [3240]}})
    assert refusal.value.problems[0].rule == "PW-STB-03"


def test_raid_price_of_example_29() -> None:
    g = raids()
    g.hqs["Marianas"].points = 9
    with pytest.raises(Rejected):
        read_raid(g, {"20th": 5}, {"raid": {"20th": 5, "targets": [2432]}})


def test_harassment_of_example_31() -> None:
    g = field("strategic")
    g.ledger = {"escorts": 15}
    assert harassment_letter(g, 3, 6, 15, 30) == "C"
    assert harassment_losses(g, "C", 30) == (5, 1, 1)


def test_reserve_months_of_example_32() -> None:
    g = field()
    g.month, g.purse = 29, {"allies": 40, "japan": 0}
    assert month_name(29) == "1943-03"
    for month in (28, 27, 26, 25):
        read_allocation(g, "allies", [], {"allocate": {"reserve": {"month": month, "points": 10}}})
    for month in (29, 24):
        with pytest.raises(Rejected) as refusal:
            read_allocation(g, "allies", [], {"allocate": {"reserve": {"month": month, "points": 10}}})
        assert refusal.value.problems[0].rule == "PW-CMD-05"


def links_of_example_34() -> State:
    g = field()
    for unit, at in (("Port Moresby fighters", 1330), ("Yorktown air group", 1134), ("Tainan air group", 1427)):
        g.units[unit] = Unit(at)
    for unit, at in (("CA1 Aoba", 1523), ("CA2 Furutaka", 1623), ("25th Flotilla bombers", 1432)):
        g.units[unit] = Unit(at)
    g.ports = {135: Base("allies"), 722: Base("allies"), 2432: Base("japan"), 1630: Base("japan")}
    g.osbs = {722: Base("allies"), 922: Base("allies")}
    g.hqs = {"South Pacific": Headquarters("allies", 135, 17, 2), "South Seas": Headquarters("japan", 2432, 20, 2)}
    g.ledger = {"home 2432": 50}
    g.memo.forget()
    return g


@pytest.mark.parametrize(
    ("side", "place", "linked"),
    [
        ("allies", 722, True),
        ("allies", 1134, True),
        ("allies", 1328, True),
        ("allies", 1223, True),
        ("allies", 922, True),
        ("allies", 1121, True),
        ("allies", 1618, False),
        ("allies", 1426, False),
        ("japan", 1630, True),
        ("japan", 1432, True),
        ("japan", 1134, False),
    ],
)
def test_links_of_example_34(side: str, place: int, linked: bool) -> None:
    assert (place in linked_hexes(links_of_example_34(), side)) == linked


def test_tokyo_express_of_example_34() -> None:
    g = links_of_example_34()
    g.express = {"express": [1630, 1134]}
    assert 1134 in linked_hexes(g, "japan")


def test_oahu_mends_three_ships() -> None:
    g = field()
    g.ports = {2860: Base("allies")}
    g.hqs = {"Central Pacific": Headquarters("allies", 2860, 20, 2)}
    assert yard(g, "allies", 2860) == 3


@pytest.mark.parametrize(("hits", "least"), [(2, 0), (3, 3), (5, 3)])
def test_a_cruiser_with_half_its_hits_stays_at_half(hits: int, least: int) -> None:
    g = field()
    g.units["CA1 Aoba"] = Unit(1630, hits=hits)
    assert least_hits(g, "CA1 Aoba") == least


@pytest.mark.parametrize(
    ("side", "arrived", "now", "level"),
    [("allies", 37, 34, 0), ("japan", 37, 35, -1), ("japan", 44, 33, 0), ("allies", 36, 17, 2), ("japan", 36, 17, 1)],
)
def test_training_of_examples_37_to_39(side: str, arrived: int, now: int, level: int) -> None:
    g = field("strategic")
    g.month = now
    assert training(g, side, arrived) == level


def test_common_activation_of_example_40() -> None:
    g = field()
    for unit in ("CA1 Aoba", "CA2 Furutaka", "CA3 Myoko"):
        g.units[unit] = Unit(1630)
    assert common_price(g, "japan", ["CA1 Aoba", "CA2 Furutaka"], 21)[1] == 8
    assert common_price(g, "japan", ["CA1 Aoba", "CA2 Furutaka", "CA3 Myoko"], 21)[1] == 12


@pytest.mark.parametrize(("points", "level"), [(0, 0), (10, 0), (11, 1), (20, 1), (21, 2), (30, 2), (31, 3), (90, 3)])
def test_operation_levels(points: int, level: int) -> None:
    assert level_of(points) == level


@pytest.mark.parametrize(
    ("band", "bids", "result"),
    [
        ("medium", ["medium", "short"], "short"),
        ("medium", ["withdraw", "short"], "medium"),
        ("short", ["short", "short"], "short"),
    ],
)
def test_range_bids_of_the_text(band: str, bids: list[Any], result: str) -> None:
    assert new_range(field(), band, bids) == result
