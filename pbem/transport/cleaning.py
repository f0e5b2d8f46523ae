"""What mail programs, forums and word processors do to a text, taken off again."""

from __future__ import annotations

import html
import quopri
import re
from collections.abc import Iterator
from html.parser import HTMLParser

QUOTES = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"))
_TYPOGRAPHY = str.maketrans({**dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"), "\u2026": "..."})
_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_NOT_WORDS = re.compile("[\\s\"'\\\\\u2018-\u201f\u00ab\u00bb\ufffd]")
_DASH_RUNS = re.compile("-+")
_BREAKING = ("br", "p", "div", "li", "tr", "pre", "blockquote", "h1", "h2", "h3", "code")


def clean(text: str) -> str:
    """Line ends, quoting, no-break spaces, unseen characters, and dashes in the lines of markers."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u2028", "\n").replace("\u0085", "\n")
    text = QUOTES.sub("", _SPACES.sub(" ", _UNSEEN.sub("", text)))
    return "\n".join(line.translate(_DASHES) if "PBEM" in line else line for line in text.split("\n"))


def readings(text: str) -> Iterator[str]:
    """A cleaned text, and what it was before entities, quoted-printable or HTML tags came over it; the likeliest first."""
    seen = {text}
    yield text
    for undo in (html.unescape, _straight, _unquote, without_tags, lambda t: html.unescape(without_tags(t))):
        other = clean(undo(text))
        if other not in seen:
            seen.add(other)
            yield other


def _straight(text: str) -> str:
    """A word processor's quotation marks made straight."""
    return re.sub("[\u2018-\u201b]", "'", re.sub("[\u201c-\u201f\u00ab\u00bb]", '"', text))


def _unquote(text: str) -> str:
    """Quoted-printable text that was pasted with its escapes."""
    if not re.search(r"=[0-9A-F]{2}|=$", text, re.MULTILINE):
        return text
    return quopri.decodestring(text.encode()).decode("utf-8", "replace")


def without_tags(text: str) -> str:
    """The words of an HTML page, its lines where the page breaks them."""
    if not re.search(r"<(br|/?p|/?div|/?span|/?pre|html)\b", text, re.IGNORECASE):
        return text
    reader = _Words()
    reader.feed(text)
    reader.close()
    return "".join(reader.found)


class _Words(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self.found.append(data)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _BREAKING:
            self.found.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _BREAKING:
            self.found.append("\n")


def bare_words(text: str) -> str:
    """What is left of a text when blanks, quotation marks and typography do not count."""
    return _DASH_RUNS.sub("-", _NOT_WORDS.sub("", _UNSEEN.sub("", text).translate(_TYPOGRAPHY)))
