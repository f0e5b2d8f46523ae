"""The replay in headless Chromium: steps, verdicts, hostile text, themes, phone width; nothing is loaded from anywhere."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.report.replay import PLAYER
from pbem.shipped import data_folder
from tests.browser import Page, browser, needs_browser
from tests.replay.games import page, recorded_page, signed_again, tampered, with_notes
from tests.report import recorded
from tests.report.test_hostile import HOSTILE

pytestmark = [needs_browser, pytest.mark.in_turn(2)]
FILES = len(recorded.documents()) - 1
WITH_DICE = next(d["seq"] for d in recorded.documents()[1:] if d.get("dice"))
BOARD = "document.getElementById('board').innerHTML"
Change = Callable[[dict[str, Any]], None]


@pytest.fixture(scope="module")
def chromium() -> Iterator[Page]:
    with browser() as opened:
        yield opened


@pytest.fixture(scope="module")
def honest(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("replay") / "honest.html"
    path.write_text(recorded_page())
    return path


def show(chromium: Page, tmp_path: Path, html: str) -> None:
    path = tmp_path / "page.html"
    path.write_text(html)
    chromium.open(path)


# -- stepping -------------------------------------------------------------------------------------------------------------


def test_keys_step_forward_and_backward(chromium: Page, honest: Path) -> None:
    chromium.open(honest)
    first = chromium.ask(BOARD)
    assert chromium.text("#file-name") == "Charter"
    chromium.press("ArrowRight")
    assert chromium.text("#file-name") == "File 1: yamada, orders"
    second = chromium.ask(BOARD)
    assert second != first
    chromium.press("End")
    assert chromium.text("#count") == f"{FILES} / {FILES}"
    chromium.press("ArrowRight")
    assert chromium.text("#count") == f"{FILES} / {FILES}"
    chromium.press("Home", "ArrowRight")
    assert chromium.ask(BOARD) == second
    chromium.press("ArrowLeft")
    assert chromium.ask(BOARD) == first
    chromium.press("ArrowLeft")
    assert chromium.text("#count") == f"0 / {FILES}"


def test_every_board_is_the_one_that_was_drawn(chromium: Page, honest: Path) -> None:
    chromium.open(honest)
    for _ in range(FILES):
        chromium.press("ArrowRight")
        assert chromium.ask("document.querySelectorAll('#board svg > title').length") == 1
        assert chromium.ask("document.querySelectorAll('#board parsererror').length") == 0
        assert chromium.ask(
            "[...document.querySelectorAll('#board use')].every(u => document.querySelector(u.getAttribute('href')))"
        )


def test_buttons_and_the_slider_step_too(chromium: Page, honest: Path) -> None:
    chromium.open(honest)
    chromium.click("#forward")
    chromium.click("#forward")
    assert chromium.text("#count") == f"2 / {FILES}"
    chromium.click("#back")
    assert chromium.text("#count") == f"1 / {FILES}"
    chromium.click("#last")
    assert chromium.text("#count") == f"{FILES} / {FILES}"
    chromium.ask(
        "document.getElementById('slider').value = 3; document.getElementById('slider').dispatchEvent(new Event('input'))"
    )
    assert chromium.text("#count") == f"3 / {FILES}"


def test_it_plays_by_itself_and_pauses(chromium: Page, honest: Path) -> None:
    chromium.open(honest)
    chromium.press(" ")
    assert chromium.text("#play") == "Pause"
    chromium.wait("document.getElementById('count').innerText.startsWith('1 ')")
    chromium.press(" ")
    assert chromium.text("#play") == "Play"


def test_a_phone_turns_over_by_swiping_and_nothing_stands_out_sideways(chromium: Page, honest: Path) -> None:
    chromium.open(honest, 390, 844)
    chromium.swipe("#log-frame", -150)
    assert chromium.text("#count") == f"1 / {FILES}"
    chromium.swipe("#log-frame", 150)
    assert chromium.text("#count") == f"0 / {FILES}"
    assert chromium.ask("document.documentElement.scrollWidth <= innerWidth")
    assert chromium.ask("document.querySelector('footer').getBoundingClientRect().bottom <= innerHeight")


def test_the_board_follows_the_theme(chromium: Page, honest: Path) -> None:
    colour = "getComputedStyle(document.querySelector('#board svg > rect')).fill"
    chromium.open(honest, theme="light")
    light = chromium.ask(colour)
    chromium.press("t")
    dark = chromium.ask(colour)
    assert dark != light
    chromium.open(honest, theme="dark")
    assert chromium.ask(colour) == dark
    chromium.press("t")
    assert chromium.ask(colour) == light


# -- verdicts ---------------------------------------------------------------------------------------------------------------


def test_an_honest_game_holds(chromium: Page, honest: Path) -> None:
    chromium.open(honest)
    rolls = sum(len(d.get("dice") or []) for d in recorded.documents())
    told = f"Everything holds: signatures, hash chain, links; files: {FILES}, rolls: {rolls}"
    assert chromium.text("#verdict-text") == f"✔ {told}"
    assert chromium.ask("document.querySelectorAll('#strip .good').length") == FILES + 1
    assert chromium.ask("document.querySelectorAll('#strip .bad').length") == 0
    chromium.press("End")
    assert "signed by" in chromium.text("#checks")


def test_a_game_just_begun_has_a_charter_to_look_at(chromium: Page, tmp_path: Path) -> None:
    show(chromium, tmp_path, page(recorded.documents()[:1]))
    chromium.press("ArrowRight", "End", "Home")
    assert chromium.text("#count") == "0 / 0"
    assert chromium.text("#verdict-text").endswith("files: 0, rolls: 0")


def test_it_loads_nothing(chromium: Page, honest: Path) -> None:
    before = len(chromium.requests)
    chromium.open(honest)
    chromium.press("End")
    assert chromium.requests[before:] == [honest.as_uri()]


def other_die(data: dict[str, Any]) -> None:
    dice = data["files"][WITH_DICE - 1]["dice"][0]["dice"]
    dice[0] = dice[0] % 6 + 1


def other_die_signed(data: dict[str, Any]) -> None:
    """The author himself wishes for another die: his signature is good."""
    other_die(data)
    data["files"][WITH_DICE - 1] = signed_again(data["files"][WITH_DICE - 1])


def other_signature(data: dict[str, Any]) -> None:
    data["files"][1]["signature"] = data["files"][0]["signature"]


def other_order(data: dict[str, Any]) -> None:
    data["files"][0]["orders"].pop()


def file_left_out(data: dict[str, Any]) -> None:
    del data["files"][1]


def charter_changed(data: dict[str, Any]) -> None:
    data["charter"]["note"] = ["changed"]


TAMPERED: list[tuple[Change, int, list[str]]] = [
    (other_die, WITH_DICE, ["bad signature", "bad dice", "the seed gives"]),
    (other_die_signed, WITH_DICE, ["bad dice", "the seed gives"]),
    (other_signature, 2, ["bad signature"]),
    (other_order, 1, ["bad signature"]),
    (file_left_out, 2, ["waiting", "file 2 is missing"]),
    (charter_changed, 0, ["bad signature"]),
]


@pytest.mark.parametrize(("change", "seq", "said"), TAMPERED, ids=[c.__name__ for c, _, _ in TAMPERED])
def test_a_tampered_file_turns_red_and_says_what_is_wrong(
    chromium: Page, tmp_path: Path, change: Change, seq: int, said: list[str]
) -> None:
    show(chromium, tmp_path, tampered(recorded_page(), change))
    where = f"File {seq}" if seq else "The charter"
    assert chromium.text("#verdict-text").startswith(f"✘ {where} does not hold: {said[0]}")
    assert chromium.ask("document.getElementById('verdict').className") == "bad"
    assert chromium.ask("[...document.getElementById('strip').children].findIndex(i => i.classList.contains('bad'))") == seq
    chromium.click("#to-fault")
    assert chromium.text("#count").startswith(f"{seq} /")
    assert chromium.ask("document.getElementById('checks').className") == "bad"
    assert [words for words in said if words not in chromium.text("#checks")] == []


def test_files_after_a_changed_one_do_not_follow_it(chromium: Page, tmp_path: Path) -> None:
    show(chromium, tmp_path, tampered(recorded_page(), other_order))
    chromium.press("ArrowRight", "ArrowRight")
    assert "it follows another file than the one before it" in chromium.text("#checks")


def test_a_page_that_was_cut_says_so(chromium: Page, tmp_path: Path) -> None:
    html = recorded_page()
    at = html.index('id="data">') + 5000
    show(chromium, tmp_path, html[:at] + html[html.index("</script>", at) :])
    assert "damaged" in chromium.text("#verdict-text")


# -- strangers' text ----------------------------------------------------------------------------------------------------------


def test_hostile_notes_stay_text(chromium: Page, tmp_path: Path) -> None:
    kept = "controls", "marks", "empty", "long"  # what a signed file cannot hold
    notes = [text for name, text in HOSTILE.items() if name not in kept]
    chromium.errors.clear()
    show(chromium, tmp_path, page(with_notes(notes)))
    chromium.press("ArrowRight")
    assert "<script>alert(1)</script>" in chromium.text("#story")
    assert (
        chromium.ask("document.querySelectorAll('#log-frame script, #log-frame img, #log-frame a, #log-frame h1').length") == 0
    )
    assert chromium.errors == []


def test_a_script_that_gets_in_does_not_run(chromium: Page, tmp_path: Path) -> None:
    evil = (
        "<script>document.title='mine'</script><img src=x onerror=\"document.title='mine'\"><img src='https://example.org/x'>"
    )
    show(chromium, tmp_path, recorded_page().replace("</main>", evil + "</main>"))
    assert chromium.ask("document.title") != "mine"
    assert [url for url in chromium.requests if "example.org" in url] == []


def test_a_handler_in_the_log_does_not_run(chromium: Page, tmp_path: Path) -> None:
    def change(data: dict[str, Any]) -> None:
        data["scenes"][1][2] += "<img src=x onerror=\"document.title='mine'\">"

    show(chromium, tmp_path, tampered(recorded_page(), change))
    chromium.press("ArrowRight")
    assert chromium.ask("document.querySelectorAll('#story img').length") == 1
    assert chromium.ask("new Promise(done => setTimeout(() => done(document.title), 200))") != "mine"


def test_the_file_as_signed_is_shown(chromium: Page, honest: Path) -> None:
    chromium.open(honest)
    chromium.press("ArrowRight")
    assert json.loads(chromium.ask("document.getElementById('document').textContent")) == recorded.documents()[1]


def test_the_page_speaks_the_readers_language(chromium: Page, tmp_path: Path) -> None:
    """Its script and the board too; a sentence of the script that the program does not send is found here."""
    (tmp_path / "replay.html").write_text(recorded_page(code="fr"))
    chromium.open(tmp_path / "replay.html")
    assert chromium.text("#verdict-text").startswith("✔ Tout est en ordre\u00a0: ")
    assert chromium.text("#file-name") == "Charte"
    chromium.press("ArrowRight")
    assert chromium.text("#file-name").startswith("Fichier 1\u00a0: ")
    assert chromium.text("#checks").startswith("✔ signature\u00a0: ")
    assert "Zone de convois" in chromium.ask("document.getElementById('board').textContent")
    script = (data_folder("templates") / "replay" / "player.js").read_text("utf-8")
    said = set(re.findall(r'say\("(.*?)"', script)) | set(re.findall(r"say\(`(.*?)`", script))
    assert {text for text in said if "${" not in text} <= {m.id for m in PLAYER}
