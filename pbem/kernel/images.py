"""How a record stood, at little cost: its values without their names, from which plain data or an equal record is made.

What an image keeps is decided once for each type, by the types of its fields. Numbers, texts, frozen records and `Plain`
data are written once and shared; lists, mappings, sets and records that may change are copied, and so is data of type `Any`.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from functools import cache
from typing import Any, Generic, TypeVar, Union, get_args, get_origin

from msgspec import Struct

from pbem.kernel.canon import Plain
from pbem.kernel.records import Mark, fields_read, from_plain, hints_of, is_atom, is_record, metadata_of, to_plain

R = TypeVar("R")
Convert = Callable[[Any], Any]
_kind: Convert = type


class Camera(Struct, frozen=True):
    """For one type: what takes the image of a value, and what makes plain data or an equal value of an image."""

    take: Convert
    plain: Convert
    again: Convert

    @property
    def shares(self) -> bool:
        """The value is its own image."""
        return self.take is _itself


class Image(Struct, Generic[R], frozen=True):
    """A record as it stood when the image was taken."""

    camera: Camera
    values: Any

    def plain(self) -> Plain:
        """`to_plain` of the record as it stood."""
        plain: Plain = self.camera.plain(self.values)
        return plain

    def record(self) -> R:
        """A record equal to it as it stood, with fresh cache fields."""
        again: R = self.camera.again(self.values)
        return again


def image(record: R) -> Image[R]:
    """How a record stands now."""
    camera = _camera(_kind(record))
    return Image(camera, camera.take(record))


def mark(record: Any) -> Mark:
    """How a record stands now, to go back to."""
    return Mark(image(record))


def copied(record: R) -> R:
    """A copy to go on with: what can change in one of the two does not change in the other. Cache fields are fresh."""
    return image(record).record()


def _itself(value: Any) -> Any:
    return value


ATOM, WRITTEN_ONCE = Camera(_itself, _itself, _itself), Camera(_itself, to_plain, _itself)
MARK = Camera(_itself, Mark.plain, _itself)
NAMED = Camera(dict, dict, dict)  # a field that maps names to plain data: metadata "plain" (records.py)


@cache
def _camera(hint: Any) -> Camera:
    if is_atom(hint):
        return ATOM
    if hint is Mark:
        return MARK
    origin, args = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        if {get_origin(a) for a in args if not is_atom(a)} == {list, dict}:
            return WRITTEN_ONCE  # Plain
        return _of_optional(hint, [_camera(a) for a in args if a is not type(None)])
    if is_record(hint):
        return WRITTEN_ONCE if _is_frozen(hint) else _of_record(hint)
    if origin is list:
        return _of_list(_camera(args[0]))
    if origin is dict:
        return _of_mapping(_camera(args[1]), args[0] is str)
    if origin in (set, frozenset) and _camera(args[0]).shares:
        return Camera(frozenset, sorted, origin)
    if origin is tuple and all(_camera(a).shares for a in args if a is not Ellipsis):
        return WRITTEN_ONCE
    return _loose(hint)


def _is_frozen(kind: Any) -> bool:
    frozen: bool = kind.__struct_config__.frozen if issubclass(kind, Struct) else kind.__dataclass_params__.frozen
    return frozen


def _loose(hint: Any) -> Camera:
    """Of what the types leave open: plain data."""
    return Camera(to_plain, lambda held: from_plain(object, held), lambda held: from_plain(hint, held))


def _of_optional(hint: Any, parts: list[Camera]) -> Camera:
    if all(part.shares for part in parts):
        return WRITTEN_ONCE
    if len(parts) != 1:
        return _loose(hint)
    take, plain, again = parts[0].take, parts[0].plain, parts[0].again
    return Camera(
        lambda value: None if value is None else take(value),
        lambda held: None if held is None else plain(held),
        lambda held: None if held is None else again(held),
    )


def _of_list(part: Camera) -> Camera:
    take, plain, again = part.take, part.plain, part.again
    if part is ATOM:
        return Camera(tuple, list, list)
    if part.shares:
        return Camera(tuple, lambda held: [*map(plain, held)], list)
    return Camera(lambda v: [*map(take, v)], lambda held: [*map(plain, held)], lambda held: [*map(again, held)])


def _of_mapping(part: Camera, named: bool) -> Camera:
    take, plain, again = part.take, part.plain, part.again
    if named and part is ATOM:
        return Camera(dict, dict, dict)
    if part.shares:
        return Camera(dict, lambda held: {str(key): plain(value) for key, value in held.items()}, dict)
    return Camera(
        lambda value: ([*value], [*map(take, value.values())]),
        lambda held: {str(key): plain(v) for key, v in zip(*held, strict=True)},
        lambda held: dict(zip(held[0], map(again, held[1]), strict=True)),
    )


def _of_record(kind: Any) -> Camera:
    names, read = fields_read(kind)
    hints, metadata = hints_of(kind), metadata_of(kind)
    parts = [NAMED if metadata[name].get("plain") else _camera(hints[name]) for name in names]
    make = _maker(kind, names)
    if all(part is ATOM for part in parts):
        return Camera(read, lambda held: dict(zip(names, held, strict=True)), make)
    takes, plains, agains = ([*column] for column in zip(*((p.take, p.plain, p.again) for p in parts), strict=True))
    changing = [(i, take) for i, take in enumerate(takes) if take is not _itself]

    def taken(record: Any) -> list[Any]:
        values = [*read(record)]
        for i, take in changing:
            values[i] = take(values[i])
        return values

    return Camera(
        taken,
        lambda held: {name: plain(value) for name, plain, value in zip(names, plains, held, strict=True)},
        lambda held: make([again(value) for again, value in zip(agains, held, strict=True)]),
    )


def _maker(kind: Any, names: tuple[str, ...]) -> Convert:
    """What makes a record of the values of its stored fields."""
    if kind.__match_args__[: len(names)] == names:
        return lambda values: kind(*values)
    return lambda values: kind(**dict(zip(names, values, strict=True)))
