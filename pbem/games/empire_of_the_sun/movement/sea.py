"""[8.2] Ways along sea hexsides, and the moves of fleets."""

from __future__ import annotations

from collections.abc import Sequence, Set

from pbem.games.empire_of_the_sun.board import Board
from pbem.games.empire_of_the_sun.fields import Field
from pbem.games.empire_of_the_sun.movement.limits import naval_allowance
from pbem.games.empire_of_the_sun.movement.stacks import stack_moved, way_back
from pbem.games.empire_of_the_sun.orders import Route
from pbem.games.empire_of_the_sun.state import State
from pbem.kernel.events import Event
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg

NOWHERE: frozenset[int] = frozenset()


def sea_path(g: State, start: int, stops: Sequence[int], allowance: int, barred: Set[int] = NOWHERE) -> tuple[int, ...] | None:
    """[8.21] The shortest way along playable sea hexsides through some stops, or None; `barred` hexes are not entered."""
    path: tuple[int, ...] = (start,)
    for stop in stops:
        leg, length = _leg(g, path[-1], stop, allowance, barred)
        if leg is None:
            return None
        path, allowance = path + leg, allowance - length
    return path


def sea_left(g: State, start: int, stops: Sequence[int], allowance: int) -> int:
    """What is left of an allowance behind some stops on the open sea; -1: they are too far."""
    for stop in stops:
        leg, length = _leg(g, start, stop, allowance, NOWHERE)
        if leg is None:
            return -1
        start, allowance = stop, allowance - length
    return allowance


def _leg(g: State, start: int, to: int, allowance: int, barred: Set[int]) -> tuple[tuple[int, ...] | None, int]:
    """Looked for once on the open sea, where it is the same for all fleets."""
    if barred:
        return _sea_leg(g, start, to, allowance, barred)
    key = "leg", start, to, allowance
    return g.board.fields.floods.find(key, (), lambda: (_sea_leg(g, start, to, allowance, barred), ()))


def _sea_leg(g: State, start: int, to: int, allowance: int, barred: Set[int]) -> tuple[tuple[int, ...] | None, int]:
    """The way after the start and its length; None when `to` is too far."""
    if start == to:
        return (), 0
    find = _linked_leg if g.board.links else _open_leg
    return find(g.board, start, to, allowance, barred)


def _open_leg(board: Board, start: int, to: int, allowance: int, barred: Set[int]) -> tuple[tuple[int, ...] | None, int]:
    """Back from the end hex by hex, then on from the start: of the shortest ways the one whose first turns come first."""
    fields = board.fields
    begin, free = fields.one[start], ~fields.of(barred)
    frontier = seen = fields.one[to] & free
    layers: list[Field] = []
    while len(layers) < allowance and frontier:
        layers.append(frontier)
        near = fields.step("sea", frontier)
        if near & begin:
            return _forth(board, start, layers), len(layers)
        frontier = near & free & ~seen
        seen |= frontier
    return None, 0


def _forth(board: Board, start: int, layers: Sequence[Field]) -> tuple[int, ...]:
    """From hex to hex, each one nearer to the end."""
    one, path = board.fields.one, [start]
    for nearer in reversed(layers):
        path.append(next(n for n in board.by_sea[path[-1]] if one[n] & nearer))
    return tuple(path[1:])


def _linked_leg(board: Board, start: int, to: int, allowance: int, barred: Set[int]) -> tuple[tuple[int, ...] | None, int]:
    """The same where there are long ways over hexes that a small map leaves out."""
    came, lengths = {start: 0}, {start: 0}
    layers: list[list[int]] = [[start], *([] for _ in range(allowance))]
    for far, layer in enumerate(layers):
        if to in came and lengths[to] == far:
            return way_back(came, to), far
        for here in layer:
            if lengths[here] < far:
                continue
            for there, length in board.sailing[here]:
                total = far + length
                if total > allowance or total >= lengths.get(there, total + 1) or there in barred:
                    continue
                came[there], lengths[there] = here, total
                layers[total].append(there)
    return None, 0


def sail(g: State, side: str, route: Route) -> list[Event]:
    """[8.21] Fleets pass enemy zones; where they may end is judged when battles are declared."""
    start = g.pieces[route.units[0]].at
    allowance = naval_allowance(g)
    path = sea_path(g, start, [*route.via, route.to], allowance)
    if path is None:
        why = msg("{place} is out of reach by sea; movement allowance: {n}", place=g.board.name(route.to), n=allowance)
        raise illegal(why, "8.21")
    return stack_moved(g, route, dict.fromkeys(route.units, path), "sea", "8.21")
