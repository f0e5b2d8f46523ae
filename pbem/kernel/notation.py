"""Orders on one line, as players write them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from pbem.kernel.canon import Plain

T = TypeVar("T")
PLACES_FROM = 100  # hexes are numbered with three digits or more; no order counts so many of a thing
FULL = 1000  # from here on a number is as long as it is printed
ARROW, EACH = "→", "{n}"  # between a name and what is done to it; what is counted of each of several names
ROADS = ("from", "to", "at")  # keys of hexes, whatever their numbers
STEPS = "steps"  # a key beside others, not a thing
_PLACE = re.compile(r"0[1-9][0-9]{2}")
_WORD = re.compile(r"[a-z][a-z_ -]*")  # a key of an order's own, not a name


def place_text(number: int) -> str:
    """A hex as it is printed: four digits, `0722`; the few hexes of a small map are not padded."""
    return f"{number:04d}" if number >= PLACES_FROM else str(number)


def with_digits(plain: Plain) -> Plain:
    """An order whose hexes are written as they are printed: those below 1000 as a text, `"0722"`."""
    return _each(plain, lambda part: place_text(part) if isinstance(part, int) and PLACES_FROM <= part < FULL else part)


def by_number(plain: Plain) -> Plain:
    """The same whether its hexes are texts of four digits or numbers."""
    return _each(plain, lambda part: int(part) if isinstance(part, str) and _PLACE.fullmatch(part) else part)


def _each(plain: Plain, change: Callable[[Plain], Plain]) -> Plain:
    if isinstance(plain, dict):
        return {key: _each(part, change) for key, part in plain.items()}
    return [_each(part, change) for part in plain] if isinstance(plain, list) else change(plain)


def order_text(order: Plain) -> str:
    """An order: `move: 3 infantry from kwangsi to yunnan`. A sealed one says only that it is sealed."""
    return order_in(order, AS_WRITTEN)


def reads_as(order: Plain, line: Plain) -> bool:
    """Whether an order has the words of a line, but for colons, spaces, capitals: `buy 4 Infantry`, `buy: 4 infantry`."""
    one, other = ("".join(order_text(x).replace(":", "").casefold().split()) for x in (order, line))
    return one == other


def flat(body: Plain) -> str:
    """Plain data as words. A mapping of things to numbers reads `3 infantry, 1 tank`; units come first.

    A mapping of names reads `{A1: CA5}`, as in a file; a longer one `CA1, CA2: at CA5 with both; DD1: at CA6 with both`:
    names to which the same is done stand together.
    """
    return flat_in(body, AS_WRITTEN)


# -- one way through an order, for text and for messages ---------------------------------------------------------------------


class Way(Struct, Generic[T], frozen=True):
    """How parts are joined; how a word is told that has no other name, or perhaps one; how so many of a thing are.

    `pair`: between a name and what is done to it; empty: as in a file, `{A1: CA5}`. `whole`: a key with nothing behind it
    is told too. `beside`: where it is not None, the parts of an order stand apart, but for those under these keys, which
    read on. `number`: how a number under a key is told; None: as the key and the number. `phrase`: how a table under a key is
    told in one phrase, from its words; None: as a table. A key that is told by no word at all leaves what is under it.
    """

    join: Callable[[str, Sequence[T]], T]
    word: Callable[[str], T]
    name: Callable[[str], T]
    count: Callable[[int, str], T]
    pair: str = ""
    whole: bool = True
    beside: Collection[str] | None = None
    number: Callable[[str, int], T | None] = lambda key, n: None
    phrase: Callable[[str, Mapping[str, Plain]], T | None] = lambda key, table: None


AS_WRITTEN: Way[str] = Way(lambda mark, parts: mark.join(parts), str, str, lambda n, thing: f"{n} {thing}")


def order_in(order: Plain, way: Way[T]) -> T:
    """An order, told one way."""
    if isinstance(order, dict) and set(order) == {"seal", "seat"}:
        return way.join(": ", [way.word("sealed"), order_in(order["seal"], way)])
    if isinstance(order, dict) and len(order) == 1:
        verb, body = next(iter(order.items()))
        return way.word(verb) if verb == "sealed" else way.join(": ", [way.word(verb), flat_in(body, way)])
    return flat_in(order, way)


def flat_in(body: Plain, way: Way[T], mark: str = "; ") -> T:
    """Plain data, told one way."""
    if isinstance(body, dict):
        return _table(body, way, mark)
    if isinstance(body, list):
        return way.join(mark, [flat_in(part, way, mark) for part in body])
    if isinstance(body, str):
        return way.name(body)
    if isinstance(body, int) and body >= PLACES_FROM:
        return way.name(place_text(body))
    return way.word({True: "yes", False: "no", None: "nothing"}[body] if body is None or isinstance(body, bool) else str(body))


def _table(body: Mapping[str, Plain], way: Way[T], mark: str) -> T:
    whole = all(isinstance(n, int) and not isinstance(n, bool) for n in body.values())
    if body and whole and STEPS not in body and not _are_places(body):
        return way.join(", ", [way.count(n, thing) for thing, n in body.items() if isinstance(n, int)])
    if body and not all(_WORD.fullmatch(key) for key in body):
        return _of_names(body, way)
    if way.beside is not None:
        return _apart(body, way, way.beside, mark)
    what = [flat_in(body["units"], way, mark)] if "units" in body else []
    rest = [
        way.join(" ", [way.word(k), flat_in(v, way, mark)])
        for k, v in body.items()
        if k != "units" and (v not in ([], {}) or way.whole)
    ]
    return way.join(" ", [*what, *rest])


def _apart(body: Mapping[str, Plain], way: Way[T], beside: Collection[str], mark: str) -> T:
    """`CV3, CA3 at 2813; hq South Pacific; fleets (core CV3; screen CA3)`: units first, what is nested deeper in brackets."""
    parts = [_inner(body["units"], way)] if "units" in body else []
    for key, value in body.items():
        if key == "units" or (value in ([], {}) and not way.whole):
            continue
        told = _under(key, value, way)
        if key in beside and parts:
            parts[-1] = way.join(" ", [parts[-1], told])
        else:
            parts.append(told)
    return way.join("; " if any(isinstance(part, dict | list) for part in body.values()) else mark, parts)


def _under(key: str, value: Plain, way: Way[T]) -> T:
    if isinstance(value, int) and not isinstance(value, bool) and (counted := way.number(key, value)) is not None:
        return counted
    if isinstance(value, dict) and (phrase := way.phrase(key, value)) is not None:
        return phrase
    word = way.word(key)
    return way.join(" ", [word, _inner(value, way)]) if word else flat_in(value, way, ", ")


def _inner(body: Plain, way: Way[T]) -> T:
    if isinstance(body, list):
        return way.join(", ", [_inner(part, way) for part in body])
    if isinstance(body, dict) and not all(isinstance(n, int) and n < PLACES_FROM for n in body.values()):
        return way.join("", [way.word("("), order_in(body, way), way.word(")")])
    return flat_in(body, way)


def _are_places(body: Mapping[str, Plain]) -> bool:
    """Things by their names and the hex of each, or a way; not how many of a kind: `{J1: 2330, J2: 1134}`."""
    is_far = any(isinstance(n, int) and n >= PLACES_FROM for n in body.values())
    return is_far and (not all(_WORD.fullmatch(key) for key in body) or any(key in ROADS for key in body))


def _part(what: Plain, way: Way[T]) -> T:
    counted = way.number(EACH, what) if isinstance(what, int) and what < PLACES_FROM else None
    return flat_in(what, way, ", ") if counted is None else counted


def _of_names(body: Mapping[str, Plain], way: Way[T]) -> T:
    is_flat = not any(isinstance(what, dict | list) for what in body.values())
    mark = (is_flat and way.pair) or ": "
    groups: dict[str, tuple[Plain, list[str]]] = {}
    for name, what in body.items():
        groups.setdefault(flat(what), (what, []))[1].append(name)
    if len(groups) == len(body) and is_flat and not way.pair:
        pairs = [way.join(": ", [way.name(name), flat_in(what, way)]) for name, what in body.items()]
        return way.join("", [way.word("{"), way.join(", ", pairs), way.word("}")])
    arrow = [way.word(ARROW)] if mark == f" {ARROW} " else []
    mark = " " if arrow else mark

    def told(names: Sequence[str], what: Plain) -> T:
        if isinstance(what, dict) and (phrase := way.phrase(names[0], what)) is not None:
            return phrase
        return way.join(mark, [way.join(", ", [way.name(name) for name in names]), *arrow, _part(what, way)])

    return way.join("; ", [told(names, what) for what, names in groups.values()])
