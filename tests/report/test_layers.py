"""A map in layers: they are the picture of the reports, the ground stays."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from pbem.kernel.hex_picture import HexPicture, Place
from pbem.kernel.picture import Picture, Stack
from pbem.report import svg_map
from pbem.report.maps.layers import ORDER, Layers, layers
from pbem.report.maps.look import Look
from pbem.report.maps.themes import DARK, LIGHT
from tests.report import test_hex_map, test_map

SVG = "{http://www.w3.org/2000/svg}"
BOARDS: dict[str, tuple[Any, Any]] = {
    "area": (test_map.GAME, test_map.opening()),
    "hex": (test_hex_map.GAME, test_hex_map.picture()),
}


def made(board: str, *, other: Picture | HexPicture | None = None, **look: Any) -> Layers:
    return layers(*BOARDS[board], Look(**look), other)


def parsed(drawn: Layers, name: str) -> ElementTree.Element:
    return ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{drawn.fragments[name]}</svg>')


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_layers_are_the_board_of_the_reports(board: str, theme: Any) -> None:
    drawn, whole = made(board, theme=theme), svg_map.draw(*BOARDS[board], "Title", Look(theme))
    assert tuple(drawn.fragments) == ORDER
    assert f'viewBox="{drawn.view_box}" overflow="visible">' in whole
    position = 0
    for name in ("base", "control", "arrows", "names"):
        position = whole.index(drawn.fragments[name], position)
    assert 'data-at="' not in whole
    counters = sorted(re.findall(r"<title>[^<]*</title>", drawn.fragments["stacks"]))
    assert counters and set(counters) <= set(re.findall(r"<title>[^<]*</title>", whole))


def test_only_what_changed_is_another_layer() -> None:
    shown = BOARDS["hex"][1]
    moved = replace(shown, spaces=(replace(shown.spaces[0], pieces=()), *shown.spaces[1:]))
    one, two = made("hex"), layers(test_hex_map.GAME, moved, Look())
    changed = {name for name in ORDER if one.fragments[name] != two.fragments[name]}
    assert "stacks" in changed and changed <= {"stacks", "names"}
    fallen = replace(shown, spaces=(replace(shown.spaces[0], owner="allies"), *shown.spaces[1:]))
    again = layers(test_hex_map.GAME, fallen, Look())
    assert {name for name in ORDER if one.fragments[name] != again.fragments[name]} == {"control"}


@pytest.mark.parametrize("board", BOARDS)
def test_every_place_is_hit_and_every_counter_says_what_it_is(board: str) -> None:
    drawn, shown = made(board), BOARDS[board][1]
    hits = {element.get("data-at") for element in parsed(drawn, "hits").iter() if element.get("data-at")}
    places = {s.id for s in shown.spaces} if board == "area" else {str(cell.id) for cell in shown.map.cells}
    assert hits == places
    group = parsed(drawn, "hits")[0]
    assert group.get("fill") == "none" and group.get("pointer-events") == "all"
    found = {
        (stack.get("data-at"), counter.get("data-unit"))
        for stack in parsed(drawn, "stacks").iter()
        for counter in stack.iter()
        if stack.get("data-at") and counter.get("data-unit")
    }
    if board == "area":
        assert found == {(s.id, k.type) for s in shown.spaces for k in s.stacks if k.count}
    else:
        assert found == {("202", "1st Army|2nd Army"), ("202", "CV Hiryu"), ("502", "7th Air Force")}


@pytest.mark.parametrize("width", [390, 1000])
def test_small_areas_are_hit_in_a_circle_of_24_pixels(width: int) -> None:
    drawn = made("area", width=width)
    circles = list(parsed(drawn, "hits").iter(f"{SVG}circle"))
    assert all(float(c.get("r", "0")) / drawn.pixel == pytest.approx(12, abs=0.1) for c in circles)
    assert {"iwo-jima", "guam"} <= {c.get("data-at") for c in circles}
    assert "western-australia" not in {c.get("data-at") for c in circles}


@pytest.mark.parametrize("board", BOARDS)
def test_what_layers_refer_to_is_defined_with_them(board: str) -> None:
    drawn = made(board)
    everything = "".join(drawn.fragments.values())
    wanted = set(re.findall(r'(?:href="#|url\(#)([^")]+)', everything))
    assert wanted <= set(re.findall(r' id="([^"]+)"', drawn.definitions))


# -- two positions -----------------------------------------------------------------------------------------------------------


def test_panels_stand_in_the_same_places_for_both_positions() -> None:
    before = BOARDS["area"][1]
    gone = {
        "kwangtung": (),
        "sz-6": (Stack("japan", "carrier", 9), Stack("japan", "destroyer", 1), Stack("anzac", "fighter", 2)),
    }
    after = replace(before, spaces=tuple(replace(s, stacks=gone.get(s.id, s.stacks)) for s in before.spaces))
    game = test_map.GAME

    def boxes(one: Any, other: Any) -> dict[str, Any]:
        drawing = svg_map.drawing(game, one, Look(), other, live=True)
        return {placed.space.id: placed.box for placed in drawing.panels.placed()}  # type: ignore[union-attr]

    assert boxes(before, after) == boxes(after, before)
    assert boxes(before, None) != boxes(after, None)
    now = layers(game, after, Look(), before)
    drawn = {e.get("data-unit") for s in parsed(now, "stacks").iter() if s.get("data-at") == "sz-6" for e in s.iter()}
    assert {"carrier", "destroyer", "fighter"} == drawn - {None}


def test_names_stand_where_they_hide_the_counters_of_neither_position() -> None:
    before = BOARDS["hex"][1]
    crowd = tuple(test_hex_map.piece(f"{n}", group=f"{n}") for n in range(6))
    after = replace(before, spaces=(*before.spaces[:3], Place(303, "allies", (), crowd), *before.spaces[3:]))
    pairs = (before, after), (after, before)
    assert len({layers(test_hex_map.GAME, one, Look(), other).fragments["names"] for one, other in pairs}) == 1
