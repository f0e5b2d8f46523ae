"""Orders of hex games as people type them: short names of units and places, arrows, words that are left out, usual verbs.

It helps a writer before a file is signed; what the rules read stays as it is, so that signed files mean what they meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from msgspec import Struct, field

from pbem.kernel.canon import Plain
from pbem.kernel.naming import Index, hex_number
from pbem.kernel.orders import Rejected

LONGEST = 6  # words of a name
ROLES = {"from": "from", "to": "to", "into": "to", "in": "at", "at": "at", "on": "at", "via": "via", "through": "via"}
ROLES |= {"with": "with", "by": "by", "and": "", "the": "", "of": ""}
SMALL = {*ROLES, "all"}  # they may stand in a name, and begin none of its words
_LABEL = re.compile(r"[A-Za-z]?[0-9]{3,4}")  # what is printed in a hex
_ARROW = re.compile(r"\s*(?:->|=>|→|➔|>)\s*")
_COMMAS = (",", ";", "&", "+")  # between names


class Vocabulary(Struct, frozen=True):
    """What a game lends to its writers.

    `shapes`: how the body of a verb is written, with {units}, {place}; "map": as a mapping of each unit to the place, "ways":
    to a list of places. Any other verb with units and a place is `UNITS from PLACE to PLACE via PLACES`. `verbs`: another word
    for one of these verbs, the first that is asked. `here`: the own units in a place, for "all".
    """

    units: Index[str]
    places: Index[int]
    verbs: Mapping[str, Sequence[str]]
    shapes: Mapping[str, str]
    here: Callable[[int], Sequence[str]]
    number: Callable[[int], str] = "{:04}".format


class _Heard(Struct):
    """The parts of a line. `all`: of the units where from or where they are; `left`: words that nobody knows."""

    units: list[str] = field(default_factory=list)
    spots: list[tuple[str, int]] = field(default_factory=list)  # the word before it, and the place
    left: list[str] = field(default_factory=list)
    way: str = ""
    all: bool = False
    comma: bool = False  # behind the latest unit


def typed(known: Vocabulary, side: str, verbs: Sequence[str], order: Plain) -> list[Plain]:
    """The orders that a line means; none where it says nothing that the rules could not read themselves.

    `side` writes it, `verbs` are asked. Raises Rejected where a short name has several meanings.
    """
    verb, body = parted(order, verbs)
    asked = next((v for v in (verb, *known.verbs.get(verb, ())) if v in verbs), "")
    if not asked:
        return []
    if isinstance(body, list):
        whole = [_name(known, side, part) for part in body]
        return [{asked: whole}] if whole != body or asked != verb else []
    if not body:
        return []
    if not isinstance(body, str):
        return [{asked: body}] if asked != verb and body is not None else []
    return [{asked: _body(known, asked, _heard(known, side, body)) or body}]


def parted(order: Plain, verbs: Sequence[str]) -> tuple[str, Plain]:
    """Verb and rest."""
    if isinstance(order, dict) and len(order) == 1:
        ((verb, body),) = order.items()
        return verb.strip().lower(), body
    if not isinstance(order, str):
        return "", None
    for verb in sorted(verbs, key=lambda v: (-len(v), v)):
        if re.match(rf"{re.escape(verb)}(?=[\s:])", order.strip(), re.IGNORECASE):
            return verb, order.strip()[len(verb) :].lstrip(" :")
    verb, *rest = re.split(r"[\s:]+", order.strip(), maxsplit=1)
    return verb.lower(), "".join(rest)


def _heard(known: Vocabulary, side: str, text: str) -> _Heard:
    """The words of a line, the longest name first."""
    heard, role = _Heard(), ""
    pieces = re.split(r"([,;&+])|\s+", _ARROW.sub(" to ", text))
    rest = [p for p in pieces if p and p not in _COMMAS]
    stops = _stops(pieces)
    while rest:
        word = rest[0].lower().strip(".:")
        if role == "by":
            heard.way, role, used = word, "", 1
        elif word in ROLES:
            role, used = ROLES[word], 1
        elif word == "all":
            heard.all, used = True, 1
        else:
            used, role = _named(known, side, rest, stops, role, heard)
        rest, stops = rest[used:], stops[used:]
    return heard


def _stops(pieces: Sequence[str | None]) -> list[bool]:
    """For each word whether a comma stands behind it."""
    found: list[bool] = []
    for piece in pieces:
        if piece in _COMMAS:
            found[-1:] = [True] if found else []
        elif piece:
            found.append(False)
    return found


def _named(
    known: Vocabulary, side: str, rest: Sequence[str], stops: Sequence[bool], role: str, heard: _Heard
) -> tuple[int, str]:
    """How many words name a unit or a place, which is noted, or else one word that nobody knows; the role that goes on."""
    end = next((n + 1 for n, stop in enumerate(stops) if stop), len(rest))
    for size in range(min(LONGEST, end), 0, -1):
        words = [w.strip(".") for w in rest[:size]]
        if any(hex_number(w) for w in words[1:]):
            continue
        name, whole = " ".join(words), any(w.lower() in SMALL for w in words[1:])
        last = size == len(rest) and bool(heard.units) and not heard.spots and role != "with"
        wants_place = role in ("from", "to", "at", "via") or (
            last and not heard.comma and _place(known, name, whole) is not None
        )
        if not wants_place and (unit := _unit(known, side, name, whole)):
            heard.units.append(unit)
            heard.comma = stops[size - 1]
            return size, "with" if role == "with" else ""
        if (place := _place(known, name, whole)) is not None:
            heard.spots.append((role, place))
            return size, "via" if role == "via" else ""
    heard.left.append(rest[0])
    return 1, role


def _unit(known: Vocabulary, side: str, name: str, whole: bool = False) -> str:
    """A unit by name, or, unless `whole`, by the beginnings of its words; "" for none. Raises Rejected for several."""
    if hex_number(name):
        return ""
    try:
        return known.units.one(name, side)
    except Rejected as error:
        if any(p.verdict == "means two things" for p in error.problems):
            raise
    return "" if whole else known.units.begun(name, side) or ""


def _place(known: Vocabulary, name: str, whole: bool) -> int | None:
    """The same of a place; also by number, or by number and name, which have to be the same one's."""
    number, _, rest = name.partition(" ")
    if rest and _LABEL.fullmatch(number):
        name = f"{rest} {number}"  # behind a number that stands first nobody would look at the name
    try:
        return known.places.one(name)
    except Rejected:
        return None if whole else known.places.begun(name)


def _name(known: Vocabulary, side: str, part: Plain) -> Plain:
    """A name of a list, as it is known."""
    if isinstance(part, str) and (unit := _unit(known, side, part)):
        return _written(known, unit)
    return part


def _written(known: Vocabulary, unit: str) -> str:
    """A unit as its counter calls it, where that means it alone."""
    title = known.units.title(unit)
    try:
        return title if known.units.one(title) == unit and "," not in title else unit
    except Rejected:
        return unit


def _body(known: Vocabulary, verb: str, heard: _Heard) -> Plain:
    """The parts as the rules read them; None where something is left over. Where units are goes without saying."""
    by = {role: [known.number(p) for r, p in heard.spots if r == role] for role in ("", "from", "to", "at", "via")}
    free, via = [*by[""]], by["via"]
    shape = known.shapes.get(verb, "")
    mapped = shape in ("map", "ways")
    origin, free = _taken(by["from"], free, (len(free) > 1 or bool(by["to"])) and not shape)
    end, free = _taken([*by["to"], *by["at"]], free, True)
    names = [_written(known, unit) for unit in heard.units] + heard.left
    if heard.all and heard.spots:
        place = next((p for r, p in heard.spots if r == "from"), heard.spots[0][1])
        names += [_written(known, unit) for unit in known.here(place)]
    unsaid = bool(shape) and (bool(heard.way) or (bool(via) and shape != "ways"))
    if (heard.left and not mapped) or (free and shape != "ways") or unsaid:
        return None
    if mapped:
        way: Plain = [*via, *end, *free] if shape == "ways" else (end[0] if len(end) == 1 else None)
        numbered: Plain = [*map(_number, way)] if isinstance(way, list) else _number(way)
        return dict.fromkeys(names, numbered) if names and way else None
    units = ", ".join(names)
    if shape:
        return shape.format(units=units, place=end[0]) if units and len(end) == 1 else None
    parts = [units, *(f"from {p}" for p in origin), *(f"to {p}" for p in end)]
    parts += [f"via {', '.join(via)}"] * bool(via) + [f"by {heard.way}"] * bool(heard.way)
    return " ".join(parts) if units and len(end) <= 1 else None


def _taken(named: Sequence[str], free: list[str], wanted: bool) -> tuple[list[str], list[str]]:
    """What stands behind its word, else the first of the places that stand behind none."""
    return ([*named], free) if named or not wanted else (free[:1], free[1:])


def _number(word: Plain) -> Plain:
    return int(word) if isinstance(word, str) and word.isdecimal() and not word.startswith("0") else word
