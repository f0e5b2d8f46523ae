"""How a translation is set: apostrophes, minus signs, the spaces and dashes of a language. Translators type as they like."""

from __future__ import annotations

import re

NO_BREAK = "\N{NO-BREAK SPACE}"
_CODE = re.compile(r"(`[^`]*`)")  # what is typed as it stands
_EVERYWHERE = (
    (re.compile(r"(?<=\w)'(?=[\w{])"), "’"),
    (re.compile(r"(?<![\w}/+-])-(?=\d)"), "−"),
)
_OWN = {
    "fr": (
        (re.compile(r" (?=[:;!?»])"), NO_BREAK),
        (re.compile(r"« "), f"«{NO_BREAK}"),
        (re.compile(r"(?<=[\d}]) (?=%)"), NO_BREAK),
    ),
    "ru": ((re.compile(r" [–—] "), f"{NO_BREAK}— "),),
}


def typeset(code: str, text: str) -> str:
    """A translation as it is shown, except what stands between backticks."""
    parts = _CODE.split(text)
    for mark, by in (*_EVERYWHERE, *_OWN.get(code, ())):
        parts[::2] = [mark.sub(by, part) for part in parts[::2]]
    return "".join(parts)
