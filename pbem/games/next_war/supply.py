"""[13.1] Optional: lines of communication and units out of supply."""

from __future__ import annotations

from collections import deque

from pbem.games.next_war.board import NEVER
from pbem.games.next_war.events import Noted, PhaseBegan
from pbem.games.next_war.state import FOE, SIDES, State
from pbem.games.next_war.zoc import zone
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow


def supply(g: State) -> Flow[None]:
    """[13.1.1] Out of Supply markers are taken off and put on."""
    if not g.on("supply"):
        return
    emit(g, PhaseBegan(g.turn, "Supply Phase", "13.1.1"))
    emit(g, Noted("unsupplied", [u for side in SIDES for u in out_of_supply(g, side)], "13.1.1"))
    return
    yield


def sources(g: State, side: str) -> list[int]:
    """[13.1.2] Own Urban, City, Port, Beachhead hexes; Port and Beachhead need their Inshore area (newer: not the enemy's)."""
    found = []
    for h, hex_ in g.board.hexes.items():
        beachhead = h in g.beachheads and g.beachheads[h].side == side
        held = g.sea_control.get(g.area_at(h)) if hex_.port or beachhead else None
        open_sea = held == side or (g.newer and held is None)
        inland = g.holds(side, h) and (hex_.city or hex_.terrain == "urban")
        if inland or (open_sea and (beachhead or (hex_.port and g.holds(side, h)))):
            found.append(h)
    return found


def supplied_hexes(g: State, side: str, mobility: str) -> set[int]:
    """[13.1.3] Hexes from which a line of communication runs to a source."""
    foes, enemy = zone(g, FOE[side]), g.occupied(FOE[side])
    own = g.occupied(side)

    def free(h: int) -> bool:
        hex_ = g.board.hexes[h]
        if h in enemy or (h in foes and h not in own):
            return False
        return not (hex_.needs_clearing and g.holds(FOE[side], h))

    found = {h for h in sources(g, side) if h not in enemy}
    queue = deque(sorted(found))
    while queue:
        at = queue.popleft()
        if not free(at) and at not in found:
            continue
        for edge in g.board.edges(mobility, int(g.storm), at):
            n = edge.to
            if n in found or n in enemy or (edge.off == NEVER and edge.road == NEVER):
                continue
            found.add(n)
            if free(n):
                queue.append(n)
    return found


def out_of_supply(g: State, side: str) -> list[str]:
    """[13.1.3] Ground units on land without a line of communication."""
    reach: dict[str, set[int]] = {}
    found = []
    for unit in g.on_map(side, "ground"):
        piece = g.pieces[unit]
        if piece.aboard:
            continue
        mobility = g.values(unit).mobility
        if mobility not in reach:
            reach[mobility] = supplied_hexes(g, side, mobility)
        if piece.at not in reach[mobility]:
            found.append(unit)
    return found
