"""Area maps of crowded positions: around Malaya, the Philippines and Queensland fleets and armies of two powers each."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from msgspec.structs import replace

from pbem.kernel.picture import Picture, Stack
from tests.report.test_map import covered, drawing, opening

ARMY = ("infantry", "artillery", "tank", "fighter", "tactical-bomber")
FLEET = ("submarine", "destroyer", "cruiser", "transport", "aircraft-carrier")
MALAYA = {"malaya": ("japan", "united-kingdom"), "sz-37": ("japan", "united-kingdom"), "siam": ("japan",)}
MALAYA |= {"sz-38": ("united-kingdom",), "sumatra": ("united-kingdom",), "borneo": ("japan",), "sz-43": ("japan",)}
INDIA = {"burma": ("united-kingdom", "china"), "shan-state": ("united-kingdom",), "french-indo-china": ("japan",)}
PHILIPPINES = {"philippines": ("japan", "united-states"), "sz-35": ("japan", "united-states"), "sz-36": ("japan",)}
PHILIPPINES |= {"sz-44": ("japan",), "celebes": ("japan",), "sz-20": ("japan",)}
QUEENSLAND = {"queensland": ("anzac", "united-states"), "new-south-wales": ("anzac", "united-states")}
QUEENSLAND |= {"sz-54": ("anzac", "united-states"), "sz-62": ("anzac",), "java": ("anzac",)}
EVERYWHERE = MALAYA | INDIA | PHILIPPINES | QUEENSLAND
PLACES = [MALAYA, PHILIPPINES, QUEENSLAND, EVERYWHERE]


def crowded(places: dict[str, tuple[str, ...]], kinds: int = 4) -> Picture:
    """The set-up with so many types of units of these powers there."""
    spaces = []
    for space in opening().spaces:
        if space.id in places:
            types = (FLEET if space.sea else ARMY)[:kinds]
            stacks = tuple(Stack(who, kind, n) for who in places[space.id] for n, kind in enumerate(types, 2))
            space = replace(space, stacks=stacks)
        spaces.append(space)
    return replace(opening(), spaces=tuple(spaces))


@pytest.mark.parametrize("kinds", [2, 3, 4])
@pytest.mark.parametrize("places", PLACES, ids=lambda places: next(iter(places)) + str(len(places)))
@pytest.mark.parametrize("width", [390, 1000, 1280])
def test_no_panel_covers_another_or_a_number(places: dict[str, tuple[str, ...]], kinds: int, width: int) -> None:
    standing = [one for one in drawing(crowded(places, kinds), width=width).panels.placed() if one.panel.tokens]
    assert len(standing) > 60 or width == 390
    assert {pair: part for pair, part in covered(standing).items() if part > 0.12} == {}


def test_who_has_room_stays_in_it() -> None:
    """A number that gives way to a fleet does not leave its zone."""
    made = drawing(crowded(EVERYWHERE))
    boxes = made.sheet.shapes.boxes
    moved = 0
    for one in made.panels.placed():
        x, y, width, height = boxes[one.space.id]
        if one.box[2] <= width + 1 and one.box[3] <= height + 1:
            assert abs(one.x - x) <= (width - one.box[2]) / 2 + 1 and abs(one.y - y) <= (height - one.box[3]) / 2 + 1, (
                one.space.id
            )
            moved += (one.x, one.y) != (x, y)
    assert moved, "in a crowd some do"


@pytest.mark.parametrize("width", [390, 1000])
def test_lines_lead_to_panels_alone(width: int) -> None:
    """On a phone, where only totals are shown, many a small island has no panel: a line would end at nothing."""
    made = drawing(opening(), width=width)
    standing = made.panels.placed()
    empty = [one.space.id for one in standing if not one.panel.tokens]
    assert bool(empty) == (width == 390)
    anchors = {made.sheet.shapes.anchors[name] for name in empty}
    assert not anchors & set(_dots(made.panels.leaders(standing)))
    assert len(_dots(made.panels.leaders(standing))) > 4


def _dots(led: str) -> list[tuple[float, float]]:
    found: Iterable[re.Match[str]] = re.finditer(r'<circle cx="([\d.]+)" cy="([\d.]+)"', led)
    return [(float(one[1]), float(one[2])) for one in found]
