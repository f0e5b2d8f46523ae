"""Blocks for mail and forums: a readable copy, and an armored one that survives re-wrapping and lost indentation."""

from __future__ import annotations

import base64
import html
import json
import quopri
import re
from collections.abc import Iterator
from typing import Any

from pbem.kernel.canon import canonical
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable

WORDS = {"charter": "CHARTER", "slip": "SLIP"}
MAX_TEXT = 32 << 20
_ARMOR = "-----PBEM ARMOR-----"
_BLOCK = re.compile(r"-----BEGIN PBEM (TURN|CHARTER|SLIP)-----(.*?)-----END PBEM \1-----", re.DOTALL)
_QUOTES = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.MULTILINE)


def crc24(data: bytes) -> int:
    """The check sum of OpenPGP armor."""
    crc = 0xB704CE
    for byte in data:
        crc ^= byte << 16
        for _ in range(8):
            crc = (crc << 1) ^ (0x1864CFB if crc & 0x800000 else 0)
    return crc & 0xFFFFFF


def write_block(document: dict[str, Any]) -> str:
    """Both copies between markers."""
    word = WORDS.get(str(document.get("type")), "TURN")
    data = canonical(document)
    text = base64.b64encode(data).decode()
    lines = [text[i : i + 64] for i in range(0, len(text), 64)]
    check = base64.b64encode(crc24(data).to_bytes(3, "big")).decode()
    body = [strict_yaml.write_document(document).rstrip("\n"), _ARMOR, *lines, f"={check}"]
    return "\n".join([f"-----BEGIN PBEM {word}-----", *body, f"-----END PBEM {word}-----", ""])


def documents(text: str) -> Iterator[dict[str, Any]]:
    """Every document in a text: all blocks, or one bare document. Raises ProtocolError for a block that is damaged."""
    if len(text) > MAX_TEXT:
        raise ProtocolError(Outcome.TOO_LARGE, f"more than {MAX_TEXT} characters")
    cleaned = _clean(text)
    blocks = list(_BLOCK.finditer(cleaned))
    if not blocks and "BEGIN PBEM" in cleaned:
        raise unreadable("a block begins but its end is missing: the text was cut")
    for block in blocks:
        yield _read_block(block[2])
    if not blocks:
        yield strict_yaml.read_document(text)[0]


def _clean(text: str) -> str:
    """Line ends, quoting, no-break spaces and entities, as mail programs and forums leave them."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\u00a0", " ")
    text = _QUOTES.sub("", text)
    if "&quot;" in text or "&gt;" in text or "&#" in text:
        text = html.unescape(text)
    dashes = str.maketrans({"\u2013": "-", "\u2014": "-", "\u2212": "-"})
    lines = [line.translate(dashes) if "PBEM" in line else line for line in text.split("\n")]
    return "\n".join(lines)


def _read_block(body: str) -> dict[str, Any]:
    readable, found, armored = body.partition(_ARMOR)
    exact = _dearmor(armored) if found else None
    try:
        copy: dict[str, Any] | None = strict_yaml.read_document(readable.strip("\n") + "\n")[0]
    except ProtocolError:
        if exact is None:
            raise
        return exact
    if copy is not None and exact is not None and copy != exact:
        if _is_damaged_only(copy, exact):
            return exact
        raise unreadable(f"the readable copy says something else than the armored one: {_difference(copy, exact)}")
    return copy or {}


def _is_damaged_only(copy: Any, exact: dict[str, Any]) -> bool:
    """Lost indentation makes another tree; other words in the same tree are a change of content."""
    return not isinstance(copy, dict) or set(copy) != set(exact)


def _difference(copy: dict[str, Any], exact: dict[str, Any]) -> str:
    key = next(k for k in exact if copy.get(k) != exact[k])
    return f"{key}: {json.dumps(copy.get(key), ensure_ascii=False)[:80]} and {json.dumps(exact[key], ensure_ascii=False)[:80]}"


def _dearmor(text: str) -> dict[str, Any] | None:
    """The armored copy, or None when it is damaged."""
    if "=3D" in text:
        text = quopri.decodestring(text.encode()).decode("ascii", "replace")
    packed = re.sub(r"\s+", "", text)
    match = re.fullmatch(r"([A-Za-z0-9+/]+={0,2})=([A-Za-z0-9+/]{4})", packed)
    if match is None:
        return None
    try:
        data = base64.b64decode(match[1], validate=True)
    except ValueError:
        return None
    if base64.b64encode(crc24(data).to_bytes(3, "big")).decode() != match[2]:
        return None
    return strict_yaml.read_document(data)[0]
