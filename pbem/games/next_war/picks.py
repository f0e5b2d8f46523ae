"""Picks and notation that the forms of this game share: places, units, movement points, lines of orders."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from math import gcd
from typing import TypeVar

from msgspec import Struct

from pbem.games.next_war.board import MP
from pbem.games.next_war.choices import Spot, spot_name, spot_word
from pbem.games.next_war.labels import unit as unit_name
from pbem.games.next_war.orders import fields, read_own, read_place, read_places, read_spot
from pbem.games.next_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Pick, Read, means_the_same, written
from pbem.kernel.gathering import Picker
from pbem.kernel.orders import Rejected
from pbem.kernel.picking import Field, Fields, Gesture, Said, Taken, Verbs, no_budget, no_picks
from pbem.kernel.questions import NONE
from pbem.kernel.wording import Message, msg, verbatim

A = TypeVar("A", int, str)


def label(g: State, place: int) -> str:
    """A hex as an order names it."""
    return g.board.hexes[place].label


def hex_of(g: State, name: str) -> int:
    """The hex of a label; 0 for what is none."""
    return g.board.labels.get(name.lower(), 0)


def picker(g: State) -> Picker:
    """Hexes and sea areas; units by their printed names."""
    named = partial(unit_name, g)
    return Picker(partial(label, g), lambda word: verbatim(spot_name(g, spot_at(g, word))), named, partial(where, g))


def spot_at(g: State, word: str) -> Spot:
    """The hex or sea area of a pick."""
    return (0, word) if word in g.board.areas else (hex_of(g, word), "")


def where(g: State, unit: str) -> str:
    """Where a unit is clicked: its hex or area, that of its ship."""
    piece = g.pieces[unit]
    holder = g.pieces[piece.aboard] if piece.aboard else piece
    return label(g, holder.at) if holder.at else holder.box


def legal(places: Iterable[A], check: Callable[[A], object]) -> Iterator[A]:
    """Those of some places, or units, that a check of the rules lets pass."""
    for place in places:
        try:
            check(place)
        except Rejected:
            continue
        yield place


def numbers(most: int) -> list[Pick]:
    """Air Points of an escort or a support."""
    return [Pick("number", str(n), msg("Air Points: {n}", n=n)) for n in range(1, most + 1)]


def points(spent: int) -> str:
    """Movement points in words, from sixths: 2, 1/2, 1 2/3."""
    whole, rest = divmod(spent, MP)
    part = f"{rest // gcd(rest, MP)}/{MP // gcd(rest, MP)}" if rest else ""
    return " ".join(([str(whole)] if whole or not rest else []) + ([part] if part else []))


# -- what orders say ---------------------------------------------------------------------------------------------------------


class Notation(Struct, frozen=True):
    """How the orders of one side are written, by the slots that fill their words, and read back."""

    g: State
    side: str
    read: Read

    def order(
        self, verb: str, fields: Sequence[Field], words: Mapping[str, str], budget: Callable[[Taken], Message] = no_budget
    ) -> Fields:
        """`words`: the word of each slot, in their order; "" where the order is that alone. Without picks it is none."""
        many = [f.slot for f in fields if f.most > 1]
        needed = [f.slot for f in fields if f.least]

        def make(taken: Taken) -> Plain:
            body: dict[str, Plain] = {}
            for slot, word in words.items():
                values: list[Plain] = [int(v) if slot == "number" else v for v in taken.all(slot)]
                if values:
                    body[word] = values if slot in many else values[0]
            return {verb: body.get("", body) or NONE}

        def said(body: Plain) -> Said:
            if body in (NONE, None) and not needed:
                return {}
            there = {"": body} if "" in words.values() else known(body, (*words.values(), "from"))
            given = {s: there.get(w) for s, w in words.items() if w in there or s in needed}
            found = {s: self._said(s, words[s], value, s in many) for s, value in given.items()}
            if "at" in needed and "at" not in words:
                found["at"] = [where(self.g, found["unit"][0])]
            passed = (*found.get("at", ()), *found.get("to", ()))
            return {**found, "via": [h for h in found.get("via", ()) if h not in passed]}

        return Fields(tuple(fields), make, said, self.read, budget)

    def _said(self, slot: str, word: str, value: Plain, many: bool) -> list[str]:
        """What an order says for a slot. Raises Rejected."""
        if slot == "number":
            return [str(value)] if str(value) != "0" else []
        if slot in ("unit", "with", "by") and word != "base":
            return own_units(self.g, self.side, value)
        return [label(self.g, h) for h in read_places(self.g, value)] if many else [hex_word(self.g, value)]

    def form(self, verbs: Sequence[str], gestures: Mapping[str, Gesture], bare: Sequence[str] = ()) -> Verbs:
        """A question of several verbs."""
        return Verbs(self.read, verbs, gestures, bare=bare, line=line_of(self.read))


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
    found = fields({"units": body} if isinstance(body, list) else body, ALL_KEYS)
    if not {*found} <= {*keys, "units"}:
        raise no_picks()
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
