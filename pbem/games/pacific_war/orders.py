"""Players' notation: units by id, code or an unambiguous part of the name; hexes by number or name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.terms import month
from pbem.kernel.canon import Plain
from pbem.kernel.naming import parts_of
from pbem.kernel.orders import Rejected, illegal, unreadable
from pbem.kernel.wording import Message, english, msg, quoted, verbatim

ALL, PASS = "all", "pass"
OFF = "off"  # the outside of the map


def read_unit(g: State, text: Plain, seat: str = "") -> str:
    """A unit, preferably one of `seat` when a code is used on both sides. Raises Rejected."""
    return g.board.unit_index.one(text, seat)


def read_units(g: State, body: Plain, seat: str = "") -> list[str]:
    """Several units, none twice. Raises Rejected."""
    return g.board.unit_index.many(body, "PW-GEN-01", seat, least=0)


def check_in_play(g: State, units: Iterable[str], rule: str) -> None:
    """Some counters come into play later, or never. Raises Rejected."""
    for unit in units:
        if unit not in g.units:
            raise illegal(msg("{unit} is not in play", unit=unit), rule)


def unit_parts(g: State, body: Plain) -> list[Plain]:
    """A list, or names with commas or "and" between them. Raises Rejected when there is nothing."""
    return parts_of(body, g.board.unit_index.is_name)


def read_place(g: State, text: Plain) -> int:
    """A hex by number or name. Raises Rejected."""
    if isinstance(text, str) and ".." in text:
        raise unreadable(msg("{text} is more than one hex", text=quoted(text)))
    return g.board.place_index.one(text)


def place_parts(g: State, body: Plain) -> list[Plain]:
    """A list of hexes, or names and numbers with commas or "and" between them. Raises Rejected when there is nothing."""
    return parts_of(body, g.board.place_index.is_name)


def read_places(g: State, body: Plain) -> list[int]:
    """Several hexes. Raises Rejected."""
    return [read_place(g, part) for part in place_parts(g, body)]


# -- what a refusal says -------------------------------------------------------------------------------------------------


def example(*orders: str) -> Message:
    """How such an order is written."""
    return msg("for example: {orders}", orders=orders)


def any_of(*words: str) -> Message:
    """The words that an order may hold here, as they are written."""
    return msg("one of: {choices}", choices=words)


def misread(verb: str, body: Plain, *examples: str) -> Rejected:
    """An order whose verb is known and whose body is not; how it is written."""
    return unreadable(msg("{given} is not how this order is written", given=f"{verb}: {body!r}"), example(*examples))


def hexes_named(g: State, places: Iterable[int]) -> Message:
    """Hexes by number and name."""
    return verbatim(*map(g.board.name, places))


def base_named(g: State, base: str) -> str:
    """The base of an air unit: a hex by number and name, or a ship."""
    return g.board.name(int(base)) if base.isdecimal() else base


def not_next(g: State, place: int, origin: int, rule: str) -> Rejected:
    """A step to a hex that is not beside the one before: with those that are."""
    why = msg("{place} is not next to {origin}", place=g.board.name(place), origin=g.board.name(origin))
    return illegal(why, rule, verbatim(*map(g.board.name, g.board.near(origin))))


def month_word(number: int) -> str:
    """A month of the game as orders name it: `September 1942`."""
    return english(month(number))


def read_month(body: Plain, months: Sequence[int], rule: str) -> int:
    """One of these months of the game by its name, whole or its beginning, or by its number. Raises Rejected."""
    given = str(body).strip().lower()
    named = [n for n in months if given and (given == str(n) or month_word(n).lower().startswith(given))]
    if len(named) != 1:
        there = verbatim(*map(month_word, reversed(months)))
        raise illegal(msg("no month that may be meant: {given}", given=quoted(body)), rule, there)
    return named[0]
