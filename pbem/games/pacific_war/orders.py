"""Players' notation: units by id, code or an unambiguous part of the name; hexes by number or name."""

from __future__ import annotations

import re

from pbem.games.pacific_war.board import words_of
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.orders import ambiguous, illegal, nearest, unreadable

ALL, NONE, PASS, DONE = "all", "none", "pass", "done"


def read_unit(g: State, text: Plain, seat: str = "") -> str:
    """A unit, preferably one of `seat` when a code is used on both sides. Raises Rejected."""
    if not isinstance(text, str):
        raise unreadable(f"{text!r} is no unit")
    index, wanted = g.board.unit_index, words_of(text)
    if wanted in index:
        return index[wanted]
    tokens = set(wanted.split())
    found = sorted({u for key, u in index.items() if tokens and tokens <= set(key.split())})
    own = [u for u in found if g.side(u) == seat]
    found = own if own else found
    if len(found) == 1:
        return found[0]
    if found:
        raise ambiguous(f"{text!r} is the name of several units", found[:6])
    raise unreadable(f"there is no unit {text!r}", nearest(wanted, list(index)))


def parts_of(body: Plain) -> list[Plain]:
    """A YAML list, or words divided by commas. Raises Rejected when there is nothing."""
    if isinstance(body, list):
        return body
    if isinstance(body, str):
        return [p.strip() for p in re.split(r"[,;]", body) if p.strip()]
    raise unreadable(f"{body!r} is no list", "for example: CV1 Akagi, CV2 Kaga")


def read_units(g: State, body: Plain, seat: str = "") -> list[str]:
    """Several units, none twice. Raises Rejected."""
    units = [read_unit(g, p, seat) for p in parts_of(body)]
    for i, unit in enumerate(units):
        if unit in units[:i]:
            raise illegal(f"{unit} is named twice", "PW-GEN-01")
    return units


def read_place(g: State, text: Plain) -> int:
    """A hex by number or name. Raises Rejected."""
    if isinstance(text, int) and not isinstance(text, bool):
        number = text
    else:
        words = words_of(str(text))
        number = int(words.split()[0]) if re.match(r"\d{3,4}\b", words) else g.board.place_index.get(words, 0)
    if not number:
        raise unreadable(f"there is no hex {text!r}", nearest(words_of(str(text)), list(g.board.place_index)))
    if not g.board.on_map(number):
        raise illegal(f"{number:04d} is not on the map", "PW-MAP-06")
    return number


def read_places(g: State, body: Plain) -> list[int]:
    """Several hexes. Raises Rejected."""
    if isinstance(body, int) and not isinstance(body, bool):
        return [read_place(g, body)]
    return [read_place(g, p) for p in parts_of(body)]


def read_number(body: Plain, least: int, most: int, rule: str) -> int:
    """A whole number in bounds. Raises Rejected."""
    if isinstance(body, str) and body.isdigit():
        body = int(body)
    if isinstance(body, bool) or not isinstance(body, int):
        raise unreadable(f"{body!r} is no number")
    if not least <= body <= most:
        raise illegal(f"{body} is outside {least} to {most}", rule, f"{least} to {most}")
    return body
