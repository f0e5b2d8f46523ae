"""Blocks for mail and forums: a readable copy, and an armored one that survives re-wrapping and lost indentation."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import Any

from pbem.kernel.canon import canonical
from pbem.kernel.wording import counted, msg
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProgramFault, ProtocolError, unreadable
from pbem.transport import cleaning
from pbem.transport.cleaning import bare_words, clean, readings

WORDS = {"charter": "CHARTER", "slip": "SLIP", "note": "NOTE", "scenario": "SCENARIO"}
MAX_TEXT = 32 << 20
_ARMOR = "-----PBEM ARMOR-----"
_MARK = re.compile(r"(BEGIN|END)\s{1,4}PBEM(?:\s{1,4}(TURN|CHARTER|SLIP|NOTE|SCENARIO))?")
_BEHIND = re.compile(r"\s{0,4}-{0,12}")  # the rest of the line of a marker
_BEFORE = re.compile(r"-{0,12}\s{0,4}\Z")
_MOST_BEFORE = 16
_LEAST_BLOCK = 100  # characters
MAX_BLOCK = 16 << 20  # characters: a document and its armor, however a mail program blew them up
_ARMOR_LINE = re.compile(r"-{0,12}\s{0,4}PBEM\s{1,4}ARMOR\s{0,4}-{0,12}")


@cache
def _crc_table() -> list[int]:
    """What the upper byte does to the rest in eight steps."""
    table = list(range(256))
    for i in table:
        crc = i << 16
        for _ in range(8):
            crc = (crc << 1) ^ (0x1864CFB if crc & 0x800000 else 0)
        table[i] = crc & 0xFFFFFF
    return table


def crc24(data: bytes) -> int:
    """The check sum of OpenPGP armor."""
    crc, table = 0xB704CE, _crc_table()
    for byte in data:
        crc = ((crc << 8) & 0xFFFFFF) ^ table[(crc >> 16) ^ byte]
    return crc


def write_block(document: dict[str, Any]) -> str:
    """Both copies between markers."""
    return _between_markers(document, strict_yaml.write_document(document).rstrip("\n"))


def write_armored(document: dict[str, Any]) -> str:
    """The armored copy alone between markers: letters, digits, `+`, `/`, `=` and `-`, so that no mark-up can be in it."""
    return _between_markers(document)


def _between_markers(document: dict[str, Any], *readable: str) -> str:
    word = WORDS.get(str(document.get("type")), "TURN")
    data = canonical(document)
    text = base64.b64encode(data).decode()
    lines = [text[i : i + 64] for i in range(0, len(text), 64)]
    check = base64.b64encode(crc24(data).to_bytes(3, "big")).decode()
    body = [*readable, _ARMOR, *lines, f"={check}"]
    return "\n".join([f"-----BEGIN PBEM {word}-----", *body, f"-----END PBEM {word}-----", ""])


def documents(text: str) -> Iterator[dict[str, Any]]:
    """Every document in a text: all blocks, or one bare document. Raises ProtocolError for the first that is damaged."""
    for found in sift(text):
        if isinstance(found, ProtocolError):
            raise found
        yield found


def sift(text: str) -> Iterator[dict[str, Any] | ProtocolError]:
    """Every document in a text, and why a block or the whole text is none."""
    if len(text) > MAX_TEXT:
        yield ProtocolError(Outcome.TOO_LARGE, msg("more than {max_text} characters", max_text=MAX_TEXT))
        return
    begun, bodies = _blocks(clean(text))
    if not begun:
        yield _result(_bare, text)
        return
    for body in bodies:
        if len(body) >= _LEAST_BLOCK:
            yield _result(_read_block, body)
    if empty := sum(len(body) < _LEAST_BLOCK for body in bodies):
        yield unreadable(
            counted("{n} block holds nothing that could be a file", "{n} blocks hold nothing that could be a file", empty)
        )
    if begun > len(bodies):
        yield unreadable(msg("a block begins but its end is missing: the text was cut; ask for the file again"))


def _blocks(text: str) -> tuple[int, list[str]]:
    """How many blocks begin, and what stands in those that end too; one look at each marker.

    A block ends at the first END of its word, unless another block begins before.
    """
    begun, bodies, word, start = 0, [], "", 0
    for mark in _MARK.finditer(text):
        if mark[1] == "BEGIN":
            begun, word, start = begun + 1, mark[2] or "", mark.end()
        elif word and mark[2] == word:
            behind = _BEHIND.match(text, start)
            before = _BEFORE.search(text[max(mark.start() - _MOST_BEFORE, 0) : mark.start()])
            start, end = behind.end() if behind else start, mark.start() - (len(before[0]) if before else 0)
            bodies.append(text[start : max(start, end)])
            word = ""
    return begun, bodies


def _result(read: Callable[[str], dict[str, Any]], text: str) -> dict[str, Any] | ProtocolError:
    """What a reader makes of a text; whatever happens in it is said of this text alone."""
    try:
        return read(text)
    except ProtocolError as error:
        return error
    except Exception as fault:
        return ProgramFault(msg("this text cannot be read"), fault)


def _bare(text: str) -> dict[str, Any]:
    """A text that is a document as a whole."""
    if not re.search(r"^\ufeff?[\"']?pbem[\"']?\s*:", text, re.MULTILINE) and not text.lstrip().startswith("{"):
        if re.search(r"^\ufeff?(orders|plan|standing):(\s*$|\s+[\[{])", text, re.MULTILINE):
            raise unreadable(msg("these are orders that nobody has signed: `pbem send` makes a file of them"))
        raise unreadable(msg("no pbem file and no block that begins with -----BEGIN PBEM"))
    is_curled = cleaning.is_curled(text)
    try:
        return _first_read([cleaning.straight(clean(text))] if is_curled else [text, clean(text)])
    except ProtocolError:
        if is_curled:
            raise unreadable(
                msg("the quotation marks of this file were changed on its way: ask for it as an attachment")
            ) from None
        raise


def _first_read(texts: Iterable[str]) -> dict[str, Any]:
    """The document of the first of some readings that can be read. Raises ProtocolError: what is wrong with the first."""
    first: ProtocolError | None = None
    for text in texts:
        try:
            return strict_yaml.read_document(text)[0]
        except ProtocolError as error:
            first = first or error
    assert first is not None
    raise first


def _read_block(body: str) -> dict[str, Any]:
    """The document of a block: the armored copy where it is whole, else the readable one."""
    if len(body) > MAX_BLOCK:
        raise ProtocolError(Outcome.TOO_LARGE, msg("a block of more than {max_block} characters", max_block=MAX_BLOCK))
    readable: list[str] = []
    exact = None
    for reading in readings(body):
        before, found, behind = _split(reading)
        if found and exact is None:
            readable.append(before)
            exact = _dearmor(behind)
    if exact is None:
        return _readable_only(readable or [body], bool(readable))
    _compare(body, exact)
    return exact


def _split(body: str) -> tuple[str, bool, str]:
    marker = _ARMOR_LINE.search(body)
    return (body[: marker.start()], True, body[marker.end() :]) if marker else (body, False, "")


def _readable_only(texts: list[str], is_damaged: bool) -> dict[str, Any]:
    """The first of the readings of a readable copy that can be read: what was undone for nothing may have changed it."""
    try:
        return _first_read(readable.strip("\n") + "\n" for readable in texts)
    except ProtocolError as first:
        if is_damaged:
            raise unreadable(
                msg("both copies of the block are damaged; ask for the file again ({first})", first=first.told)
            ) from None
        raise


def _compare(body: str, exact: dict[str, Any]) -> None:
    """A readable copy that can be read must say the same, but for what mail programs do to a text.

    Raises ProtocolError with the difference. One that cannot be read any more says nothing.
    """
    difference = ""
    for reading in readings(body):
        try:
            copy = strict_yaml.read_document(_split(reading)[0].strip("\n") + "\n")[0]
        except ProtocolError:
            continue
        found = difference_of(copy, exact)
        if not found:
            return
        difference = difference or found
    if difference:
        raise unreadable(msg("the readable copy says something else than the armored one: {difference}", difference=difference))


def difference_of(copy: dict[str, Any], exact: dict[str, Any]) -> str:
    """Where a copy that came by mail says something else; empty where only blanks, quotes and typography differ."""
    return "" if _says_the_same(copy, exact) else _difference(copy, exact)


def _says_the_same(copy: Any, exact: Any) -> bool:
    """The same tree with the same words; a part that lost its indentation holds the same words, its lists in their order."""
    if isinstance(copy, list) and isinstance(exact, list) and len(copy) == len(exact):
        return all(map(_says_the_same, copy, exact))
    if isinstance(copy, dict) and isinstance(exact, dict):
        if copy.keys() == exact.keys():
            return all(_says_the_same(copy[k], exact[k]) for k in exact)
        if not all(_says_the_same(copy[k], v) for k, v in exact.items() if isinstance(v, list) and k in copy):
            return False
    return sorted(_words(copy)) == sorted(_words(exact))


def _words(value: Any) -> Iterator[str]:
    """Keys and values of a tree that lost its indentation: mappings that lie flat hold the same ones."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield bare_words(key)
            yield from _words(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _words(inner)
    elif value is not None:
        yield bare_words(str(value))


def _difference(copy: dict[str, Any], exact: dict[str, Any]) -> str:
    both = [*exact, *copy]
    key = next(k for k in both if (k in copy) != (k in exact) or not _says_the_same(copy[k], exact[k]))
    here, there = (json.dumps(d.get(key), ensure_ascii=False)[:80] for d in (copy, exact))
    return f"{key}: {here} and {there}"


def _dearmor(text: str) -> dict[str, Any] | None:
    """The armored copy, or None when it is damaged."""
    match = re.fullmatch(r"([A-Za-z0-9+/]+={0,2})=([A-Za-z0-9+/]{4})", re.sub(r"\s+", "", text))
    if match is None:
        return None
    if len(match[1]) > 2 * strict_yaml.MAX_BYTES:
        raise ProtocolError(Outcome.TOO_LARGE, msg("an armored copy of more than {most} bytes", most=strict_yaml.MAX_BYTES))
    try:
        data = base64.b64decode(match[1])
    except ValueError:
        return None
    if base64.b64encode(crc24(data).to_bytes(3, "big")).decode() != match[2]:
        return None
    return strict_yaml.read_document(data)[0]
