"""What other people wrote, made harmless: one function for each format, used on every value that a template shows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable

BREAK = "\u2060"  # word joiner: nothing to see, and no markup where it stands
NO_BREAK = "\N{NO-BREAK SPACE}"  # in French before a colon; to whoever looks for a blank it is one
_MARKS = 3  # combining marks that one letter may carry


def clean(text: str) -> str:
    """No control, bidirectional, invisible or unassigned letters, line breaks, towers of marks; spaces plain or unbroken."""
    return text if text.isascii() and text.isprintable() else "".join(_letters(text))


def _letters(text: str) -> list[str]:
    kept: list[str] = []
    marks = 0
    for letter in text:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks <= _MARKS:
            kept.append(_letter(letter))
    return kept


def _letter(letter: str) -> str:
    if letter.isprintable() or letter == NO_BREAK:
        return letter
    return " " if unicodedata.category(letter) == "Zs" or letter in "\t\n\r" else "\ufffd"


def plain(text: str) -> str:
    """For plain text and for reading aloud."""
    return clean(text)


def html(text: str) -> str:
    """For HTML, in text and in quoted attributes."""
    from markupsafe import escape

    return str(escape(clean(text)))


_MARKDOWN = re.compile(r"[\\`*_{}\[\]<>#|~$^]|^[-+=:](?=\W|$)|&(?=#?\w+;)|:(?=//)|(?<=\bwww)\.", re.IGNORECASE)
_NUMBERED = re.compile(r"^(\d+)(?=[.)](?:\s|$))")


def markdown(text: str) -> str:
    """For Markdown: no emphasis, links, images, lists, tables, mentions, raw HTML or entities."""
    escaped = _MARKDOWN.sub(lambda found: "\\" + found[0], clean(text).lstrip())
    return _NUMBERED.sub(r"\1\\", escaped).replace("@", "@" + BREAK)


_SMILEY = re.compile(r"(?<!\S)([:;8])(?=[-()DPpoOx|?!])")


def bbcode(text: str) -> str:
    """For forums: no tags, links, mentions or smileys. BBCode has no escape: an invisible joiner breaks what would be one."""
    broken = clean(text).replace("[", "[" + BREAK).replace("://", ":" + BREAK + "//").replace("@", "@" + BREAK)
    broken = re.sub(r"(?i)\bwww\.", lambda found: found[0][:-1] + BREAK + ".", broken)
    return _SMILEY.sub(lambda found: found[0] + BREAK, broken)


ESCAPES: dict[str, Callable[[str], str]] = {"md": markdown, "bbcode": bbcode, "html": html, "txt": plain, "spoken": plain}
