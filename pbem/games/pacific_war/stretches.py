"""[PW-MOV-02] [PW-MOV-07] Ways by their corners: `sail: {J1: [1131, 1135]}`, `move: {144th Regiment: 1426..1428}`.

A writer's help: what is signed is the whole way. Of two shortest ways none is chosen for him, for searches, submarines,
coasts and enemies differ on them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import pairwise

from pbem.games.pacific_war.land.movement import ALLOWANCE, cost
from pbem.games.pacific_war.orders import place_parts, read_place, read_unit
from pbem.games.pacific_war.sea.movement import place_of
from pbem.games.pacific_war.state import FOE, State
from pbem.kernel.canon import Plain
from pbem.kernel.notation import place_text
from pbem.kernel.orders import Rejected, ambiguous, verb_of
from pbem.kernel.stretches import Several, Steps, Way, corners, filled
from pbem.kernel.wording import msg

AT_SEA, ON_LAND = ("sail",), ("move", "march")
FARTHEST = 40  # hexes of a course
FORMED = re.compile(r"[AJ]\d+")  # a task force, which a plan may name before it is there


def whole(g: State, side: str, order: Plain) -> Plain | None:
    """The same order with every hex of its ways; None where nothing is left out, or it cannot be filled in.

    Raises Rejected where two shortest ways lead from one corner to the next.
    """
    return _whole(g, side, order, False)


def between(g: State, order: Plain) -> Plain:
    """An order of a plan with what lies between the hexes that it names; from where it will begin the plan does not know."""
    return _whole(g, "", order, True) or order


def _whole(g: State, side: str, order: Plain, afar: bool) -> Plain | None:
    verb = verb_of(order)
    if verb == "orders" and isinstance(order, dict):
        return _rows_whole(g, side, order["orders"], afar)
    body = next(iter(order.values())) if isinstance(order, dict) and len(order) == 1 else None
    if verb not in (*AT_SEA, *ON_LAND) or not isinstance(body, dict):
        return None
    try:
        found: dict[str, Plain] = {who: _way(g, side, verb, who, said, afar) for who, said in body.items()}
    except _AsItIs:
        return None
    return {verb: found} if found != {who: _listed(said) for who, said in body.items()} else None


def _rows_whole(g: State, side: str, rows: Plain, afar: bool) -> Plain | None:
    """The same of several rows of one order in secret."""
    if not isinstance(rows, list):
        return None
    found = [_whole(g, side, row, afar) or row for row in rows]
    return {"orders": found} if found != rows else None


class _AsItIs(Exception):
    """A way that is no list of hexes, or that nobody can go."""


def _listed(said: Plain) -> list[Plain]:
    return said if isinstance(said, list) else [said]


def _way(g: State, side: str, verb: str, who: str, said: Plain, afar: bool) -> list[Plain]:
    try:
        is_known = who in g.markers or who in g.units or (afar and verb in AT_SEA and FORMED.fullmatch(who))
        mover = who if is_known else read_unit(g, who, side)
        parts = place_parts(g, said)
        stops = [read_place(g, part) for part in corners(parts)]
    except Rejected:
        raise _AsItIs from None
    if not stops:
        raise _AsItIs
    at_sea = verb in AT_SEA
    steps, most = (_at_sea(g, mover, afar), FARTHEST) if at_sea else (_on_land(g, mover), ALLOWANCE)
    start = place_of(g, mover) if mover in g.markers or mover in g.units else 0
    if afar or not start:
        way = (stops[0], *_filled(g, mover, stops[0], stops[1:], steps, most, is_named=True))
    else:
        here = start == stops[0] and corners(parts[:1]) != parts[:1]  # `1631..1333` from 1631
        way = _filled(g, mover, start, stops[1:] if here else stops, steps, most)
    return _listed(said) if [*way] == stops and corners(parts) == parts else [*way]


def _filled(g: State, who: str, start: int, stops: list[int], steps: Steps, most: int, is_named: bool = False) -> Way:
    """`is_named`: the start is one of the hexes that the order names, and stands in what is suggested."""
    try:
        way = filled(start, stops, steps, most)
    except Several as two:
        told = msg(
            "{who}: two shortest ways lead to {place}, and what may be met on them differs: name a hex between",
            who=who,
            place=g.board.name(two.goal),
        )
        ways = ((*((start,) if is_named else ()), *way) for way in (two.one, two.other))
        raise ambiguous(told, [f"[{', '.join(map(place_text, way))}]" for way in ways]) from None
    if way is None:
        raise _AsItIs
    return way


def _at_sea(g: State, mover: str, afar: bool) -> Callable[[Way], Iterable[int]]:
    """`afar`: from a hex to which the ships have still to come."""

    def steps(way: Way) -> Iterable[int]:
        if len(way) == 1 and afar:
            return [n for n in g.board.near(way[0]) if g.board.sails(way[0], n)]
        if len(way) == 1:
            return [n for n in g.board.near(way[0]) if g.board.sea(n) and g.sails(mover, n)]
        return [n for n in g.board.near(way[-1]) if g.board.sails(way[-1], n, way[-2])]

    return steps


def _on_land(g: State, unit: str) -> Callable[[Way], Iterable[int]]:
    """[PW-MOV-03] Within the movement points of a unit, and from no hex with enemies; what else bars it the rules judge."""
    foe = FOE[g.side(unit)]

    def steps(way: Way) -> Iterable[int]:
        if len(way) > 1 and g.ashore(foe, way[-1]):
            return []
        spent = sum(cost(g, unit, one, other) or 0 for one, other in pairwise(way))
        prices = ((n, cost(g, unit, way[-1], n)) for n in g.board.near(way[-1]))
        return [n for n, price in prices if price is not None and spent + price <= ALLOWANCE]

    return steps
