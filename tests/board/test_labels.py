"""Clicks on what is written on the map: they reach the place or the stack that lies beneath."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.cli import local
from tests.board.hands import at_rest, come, key
from tests.board.serving import ALLIES, served
from tests.browser import Page, needs_browser

pytestmark = needs_browser
GAMES = {
    "axis-and-allies-pacific": ("spring-1940", ["japan"], ALLIES),
    "empire-of-the-sun": ("year-1942", ["allies"], ["japan"]),
    "next-war": ("training", ["non-allied"], ["allied"]),
    "pacific-war": ("coral-sea", ["japan"], ["allies"]),
}
SOME = 12  # labels of a kind that are clicked on each map
HEARS = """(window.struck = []) && (fetch => {
  window.fetch = (address, given) => {
    if (address === '/step') window.struck.push(JSON.parse(given.body));
    return fetch(address, given);
  };
})(window.fetch)"""
LABELS = """(kind => {
  const middle = box => [box.x + box.width / 2, box.y + box.height / 2];
  const shapes = [...document.querySelectorAll('.hits [data-at]')].map(one => [one, one.getBoundingClientRect()]);
  const far = (box, x, y) => Math.hypot(middle(box)[0] - x, middle(box)[1] - y);
  const beneath = (x, y) => {
    const within = shapes.filter(([, b]) => x > b.left && x < b.right && y > b.top && y < b.bottom);
    const isIn = one => one.isPointInFill(new DOMPoint(x, y).matrixTransform(one.getScreenCTM().inverse()));
    const areas = within.filter(([one]) => one.isPointInFill && isIn(one));
    const hexes = within.filter(([one]) => !one.isPointInFill).sort(([, a], [, b]) => far(a, x, y) - far(b, x, y));
    return [...areas, ...hexes.slice(0, 1)].map(([one]) => one.dataset.at);
  };
  return [...document.querySelectorAll(`#board .${kind} text`)].map(text => {
    const [x, y] = middle(text.getBoundingClientRect()), seen = document.elementFromPoint(x, y)?.closest('#board');
    const unit = text.closest('[data-unit]')?.dataset.unit ?? '';
    return { text: text.textContent, x, y, unit, places: seen ? beneath(x, y) : [] };
  }).filter(label => label.text.trim() && label.places.length);
})"""


def labels(page: Page, kind: str) -> list[dict[str, Any]]:
    """What is written in a layer of the map, where it is seen, and what lies beneath: places, a counter."""
    all_of_them: list[dict[str, Any]] = page.ask(f"{LABELS}('{kind}')")
    return all_of_them[:: max(1, len(all_of_them) // SOME)]


@pytest.mark.parametrize("system", sorted(GAMES))
def test_a_click_on_a_label_reaches_what_lies_beneath(chromium: Page, tmp_path: Path, system: str) -> None:
    scenario, mine, others = GAMES[system]
    folder = tmp_path / "g"
    local.found(folder, system, scenario, [], {"yamada": mine, "nowak": others})
    with local.own_keys(folder), served(folder / "yamada") as server:
        come(chromium, server)
        chromium.ask(HEARS)
        clicked = [label for kind in ("names", "stacks", "control") for label in labels(chromium, kind)]
        assert len(clicked) > SOME, "names of places and what stands on counters"
        for label in clicked:
            chromium.click_at(label["x"], label["y"])
            at_rest(chromium)
            (heard,) = chromium.ask("window.struck.splice(0)")
            assert heard["act"] == "click" and heard["places"][0] in label["places"], label
            assert "|".join(heard["names"]) == label["unit"], label


def test_keys_where_nothing_is_asked_leave_the_page_alive(chromium: Page, tmp_path: Path) -> None:
    """The other player is due: a key for a gesture has nothing to do, and the page goes on."""
    folder = tmp_path / "g"
    local.found(folder, "empire-of-the-sun", "year-1942", [], {"yamada": ["japan"], "nowak": ["allies"]})
    with local.own_keys(folder), served(folder / "yamada") as server:
        come(chromium, server)
        for one in ("Escape", "d", "Backspace", "Enter", "n"):
            key(chromium, one)
        key(chromium, "?")
        assert chromium.ask("document.body.dataset.screen") == "help"
