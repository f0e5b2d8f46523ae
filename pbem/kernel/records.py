"""Typed slotted records to plain data and back: the only way a state is stored, hashed or compared."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Callable, Mapping
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from msgspec import Struct

from pbem.kernel.canon import Plain, canonical
from pbem.kernel.wording import Message, recalled

R = TypeVar("R")
Convert = Callable[[Any], Any]
_kind: Convert = type
_ATOMS = frozenset((type(None), bool, int, str))


class Taken(typing.Protocol):
    """What a mark needs of an image (`pbem.kernel.images`)."""

    def plain(self) -> Plain: ...

    def record(self) -> Any: ...


class Mark:
    """A record as it stood, to go back to; its plain data and their text are made once, when somebody wants them."""

    __slots__ = ("_plain", "_taken", "_text")

    def __init__(self, taken: Taken | None, plain: Plain = None) -> None:
        self._taken, self._plain, self._text = taken, plain, ""

    def plain(self) -> Plain:
        """`to_plain` of the record as it stood; nobody changes it."""
        if self._plain is None and self._taken is not None:
            self._plain = self._taken.plain()
        return self._plain

    def text(self) -> str:
        """The canonical form of its plain data."""
        self._text = self._text or canonical(self.plain()).decode()
        return self._text

    def record(self, kind: type[R]) -> R:
        """A record equal to it as it stood."""
        again: R = from_plain(kind, self._plain) if self._taken is None else self._taken.record()
        return again

    def __eq__(self, other: object) -> bool:
        return self.plain() == (other.plain() if isinstance(other, Mark) else other)

    __hash__ = None  # type: ignore[assignment]


def is_record(kind: Any) -> bool:
    """A type with named fields: a struct, or a dataclass where fields say more of themselves than a struct can."""
    return isinstance(kind, type) and (issubclass(kind, Struct) or dataclasses.is_dataclass(kind))


@cache
def metadata_of(kind: Any) -> Mapping[str, Mapping[str, Any]]:
    """The fields of a record in their order, each with what it says of itself."""
    if issubclass(kind, Struct):
        return {name: {} for name in kind.__struct_fields__}
    return {f.name: f.metadata for f in dataclasses.fields(kind)}


def to_plain(value: Any) -> Plain:
    """Records become mappings, tuples and frozensets lists (sets sorted), integer keys text; the rest stays."""
    kind: Any = type(value)
    if kind in _ATOMS:
        return value  # type: ignore[no-any-return]
    plain: Plain = _writer(kind)(value)
    return plain


@cache
def _writer(kind: Any) -> Convert:
    if kind is dict:
        return lambda value: {str(k): v if type(v) in _ATOMS else _writer(_kind(v))(v) for k, v in value.items()}
    if kind is list or kind is tuple:
        return lambda value: [v if type(v) in _ATOMS else _writer(_kind(v))(v) for v in value]
    if issubclass(kind, set | frozenset):
        return sorted
    return Mark.plain if kind is Mark else _record_writer(kind)


def _record_writer(kind: Any) -> Convert:
    """Of a record whose fields are all plain numbers, texts and truths no value is looked at.

    A field with `metadata={"plain": True}` maps names to plain data that nobody changes any more: it is not copied.
    """
    names, read = fields_read(kind)
    shared = {name for name, told in metadata_of(kind).items() if told.get("plain")}
    if has_atoms_alone(kind):
        return lambda record: dict(zip(names, read(record)))  # noqa: B905 (as many values as names)
    if shared:
        return lambda r: {
            n: v if type(v) in _ATOMS else dict(v) if n in shared else _writer(_kind(v))(v)
            for n, v in zip(names, read(r), strict=True)
        }
    return lambda r: {n: v if type(v) in _ATOMS else _writer(_kind(v))(v) for n, v in zip(names, read(r), strict=True)}


def fields_read(kind: Any) -> tuple[tuple[str, ...], Convert]:
    """The names of a record's stored fields, and what reads their values, a tuple."""
    names = _field_names(kind)
    if len(names) > 1:
        return names, attrgetter(*names)
    return names, lambda record: tuple(getattr(record, name) for name in names)


@cache
def hints_of(kind: Any) -> dict[str, Any]:
    """The types of a record's fields, read once: readers, writers and images of it ask for them."""
    return get_type_hints(kind)


def has_atoms_alone(kind: Any) -> bool:
    """Every stored field of a kind of record is a plain number, text or truth."""
    hints = hints_of(kind)
    return all(is_atom(hints[name]) for name in _field_names(kind))


def is_atom(hint: Any) -> bool:
    """A type of plain numbers, texts and truths alone."""
    return hint in _ATOMS or (get_origin(hint) in (Union, types.UnionType) and _ATOMS.issuperset(get_args(hint)))


def from_plain(kind: type[R], plain: Plain) -> R:
    """The record of type `kind` that `to_plain` turned into `plain`. Raises KeyError or TypeError on other data."""
    reader: Any = _reader
    built: R = reader(kind)(plain)
    return built


def differences(before: Plain, after: Plain, at: str = "") -> list[str]:
    """Two plain values compared, in words: one line for each place that differs."""
    if isinstance(before, dict) and isinstance(after, dict):
        keys = sorted(before.keys() | after.keys())
        return [line for key in keys for line in _child(before, after, key, at)]
    if isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        pairs = enumerate(zip(before, after, strict=True))
        return [line for i, (a, b) in pairs for line in differences(a, b, f"{at}[{i}]")]
    return [] if before == after else [f"{at or 'state'}: {_short(before)} became {_short(after)}"]


def _child(before: dict[str, Plain], after: dict[str, Plain], key: str, at: str) -> list[str]:
    path = f"{at}.{key}" if at else key
    if key not in after:
        return [f"{path}: {_short(before[key])} is gone"]
    if key not in before:
        return [f"{path}: {_short(after[key])} is new"]
    return differences(before[key], after[key], path)


def _short(value: Plain) -> str:
    text = str(value)
    return text if len(text) <= 80 else text[:77] + "..."


@cache
def _field_names(kind: Any) -> tuple[str, ...]:
    return tuple(name for name, told in metadata_of(kind).items() if not told.get("cache"))


@cache
def _reader(kind: Any) -> Convert:
    if kind is Message:
        return recalled
    if kind is Mark:
        return lambda plain: Mark(None, plain)
    if is_record(kind):
        return _record_reader(kind)
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        return _optional_reader(args)
    if origin is list:
        item = _reader(args[0])
        return lambda plain: [item(v) for v in plain]
    if origin is tuple:
        return _tuple_reader(args)
    if origin is dict:
        key: Convert = int if args[0] is int else str
        value = _reader(args[1])
        return lambda plain: {key(k): value(v) for k, v in plain.items()}
    if origin in (set, frozenset):
        return lambda plain: origin(plain)
    return _own


def _own(plain: Any) -> Any:
    """A copy of plain data of no certain type: what is changed in a record changes nothing in what it was read from."""
    if type(plain) is dict:
        return {k: v if type(v) in _ATOMS else _own(v) for k, v in plain.items()}
    return [v if type(v) in _ATOMS else _own(v) for v in plain] if type(plain) is list else plain


def _optional_reader(args: tuple[Any, ...]) -> Convert:
    if Message in args:
        return recalled
    records = [a for a in args if is_record(a) or get_origin(a) is not None]
    if len(records) != 1 or type(None) not in args:
        return _own
    inner = _reader(records[0])
    return lambda plain: None if plain is None else inner(plain)


def _tuple_reader(args: tuple[Any, ...]) -> Convert:
    if len(args) == 2 and args[1] is Ellipsis:
        item = _reader(args[0])
        return lambda plain: tuple(item(v) for v in plain)
    readers = [_reader(a) for a in args]
    return lambda plain: tuple(read(v) for read, v in zip(readers, plain, strict=True))


def _record_reader(kind: type) -> Convert:
    hints = hints_of(kind)
    shared = {name for name, told in metadata_of(kind).items() if told.get("plain")}
    readers = [(name, dict if name in shared else _reader(hints[name])) for name in _field_names(kind)]

    def read(plain: Any) -> Any:
        return kind(**{name: convert(plain[name]) for name, convert in readers})

    return read
