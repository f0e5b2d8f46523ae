"""[8.2, 8.3, 8.4] What makes a step on the ground more than its cost: zones, places to clear, forts, bridges, crowds."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.next_war.stacking import full
from pbem.games.next_war.state import FOE, State
from pbem.games.next_war.zoc import zone


def hostile_place(g: State, side: str, place: int) -> bool:
    """[8.4.1, 8.4.1.6] A hex that this side has to clear: enemy-controlled and not its own by origin."""
    hex_ = g.board.hexes[place]
    if not hex_.needs_clearing or g.holds(side, place):
        return False
    return g.board.owner(place) != side or g.newer


def hostile_places(g: State, side: str) -> frozenset[int]:
    """Every hex that this side has to clear."""
    return g.cached_of(FOE[side], "to clear", lambda: frozenset(h for h in g.board.to_clear if hostile_place(g, side, h)))


def crowded_hexes(g: State, side: str) -> frozenset[int]:
    """[8.3.2] Hexes with own units that are full."""
    return g.memo.cached(("crowded", side), lambda: frozenset(h for h, n in g.points(side).items() if full(g, h, n)))


def special_hexes(g: State, side: str) -> tuple[frozenset[int], frozenset[int]]:
    """Hexes where a step is more than its cost, and the hexes beside them."""
    return g.memo.cached(("special", side), lambda: _with_crowds(g, side))


def _with_crowds(g: State, side: str) -> tuple[frozenset[int], frozenset[int]]:
    enemy, beside = special_to(g, side)
    crowds = crowded_hexes(g, side)
    return (enemy | crowds, beside | neighbours_of(g, crowds)) if crowds else (enemy, beside)


def special_to(g: State, side: str) -> tuple[frozenset[int], frozenset[int]]:
    """The same but for crowds."""
    enemy = g.cached_of(FOE[side], "special", lambda: _special_hexes(g, side))
    return enemy, g.cached_of(FOE[side], "beside special", lambda: neighbours_of(g, enemy))


def in_zones(g: State, side: str) -> frozenset[int]:
    """Hexes with own ground units in enemy zones of control."""
    return g.memo.cached(("in a zone", side), lambda: frozenset(g.occupied(side).keys() & zone(g, FOE[side])))


def neighbours_of(g: State, places: Iterable[int]) -> frozenset[int]:
    near = g.board.near
    return frozenset[int]().union(*[near.get(h, ()) for h in places])


def _special_hexes(g: State, side: str) -> frozenset[int]:
    found = zone(g, FOE[side]) | hostile_places(g, side) | enemy_forts(g, side) | enemy_dmz(g, side)
    down = {h for key in g.bridges_down for h in divmod(key, 10_000)}
    return found | g.occupied(FOE[side]).keys() | down | g.board.ferries


def enemy_forts(g: State, side: str) -> frozenset[int]:
    """[8.3.1.10] Working enemy fortifications: no road movement into or out of them."""
    return g.cached_of(FOE[side], "closed forts", lambda: frozenset(h for h in g.board.forts if g.works_fort(h, FOE[side])))


def enemy_dmz(g: State, side: str) -> frozenset[int]:
    """[KOREA-DMZ] Hexes that cost a point more to enter: on the first turn, by newer rules as long as they are the enemy's."""
    if g.turn > 1 and not g.newer:
        return frozenset()
    return g.cached_of(FOE[side], "dmz", lambda: frozenset(h for h in g.board.dmz if g.in_dmz(h, FOE[side])))


def bridge_key(a: int, b: int) -> int:
    """A hexside as one number."""
    return 10_000 * min(a, b) + max(a, b)
