"""The map against everything that the rules text states of it, and against real geography."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache

import pytest

from pbem.games.pacific_war.board import GRID, Board, distance
from pbem.games.pacific_war.game import build_board
from tests.pacific_war import table

# Stated by the rules text: hex, name, nature (what the hex must have), place on the globe (degrees north and east; ours).
STATED = {
    3819: ("Manila", "coast", (14.60, 120.97)),
    2860: ("Oahu", "coast", (21.35, 202.05)),
    5402: ("Trincomalee", "coast", (8.57, 81.23)),
    5502: ("Colombo", "coast", (6.93, 79.85)),
    3908: ("Singapore", "coast", (1.30, 103.85)),
    1630: ("Rabaul", "coast", (-4.20, 152.20)),
    2432: ("Truk", "coast", (7.45, 151.85)),
    1332: ("Shortland", "coast", (-7.05, 155.75)),
    1432: ("Buin", "coast", (-6.75, 155.70)),
    1134: ("Guadalcanal", "coast", (-9.43, 160.05)),
    1426: ("Port Moresby", "coast", (-9.47, 147.18)),
    1626: ("Lae", "coast", (-6.73, 147.00)),
    722: ("Townsville", "coast", (-19.25, 146.82)),
    135: ("Noumea", "coast", (-22.27, 166.45)),
    922: ("Cairns", "coast", (-16.92, 145.77)),
    1830: ("Kavieng", "coast", (-2.57, 150.80)),
    1427: ("Buna", "coast", (-8.67, 148.40)),
    1523: ("Thursday Island", "coast", (-10.58, 142.22)),
    2956: ("French Frigate Shoals", "coast", (23.75, 193.83)),
    1628: ("", "coast", None),
    1328: ("", "coast", None),
    1618: ("", "coast", None),
    3920: ("", "land", None),
    1223: ("", "land", None),
    1121: ("", "land", None),
    1228: ("", "sea", None),
    1531: ("", "sea", None),
    1431: ("", "sea", None),
    1623: ("", "sea", None),
    1330: ("", "coast", None),
    2942: ("", "coast", None),
    3159: ("", "sea", None),
}
DISTANCES = {  # stated: hexes between two hexes
    (2860, 2956): 5,
    (2956, 2942): 14,
    (1630, 1134): 6,
    (1228, 1427): 2,
    (1228, 1330): 2,
    (1426, 1427): 1,
    (3819, 3920): 1,
    (1531, 1426): 5,
    (1431, 1426): 5,
    (1630, 1426): 5,
}
WITHIN = {(135, 722): 17, (135, 1134): 17, (135, 1328): 17, (722, 1618): 20, (1630, 1432): 20, (2432, 1630): 20}
MILES = 160.934  # kilometres of a hex


@cache
def board() -> Board:
    return build_board(table.scenario("guadalcanal"))


@pytest.mark.parametrize("place", STATED)
def test_stated_hex(place: int) -> None:
    name, nature, _ = STATED[place]
    found = board()
    assert found.on_map(place)
    assert {"coast": found.coast, "land": found.land, "sea": found.sea}[nature](place)
    assert not name or found.hex(place).name == name


@pytest.mark.parametrize("pair", DISTANCES)
def test_stated_distance(pair: tuple[int, int]) -> None:
    assert distance(*pair) == DISTANCES[pair]


@pytest.mark.parametrize("pair", WITHIN)
def test_stated_reach(pair: tuple[int, int]) -> None:
    assert distance(*pair) <= WITHIN[pair]


def test_stated_natures() -> None:
    b = board()
    assert b.hex(1426).land == "mountain"
    assert b.hex(1328).water == "restricted"
    assert all(b.land(h) for h in (5803, 5807, 5812)), "Japanese ground units leave through 5801 to 5812"
    assert b.region("exit") == frozenset(h for h in range(5801, 5813) if b.land(h))
    assert b.single_island(2942), "Wake can be taken from the sea only"
    corregidor = next(h for h in b.listed.values() if h.name == "Corregidor").number
    assert b.single_island(corregidor) and distance(corregidor, 3819) == 1


@pytest.mark.parametrize(("feature", "number"), [("home", 5), ("co-prosperity", 16), ("indian-city", 10), ("border", 4)])
def test_stated_numbers(feature: str, number: int) -> None:
    """[PW-RES-01] [PW-RES-02] [PW-NAT-01] [PW-NAT-03]"""
    assert len(board().region(feature)) == number


def island(b: Board, place: int) -> set[int]:
    """[PW-MAP-02] Every hex that land joins to a hex."""
    found, edge = {place}, [place]
    while edge:
        new = [n for n in b.marches(edge.pop()) if n not in found]
        found.update(new)
        edge += new
    return found


def test_nations() -> None:
    """[PW-NAT-01] to [PW-NAT-05] Java is one island, Malaya joins Singapore within four hexes, China lies two around cities."""
    b = board()
    assert b.region("java") == island(b, 3106) and 3305 in b.region("java")
    assert 3908 in b.region("malaya") and all(distance(h, 3908) <= 4 for h in b.region("malaya"))
    assert b.region("malaya") <= island(b, 3908)
    cities = b.region("chinese-city")
    assert b.region("china") == {h for h in b.listed if b.land(h) and min(distance(h, c) for c in cities) <= 2}
    assert all(b.region("ussr") & set(b.near(h)) for h in b.region("border"))
    assert b.region("border") <= b.region("manchuria")


def test_islands() -> None:
    """[PW-MAP-02] Straits divide the islands; the lands that were one stay one."""
    b = board()
    apart = [(4329, 4528), (4635, 4535), (3305, 3405), (3908, 3907), (1523, 1422), (4323, 4422), (5502, 5602)]
    assert not any(other in island(b, one) for one, other in apart)
    joined = [(3908, 5223), (4329, 4535), (722, 1814), (1426, 2420), (3819, 3921), (5705, 5611), (5011, 4611), (1630, 1628)]
    assert all(other in island(b, one) for one, other in joined)


def test_routes_run_over_land_from_hex_to_hex() -> None:
    b = board()
    for h in b.listed.values():
        for n in h.routes:
            assert n in b.marches(h.number), f"{h.number:04d}-{n:04d}"
            assert h.number in b.hex(n).routes
    assert b.hex(3908).routes and b.hex(4611).routes


def test_double_coasts() -> None:
    """[PW-MAP-01] Each has two parts, which open to water hexes beside it; ships leave on the side from which they came."""
    b = board()
    assert b.double_coasts
    for place, parts in b.double_coasts.items():
        assert b.coast(place) and len(parts) == 2 and not parts[0] & parts[1]
        assert all(n in b.near(place) and b.hex(n).water in ("open", "coastal") for part in parts for n in part)
    one, other = b.double_coasts[4509]
    assert b.sails(4509, min(one), min(one)) and not b.sails(4509, min(other), min(one))


def test_every_hex_has_a_weather_zone() -> None:
    """[PW-WX-01] Four zones cover the map."""
    b = board()
    everywhere = [100 * r + p for r in range(1, 59) for p in range(1, 63) if b.on_map(100 * r + p)]
    assert {b.zone(h) for h in everywhere} == {"southeast-asia", "asia", "north-pacific", "south-pacific"}
    where = {
        5011: "southeast-asia",
        3908: "southeast-asia",
        4822: "asia",
        5131: "asia",
        4848: "north-pacific",
        1134: "south-pacific",
    }
    assert {h: b.zone(h) for h in where} == where


def test_names_are_unique() -> None:
    names = [h.name for h in board().listed.values() if h.name]
    assert len(names) == len(set(names))


def test_residuals_of_the_stated_places(record_property: Callable[[str, object], None]) -> None:
    """Hexes between stated places against miles on the globe: what no flat map can have is the bound."""
    places = {h: globe for h, (_, _, globe) in STATED.items() if globe is not None}
    worst = 0.0
    for one, a in places.items():
        for other, b in places.items():
            miles = _kilometres(a, b) / MILES
            if one < other and miles >= 3:
                ratio = distance(one, other) / miles
                record_property(f"{one:04d}-{other:04d}", f"{distance(one, other)} hexes, {miles:.1f} times 100 miles")
                worst = max(worst, abs(math.log(ratio)))
    record_property("worst factor", f"{math.exp(worst):.2f}")
    assert worst < math.log(WORST)


WORST = 1.35


def _kilometres(a: tuple[float, float], b: tuple[float, float]) -> float:
    (la, lo), (lb, lp) = ((math.radians(x), math.radians(y)) for x, y in (a, b))
    return 6371 * math.acos(min(1, math.sin(la) * math.sin(lb) + math.cos(la) * math.cos(lb) * math.cos(lo - lp)))


def test_neighbours_are_mutual() -> None:
    """[PW-MAP-06]"""
    assert all(h in GRID.neighbours(n) for h in STATED for n in GRID.neighbours(h))
