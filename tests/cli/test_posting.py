"""`pbem post`: what is posted is what the reader's program takes, in the mark-up of each place; nothing hostile in it works."""

from __future__ import annotations

import html
import json
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from markdown_it import MarkdownIt

from pbem.cli import posting
from pbem.report.offered import PLACES
from pbem.transport.armor import documents, write_armored
from tests.browser import browser, needs_browser
from tests.commands import inside, must, prepare, run


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return prepare(tmp_path_factory.mktemp("games"))


@pytest.fixture
def sent(moments: dict[str, Path], tmp_path: Path) -> Iterator[Path]:
    """Yamada has sent his first file; nowak does not have it yet."""
    shutil.copytree(moments["sent"], tmp_path / "now")
    with inside(tmp_path / "now"):
        yield tmp_path / "now"


def _as_it_is(post: str) -> str:
    return post


def _shown(post: str) -> str:
    """What stands on the page, by what a reader's program makes of Markdown."""
    tokens = MarkdownIt("commonmark").parse(post)
    return "\n".join(token.content for token in tokens if token.content)


def _bbcode_shown(post: str) -> str:
    """The page of a forum: tags are gone, and inside [code] the lines are as they were."""
    return re.sub(r"\[/?[a-z*]+(?:=[^\]]*)?\]", "", post)


def _quoted(post: str) -> str:
    return "\n".join(f"> {line}" for line in post.splitlines())


def _in_one_line(post: str) -> str:
    return " ".join(post.split())


SEEN: dict[str, tuple[Callable[[str], str], ...]] = {
    "phpbb": (_as_it_is, _bbcode_shown, _quoted),
    "nodebb": (_as_it_is, _shown, _quoted),
    "discourse": (_as_it_is, _shown, _quoted),
    "reddit": (_as_it_is, _shown, _quoted),
    "plain": (_as_it_is, _quoted, _in_one_line),
}


@pytest.mark.parametrize("place", PLACES)
def test_what_is_posted_is_what_the_reader_takes(place: str, sent: Path) -> None:
    post = must("post", "--place", place, "-g", "axis")
    for nth, seen in enumerate(SEEN[place]):
        shutil.copytree("allies", f"allies{nth}")
        done = run("receive", "-", "-g", f"allies{nth}", "--json", stdin=seen(post))
        assert done.code == 0 and "file 1 of yamada" in json.loads(done.out)["lines"][0], (seen, done)
        shutil.rmtree(f"allies{nth}")


def test_the_block_is_folded_or_in_a_code_box(sent: Path) -> None:
    phpbb = must("post", "--place", "phpbb", "-g", "axis")
    assert re.search(
        r"\[spoiler\].*\[code\]\n-----BEGIN PBEM TURN-----[^\[]*-----END PBEM TURN-----\n\[/code\]\[/spoiler\]", phpbb, re.S
    )
    for place in ("nodebb", "discourse", "reddit"):
        post = must("post", "--place", place, "-g", "axis")
        code = [t.content for t in MarkdownIt("commonmark").parse(post) if t.type in ("fence", "code_block")]
        assert len(code) == 1 and code[0].startswith("-----BEGIN PBEM TURN"), place
    assert '[details="pbem"]' in must("post", "--place", "discourse", "-g", "axis")


def test_it_tells_what_happened_since_the_writers_last_post(sent: Path) -> None:
    first = must("post", "-g", "axis")
    assert "Orders" in first and "(file 1)" in first and "Next: nowak has to send" in first
    must("receive", "axis/outbox", "-g", "allies")
    must("receive", "allies/outbox", "-g", "axis")
    answer = json.loads(must("post", "-g", "allies", "--json"))
    assert answer["files"] == [2] and "(files 1 to 2)" in answer["post"] and "Hunan" in answer["post"], "nowak's first"
    again = json.loads(must("post", "-g", "axis", "--json"))
    last = again["files"][-1]
    assert again["files"] and f"(files 2 to {last})" in again["post"] if last > 2 else again["files"] == [1]


def test_all_own_files_behind_the_newest_of_the_others_and_slips(moments: dict[str, Path], tmp_path: Path) -> None:
    shutil.copytree(moments["over"], tmp_path / "now")
    with inside(tmp_path / "now"):
        posted = [*documents(must("post", "-g", "allies"))]
        assert [d["type"] for d in posted][-1] == "slip" and posted[-1]["slip"] == "resignation"
        assert {d["player"] for d in posted} == {"nowak"}


def test_what_was_said_to_all_goes_along_once(sent: Path) -> None:
    must("say", "all", "Good luck at <Hunan>", "-g", "axis")
    must("say", "nowak", "for you alone", "-g", "axis")
    post = must("post", "-g", "axis")
    assert [(d["type"], d["player"], d.get("to")) for d in documents(post)] == [
        ("turn", "yamada", None),
        ("note", "yamada", None),
    ]
    Path("post.txt").write_text(post)
    assert "Good luck at <Hunan>" in must("receive", "post.txt", "-g", "allies")
    assert [note["text"] for note in json.loads(must("notes", "-g", "allies", "--json"))] == ["Good luck at <Hunan>"]
    must("receive", "allies/outbox", "-g", "axis")
    must("say", "all", "Well played", "-g", "allies")
    assert {d["player"] for d in documents(must("post", "-g", "allies"))} == {"nowak"}, "his own words alone"


def test_files_clipboard_and_picture(sent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    held: list[str] = []
    monkeypatch.setitem(sys.modules, "pyperclip", SimpleNamespace(copy=held.append))
    told = must("post", "-g", "axis", "--place", "phpbb", "--copy", "--out", "p.txt", "--map", "m.svg")
    assert held == [Path("p.txt").read_text("utf-8")] and "clipboard" in told and "BEGIN PBEM" not in told
    assert Path("m.svg").read_text("utf-8").startswith("<svg") and "--picture" in told
    address = "https://example.org/a_b.png?x=1"
    assert f"[img]{address}[/img]" in must("post", "-g", "axis", "--place", "phpbb", "--picture", address)
    for place in ("nodebb", "discourse", "reddit"):
        made = must("post", "-g", "axis", "--place", place, "--picture", address)
        images = [c for t in MarkdownIt("commonmark").parse(made) for c in t.children or () if c.type == "image"]
        assert [image.attrs["src"] for image in images] == [address]


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "https://x.org/)[a](b", "https://x.org/[/img]", "https://x.org/a b"]
)
def test_an_address_that_is_none(address: str, sent: Path) -> None:
    done = run("post", "-g", "axis", "--place", "phpbb", "--picture", address)
    assert done.code != 0 and "address" in done.err and not done.out


def test_without_a_clipboard_the_command_says_so(sent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(text: str) -> None:
        raise OSError("no display")

    monkeypatch.setitem(sys.modules, "pyperclip", SimpleNamespace(copy=fails))
    assert "no clipboard" in run("post", "-g", "axis", "--copy").err
    monkeypatch.setitem(sys.modules, "pyperclip", None)
    assert "pbem[clipboard]" in run("post", "-g", "axis", "--copy").err


def test_a_post_that_is_too_long_is_named(sent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "characters" not in must("post", "-g", "axis", "--place", "reddit")
    monkeypatch.setitem(posting.MOST, "reddit", 500)
    assert "Reddit takes 500" in must("post", "-g", "axis", "--place", "reddit")


def test_no_place_and_no_game(sent: Path, moments: dict[str, Path]) -> None:
    assert "phpbb" in run("post", "-g", "axis", "--place", "nowhere").err
    assert run("post", "-g", str(moments["drafted"] / "axis")).code == 3


def test_the_signed_block_holds_no_mark_up(sent: Path) -> None:
    block = write_armored({"pbem": 1, "type": "turn", "note": ["[/code][img]x[/img]", "```", "</details>", "!<", "@all"] * 3})
    assert re.fullmatch(r"[A-Za-z0-9+/=\n -]+", block) and next(documents(block))["note"][0] == "[/code][img]x[/img]"


# -- copied off a page --------------------------------------------------------------------------------------------------------


def _phpbb_page(post: str) -> str:
    """What a forum makes of BBCode: line breaks outside code, a head above each code box."""
    parts = re.split(r"(\[code\].*?\[/code\])", html.escape(post, quote=False), flags=re.S)
    boxes = [
        re.sub(r"\[code\]\n?(.*)\[/code\]", r"<div><p>Code: <a href='#'>Select all</a></p><pre>\1</pre></div>", p, flags=re.S)
        for p in parts
    ]
    return re.sub(r"\[/?[a-z*]+(?:=[^\]]*)?\]", "", "".join(b if "<pre>" in b else b.replace("\n", "<br>\n") for b in boxes))


def _markdown_page(post: str) -> str:
    folded = re.sub(r'\[details="(.*?)"\]', r"<details open><summary>\1</summary>\n", post)
    return str(MarkdownIt("commonmark").render(folded.replace("[/details]", "\n</details>")))


@needs_browser
@pytest.mark.parametrize("place", [p for p in PLACES if p != "plain"])
def test_a_selection_of_the_page_is_what_the_reader_takes(place: str, sent: Path, tmp_path: Path) -> None:
    post = must("post", "--place", place, "-g", "axis")
    shown = _phpbb_page(post) if place == "phpbb" else _markdown_page(post)
    (tmp_path / "page.html").write_text(f"<!doctype html><meta charset=utf-8><body>{shown}", "utf-8")
    with browser() as page:
        page.goto((tmp_path / "page.html").as_uri())
        page.wait("document.readyState === 'complete' && document.body.childElementCount > 0")
        copied = page.ask("(getSelection().selectAllChildren(document.body), getSelection().toString())")
    assert "[code]" not in copied and "BEGIN PBEM TURN" in copied
    done = run("receive", "-", "-g", "allies", "--json", stdin=copied)
    assert done.code == 0 and "file 1 of yamada" in json.loads(done.out)["lines"][0], done
