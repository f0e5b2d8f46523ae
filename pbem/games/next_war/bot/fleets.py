"""Where ships wait: what they add to Sea Control and Air Points there; empty AMPH where Marines want to come aboard."""

from __future__ import annotations

import copy
from collections.abc import Iterator

from pbem.games.next_war.air import carrier_points
from pbem.games.next_war.charts import pick
from pbem.games.next_war.sea_control import RESULTS, control_drm
from pbem.games.next_war.sealift import can_assault
from pbem.games.next_war.state import FOE, Piece, State
from pbem.kernel.canon import Plain

FACES = 10
AIR_POINT = 3  # points that an Air Point of the next turn is worth
DRIVEN_OUT = 1  # points that it costs on each face on which the enemy drives the ship out
LOST = 5  # the same where it finds no Port then
WORTHWHILE = 1  # points that a better place has to bring


def stations(g: State, side: str) -> Iterator[Plain]:
    """Ships that nothing else is wanted of go where they help most in the next Initiative/Air/Naval Phase."""
    for ship in g.board.ships[side]:
        if ship in g.moved or not g.area_of(ship) or busy(g, ship):
            continue
        here = _worth(g, side, ship, "" if g.pieces[ship].at else g.pieces[ship].box)
        found = {a.id: _worth(g, side, ship, a.id) for a in g.board.areas.values() if not a.box}
        for area in sorted((a for a in found if found[a] >= here + WORTHWHILE), key=lambda a: (-found[a], a)):
            yield {"sail": {"units": ship, "to": area}}


def busy(g: State, ship: str) -> bool:
    """It carries troops, lies off a shore, or Marines may come aboard."""
    at, side = g.pieces[ship].at, g.seat(ship)
    if any(g.counter(u).ground for u in g.cargo(ship)) or (at and not g.board.hexes[at].land):
        return True
    return bool(at) and g.counter(ship).kind == "AMPH" and any(can_assault(g, u) for u in g.ground(side, at))


def _worth(g: State, side: str, ship: str, area: str) -> int:
    """What a ship brings in an area (or in Port): a point for each face of the next rolls for Sea Control, and Air Points."""
    seen = copy.copy(g)
    if area:
        seen.pieces = {**g.pieces, ship: Piece(0, area)}
    seen.forget()
    worth = AIR_POINT * carrier_points(seen, side)
    for one in g.board.areas.values():
        held = [] if one.box else _holders(seen, one.id)
        worth += held.count(side) - held.count(FOE[side])
        if one.id == area:
            worth -= (DRIVEN_OUT if one.at_sea or _sheltered(g, side, area) else LOST) * held.count(FOE[side])
    return worth


def _holders(g: State, area: str) -> list[str]:
    """Who holds an area after each face of its next roll; nothing where none is thrown."""
    if not g.p["sea_control_table"] or area in g.p["sea_control_fixed"]:
        return []
    table, drm = pick(g.p["sea_control_table"], g.turn + 1), control_drm(g, area)
    return [RESULTS[str(pick(table, face + drm))] for face in range(FACES)]


def _sheltered(g: State, side: str, area: str) -> bool:
    return any(g.own_port(side, h) and g.area_at(h) == area for h in g.board.ports)
