"""`dataclasses.dataclass` for a program that starts often: declaring a class takes an eighth of the time.

The library compiles up to six methods for each class when its module is imported, though a command makes objects of few. Here
classes share their methods, and `__init__` is compiled when the first object is made. A type checker sees the library's own.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import field as field
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True):
        """As the library's; its other options, fields by keyword alone and fields outside `__init__` are not offered."""
        if cls is None:
            return lambda declared: dataclass(declared, frozen=frozen, slots=slots, eq=eq)
        methods = {"__init__": _first, "__repr__": _repr}
        if eq:
            methods |= {"__eq__": _eq, "__hash__": _hash if frozen else None}
        if frozen:
            methods |= {"__setattr__": _locked, "__delattr__": _locked}
        if frozen and slots:
            methods |= {"__getstate__": _state, "__setstate__": _restored}
        for name, method in methods.items():
            if name not in cls.__dict__:
                setattr(cls, name, method)
        cls.__doc__ = cls.__doc__ or cls.__name__  # the library would look for a signature
        made = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(cls)
        made._compared = _reader([f.name for f in dataclasses.fields(made) if f.compare])
        return made


def _first(self: Any, *args: Any, **named: Any) -> None:
    """Makes the first object of a class: from now on its `__init__` is the compiled one."""
    kind: Any = next(k for k in type(self).__mro__ if k.__dict__.get("__init__") is _first)
    kind.__init__ = _compiled(kind)
    kind.__init__(self, *args, **named)


def _compiled(kind: Any) -> Callable[..., None]:
    """`__init__` of a class; the fields of a frozen one are set round its lock, by their slots where it has some."""
    names: dict[str, Any] = {"_missing": dataclasses.MISSING, "_set": object.__setattr__}
    head, body = ["self"], []
    for f in dataclasses.fields(kind):
        if f.kw_only or not f.init:
            raise TypeError(f"{kind.__qualname__}.{f.name}: such fields are not offered")
        name, value = f.name, f.name
        names["_default_" + name], names["_make_" + name] = f.default, f.default_factory
        if f.default_factory is not dataclasses.MISSING:
            value = f"_make_{name}() if {name} is _missing else {name}"
        if f.default is not dataclasses.MISSING or value != name:
            name = f"{name}=_default_{name}"
        head.append(name)
        body.append(_setting(kind, f.name, value, names))
    if hasattr(kind, "__post_init__"):
        body.append("self.__post_init__()")
    exec(f"def __init__({', '.join(head)}):\n " + "\n ".join(body or ["pass"]), names)
    made: Callable[..., None] = names["__init__"]
    made.__qualname__ = f"{kind.__qualname__}.__init__"
    return made


def _setting(kind: Any, name: str, value: str, names: dict[str, Any]) -> str:
    if kind.__setattr__ is not _locked:
        return f"self.{name} = {value}"
    names["_slot_" + name] = getattr(getattr(kind, name, None), "__set__", None)
    return f"_set(self, {name!r}, {value})" if names["_slot_" + name] is None else f"_slot_{name}(self, {value})"


def _reader(names: list[str]) -> Callable[[Any], Any]:
    """What reads these fields of an object, a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    return staticmethod(lambda made: tuple(getattr(made, name) for name in names))


def _eq(self: Any, other: Any) -> Any:
    return self._compared(self) == self._compared(other) if other.__class__ is self.__class__ else NotImplemented


def _hash(self: Any) -> int:
    return hash(self._compared(self))


@recursive_repr()
def _repr(self: Any) -> str:
    shown = ", ".join(f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{self.__class__.__qualname__}({shown})"


def _locked(self: Any, name: str, *value: Any) -> NoReturn:
    raise dataclasses.FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, f.name) for f in dataclasses.fields(self)]


def _restored(self: Any, state: list[Any]) -> None:
    for f, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, f.name, value)
