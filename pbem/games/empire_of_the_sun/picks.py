"""Picks that the forms of this game share: units where they stand, hexes, the China box, cards with their texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbem.games.empire_of_the_sun.labels import BOXES
from pbem.games.empire_of_the_sun.labels import unit as unit_name
from pbem.games.empire_of_the_sun.orders import read_place, read_units
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Lead, Pick
from pbem.kernel.picking import Field, Taken
from pbem.kernel.wording import NO_WORDS, Message, verbatim

ALL = "all"
CHINA = "china"  # the China box in orders


def hex_word(place: int) -> str:
    """A hex as orders name it; 0 and less: the China box."""
    return f"{place:04}" if place > 0 else CHINA


def hex_of(word: str) -> int:
    """The hex of a pick; 0 for the China box."""
    return int(word) if word.isdecimal() else 0


def where(g: State, unit: str) -> str:
    """Where a unit is clicked."""
    piece = g.pieces[unit]
    return hex_word(piece.at) if piece.box == "map" else piece.box


def unit_picks(g: State, slot: str, units: Iterable[str]) -> list[Pick]:
    """Units by their printed names."""
    return [Pick(slot, u, unit_name(g, u), where(g, u)) for u in units]


def place_pick(g: State, slot: str, place: int, cost: Message = NO_WORDS, leads: tuple[Lead, ...] = ()) -> Pick:
    """A hex, or the China box."""
    word = hex_word(place)
    return Pick(slot, word, verbatim(g.board.name(place)) if place > 0 else BOXES[CHINA], word, cost=cost, leads=leads)


def starts(g: State, units: Iterable[str]) -> list[Pick]:
    """The places of some units, each once."""
    return [place_pick(g, "at", hex_of(w)) for w in dict.fromkeys(where(g, u) for u in units)]


def stack(g: State, units: Callable[[], Iterable[str]], most: int) -> tuple[Field, Field]:
    """A place, and those of the units that stand there."""

    def there(taken: Taken) -> list[Pick]:
        return unit_picks(g, "unit", (u for u in units() if where(g, u) == taken.one("at")))

    return Field("at", lambda _: starts(g, units())), Field("unit", there, most=most)


def place_word(g: State, body: Plain) -> str:
    """A place of an order as a pick has it. Raises Rejected."""
    text = str(body).strip().lower()
    return CHINA if text in ("china", "china box") else hex_word(read_place(g, body))


def units_of(g: State, body: Plain) -> list[str]:
    """Units of an order. Raises Rejected."""
    return read_units(g, body)
