"""Canonical form and hashes: RFC 8785 JSON of plain data, and SHA-256 under a tag."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from typing import Any, TypeAlias

Plain: TypeAlias = bool | int | str | list["Plain"] | dict[str, "Plain"] | None

MAX_INT = 2**53 - 1


class NotPlain(ValueError):
    """A value outside the data model: a float, a large integer, a key that is no string, text that is not NFC."""


def canonical(value: Plain) -> bytes:
    """RFC 8785 bytes of a plain value. Raises NotPlain, saying where."""
    if _is_simple(value) or _is_in_python_order(value):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True).encode()
    return _slow(value).encode()


def in_key_order(value: Plain) -> Plain:
    """The same value with its keys as the canonical form has them: no rule may follow the order in which they were typed."""
    if isinstance(value, dict):
        keys = sorted(value, key=lambda k: str(k).encode("utf-16-be")) if len(value) > 1 else value
        return {key: in_key_order(part) if isinstance(part := value[key], dict | list) else part for key in keys}
    if isinstance(value, list):
        return [in_key_order(part) if isinstance(part, dict | list) else part for part in value]
    return value


def sha256_hex(data: bytes) -> str:
    """SHA-256 in lower-case hex."""
    return hashlib.sha256(data).hexdigest()


def digest(tag: str, value: Plain) -> str:
    """SHA-256 of a tag line and the canonical bytes, in lower-case hex."""
    return tagged(tag, canonical(value))


def tagged(tag: str, data: bytes) -> str:
    """The same of canonical bytes that are at hand."""
    return sha256_hex(tag.encode() + b"\n" + data)


def check_plain(value: Plain, path: str = "") -> None:
    """Raise NotPlain unless a value is plain data as the protocol defines it."""
    if value is None or value is True or value is False:
        return
    if isinstance(value, str):
        _check_text(value, path)
    elif isinstance(value, int):
        if not -MAX_INT <= value <= MAX_INT:
            raise NotPlain(f"{path or 'document'}: the integer {value} is too large")
    elif isinstance(value, list):
        for i, item in enumerate(value):
            check_plain(item, f"{path}[{i}]")
    elif isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                raise NotPlain(f"{path or 'document'}: the key {key!r} is not text")
            _check_text(key, path)
            check_plain(item, f"{path}.{key}" if path else key)
    else:
        raise NotPlain(f"{path or 'document'}: {type(value).__name__} is not plain data")


def _check_text(text: str, path: str) -> None:
    if text.isascii():
        return
    if not unicodedata.is_normalized("NFC", text):
        raise NotPlain(f"{path or 'document'}: text is not in Unicode normal form C")
    if any("\ud800" <= c <= "\udfff" for c in text):
        raise NotPlain(f"{path or 'document'}: text holds half a character")


def _is_simple(value: Any) -> bool:
    """Plain data whose texts are all ASCII, as nearly all is: one short look instead of two long ones."""
    parts = [value]
    for part in parts:  # it grows meanwhile
        kind = type(part)
        if kind is str:
            if not part.isascii():
                return False
        elif kind is dict:
            if {*map(type, part)} - {str}:
                return False
            parts += [*part, *part.values()]
        elif kind is list:
            parts += part
        elif kind is int:
            if not -MAX_INT <= part <= MAX_INT:
                return False
        elif part is not None and kind is not bool:
            return False
    return True


def _is_in_python_order(value: Plain) -> bool:
    """Whether Python sorts the keys of plain data as UTF-16 units are sorted. Raises NotPlain."""
    check_plain(value)
    return _keys_are_bmp(value)


def _keys_are_bmp(value: Plain) -> bool:
    """Below U+10000 Python's order of keys is the order of UTF-16 units."""
    if isinstance(value, dict):
        return all((k.isascii() or max(k) < "\ud800") and _keys_are_bmp(v) for k, v in value.items())
    return all(map(_keys_are_bmp, value)) if isinstance(value, list) else True


def _slow(value: Plain) -> str:
    if isinstance(value, dict):
        keys = sorted(value, key=lambda k: k.encode("utf-16-be"))
        return "{" + ",".join(f"{json.dumps(k, ensure_ascii=False)}:{_slow(value[k])}" for k in keys) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_slow, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
