"""Shapes of data that people write: what is wrong with a value, where in it, and what would be right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from pbem.kernel.orders import nearest

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault. `path`: keys and list indices down to the value; `word`: the key, or the word of a longer text, at fault.

    `missing`: nothing stands there, and something has to.
    """

    path: Path
    text: str
    allowed: str = ""
    rule: str = ""
    word: str = ""
    missing: bool = False

    def __str__(self) -> str:
        section = f" [{self.rule}]" if self.rule else ""
        instead = f"; {self.allowed}" if self.allowed else ""
        where = ".".join(map(str, self.path))
        return f"{where} {self.text}{section}{instead}".lstrip()

    def under(self, *path: str | int, rule: str = "") -> Fault:
        """The same fault of a value further up; `rule` where none is named yet."""
        return replace(self, path=(*path, *self.path), rule=self.rule or rule)


Check = Callable[[Any], Iterator[Fault]]


class ScenarioFault(ValueError):
    """A scenario that cannot be played: every fault found in it, each with its place in the data and its rule section."""

    def __init__(self, faults: Sequence[Fault | str]) -> None:
        self.faults = tuple(f if isinstance(f, Fault) else Fault((), f) for f in faults)
        super().__init__("; ".join(map(str, self.faults)))


@contextmanager
def setting_up(scenario: Any) -> Iterator[None]:
    """Around a set-up that reads its data as if they were sound: what it stumbles over is raised as ScenarioFault.

    The fault lies at the word of the scenario that the error names, if that is in there.
    """
    try:
        yield
    except ScenarioFault:
        raise
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise ScenarioFault([_stumbled(scenario, error)]) from error


def _stumbled(scenario: Any, error: Exception) -> Fault:
    word = str(error.args[0]) if error.args else ""
    path = next((path for path, value in _walk(scenario, ()) if word and word in (value, *path[-1:])), ())
    reason = f"{word!r} is not there" if isinstance(error, LookupError) else str(error) or type(error).__name__
    return Fault(path, f"the set-up stops: {reason}", word=word if re.fullmatch(r"[\w .-]+", word) else "")


def _walk(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    yield path, value if not isinstance(value, dict | list) else None
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, held in inner:
        yield from _walk(held, (*path, key))


def lacking(name: str, allowed: str = "", rule: str = "", path: Path = ()) -> Fault:
    """A key that has to be there and is not."""
    return Fault(path, f"{name} is missing", allowed, rule, missing=True)


def fault(text: str, allowed: str = "", word: str = "", path: Path = ()) -> Fault:
    """A fault of the value itself."""
    return Fault(path, text, allowed, "", word)


def _kind(kind: type, word: str) -> Check:
    def check(value: Any) -> Iterator[Fault]:
        if not isinstance(value, kind):
            yield fault(f"is {shown(value)}, not {word}")

    return check


def shown(value: Any) -> str:
    """A value in a message, cut short."""
    if isinstance(value, dict | list):
        return "a mapping" if isinstance(value, dict) else "a list"
    text = (
        {None: "nothing", True: "true", False: "false"}.get(value) if value is None or isinstance(value, bool) else repr(value)
    )
    return str(text)[:60]


yes_no, words, a_map, a_list = _kind(bool, "true or false"), _kind(str, "text"), _kind(dict, "a mapping"), _kind(list, "a list")


def whole(least: int | None = None, most: int | None = None) -> Check:
    """A whole number in a range."""
    span = " to ".join(str(n) for n in (least, most) if n is not None)
    allowed = span if most is not None else f"{span} or more" if least is not None else ""

    def check(value: Any) -> Iterator[Fault]:
        if isinstance(value, bool) or not isinstance(value, int):
            yield fault(f"is {shown(value)}, not a whole number", allowed)
        elif (least is not None and value < least) or (most is not None and value > most):
            yield fault(f"is {value}", allowed)

    return check


def one_of(*known: str) -> Check:
    """One of some words."""

    def check(value: Any) -> Iterator[Fault]:
        if value not in known:
            near = str(nearest(str(value), known))
            yield fault(f"is {shown(value)}, not one of {', '.join(known)}", near)

    return check


def matching(pattern: str, what: str) -> Check:
    """Text (or a number written as text) of a pattern, described in words."""
    compiled = re.compile(pattern)

    def check(value: Any) -> Iterator[Fault]:
        if isinstance(value, bool | dict | list) or value is None or not compiled.fullmatch(str(value)):
            yield fault(f"is {shown(value)}, not {what}")

    return check


def either(first: Check, *others: Check) -> Check:
    """A value that one of the checks lets pass; the faults are those of the last."""

    def check(value: Any) -> Iterator[Fault]:
        found = [list(one(value)) for one in (first, *others)]
        yield from found[-1] if all(found) else ()

    return check


def list_of(item: Check, length: int | None = None) -> Check:
    """A list of values of one shape, of a given length if one is named."""

    def check(value: Any) -> Iterator[Fault]:
        if not isinstance(value, list):
            yield fault(f"is {shown(value)}, not a list")
            return
        if length is not None and len(value) != length:
            yield fault(f"has {len(value)} entries", f"{length} are needed")
        for i, entry in enumerate(value):
            yield from (f.under(i) for f in item(entry))

    return check


def map_of(entry: Check, key: Check | None = None, some: bool = False) -> Check:
    """A mapping with values (and keys) of one shape; `some`: not empty."""

    def check(value: Any) -> Iterator[Fault]:
        if not isinstance(value, dict) or (some and not value):
            yield fault(f"is {shown(value) if value else 'empty'}, not a mapping")
            return
        for name, held in value.items():
            if key is not None:
                yield from (Fault((name,), f"key {f.text}", f.allowed, f.rule, name) for f in key(name))
            yield from (f.under(name) for f in entry(held))

    return check


def record(needed: Mapping[str, Check], optional: Mapping[str, Check] | None = None, what: str = "") -> Check:
    """A mapping with exactly these keys."""
    known = {**needed, **(optional or {})}

    def check(value: Any) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield fault(f"is {shown(value)}, not a mapping", f"keys: {', '.join(known)}")
            return
        for name in value:
            if name not in known:
                yield unknown_key(name, tuple(known), what)
        missing = [name for name in needed if name not in value]
        if missing:
            yield fault(f"lacks {', '.join(missing)}", what)
        for name in value:
            if name in known:
                yield from (f.under(name) for f in known[name](value[name]))

    return check


def unknown_key(name: str, known: Sequence[str], what: str = "") -> Fault:
    """A key that nobody reads."""
    allowed = str(nearest(name, list(known))) or f"keys{' of ' + what if what else ''}: {', '.join(known)}"
    return Fault((name,), f"{name!r} is no key here", allowed, "", name)
