"""A file clicked together on the page is the one that the command line signs of the same text with the same secrets, byte for
byte, in the games on hexes; Pacific 1940 is compared so in `test_page`. An attack with its support is clicked too."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from pbem.store.paths import own_keys
from pbem.store.session import Session
from tests.board.clicking import Clicker
from tests.board.serving import served
from tests.board.test_no_mouse import PLANS
from tests.board.test_reading import opened, up_to
from tests.board.test_turns import at_one_machine, sealed_or_open
from tests.browser import Page, needs_browser
from tests.commands import must

pytestmark = needs_browser


def written(folder: Path) -> dict[str, bytes]:
    """The files that a player has handed out."""
    return {path.name: path.read_bytes() for path in (folder / "outbox").glob("*.yaml")}


def clicked(page: Page, folder: Path) -> Clicker:
    """The bot's mind at the player's question, by mouse."""
    hands = Clicker(page, folder)
    for order in sealed_or_open(Session.open(folder)):
        hands.order(order)
    return hands


def same_by_command(hands: Clicker) -> bool:
    """Both ways to sign what was clicked, from one and the same state of the game."""
    root, text = hands.folder.parent, hands.draft
    copy = root.with_name("copy")
    shutil.copytree(root, copy)
    hands.send()
    (copy / "o.yaml").write_text(text)
    with own_keys(copy):
        must("send", str(copy / "o.yaml"), "-g", str(copy / hands.folder.name), "--yes")
    mine, theirs = written(hands.folder), written(copy / hands.folder.name)
    return bool(mine) and len(mine) == len(theirs) and mine == theirs


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("system", PLANS)
def test_the_file_is_that_of_the_command_line(chromium: Page, tmp_path: Path, system: str) -> None:
    plan = PLANS[system]
    folder = plan.begun(tmp_path / "g", system)
    with own_keys(tmp_path / "g"), served(folder) as server:
        opened(chromium, server)
        hands = Clicker(chromium, folder)
        for order in plan.orders(Session.open(folder)):
            hands.order(order)
        assert same_by_command(hands)


def test_a_sealed_file_too(chromium: Page, tmp_path: Path) -> None:
    at_one_machine(tmp_path / "g", "pacific-war", "coral-sea", ["forces=sealed"])
    folder = tmp_path / "g" / str(Session.open(tmp_path / "g" / "japan").table.due.player)
    with own_keys(tmp_path / "g"), served(folder) as server:
        opened(chromium, server)
        assert same_by_command(clicked(chromium, folder))


def test_a_combat_segment(chromium: Page, tmp_path: Path) -> None:
    """Next War: an attack and its support, each with a click on the map or a button."""
    folder = up_to(tmp_path / "g", "next-war", "gap", "combat")
    with own_keys(tmp_path / "g"), served(folder) as server:
        opened(chromium, server)
        hands = clicked(chromium, folder)
        assert "attack: " in hands.draft and hands.done["map"] + hands.done["buttons"] < 20
        hands.send()
        files = Session.open(folder).folder.log.files()
        assert any("attack" in order for order in files[-1]["orders"] if isinstance(order, dict))
