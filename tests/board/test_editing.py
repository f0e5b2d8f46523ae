"""An order file edited at random from two pages, by hand and by the command line: after each step page, file and `check` tell
the same, and what a person wrote stays."""

from __future__ import annotations

import random
import re
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from pbem.board.server import Server
from pbem.store.paths import own_keys
from tests.board.hands import at_rest, button, click, come, key
from tests.board.serving import ask, found, post, served
from tests.board.test_hex_games import begun
from tests.browser import Page, needs_browser
from tests.commands import run

pytestmark = pytest.mark.in_turn(3)

LEGAL = re.compile(r"^(\d+) orders? (?:is|are) legal")
LABEL = re.compile(r"^(not allowed|cannot be read): ")  # which `check` has in front of the line
WRONG = "  - move: everything to nowhere\n"


@dataclass
class Editor:
    """A person with two pages and a text editor; `seen`: the file as each page last saw it."""

    folder: Path
    dice: random.Random
    seen: dict[int, str] = field(default_factory=lambda: {0: "", 1: ""})
    remarks: list[str] = field(default_factory=list)
    done: Counter[str] = field(default_factory=Counter)

    @property
    def file(self) -> Path:
        return self.folder / "unsent.yaml"

    @property
    def text(self) -> str:
        return self.file.read_text() if self.file.exists() else ""

    def write(self, server: Server, page: int, address: str, **more: Any) -> Any:
        """From one of the pages; where the file is not the one that it has seen, nothing is overwritten and it looks again."""
        before, seen = self.text, self.seen[page]
        answer = post(server, address, {"game": 0, "seen": seen, **more})
        if answer.status == 409:
            assert self.text == before and answer.plain["theirs"] == before, address
            self.done["changed elsewhere"] += 1
            self.seen[page] = ask(server, "/sheet")["changes"]["draft"]
            return None
        assert answer.status in (200, 422), (address, answer)
        if answer.status == 200:
            self.seen[page] = answer.plain["changes"]["draft"]
        return answer.plain

    # -- steps ----------------------------------------------------------------------------------------------------------

    def pick(self, server: Server, page: int) -> None:
        """Picks at random, until they are an order."""
        gesture = ask(server, "/sheet")["step"]
        for _ in range(10):
            if gesture is None or gesture["orders"]:
                break
            verbs = [("verb", one["value"]) for one in gesture["verbs"] if not gesture["chosen"]]
            able = [*verbs, *((one["slot"], one["value"]) for one in gesture["picks"] if not one["why"])]
            if not able:
                return
            slot, value = self.dice.choice(able)
            gesture = ask(server, "/step", **gesture["partial"], act="choose", slot=slot, value=value)
            if gesture["chosen"] and self.dice.random() < 0.3:
                number = self.dice.randint(1, gesture["chosen"][-1]["most"])
                gesture = ask(server, "/step", **gesture["partial"], act="count", index=-1, number=number)
        if gesture is not None:
            self.write(server, page, "/take", **gesture["partial"])

    def undo(self, server: Server, page: int) -> None:
        self.write(server, page, "/undo")

    def redo(self, server: Server, page: int) -> None:
        self.write(server, page, "/redo")

    def remove(self, server: Server, page: int) -> None:
        orders = ask(server, "/sheet")["desk"]["orders"]
        if orders:
            self.write(server, page, "/remove", at=self.dice.randrange(len(orders)))

    def type(self, server: Server, page: int) -> None:
        """A remark, or an order that is none, which the next typing takes out."""
        lines = [line for line in (self.text or "orders:\n").splitlines(True) if line != WRONG]
        if self.dice.random() < 0.3 and len(lines) == self.text.count("\n"):
            lines.append(WRONG)
        else:
            lines.insert(1, f"  # remark {len(self.remarks)}\n")
        text = "".join(lines)
        if self.write(server, page, "/sheet", text=text) is not None and self.text == text:
            self.remarks = [line.strip() for line in lines if "# remark" in line]

    def by_hand(self, server: Server, page: int) -> None:
        """The file in a text editor, while both pages are open."""
        self.file.write_text((self.text or "orders:\n") + "# by hand\n")

    def by_command(self, server: Server, page: int) -> None:
        """The next question's proposals from the command line."""
        run("orders", "-g", str(self.folder), "--continue", str(self.file))

    def finish(self, server: Server, page: int) -> None:
        self.write(server, page, "/finish")


def agree(server: Server, editor: Editor) -> None:
    """Page, file and `check` tell the same."""
    sheet, done = ask(server, "/sheet"), run("check", str(editor.file), "-g", str(editor.folder))
    desk = sheet["desk"]
    assert desk["text"] == editor.text
    standing = [order for order in desk["orders"] if order["stands"] and not order["left_out"]]
    if desk["trouble"]:
        assert done.code != 0 and len(standing) < len(desk["orders"]), (desk, done)
        told = LABEL.sub("", desk["trouble"][0].partition(": ")[2])
        assert told.split(" [")[0] in done.err, (told, done.err)
        return
    assert done.code == 0, (editor.text, done)
    legal = LEGAL.match(done.out)
    assert (int(legal[1]) if legal else 0) == len(standing), (editor.text, done.out, desk["orders"])
    given = [one["text"] for group in ask(server, "/review")["groups"] for one in group["told"]] if standing else []
    assert [one for one in given if one not in done.out] == [], (given, done.out)


STEPS = ("pick",) * 6 + ("undo", "undo", "redo", "remove", "type", "type", "by_hand", "by_command", "finish", "reload")


def edited(folder: Path, steps: int, seed: str) -> Editor:
    """So many steps."""
    editor, done = Editor(folder, random.Random(seed)), 0
    editor.file.write_text("orders: []\n")
    while done < steps:
        with served(folder) as server:
            while done < steps:
                done += 1
                deed, page = editor.dice.choice(STEPS), editor.dice.randrange(2)
                editor.done[deed] += 1
                if deed == "reload":
                    break
                getattr(editor, deed)(server, page)
                agree(server, editor)
                if deed not in ("undo", "redo"):
                    assert [r for r in editor.remarks if r not in editor.text] == [], deed
            editor.seen = {page: ask(server, "/sheet")["changes"]["draft"] for page in editor.seen}
            editor.remarks = [line.strip() for line in editor.text.splitlines() if "# remark" in line]
    return editor


SCENARIOS = {
    "empire-of-the-sun": ("year-1942", "japan", "allies"),
    "next-war": ("training", "non-allied", "allied"),
    "pacific-war": ("coral-sea", "japan", "allies"),
}


def test_two_hundred_steps(tmp_path: Path) -> None:
    folder = found(tmp_path / "g")
    with own_keys(tmp_path / "g"):
        editor = edited(folder, 200, "editing")
    assert min(editor.done[deed] for deed in (*STEPS, "changed elsewhere")) >= 3, editor.done


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("system", SCENARIOS)
@pytest.mark.parametrize("steps", [20, pytest.param(40, marks=pytest.mark.long)])
def test_so_many_steps(system: str, steps: int, tmp_path: Path) -> None:
    folder = begun(tmp_path / "g", system, *SCENARIOS[system])
    with own_keys(tmp_path / "g"):
        edited(folder, steps, system)


STEPS_SEEN = ("pick", "pick", "undo", "redo", "text", "hand", "load")
TYPED = "document.getElementById('text').value"


@needs_browser
def test_the_same_in_two_windows(chromium: Page, tmp_path: Path) -> None:
    """Clicks, undo, redo, the text, another hand on the file, the page loaded again: what is seen is what lies on the disk."""
    dice, folder, texts = random.Random("windows"), found(tmp_path / "g"), set[str]()
    with own_keys(tmp_path / "g"), served(folder) as server:
        editor = Editor(folder, dice)
        editor.file.write_text("orders: []\n")
        come(chromium, server)
        for deed in ("pick", "done", "pick", "undo", "redo", "text", "hand", "load", *dice.choices(STEPS_SEEN, k=6)):
            seen_step(chromium, server, editor, deed)
            agree(server, editor)
            texts.add(editor.text)
            button(chromium, "tab:text")
            assert chromium.ask(TYPED) == editor.text, deed
            button(chromium, "tab:clicks")
    assert len(texts) >= 6, texts


def seen_step(page: Page, server: Server, editor: Editor, deed: str) -> None:
    """One thing that a person does at the window, or beside it."""
    if deed == "pick" and page.ask("document.querySelector('#picks button:not(:disabled)') !== null"):
        click(page, "#picks button:not(:disabled)")
        if not page.ask("document.getElementById('pill').hidden"):
            click(page, "#pill .main")
    elif deed == "done":
        key(page, "d")
    elif deed in ("undo", "redo") and not page.ask(f"document.querySelector('[data-key=\"tool:{deed}\"]').disabled"):
        button(page, f"tool:{deed}")
    elif deed == "text":
        button(page, "tab:text")
        page.ask("document.getElementById('text').setSelectionRange(0, 0), document.getElementById('text').focus(), 0")
        page.type("# typed\n")
        page.wait(f"{TYPED}.startsWith('# typed')")
        while not editor.text.startswith("# typed"):
            time.sleep(0.05)
        at_rest(page)
    elif deed == "hand":
        editor.by_hand(server, 0)
        come(page, server)
    elif deed == "load":
        come(page, server)
