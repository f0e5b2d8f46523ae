"""What people type, `buy 4 inf 1 trn`, `attack Yunnan [from Kwangsi] with all`, `3 inf, 1 ftr -> Yunnan`, as orders that stand.

It helps a writer before a file is signed; what `orders` reads stays as it is, so that signed files mean what they meant.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from msgspec import Struct, field

from pbem.games.axis_and_allies_pacific.board import Board
from pbem.games.axis_and_allies_pacific.moves import is_free
from pbem.games.axis_and_allies_pacific.notation import units_text
from pbem.games.axis_and_allies_pacific.orders import ALIASES, MARKS, TYPES, slug
from pbem.games.axis_and_allies_pacific.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.forms import verbs_of
from pbem.kernel.orders import Rejected, ambiguous, closest, did_you_mean, illegal, unreadable
from pbem.kernel.wording import msg, quoted

SYNONYMS = {"attack": "move", "purchase": "buy", "fly": "move", "sail": "move", "mobilize": "place"}
UNITS = {
    **ALIASES,
    "cr": "cruiser",
    "armors": "tank",
    "arty": "artillery",
    "tacticals": "tactical-bomber",
    "tb": "tactical-bomber",
}
PLACES = {
    "indochina": "french-indo-china",
    "indo-china": "french-indo-china",
    "solomons": "solomon-islands",
    "gilberts": "gilbert-islands",
    "marshalls": "marshall-islands",
    "carolines": "caroline-islands",
    "aleutians": "aleutian-islands",
    "hawaii": "hawaiian-islands",
}
WORDS = {"us": ("united", "states"), "usa": ("united", "states"), "is": ("islands",), "isl": ("islands",)}
ALL = "all"
ROUTES = ("move", "bomb", "assault", "unload", "load")
SPLIT = ("sea", "air", "land")  # in this order: a carrier leaves its aircraft in the air, and they find it where it went
LONGEST = 4  # words of a name
Role = Literal["", "from", "to", "via"]
ROLES: dict[str, Role] = {"from": "from", "to": "to", "into": "to", "in": "to", "at": "to", "via": "via", "through": "via"}
IDLE = ("with", "and", "the", "of", "attack")  # words that say nothing more


class Heard(Struct):
    """The parts of a line: units by name, whether all of those there are meant, spaces with what each is."""

    units: dict[str, int] = field(default_factory=dict)
    all_of: list[str] = field(default_factory=list)  # types of which all are meant; "" all units
    spaces: list[tuple[Role, str]] = field(default_factory=list)

    def way(self) -> tuple[str, str, list[str]] | None:
        """Where from, where to, and the spaces between; None where the line does not say it once."""
        by = {role: [s for r, s in self.spaces if r == role] for role in ("", "from", "to", "via")}
        origins, ends, rest = by["from"], by["to"], by[""]
        if not origins and rest and (len(rest) > 1 or ends):
            origins, rest = rest[:1], rest[1:]
        if not ends and rest:
            ends, rest = rest[:1], rest[1:]
        return (origins[0], ends[0], by["via"]) if len(origins) == len(ends) == 1 and not rest else None


def typed(g: State, ask: Ask | Commit, order: Plain) -> list[Plain]:
    """The orders that a line means; none where it is no such line. Raises Rejected at an unknown word."""
    verb, body = _parted(order, verbs_of(ask))
    if verb not in (*ROUTES, "buy", "place", "retreat") or verb not in verbs_of(ask):
        return []
    if isinstance(body, dict):
        return [{verb: _spelled(g.board, body)}]
    if not isinstance(body, str):
        return []
    heard = _heard(g.board, body, verb)
    spaces = [_printed(g.board, space) for _, space in heard.spaces]
    if verb == "buy":
        return [{verb: units_text(heard.units)}] if heard.units and not spaces else []
    if verb == "place":
        return [{verb: f"{units_text(heard.units)} in {spaces[0]}"}] if heard.units and len(spaces) == 1 else []
    if verb == "retreat":
        return [{verb: spaces[0]}] if len(spaces) == 1 and not heard.units else []
    return _routes(g, ask.seat, verb, heard)


def _parted(order: Plain, verbs: Sequence[str]) -> tuple[str, Plain]:
    """Verb and rest of an order; a synonym is the verb that it means."""
    if isinstance(order, dict) and len(order) == 1:
        (verb, body), *_ = order.items()
        word = verb.strip().lower()
    else:
        word, _, body = str(order).strip().replace(":", " ", 1).partition(" ")
        word = word.lower()
    return (word, body) if word in verbs else (SYNONYMS.get(word, word), body)


def _spelled(board: Board, body: dict[str, Plain]) -> dict[str, Plain]:
    """A body of keys with the spaces that it names."""
    found = dict(body)
    for key in ("from", "to", "zone", "in"):
        if isinstance(body.get(key), str | int):
            found[key] = _space(board, str(body[key]).lower().split()) or body[key]
    return found


# -- words -------------------------------------------------------------------------------------------------------------


def _heard(board: Board, text: str, verb: str) -> Heard:
    """The words of a line, the longest name first. Raises Rejected at one that nobody knows."""
    words = re.sub(r"->|=>|→|➔|>", " to ", text)
    words = re.sub(r"\b(?:sea[ -]?zone|sz|z)[ -]?0*(\d+)\b", r" sz-\1 ", words, flags=re.IGNORECASE)
    words = re.sub(r"\b(\d+)\s*x?\s*([a-z])", r"\1 \2", words, flags=re.IGNORECASE)
    role: Role = ""
    heard, rest = Heard(), [w.strip(".") for w in re.split(r"[\s,;:+&]+", words) if w.strip(".")]
    while rest:
        word = rest[0].lower()
        if word in ROLES and verb != "buy":
            role, rest = ROLES[word], rest[1:]
        elif word in IDLE:
            role, rest = "", rest[1:]
        elif used := _units_heard([w.lower() for w in rest], heard):
            role, rest = "", rest[used:]
        else:
            used, space = _space_heard(board, rest)
            heard.spaces.append((role, space))
            role, rest = "via" if role == "via" else "", rest[used:]
    return heard


def _units_heard(words: Sequence[str], heard: Heard) -> int:
    """How many of the words are a group of units, which is counted; 0: they are none."""
    at, count = 0, ""
    if words[0].isdecimal() or words[0] == ALL:
        at, count = 1, words[0]
    mark = words[at] if at < len(words) and words[at] in MARKS else ""
    start = at + bool(mark)
    for size in range(min(LONGEST, len(words) - start), 0, -1):
        kind = _type("-".join(words[start : start + size]))
        if kind and count == ALL:
            heard.all_of.append(kind)
        elif kind:
            name = f"{mark} {kind}".strip()
            heard.units[name] = heard.units.get(name, 0) + int((count or "1")[:4])
        if kind:
            return start + size
    if count == ALL:
        heard.all_of.append("")
        return 1
    return 0


def _type(name: str) -> str:
    """A unit or facility by name, plural, abbreviation or unambiguous beginning; "" for anything else."""
    for word in (name, name.removesuffix("s")):
        known = UNITS.get(word, word)
        starts = [t for t in TYPES if len(word) >= 3 and t.startswith(word)]
        if known in TYPES or len(starts) == 1:
            return known if known in TYPES else starts[0]
    return ""


def _space_heard(board: Board, words: Sequence[str]) -> tuple[int, str]:
    """How many of the words name a space, and which. Raises Rejected where none does."""
    for size in range(min(LONGEST, len(words)), 0, -1):
        space = _space(board, words[:size])
        if space:
            return size, space
    raise _unknown(board, words)


def _unknown(board: Board, words: Sequence[str]) -> Rejected:
    """A word that is neither unit nor space, and which of them are spelt most like it or like it and the next."""
    names = {t: _printed(board, t) for t in board.territories}
    for word in (" ".join(words[:2]), words[0]):
        near = closest(slug(word), [*names, *TYPES, *UNITS], 0.7)
        if near and near[0] not in names:
            return unreadable(msg("there is no unit {given}", given=quoted(word)), did_you_mean(near))
        if near:
            return unreadable(
                msg("there is no space {given}", given=quoted(word)), did_you_mean([names.get(n, n) for n in near])
            )
    return unreadable(msg("there is no space {given}", given=quoted(words[0])))


def _printed(board: Board, space: str) -> str:
    """A space as the map calls it, where an order can call it so."""
    name = board.name(space)
    return name if slug(name) == space or space in board.zones else space


def _space(board: Board, words: Sequence[str]) -> str:
    """A space by name, number of its zone, abbreviation, city, or beginnings of its words; "" for anything else."""
    name = slug(" ".join(words).replace(".", ""))
    zone = f"sz-{name.removeprefix('sz-')}"
    if name in board.neighbours or zone in board.zones:
        return name if name in board.neighbours else zone
    cities = {slug(city): at for city, at in board.victory_cities.items()}
    known = {**_initials(board), **cities, **PLACES}.get(name, "")
    if known in board.neighbours or len(name) < 3:
        return known if known in board.neighbours else ""
    wanted = [part for word in name.split("-") for part in WORDS.get(word, (word,))]
    starts = [t for t in board.territories if _begins(t.split("-"), wanted)]
    if len(starts) > 1:
        raise ambiguous(msg("space {given}", given=quoted(" ".join(words))), [board.name(s) for s in starts])
    return starts[0] if starts else ""


def _begins(name: Sequence[str], wanted: Sequence[str]) -> bool:
    """Each word wanted begins the word of the name in its place."""
    return len(wanted) <= len(name) and all(part.startswith(word) for part, word in zip(name, wanted, strict=False))


def _initials(board: Board) -> dict[str, str]:
    """`wus` for Western United States: first letters that only one territory has."""
    found: dict[str, list[str]] = {}
    for territory in board.territories:
        found.setdefault("".join(word[0] for word in territory.split("-")), []).append(territory)
    return {letters: these[0] for letters, these in found.items() if len(these) == 1 and len(letters) > 1}


# -- orders ------------------------------------------------------------------------------------------------------------


def _routes(g: State, power: str, verb: str, heard: Heard) -> list[Plain]:
    """A line of movement as one order for each of land, sea and air units. Raises Rejected where `all` is nobody."""
    way = heard.way()
    if way is None:
        return _from_around(g, power, heard) if verb == "move" else []
    origin, to, via = way
    units = {**heard.units, **{k: n for kind in heard.all_of for k, n in _all_there(g, power, origin, kind, verb).items()}}
    if heard.all_of and not units:
        raise illegal(msg("{place}: nothing there can be ordered now", place=_printed(g.board, origin)), "CM-10")
    between = f" via {', '.join(_printed(g.board, s) for s in via)}" if via else ""
    ends = f" from {_printed(g.board, origin)} {'in' if verb == 'load' else 'to'} {_printed(g.board, to)}{between}"
    if verb != "move":
        return [{verb: units_text(units) + ends}] if units else []
    kinds = {name: g.board.types[name.rpartition(" ")[2]].kind for name in units if name.rpartition(" ")[2] in g.board.types}
    parts = ({name: n for name, n in units.items() if kinds.get(name) == kind} for kind in SPLIT)
    return [{verb: units_text(part) + ends} for part in parts if part]


def _from_around(g: State, power: str, heard: Heard) -> list[Plain]:
    """`attack Yunnan with all`: all land units beside a territory that can still be ordered, an order for each place."""
    if heard.units or heard.all_of != [""] or len(heard.spaces) != 1 or heard.spaces[0][1] not in g.board.territories:
        return []
    to = heard.spaces[0][1]
    beside = {at: _all_there(g, power, at, "", "move") for at in g.board.neighbours[to] if at in g.board.territories}
    marching = {at: {t: n for t, n in units.items() if g.board.types[t].kind == "land"} for at, units in beside.items()}
    route = f"to {_printed(g.board, to)}"
    return [{"move": f"{units_text(units)} from {_printed(g.board, at)} {route}"} for at, units in marching.items() if units]


def _all_there(g: State, power: str, at: str, kind: str, verb: str) -> dict[str, int]:
    """All own units in a space that can still be ordered, or all of one type."""
    combat = g.phase == "combat-move"
    found: dict[str, int] = {}
    for unit in g.at(at):
        cargo = unit.aboard is not None and g.board.types[unit.type].kind == "land"
        free = cargo if verb in ("assault", "unload") else is_free(g, unit)
        if unit.owner == power and free and kind in ("", unit.type) and not (combat and unit.type == "aa-gun"):
            found[unit.type] = found.get(unit.type, 0) + 1
    return found
