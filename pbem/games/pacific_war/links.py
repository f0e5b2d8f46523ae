"""[PW-CMD-06] to [PW-CMD-12] Command links: which hexes a side's headquarters reach by sea and land."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from pbem.games.pacific_war.board import NODE
from pbem.games.pacific_war.state import BATTLE, ENGAGEMENT, FOE, JAPAN, SIDES, State

OSB_SEA, LAND_POINTS, ROUTE_POINTS = 20, 12, 6
ROUTE_HEXES = 8  # [PW-CMD-11]
KEPT = 16  # positions whose links are remembered


def _fleets(g: State, side: str) -> set[int]:
    """Hexes with ships of a side, those of sealed task forces among them."""
    sealed = {m.at for m in g.markers.values() if m.side == side and m.handle}
    return sealed | {g.units[u].at for u in g.on_map(side, "naval")}


class Lines:
    """What blocks one side's links, computed once for a position."""

    def __init__(self, g: State, side: str) -> None:
        self.g, self.side, foe = g, side, FOE[side]
        self.air = _around(g, foe)
        self.cover = _around(g, side, "1E")
        self.ships, own = _fleets(g, foe), _fleets(g, side)
        self.barred = (self.air - self.cover) | (self.ships - own)  # [PW-CMD-09] into these, not through them

    def blocked(self, place: int) -> bool:
        """[PW-CMD-09] A link may go into the hex but not through it."""
        return place in self.barred

    def flood(self, start: int, most: int) -> set[int]:
        """Sea hexes within a number of steps of a start, not through blocked ones."""
        board, barred = self.g.board, self.barred
        ways = board.sea_ways
        edge = board.sea_nodes(start)
        seen = set(edge)
        for _ in range(most):
            following = []
            for at in edge:
                if at % NODE in barred and at % NODE != start:
                    continue
                for n in ways[at]:
                    if n not in seen:
                        seen.add(n)
                        following.append(n)
            if not following:
                break
            edge = following
        return {n % NODE for n in seen}

    def flies(self, start: int, end: int) -> bool:
        """[PW-CMD-11] An air transport route passes from hex to hex, not through blocked ones."""
        near, edge, seen = self.g.board.near, [start], {start}
        for _ in range(ROUTE_HEXES):
            edge = [n for at in edge if at == start or at not in self.barred for n in near(at) if n not in seen]
            seen.update(edge)
        return end in seen

    def overland(self, start: int, points: int) -> set[int]:
        """[PW-CMD-08] Land hexes within a number of movement points."""
        ways, barred = self.g.board.land_ways, self.barred
        left = {start: points}
        edge = [start]
        while edge:
            at = edge.pop()
            if at != start and at in barred:
                continue
            rest = left[at]
            for n, price in ways.get(at, ()):
                if rest >= price and left.get(n, -1) < rest - price:
                    left[n] = rest - price
                    edge.append(n)
        return set(left)


def _around(g: State, side: str, *types: str) -> set[int]:
    found: set[int] = set()
    for place in {g.units[u].at for u in g.on_map(side, "air") if not types or g.counter(u).type in types}:
        found.update(g.board.within(place, 2))
    return found


def is_source(g: State, side: str, lines: Lines) -> Callable[[int], bool]:
    """[PW-CMD-07] Ultimate command sources: Japan's home resource hexes; water hexes of the east, south and west edge."""
    if side == JAPAN:
        homes = {h for h, left in _home_points(g).items() if left > 0 and g.control.get(h, JAPAN) == JAPAN}
        return lambda place: place in homes
    low, high = g.board.positions
    south = g.board.rows[0]

    def on_edge(place: int) -> bool:
        edge = place % 100 in (low, high) or place // 100 == south
        return edge and g.board.sea(place) and place not in lines.ships and not lines.blocked(place)

    return on_edge


def _home_points(g: State) -> dict[int, int]:
    return {int(k[5:]): n for k, n in g.ledger.items() if k.startswith("home ")}


def reach(g: State, side: str) -> dict[str, set[int]]:
    """[PW-CMD-06] The hexes linked to each linked headquarters of a side."""
    return g.cached(("reach", side, len(g.express)), lambda: _reach_of(g, side))


def _reach_of(g: State, side: str) -> dict[str, set[int]]:
    """Worked out once for everything that links depend on: most changes of the layout leave that alone."""
    key = (side, _position(g))
    if key not in g.reaches:
        if len(g.reaches) >= KEPT:
            g.reaches.clear()
        g.reaches[key] = _reach(g, side)
    found: dict[str, set[int]] = g.reaches[key]
    return found


def _position(g: State) -> Any:
    """Everything that links depend on, as a value that can be compared."""
    counters = g.board.counters
    air = frozenset(
        (counters[u].side, x.at, counters[u].type == "1E")
        for u, x in g.units.items()
        if x.box == "map" and counters[u].kind == "air"
    )
    fleets = tuple(frozenset(_fleets(g, side)) for side in SIDES)
    bases = tuple(tuple((h, b.side, b.interdicted) for h, b in kind.items()) for kind in (g.ports, g.osbs))
    hqs = tuple((n, h.at, h.box) for n, h in g.hqs.items())
    homes = tuple((h, left > 0, g.control.get(h, JAPAN)) for h, left in _home_points(g).items())
    return air, fleets, bases, hqs, homes, tuple((n, *ends) for n, ends in g.express.items())


def _reach(g: State, side: str) -> dict[str, set[int]]:
    lines = Lines(g, side)
    source = is_source(g, side, lines)
    found: dict[str, set[int]] = {}
    for name, hq in g.hqs.items():
        if hq.side == side and hq.box == "map" and _works(g, side, hq.at) and _reaches_source(g, hq.at, lines, source):
            by_sea = lines.flood(hq.at, hq.range) & g.board.coasts
            found[name] = _spread(g, side, lines, {*by_sea, hq.at})
    for start, end in _emergency(lines, set().union(*found.values())):
        places = {end} if side == JAPAN else lines.overland(end, ROUTE_POINTS)
        for linked_places in found.values():
            if start in linked_places:
                linked_places |= places
    return found


def linked_hexes(g: State, side: str) -> set[int]:
    """[PW-CMD-06] Every linked hex of a side."""
    return g.cached(("linked", side, len(g.express)), lambda: set().union(*reach(g, side).values()))


def _works(g: State, side: str, place: int) -> bool:
    """A friendly port that is not interdicted."""
    port = g.port(side, place)
    return port is not None and not port.interdicted


def _reaches_source(g: State, place: int, lines: Lines, source: Callable[[int], bool]) -> bool:
    if source(place):
        return True
    return any(source(h) for h in lines.flood(place, 99))


def _spread(g: State, side: str, lines: Lines, first: Iterable[int]) -> set[int]:
    """From what a headquarters reaches by sea on through ports and support bases."""
    todo, done = sorted(first), set()
    mine = set(todo)
    while todo:
        at = todo.pop()
        if at in done:
            continue
        done.add(at)
        port, base = _works(g, side, at), at in g.osbs and g.osbs[at].side == side
        more: set[int] = set()
        if port or base:
            more |= lines.overland(at, LAND_POINTS)
        if port and base:
            more |= lines.flood(at, OSB_SEA) & g.board.coasts
        todo += sorted(more - mine)
        mine |= more
    return mine


def _emergency(lines: Lines, found: set[int]) -> list[tuple[int, int]]:
    """[PW-CMD-10] [PW-CMD-11] Tokyo Express and open air transport routes whose start is linked, chains included."""
    japan = lines.side == JAPAN
    waiting = [(ends[0], ends[1]) for n, ends in lines.g.express.items() if n.startswith("express") == japan]
    waiting = [row for row in waiting if japan or lines.flies(*row)]
    opened: list[tuple[int, int]] = []
    reached = set(found)
    while True:
        ready = [row for row in waiting if row[0] in reached]
        if not ready:
            return opened
        opened += ready
        reached |= {end for _, end in ready}
        waiting = [row for row in waiting if row not in ready]


def linked(g: State, side: str, place: int) -> bool:
    """[PW-CMD-06] A hex is linked for a side; in engagements and battles everything is [PW-GEN-02]."""
    return g.level in (ENGAGEMENT, BATTLE) or place in linked_hexes(g, side)


def surcharge(g: State, side: str, place: int) -> bool:
    """[PW-CMD-12] Linked only through an emergency link: each command point costs one more."""
    return bool(g.express) and place not in usually_linked(g, side)


def usually_linked(g: State, side: str) -> set[int]:
    """Every linked hex of a side, emergency links not counted."""
    saved, g.express = g.express, {}
    try:
        return linked_hexes(g, side)
    finally:
        g.express = saved
