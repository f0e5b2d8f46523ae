"""A player at the page: mouse, finger, keyboard or screen reader, each waiting until the page is at rest again."""

from __future__ import annotations

import time

from pbem.board.server import Server
from tests.browser import PATIENCE, Page

RESTS = "document.body?.dataset.busy === ''"
REFUSED = ("status of 409", "status of 422")  # what the program answers to an order that is none, or a file that changed
POINT = """(at => {
  const found = [...document.querySelectorAll(`.hits [data-at="${at}"]`)].at(-1).getBoundingClientRect();
  return [found.x + found.width / 2, found.y + found.height / 2];
})"""


def at_rest(page: Page) -> None:
    """Whatever was begun is done; no script has failed."""
    page.wait(RESTS)
    failed = [error for error in page.errors if not any(status in error for status in REFUSED)]
    assert not failed, failed


def come(
    page: Page, server: Server, width: int = 1280, height: int = 860, theme: str = "light", screen: str = "orders"
) -> None:
    """The page, opened as the player's browser opens it."""
    page.goto("about:blank", width, height, theme)
    page.ask("0")  # the page before may have asked a program that has ended meanwhile
    page.errors.clear()
    page.goto(server.address, width, height, theme)
    page.wait(f"{RESTS} && document.body.dataset.screen === '{screen}'")
    at_rest(page)


def click(page: Page, selector: str) -> None:
    page.ask(f"document.querySelector({selector!r}).scrollIntoView({{block: 'center'}})")
    page.click(selector)
    at_rest(page)


def button(page: Page, key: str) -> None:
    """A button by what it is for: `verb:buy`, `unit:infantry`, `tool:send`."""
    click(page, f'[data-key="{key}"]')


def on_map(page: Page, at: str) -> None:
    """A place of the map, with the mouse on its counters."""
    page.click_at(*page.ask(f"{POINT}('{at}')"))
    at_rest(page)


def tap(page: Page, at: str) -> None:
    """The same with a finger, once the place is in the window."""
    page.tap_at(*page.ask(f"{POINT}('{at}')"))
    at_rest(page)


def key(page: Page, *keys: str) -> None:
    for one in keys:
        page.press(one)
        at_rest(page)


def keys_until(page: Page, told: str, *keys: str) -> None:
    """The same keys again and again, until the bar says something that ends so."""
    for _ in range(40):
        key(page, *keys)
        if page.text("#live").endswith(told):
            return
    raise AssertionError(f"{keys} never lead to {told}: {page.text('#live')}")


def heard(page: Page, role: str = "") -> list[str]:
    """What a screen reader reads, in order; of one role only."""
    return [node["name"] for node in page.axtree() if node["name"] and role in ("", node["role"])]


def by_name(page: Page, name: str) -> None:
    """A screen reader presses the first button whose name begins so."""
    end = time.monotonic() + PATIENCE
    while not (found := [n for n in page.axtree() if n["role"] == "button" and n["name"].startswith(name)]):
        assert time.monotonic() < end, (name, heard(page, "button"))
    page.activate(found[0]["node"])
    time.sleep(0.05)
    at_rest(page)
