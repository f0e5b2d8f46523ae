"""The page beside a plain turn: one counter of a stack, a stack drawn to its end, an order picked anew, why a place is refused,
standing orders, offers and their answers, resigning, mail.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from pbem.board import answers
from pbem.board.server import Server
from pbem.cli import mailing
from pbem.runtime.paper import read_paper
from pbem.store.session import Session
from tests.board.hands import POINT, at_rest, button, come, key, on_map
from tests.board.serving import ask, post, served, unsent
from tests.board.test_games import sent
from tests.browser import Page, needs_browser
from tests.commands import must

pytestmark = pytest.mark.in_turn(3)

MOVES = "orders:\n  - done\n"
BOUGHT = "orders:\n  - buy: 2 infantry, 1 transport\n  - done\n  - move: 3 infantry from Kwangsi to Yunnan  # first\n"


COUNTER = """((at, unit) => {
  const box = document.querySelector(`.stacks [data-at="${at}"] [data-unit="${unit}"]`).getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})"""


def on_counter(page: Page, at: str, unit: str) -> None:
    page.click_at(*page.ask(f"{COUNTER}('{at}', '{unit}')"))
    at_rest(page)


# -- the map ------------------------------------------------------------------------------------------------------------


@needs_browser
def test_a_counter_of_a_selected_stack_is_one_unit(chromium: Page, server: Server, folder: Path) -> None:
    unsent(folder).write_text(MOVES)
    come(chromium, server)
    on_map(chromium, "kwangsi")
    for told in ("1 / 3", "2 / 3"):
        on_counter(chromium, "kwangsi", "infantry")
        assert told in chromium.text(".crumbs")
    on_map(chromium, "yunnan")
    assert unsent(folder).read_text() == MOVES + "  - move: 2 infantry from Kwangsi to Yunnan\n"


@needs_browser
def test_a_stack_is_drawn_to_its_end(chromium: Page, server: Server, folder: Path) -> None:
    unsent(folder).write_text(MOVES)
    come(chromium, server)
    start, end = (chromium.ask(f"{POINT}('{at}')") for at in ("kwangsi", "yunnan"))
    before = chromium.ask("document.querySelector('#board svg').getAttribute('viewBox')")
    chromium.drag(start, end)
    at_rest(chromium)
    assert unsent(folder).read_text() == MOVES + "  - move: 1 artillery, 3 infantry from Kwangsi to Yunnan\n"
    assert chromium.ask("document.querySelector('#board svg').getAttribute('viewBox')") == before, "the map has not moved"
    empty = chromium.ask(f"{POINT}('sz-11')")
    chromium.drag(empty, start)
    at_rest(chromium)
    assert chromium.ask("document.querySelector('#board svg').getAttribute('viewBox')") != before, "elsewhere it does"


@needs_browser
def test_a_finger_that_rests_has_the_map_come_closer(chromium: Page, server: Server, folder: Path) -> None:
    unsent(folder).write_text(MOVES)
    come(chromium, server, 390, 800)
    view = "document.querySelector('#board svg').getAttribute('viewBox').split(' ')[2]"
    wide, point = float(chromium.ask(view)), chromium.ask(f"{POINT}('kwangsi')")
    with chromium.finger(*point):
        chromium.wait(f"{view} < {wide / 2}")
    at_rest(chromium)
    assert float(chromium.ask(view)) == wide
    assert "Kwangsi" in chromium.text(".crumbs"), "what lay under the finger is chosen"


@needs_browser
def test_why_a_place_cannot_be_reached(chromium: Page, server: Server, folder: Path) -> None:
    unsent(folder).write_text(MOVES)
    come(chromium, server)
    on_map(chromium, "kwangsi")
    button(chromium, "unit:infantry")
    on_map(chromium, "india")
    told = chromium.text(".gesture .problems")
    assert "Kwangsi" in told or "India" in told
    chromium.move(*chromium.ask(f"{POINT}('india')"))
    chromium.wait("document.getElementById('board').title.includes('\\n')")
    assert chromium.ask("document.getElementById('board').title").splitlines()[1:] == told.splitlines()
    assert unsent(folder).read_text() == MOVES


# -- an order anew --------------------------------------------------------------------------------------------------------


@needs_browser
def test_an_order_is_shown_and_picked_anew(chromium: Page, server: Server, folder: Path) -> None:
    unsent(folder).write_text(BOUGHT)
    come(chromium, server)
    chromium.ask("document.querySelectorAll('.orders > ol > li')[2].dispatchEvent(new MouseEvent('mouseenter'))")
    chromium.wait("document.querySelectorAll('.cursor').length === 2")
    button(chromium, "change:2")
    assert "3 / 3" in chromium.text(".crumbs")
    button(chromium, "fewer:infantry")
    button(chromium, "take")
    assert unsent(folder).read_text() == BOUGHT.replace("3 infantry from", "2 infantry from").replace("  # first", "")
    button(chromium, "change:0")
    button(chromium, "more:infantry")
    button(chromium, "more:infantry")
    key(chromium, "Escape")
    assert "2 infantry, 1 transport" in unsent(folder).read_text(), "left alone, it stays"
    button(chromium, "change:0")
    button(chromium, "fewer:infantry")
    button(chromium, "take")
    assert unsent(folder).read_text().startswith("orders:\n  - buy: 1 infantry, 1 transport\n  - done\n  - move: 2 infantry")


def test_an_order_without_picks_is_for_the_text(server: Server, folder: Path) -> None:
    unsent(folder).write_text(BOUGHT)
    assert post(server, "/entry", {"game": 0, "at": 7}).status == 422
    assert [c["value"] for c in ask(server, "/entry", at=2)["chosen"]][:2] == ["kwangsi", "infantry"]


# -- standing orders, offers ------------------------------------------------------------------------------------------------


@needs_browser
def test_a_standing_order_by_form(chromium: Page, server: Server, folder: Path) -> None:
    unsent(folder).write_text("# mine\n" + MOVES)
    come(chromium, server)
    button(chromium, "tool:matters")
    button(chromium, "usual:retreat:ask me")
    button(chromium, "write:retreat")
    assert unsent(folder).read_text() == "# mine\n" + MOVES + "standing: {retreat: ask me}\n"
    assert chromium.ask("document.querySelector('[data-key=\"field:retreat\"]').value") == "ask me"
    chromium.ask("document.querySelector('[data-key=\"field:retreat\"]').value = ''")
    button(chromium, "write:retreat")
    assert "retreat" not in unsent(folder).read_text()


def test_a_standing_order_is_judged(server: Server, folder: Path) -> None:
    for value in ('[{when: "own-strength <", do: retreat}]', "a\nbuy: 3", "{"):
        answer = post(server, "/stand", {"game": 0, "kind": "retreat", "value": value, "seen": ""})
        assert answer.status == 422 and answer.plain["problems"], value
    assert not unsent(folder).exists()
    usual = next(row for row in ask(server, "/matters")["standing"] if row["kind"] == "retreat")["usual"][1][0]
    ask(server, "/stand", kind="retreat", value=usual, seen="")
    text = unsent(folder).read_text()
    assert "own-strength < enemy-strength" in text
    assert next(row for row in ask(server, "/matters")["standing"] if row["kind"] == "retreat")["value"] == usual


@needs_browser
def test_an_undo_is_offered_and_accepted_on_two_pages(chromium: Page, server: Server, folder: Path) -> None:
    sent(server, "orders:\n  - buy: 1 infantry\n")
    come(chromium, server)
    button(chromium, "tool:matters")
    chromium.ask("document.querySelector('#content details').open = true")
    assert "take back file 1 of yamada" in chromium.text("#content")
    button(chromium, "deal:undo 1")
    assert chromium.ask("document.body.dataset.screen") == "sent"
    assert Session.open(folder / "yamada").table.due.what == "accept"
    must("receive", str(folder / "yamada" / "outbox"), "-g", str(folder / "nowak"))
    with served(folder / "nowak") as other:
        come(chromium, other, screen="news")
        button(chromium, "tool:matters")
        assert "Accept the offer of yamada" in chromium.text("#content")
        chromium.ask("document.querySelector('#content details').open = true")
        button(chromium, "deal:agree")
        assert Session.open(folder / "nowak").table.last == 3
        assert [d["id"] for d in ask(other, "/matters")["deals"]] == ["resign"]


def test_what_was_not_seen_is_not_agreed_to(server: Server, folder: Path) -> None:
    head = ask(server, "/sheet")["head"]
    assert {d["id"] for d in ask(server, "/matters")["deals"]} == {"draw", "resign"}
    for id, seen in (("draw", "0" * 64), ("agree", head), ("resign", "0" * 64)):
        assert post(server, "/deal", {"game": 0, "id": id, "head": seen}).status == 422
    assert Session.open(folder / "yamada").table.last == 0
    done = ask(server, "/deal", id="resign", head=head)
    assert "resignation" in done["file"] and not done["post"]
    assert next(iter(Session.open(folder / "yamada").folder.log.slips()))["slip"] == "resignation"


def test_every_deal_has_words(server: Server) -> None:
    for deal in ask(server, "/matters")["deals"]:
        assert deal["text"] and deal["sign"] and deal["final"] == (deal["id"] == answers.RESIGN)


def test_mail_goes_out_from_the_page(server: Server, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not sent(server, "orders:\n  - buy: 1 infantry\n")["mails"]  # type: ignore[index]
    must("mail", "setup", "-g", str(folder / "yamada"))
    assert sent(server, "orders:\n  - buy: 1 infantry\n")["mails"]  # type: ignore[index]
    monkeypatch.setattr(mailing, "send", lambda path: ({}, f"file 2 sent from {path.name}"))
    assert ask(server, "/mail")["lines"] == ["file 2 sent from yamada"]


def test_the_time_of_an_answer_does_not_grow_with_the_file(server: Server, folder: Path) -> None:
    """An order of the file is looked at on a table of its own, once for each text."""
    unsent(folder).write_text(BOUGHT)
    ask(server, "/entry", at=2)
    began = time.process_time()
    for _ in range(5):
        ask(server, "/step", instead=2, verb="", chosen=[])
    assert time.process_time() - began < 2


# -- a hint -------------------------------------------------------------------------------------------------------------


@needs_browser
def test_the_button_for_a_hint_shows_what_the_program_would_do(chromium: Page, server: Server, folder: Path) -> None:
    unsent(folder).write_text("orders:\n  - buy: 2 infantry\n")
    come(chromium, server)
    button(chromium, "hint")
    chromium.wait("document.querySelector('#odds').innerText.startsWith('Hint: ')")
    shown = [" ".join(line.split()) for line in chromium.text("#odds").splitlines() if line.strip()]
    told = must("hint", "-g", str(folder / "yamada"), str(unsent(folder)))
    lines = [" ".join(line.split()) for line in told.splitlines() if line.strip()]
    assert shown[: len(lines)] == lines
    assert "1." in told and unsent(folder).read_text() == "orders:\n  - buy: 2 infantry\n", "a hint changes no order"
    first = json.loads(must("hint", "-g", str(folder / "yamada"), str(unsent(folder)), "--json"))["alternatives"][0]["orders"]
    button(chromium, "hinted:0")
    taken = read_paper(unsent(folder).read_text()).orders
    assert [*taken] == [{"buy": "2 infantry"}, *first], "an alternative is taken with a click"


# -- the page looks again by itself ---------------------------------------------------------------------------------------

HELD = """(() => {
  const real = window.fetch;
  window.held = [];
  window.fetch = async (address, ...rest) => {
    const answer = await real(address, ...rest);
    if (address === '/changes' && window.held) await new Promise(done => window.held.push(done));
    return answer;
  };
  dispatchEvent(new Event('focus'));
})()"""


@needs_browser
def test_what_the_page_writes_itself_is_no_change_elsewhere(chromium: Page, server: Server, folder: Path) -> None:
    """It asks whether anything changed, and the answer comes when the player has gone on meanwhile."""
    come(chromium, server)
    before = ask(server, "/changes")["draft"]
    chromium.ask(HELD)
    chromium.wait("window.held.length")
    key(chromium, "e")
    assert ask(server, "/changes")["draft"] != before and chromium.ask("document.body.dataset.screen") == "review"
    chromium.ask("(all => { window.held = null; all.forEach(go => go()); })(window.held)")
    time.sleep(0.2)
    at_rest(chromium)
    assert chromium.ask("document.body.dataset.screen") == "review", "it would have gone back to the orders"
