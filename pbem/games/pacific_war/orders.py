"""Players' notation: units by id, code or an unambiguous part of the name; hexes by number or name."""

from __future__ import annotations

from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.naming import parts_of

ALL, PASS = "all", "pass"


def read_unit(g: State, text: Plain, seat: str = "") -> str:
    """A unit, preferably one of `seat` when a code is used on both sides. Raises Rejected."""
    return g.board.unit_index.one(text, seat)


def read_units(g: State, body: Plain, seat: str = "") -> list[str]:
    """Several units, none twice. Raises Rejected."""
    return g.board.unit_index.many(body, "PW-GEN-01", seat, least=0)


def unit_parts(g: State, body: Plain) -> list[Plain]:
    """A list, or names with commas or "and" between them. Raises Rejected when there is nothing."""
    return parts_of(body, g.board.unit_index.is_name)


def read_place(g: State, text: Plain) -> int:
    """A hex by number or name. Raises Rejected."""
    return g.board.place_index.one(text)


def place_parts(g: State, body: Plain) -> list[Plain]:
    """A list of hexes, or names and numbers with commas or "and" between them. Raises Rejected when there is nothing."""
    return parts_of(body, g.board.place_index.is_name)


def read_places(g: State, body: Plain) -> list[int]:
    """Several hexes. Raises Rejected."""
    return [read_place(g, part) for part in place_parts(g, body)]
