"""What is printed: the board of each game and its report, on a sheet of A4, from a dark screen too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from pbem.board.server import Server
from pbem.cli import local, replaying, reporting
from tests.board.hands import RESTS, button, come
from tests.board.serving import ALLIES, served
from tests.browser import Page, needs_browser
from tests.manual import ROOT

pytestmark = pytest.mark.in_turn(3)

WIDTH, HEIGHT = 718, 1047  # pixels of an A4 sheet between its margins
GAMES = {
    "axis-and-allies-pacific": ("spring-1940", ("japan",), ALLIES),
    "empire-of-the-sun": ("south-pacific", ("japan",), ("allies",)),
    "next-war": ("training", ("non-allied",), ("allied",)),
    "pacific-war": ("coral-sea", ("japan",), ("allies",)),
}
STYLE = ROOT / "templates/reports/style.css"
PAPER = "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
FOLDED = """[...document.querySelectorAll('details:not([open]) > :not(summary)')].map(one => one.checkVisibility())"""
SAID = "document.querySelector('#content').innerText"
COLOURS = "[...document.querySelectorAll('#board svg [fill]')].map(one => getComputedStyle(one).fill)"


@pytest.fixture(scope="module", params=sorted(GAMES))
def game(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a player who is at the table of a game that has begun."""
    folder = tmp_path_factory.mktemp("paper") / "g"
    scenario, mine, others = GAMES[request.param]
    local.found(folder, request.param, scenario, [], {"yamada": mine, "nowak": others})
    with local.own_keys(folder):
        yield folder / "yamada"


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def box(page: Page, selector: str) -> dict[str, float]:
    found: dict[str, float] = page.ask(f"document.querySelector('{selector}').getBoundingClientRect().toJSON()")
    return found


def opened(page: Page, file: Path, theme: str = "light") -> None:
    page.goto(file.resolve().as_uri(), theme=theme)
    page.wait("document.readyState === 'complete' && document.querySelector('main') !== null")


def is_whole(page: Page, selector: str) -> None:
    """It stands on a sheet, and can be seen."""
    there = box(page, selector)
    assert there["left"] >= 0 and there["right"] <= WIDTH + 1 and there["width"] > 300, there
    assert 200 < there["height"] <= HEIGHT, there


@pytest.mark.in_turn(4)
@needs_browser
def test_a_printed_board_shows_map_question_and_orders(chromium: Page, game: Path) -> None:
    with served(game) as server:
        chromium.errors.clear()
        chromium.goto(server.address, theme="dark")
        chromium.wait(f"{RESTS} && document.querySelector('#board svg') !== null && {SAID} !== ''")
        chromium.on_paper(WIDTH, "dark")
        is_whole(chromium, "#board svg")
        below, column = box(chromium, "#board svg")["bottom"], box(chromium, "#content")
        assert column["top"] >= below - 1 and column["width"] > WIDTH - 20
        assert chromium.ask("(c => c.scrollHeight <= c.clientHeight + 1)(document.querySelector('#content'))")
        assert chromium.ask(PAPER) == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
        for tool in ("#tools", "#zoom", ".tabs"):
            assert not chromium.ask(f"document.querySelector('{tool}')?.checkVisibility() ?? false"), tool
        assert chromium.ask(f"{SAID} !== ''")


@needs_browser
def test_a_map_on_a_dark_screen_is_printed_light(chromium: Page, server: Server) -> None:
    come(chromium, server, theme="light")
    light = chromium.ask(COLOURS)
    come(chromium, server, theme="dark")
    assert chromium.ask(COLOURS) != light
    chromium.on_paper(WIDTH, "dark")
    assert chromium.ask(COLOURS) == light


SHOWN = "[...document.querySelectorAll('{}')].map(one => one.checkVisibility())"
MARKER = "getComputedStyle(document.querySelector('summary'), '::marker').content"


@needs_browser
def test_what_is_only_to_be_pressed_is_not_printed(chromium: Page, server: Server) -> None:
    """Ways on and back, whose white words on no ground nobody sees on paper, and marks of what folds and cannot on paper."""
    come(chromium, server, theme="light")
    for unprinted, begun in (("[data-key=finish]", ""), (".row", "unit:infantry")):
        if begun:
            button(chromium, begun)
        assert chromium.ask(SHOWN.format(unprinted)) == [True], unprinted
        chromium.on_paper(WIDTH, "light")
        assert chromium.ask(SHOWN.format(unprinted)) == [False], unprinted
        come(chromium, server, theme="light")
    chromium.ask("document.querySelector('#content').append(document.createElement('summary')) || 0")
    assert chromium.ask(MARKER) != '""'
    chromium.on_paper(WIDTH, "light")
    assert chromium.ask(MARKER) == '""'


ORDERS = """[...document.querySelectorAll('.orders')].filter(s => s.querySelector('ul')).map(s => [
  getComputedStyle(s).breakInside, getComputedStyle(s.querySelector('ul')).columnCount,
  getComputedStyle(s.querySelector('summary')).listStyleType])"""


@needs_browser
def test_a_printed_report_is_light_and_whole(chromium: Page, game: Path, tmp_path: Path) -> None:
    reporting.report(game, reporting.Wanted(form="html", lang="en", spectator=True), tmp_path / "r.html")
    opened(chromium, tmp_path / "r.html", "dark")
    assert not all(chromium.ask(FOLDED)), "on the screen they are shut"
    chromium.on_paper(WIDTH, "dark")
    assert chromium.ask(PAPER) == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    is_whole(chromium, ".map svg")
    assert chromium.ask(FOLDED) and all(chromium.ask(FOLDED))


@needs_browser
def test_a_long_list_of_orders_fills_what_is_left_of_a_sheet_in_two_columns(chromium: Page) -> None:
    opened(chromium, Path(__file__).parents[1] / "report" / "golden" / "en" / "opening.html", "light")
    chromium.on_paper(WIDTH, "light")
    styles = chromium.ask(ORDERS)
    assert styles and all(style == ["auto", "2", "none"] for style in styles)


@pytest.mark.in_turn(4)
@needs_browser
@pytest.mark.parametrize("chosen", ["", "t t"], ids=["the screen is dark", "the reader chose dark"])
def test_a_printed_replay_page_is_light_and_whole(chromium: Page, game: Path, tmp_path: Path, chosen: str) -> None:
    """Board above, what happened below it on white paper; nothing to press."""
    replaying.write(game, tmp_path / "r.html", "en")
    chromium.open(tmp_path / "r.html", theme="dark")
    chromium.press(*chosen.split())
    chromium.on_paper(WIDTH, "dark")
    assert chromium.ask(PAPER) == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
    is_whole(chromium, "#board svg")
    assert box(chromium, "#board svg")["width"] > WIDTH * 0.8 or box(chromium, "#board svg")["height"] > HEIGHT * 0.7
    assert box(chromium, "#log-frame")["top"] >= box(chromium, "#board svg")["bottom"] - 1
    assert not chromium.ask("document.querySelector('footer').checkVisibility()")
    assert not chromium.ask("document.getElementById('document').checkVisibility()"), "nobody reads hashes on paper"
    assert chromium.ask("(f => f.scrollHeight <= f.clientHeight + 1)(document.querySelector('#log-frame'))")
    sea = "getComputedStyle(document.documentElement).getPropertyValue('--m2')"
    printed = chromium.ask(sea)
    chromium.open(tmp_path / "r.html", theme="light")
    assert chromium.ask(sea) == printed, "the map has its light colours"


@needs_browser
@pytest.mark.parametrize("head", ["<h2>Situation</h2>", "<h3>Losses</h3>", "<h2>Situation</h2><h3>The sides</h3>"])
def test_no_heading_is_alone_at_the_foot_of_a_sheet(chromium: Page, tmp_path: Path, head: str) -> None:
    """Where the heading goes over to the second sheet with its table, what comes after needs a third one."""
    rows = "<table><caption>The sides</caption><tbody>" + "<tr style='height: 82px'><td>a</td></tr>" * 10 + "</tbody></table>"
    body = f"<div style='height: 800px'></div>{head}<div class='tables'>{rows}</div>"
    for more, sheets in (("", 2), ("<div style='height: 170px; break-inside: avoid'></div>", 3)):
        (tmp_path / "h.html").write_text(f"<!DOCTYPE html><style>{STYLE.read_text()}</style><main>{body}{more}</main>")
        opened(chromium, tmp_path / "h.html")
        assert pages(chromium.pdf()) == sheets, (head, more)


@needs_browser
def test_a_map_higher_than_a_sheet_is_made_smaller(chromium: Page, tmp_path: Path) -> None:
    drawn = '<div class="map"><svg viewBox="0 0 500 2000"><rect width="500" height="2000"/></svg></div>'
    (tmp_path / "m.html").write_text(f"<!DOCTYPE html><style>{STYLE.read_text()}</style><main>{drawn}</main>")
    opened(chromium, tmp_path / "m.html")
    assert pages(chromium.pdf()) == 1


SHEETS = """[...document.querySelectorAll('.sheet')].map(sheet => {
  const part = sheet.lastElementChild, { width, height } = part.getBoundingClientRect(), box = part.viewBox.baseVal;
  const first = sheet.firstElementChild.lastElementChild;
  return { width, height, view: [box.x, box.y, box.width, box.height], key: first.getAttribute('x') * 1 };
})"""
SIZE = """Math.min(...[...document.querySelectorAll('#whole-board text')]
  .filter(one => one.textContent === 'Truk').map(one => one.getAttribute('font-size') * 1))"""


@needs_browser
def test_a_map_whose_names_are_too_small_for_a_sheet_is_printed_in_parts_too(chromium: Page, tmp_path: Path) -> None:
    """The whole theatre of Empire of the Sun: names of four points, sheets that overlap by a hex, each told by its key."""
    local.found(tmp_path / "g", "empire-of-the-sun", "year-1942", [], {"yamada": ["japan"], "nowak": ["allies"]})
    with local.own_keys(tmp_path / "g"):
        reporting.report(tmp_path / "g" / "yamada", reporting.Wanted(form="html", spectator=True), tmp_path / "r.html")
    opened(chromium, tmp_path / "r.html")
    assert not any(chromium.ask(SHOWN.format(".sheet"))), "on the screen there is the whole one"
    bare = (tmp_path / "r.html").read_text().replace('class="sheet"', 'class="sheet" hidden style="display: none"')
    chromium.on_paper(WIDTH, "light")
    sheets, name = chromium.ask(SHEETS), chromium.ask(SIZE)
    points = [one["width"] / one["view"][2] * name * 72 / 96 for one in sheets]
    assert len(sheets) == 2 and min(points) >= 4.1, points
    assert all(one["width"] <= WIDTH and one["height"] < HEIGHT - 100 for one in sheets)
    (left, _, wide, _), (right, *_) = (one["view"] for one in sheets)
    assert right > left and wide - (right - left) > 60, "a row of hexes is on both"
    assert [one["key"] for one in sheets] == [left, right]
    opened(chromium, tmp_path / "r.html")
    whole = pages(chromium.pdf())
    (tmp_path / "r.html").write_text(bare)
    opened(chromium, tmp_path / "r.html")
    assert whole == pages(chromium.pdf()) + 2
