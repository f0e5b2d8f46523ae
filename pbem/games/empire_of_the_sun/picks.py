"""Picks that the forms of this game share: units where they stand, hexes, the China box, cards with their texts."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.labels import BOXES
from pbem.games.empire_of_the_sun.labels import unit as unit_name
from pbem.games.empire_of_the_sun.orders import read_place, read_unit, read_units
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Read
from pbem.kernel.gathering import Picker
from pbem.kernel.picking import Field, Fields, Said, Taken
from pbem.kernel.wording import Message, verbatim

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


def picker(g: State) -> Picker:
    """Hexes and the China box; units by their printed names."""

    def named(word: str) -> Message:
        return verbatim(g.board.name(int(word))) if word.isdecimal() else BOXES[CHINA]

    return Picker(hex_word, named, lambda unit: unit_name(g, unit), lambda unit: where(g, unit))


def place_word(g: State, body: Plain) -> str:
    """A place of an order as a pick has it. Raises Rejected."""
    text = str(body).strip().lower()
    return CHINA if text in ("china", "china box") else hex_word(read_place(g, body))


def phrased(g: State, verb: str, between: str, slots: tuple[str, str], fields: Sequence[Field], read: Read) -> Fields:
    """An order of one phrase, such as `UNITS to HEX`: the values of two slots with a word between. Nobody is all."""
    first, last = slots

    def make(taken: Taken) -> Plain:
        return {verb: f"{', '.join(taken.all(first)) or ALL} {between} {_written(taken.one(last))}"}

    def said(body: Plain) -> Said:
        one, _, other = str(body).rpartition(f" {between} ")
        units, end = [] if one.strip() == ALL else units_of(g, one.strip()), other.strip()
        at = [where(g, units[0])] if fields[0].slot == "at" else []
        return {"at": at, first: units, last: [place_word(g, end) if last == "to" else read_unit(g, end)]}

    return Fields(tuple(fields), make, said, read)


def _written(word: str) -> str:
    return "china box" if word == CHINA else word


def units_of(g: State, body: Plain) -> list[str]:
    """Units of an order. Raises Rejected."""
    return read_units(g, body)
