"""What axe-core finds on the board, a report and the replay page: no fault that it calls serious or critical, and on the board
none at all; the order in which the keyboard comes by things.
"""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import pytest

from pbem.board.server import Server
from pbem.report.offered import LANGUAGES
from tests.board.hands import at_rest, button, come, key, on_map
from tests.board.serving import served, unsent
from tests.browser import Page, needs_browser
from tests.replay.games import recorded_page

pytestmark = pytest.mark.in_turn(3)

HERE = Path(__file__).resolve().parents[1]
DIGEST = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c"
MINOR = ("minor", "moderate")
ALL, COLOURS = "rules: {}", "runOnly: ['color-contrast']"
ALL_BUT_COLOURS = (
    "rules: {'color-contrast': {enabled: false}}"  # colours take longest: each letter, with all that lies behind it
)
ORDERS = "orders:\n  - buy: 2 infantry\n  - done\n  - move: 2 infantry from Kwangsi to Yunnan\n"
FOUND = """axe.run(document, {resultTypes: ['violations'], RULES}).then(found => found.violations.map(
  v => [v.impact, `${v.id}: ${v.nodes.map(node => node.html.slice(0, 120)).slice(0, 4).join(' ')}`]))"""


def axe() -> str:
    """The script, as it was published."""
    data = gzip.decompress((HERE / "axe" / "axe.min.js.gz").read_bytes())
    assert hashlib.sha256(data).hexdigest() == DIGEST
    return data.decode()


def faults(page: Page, *allowed: str, rules: str = ALL) -> list[str]:
    """What axe finds on the page as it stands by these of its rules, without what is of these weights."""
    if page.ask("typeof axe") == "undefined":
        page.ask(f"(() => {{ {axe()} }})(), 0")
    return [text for impact, text in page.ask(FOUND.replace("RULES", rules)) if impact not in allowed]


@pytest.mark.in_turn(3)
@needs_browser
@pytest.mark.parametrize(("width", "height", "theme"), [(1280, 860, "light"), (390, 800, "light"), (1280, 860, "dark")])
def test_the_board_has_no_fault(chromium: Page, server: Server, folder: Path, width: int, height: int, theme: str) -> None:
    """In the dark only colours are others; what axe has to say of the rest it has said in the light."""
    rules = ALL if theme == "light" else COLOURS
    unsent(folder).write_text(ORDERS)
    come(chromium, server, width, height, theme)
    found = {"orders": faults(chromium, rules=rules)}
    key(chromium, "n")
    found["picking"] = faults(chromium, rules=rules)
    button(chromium, "change:2")
    found["changing"] = faults(chromium, rules=rules)
    for screen in ("tab:text", "tool:matters", "tool:news", "help", "tool:send", "send"):
        button(chromium, screen)
        if theme == "light" or screen in ("tab:text", "help", "send"):  # the others have these colours too
            found[screen] = faults(chromium, rules=rules)
    assert not {screen: told for screen, told in found.items() if told}


@pytest.mark.in_turn(4)
@needs_browser
@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_the_board_has_no_fault_in_any_language(
    chromium: Page, folder: Path, monkeypatch: pytest.MonkeyPatch, code: str
) -> None:
    """On a phone, whose bar holds the longest words: the last of its buttons is in sight too. Colours as in English."""
    monkeypatch.setenv("PBEM_LANGUAGE", code)
    unsent(folder).write_text(ORDERS)
    with served(folder / "yamada") as server:
        come(chromium, server, 390, 800)
        assert chromium.ask("document.documentElement.lang") == code
        assert chromium.ask("document.querySelector('#tools').lastChild.getBoundingClientRect().right") <= 390
        found = {"orders": faults(chromium, rules=ALL_BUT_COLOURS)}
        for screen in ("tool:matters", "help", "tool:news"):
            button(chromium, screen)
            found[screen] = faults(chromium, rules=ALL_BUT_COLOURS)
    assert not {screen: told for screen, told in found.items() if told}


@needs_browser
def test_headings_begin_with_a_capital(chromium: Page, server: Server, folder: Path) -> None:
    """Some of them are words that stand within sentences elsewhere."""
    come(chromium, server)
    style = "getComputedStyle(document.querySelector('section.orders h3'), '::first-letter').textTransform"
    assert chromium.ask(style) == "uppercase" and chromium.text("section.orders h3").lower() == "orders"


@needs_browser
def test_axe_would_notice(chromium: Page, server: Server) -> None:
    come(chromium, server)
    chromium.ask("document.querySelector('#zoom button').removeAttribute('aria-label'), 0")
    chromium.ask("document.querySelector('#zoom button').replaceChildren()")
    chromium.ask("document.querySelector('#zoom button').removeAttribute('title'), 0")
    chromium.ask("document.getElementById('title').style.color = '#eee', 0")
    told = [{text.split(":")[0] for text in faults(chromium, rules=rules)} for rules in (ALL, ALL_BUT_COLOURS, COLOURS)]
    assert told[0] >= {"button-name", "color-contrast"}
    assert told[1] == told[0] - {"color-contrast"} and told[2] == {"color-contrast"}


@pytest.mark.in_turn(2)
@needs_browser
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_replay_has_no_serious_fault(chromium: Page, tmp_path: Path, theme: str) -> None:
    (tmp_path / "replay.html").write_text(recorded_page())
    chromium.open(tmp_path / "replay.html", theme=theme)
    chromium.press("ArrowRight", "ArrowRight")
    assert faults(chromium, *MINOR, rules=ALL if theme == "light" else COLOURS) == []


@needs_browser
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("name", ["opening", "refusal"])
def test_a_report_has_no_serious_fault(chromium: Page, theme: str, name: str) -> None:
    chromium.goto((HERE / "report" / "golden" / "en" / f"{name}.html").as_uri(), theme=theme)
    chromium.wait("document.readyState === 'complete' && location.protocol === 'file:'")
    assert faults(chromium, *MINOR, rules=ALL if theme == "light" else COLOURS) == []


FOCUSED = "(e => e.dataset.key || e.id || e.tagName)(document.activeElement)"


@needs_browser
def test_the_keyboard_comes_by_everything_in_reading_order(chromium: Page, server: Server, folder: Path) -> None:
    """Tools, map, its buttons, the column from the top down; no trap on the way."""
    unsent(folder).write_text(ORDERS)
    come(chromium, server)
    on_map(chromium, "manchuria")
    chromium.ask("document.activeElement.blur(), 0")
    chromium.ask("document.querySelector('#tools button').focus()")
    met = [chromium.ask(FOCUSED)]
    wanted = chromium.ask(
        "[...document.querySelectorAll('button, input, textarea, a, summary, [tabindex]')].filter("
        "e => !e.disabled && e.tabIndex >= 0 && e.offsetParent).map(e => e.dataset.key || e.id || e.tagName)"
    )
    for _ in wanted[1:]:
        chromium.press("Tab")
        met.append(chromium.ask(FOCUSED))
    at_rest(chromium)
    assert met == wanted
    assert [m for m in met if m.startswith(("tool:", "board", "verb:", "unit:", "remove:"))][:2] == [
        "tool:news",
        "tool:matters",
    ]
    assert {"board", "verb:done", "find", "remove:0", "change:2"} <= set(met)
