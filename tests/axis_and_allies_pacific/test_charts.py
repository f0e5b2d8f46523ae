"""The charts of the rules reference typed a second time, arranged otherwise than in the scenario files, and compared.

A number that was mistyped in one of the two places fails here. Sources: the reference's tables T-VALUES, T-POWERS,
T-FACILITY, its map, set-up and objective lists, and the sums it states about them.
"""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.games.axis_and_allies_pacific.capacity import CAPACITY
from pbem.games.axis_and_allies_pacific.raid import MAX_DAMAGE
from pbem.games.axis_and_allies_pacific.state import SIDES, State
from tests.axis_and_allies_pacific import table

# -- unit chart ----------------------------------------------------------------------------------------------------------

#              price attack defence move load raid guns
UNIT_CHART = """
battleship         20   4     4     2    -    1    4
aircraft-carrier   16   0     2     2    -    1    -
cruiser            12   3     3     2    -    1    3
strategic-bomber   12   4     1     6    -    -    -
tactical-bomber    11   3     3     4    -    -    -
fighter            10   3     4     4    -    -    -
destroyer           8   2     2     2    -    1    -
transport           7   0     0     2    -    -    -
submarine           6   2     1     2    -    2    -
tank                6   3     3     2    3    -    -
aa-gun              6   0     0     1    3    -    -
artillery           4   2     2     1    3    -    -
mechanized-infantry 4   1     2     2    3    -    -
infantry            3   1     2     1    2    -    -
"""
KINDS = {
    "land": {"infantry", "mechanized-infantry", "artillery", "tank", "aa-gun"},
    "air": {"fighter", "tactical-bomber", "strategic-bomber"},
    "sea": {"submarine", "transport", "destroyer", "cruiser", "aircraft-carrier", "battleship"},
}
ROWS = [line.split() for line in UNIT_CHART.strip().splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_unit_chart(row: list[str]) -> None:
    """[T-VALUES]"""
    unit = table.start().board.types[row[0]]
    printed = [0 if figure == "-" else int(figure) for figure in row[1:]]
    assert [unit.cost, unit.attack, unit.defense, unit.move, unit.load, unit.raid, unit.bombard] == printed


def test_unit_types() -> None:
    types = table.start().board.types
    assert {kind: {t for t in types if types[t].kind == kind} for kind in KINDS} == KINDS


def test_facilities() -> None:
    """[T-FACILITY] [E-03] Prices, units made in a turn, most damage."""
    costs = table.start().board.facility_cost
    assert dict(costs) == {"major-ic": 30, "ic-upgrade": 20, "air-base": 15, "naval-base": 15, "minor-ic": 12}
    assert CAPACITY == {"major-ic": 10, "minor-ic": 3}
    assert MAX_DAMAGE == {"major-ic": 20, "minor-ic": 6, "air-base": 6, "naval-base": 6}


# -- the land --------------------------------------------------------------------------------------------------------------

LAND = {
    "japan": {
        8: "japan",
        3: "kiangsu korea manchuria",
        2: "shantung",
        1: "formosa iwo-jima jehol kiangsi kwangsi okinawa siam",
        0: "caroline-islands hainan marianas marshall-islands palau-island",
    },
    "united-states": {
        10: "western-united-states",
        2: "alaska mexico philippines",
        1: "hawaiian-islands",
        0: "aleutian-islands guam johnston-island line-islands midway wake-island",
    },
    "china": {1: "anhwe chahar hopei hunan kansu kweichow shensi sikang suiyuyan szechwan tsinghai yunnan"},
    "united-kingdom": {
        4: "borneo",
        3: "india kwangtung malaya",
        1: "british-columbia burma shan-state",
        0: "ceylon fiji gilbert-islands samoa yukon-territory",
    },
    "anzac": {
        2: "new-south-wales new-zealand queensland",
        1: "northern-territory south-australia victoria western-australia",
        0: "new-britain new-guinea solomon-islands",
    },
    "netherlands": {4: "java sumatra", 3: "celebes", 0: "dutch-new-guinea"},
    "france": {2: "french-indo-china", 0: "new-hebrides"},
    "soviet-union": {
        1: "amur buryatia evenkiyskiy sakha siberia soviet-far-east tunguska yakut-ssr yenisey",
        0: "kazakhstan moscow",
    },
    "neutral": {0: "buyant-uhaa central-mongolia dzavhan olgiy tsagaan-olom ulaanbaatar"},
    "none": {0: "himalayas"},
}
ISLANDS = """
aleutian-islands borneo caroline-islands celebes ceylon dutch-new-guinea fiji formosa gilbert-islands guam hainan
hawaiian-islands iwo-jima japan java johnston-island line-islands marianas marshall-islands midway new-britain new-guinea
new-hebrides new-zealand okinawa palau-island philippines samoa solomon-islands sumatra wake-island
"""


def test_owners_and_values() -> None:
    """[SPACE-01]"""
    g = table.start()
    printed = {t: (owner, value) for owner, rows in LAND.items() for value, names in rows.items() for t in names.split()}
    assert {t: (g.control[t], place.ipc) for t, place in g.board.territories.items()} == printed


def test_sums_that_the_rules_state() -> None:
    """[SETUP-04] [SETUP-08] The level of every power is its starting money; Dutch 11, French 2, Soviet 9."""
    g = table.start()
    level: Counter[str] = Counter()
    for territory, holder in g.control.items():
        level[holder] += g.board.territories[territory].ipc
    money = {"japan": 26, "united-states": 17, "china": 12, "united-kingdom": 16, "anzac": 10}
    assert g.cash == money
    assert +level == Counter({**money, "netherlands": 11, "france": 2, "soviet-union": 9})
    values = Counter(place.ipc for place in g.board.territories.values())
    assert values == {0: 30, 1: 36, 2: 8, 3: 7, 4: 3, 8: 1, 10: 1}


def test_islands() -> None:
    """[ISL-01] [AMB-ISLAND] [MOB-06] Complexes on no island but Japan."""
    land = table.start().board.territories
    assert {t for t in land if land[t].island} == set(ISLANDS.split())
    assert {t for t in land if land[t].island and land[t].ic_allowed} == {"japan"}


def test_chinese_land() -> None:
    """[CHN-03] [CHN-05] Eighteen emblems, six of them in Japanese hands; Kwangtung and Burma besides."""
    g = table.start()
    emblems = {t for t, place in g.board.territories.items() if place.chinese}
    taken = {"jehol", "kiangsi", "kiangsu", "kwangsi", "manchuria", "shantung"}
    assert emblems == taken | set(LAND["china"][1].split())
    assert {t for t in emblems if g.control[t] == "japan"} == taken
    assert all(g.board.territories[t].original == "china" for t in emblems)
    assert {t for t, place in g.board.territories.items() if place.chinese_may_enter} == {"kwangtung", "burma"}


def test_other_land_goes_back_to_its_first_owner() -> None:
    """[LIB-01]"""
    g = table.start()
    assert all(p.original == p.owner == g.control[t] for t, p in g.board.territories.items() if not p.chinese)


def test_cities_capitals_garrisons() -> None:
    """[VIC-01] [CAP-06] [NEUT-01]"""
    board = table.start().board
    assert dict(board.victory_cities) == {
        "Calcutta": "india",
        "Manila": "philippines",
        "Hong Kong": "kwangtung",
        "Sydney": "new-south-wales",
        "Honolulu": "hawaiian-islands",
        "San Francisco": "western-united-states",
        "Shanghai": "kiangsu",
        "Tokyo": "japan",
    }
    assert dict(board.capitals) == {
        "japan": "japan",
        "united-states": "western-united-states",
        "united-kingdom": "india",
        "anzac": "new-south-wales",
    }
    garrisons = {t: place.garrison for t, place in board.territories.items() if place.garrison}
    assert garrisons == {"buyant-uhaa": 2, "olgiy": 2, "dzavhan": 1, "ulaanbaatar": 1}


# -- the sea ---------------------------------------------------------------------------------------------------------------

ZONES = """
1:2+4 2:1+3 3:1+3 4:1+4 5:3+3 6:2+6 7:0+6 8:1+8 9:0+6 10:2+4 11:0+4 12:0+6 13:0+5 14:0+5 15:0+5 16:0+6 17:1+6 18:0+5 19:5+4
20:3+4 21:1+6 22:1+6 23:0+6 24:0+5 25:1+7 26:1+6 27:0+6 28:0+4 29:1+5 30:1+8 31:1+6 32:1+5 33:1+7 34:1+6 35:1+7 36:3+4
37:3+5 38:2+3 39:2+3 40:0+3 41:1+7 42:1+8 43:1+5 44:1+4 45:1+6 46:1+7 47:1+4 48:1+5 49:1+7 50:1+7 51:1+4 52:0+3 53:1+4
54:1+6 55:1+5 56:1+5 57:0+5 58:0+5 59:0+2 60:0+4 61:1+2 62:2+3 63:1+5
"""
LAND_NEIGHBOURS = {  # territories that are no islands inside one zone, by borders with land and with zones
    (1, 1): "dutch-new-guinea malaya mexico new-guinea",
    (1, 3): "soviet-far-east",
    (2, 0): "kazakhstan moscow yukon-territory",
    (2, 1): "india korea kwangtung siam victoria western-australia western-united-states",
    (2, 2): "alaska",
    (3, 0): "evenkiyskiy sakha tsinghai",
    (3, 1): "british-columbia kiangsu new-south-wales northern-territory queensland shantung siberia",
    (4, 0): "buryatia sikang yakut-ssr",
    (4, 1): "burma french-indo-china manchuria",
    (5, 0): "himalayas hopei hunan olgiy szechwan tsagaan-olom yenisey",
    (5, 1): "jehol kiangsi kwangsi south-australia",
    (5, 2): "shan-state",
    (6, 0): "buyant-uhaa central-mongolia chahar dzavhan kweichow suiyuyan tunguska ulaanbaatar",
    (7, 0): "kansu shensi",
    (7, 1): "amur",
    (8, 0): "anhwe yunnan",
}


def borders(g: State, space: str) -> tuple[int, int]:
    """How many territories and how many zones touch a space."""
    near = g.board.neighbours[space]
    return sum(s in g.board.territories for s in near), sum(s in g.board.zones for s in near)


def test_borders_of_zones() -> None:
    """[SETUP-02] Sixty-three zones: borders with land and with other zones."""
    g = table.start()
    printed = {}
    for entry in ZONES.split():
        number, _, counts = entry.partition(":")
        land, _, sea = counts.partition("+")
        printed[f"sz-{number}"] = (int(land), int(sea))
    assert len(printed) == 63
    assert {z: borders(g, z) for z in g.board.zones} == printed


def test_borders_of_territories() -> None:
    """[SPACE-02] Mainland by count, islands with their one zone."""
    g = table.start()
    printed = {t: counts for counts, names in LAND_NEIGHBOURS.items() for t in names.split()}
    printed |= dict.fromkeys(set(ISLANDS.split()) - printed.keys(), (0, 1))
    assert {t: borders(g, t) for t in g.board.territories} == printed


def test_borders_in_all() -> None:
    """[SPACE-02] 334 borders, drawn from both sides: 113 on land, 62 coasts, 159 at sea."""
    g = table.start()
    pairs = {frozenset((a, b)) for a, near in g.board.neighbours.items() for b in near}
    assert all(a in g.board.neighbours[b] for a, near in g.board.neighbours.items() for b in near)
    found = Counter(sum(s in g.board.zones for s in pair) for pair in pairs)
    assert found == {0: 113, 1: 62, 2: 159}


def test_errata_of_the_map() -> None:
    """[SETUP-03] Zone 5 touches Amur and not Korea."""
    board = table.start().board
    assert board.coast("amur") == ("sz-5",)
    assert board.coast("korea") == ("sz-6",)


def test_symbols_at_sea() -> None:
    """[CONV-01] [KAM-02] [KAM-01] [CHN-08]"""
    board = table.start().board
    convoys = {1, 6, 10, 19, 20, 26, 35, 36, 37, 39, 41, 42, 43, 44, 54, 62, 63}
    assert {z for z, zone in board.zones.items() if zone.convoy} == {f"sz-{n}" for n in convoys}
    suicide = {"japan": 6, "iwo-jima": 17, "okinawa": 19, "formosa": 20, "marianas": 22, "philippines": 35}
    assert {z for z, zone in board.zones.items() if zone.kamikaze} == {f"sz-{n}" for n in suicide.values()}
    assert all(f"sz-{n}" in board.coast(island) for island, n in suicide.items())
    assert set(board.kamikaze_triggers) == {"philippines", "marianas", "okinawa", "iwo-jima"}
    assert set(board.burma_road) == {"india", "burma", "yunnan", "szechwan"}


# -- set-up ----------------------------------------------------------------------------------------------------------------

#                    Japan US China UK ANZAC
SET_UP_TOTALS = """
infantry              29   7   12   11    5
mechanized-infantry    1   1    0    0    0
artillery              6   1    0    1    1
tank                   1   1    0    0    0
aa-gun                 3   1    0    1    0
fighter               14   4    1    4    4
tactical-bomber       10   3    0    1    0
strategic-bomber       4   3    0    0    0
submarine              2   1    0    0    1
transport              3   3    0    2    1
destroyer              4   2    0    1    1
cruiser                2   1    0    1    0
aircraft-carrier       3   1    0    0    0
battleship             2   1    0    1    0
"""
STACKS = """
japan caroline-islands 2, formosa 1, iwo-jima 1, japan 23, jehol 3, kiangsi 4, kiangsu 4, korea 1, kwangsi 4, manchuria 13,
 okinawa 2, palau-island 1, shantung 1, siam 2, sz-6 13, sz-19 3, sz-33 6
united-states hawaiian-islands 5, philippines 4, western-united-states 10, sz-10 8, sz-26 1, sz-35 2
china hunan 1, kweichow 1, shensi 1, suiyuyan 2, szechwan 5, yunnan 3
united-kingdom burma 2, india 10, kwangtung 2, malaya 4, sz-37 3, sz-39 2
anzac malaya 1, new-south-wales 1, new-zealand 4, queensland 4, sz-47 1, sz-62 2
"""
POWERS = ("japan", "united-states", "china", "united-kingdom", "anzac")


def test_set_up_by_type() -> None:
    """[SETUP-06] [SETUP-07]"""
    units = table.start().units.values()
    found = Counter((u.type, u.owner) for u in units)
    for line in SET_UP_TOTALS.strip().splitlines():
        kind, *counts = line.split()
        assert [found[kind, power] for power in POWERS] == [int(n) for n in counts], kind
    assert Counter(u.owner for u in units) == {"japan": 84, "united-states": 30, "china": 13, "united-kingdom": 23, "anzac": 13}


def test_set_up_by_space() -> None:
    """[SETUP-06] How many units of whom stand where."""
    printed = {}
    for line in STACKS.strip().replace("\n ", " ").splitlines():
        power, _, stacks = line.partition(" ")
        for stack in stacks.split(","):
            space, number = stack.split()
            printed[power, space] = int(number)
    assert Counter((u.owner, u.at) for u in table.start().units.values()) == printed


def test_facilities_at_the_start() -> None:
    """[SETUP-05] Eleven air bases, ten naval bases, three major complexes and ANZAC's minor one, none of them damaged."""
    g = table.start()
    found = {kind: {t for t, built in g.facilities.items() for f in built if f.type == kind} for kind in g.board.facility_cost}
    both = {"caroline-islands", "japan", "hawaiian-islands", "philippines", "western-united-states", "india"}
    both |= {"new-zealand", "queensland"}
    assert found["air-base"] == both | {"guam", "midway", "wake-island"}
    assert found["naval-base"] == both | {"kwangtung", "malaya"}
    assert found["major-ic"] == {"japan", "western-united-states", "india"}
    assert found["minor-ic"] == {"new-south-wales"}
    assert sum(len(built) for built in g.facilities.values()) == 25
    assert not any(f.damage for built in g.facilities.values() for f in built)


def test_aircraft_at_sea_stand_on_carriers() -> None:
    """[SETUP-06] Two on a carrier at most, everyone on his own."""
    g = table.start()
    at_sea = [u for u in g.units.values() if g.board.types[u.type].kind == "air" and u.at in g.board.zones]
    assert Counter(u.at for u in at_sea) == {"sz-6": 4, "sz-33": 2, "sz-10": 2}
    decks = Counter(u.aboard for u in at_sea)
    assert all(ship is not None and g.units[ship].type == "aircraft-carrier" for ship in decks)
    assert set(decks.values()) == {2}


def test_politics_at_the_start() -> None:
    """[GEN-01] [GEN-04] [POL-JP-01] [KAM-01]"""
    g = table.start()
    assert g.wars == ["china japan"]
    assert dict.fromkeys(POWERS[1:], "allies") | {"japan": "axis"} == SIDES
    assert (g.kamikaze_enabled, g.kamikaze_left) == (False, 6)


# -- objectives ------------------------------------------------------------------------------------------------------------

OIL = {"sumatra", "java", "borneo", "celebes"}
ARC = {"solomon-islands", "dutch-new-guinea", "new-guinea", "new-britain"}
JAPANESE_LAND = """
japan siam hainan formosa caroline-islands marshall-islands marianas palau-island okinawa iwo-jima korea
"""


def test_objectives() -> None:
    """[INC-03] Five IPC each; war economy and Burma Road are rules of their own."""
    found = {o["id"]: (o["power"], o["ipc"], set(o["spaces"])) for o in table.start().board.objectives}
    assert found == {
        "JP-1": ("japan", 5, OIL),
        "JP-2": ("japan", 5, {"hawaiian-islands", "india", "new-south-wales"}),
        "JP-3": ("japan", 5, ARC),
        "US-2": ("united-states", 5, {"philippines"}),
        "US-3": ("united-states", 5, {"okinawa", "iwo-jima"}),
        "UK-1": ("united-kingdom", 5, OIL),
        "UK-2": ("united-kingdom", 5, {"kwangtung", "malaya"}),
        "AZ-1": ("anzac", 5, ARC),
        "AZ-2": ("anzac", 5, set(JAPANESE_LAND.split())),
    }
