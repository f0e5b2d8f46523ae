"""[13.1] Optional: lines of communication and units out of supply."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterator

from pbem.games.next_war.board import NEVER
from pbem.games.next_war.events import PhaseBegan
from pbem.games.next_war.movement import bridge_key
from pbem.games.next_war.state import FOE, SIDES, State
from pbem.games.next_war.tallies import SupplyJudged
from pbem.games.next_war.zoc import zone
from pbem.kernel.events import emit


def supply(g: State) -> None:
    """[13.1.1] Out of Supply markers are taken off and put on."""
    if not g.on("supply"):
        return
    emit(g, PhaseBegan(g.turn, "Supply Phase", "13.1.1"))
    emit(g, SupplyJudged(tuple(u for side in SIDES for u in out_of_supply(g, side)), "13.1.1"))


def sources(g: State, side: str) -> list[int]:
    """[13.1.2] Own Urban, City, Port, Beachhead hexes; Port and Beachhead need their Inshore area.

    Newer rules: their Inshore area is not the enemy's; places lie in the own countries; and roads off the map at its edge.
    """
    edges = g.p["supply_edge_hexes"].get(side, ()) if g.newer else ()
    found = [h for h in (g.board.labels[str(label).lower()] for label in edges) if g.holds(side, h)]
    for h, hex_ in g.board.hexes.items():
        if g.newer and g.board.owner(h) != side and h not in g.beachheads:
            continue
        beachhead = h in g.beachheads and g.beachheads[h].side == side
        held = g.sea_control.get(g.area_at(h)) if hex_.port or beachhead else None
        open_sea = held == side or (g.newer and held is None)
        inland = g.holds(side, h) and (hex_.city or hex_.terrain == "urban")
        if inland or (open_sea and (beachhead or (hex_.port and g.holds(side, h)))):
            found.append(h)
    return found


def supplied_hexes(g: State, side: str, mobility: str) -> set[int]:
    """[13.1.3] Hexes from which a line of communication runs to a source: a unit's own hex may be any."""
    foes, enemy = zone(g, FOE[side]), g.occupied(FOE[side])
    own = g.occupied(side)

    def free(h: int) -> bool:
        hex_ = g.board.hexes[h]
        if h in enemy or (h in foes and h not in own):
            return False
        return not (hex_.needs_clearing and g.holds(FOE[side], h))

    found = {h for h in sources(g, side) if h not in enemy}
    if g.newer:
        return _off_roads(g, side, _along_roads(g, found, free), free)
    line = set(found)
    queue = deque(sorted(found))
    while queue:
        at = queue.popleft()
        for n in _before(g, side, mobility, at):
            if n not in found and n not in enemy:
                found.add(n)
                if free(n):
                    line.add(n)
                    queue.append(n)
    return found | _beside_roads(g, line)


def _along_roads(g: State, sources: Collection[int], free: Callable[[int], bool]) -> set[int]:
    """[13.1.3] Newer rules: the sources, and the hexes joined to them by roads over standing bridges through free hexes."""
    line, queue = set(sources), deque(sorted(sources))
    while queue:
        at = queue.popleft()
        for n in g.board.near[at]:
            joined = g.board.side(at, n).road and bridge_key(at, n) not in g.bridges_down
            if n not in line and free(n) and (joined or (at in g.beachheads and g.board.has_road(n))):
                line.add(n)
                queue.append(n)
    return line


def _off_roads(g: State, side: str, line: set[int], free: Callable[[int], bool]) -> set[int]:
    """[13.1.3] Newer rules: hexes at most two motorized steps from the line, hexes beside a road of it."""
    found, edge = set(line), sorted(line)
    for _ in range(2):
        reached = {n for at in edge for n in _before(g, side, "mot", at)} - found - g.occupied(FOE[side]).keys()
        found |= reached
        edge = [n for n in sorted(reached) if free(n)]
    return found | _beside_roads(g, line)


def _before(g: State, side: str, mobility: str, at: int) -> Iterator[int]:
    """Hexes from which a line may go into this one: over its hexside and into its terrain."""
    for n in g.board.near[at]:
        edge = g.board.edge(mobility, int(g.storm), n, at)
        if edge is None or (edge.ferry and not _own_ferry(g, side, edge.ferry, n, at)):
            continue
        off, road = (edge.bare, NEVER) if bridge_key(n, at) in g.bridges_down else (edge.off, edge.road)
        if (off, road) != (NEVER, NEVER):
            yield n


def _own_ferry(g: State, side: str, country: str, a: int, b: int) -> bool:
    """[8.3.1.8] A ferry of the side's own country that has not been lost."""
    return g.p["countries"].get(country) == side and bridge_key(a, b) not in g.ferries_lost


def _beside_roads(g: State, line: Collection[int]) -> set[int]:
    """[13.1.3] Hexes beside a road that is in supply, whatever the hexside and the terrain."""
    return {n for h in line if g.board.has_road(h) for n in g.board.near[h] if g.board.hexes[n].land}


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
