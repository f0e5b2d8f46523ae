"""An offensive of Empire of the Sun and a march of Next War, clicked on the page and taken by the command line."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem import games
from pbem.cli import local
from pbem.runtime.composing import Draft
from pbem.store.paths import own_keys
from tests.board.hands import button, come, on_map
from tests.board.serving import served
from tests.browser import Page, needs_browser
from tests.commands import must

pytestmark = [needs_browser, pytest.mark.in_turn(3)]
EVENTS = games.load("empire-of-the-sun").index()


def begun(folder: Path, system: str, scenario: str, mine: str, theirs: str) -> Path:
    """The folder of a player who is due, in a game whose other player is the bot so far."""
    local.found(folder, system, scenario, [], {"yamada": [mine], "nowak": [theirs]})
    with local.at_work(folder) as party:
        while local.go_on(party, ["nowak"]):
            pass
    return folder / "yamada"


def offered(page: Page, kind: str) -> dict[str, str]:
    """The page's buttons of a kind: key -> words."""
    pairs = page.ask("[...document.querySelectorAll('[data-key]')].map(b => [b.dataset.key, b.textContent])")
    return {key: words for key, words in pairs if key.startswith(f"{kind}:")}


def test_an_offensive_by_mouse(chromium: Page, tmp_path: Path) -> None:
    folder = begun(tmp_path / "g", "empire-of-the-sun", "year-1942", "japan", "allies")
    page = chromium
    with own_keys(tmp_path / "g"), served(folder) as server:
        come(page, server, screen="news")
        button(page, "turn")
        shown = offered(page, "card")
        worth = {key: int(re.findall(r"operations (\d)", words)[0]) for key, words in shown.items()}
        card = max(sorted(worth), key=lambda key: worth[key])
        assert EVENTS.cards[card[5:]].says in shown[card], "its text stands under its name"
        button(page, card)
        button(page, "word:play")
        button(page, "verb:operations")
        on_map(page, str(page.ask("document.querySelector('[data-key=\"hq:hq-south\"]').dataset.at")))
        for unit in ("unit:14-army", "unit:ca-nachi"):
            button(page, unit)
        button(page, "take")
        for place in ("2812", "2813", "2915", "2813"):
            on_map(page, place)
            if "all" in page.ask("[...document.querySelectorAll('[data-key]')].map(b => b.dataset.key)"):
                button(page, "here" if place == "2813" else "all")
        button(page, "verb:done")
        on_map(page, "2813")
        button(page, "verb:done")
        orders = (folder / "unsent.yaml").read_text()
        assert [line.strip(" -") for line in orders.splitlines()[1:]] == [
            f"play: {card[5:]}",
            "operations: hq-south",
            "activate: 14-army; ca-nachi",
            "move: 14-army to 2813",
            "move: ca-nachi to 2813",
            "done",
            'battle: "2813"',
            "done",
        ]
        assert "orders are legal" in must("check", str(folder / "unsent.yaml"), "-g", str(folder))


def test_a_march_and_an_attack_by_mouse(chromium: Page, tmp_path: Path) -> None:
    folder = begun(tmp_path / "g", "next-war", "training", "non-allied", "allied")
    page = chromium
    with local.at_work(tmp_path / "g") as party:
        party.send(Draft([{"weather": "clear"}]))
        while local.go_on(party, ["nowak"]):
            pass
    with own_keys(tmp_path / "g"), served(folder) as server:
        come(page, server, screen="news")
        button(page, "turn")
        for stack, end in (("905", "708"), ("805", "807")):
            on_map(page, stack)
            button(page, "all")
            on_map(page, end)
        assert "to 0708" in (folder / "unsent.yaml").read_text()
        button(page, "verb:done")
        assert "orders are legal" in must("check", str(folder / "unsent.yaml"), "-g", str(folder))
