"""Orders and standing orders on one line, as players write them; told in a report, their names are the game's own."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pbem.kernel.canon import Plain
from pbem.kernel.wording import Message, Text, times

T = TypeVar("T")
Named = Callable[[str], Text | None]  # what a word of an order is called by the game; None: it has no other name
_WORD = re.compile(r"[a-z][a-z_ -]*")  # a key of an order's own, not a name


def order_text(order: Plain) -> str:
    """An order: `move: 3 infantry from kwangsi to yunnan`. A sealed one says only that it is sealed."""
    return _order(order, _AS_WRITTEN)


def order_told(order: Plain, named: Named) -> Text:
    """The same for a reader: spaces, units and cards by the game's names, in his language."""
    return _order(order, _telling(named))


def clause_told(kind: str, clause: Plain, named: Named) -> Text:
    """One clause of a standing order for a reader: `retreat when own-strength < enemy-strength: retreat`."""
    return _clause(kind, clause, _telling(named))


def flat(body: Plain) -> str:
    """Plain data as words. A mapping of things to numbers reads `3 infantry, 1 tank`; units come first.

    A mapping of names reads `{A1: CA5}`, as in a file; a longer one `CA1, CA2: at CA5 with both; DD1: at CA6 with both`:
    names to which the same is done stand together.
    """
    return _flat(body, _AS_WRITTEN)


# -- one way through an order, for text and for messages ---------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Way(Generic[T]):
    """How parts are joined; how a word is told that has no other name, or perhaps one; how so many of a thing are."""

    join: Callable[[str, Sequence[T]], T]
    word: Callable[[str], T]
    name: Callable[[str], T]
    count: Callable[[int, str], T]


_AS_WRITTEN: _Way[str] = _Way(lambda mark, parts: mark.join(parts), str, str, lambda n, thing: f"{n} {thing}")


def _telling(named: Named) -> _Way[Text]:
    def join(mark: str, parts: Sequence[Text]) -> Text:
        words = [part for part in parts if isinstance(part, str)]
        if len(words) == len(parts):
            return mark.join(words)
        named_parts = {f"word{n}": part for n, part in enumerate(parts)}  # an order's marks are those of its notation
        return Message(mark.join(f"{{{name}}}" for name in named_parts), named_parts)

    def word(text: str) -> Text:
        return text

    def name(text: str) -> Text:
        return named(text) or text

    def count(n: int, thing: str) -> Text:
        known = named(thing)
        if isinstance(known, Message) and "n" in known.args and known.plural:
            return times(known, n)
        return join(" ", [str(n), known or thing])

    return _Way(join, word, name, count)


def _order(order: Plain, way: _Way[T]) -> T:
    if isinstance(order, dict) and set(order) == {"seal", "seat"}:
        return way.join(": ", [way.word("sealed"), _order(order["seal"], way)])
    if isinstance(order, dict) and len(order) == 1:
        verb, body = next(iter(order.items()))
        return way.word(verb) if verb == "sealed" else way.join(": ", [way.word(verb), _flat(body, way)])
    return _flat(order, way)


def _clause(kind: str, clause: Plain, way: _Way[T]) -> T:
    if not isinstance(clause, dict) or "do" not in clause:
        return way.join(": ", [way.word(kind), _flat(clause, way)])
    conditions = "".join(f" {word} {clause[key]}" for key, word in (("when", "when"), ("scope", "in")) if clause.get(key))
    told = way.join(": ", [way.word(kind + conditions), _flat(clause["do"], way)])
    return way.join(" ", [told, way.word("(once)")]) if clause.get("life") == "once" else told


def _flat(body: Plain, way: _Way[T], mark: str = "; ") -> T:
    if isinstance(body, dict):
        return _table(body, way, mark)
    if isinstance(body, list):
        return way.join(mark, [_flat(part, way, mark) for part in body])
    if isinstance(body, str):
        return way.name(body)
    return way.word({True: "yes", False: "no", None: "nothing"}[body] if body is None or isinstance(body, bool) else str(body))


def _table(body: Mapping[str, Plain], way: _Way[T], mark: str) -> T:
    if body and all(isinstance(n, int) and not isinstance(n, bool) for n in body.values()):
        return way.join(", ", [way.count(n, thing) for thing, n in body.items() if isinstance(n, int)])
    if body and not all(_WORD.fullmatch(key) for key in body):
        return _of_names(body, way)
    what = [_flat(body["units"], way, mark)] if "units" in body else []
    rest = [way.join(" ", [way.word(k), _flat(v, way, mark)]) for k, v in body.items() if k != "units"]
    return way.join(" ", [*what, *rest])


def _of_names(body: Mapping[str, Plain], way: _Way[T]) -> T:
    groups: dict[str, tuple[Plain, list[str]]] = {}
    for name, what in body.items():
        groups.setdefault(_flat(what, _AS_WRITTEN, ", "), (what, []))[1].append(name)
    if len(groups) == len(body) and not any(isinstance(what, dict | list) for what in body.values()):
        pairs = [way.join(": ", [way.name(name), _flat(what, way)]) for name, what in body.items()]
        return way.join("", [way.word("{"), way.join(", ", pairs), way.word("}")])
    told = [
        way.join(": ", [way.join(", ", [way.name(name) for name in names]), _flat(what, way, ", ")])
        for what, names in groups.values()
    ]
    return way.join("; ", told)
