"""A game whose opponent writes hostile text wherever the protocol lets him: every output of every command stays harmless."""

from __future__ import annotations

import json
import re
import shutil
import unicodedata
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from email import message_from_bytes, policy
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from pbem.protocol import keys, turnfile
from pbem.protocol.strict_yaml import read_document, write_document
from pbem.report.render import MARKUP
from pbem.transport.mail import write_eml
from tests.commands import inside, must, prepare, run

HOSTILE = {
    "script": "<script>alert(1)</script><svg onload=alert(2)>]]></svg>",
    "attribute": "\" onmouseover='x' style='",
    "markdown": "# h\n* a [b](http://x) ![i](http://x/i.png) `c` | d |",
    "bbcode": "[url=http://x]b[/url][img]http://x[/img]",
    "template": "{{ 7*7 }}{% raw %}{0}%s${HOME}`id`",
    "header": "a\r\nBcc: eve@example.org\r\n\r\nx".replace("\r", "\u2028"),
    "bidi": "\u202emoc.elpmaxe\u202c\u2066\u2069\u200f\u200b",
    "marks": unicodedata.normalize("NFC", "Z" + "\u0301" * 60),
    "long": "W" * 480,
    "marker": "-----END PBEM TURN-----\n-----BEGIN PBEM TURN-----\npbem: 1",
    "formula": "=cmd|' /C calc'!A0",
    "other planes": "\U0001f600\U000e0041\u6f22",
    "numbers": "3 infantry from Kwangsi to Hunan\n- done\nstanding: {}",
}
REPORTS = ("md", "bbcode", "html", "txt", "spoken")


@pytest.fixture(scope="module")
def moments(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    return prepare(tmp_path_factory.mktemp("moments"))


@pytest.fixture
def poisoned(moments: dict[str, Path], tmp_path: Path) -> Iterator[Callable[[str], str]]:
    """A game in which yamada has sent a legal file with a hostile note, and an illegal one that is hostile all over."""
    with inside(tmp_path):
        shutil.copytree(moments["running"], tmp_path, dirs_exist_ok=True)

        def go(name: str) -> str:
            text = HOSTILE[name]
            orders: dict[str, Any] = {"orders": ["done"], "note": [text, text[:60] * 8]}
            Path("notes.yaml").write_text(write_document(orders))
            must("send", "notes.yaml", "-g", "axis", "--yes")
            legal = read_document(Path("axis/outbox/0001-yamada.yaml").read_bytes())[0]
            private = keys.load_private(Path("home/keys/yamada").read_text(), "")
            said = [text, {text: text}, {"buy": text}, {"move": f"1 {text} from {text} to {text}"}, {"buy": {text: 1}}]
            bad = turnfile.sign({**legal, "orders": said, "standing": {text[:60]: [text, {"when": text, "do": text}]}}, private)
            Path("bad.yaml").write_text(write_document(bad))
            Path("own.yaml").write_text(write_document({"orders": said, "standing": {text: text}, "note": [text]}))
            Path("odd.yaml").write_text(write_document({text: text}))
            return text

        yield go


def is_harmless(text: str) -> bool:
    """Letters, marks, signs and line ends only; the joiner that breaks BBCode and mentions is known."""
    odd = {c for c in text if not c.isprintable()} - {"\n", "\u2060"}
    return not odd and "fault of the program" not in text


class Page(HTMLParser):
    """The tags and attributes of a page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes |= {name for name, _ in attrs}


def judge_report(form: str, text: str) -> None:
    assert is_harmless(text), form
    if form == "html":
        page = Page(text)
        assert not page.tags & {"script", "img", "iframe", "object"}
        assert not {a for a in page.attributes if a.startswith("on")}
    if form == "md":
        assert not re.search(r"(?m)(?<!\\)<(script|svg onload)|(?<!\\)\]\(http|^# h", text)
    if form == "bbcode":
        assert "[url=http" not in text and "[img]http" not in text
    if form == "txt" and "{0}" in text:
        assert "{{ 7*7 }}{% raw %}{0}%s${HOME}`id`" in "".join(text.split("\n"))


@pytest.mark.in_turn(2)
@pytest.mark.parametrize("name", HOSTILE)
def test_no_output_carries_it_further(name: str, poisoned: Callable[[str], str]) -> None:
    text = poisoned(name)
    refused = run("receive", "bad.yaml", "-g", "allies")
    assert refused.code in (1, 5), refused
    outputs = [refused]
    outputs += [run("check", f, "-g", "axis") for f in ("own.yaml", "odd.yaml")]
    outputs += [run("check", f, "-g", "allies", "--json") for f in ("own.yaml", "odd.yaml")]
    outputs += [run("send", "own.yaml", "-g", "allies", "--yes"), run("report", "--refused", "bad.yaml", "-g", "allies")]
    must("receive", "axis/outbox/0001-yamada.eml", "-g", "allies")
    must("receive", "allies/outbox", "-g", "axis")
    for command in ("status", "log", "verify"):
        outputs += [run(command, "-g", "allies"), run(command, "-g", "allies", "--json")]
    outputs += [run("receive", "bad.yaml", "-g", "allies", "--json"), run("accept", "odd.yaml", "-g", "allies")]
    outputs.append(run("receive", "-", "-g", "allies", stdin=text))
    for done in outputs:
        assert is_harmless(done.out + done.err), (name, done)
        assert "Traceback" not in done.err
        if done.out.startswith("{"):
            json.loads(done.out)
    for form in REPORTS:
        judge_report(form, must("report", "--format", form, "-g", "allies"))
    for place, form in MARKUP.items():
        judge_report(form, must("post", "--place", place, "-g", "allies"))
    must("map", "--to", "m.svg", "-g", "allies")
    drawn = ET.fromstring(Path("m.svg").read_text())
    assert not [e for e in drawn.iter() if e.tag.endswith("script") or any(a.startswith("on") for a in e.attrib)]
    assert name == "formula" or text not in Path("m.svg").read_text()


@pytest.mark.parametrize("name", HOSTILE)
def test_the_mail_has_its_own_headers_only_and_reads_back(name: str, poisoned: Callable[[str], str]) -> None:
    text = poisoned(name)
    data = Path("axis/outbox/0001-yamada.eml").read_bytes()
    document = read_document(Path("axis/outbox/0001-yamada.yaml").read_bytes())[0]
    other = write_eml(document, text, text)
    for mail in (data, other):
        message = message_from_bytes(mail, policy=policy.default)
        assert set(message.keys()) == {"Subject", "MIME-Version", "Content-Type"} and not message.defects
        assert message["Subject"].isprintable()
    Path("mails").mkdir()
    Path("mails/m.eml").write_bytes(data)
    Path("mails/o.eml").write_bytes(other)
    outcome = json.loads(run("receive", "mails", "-g", "allies", "--json").out)
    assert any("file 1 of yamada" in line for line in outcome["lines"])


@pytest.mark.parametrize("name", HOSTILE)
def test_a_file_name_is_text_as_well(name: str, poisoned: Callable[[str], str]) -> None:
    poisoned(name)
    odd = (HOSTILE[name].replace("/", "_")[:60] + "\x1b[2J.yaml").replace("\x00", "")
    shutil.copy("bad.yaml", odd)
    for words in (["receive", odd, "-g", "allies"], ["check", odd, "-g", "axis"], ["report", "--refused", odd, "-g", "allies"]):
        done = run(*words)
        assert is_harmless(done.out + done.err) and "Traceback" not in done.err, done


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_charter(name: str, poisoned: Callable[[str], str]) -> None:
    text = poisoned(name)
    draft = read_document(Path("axis/charter.yaml").read_bytes())[0]
    for n, key in enumerate(draft, list(HOSTILE).index(name)):
        inside_it = {**(draft[key] if isinstance(draft[key], dict) else {}), text: text}
        value = (text, [text], {text: text}, inside_it)[n % 4]
        Path("charter.yaml").write_text(write_document({**draft, key: value}))
        done = run("join", "charter.yaml", "--as", "eve", "--seats", "japan", "-g", "eve")
        assert is_harmless(done.out + done.err) and "Traceback" not in done.err, (key, done)
