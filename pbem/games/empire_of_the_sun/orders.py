"""Players' notation: unit and place names as people write them, lists of units, `from X to Y via A, B`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from msgspec import Struct

from pbem.games.empire_of_the_sun.board import Board
from pbem.games.empire_of_the_sun.labels import unread, where_is, written
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.memo import boards
from pbem.kernel.orders import Rejected, illegal, possible, unreadable
from pbem.kernel.orders import split_order as split_order  # the game's modules read orders by way of this one
from pbem.kernel.wording import Message, msg, quoted

LISTS = 2048  # lists of units that are kept
MOVE, STRATEGIC, ASSAULT = "move", "strategic", "assault"
WAYS = ("asp", "organic", "barge", "strategic", "china")


def read_unit(g: State, text: Plain) -> str:
    """A unit by id, name, or an unambiguous part of its name. Raises Rejected."""
    return g.board.unit_index.one(text)


def read_units(g: State, body: Plain) -> list[str]:
    """A list of units: YAML list or names with commas or "and" between them. Raises Rejected for unknown or repeated ones."""
    if isinstance(body, str):
        return [*boards(g.board, _lists)(body)]
    return g.board.unit_index.many(body, "7.23")


def _lists(board: Board) -> Callable[[str], tuple[str, ...]]:
    """What reads lists that are texts, each of them once."""
    return lru_cache(LISTS)(lambda text: tuple(board.unit_index.many(text, "7.23")))


def read_place(g: State, text: Plain) -> int:
    """A hex by number or name. Raises Rejected."""
    return g.board.place_index.one(text)


class Route(Struct, frozen=True):
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
            raise unreadable(unread("", body), written("UNITS from HEX to HEX via HEX, HEX by WAY"))
        body = {k: v for k, v in found.groupdict().items() if v is not None}
    if (
        not isinstance(body, dict)
        or not {"units", "to"} <= body.keys()
        or body.keys() - {"units", "to", "origin", "from", "via", "way", "by"}
    ):
        raise unreadable(unread("", body), msg("its keys are {keys}", keys=("units", "to", "from", "via", "by")))
    units = read_units(g, body["units"])
    way = str(body.get("way", body.get("by", ""))).lower()
    if way and way not in WAYS:
        raise unreadable(msg("there is no way {given} to move", given=quoted(way)), possible(WAYS))
    origin = body.get("origin", body.get("from"))
    if origin is not None and str(origin).lower() not in ("china", "china box"):
        _check_origin(g, units, read_place(g, origin))
    to = body["to"]
    if isinstance(to, str) and to.lower() in ("china", "china box"):
        return Route(tuple(units), 0, (), way, "china")
    return Route(tuple(units), read_place(g, to), tuple(g.board.place_index.along(body.get("via"))), way)


def _check_origin(g: State, units: list[str], origin: int) -> None:
    for unit in units:
        if g.pieces[unit].at != origin:
            why = msg("{unit} is not in {place}", unit=g.counter(unit).name, place=g.board.name(origin))
            raise illegal(why, "7.23", where(g, unit))


def where(g: State, unit: str) -> Message:
    """A unit's place in words."""
    return msg("{unit} is in {place}", unit=g.counter(unit).name, place=where_is(g, unit))


def takes_nothing(verb: str, body: Plain) -> None:
    """A word that stands alone. Raises Rejected."""
    if body is not None:
        raise unreadable(msg("{verb} stands alone", verb=f"`{verb}`"), written(verb))


def only_done(body: Plain) -> None:
    """`done` stands alone."""
    takes_nothing("done", body)


__all__ = ["Rejected", "Route", "read_place", "read_route", "read_unit", "read_units", "split_order"]
