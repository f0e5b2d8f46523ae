"""What mail programs, forums and word processors do to a text, taken off again."""

from __future__ import annotations

import html
import quopri
import re
from collections.abc import Iterator

QUOTES = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]")
_DASHES = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"))
_TYPOGRAPHY = str.maketrans({**dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"), "\u2026": "..."})
_SPACES = re.compile("[\u00a0\u2000-\u200a\u202f\u205f\u3000]")
_NOT_WORDS = re.compile("[\\s\"'\\\\\u2018-\u201f\u00ab\u00bb\ufffd]")
_CURLED = re.compile("^[^\n\"']*(?:[:,[{]|-)\\s+[\u201c-\u201f\u00ab\u00bb]", re.MULTILINE)
_DASH_RUNS = re.compile("-+")
_TAG = re.compile(r"""(?:/?([A-Za-z][A-Za-z0-9]*)(?![A-Za-z0-9])|[!?])(?:[^"'>]|"[^"]*"|'[^']*')*>""")
_NO_CHARACTER = re.compile(r"&#[0-9]{8,};?|&#[xX][0-9a-fA-F]{7,};?")
_BREAKING = ("br", "p", "div", "li", "tr", "pre", "blockquote", "h1", "h2", "h3", "code")


def clean(text: str) -> str:
    """Line ends, quoting, no-break spaces, unseen characters, and dashes in the lines of markers."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isascii():
        text = text.replace("\u2028", "\n").replace("\u0085", "\n")
        text = _SPACES.sub(" ", _UNSEEN.sub("", text))
        text = "\n".join(line.translate(_DASHES) if "PBEM" in line else line for line in text.split("\n"))
    return QUOTES.sub("", text) if ">" in text else text


def readings(text: str) -> Iterator[str]:
    """A cleaned text, and what it was before entities, quoted-printable or HTML tags came over it; the likeliest first."""
    seen = {text}
    yield text
    for undo in (_unescape, straight, _unquote, without_tags, lambda t: _unescape(without_tags(t))):
        other = clean(undo(text))
        if other not in seen:
            seen.add(other)
            yield other


def straight(text: str) -> str:
    """A word processor's quotation marks made straight."""
    return re.sub("[\u2018-\u201b]", "'", re.sub("[\u201c-\u201f\u00ab\u00bb]", '"', text))


def is_curled(text: str) -> bool:
    """A word processor's marks stand where only quotation marks of YAML can: no document that pbem writes has that."""
    return not text.isascii() and _CURLED.search(text) is not None


def _unquote(text: str) -> str:
    """Quoted-printable text that was pasted with its escapes."""
    if not re.search(r"=[0-9A-F]{2}|=$", text, re.MULTILINE):
        return text
    return quopri.decodestring(text.encode()).decode("utf-8", "replace")


def without_tags(text: str) -> str:
    """The words of an HTML page, its lines where the page breaks them.

    One look at each `<`: Python's own parser takes quadratic time for tags and comments that never end.
    """
    if not re.search(r"<(br|/?p|/?div|/?span|/?pre|html)\b", text, re.IGNORECASE):
        return text
    first, *parts = text.split("<")
    found, in_comment = [first], False
    for part in parts:
        in_comment = in_comment or part.startswith("!--")
        if in_comment:
            _, closed, rest = part.partition("-->")
            found.append(rest)
            in_comment = not closed
            continue
        tag = _TAG.match(part)
        if tag is None:
            found.append("<" + part)
            continue
        found.append("\n" if (tag[1] or "").lower() in _BREAKING else "")
        found.append(part[tag.end() :])
    return _unescape("".join(found))


def _unescape(text: str) -> str:
    """Entities as the characters they stand for, but for numbers that are none."""
    return html.unescape(_NO_CHARACTER.sub("\ufffd", text))


def bare_words(text: str) -> str:
    """What is left of a text when blanks, quotation marks and typography do not count."""
    return _DASH_RUNS.sub("-", _NOT_WORDS.sub("", _UNSEEN.sub("", text).translate(_TYPOGRAPHY)))
