"""Names, notes, orders, labels of strangers stay text in every format: no markup, scripts, links, controls or wide lines."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from html.parser import HTMLParser
from typing import Any

import pytest
from markdown_it import MarkdownIt
from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.wording import Message
from pbem.report import render
from pbem.report.digest import digest
from pbem.report.escaping import clean
from pbem.report.languages import LANGUAGES, language
from pbem.report.layout import WIDTH, width
from pbem.report.view import RefusalView, ReportView
from tests.report import recorded
from tests.report.test_golden import GAME, refused

HOSTILE = {
    "script": "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "attribute": "\" onclick='alert(1)' x=\"",
    "end of style": "</style></title></main><h1>won</h1>",
    "entity": "&lt;b&gt; &#60;i&#62; &amp;",
    "template": "{{ 7*7 }} {% raw %} {player} {0} %s",
    "markdown": "# won\n* a\n> q\n``` c\n[a](http://x) ![i](http://x) **b** _i_ | cell | <http://x> ~~s~~",
    "numbered": "1. one",
    "indented": "        code",
    "rule": "-----",
    "setext": "=====",
    "reference": "[a]: http://x",
    "bbcode": "[b]won[/b] [url=http://x]x[/url] [img]http://x/i.png[/img] [/quote][/list][code]",
    "links": "http://example.org www.example.org a@example.org @everyone",
    "controls": "a\x00b\x1b[31mred\x07\r\nNext: won\u2028x\u2029y",
    "bidi": "\u202emoc.elpmaxe\u202c \u2066x\u2069 \u200fz",
    "invisible": "a\u200bb\ufeffc\u00add\U000e0041e",
    "marks": "Z" + "\u0301" * 60,
    "long": "W" * 4000,
    "wide": "漢" * 300,
    "smileys": ":) ;-) :D 8) :x",
    "empty": "",
}
HARMLESS = "harmless"
FORMS = tuple(render.FORMATS)
TONGUE = language("en", (GAME,))


def poisoned(value: Any, text: str) -> Any:
    """The same view with everything that is no message of the program's own replaced by some text."""
    if isinstance(value, Message):
        return replace(value, args={k: poisoned(v, text) for k, v in value.args.items()})
    if isinstance(value, str):
        return text
    if isinstance(value, tuple | list):
        return type(value)(poisoned(part, text) for part in value)
    if isinstance(value, Struct):
        kept = {"kind", "topic", "columns", "rows", "spoken"}
        changed = {name: poisoned(getattr(value, name), text) for name in value.__struct_fields__ if name not in kept}
        return replace(value, **changed)
    return value


@cache
def views() -> tuple[ReportView, RefusalView]:
    """The opening as its author reads it, and a refusal."""
    return recorded.view(1, 2, reader="yamada"), refused()


@cache
def both(form: str, text: str) -> list[str]:
    """Report, digest and refusal of a game in which every word of a player is this text."""
    report, no = (poisoned(view, text) for view in views())
    return [render.report(report, form, TONGUE), render.brief(digest(report), form, TONGUE), render.refusal(no, form, TONGUE)]


class Skeleton(HTMLParser):
    """Tags and attributes of a page, without its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[Any] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, attrs))

    def handle_endtag(self, tag: str) -> None:
        self.found.append(tag)


def skeleton(form: str, text: str) -> list[Any]:
    """What a reader's program takes for markup."""
    match form:
        case "html":
            return Skeleton(text).found
        case "md":
            tokens = MarkdownIt("commonmark").enable("table").enable("strikethrough").parse(text)
            inline = [[c.type for c in t.children or [] if c.type not in ("text", "text_special")] for t in tokens]
            return [(t.type, t.tag, i) for t, i in zip(tokens, inline, strict=True)]
        case "bbcode":
            return re.findall(r"\[/?[a-z*]+(?:=[^\]]*)?\]", text, re.IGNORECASE)
    return []


@pytest.mark.parametrize("form", ["html", "md", "bbcode"])
@pytest.mark.parametrize("name", [n for n in HOSTILE if n != "empty"])
def test_no_text_of_a_player_becomes_markup(form: str, name: str) -> None:
    for hostile, harmless in zip(both(form, HOSTILE[name]), both(form, HARMLESS), strict=True):
        assert skeleton(form, hostile) == skeleton(form, harmless)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", list(HOSTILE))
def test_no_control_bidirectional_or_invisible_characters(form: str, name: str) -> None:
    for text in both(form, HOSTILE[name]):
        odd = {c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cn", "Co", "Cs")} - {"\n", "\u2060"}
        assert odd == set()
        assert not re.search(r"[\u0300-\u036f]{4}", text)


@pytest.mark.parametrize("name", [n for n in HOSTILE if n != "empty"])
def test_no_program_links_to_a_players_address(name: str) -> None:
    for form in ("md", "bbcode"):
        for text in both(form, HOSTILE[name]):
            assert not re.search(r"https?://|\bwww\.\w|\w@\w|(?<!\w)@\w", text)


@pytest.mark.parametrize("name", list(HOSTILE))
@pytest.mark.parametrize("code", LANGUAGES)
def test_plain_text_keeps_to_its_columns(name: str, code: str) -> None:
    view = poisoned(views()[0], HOSTILE[name])
    lines = render.report(view, "txt", language(code, (GAME,))).splitlines()
    lines += render.brief(digest(view), "txt", language(code, (GAME,))).splitlines()
    assert max(width(line) for line in lines) <= WIDTH


def test_a_note_cannot_start_a_line_of_its_own() -> None:
    for form in FORMS:
        assert not re.search(r"(?m)^Next: won", "".join(both(form, HOSTILE["controls"])))


def test_harmless_text_is_shown_as_it_is() -> None:
    for text in ("Удачи, hodně štěstí!", "naïve café 漢字", "a & b", "3 < 4"):
        assert clean(text) == text


def test_the_page_is_one_file_without_script_that_may_load_nothing() -> None:
    page = both("html", HOSTILE["script"])[0]
    assert "default-src 'none'" in page and "<script" not in page.lower()
    for tag, attributes in (t for t in skeleton("html", page) if isinstance(t, tuple)):
        for key, value in attributes:
            assert not key.startswith("on") and (key not in ("href", "src") or str(value).startswith("#roll-")), (tag, key)
