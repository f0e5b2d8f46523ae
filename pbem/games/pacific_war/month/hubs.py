"""[PW-RPL-02] [PW-RPL-04] Hexes in which replacements arrive."""

from __future__ import annotations

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.month.upkeep import ports_of
from pbem.games.pacific_war.state import JAPAN, State
from pbem.games.pacific_war.world.links import linked_hexes
from pbem.games.pacific_war.world.resources import home_hexes
from pbem.kernel.memo import PLACES


def hubs(g: State, side: str) -> list[int]:
    """[PW-RPL-02] Linked ports with a headquarters or support base; Japan's home hexes."""
    ports = ports_of(g, side)
    return sorted({h for h in ports if h in _bases(g, side)} | _homes(g, side))


def air_hubs(g: State, side: str) -> list[int]:
    """[PW-RPL-04] Linked hexes with a headquarters or support base, a port or not; Japan's home hexes."""
    linked = linked_hexes(g, side)
    return sorted({h for h in _bases(g, side) if h in linked} | _homes(g, side))


def _bases(g: State, side: str) -> set[int]:

    def find() -> set[int]:
        hqs = {h.at for h in g.hqs.values() if h.side == side and h.box == "map"}
        return hqs | {h for h, b in g.osbs.items() if b.side == side}

    return g.memo.cached(("headquarters and support bases", side), find, PLACES)


def _homes(g: State, side: str) -> set[int]:
    return {h for h, n in home_hexes(g).items() if n} if side == JAPAN else set()


def air_bridge(g: State, side: str, unit: str) -> bool:
    """[PW-RPL-08] A chain of airfields from a hub to the unit, no gap longer than its range."""
    fields = [h for h, b in g.airfields.items() if b.side == side]
    seen, edge = set(hubs(g, side)), list(hubs(g, side))
    goal, gap = g.units[unit].at, g.counter(unit).range
    while edge:
        at = edge.pop()
        if distance(at, goal) <= gap:
            return True
        for h in fields:
            if h not in seen and distance(at, h) <= gap:
                seen.add(h)
                edge.append(h)
    return False
