"""[PW-CMD-06] to [PW-CMD-12] Command links: which hexes a side's headquarters reach by sea and land."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pbem.games.pacific_war.landmoves import COSTS
from pbem.games.pacific_war.state import BATTLE, ENGAGEMENT, FOE, JAPAN, State

OSB_SEA, LAND_POINTS, ROUTE_POINTS = 20, 12, 6
EXPRESS_HEXES = 8


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

    def flood(self, start: int, most: int, allowed: frozenset[int]) -> set[int]:
        """Hexes within a number of steps of a start, over allowed hexes, not through blocked ones."""
        seen, edge = {start}, [start]
        near, barred = self.g.board.near, self.barred
        for _ in range(most):
            following = []
            for at in edge:
                if at in barred and at != start:
                    continue
                for n in near(at):
                    if n not in seen and n in allowed:
                        seen.add(n)
                        following.append(n)
            if not following:
                break
            edge = following
        return seen

    def overland(self, start: int, points: int) -> set[int]:
        """[PW-CMD-08] Land hexes within a number of movement points."""
        board = self.g.board
        left = {start: points}
        edge = [start]
        while edge:
            at = edge.pop()
            if at != start and self.blocked(at):
                continue
            for n in board.near(at):
                price = 2 if n in board.hex(at).routes else COSTS.get(board.hex(n).land)
                if price is not None and left[at] - price >= 0 and left.get(n, -1) < left[at] - price:
                    left[n] = left[at] - price
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
    return g.cached(("reach", side, len(g.express)), lambda: _reach(g, side))


def _reach(g: State, side: str) -> dict[str, set[int]]:
    lines = Lines(g, side)
    source = is_source(g, side, lines)
    found: dict[str, set[int]] = {}
    for name, hq in g.hqs.items():
        if hq.side == side and hq.box == "map" and _works(g, side, hq.at) and _reaches_source(g, hq.at, lines, source):
            by_sea = lines.flood(hq.at, hq.range, g.board.seas) & g.board.coasts
            found[name] = _spread(g, side, lines, {*by_sea, hq.at})
    for start, end in _emergency(g, side, set().union(*found.values())):
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
    return any(source(h) for h in lines.flood(place, 99, g.board.seas))


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
            more |= lines.flood(at, OSB_SEA, g.board.seas) & g.board.coasts
        todo += sorted(more - mine)
        mine |= more
    return mine


def _emergency(g: State, side: str, found: set[int]) -> list[tuple[int, int]]:
    """[PW-CMD-10] [PW-CMD-11] Tokyo Express and air transport routes whose start is linked, chains included."""
    waiting = [(ends[0], ends[1]) for n, ends in g.express.items() if n.startswith("express") == (side == JAPAN)]
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
    if not g.express:
        return False
    saved, g.express = g.express, {}
    try:
        return place not in linked_hexes(g, side)
    finally:
        g.express = saved
