"""Names on the hex maps of all scenarios: none hides the number of another hex, nor lies under the burst of a battle."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from pbem import games
from pbem.kernel.hex_picture import HexPicture, Place
from pbem.report.maps.hex_land import HALF
from pbem.report.maps.hex_map import Drawing
from pbem.report.maps.hex_names import COUNTERS, NUMBER, Area
from pbem.report.maps.look import Look
from tests.empire_of_the_sun import table as empire
from tests.next_war import table as next_war
from tests.pacific_war import table as pacific_war

SAME_MAP = ("short", "shorter", "year-1943", "year-1944", "years")  # scenarios on the map of another one: in the long run
ALL = [
    pytest.param(folder.GAME.name, name, marks=[pytest.mark.long] if name.startswith(SAME_MAP) else [])
    for folder in (empire, next_war, pacific_war)
    for name in folder.SCENARIOS
]
TABLES = {folder.GAME.name: folder for folder in (empire, next_war, pacific_war)}


@cache
def shown(game: str, scenario: str) -> HexPicture:
    module: Any = games.load(game)
    drawn: Any = module.picture()
    picture: HexPicture = drawn.picture(TABLES[game].begin(scenario).state, [])
    return picture


def drawings(game: str, scenario: str) -> list[Drawing]:
    """The whole map as wide as suits it and so wide that it has all numbers, and two sections; battles in all named hexes."""
    picture = shown(game, scenario)
    named = [cell for cell in picture.map.cells if cell.name]
    middle = [str(cell.id) for cell in (named[len(named) // 3], named[-1])]
    looks = [Look(), Look(width=8000), *(Look(around=place) for place in middle)]
    return [Drawing(games.load(game), picture, look) for look in looks]


@pytest.mark.in_turn(4)
@pytest.mark.parametrize(("game", "scenario"), ALL)
def test_no_name_hides_a_number(game: str, scenario: str) -> None:
    for drawing in drawings(game, scenario):
        numbers = [area for _, area in drawing.taken_room() if area.weight == NUMBER]
        hidden = [label.words for label in drawing.named() for number in numbers if number.cost(label.covers) > 0]
        assert hidden == []


@pytest.mark.parametrize(("game", "scenario"), ALL)
def test_no_name_hides_what_a_counter_says(game: str, scenario: str) -> None:
    """A long name is set smaller beside a counter; a whole line of one is some 500."""
    drawing = drawings(game, scenario)[0]
    counters = [area for _, area in drawing.taken_room() if area.weight == COUNTERS]
    assert max(counter.cost(label.covers) for label in drawing.named() for counter in counters) < 250


@pytest.mark.parametrize(("game", "scenario"), ALL)
def test_nearly_every_name_stands_in_its_own_hex(game: str, scenario: str) -> None:
    drawing = drawings(game, scenario)[0]
    labels, middles = drawing.named(), drawing.sheet.at.middles
    beyond = [one.words for one in labels if abs((one.covers.top + one.covers.bottom) / 2 - middles[one.place][1]) > HALF]
    assert len(beyond) <= max(2, 0.02 * len(labels)), beyond


@pytest.mark.parametrize(("game", "scenario"), ALL)
def test_no_name_stands_on_another_named_island(game: str, scenario: str) -> None:
    picture = shown(game, scenario)
    named = [cell.id for cell in picture.map.cells if cell.name]
    eight = [piece for place in picture.spaces for piece in place.pieces][:8]
    for at in named[:: max(1, len(named) // 12)]:
        crowd = (*(place for place in picture.spaces if place.id != at), Place(at, pieces=tuple(eight), fought=True))
        drawing = Drawing(games.load(game), replace(picture, spaces=crowd), Look(around=str(at)))
        middles = {h: middle for h, middle in drawing.sheet.at.middles.items() if drawing.sheet.at.is_land(h)}
        for label in drawing.named():
            covers = label.covers
            middle = (covers.left + covers.right) / 2, (covers.top + covers.bottom) / 2
            h = min(middles, key=lambda other: math.dist(middles[other], middle))
            assert h == label.place or h not in named or math.dist(middles[h], middle) > HALF / 2, (label.words, h)


@pytest.mark.parametrize(("game", "scenario"), [(name, TABLES[name].SCENARIOS[0]) for name in TABLES])
def test_no_name_lies_over_the_burst_of_a_battle(game: str, scenario: str) -> None:
    picture = shown(game, scenario)
    named = [place.id for place in picture.spaces if any(c.id == place.id and c.name for c in picture.map.cells)][::4]
    fought = replace(picture, spaces=tuple(replace(place, fought=place.id in named) for place in picture.spaces))
    drawing = Drawing(games.load(game), fought, Look())
    bursts = [drawing.marks.burst(h) for h in named]
    assert bursts
    marks = [Area(x - 12, y - 12, x + 12, y + 12) for x, y in bursts]
    assert [label.words for label in drawing.named() for mark in marks if mark.cost(label.covers)] == []
