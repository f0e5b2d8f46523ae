"""[8.1] Stacking limits and what breaking them costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.games.next_war.board import PEAKS
from pbem.games.next_war.state import State


def halves(points: int) -> str:
    """Half stacking points in words: 1/2, 4, 2 1/2."""
    whole = [str(points // 2)] if points > 1 or not points else []
    return " ".join(whole + (["1/2"] if points % 2 else []))


def excess(g: State, place: int, units: Sequence[str]) -> int:
    """[8.1.1.1] Half stacking points above the limit; the units of one division fill a hex freely."""
    over = g.stack_points(units) - g.limit(place)
    if over <= 0 or (place in g.board.tunnels and g.seat(units[0]) == g.p["tunnels"]["side"]):
        return 0  # [KOREA-TUNNELS]
    divisions = {g.counter(u).division for u in units}
    free = len(divisions) == 1 and "" not in divisions and g.board.hexes[place].terrain not in PEAKS
    return 0 if free else over


def full(g: State, place: int, points: int) -> bool:
    """[8.3.2] No road movement through: the hex is filled to its limit (newer rules: over it)."""
    over = points - g.limit(place)
    return over > 0 if g.newer else over >= 0


def efficiency(g: State, unit: str) -> int:
    """[2.3.3] Efficiency Rating with every reduction, never below 1."""
    rating = g.values(unit).er
    piece = g.pieces[unit]
    if piece.at and not piece.aboard:
        stack = g.ground(g.seat(unit), piece.at)
        rating -= (excess(g, piece.at, stack) + 1) // 2
        if _mixed(g, stack):
            rating -= int(g.p["multinational_stacking"].get("er", 0))
    if unit in g.unsupplied:
        rating -= 1
    return max(1, rating)


def _mixed(g: State, units: Iterable[str]) -> bool:
    """[8.1.1.2] Units of nations that do not count as one."""
    return len(nations_apart(g, units, g.p["multinational_stacking"])) > 1


def nations_apart(g: State, units: Iterable[str], rule: dict[str, list[str]]) -> set[str]:
    """Nations of some units; those that the game counts as one are one."""
    one = set(rule.get("as one", ()))
    return {"as one" if n in one else n for n in (g.counter(u).nation for u in units)}


def fighting(g: State, place: int, units: Sequence[str]) -> list[str]:
    """[8.1.1.1] Who fights in an over-stacked hex: the units, in their order, that fit; no unit is split."""
    if not excess(g, place, units):
        return list(units)
    room, found = (6 if g.board.hexes[place].terrain in PEAKS else 8), []
    for unit in units:
        if g.values(unit).sp <= room:
            room -= g.values(unit).sp
            found.append(unit)
    return found
