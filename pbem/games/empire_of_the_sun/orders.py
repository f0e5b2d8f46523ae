"""Players' notation: unit and place names as people write them, lists of units, `from X to Y via A, B`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pbem.games.empire_of_the_sun.board import words_of
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected, ambiguous, illegal, nearest, unreadable
from pbem.kernel.orders import split_order as split_order  # the game's modules read orders by way of this one

DONE = "done"
WAYS = ("asp", "organic", "barge", "strategic", "china")


def read_unit(g: State, text: Plain) -> str:
    """A unit by id, name, or an unambiguous part of its name. Raises Rejected."""
    if not isinstance(text, str):
        raise unreadable(f"{text!r} is no unit")
    index, wanted = g.board.unit_index, words_of(text)
    if wanted in index:
        return index[wanted]
    tokens = set(wanted.split())
    found = sorted({unit for key, unit in index.items() if tokens and tokens <= set(key.split())})
    if len(found) == 1:
        return found[0]
    if found:
        raise ambiguous(f"{text!r} is the name of several units", [g.counter(u).name for u in found[:6]])
    raise unreadable(f"there is no unit {text!r}", nearest(wanted, list(index)))


def read_units(g: State, body: Plain) -> list[str]:
    """A list of units: YAML list or words divided by commas. Raises Rejected for unknown or repeated ones."""
    parts = (
        body
        if isinstance(body, list)
        else [p for p in re.split(r"[,;]| and ", body) if p.strip()]
        if isinstance(body, str)
        else None
    )
    if not parts:
        raise unreadable(f"{body!r} names no units", "for example: CV Akagi, CV Soryu")
    units = [read_unit(g, p.strip() if isinstance(p, str) else p) for p in parts]
    for i, unit in enumerate(units):
        if unit in units[:i]:
            raise illegal(f"{g.counter(unit).name} is named twice", "7.23")
    return units


def read_place(g: State, text: Plain) -> int:
    """A hex by number or name. Raises Rejected."""
    index = g.board.place_index
    wanted = f"{text:04}" if isinstance(text, int) and not isinstance(text, bool) else words_of(str(text))
    if wanted in index:
        return index[wanted]
    tokens = set(wanted.split())
    found = sorted({h for key, h in index.items() if tokens and tokens <= set(key.split())})
    if len(found) == 1:
        return found[0]
    if found:
        raise ambiguous(f"{text!r} is the name of several hexes", [g.board.name(h) for h in found[:6]])
    raise unreadable(f"there is no hex {text!r}", nearest(wanted, list(index)))


@dataclass(frozen=True, slots=True)
class Route:
    """Units of one stack, where to (0: the China box), the hexes named on the way, and how."""

    units: tuple[str, ...]
    to: int
    via: tuple[int, ...] = ()
    way: str = ""
    box: str = "map"


_ROUTE = re.compile(
    r"(?P<units>.+?)(?:\s+from\s+(?P<origin>.+?))?\s+to\s+(?P<to>.+?)(?:\s+via\s+(?P<via>.+?))?(?:\s+by\s+(?P<way>[a-z]+))?$",
    re.I,
)


def read_route(g: State, body: Plain) -> Route:
    """`CV Akagi, 2 SN Brigade from Truk to Rabaul via 4019 by organic`, or the same as a mapping. Raises Rejected."""
    if isinstance(body, str):
        found = _ROUTE.fullmatch(body.strip())
        if found is None:
            raise unreadable(f"{body!r} is no move", "UNITS from HEX to HEX via HEX, HEX by WAY")
        body = {k: v for k, v in found.groupdict().items() if v is not None}
    if (
        not isinstance(body, dict)
        or not {"units", "to"} <= body.keys()
        or body.keys() - {"units", "to", "origin", "from", "via", "way", "by"}
    ):
        raise unreadable(f"{body!r} is no move", "keys are units, to, from, via, by")
    units = read_units(g, body["units"])
    way = str(body.get("way", body.get("by", ""))).lower()
    if way and way not in WAYS:
        raise unreadable(f"there is no way {way!r}", "one of: " + ", ".join(WAYS))
    origin = body.get("origin", body.get("from"))
    if origin is not None and str(origin).lower() not in ("china", "china box"):
        _check_origin(g, units, read_place(g, origin))
    to = body["to"]
    if isinstance(to, str) and to.lower() in ("china", "china box"):
        return Route(tuple(units), 0, (), way, "china")
    via = body.get("via", ())
    hexes = (
        [p for p in re.split(r"[,;\s]+", via) if p]
        if isinstance(via, str)
        else list(via)
        if isinstance(via, list | tuple)
        else [via]
    )
    return Route(tuple(units), read_place(g, to), tuple(read_place(g, v) for v in hexes), way)


def _check_origin(g: State, units: list[str], origin: int) -> None:
    for unit in units:
        if g.pieces[unit].at != origin:
            raise illegal(f"{g.counter(unit).name} is not in {g.board.name(origin)}", "7.23", where(g, unit))


def where(g: State, unit: str) -> str:
    """A unit's place in words."""
    piece = g.pieces[unit]
    return f"it is in {g.board.name(piece.at)}" if piece.box == "map" else f"it is in the box {piece.box!r}"


def only_done(body: Plain) -> None:
    """`done` stands alone."""
    if body is not None:
        raise unreadable(f"done takes nothing, not {body!r}")


__all__ = ["DONE", "Rejected", "Route", "read_place", "read_route", "read_unit", "read_units", "split_order"]
