"""Names of players in the players' own letters: which are allowed, and which two nobody can tell apart (SPEC 3).

Ranges and table are part of the protocol: they decide who may sign, so no library's newer table may change them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import Any

from pbem.kernel.canon import Plain
from pbem.kernel.wording import linked, msg
from pbem.protocol import schema
from pbem.protocol.outcomes import unreadable

SCRIPTS = {  # letters of one script, none younger than Unicode 6; every text of them is in normal form C
    "Latin": "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u0131\u0134-\u013e\u0141-\u0148\u014a-\u017e",
    "Greek": "\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03ce",
    "Cyrillic": "\u0400-\u045f\u048a-\u04ff",
    "Japanese": "\u3005\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fcb",
    "Hangul": "\uac00-\ud7a3",
}
_PATTERNS = [f"[{letters}][{letters}'0-9-]{{0,31}}" for letters in SCRIPTS.values()]  # compiled when a name needs them
_MARKS = re.compile("[\u0300-\u036f]")
LOOKS = {  # what a letter looks like; a capital only where it looks like something else than its small letter
    **{"0": "o", "1": "l", "i": "l", "m": "rn", "w": "vv"},
    **{"æ": "ae", "ð": "d", "ø": "o", "ß": "b", "þ": "p", "đ": "d", "ħ": "h", "ı": "l", "ĸ": "k", "ł": "l", "ŋ": "n"},
    **{"œ": "oe", "ŧ": "t"},
    **{"α": "a", "β": "b", "γ": "y", "ε": "e", "ζ": "z", "η": "n", "ι": "l", "κ": "k", "λ": "л", "μ": "u", "ν": "v"},
    **{"ο": "o", "π": "n", "ρ": "p", "ς": "o", "σ": "o", "τ": "t", "υ": "u", "φ": "ф", "χ": "x", "ω": "vv"},
    **{"Γ": "r", "Η": "h", "Μ": "rn", "Ν": "n", "Υ": "y"},
    **{"а": "a", "б": "6", "в": "b", "г": "r", "е": "e", "з": "3", "к": "k", "м": "rn", "н": "h", "о": "o", "п": "n"},
    **{"р": "p", "с": "c", "т": "t", "у": "y", "х": "x", "ь": "b", "ѕ": "s", "і": "l", "ј": "j", "ђ": "h", "ћ": "h"},
    **{"ґ": "r", "ү": "y", "ұ": "y", "һ": "h", "ӏ": "l", "ӕ": "ae", "ө": "o"},
    **{"へ": "ヘ", "り": "リ", "一": "ー", "二": "ニ", "三": "ミ", "八": "ハ", "力": "カ", "千": "チ", "卜": "ト", "口": "ロ"},
    **{"夕": "タ", "工": "エ", "才": "オ"},
}


@schema.described({"type": "string", "pattern": f"^(?:{'|'.join(_PATTERNS)})$"})
def name(value: Plain) -> str:
    """A player's name from version 2 of the protocol on: one letter, then 31 letters, digits, hyphens, apostrophes at most."""
    good = isinstance(value, str) and any(re.fullmatch(pattern, value) for pattern in _PATTERNS)
    return "" if good else f"a name has up to 32 letters of one script ({', '.join(SCRIPTS)}), behind the first also 0-9 ' -"


def skeletons(one: str) -> set[str]:
    """What a name looks like without accents, as it is written and in small letters. Names that share one look alike."""
    bare = _MARKS.sub("", unicodedata.normalize("NFD", one))
    small = [letter.lower() for letter in bare]
    as_written = (LOOKS.get(letter, LOOKS.get(low, low)) for letter, low in zip(bare, small, strict=True))
    return {"".join(as_written), "".join(LOOKS.get(low, low) for low in small)}


def check_different(names: Iterable[str]) -> None:
    """Raises ProtocolError (unreadable) when two names of a charter look alike."""
    for one, other in combinations(names, 2):
        if skeletons(one) & skeletons(other):
            reason = msg("the names {one} and {other} look alike", one=one, other=other)
            raise unreadable(msg("{reason}: one of the two takes another, such as {other}-2", reason=reason, other=other[:30]))


def check_old(version: Plain, names: Iterable[str]) -> None:
    """Raises ProtocolError (unreadable) for a name in a document of version 1 of the protocol that only later ones allow."""
    odd = [one for one in names if version == 1 and schema.name(one)]
    if odd:
        raise unreadable(
            msg("{odd}: {name}; others are for games that begin with `pbem: 2`", odd=odd[0], name=schema.name(odd[0]))
        )


def of_its_version(document: Mapping[str, Any]) -> dict[str, Any]:
    """A file or slip itself, if its players' names are those of its version of the protocol. Raises ProtocolError."""
    held = [document.get("player"), document.get("signed_by"), (document.get("seat") or {}).get("player")]
    check_old(document["pbem"], [one for one in held if one])
    return dict(document)


def typed(text: str) -> str:
    """A name as somebody typed it, in normal form C. Raises ProtocolError (unreadable) for what is no name."""
    one = unicodedata.normalize("NFC", text.strip())
    if name(one):
        raise unreadable(linked(": ", repr(text), name(one)))
    return one
