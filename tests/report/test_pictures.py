"""Pictures of a position: they use nothing up; what a hex gained and lost; the maps of a report."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from pbem import games
from pbem.games import load
from pbem.kernel.engine import Engine
from pbem.kernel.hex_picture import Change, HexPicture, Place, compared
from pbem.kernel.records import to_plain
from pbem.report import pictures, render, view
from pbem.report.maps.hex_counters import Counters
from pbem.report.maps.hex_land import HALF, RADIUS
from pbem.report.maps.hex_map import Drawing
from pbem.report.maps.hex_names import Area
from pbem.report.maps.look import Look
from pbem.report.maps.themes import DARK, LIGHT, distinct
from tests.report import recorded, test_hex_map, test_map
from tests.report.test_content import ENGLISH
from tests.test_recorded_games import begin, path_of, read

PLAYED = {
    "axis-and-allies-pacific": "axis_and_allies_pacific/bot-103",
    "empire-of-the-sun": "empire_of_the_sun/1st-2005-year-1942-402",
    "next-war": "next_war/training-bot-501",
    "pacific-war": "pacific_war/guadalcanal-bot-608",
}
ANSWERS, EACH = 240, 40


def copied(engine: Engine) -> Any:
    """The same position, apart from it."""
    return Engine.resume(engine.game, engine.scenario, engine.checkpoint()).state


# -- nothing is used up ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", games.BUILT_IN)
def test_a_picture_uses_nothing_up(name: str) -> None:
    """The living state is drawn again and again between the answers of a recorded game, which goes on as it was recorded."""
    lines = read(path_of(PLAYED[name]))
    head = next(lines)
    engine = begin(head["system"], head.get("scenario", ""), head["options"])
    files: list[tuple[Any, list[Any]]] = [(copied(engine), [])]
    moved = False
    for number, (asked, answer) in enumerate(islice(lines, ANSWERS), 1):
        assert engine.fingerprint == asked
        known = len(engine.state.events)
        engine.reply(answer)
        files[-1][1].extend(engine.state.events[known:])
        if number % EACH == 0:
            before = [to_plain(state) for state, _ in files], [len(events) for _, events in files], engine.state_hash()
            drawn = [view.picture_of(load(name), engine.state, files, how, changes=True) for how in WAYS]
            again = [view.picture_of(load(name), engine.state, files, how, changes=True) for how in WAYS]
            assert drawn == again
            assert before == ([to_plain(s) for s, _ in files], [len(events) for _, events in files], engine.state_hash())
            moved = moved or drawn[1] != drawn[-1]
            files.append((copied(engine), []))
    assert moved


WAYS = ("turn", "round", "file", "none")


# -- what a hex gained and lost -----------------------------------------------------------------------------------------------


def test_gains_and_losses_are_counted_by_name() -> None:
    before = test_hex_map.picture()
    lost = replace(before.spaces[0], pieces=before.spaces[0].pieces[1:])
    gained = replace(before.spaces[1], pieces=before.spaces[0].pieces[:1])
    after = compared(replace(before, spaces=(lost, gained, *before.spaces[2:3])), before)
    assert {place.id: place.changes for place in after.spaces if place.changes} == {
        202: (Change("japan", 0, 1),),
        302: (Change("japan", 1, 0),),
        502: (Change("us", 0, 1),),  # a hex that is empty now
    }
    assert compared(before, before) == before


def test_changes_stand_beside_the_number_on_request() -> None:
    changed = (Change("japan", 2, 1), Change("allies", 0, 3))
    shown = test_hex_map.picture(spaces=(Place(302, "japan", changes=changed),))
    said = test_hex_map.texts(test_hex_map.draw(shown, changes=True))
    assert {"J +2−1", "A −3"} <= set(said)
    assert not {"J +2−1", "A −3"} & set(test_hex_map.texts(test_hex_map.draw(shown)))


def test_what_a_hex_lost_hides_no_counter_of_the_next_one() -> None:
    """An empty hex has its losses below its number; beside a number they end before the counters on the left begin."""
    lost = (Change("japan", 0, 2),)
    empty = drawn_with(Place(302, "japan", changes=lost))
    pill, (x, y) = box_of("J −2", empty.stacks()), empty.sheet.at.middles[302]
    assert abs((pill.left + pill.right) / 2 - x) < 0.1 and y - HALF + 9 < pill.top < pill.bottom < y
    several = test_hex_map.picture().spaces[0].pieces
    full = drawn_with(Place(302, "japan", pieces=several[:2], changes=lost))
    pill, (x, y) = box_of("J −2", full.stacks()), full.sheet.at.middles[302]
    assert pill.right < x - 8 and pill.left > x - 1.5 * RADIUS + 62 / 2 - 3


def drawn_with(place: Place) -> Counters:
    """The counters of a map with one hex that is not empty, with what was gained and lost."""
    drawing = Drawing(test_hex_map.GAME, test_hex_map.picture(spaces=(place,)), Look(changes=True))
    return drawing.counters


def box_of(words: str, markup: Sequence[str]) -> Area:
    """Where the token with these words stands."""
    [found] = boxes(ElementTree.fromstring(f"<svg>{''.join(markup)}</svg>"), words, 0.0, 0.0)
    return found


def boxes(group: ElementTree.Element, words: str, x: float, y: float) -> Iterator[Area]:
    """The same of all such tokens in a group that stands at a point."""
    moved = re.findall(r"-?[0-9.]+", group.get("transform", "")) or ["0", "0"]
    x, y = x + float(moved[0]), y + float(moved[1])
    rect = group.find("rect")
    if rect is not None and words in [text.text for text in group.findall("text")]:
        yield Area(x, y, x + float(rect.get("width", "0")), y + float(rect.get("height", "0")))
    for inner in group.findall("g"):
        yield from boxes(inner, words, x, y)


# -- the maps of a report -----------------------------------------------------------------------------------------------------


def test_a_report_has_a_map_for_each_of_its_battles_and_one_for_a_phone() -> None:
    shown = test_map.picture_after(len(recorded.documents()) - 1, "round")
    made = pictures.maps(test_map.GAME, shown, "Round 1", Look())
    names = [name for name, _ in made.battles]
    assert set(names) == {space.name for space in shown.spaces if space.fought}
    taken = {space.name for space in shown.spaces if space.fought and space.taken_from}
    assert set(names[: len(taken)]) == taken  # what changed hands comes first
    page = render.report(recorded.view(), "html", ENGLISH, made)
    assert page.count("<figure>") == len(names) and page.count('class="map narrow"') == 1
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'href="#([^"]+)"', page)) | set(re.findall(r"url\(#([^)]+)\)", page)) <= set(ids)
    assert len(page) < 600_000


def test_maps_of_a_report_are_light_or_dark_like_their_page() -> None:
    shown = test_hex_map.picture()
    made = pictures.maps(test_hex_map.GAME, shown, "A small war", Look())
    light, dark = made.style.split("@media screen and (prefers-color-scheme:dark)")
    colours = [dict(re.findall(r"(--m\d+):(#[0-9a-f]{6})", part)) for part in (light, dark)]

    def coloured(by: dict[str, str]) -> str:
        return re.sub(r"var\((--m\d+)\)", lambda found: by[found[1]], made.whole)

    assert coloured(colours[1]) == test_hex_map.draw(shown, theme=DARK)
    assert coloured(colours[0]) == test_hex_map.draw(shown, theme=distinct(LIGHT))


def test_no_more_than_some_battles_have_maps() -> None:
    fought = tuple(Place(cell.id, "japan", fought=True) for cell in test_hex_map.BOARD.cells[:9])
    made = pictures.maps(test_hex_map.GAME, test_hex_map.picture(spaces=fought), "A small war", Look())
    assert len(made.battles) == pictures.BATTLES and made.narrow == ""


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", [name for name in games.BUILT_IN if name != "axis-and-allies-pacific"])
def test_nothing_beside_a_hex_map_is_cropped(name: str, width: int) -> None:
    lines = read(path_of(PLAYED[name]))
    head = next(lines)
    state = begin(head["system"], head["scenario"], head["options"]).state
    shown = view.picture_of(load(name), state, [], "none")
    assert isinstance(shown, HexPicture)
    drawing = test_hex_map.Drawing(load(name), shown, Look(width=width))
    sheet = drawing.sheet
    for panel in (
        drawing.beside.heading("A title of some words: turn 12, United States, conduct combat"),
        drawing.beside.beside(),
    ):
        assert panel.width * sheet.large + 24 <= width + 1
