"""[13.1] Optional: lines of communication and units out of supply."""

from __future__ import annotations

from collections.abc import Container, Iterable, Set
from functools import cached_property

from pbem.games.next_war.board import NEVER, Edge
from pbem.games.next_war.events.losses import SupplyJudged
from pbem.games.next_war.events.turns import PhaseBegan
from pbem.games.next_war.obstacles import bridge_key, in_zones
from pbem.games.next_war.state import FOE, SIDES, State
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
    for h in sorted({*g.board.havens, *g.beachheads}):
        hex_ = g.board.hexes[h]
        if g.newer and g.board.owner(h) != side and h not in g.beachheads:
            continue
        beachhead = h in g.beachheads and g.beachheads[h].side == side
        held = g.sea_control.get(g.area_at(h)) if hex_.port or beachhead else None
        open_sea = held == side or (g.newer and held is None)
        inland = g.holds(side, h) and (hex_.city or hex_.terrain == "urban")
        if inland or (open_sea and (beachhead or (hex_.port and g.holds(side, h)))):
            found.append(h)
    return found


def supplied_hexes(g: State, side: str, mobility: str) -> Container[int]:
    """[13.1.3] Hexes from which a line of communication runs to a source: a unit's own hex may be any."""
    key = ("supplied", mobility, g.storm, len(g.ferries_lost), in_zones(g, side))
    return g.cached_of(FOE[side], key, lambda: _by_roads(g, side) if g.newer else Lines(g, side, mobility))


class Lines:
    """[13.1.3] Lines of communication of a class, followed outwards from the sources as far as somebody asks for a hex."""

    def __init__(self, g: State, side: str, mobility: str) -> None:
        self.g, self.side, self.mobility = g, side, mobility
        self.enemy, self.closed = g.occupied(FOE[side]).keys(), _closed(g, side)
        self.edge = set(sources(g, side)) - self.enemy
        self.line, self.seen = set(self.edge), self.edge | self.enemy

    def __contains__(self, place: object) -> bool:
        while self.edge and place not in self.seen:
            self._go_on()
        if place in self.seen:
            return place not in self.enemy
        return place in self._beside_roads

    @cached_property
    def _beside_roads(self) -> set[int]:
        """Hexes to which no line leads, when all have been followed."""
        return _beside_roads(self.g, self.line, self.g.board.land - self.seen)

    def _go_on(self) -> None:
        """One hex further."""
        reached = _before(self.g, self.side, self.mobility, self.edge) - self.seen
        self.seen |= reached
        self.edge = reached - self.closed
        self.line |= self.edge


def _by_roads(g: State, side: str) -> set[int]:
    """[13.1.3] Newer rules."""
    closed = _closed(g, side)
    return _off_roads(g, side, _along_roads(g, set(sources(g, side)) - g.occupied(FOE[side]).keys(), closed), closed)


def _closed(g: State, side: str) -> Set[int]:
    """[13.1.3] Hexes in which a line ends: with enemies, in their zones but for own units there, to be cleared."""
    enemy, own = g.occupied(FOE[side]).keys(), g.occupied(side).keys()
    return enemy | (zone(g, FOE[side]) - own) | {h for h in g.board.to_clear if g.holds(FOE[side], h)}


def _along_roads(g: State, sources: Set[int], closed: Set[int]) -> set[int]:
    """[13.1.3] Newer rules: the sources, and the hexes joined to them by roads over standing bridges through free hexes."""
    line, edge = set(sources), list(sources)
    while edge:
        at = edge.pop()
        for n in g.board.near[at]:
            if n in line or n in closed:
                continue
            joined = g.board.side(at, n).road and bridge_key(at, n) not in g.bridges_down
            if joined or (at in g.beachheads and g.board.has_road(n)):
                line.add(n)
                edge.append(n)
    return line


def _off_roads(g: State, side: str, line: Set[int], closed: Set[int]) -> set[int]:
    """[13.1.3] Newer rules: hexes at most two motorized steps from the line, hexes beside a road of it."""
    found, edge = set(line), set(line)
    for _ in range(2):
        reached = _before(g, side, "mot", edge) - found - g.occupied(FOE[side]).keys()
        found |= reached
        edge = reached - closed
    return found | _beside_roads(g, line, g.board.land - found)


def _before(g: State, side: str, mobility: str, places: Set[int]) -> set[int]:
    """Hexes from which a line may go into one of some: over its hexside and into its terrain."""
    ways_in = g.board.ways_in(mobility, int(g.storm))
    special = _special(g)
    found: set[int] = set().union(*[ways_in[h] for h in places - special])
    for h in places & special:
        found.update(n for n in ways_in[h] if _stands(g, side, g.board.edge(mobility, int(g.storm), n, h), n, h))
    return found


def _special(g: State) -> Set[int]:
    """Hexes at a ferry or at a bridge that is down."""
    return g.board.ferries.union(*[divmod(key, 10_000) for key in g.bridges_down])


def _stands(g: State, side: str, edge: Edge | None, a: int, b: int) -> bool:
    """A hexside that a line crosses by a ferry or where a bridge is down: another way than these, or an own ferry."""
    if edge is None or (edge.ferry and not _own_ferry(g, side, edge.ferry, a, b)):
        return False
    return edge.bare != NEVER or bridge_key(a, b) not in g.bridges_down


def _own_ferry(g: State, side: str, country: str, a: int, b: int) -> bool:
    """[8.3.1.8] A ferry of the side's own country that has not been lost."""
    return g.p["countries"].get(country) == side and bridge_key(a, b) not in g.ferries_lost


def _beside_roads(g: State, line: Iterable[int], places: Iterable[int]) -> set[int]:
    """[13.1.3] Those of some hexes that are beside a road in supply, whatever the hexside and the terrain."""
    near, roads = g.board.near, g.board.beside_roads
    joined = {h for h in line if h in roads}
    return {h for h in places if not joined.isdisjoint(near[h])}


def out_of_supply(g: State, side: str) -> list[str]:
    """[13.1.3] Ground units on land without a line of communication."""
    found = []
    for unit in g.on_map(side, "ground"):
        piece = g.pieces[unit]
        if piece.aboard:
            continue
        if piece.at not in supplied_hexes(g, side, g.values(unit).mobility):
            found.append(unit)
    return found
