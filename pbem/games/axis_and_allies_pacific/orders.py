"""Players' notation: `3 infantry, 1 artillery from Kwangsi to Yunnan`, aliases, abbreviations; and plain mappings."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from pbem.games.axis_and_allies_pacific.board import Board
from pbem.games.axis_and_allies_pacific.terms import example, one_of, place_on
from pbem.kernel.canon import Plain, in_key_order
from pbem.kernel.orders import ambiguous, illegal, nearest, nearest_verb, unreadable
from pbem.kernel.questions import DONE, NONE
from pbem.kernel.wording import msg, quoted, verbatim

ALONE = (DONE, NONE, "press")  # verbs that nothing follows

MARKS = ("damaged", "hit", "loaded", "empty")
ALIASES = {
    "inf": "infantry",
    "mech": "mechanized-infantry",
    "mech-inf": "mechanized-infantry",
    "mechs": "mechanized-infantry",
    "art": "artillery",
    "arty": "artillery",
    "tanks": "tank",
    "arm": "tank",
    "armor": "tank",
    "armour": "tank",
    "aa": "aa-gun",
    "aa-guns": "aa-gun",
    "aaa": "aa-gun",
    "aagun": "aa-gun",
    "fig": "fighter",
    "figs": "fighter",
    "fighters": "fighter",
    "ftr": "fighter",
    "tac": "tactical-bomber",
    "tacs": "tactical-bomber",
    "tactical-bombers": "tactical-bomber",
    "bomber": "strategic-bomber",
    "bombers": "strategic-bomber",
    "strategic-bombers": "strategic-bomber",
    "bmb": "strategic-bomber",
    "sub": "submarine",
    "subs": "submarine",
    "submarines": "submarine",
    "trn": "transport",
    "trans": "transport",
    "transports": "transport",
    "dd": "destroyer",
    "destroyers": "destroyer",
    "ca": "cruiser",
    "cruisers": "cruiser",
    "cv": "aircraft-carrier",
    "ac": "aircraft-carrier",
    "carrier": "aircraft-carrier",
    "carriers": "aircraft-carrier",
    "aircraft-carriers": "aircraft-carrier",
    "bb": "battleship",
    "battleships": "battleship",
    "minor": "minor-ic",
    "major": "major-ic",
    "airbase": "air-base",
    "air-bases": "air-base",
    "navalbase": "naval-base",
    "naval-bases": "naval-base",
    "ic": "minor-ic",
}
TYPES = (
    "infantry",
    "mechanized-infantry",
    "artillery",
    "tank",
    "aa-gun",
    "fighter",
    "tactical-bomber",
    "strategic-bomber",
    "submarine",
    "transport",
    "destroyer",
    "cruiser",
    "aircraft-carrier",
    "battleship",
    "minor-ic",
    "major-ic",
    "ic-upgrade",
    "air-base",
    "naval-base",
)
_ZONE = re.compile(r"(?:sz|sea[ -]?zone)[ -]?0*([0-9]+)")
_GROUP = re.compile(r"(?:(\d+)\s+)?(?:(damaged|hit|loaded|empty)\s+)?([a-z][a-z .-]*)")


class Group(Struct, frozen=True):
    """Some units of one type; `mark` is `damaged`, `hit`, `loaded` or `empty` where the order says so."""

    type: str
    count: int
    mark: str = ""


class Route(Struct, frozen=True):
    """Units, where from, where to, and the spaces between when they are named."""

    groups: tuple[Group, ...]
    origin: str
    to: str
    via: tuple[str, ...] = ()


def slug(text: str) -> str:
    """Small letters with hyphens."""
    return re.sub(r"[\s_'.]+", "-", text.strip().lower()).strip("-")


def split_order(plain: Plain, verbs: Sequence[str]) -> tuple[str, Plain]:
    """Verb and body of an order: a word, or a mapping of one verb. Raises Rejected with the nearest verb."""
    if isinstance(plain, str):
        given, body = plain.strip(), None
    elif isinstance(plain, dict) and len(plain) == 1:
        given, body = next(iter(plain.items()))
        given = given.strip()
    else:
        raise unreadable(
            msg("{given} is not an order", given=quoted(plain)),
            msg("an order is {done} or {verb}", done="`done`", verb="`verb: what`"),
        )
    verb = given.lower()
    if verb not in verbs:
        hint = nearest_verb(verb, verbs) or msg("orders here: {verbs}", verbs=tuple(verbs))
        raise unreadable(msg("{given} is no order here", given=quoted(given)), hint)
    if verb in ALONE and body is not None:
        raise unreadable(msg("{verb} stands alone, without {given}", verb=f"`{verb}`", given=quoted(body)))
    return verb, in_key_order(body)


def read_type(word: str) -> str:
    """A unit or facility type from its name, plural, alias or unambiguous beginning."""
    name = slug(word)
    name = ALIASES.get(name, name)
    if name in TYPES:
        return name
    matches = [t for t in TYPES if t.startswith(name)] if len(name) >= 3 else []
    if len(matches) == 1:
        return matches[0]
    if matches:
        raise ambiguous(verbatim(repr(word)), matches)
    raise unreadable(msg("there is no unit {given}", given=quoted(word)), nearest(name, [*TYPES, *ALIASES]))


def read_groups(plain: Plain) -> tuple[Group, ...]:
    """`3 infantry, 1 damaged battleship`, {infantry: 3} or a list of such texts."""
    if isinstance(plain, dict):
        return tuple(_group_of_pair(k, v) for k, v in plain.items())
    if isinstance(plain, list):
        return tuple(g for part in plain for g in read_groups(part))
    if not isinstance(plain, str):
        raise unreadable(msg("{given} names no units", given=quoted(plain)), example("`3 infantry, 1 artillery`"))
    parts = re.split(r"[,;+]|\band\b", plain.lower())
    return tuple(_group_of_text(p.strip()) for p in parts if p.strip())


def read_some(plain: Plain) -> tuple[Group, ...]:
    """The same of an order that moves units: it names at least one."""
    groups = read_groups(plain)
    if not groups:
        raise unreadable(msg("no units are named"), example("`3 infantry`"))
    return groups


def _group_of_pair(name: str, count: Plain) -> Group:
    if isinstance(count, bool) or not isinstance(count, int) or not 0 < count < 1000:
        raise unreadable(msg("{given} is no number of units", given=f"{name}: {count!r}"))
    mark, _, rest = name.strip().lower().partition(" ")
    return Group(read_type(rest), count, mark) if mark in MARKS else Group(read_type(name), count)


def _group_of_text(text: str) -> Group:
    match = _GROUP.fullmatch(text)
    if match is None:
        raise unreadable(msg("{given} names no units", given=quoted(text)), example("`3 infantry`"))
    count, mark, word = match.groups()
    if count == "0" or len(count or "") > 3:
        raise unreadable(msg("{given} is no number of units", given=quoted(text)))
    return Group(read_type(word), int(count or 1), mark or "")


def read_space(board: Board, plain: Plain) -> str:
    """A territory or sea zone by id, printed name or unambiguous beginning; `SZ 20`, `sz20`, `sea zone 20`."""
    if not isinstance(plain, str):
        raise unreadable(msg("{given} is no space", given=quoted(plain)))
    zone = _ZONE.fullmatch(plain.strip().lower())
    name = f"sz-{zone[1]}" if zone else slug(plain)
    if name in board.neighbours:
        return name
    names = [*board.territories]
    starts = [t for t in names if len(name) >= 3 and t.startswith(name)]
    if len(starts) == 1:
        return starts[0]
    if starts:
        raise ambiguous(msg("space {given}", given=quoted(plain)), [board.name(s) for s in starts])
    raise unreadable(msg("there is no space {given}", given=quoted(plain)), nearest(name, [*board.neighbours]))


def read_territory(board: Board, plain: Plain) -> str:
    """A territory."""
    space = read_space(board, plain)
    if space not in board.territories:
        raise unreadable(msg("{place} is a sea zone; a territory is needed", place=place_on(board, space)))
    return space


def read_route(board: Board, plain: Plain) -> Route:
    """`units from A to B via C, D`, or {units, from, to, via}."""
    if isinstance(plain, dict):
        return _route_of_mapping(board, plain)
    if not isinstance(plain, str):
        raise unreadable(msg("{given} is no movement", given=quoted(plain)), example("`2 infantry from Kwangsi to Yunnan`"))
    match = re.fullmatch(r"(.+?)\s+from\s+(.+?)\s+to\s+(.+?)(?:\s+via\s+(.+))?", plain.strip(), re.IGNORECASE)
    if match is None:
        raise unreadable(msg("{given} is no movement", given=quoted(plain)), example("`2 infantry from Kwangsi to Yunnan`"))
    units, origin, to, via = match.groups()
    between = tuple(read_space(board, p) for p in re.split(r"[,;>]", via or "") if p.strip())
    return Route(read_some(units), read_space(board, origin), read_space(board, to), between)


def _route_of_mapping(board: Board, plain: dict[str, Plain]) -> Route:
    unknown = sorted(plain.keys() - {"units", "from", "to", "via"})
    missing = [k for k in ("units", "from", "to") if k not in plain]
    if unknown or missing:
        raise unreadable(
            msg("unknown keys: {unknown}; missing: {missing}", unknown=tuple(unknown) or "-", missing=tuple(missing) or "-"),
            msg("keys are {keys}", keys="units, from, to, via"),
        )
    via = plain.get("via") or []
    if not isinstance(via, list):
        via = [via]
    groups, origin = read_some(plain["units"]), read_space(board, plain["from"])
    return Route(groups, origin, read_space(board, plain["to"]), tuple(read_space(board, v) for v in via))


def read_units_in(board: Board, plain: Plain, word: str) -> tuple[tuple[Group, ...], str]:
    """`units WORD space`, for example `3 infantry in Japan`, `2 at Japan`; or {units, WORD}."""
    if isinstance(plain, dict) and set(plain) == {"units", word}:
        return read_some(plain["units"]), read_space(board, plain[word])
    if isinstance(plain, str):
        head, found, tail = plain.rpartition(f" {word} ")
        if found:
            return read_some(head), read_space(board, tail)
    raise unreadable(msg("{given} cannot be read", given=quoted(plain)), example(f"`1 infantry {word} Japan`"))


def read_submarines(number: int, plain: Plain) -> int:
    """[GC-06] How many of so many submarines submerge. Raises Rejected."""
    _, body = split_order(plain, ("submarines",))
    if body in ("strike", "submerge"):
        return number if body == "submerge" else 0
    if not isinstance(body, dict) or any(k not in ("strike", "submerge") for k in body):
        raise unreadable(verbatim(repr(body)), one_of("strike, submerge, {strike: 1, submerge: 1}"))
    strike, dive = body.get("strike", 0), body.get("submerge", 0)
    if not all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in (strike, dive)):
        raise unreadable(msg("{given}: numbers of submarines are needed", given=quoted(body)))
    if strike + dive != number:  # type: ignore[operator]
        raise illegal(
            msg("{given} names not all submarines", given=quoted(body)), "GC-06", msg("submarines that decide: {n}", n=number)
        )
    return dive  # type: ignore[return-value]


def as_list(plain: Plain) -> list[Plain]:
    """A list, one thing as a list of one, `none` as an empty list."""
    if plain in (None, "none", []):
        return []
    return plain if isinstance(plain, list) else [plain]


def spell(counts: dict[str, int]) -> str:
    """`3 infantry, 1 tank` of a count by type."""
    return ", ".join(f"{n} {t}" for t, n in counts.items() if n) or "nothing"
