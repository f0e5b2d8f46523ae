"""What a player reads on the page: nothing is offered twice or before it is wanted, nothing lies over the map's edge, kinds of
units are told as a person says them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem import games
from pbem.board.server import Server
from pbem.cli import local
from pbem.report.languages import language
from pbem.report.quoting import order_told
from pbem.store.paths import own_keys
from pbem.store.session import Session
from tests.axis_and_allies_pacific.table import start
from tests.board.clicking import Clicker
from tests.board.hands import POINT, button, come, key
from tests.board.serving import ask, served, unsent
from tests.board.test_turns import asked, at_one_machine
from tests.browser import Page, needs_browser

pytestmark = pytest.mark.in_turn(3)

KEYS = "[...document.querySelectorAll('#content [data-key]')].map(b => b.dataset.key)"
BOX = "(b => [b.left, b.top, b.right, b.bottom])(document.querySelector('{}').getBoundingClientRect())"


def up_to(folder: Path, system: str, scenario: str, kind: str) -> Path:
    """The folder of the player who is asked this first, in a game that bots played so far."""
    at_one_machine(folder, system, scenario)
    with own_keys(folder), local.at_work(folder) as party:
        while asked(party.one) != kind:
            assert local.go_on(party, [*party.sessions])
        return folder / party.writer.me.player


def opened(page: Page, server: Server, width: int = 1280) -> None:
    """The page at the player's orders: behind what others did meanwhile, if anybody did."""
    come(page, server, width, 844, screen="news" if ask(server, "/games")["games"][0]["news"] else "orders")
    if page.ask("document.body.dataset.screen") == "news":
        button(page, "turn")


@pytest.fixture(scope="module")
def supporting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Next War, where support of an attack is asked."""
    return up_to(tmp_path_factory.mktemp("support") / "g", "next-war", "gap", "support")


@needs_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_the_place_in_question_is_marked_and_a_phone_looks_at_it(chromium: Page, supporting: Path, width: int) -> None:
    fight = Session.open(supporting).table.engine.state.fight
    with own_keys(supporting.parent), served(supporting) as server:
        opened(chromium, server, width)
        assert chromium.ask("document.querySelectorAll('.glow > .from').length") == 1
        left, top, right, foot = chromium.ask(BOX.format("#board"))
        x, y = chromium.ask(f"{POINT}('{fight.target}')")
        assert left < x < right and top < y < foot
        if width < 600:
            assert abs(x - (left + right) / 2) < 40 and abs(y - (top + foot) / 2) < 40


# -- an answer before anything is picked ------------------------------------------------------------------------------------


def test_no_support_is_an_answer_of_its_own_and_nothing_is_picked_yet(supporting: Path) -> None:
    with own_keys(supporting.parent), served(supporting) as server:
        sheet = ask(server, "/sheet")
        assert sheet["step"]["verb"] == "support" and not sheet["step"]["isOpen"], "the map is free of it"
        assert [a["body"]["orders"] for a in sheet["answers"] if a["text"] == "support: none"] == [[{"support": "none"}]]
        told = [a["text"] for a in sheet["answers"]]
        assert len(told) == len(set(told)), "no answer is offered twice"
        assert not sheet["step"]["verbs"], "there is one verb only, and it is picked"
        step = ask(server, "/step", **sheet["step"]["partial"], act="choose", slot="number", value="1")
        assert step["isOpen"] and step["orders"]


@needs_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_the_order_over_the_map_waits_for_a_pick(chromium: Page, supporting: Path, width: int) -> None:
    page = chromium
    with own_keys(supporting.parent), served(supporting) as server:
        opened(page, server, width)
        assert page.ask("document.getElementById('pill').hidden")
        key(page, "Enter")
        assert not unsent(supporting.parent).exists() or "support" not in unsent(supporting.parent).read_text()
        button(page, "number:1")
        assert "1 Air Point" in page.text("#pill")


def test_ships_are_counted_up_to_the_four_that_enter_the_combat(tmp_path: Path) -> None:
    at_one_machine(tmp_path / "g", "pacific-war", "savo-island")
    with own_keys(tmp_path / "g"), local.at_work(tmp_path / "g") as party:
        while getattr(party.writer.desk("").sheet.asked, "kind", "") != "line":
            assert local.go_on(party, [*party.sessions])
        me = tmp_path / "g" / party.writer.me.player
    with own_keys(tmp_path / "g"), served(me) as server:
        step = ask(server, "/sheet")["step"]
        for n in range(1, 5):
            unit = next(p["value"] for p in step["picks"] if p["slot"] == "unit")
            step = ask(server, "/step", **step["partial"], act="choose", slot="unit", value=unit)
            assert step["budget"] == f"units: {n} of 4" and not step["problems"] and step["takes"] == (n == 4)


# -- nothing is offered twice -------------------------------------------------------------------------------------------------


@needs_browser
def test_answers_that_are_all_there_is_are_offered_once(chromium: Page, tmp_path: Path) -> None:
    me = up_to(tmp_path / "g", "axis-and-allies-pacific", "spring-1940", "retreat")
    with own_keys(tmp_path / "g"), served(me) as server:
        opened(chromium, server)
        shown = chromium.ask(KEYS)
        texts = chromium.ask("[...document.querySelectorAll('#content .verbs button')].map(b => b.textContent)")
        assert "answer:0" in shown and not [k for k in shown if k.startswith(("verb:", "word:"))]
        assert "press the attack or retreat, always: retreat when own strength < enemy strength; press" in texts
        assert texts.count("press") == 1 and len(set(texts)) == len(texts)
        hands = Clicker(chromium, me)
        hands.order("press")
        assert hands.draft.endswith("- press\n")


# -- nothing lies over something else -----------------------------------------------------------------------------------------


@needs_browser
@pytest.mark.parametrize("width", [390, 1280])
def test_facts_stand_above_the_map(chromium: Page, server: Server, width: int) -> None:
    come(chromium, server, width, 844)
    _, top, _, bottom = chromium.ask(BOX.format("#facts"))
    assert top < bottom <= chromium.ask(BOX.format("#board"))[1], "no hex lies under them"
    assert chromium.ask(BOX.format("#board"))[3] <= chromium.ask(BOX.format("#map"))[3]


@needs_browser
def test_on_a_phone_the_tabs_stand_beside_the_handle(chromium: Page, server: Server) -> None:
    come(chromium, server, 390, 844)
    tabs, handle, content = (chromium.ask(BOX.format(what)) for what in (".tabs", "#handle", "#content"))
    assert handle[1] <= tabs[1] and tabs[3] <= content[1] + 4 and tabs[2] <= 390


def test_the_bar_leaves_the_end_of_its_sentence_to_the_page(server: Server, folder: Path) -> None:
    sheet = ask(server, "/sheet", text="orders:\n  - done\n  - move: 3 infantry from Kwangsi to Yunnan\n  - done\n", seen="")
    assert sheet["desk"]["asked"] is None and sheet["bar"].endswith("send the file")


# -- as a person says it ------------------------------------------------------------------------------------------------------


def test_two_of_a_kind_are_told_as_two(server: Server) -> None:
    step = ask(server, "/step", verb="buy", chosen=[["unit", "transport", 2]])
    assert step["chosen"][0]["name"] == "transports" and "2 transports" in step["heard"]
    step = ask(server, "/step", verb="buy", chosen=[["unit", "transport", 1]])
    assert step["chosen"][0]["name"] == "transport" and "1 transport" in step["heard"]


@pytest.mark.parametrize(
    "code, order, told",
    [
        ("en", "2 strategic-bombers from japan to sz-6", "2 strategic bombers from Japan to sea zone 6"),
        ("cs", "2 strategic-bombers", "2 strategické bombardéry"),
        ("cs", "5 transports", "5 transportních lodí"),
        ("en", "3 inf, 1 trn", "3 infantry, 1 transport"),
    ],
)
def test_units_are_told_however_they_are_written(code: str, order: str, told: str) -> None:
    words, state = games.load("axis-and-allies-pacific").words(), start()
    message = order_told({"move": order}, lambda word: words.named(state, word))
    assert language(code, (words.CATALOGUE,)).text(message).partition(": ")[2] == told


def test_files_in_which_nothing_is_to_be_seen_are_no_news(tmp_path: Path) -> None:
    """The file that opens the game says nothing to anybody."""
    me = up_to(tmp_path / "g", "empire-of-the-sun", "south-pacific", "card")
    with own_keys(tmp_path / "g"), served(me) as server:
        scenes = ask(server, "/replay")["scenes"]
        assert scenes and scenes[0]["seq"] > 1 and all(scene["blocks"] for scene in scenes)
        assert ask(server, "/map", scene=0)["layers"]
