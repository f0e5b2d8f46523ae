"""Picks that the forms of this game share: units and markers, hexes; hits that are counted, some of a few hexes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial

from pbem.games.pacific_war.nouns import target_named
from pbem.games.pacific_war.orders import ALL, read_place, read_places, read_unit, read_units, unit_parts
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Form, Pick, Read
from pbem.kernel.gathering import Counts, Picker
from pbem.kernel.orders import Rejected
from pbem.kernel.picking import MANY, Field, Fields, Said, Taken, Verbs, entry, worded
from pbem.kernel.questions import NONE
from pbem.kernel.wording import NO_WORDS, Message, linked, msg, verbatim


def hex_word(place: int) -> str:
    """A hex as a pick has it."""
    return f"{place:04d}"


def where(g: State, name: str) -> str:
    """Where a unit or marker is clicked; "" off the map."""
    if name in g.markers:
        return hex_word(g.markers[name].at)
    return hex_word(g.units[name].at) if name in g.units and g.units[name].box == "map" else ""


def picker(g: State) -> Picker:
    """Hexes; units and markers by their names, of a marker where it is and what is known to be in it."""
    return Picker(hex_word, partial(place_named, g), verbatim, partial(where, g), partial(_force, g))


def _force(g: State, name: str) -> Message:
    if name not in g.markers:
        return NO_WORDS
    place, ships = g.board.name(g.markers[name].at), ", ".join(g.members(name))
    return linked(": ", place, ships) if ships else verbatim(place)


def place_named(g: State, word: str) -> Message:
    """A word of an order as people call it: a hex by its name, anything else as it stands."""
    return verbatim(g.board.name(int(word)) if word.isdigit() else word)


def place_word(g: State, body: Plain) -> str:
    """A hex of an order as a pick has it. Raises Rejected."""
    return hex_word(read_place(g, body))


# -- questions that several rules ask ----------------------------------------------------------------------------------------


def shares(g: State, verb: str, room: Mapping[str, int], total: int, read: Read) -> Form:
    """Hits over things with room for so many each, counted until all are given."""

    def offers(taken: Mapping[str, int]) -> list[Pick]:
        left = total - sum(taken.values())
        most = {name: min(n - taken.get(name, 0), left) for name, n in room.items()}
        return [Pick("unit", name, target_named(name), where(g, name), n) for name, n in most.items() if n > 0]

    def told(taken: Mapping[str, int]) -> Message:
        return msg("hits: {n} of {total}", n=sum(taken.values()), total=total)

    def said(body: Plain) -> Mapping[str, int]:
        found: dict[str, int] = read({verb: body})
        return found

    return Verbs(read, (verb,), {verb: Counts(offers, lambda taken: {verb: {**taken}}, said, read, told)}, bare=(verb,))


def some(g: State, verb: str, places: Sequence[int], read: Read) -> Form:
    """Some of a few hexes, all or none."""

    def said(body: Plain) -> Said:
        return {"to": [hex_word(h) for h in read_places(g, body)]}

    def make(taken: Taken) -> Plain:
        return {verb: [int(h) for h in taken.all("to")]}

    fields = (Field("to", lambda _: picker(g).places("to", places), most=MANY),)
    words = {ALL: msg("all of them"), NONE: msg("none of them")}
    return worded(verb, words, Fields(fields, make, said, read), read)


def names(g: State, side: str, verb: str, able: Sequence[str], read: Read, exactly: int = 0) -> Fields:
    """An order that names several units or markers, `exactly` so many; else whether they are enough or too many shows later."""

    def said(body: Plain) -> Said:
        return {"unit": [n for part in unit_parts(g, body) for n in _named(g, side, part, able)]}

    def told(taken: Taken) -> Message:
        return msg("units: {n} of {most}", n=len(taken.all("unit")), most=exactly) if exactly else NO_WORDS

    field = Field("unit", lambda _: picker(g).units("unit", able), exactly or 1, exactly or MANY, gathers=True)
    return Fields((field,), lambda taken: {verb: [*taken.all("unit")]}, said, read, told)


def _named(g: State, side: str, part: Plain, able: Sequence[str]) -> list[str]:
    return [str(part)] if part in able else read_units(g, [part], side)


def each(
    g: State,
    side: str,
    verb: str,
    able: Callable[[], Iterable[str]],
    ends: Callable[[str], Iterable[Pick]],
    read: Read,
    value: Callable[[str], Plain] = int,
    word: Callable[[Plain], str] = str,
    *,
    met: bool = True,
) -> Fields:
    """`verb: {unit: end}`: a unit, then one of its ends, more than are legal. `value`, `word`: an end to an order and back.

    `met`: the units stand on the map and are picked where they stand.
    """

    def said(body: Plain) -> Said:
        who, what = entry(body)
        unit = read_unit(g, who, side)
        return {"at": [where(g, unit)] if met else [], "unit": [unit], "to": [word(what)]}

    alone = Field("unit", lambda _: picker(g).units("unit", able()))
    fields = (*(picker(g).stack(able) if met else (alone,)), Field("to", lambda taken: ends(taken.one("unit"))))
    return Fields(fields, lambda taken: {verb: {taken.one("unit"): value(taken.one("to"))}}, said, read)


def base_picks(g: State, bases: Iterable[str]) -> list[Pick]:
    """Hexes and ships where aircraft may land."""
    return [
        picker(g).place("to", int(b), leads=("base",))
        if b[0].isdigit()
        else Pick("to", b, verbatim(b), where(g, b), leads=("base",))
        for b in bases
    ]


def base_value(word: str) -> Plain:
    """A base as an order names it."""
    return int(word) if word[0].isdigit() else word


def base_word(g: State, side: str, body: Plain) -> str:
    """A base of an order as a pick has it. Raises Rejected."""
    try:
        return place_word(g, body)
    except Rejected:
        return read_unit(g, body, side)


def some_units(g: State, side: str, verbs: Sequence[str], able: Sequence[str], read: Read, exactly: int = 0) -> Form:
    """A question about several of some units; the first verb names them."""
    return Verbs(read, verbs, {verbs[0]: names(g, side, verbs[0], able, read, exactly)}, bare=verbs[:1])
