"""[PW-CMD-06] to [PW-CMD-12] Command links: which hexes a side's headquarters reach by sea and land."""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import Any

from pbem.games.pacific_war.board import Board, distance
from pbem.games.pacific_war.state import BATTLE, ENGAGEMENT, FOE, JAPAN, SIDES, State
from pbem.games.pacific_war.world.ways import Ways, bit, bits, hexes_of
from pbem.kernel.canon import Plain
from pbem.kernel.memo import PLACES

OSB_SEA, LAND_POINTS, ROUTE_POINTS = 20, 12, 6
FAR = 9999  # steps: as far as the water goes
ROUTE_HEXES = 8  # [PW-CMD-11]
Hubs = tuple[tuple[int, bool], ...]  # hexes, and whether there is both a port and a support base
Routes = tuple[tuple[int, int], ...]
Reach = dict[str, frozenset[int]]  # headquarters -> hexes that are linked to it
AIR, FIGHTERS, SHIPS = "air", "1E", "ships"  # what a side states of a hex: aircraft without or with 1E, ships
KEPT = 64  # positions whose links are remembered


def _fleets(g: State, side: str) -> int:
    """Bits of the hexes with ships of a side, sealed ones among them: task forces, or what their owner has stated."""
    sealed = {m.at for m in g.markers.values() if m.side == side and m.handle}
    if ships_stated(g):
        sealed = {place for place, kind in _hidden(g, side) if SHIPS in kind}
    seen = g.memo.cached(("fleets", side), lambda: bits({g.units[u].at for u in g.on_map(side, "naval")}), PLACES)
    return seen | bits(sealed)


class Lines:
    """What blocks one side's links, computed once for a position."""

    def __init__(self, g: State, side: str) -> None:
        self.g, self.side, foe = g, side, FOE[side]
        self.ways = _ways(g.board)
        self.ships, own = _fleets(g, foe), _fleets(g, side)
        self.barred = _around(g, foe) & ~_around(g, side, FIGHTERS) | self.ships & ~own  # [PW-CMD-09] into these, not through
        self.shut = self.ways.shut(self.barred)
        self._sea: dict[tuple[int, int], int] = {}
        self._land: dict[tuple[int, int], int] = {}

    def blocked(self, place: int) -> bool:
        """[PW-CMD-09] A link may go into the hex but not through it."""
        return bool(bit(place) & self.barred)

    def coasts(self, start: int, most: int) -> int:
        """[PW-CMD-08] Bits of the coastline hexes within a number of steps over water, not through blocked hexes."""
        if (start, most) not in self._sea:
            self._sea[start, most] = self.ways.flood(bit(start), most, self.shut) & self.ways.coasts
        return self._sea[start, most]

    def overland(self, start: int, points: int) -> int:
        """[PW-CMD-08] Bits of the land hexes within a number of movement points."""
        if (start, points) not in self._land:
            self._land[start, points] = self.ways.overland(bit(start), points, self.shut)
        return self._land[start, points]

    def to_airfield(self, end: int) -> int:
        """[PW-CMD-11] Bits of the hexes from which a counter traces a line of six movement points to the end of a route."""
        return self.ways.overland(bit(end), ROUTE_POINTS, self.shut, towards=True)

    def flies(self, start: int, end: int) -> bool:
        """[PW-CMD-11] An air transport route passes from hex to hex, not through blocked ones."""
        near, edge, seen = self.g.board.near, [start], {start}
        for left in range(ROUTE_HEXES - 1, -1, -1):
            through = [at for at in edge if at == start or not self.blocked(at)]
            edge = list(dict.fromkeys(n for at in through for n in near(at) if n not in seen and distance(n, end) <= left))
            seen.update(edge)
        return end in seen


def _around(g: State, side: str, *types: str) -> int:
    """Bits of the hexes within two hexes of aircraft of a side, of some types or of all."""
    stated = {place for place, kind in _hidden(g, side) if any(t in kind for t in types or (AIR, FIGHTERS))}

    def seen() -> int:
        return _within_two(g, {g.units[u].at for u in g.on_map(side, "air") if not types or g.counter(u).type in types})

    return g.memo.cached(("around aircraft", side, types), seen, PLACES) | _within_two(g, stated)


def _within_two(g: State, places: Set[int]) -> int:
    """Bits of the hexes within two hexes of some."""
    ways, found = _ways(g.board), 0
    for place in places:
        found |= ways.around(place)
    return found


def _hidden(g: State, side: str) -> list[tuple[int, str]]:
    """[PW-RUL-41] Hexes of sealed units in which aircraft or ships are stated."""
    stated = g.covers.get(side)
    if not stated:
        return []
    sealed = {m.at for m in g.markers.values() if m.side == side and m.handle} | {*g.forces.get(side, ())}
    return [(place, kind) for place, kind in stated.items() if place in sealed]


def ships_stated(g: State) -> bool:
    """A sealed task force may be a decoy, a Force hold ships: their owner states where ships are as far as links go."""
    return bool(g.options.get("decoys") == "yes" or g.options.get("land") == "sealed")


def links_under(g: State, covers: dict[str, dict[int, str]]) -> Any:
    """The linked hexes of both sides if hidden aircraft were there: worked out anew, as a value that can be compared."""
    saved, g.covers = g.covers, covers
    try:
        return [_reach(g, side) for side in SIDES]
    finally:
        g.covers = saved


_WAYS: dict[int, tuple[Board, Ways]] = {}


def _ways(board: Board) -> Ways:
    """The ways of a board; made once for each."""
    if id(board) not in _WAYS or _WAYS[id(board)][0] is not board:
        _WAYS[id(board)] = (board, Ways(board))
    return _WAYS[id(board)][1]


def water_hexes(g: State, start: int, most: int) -> int:
    """[PW-CMD-10] Bits of the coastline hexes within a number of water hexes, whatever is in the way."""
    ways = _ways(g.board)
    return ways.flood(bit(start), most, 0) & ways.coasts


def open_water(g: State, start: int, shut: Set[int]) -> frozenset[int]:
    """Hexes to which ships come from a hex that is not shut, over water hexes that are not; itself where there are any."""
    ways, barred = _ways(g.board), bits(shut)
    found = hexes_of(ways.flood(bit(start), FAR, ways.shut(barred)) & ~barred)
    return found if len(found) > 1 else frozenset()


def sources(g: State, side: str, lines: Lines) -> int:
    """[PW-CMD-07] Bits of the ultimate command sources: Japan's home resource hexes; water hexes of three edges."""
    if side == JAPAN:
        return bits(h for h, left in _home_points(g).items() if left > 0 and g.control.get(h, JAPAN) == JAPAN)
    return lines.ways.edge & ~lines.ships & ~lines.barred


def _home_points(g: State) -> dict[int, int]:
    return {int(k[5:]): n for k, n in g.ledger.items() if k.startswith("home ")}


def reach(g: State, side: str) -> Reach:
    """[PW-CMD-06] The hexes linked to each linked headquarters of a side."""
    return g.memo.cached(("reach", side, len(g.express)), lambda: _reach(g, side), PLACES)


def link_position(g: State) -> Plain:
    """What everybody knows of the things that links depend on, as plain data."""
    counters = g.board.counters
    air = {
        (counters[u].side, x.at, counters[u].type == FIGHTERS)
        for u, x in g.units.items()
        if x.box == "map" and counters[u].kind == "air"
    }
    ships = {(counters[u].side, x.at) for u, x in g.units.items() if x.box == "map" and counters[u].kind == "naval"}
    seen: list[Plain] = [[list(row) for row in sorted(found)] for found in (air, ships)]
    bases: list[Plain] = [[[h, b.side, b.interdicted] for h, b in kind.items()] for kind in (g.ports, g.osbs)]
    hqs: list[Plain] = [[n, h.at, h.box] for n, h in g.hqs.items()]
    homes: list[Plain] = [[h, left > 0, g.control.get(h, JAPAN)] for h, left in _home_points(g).items()]
    return [*seen, *bases, hqs, homes, [[n, *ends] for n, ends in g.express.items()]]


def _reach(g: State, side: str) -> Reach:
    """Worked out once for everything that links depend on: most changes of the layout leave that alone."""
    lines, hubs = Lines(g, side), _hubs(g, side)
    hqs = tuple((n, h.at, h.range) for n, h in g.hqs.items() if h.side == side and h.box == "map" and _works(g, side, h.at))
    begin, routes = sources(g, side, lines), _routes(g, side)
    key = side, lines.barred, begin, hubs, hqs, routes
    if key not in g.reaches:
        if len(g.reaches) >= KEPT:
            g.reaches.clear()
        g.reaches[key] = _reach_from(lines, begin, hubs, hqs, routes)
    found: Reach = g.reaches[key]
    return found


def _reach_from(lines: Lines, begin: int, hubs: Hubs, hqs: Sequence[tuple[str, int, int]], routes: Routes) -> Reach:
    supplied = lines.ways.flood(begin, FAR, lines.shut)
    found = {name: _spread(lines, hubs, lines.coasts(at, most)) for name, at, most in hqs if bit(at) & supplied}
    everywhere = 0
    for linked_places in found.values():
        everywhere |= linked_places
    for start, end in _emergency(lines, routes, everywhere):
        more = bit(end) if lines.side == JAPAN else lines.to_airfield(end)
        found = {name: places | more if places & bit(start) else places for name, places in found.items()}
    return {name: hexes_of(places) for name, places in found.items()}


def linked_hexes(g: State, side: str) -> set[int]:
    """[PW-CMD-06] Every linked hex of a side."""
    return g.memo.cached(("linked", side, len(g.express)), lambda: set().union(*reach(g, side).values()), PLACES)


def _works(g: State, side: str, place: int) -> bool:
    """A friendly port that is not interdicted."""
    port = g.port(side, place)
    return port is not None and not port.interdicted


def _hubs(g: State, side: str) -> Hubs:
    """Working ports and support bases of a side, and whether a hex has both."""
    bases = {h for h, base in g.osbs.items() if base.side == side}
    ports = {h for h in g.ports if _works(g, side, h)}
    return tuple((h, h in bases and h in ports) for h in sorted(bases | ports))


def _routes(g: State, side: str) -> Routes:
    """[PW-CMD-10] [PW-CMD-11] Ends of a side's Tokyo Express, or of its emergency air transport routes."""
    return tuple((ends[0], ends[1]) for n, ends in g.express.items() if n.startswith("express") == (side == JAPAN))


def _spread(lines: Lines, hubs: Hubs, mine: int) -> int:
    """From what a headquarters reaches by sea on through ports and support bases."""
    waiting = list(hubs)
    while True:
        ready = [hub for hub in waiting if bit(hub[0]) & mine]
        if not ready:
            return mine
        waiting = [hub for hub in waiting if hub not in ready]
        for at, both in ready:
            mine |= lines.overland(at, LAND_POINTS)
            if both:
                mine |= lines.coasts(at, OSB_SEA)


def _emergency(lines: Lines, routes: Routes, reached: int) -> list[tuple[int, int]]:
    """[PW-CMD-10] [PW-CMD-11] Tokyo Express and open air transport routes whose start is linked, chains included."""
    waiting = [row for row in routes if lines.side == JAPAN or lines.flies(*row)]
    opened: list[tuple[int, int]] = []
    while True:
        ready = [row for row in waiting if bit(row[0]) & reached]
        if not ready:
            return opened
        opened += ready
        reached |= bits(end for _, end in ready)
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
