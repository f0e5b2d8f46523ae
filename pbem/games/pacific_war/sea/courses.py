"""[PW-MOV-09] [PW-MOV-14] The course of the hexes sailed last, held for one more; a course of many hexes, one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbem.games.pacific_war.board import Board
from pbem.games.pacific_war.sea.movement import place_of
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.questions import accepted

_FIRST: Mapping[str, str] = {"naval": "sea", "ground": "land"}  # the words of `kinds` for those that move first


def on_course(g: State, ask: Ask, orders: Sequence[Plain]) -> Plain | None:
    """Everybody who sailed in the last two orders, newest first, a hex straight on; None when nobody can."""
    sailed = [order["sail"] for order in orders if isinstance(order, dict) and "sail" in order]
    last, before = (_places(body) for body in (*sailed[:2], {}, {})[:2])
    there = {who: at for who, at in last.items() if who in (*g.markers, *g.units) and place_of(g, who) == at}
    course: dict[str, Plain] = {}
    for who, at in there.items():
        goal = _ahead(g.board, before.get(who, 0), at)
        if any(accepted(ask.read, [{"sail": {who: goal}}])):
            course[who] = goal
    return {"sail": course} if course else None


def legs(order: Plain) -> list[Plain]:
    """`sail: {J1: [1531, 1431], J2: 1531}` as orders of one hex each, `first: naval` as `first: sea`; others as they are."""
    if isinstance(order, dict) and len(order) == 1 and str(order.get("first")) in _FIRST:
        return [{"first": _FIRST[str(order["first"])]}]
    body = order.get("sail") if isinstance(order, dict) and len(order) == 1 else None
    ways = {who: way if isinstance(way, list) else [way] for who, way in body.items()} if isinstance(body, dict) else {}
    steps = range(max(map(len, ways.values()), default=0))
    return [{"sail": {who: way[n] for who, way in ways.items() if n < len(way)}} for n in steps] or [order]


def _places(body: Plain) -> Mapping[str, int]:
    return {who: at for who, at in body.items() if isinstance(at, int)} if isinstance(body, dict) else {}


def _ahead(board: Board, start: int, at: int) -> int:
    """The hex straight behind the second one, seen from the first; 0 where they are no neighbours or the map ends."""
    if at not in board.near(start):
        return 0
    beside = board.near(start)
    behind = [n for n in board.near(at) if n != start and n not in beside]
    return next((n for n in behind if sum(n in board.near(b) for b in beside) == 1), 0)
