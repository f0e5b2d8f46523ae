"""Shapes of data that people write: what is wrong with a value, where in it, and what would be right."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.orders import nearest
from pbem.kernel.wording import NO_WORDS, Message, english, linked, msg, verbatim

Path = tuple[str | int, ...]


class Fault(Struct, frozen=True):
    """One fault. `path`: keys and list indices down to the value; `word`: the key, or the word of a longer text, at fault.

    `missing`: nothing stands there, and something has to.
    """

    path: Path
    text: Message
    allowed: Message = NO_WORDS
    rule: str = ""
    word: str = ""
    missing: bool = False

    @property
    def told(self) -> Message:
        """All of it in one line."""
        where = ".".join(map(str, self.path))
        told = linked(" ", *([where] if where else []), self.text, *([f"[{self.rule}]"] if self.rule else []))
        return linked("; ", told, self.allowed) if self.allowed else told

    def __str__(self) -> str:
        return english(self.told)

    def under(self, *path: str | int, rule: str = "") -> Fault:
        """The same fault of a value further up; `rule` where none is named yet."""
        return replace(self, path=(*path, *self.path), rule=self.rule or rule)


Check = Callable[[Any], Iterator[Fault]]


class ScenarioFault(ValueError):
    """A scenario that cannot be played: every fault found in it, each with its place in the data and its rule section."""

    def __init__(self, faults: Sequence[Fault | Message]) -> None:
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
    reason = verbatim(str(error) or type(error).__name__)
    if isinstance(error, LookupError):
        reason = msg("{word!r} is not there", word=word)
    return Fault(path, msg("the set-up stops: {reason}", reason=reason), word=word if re.fullmatch(r"[\w .-]+", word) else "")


def _walk(value: Any, path: Path) -> Iterator[tuple[Path, Any]]:
    yield path, value if not isinstance(value, dict | list) else None
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, held in inner:
        yield from _walk(held, (*path, key))


def lacking(name: str, allowed: Message = NO_WORDS, rule: str = "", path: Path = ()) -> Fault:
    """A key that has to be there and is not."""
    return Fault(path, msg("{name} is missing", name=name), allowed, rule, missing=True)


def fault(text: Message, allowed: Message = NO_WORDS, word: str = "", path: Path = ()) -> Fault:
    """A fault of the value itself."""
    return Fault(path, text, allowed, "", word)


def _kind(kind: type, word: Message) -> Check:
    def check(value: Any) -> Iterator[Fault]:
        if not isinstance(value, kind):
            yield fault(_is_not(value, word))

    return check


def _is_not(value: Any, wanted: Message) -> Message:
    return msg("is {value}, not {wanted}", value=shown(value), wanted=wanted)


def shown(value: Any) -> Message:
    """A value in a message, cut short."""
    if isinstance(value, dict | list):
        return MAPPING if isinstance(value, dict) else LIST
    if value is None:
        return msg("nothing")
    return verbatim(str(value).lower() if isinstance(value, bool) else repr(value)[:60])


MAPPING, LIST = msg("a mapping"), msg("a list")
yes_no, words = _kind(bool, msg("true or false")), _kind(str, msg("text"))
a_map, a_list = _kind(dict, MAPPING), _kind(list, LIST)


def _span(least: int | None, most: int | None) -> Message:
    if most is not None:
        return verbatim(str(most)) if least is None else msg("{least} to {most}", least=least, most=most)
    return NO_WORDS if least is None else msg("{least} or more", least=least)


def whole(least: int | None = None, most: int | None = None) -> Check:
    """A whole number in a range."""
    allowed = _span(least, most)

    def check(value: Any) -> Iterator[Fault]:
        if isinstance(value, bool) or not isinstance(value, int):
            yield fault(_is_not(value, msg("a whole number")), allowed)
        elif (least is not None and value < least) or (most is not None and value > most):
            yield fault(msg("is {value}", value=value), allowed)

    return check


def one_of(*known: str) -> Check:
    """One of some words."""

    def check(value: Any) -> Iterator[Fault]:
        if value not in known:
            yield fault(_is_not(value, msg("one of {known}", known=", ".join(known))), nearest(str(value), known))

    return check


def matching(pattern: str, what: Message) -> Check:
    """Text (or a number written as text) of a pattern, described in words."""
    compiled = re.compile(pattern)

    def check(value: Any) -> Iterator[Fault]:
        if isinstance(value, bool | dict | list) or value is None or not compiled.fullmatch(str(value)):
            yield fault(_is_not(value, what))

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
            yield fault(_is_not(value, LIST))
            return
        if length is not None and len(value) != length:
            yield fault(msg("has {number} entries", number=len(value)), msg("{number} are needed", number=length))
        for i, entry in enumerate(value):
            yield from (f.under(i) for f in item(entry))

    return check


def map_of(entry: Check, key: Check | None = None, some: bool = False) -> Check:
    """A mapping with values (and keys) of one shape; `some`: not empty."""

    def check(value: Any) -> Iterator[Fault]:
        if not isinstance(value, dict) or (some and not value):
            yield fault(_is_not(value, MAPPING) if value else msg("is empty, not a mapping"))
            return
        for name, held in value.items():
            if key is not None:
                yield from (Fault((name,), msg("key {fault}", fault=f.text), f.allowed, f.rule, name) for f in key(name))
            yield from (f.under(name) for f in entry(held))

    return check


def record(needed: Mapping[str, Check], optional: Mapping[str, Check] | None = None, what: Message = NO_WORDS) -> Check:
    """A mapping with exactly these keys."""
    known = {**needed, **(optional or {})}

    def check(value: Any) -> Iterator[Fault]:
        if not isinstance(value, dict):
            yield fault(_is_not(value, MAPPING), msg("keys: {known}", known=", ".join(known)))
            return
        for name in value:
            if name not in known:
                yield unknown_key(name, tuple(known), what)
        missing = [name for name in needed if name not in value]
        if missing:
            yield fault(msg("lacks {missing}", missing=", ".join(missing)), what)
        for name in value:
            if name in known:
                yield from (f.under(name) for f in known[name](value[name]))

    return check


def unknown_key(name: str, known: Sequence[str], what: Message = NO_WORDS) -> Fault:
    """A key that nobody reads."""
    keys = msg("keys: {known}", known=", ".join(known))
    if what:
        keys = msg("keys of {what}: {known}", what=what, known=", ".join(known))
    return Fault((name,), msg("{name!r} is no key here", name=name), nearest(name, list(known)) or keys, "", name)
