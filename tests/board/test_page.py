"""The page in headless Chromium: a turn by mouse, by keyboard, by screen reader and by finger gives the file that
the command line accepts; nothing that others write becomes more than text."""

from __future__ import annotations

import json
import shutil
import zlib
from pathlib import Path

import pytest

from pbem.board.server import Server
from pbem.cli import local
from tests.board.hands import at_rest, button, by_name, click, come, heard, key, keys_until, on_map, tap
from tests.board.serving import ask, served, unsent
from tests.browser import Page, needs_browser
from tests.commands import must

pytestmark = [needs_browser, pytest.mark.in_turn(3)]
TURN = """\
orders:
  - buy: 2 infantry, 1 transport
  - done
  - move: 1 artillery, 3 infantry from Kwangsi to Yunnan
  - move: 2 fighters from Manchuria to Anhwe
"""


def draft(folder: Path) -> str:
    return unsent(folder).read_text()


def sent_by_command(folder: Path, text: str) -> bytes:
    """What `pbem send` of this text signs, in a copy of the game with the same secrets."""
    copy = folder.with_name("copy")
    shutil.copytree(folder, copy)
    (copy / "o.yaml").write_text(text)
    with local.own_keys(copy):
        must("send", str(copy / "o.yaml"), "-g", str(copy / "yamada"), "--yes")
    return (copy / "yamada" / "outbox" / "0001-yamada.yaml").read_bytes()


def send(page: Page) -> None:
    """Through the screen before sending."""
    button(page, "tool:send")
    assert page.ask("document.body.dataset.screen") == "review"
    button(page, "send")
    assert page.ask("document.body.dataset.screen") == "sent"


# -- a turn ------------------------------------------------------------------------------------------------------------


def test_a_turn_by_mouse_is_the_file_of_the_command_line(chromium: Page, server: Server, folder: Path) -> None:
    come(chromium, server)
    assert chromium.ask("document.querySelector('[data-key=\"verb:buy\"]').getAttribute('aria-pressed')") == "true"
    button(chromium, "unit:infantry")
    button(chromium, "more:infantry")
    button(chromium, "unit:transport")
    assert "Japan has 13 IPC" in chromium.text("#content")
    click(chromium, "#pill .main")
    button(chromium, "verb:done")
    on_map(chromium, "kwangsi")
    on_map(chromium, "kwangsi")  # everything that can act
    assert "attack" in chromium.ask("document.querySelector('.glow').innerHTML")
    on_map(chromium, "yunnan")
    on_map(chromium, "manchuria")
    button(chromium, "unit:fighter")
    button(chromium, "fewer:fighter")
    on_map(chromium, "anhwe")
    assert draft(folder) == TURN
    assert must("check", str(unsent(folder)), "-g", str(folder / "yamada")).startswith("4 orders are legal.")
    wanted = sent_by_command(folder, TURN)
    send(chromium)
    assert (folder / "yamada" / "outbox" / "0001-yamada.yaml").read_bytes() == wanted
    assert not unsent(folder).exists()
    must("receive", str(folder / "yamada" / "outbox"), "-g", str(folder / "nowak"))


def test_a_turn_by_keyboard(chromium: Page, server: Server, folder: Path) -> None:
    come(chromium, server)
    find_and_choose(chromium, "infantry")
    key(chromium, "2")
    find_and_choose(chromium, "transp")
    key(chromium, "Enter", "D")
    keys_until(chromium, "Kwangsi", "n")
    key(chromium, "Enter")  # everything that can act
    key(chromium, "ArrowLeft")
    assert chromium.text("#live") == "Yunnan"
    key(chromium, "Enter")
    keys_until(chromium, "Manchuria", "p")
    find_and_choose(chromium, "fighter")
    key(chromium, "2")
    find_and_choose(chromium, "anhwe")
    assert draft(folder) == TURN
    key(chromium, "s")
    assert chromium.ask("document.body.dataset.screen") == "review"
    key(chromium, "Enter")
    assert chromium.ask("document.body.dataset.screen") == "sent"


def find_and_choose(page: Page, word: str) -> None:
    """By the field that finds: `/`, a word, Enter."""
    key(page, "/")
    page.type(word)
    key(page, "Enter")


def test_a_turn_by_screen_reader(chromium: Page, server: Server, folder: Path) -> None:
    come(chromium, server)
    assert any("buy units" in told for told in heard(chromium))
    for name in (
        "1 transport",
        "1 infantry",
        "one more: infantry",
        "Take this order",
        "done",
        "Kwangsi",
        "Everything that can",
    ):
        by_name(chromium, name)
    assert chromium.text("#live") == "Japan: combat moves. Kwangsi, 3 infantry, 1 artillery"
    assert "French Indo-China, attack" in heard(chromium, "button")
    for name in ("Yunnan", "Manchuria", "3 fighters", "one fewer: fighters", "Anhwe"):
        by_name(chromium, name)
    assert draft(folder) == TURN
    for name in ("Send", "Send"):
        by_name(chromium, name)
    assert (folder / "yamada" / "outbox" / "0001-yamada.yaml").exists()


def test_a_turn_on_a_phone(chromium: Page, server: Server, folder: Path) -> None:
    come(chromium, server, 390, 800)
    for name in ("1 infantry", "one more: infantry", "1 transport"):
        by_name(chromium, name)
    button(chromium, "take")
    by_name(chromium, "done")
    assert draft(folder) == TURN.partition("  - done")[0]  # a finger says so once more
    button(chromium, "take")
    tap(chromium, "kwangsi")
    tap(chromium, "kwangsi")
    tap(chromium, "yunnan")
    assert "Yunnan" in chromium.text("#pill")
    button(chromium, "take")
    assert draft(folder) == TURN.partition("  - move: 2 fighter")[0]
    assert chromium.ask("document.documentElement.scrollWidth <= innerWidth")
    assert chromium.ask(SMALL) == []
    for height in ("full", "peek", "half"):
        click(chromium, "#handle")
        assert chromium.ask("document.body.dataset.sheet") == height


def test_whatever_a_finger_presses_is_44_pixels_large(chromium: Page, server: Server, folder: Path) -> None:
    """On every screen, for a finger alone: a mouse may have smaller ones."""
    unsent(folder).write_text(TURN)
    come(chromium, server, 390, 800)
    found = {"orders": chromium.ask(PRESSED)}
    button(chromium, "change:2")
    found["change"] = chromium.ask(PRESSED)
    for screen in ("tab:text", "tool:matters", "tool:news", "help", "tool:send"):
        button(chromium, screen)
        found[screen] = chromium.ask(PRESSED)
    assert not {screen: small for screen, small in found.items() if small}
    assert chromium.ask("document.documentElement.scrollWidth <= innerWidth")
    come(chromium, server)
    assert chromium.ask(PRESSED), "for a mouse they are smaller"


# -- the text is the truth ---------------------------------------------------------------------------------------------


def test_undo_redo_and_remove(chromium: Page, server: Server, folder: Path) -> None:
    unsent(folder).write_text("# mine\n" + TURN)
    come(chromium, server)
    click(chromium, '[data-key="tool:undo"]')
    assert draft(folder) == "# mine\n" + TURN.partition("  - move: 2 fighter")[0]
    click(chromium, '[data-key="tool:redo"]')
    assert draft(folder) == "# mine\n" + TURN
    assert chromium.ask("document.querySelector('[data-key=\"tool:redo\"]').disabled")
    click(chromium, '[data-key="tool:undo"]')
    button(chromium, "verb:done")
    assert chromium.ask("document.querySelector('[data-key=\"tool:redo\"]').disabled"), "another order stands there now"
    click(chromium, '[data-key="tool:undo"]')
    click(chromium, '[data-key="tool:redo"]')
    click(chromium, '[data-key="tool:undo"]')
    assert draft(folder) == "# mine\n" + TURN.partition("  - move: 2 fighter")[0]
    unsent(folder).write_text("# mine\n" + TURN)
    come(chromium, server)
    button(chromium, "remove:2")
    assert draft(folder) == "# mine\n" + TURN.replace("  - move: 1 artillery, 3 infantry from Kwangsi to Yunnan\n", "")
    key(chromium, "Backspace")
    assert "fighter" not in draft(folder)


def test_text_is_checked_while_it_is_typed(chromium: Page, server: Server, folder: Path) -> None:
    come(chromium, server)
    button(chromium, "tab:text")
    chromium.ask("document.getElementById('text').focus()")
    chromium.type("orders:\n  - buy: 99 tank\n")
    chromium.wait("document.querySelector('.problems')?.innerText.startsWith('line 2:')")
    assert draft(folder) == "orders:\n  - buy: 99 tank\n"
    chromium.ask("document.getElementById('text').select()")
    chromium.type("orders: [")
    chromium.wait("!document.querySelector('.problems')?.innerText.includes('IPC')")
    chromium.ask("document.getElementById('text').select()")
    chromium.type("orders:\n  - buy: 1 tank  # why not\n")
    chromium.wait("!document.querySelector('.problems')")
    at_rest(chromium)
    button(chromium, "tab:clicks")
    button(chromium, "verb:done")
    assert draft(folder) == "orders:\n  - buy: 1 tank  # why not\n  - done\n"


def test_a_file_edited_elsewhere_is_read_again(chromium: Page, server: Server, folder: Path) -> None:
    come(chromium, server)
    unsent(folder).write_text(TURN)
    chromium.wait("document.querySelectorAll('.orders > ol > li').length === 4")
    at_rest(chromium)


def test_both_texts_are_shown_when_both_sides_changed(chromium: Page, server: Server, folder: Path) -> None:
    come(chromium, server)
    for mine, theirs, stands in (("1 tank", TURN, "use_theirs"), ("2 tank", "# new\n" + TURN, "use_mine")):
        button(chromium, "tab:text")
        chromium.ask("document.getElementById('text').select()")
        chromium.type(f"orders:\n  - buy: {mine}\n")
        unsent(folder).write_text(theirs)
        chromium.wait("document.body.dataset.screen === 'conflict'")
        assert mine in chromium.text("#content") and "1 transport" in chromium.text("#content")
        assert draft(folder) == theirs
        button(chromium, stands)
    assert draft(folder) == "orders:\n  - buy: 2 tank\n"


def test_a_file_that_came_meanwhile_keeps_the_page_from_signing(chromium: Page, server: Server, folder: Path) -> None:
    unsent(folder).write_text(TURN)
    come(chromium, server)
    button(chromium, "tool:send")
    (folder / "o.yaml").write_text("orders:\n  - buy: 1 infantry\n")
    head = ask(server, "/sheet")["head"]
    must("send", str(folder / "o.yaml"), "-g", str(folder / "yamada"), "--yes")
    assert ask(server, "/sheet")["head"] != head
    if chromium.ask("document.body.dataset.screen") == "review":
        button(chromium, "send")
    assert draft(folder) == TURN
    assert not (folder / "yamada" / "outbox" / "0002-yamada.yaml").exists()


# -- an own stack, a way out -------------------------------------------------------------------------------------------


def test_an_own_stack_is_selected_and_a_second_click_moves_there(chromium: Page, server: Server, folder: Path) -> None:
    unsent(folder).write_text("orders:\n  - done\n")
    come(chromium, server)
    on_map(chromium, "sz-19")
    on_map(chromium, "sz-6")
    assert draft(folder) == "orders:\n  - done\n"
    assert "To here: SZ 6" in chromium.text("#content")
    on_map(chromium, "sz-6")
    assert draft(folder).endswith("  - move: 1 cruiser, 1 destroyer, 1 submarine from SZ 19 to SZ 6\n"), draft(folder)


def test_units_that_were_chosen_join_an_own_stack_at_once(chromium: Page, server: Server, folder: Path) -> None:
    unsent(folder).write_text("orders:\n  - done\n")
    come(chromium, server)
    on_map(chromium, "sz-33")
    button(chromium, "unit:destroyer")
    on_map(chromium, "sz-19")
    assert draft(folder) == "orders:\n  - done\n  - move: 1 destroyer from SZ 33 to SZ 19\n"


def test_escape_leaves_the_choice_and_help_tells_the_keys(chromium: Page, server: Server, folder: Path) -> None:
    unsent(folder).write_text("orders:\n  - done\n")
    come(chromium, server)
    key(chromium, "n")
    assert chromium.ask("document.querySelectorAll('.crumbs li').length") == 1
    key(chromium, "Escape")
    assert chromium.ask("document.querySelectorAll('.crumbs li').length") == 0
    key(chromium, "?")
    assert "Backspace" in chromium.text("#content")
    key(chromium, "Escape")
    assert chromium.ask("document.body.dataset.screen") == "orders"


# -- one machine -----------------------------------------------------------------------------------------------------------


def test_a_curtain_falls_between_two_players(chromium: Page, folder: Path) -> None:
    (folder / "play.json").write_text(json.dumps({"bots": []}))
    unsent(folder).write_text("orders:\n  - done\n  - done\n  - done\n")
    with served(folder) as server:
        come(chromium, server, screen="curtain")
        assert "yamada, your turn" in chromium.text("#content")
        assert chromium.ask("document.querySelectorAll('#board svg').length") == 0
        button(chromium, "sit")
        button(chromium, "tool:send")
        button(chromium, "send")
        assert chromium.ask("document.body.dataset.screen") == "curtain"
        assert "nowak, your turn" in chromium.text("#content")
        assert chromium.ask("document.querySelectorAll('#board svg, .orders li').length") == 0
        button(chromium, "sit")
        assert chromium.ask("document.body.dataset.screen") == "news"
        by_name(chromium, "Go to my turn")
        assert chromium.text("#live").startswith("United States")


# -- strangers ---------------------------------------------------------------------------------------------------------


def test_what_others_write_stays_text(chromium: Page, folder: Path) -> None:
    evil = "<img src=x onerror=document.title='won'><script>document.title='won'</script>\u202egpj"
    shutil.move(folder / "yamada", folder / "<img src=x onerror=alert(1)>")
    mine = folder / "<img src=x onerror=alert(1)>"
    (folder / "o.yaml").write_text(f"orders:\n  - done\n  - done\nnote:\n  - {evil!r}\n".replace("\\u202e", "\u202e"))
    (mine / "unsent.yaml").write_text(f"orders:\n  - buy: {evil!r}\n".replace("\\u202e", "x"))
    with served(mine) as server:
        before = len(chromium.requests)
        come(chromium, server)
        assert "<img src=x" in chromium.text("#content")
        assert chromium.ask("document.querySelectorAll('img, script:not([src])').length") == 0
        must("send", str(folder / "o.yaml"), "-g", str(mine), "--yes")
        come(chromium, server)
        button(chromium, "tool:news")
        assert evil.replace("\u202e", "\ufffd") in chromium.text("#content")
        assert "won" not in chromium.ask("document.title")
        assert chromium.ask("document.querySelectorAll('img').length") == 0
        away = [url for url in chromium.requests[before:] if not url.startswith(("http://127.0.0.1:", "about:"))]
        assert away == []


def test_the_address_keeps_no_key_and_another_window_needs_it(chromium: Page, server: Server) -> None:
    come(chromium, server)
    assert chromium.ask("location.href") == f"http://127.0.0.1:{server.port}/"
    assert chromium.ask("document.cookie") == ""
    chromium.ask("sessionStorage.clear()")
    chromium.goto(server.address.partition("#")[0])
    chromium.wait("document.querySelector('.problems')?.innerText.length > 0")
    assert chromium.ask("document.querySelectorAll('#board path').length") == 0
    assert chromium.text("#content") == "This page needs the address that `pbem board` opens"


# -- how it looks ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("width", "height"), [(1280, 860), (390, 800)])
def test_nothing_sticks_out_and_words_can_be_read(
    chromium: Page, server: Server, folder: Path, width: int, height: int, theme: str
) -> None:
    unsent(folder).write_text(TURN)
    come(chromium, server, width, height, theme)
    assert chromium.ask(
        "document.documentElement.scrollWidth <= innerWidth && document.documentElement.scrollHeight <= innerHeight"
    )
    faint = chromium.ask(CONTRAST)
    assert faint == []


CONTRAST = """(() => {
  const rgb = text => text.match(/[\\d.]+/g).map(Number);
  const linear = c => (c /= 255) <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4;
  const light = ([r, g, b]) => linear(r) * .2126 + linear(g) * .7152 + linear(b) * .0722;
  const ground = one => {
    const c = rgb(getComputedStyle(one).backgroundColor);
    return (c[3] ?? 1) > .9 || !one.parentElement ? c : ground(one.parentElement);
  };
  const bad = [];
  for (const one of document.querySelectorAll('header *, #column *')) {
    const words = [...one.childNodes].some(n => n.nodeType === 3 && n.data.trim());
    if (!words || !one.offsetWidth || one.closest(':disabled')) continue;
    const [a, b] = [light(rgb(getComputedStyle(one).color)), light(ground(one))].sort((x, y) => y - x);
    if ((a + .05) / (b + .05) < 4.5) bad.push(one.outerHTML.slice(0, 80));
  }
  return bad;
})()"""
PRESSED = """[...document.querySelectorAll('button, summary, input, textarea')].filter(
  b => b.offsetWidth && b.checkVisibility() && (b.offsetWidth < 44 || b.offsetHeight < 44)
).map(b => b.outerHTML.slice(0, 80))"""
SMALL = """[...document.querySelectorAll('button')].filter(
  b => b.offsetWidth && b.id !== 'handle' && (b.offsetWidth < 24 || b.offsetHeight < 24)).map(b => b.outerHTML)"""


def test_the_page_is_small() -> None:
    home = Path(__file__).resolve().parents[2] / "templates" / "board"
    assert sum(path.stat().st_size for path in home.glob("*.js")) <= 40_000
    assert (home / "board.css").stat().st_size <= 10_000


def test_what_the_board_adds_to_the_package_is_counted_whole() -> None:
    """Server, page, command, desk, forms, consequences and what forms are built from, as the package holds them.

    `board/planning.py` is not the board's own: it shows plans for what comes behind dice, which came later and for fewer mails.
    Everything else that is counted came with the board, also where the command line uses it as well. Its aim is 120 kB. What
    the same words in one file cost is packed away already, so that less of them makes it hardly smaller: only a module less,
    or a thing that is not done at all. Of the rest, 20 kB are docstrings, 9 imports, 20 scripts, style and page.
    """
    root = Path(__file__).resolve().parents[2]
    patterns = ("board/*.py", "report/board*.py", "**/*forms.py", "**/consequences.py", "**/picks.py")
    held = {path for pattern in patterns for path in (root / "pbem").glob(pattern)} | {*root.glob("templates/board/*")}
    held |= {root / "pbem" / name for name in ("cli/board.py", "runtime/desk.py", "kernel/picking.py", "kernel/gathering.py")}
    held.remove(root / "pbem" / "board" / "planning.py")
    packed = sum(len(zlib.compress(path.read_bytes())) for path in held)
    assert len(held) > 40 and packed <= 131_000, packed
