"""Players' notation: unit and place names as people write them; fields such as `UNITS from HEX to HEX via HEX, HEX`."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pbem.games.next_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.naming import words_of
from pbem.kernel.orders import Rejected, illegal, unreadable
from pbem.kernel.orders import split_order as split_order  # the game's modules read orders by way of this one
from pbem.kernel.wording import Message, msg, quoted


def only(verb: str, body: Plain) -> None:
    """The order stands alone."""
    if body is not None:
        raise unreadable(msg("{verb} stands alone, without {given}", verb=verb, given=quoted(body)))


def fields(body: Plain, keys: Sequence[str], needed: Sequence[str] = ()) -> dict[str, Plain]:
    """A body cut at its key words: `A, B to N2718 via N2817` -> units, to, via. A mapping is taken as it is.

    What stands before the first key word is `units`. Raises Rejected for unknown, repeated or missing fields.
    """
    if isinstance(body, dict):
        found: dict[str, Plain] = dict(body)
    elif isinstance(body, str):
        found = _cut(body, keys)
    else:
        raise unreadable(msg("{given} cannot be read here", given=quoted(body)), _its_words(keys))
    unknown = [k for k in found if k not in keys and k != "units"]
    if unknown:
        raise unreadable(msg("{given} is no word of this order", given=quoted(unknown[0])), _its_words(keys))
    for key in needed:
        if found.get(key) in (None, ""):
            raise unreadable(
                msg("{given}: this word is missing: {word}", given=quoted(body), word=key),
                _its_words(keys),
            )
    return found


def _its_words(keys: Sequence[str]) -> Message:
    return msg("its words: {words}", words=", ".join(keys))


def _cut(text: str, keys: Sequence[str]) -> dict[str, Plain]:
    parts = re.split(rf"(?:^|\s+)({'|'.join(keys)})(?=\s|$)", text.strip(), flags=re.I)
    found: dict[str, Plain] = {"units": parts[0].strip()} if parts[0].strip() else {}
    for word, value in zip(parts[1::2], parts[2::2], strict=True):
        if word.lower() in found:
            raise unreadable(msg("{given}: this word stands there twice: {word}", given=quoted(text), word=word))
        found[word.lower()] = value.strip()
    return found


def first_legal(wanted: Plain, order_of: Callable[[Plain], Plain]) -> Plain:
    """The first item of a standing list that no rule forbids now, as an order; None without one.

    `order_of` reads one item. Raises Rejected for an item whose words cannot be understood: a slip is not passed over.
    """
    for item in wanted if isinstance(wanted, list) else [wanted]:
        try:
            return order_of(item)
        except Rejected as refusal:
            if any(problem.verdict != "not allowed" for problem in refusal.problems):
                raise
    return None


def read_unit(g: State, text: Plain, own: str = "") -> str:
    """A unit by id, name, or an unambiguous part of its name; with `own`, that side's units come first. Raises Rejected."""
    return g.board.unit_index.one(text, own)


def read_units(g: State, body: Plain, own: str = "") -> list[str]:
    """A list of units: YAML list or names with commas or "and" between them. Raises Rejected for unknown or repeated ones."""
    return g.board.unit_index.many(body, "8.5", own)


def read_own(g: State, body: Plain, side: str, rule: str) -> list[str]:
    """Units that must be one's own. Raises Rejected."""
    units = read_units(g, body, side)
    for unit in units:
        if g.seat(unit) != side:
            raise illegal(msg("{unit} is not yours", unit=g.counter(unit).name), rule)
    return units


def read_place(g: State, text: Plain) -> int:
    """A hex by number or name. Raises Rejected."""
    return g.board.place_index.one(text)


def read_places(g: State, body: Plain) -> list[int]:
    """Hexes divided by commas or blanks, or a list. Raises Rejected."""
    return g.board.place_index.along(body)


def read_spot(g: State, text: Plain) -> tuple[int, str]:
    """A hex or a sea area: (hex, "") or (0, area). Raises Rejected."""
    area = g.board.area_names.get(words_of(str(text)))
    if area:
        return 0, area
    return read_place(g, text), ""
