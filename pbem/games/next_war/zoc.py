"""[8.2] Zones of control."""

from __future__ import annotations

from pbem.games.next_war.board import FLAT
from pbem.games.next_war.state import FOE, State


def zone(g: State, side: str) -> frozenset[int]:
    """[8.2.1, 8.2.3] Hexes in this side's zones of control, its own hexes included."""
    return g.cached_of(side, "zone", lambda: _zone(g, side))


def _zone(g: State, side: str) -> frozenset[int]:
    found: set[int] = set()
    quiet = first_moves(g) and g.p["zones_stop_at_border"]
    parted = g.turn <= 1 and g.on("dmz")
    for place, units in g.occupied(side).items():
        if g.under_marker(place, side):
            continue
        found.add(place)
        values = [g.values(u) for u in units]
        if sum(v.sp for v in values) < 4 or sum(v.attack for v in values) < 1:
            continue
        near = g.board.zoc_near[place]
        found.update(n for n in near if not (quiet and g.holds(FOE[side], n)) and not (parted and across_border(g, place, n)))
    return frozenset(found)


def across_border(g: State, a: int, b: int) -> bool:
    """[KOREA-DMZ] The two hexes are DMZ hexes of different countries."""
    return {a, b} <= g.board.dmz and g.board.owner(a) != g.board.owner(b)


def first_moves(g: State) -> bool:
    """[8.2.3] The first Movement Segment of the game has not ended."""
    return g.turn <= 1 and (g.moment == 0 or (g.moment == 1 and g.segment == "movement"))


def in_enemy_zone(g: State, unit: str) -> bool:
    """The unit stands in an enemy zone of control."""
    piece = g.pieces[unit]
    return not piece.aboard and piece.at in zone(g, FOE[g.seat(unit)])


def rough_for_light(g: State, place: int) -> bool:
    """[8.2.4] Light Infantry ignores enemy zones in all terrain but Flat and Flat Woods."""
    return g.board.hexes[place].terrain not in FLAT
