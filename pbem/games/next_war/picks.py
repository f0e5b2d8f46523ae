"""Picks and notation that the forms of this game share: places, units, movement points, lines of orders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import gcd

from pbem.games.next_war.board import MP
from pbem.games.next_war.choices import Spot, spot_name, spot_word
from pbem.games.next_war.labels import unit as unit_name
from pbem.games.next_war.orders import fields, read_own, read_place, read_spot
from pbem.games.next_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Lead, Pick, Read, means_the_same, written
from pbem.kernel.orders import unreadable
from pbem.kernel.wording import NO_WORDS, Message, msg, quoted, verbatim


def label(g: State, place: int) -> str:
    """A hex as an order names it."""
    return g.board.hexes[place].label


def hex_of(g: State, name: str) -> int:
    """The hex of a label; 0 for what is none."""
    return g.board.labels.get(name.lower(), 0)


def place_pick(g: State, slot: str, place: int, cost: Message = NO_WORDS, leads: tuple[Lead, ...] = ()) -> Pick:
    """A hex that can be clicked."""
    name = label(g, place)
    return Pick(slot, name, verbatim(g.board.name(place)), name, cost=cost, leads=leads)


def spot_pick(g: State, slot: str, spot: Spot) -> Pick:
    """A hex or a sea area."""
    word = spot_word(g, spot)
    return Pick(slot, word, verbatim(spot_name(g, spot)), word)


def spot_at(g: State, word: str) -> Spot:
    """The hex or sea area of a pick."""
    return (0, word) if word in g.board.areas else (hex_of(g, word), "")


def where(g: State, unit: str) -> str:
    """Where a unit is clicked: its hex or area, that of its ship."""
    piece = g.pieces[unit]
    holder = g.pieces[piece.aboard] if piece.aboard else piece
    return label(g, holder.at) if holder.at else holder.box


def unit_picks(g: State, slot: str, units: Iterable[str]) -> list[Pick]:
    """Units by their printed names, where they stand."""
    return [Pick(slot, u, unit_name(g, u), where(g, u)) for u in units]


def starts(g: State, units: Iterable[str]) -> list[Pick]:
    """The places of some units, each once."""
    return [spot_pick(g, "at", spot_at(g, w)) for w in dict.fromkeys(where(g, u) for u in units)]


def numbers(most: int) -> list[Pick]:
    """Air Points of an escort or a support."""
    return [Pick("number", str(n), msg("Air Points: {n}", n=n)) for n in range(1, most + 1)]


def points(spent: int) -> str:
    """Movement points in words, from sixths: 2, 1/2, 1 2/3."""
    whole, rest = divmod(spent, MP)
    part = f"{rest // gcd(rest, MP)}/{MP // gcd(rest, MP)}" if rest else ""
    return " ".join(([str(whole)] if whole or not rest else []) + ([part] if part else []))


# -- what orders say ---------------------------------------------------------------------------------------------------------


def own_units(g: State, side: str, body: Plain) -> list[str]:
    """Units of an order. Raises Rejected."""
    return read_own(g, body, side, "8.5")


def hex_word(g: State, body: Plain) -> str:
    """A hex of an order as a pick has it. Raises Rejected."""
    return label(g, read_place(g, body))


def spot_words(g: State, body: Plain) -> str:
    """A hex or sea area of an order as a pick has it. Raises Rejected."""
    return spot_word(g, read_spot(g, body))


def known(body: Plain, keys: Sequence[str]) -> dict[str, Plain]:
    """A body cut at its key words, when the form has a field for each of them. Raises Rejected."""
    found = fields(body, ALL_KEYS)
    strange = [k for k in found if k not in (*keys, "units")]
    if strange:
        raise unreadable(msg("{given} is no word of this order", given=quoted(strange[0])))
    return found


ALL_KEYS = ("from", "to", "via", "escort", "then", "clear", "base", "by", "on", "with", "at", "lead", "air", "helos", "ships")


def line_of(read: Read) -> Callable[[Plain], Plain]:
    """`move: 3/II, 6/II to N2718 via N2817`: an order as a player writes it, where that is read as the same."""

    def line(order: Plain) -> Plain:
        if isinstance(order, dict) and len(order) == 1:
            (verb, body), *_ = order.items()
            short: Plain = {verb: _short(body)}
            if isinstance(body, dict | list) and means_the_same(read, short, order):
                return short
        return written(order, read)

    return line


def _short(body: Plain) -> str:
    if not isinstance(body, dict):
        return _listed(body)
    units = [_listed(body["units"])] if "units" in body else []
    return " ".join([*units, *(f"{key} {_listed(value)}" for key, value in body.items() if key != "units")])


def _listed(value: Plain) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
