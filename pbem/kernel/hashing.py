"""The canonical bytes of a state without its plain image: `canonical(to_plain(value))`, byte for byte.

Most records of a state are the same as when it was hashed last. The text of a record whose fields are all numbers, texts and
truths is kept by its values, the kinds of the values too (`marshal` tells 1 from True).
"""

from __future__ import annotations

import json
import marshal
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from pbem.kernel.canon import MAX_INT, NotPlain, canonical
from pbem.kernel.records import Mark, fields_read, has_atoms_alone, to_plain

Write = Callable[[Any], str]
MOST_KEPT = 20_000  # texts of records of one kind
MOST_ORDERS = 500  # sets of keys
_kind: Callable[[Any], Any] = type


def canonical_record(value: Any) -> bytes:
    """RFC 8785 bytes of a record's plain data. Raises NotPlain, saying where."""
    try:
        return _write(value).encode()
    except NotPlain:
        return canonical(to_plain(value))


def _write(value: Any) -> str:
    return _writer(_kind(value))(value)


@lru_cache(maxsize=50_000)
def _quoted(text: str) -> str:
    return json.dumps(text) if text.isascii() else canonical(text).decode()


def _number(value: int) -> str:
    return str(value) if -MAX_INT <= value <= MAX_INT else canonical(value).decode()


def _list(value: Any) -> str:
    return "[" + ",".join([_writer(_kind(v))(v) for v in value]) + "]"


def _mapping(value: dict[Any, Any]) -> str:
    order = None if bool in map(_kind, value) else _in_order(tuple(value))  # True would be taken for 1
    if order is None:
        return canonical(to_plain(value)).decode()
    return "{" + ",".join([start + _writer(_kind(v := value[key]))(v) for key, start in order]) + "}"


@lru_cache(maxsize=MOST_ORDERS)
def _in_order(keys: tuple[Any, ...]) -> tuple[tuple[Any, str], ...] | None:
    """The keys of a mapping as the canonical form has them, each with its text; None where they are not simple."""
    texts = {str(key): key for key in keys}
    return tuple((texts[text], f"{_quoted(text)}:") for text in sorted(texts)) if all(map(str.isascii, texts)) else None


@cache
def _writer(kind: Any) -> Write:
    if kind is str:
        return _quoted
    if kind is int:
        return _number
    if kind is bool:
        return lambda value: "true" if value else "false"
    if kind is type(None):
        return lambda value: "null"
    if kind is dict:
        return _mapping
    if kind is list or kind is tuple:
        return _list
    if issubclass(kind, set | frozenset):
        return lambda value: _list(sorted(value))
    if kind is Mark:
        return Mark.text
    return _of_atoms(kind) if has_atoms_alone(kind) else _of_parts(kind)


def _of_parts(kind: Any) -> Write:
    """Of a record, field by field in the order of their names."""
    names, read = fields_read(kind)
    order = [(i, f"{_quoted(names[i])}:") for i in sorted(range(len(names)), key=names.__getitem__)]

    def write(record: Any) -> str:
        values = read(record)
        return "{" + ",".join([start + _writer(_kind(values[i]))(values[i]) for i, start in order]) + "}"

    return write


def _of_atoms(kind: Any) -> Write:
    read, kept = fields_read(kind)[1], dict[bytes, str]()

    def known(record: Any) -> str:
        try:
            key = marshal.dumps(read(record), 0)
        except ValueError:
            raise NotPlain from None  # what is wrong is said of the plain image
        text = kept.get(key)
        if text is None:
            if len(kept) >= MOST_KEPT:
                kept.clear()
            text = kept[key] = canonical(to_plain(record)).decode()
        return text

    return known
