"""Orders that move units taken apart and put together, as data and as players write them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from pbem.games.axis_and_allies_pacific.board import Board
from pbem.games.axis_and_allies_pacific.orders import ALIASES, Group, read_groups, read_route, read_some, read_space
from pbem.kernel.canon import Plain
from pbem.kernel.forms import Chosen, Read, means_the_same, written

ENDS = {"load": "zone", "place": "in"}  # the key of the second space, where it is not `to`


class Body(Struct, frozen=True):
    """Units by type, a mark before it where the order has one; where from, where to, and the spaces between."""

    units: dict[str, int]
    origin: str
    to: str
    via: tuple[str, ...] = ()

    def order(self, verb: str) -> dict[str, Plain]:
        """The order as data."""
        body: dict[str, Plain] = {"units": {**self.units}, "from": self.origin, ENDS.get(verb, "to"): self.to}
        return {verb: {**body, "via": [*self.via]} if self.via else body}


def groups_of(chosen: Iterable[Chosen]) -> dict[str, int]:
    """Picked units, those that were picked twice counted together."""
    found: dict[str, int] = {}
    for one in chosen:
        found[one.value] = found.get(one.value, 0) + one.count
    return found


def units_text(units: Mapping[str, int]) -> str:
    """`3 infantry, 1 loaded transport, 2 fighters`."""
    return ", ".join(f"{n} {kind if n == 1 else _several(kind)}" for kind, n in units.items())


def _several(kind: str) -> str:
    """A type, with its mark, as several of it are called in an order."""
    plural = f"{kind.rpartition(' ')[2]}s"
    return f"{kind}s" if plural in ALIASES else kind


def named(groups: Iterable[Group]) -> dict[str, int]:
    """Groups of an order by type and mark."""
    found: dict[str, int] = {}
    for group in groups:
        name = f"{group.mark} {group.type}".strip()
        found[name] = found.get(name, 0) + group.count
    return found


def read_body(board: Board, verb: str, body: Plain) -> Body:
    """A body however it was written. Raises Rejected."""
    if verb == "load":
        return _loading(board, body)
    route = read_route(board, body)
    return Body(named(route.groups), route.origin, route.to, route.via)


def _loading(board: Board, body: Plain) -> Body:
    if isinstance(body, dict) and {"units", "from", "zone"} == set(body):
        return Body(named(read_some(body["units"])), read_space(board, body["from"]), read_space(board, body["zone"]))
    head, _, rest = str(body).partition(" from ")
    origin, _, zone = rest.rpartition(" in ")
    return Body(named(read_some(head)), read_space(board, origin), read_space(board, zone))


def line_of(board: Board, order: Plain, read: Read) -> Plain:
    """An order as a player writes it, with the names that the map prints."""
    if isinstance(order, dict) and len(order) == 1:
        (verb, body), *_ = order.items()
        short = _short(board, verb, body)
        if short and means_the_same(read, {verb: short}, order):
            return {verb: short}
    return written(order, read)


def _short(board: Board, verb: str, body: Plain) -> str:
    if verb == "buy" and isinstance(body, dict):
        return units_text(named(read_groups(dict(sorted(body.items())))))
    if not isinstance(body, dict) or "units" not in body:
        return ""
    said = body["units"]
    units = units_text(named(read_groups(dict(sorted(said.items())) if isinstance(said, dict) else said)))
    if verb == "place":
        return f"{units} in {board.name(str(body['in']))}" if str(body["in"]) in board.neighbours else ""
    origin, to = str(body.get("from")), str(body.get(ENDS.get(verb, "to")))
    if origin not in board.neighbours or to not in board.neighbours:
        return ""
    via = body.get("via")
    between = [board.name(str(s)) for s in via if str(s) in board.neighbours] if isinstance(via, list) else []
    way = f" via {', '.join(between)}" if between else ""
    return f"{units} from {board.name(origin)} {'in' if verb == 'load' else 'to'} {board.name(to)}{way}"
