"""A second, slow reading of zones of influence, supply lines, activation paths and the ways of units, hex by hex.

Written from the rules alone: second edition 1.3, 6.21-6.25, 6.3, 6.4, 8.2, 8.4, 13.7; first edition 7.35, 7.4, 7.52, 12.7,
13.1-13.3. Shares with the game only the printed map and counters and the plain fields of the state.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from functools import cached_property

from pbem.games.empire_of_the_sun.board import Counter
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State
from pbem.kernel.hexes import Grid

ENEMY = {JAPAN: ALLIES, ALLIES: JAPAN}
KUNMING, RANGOON, MADRAS = 2407, 2008, 1406
INDIAN_FIELDS = (1905, 2104, 2205)  # Dacca, Jarhat, Ledo
ROUTE_MARKERS = {2104: "jarhat", 2105: "imphal", 2205: "ledo"}
TERRAIN = {"open": 2, "mountain": 6}  # half movement points; everything else 4
GRID = Grid(odd_lower=True)
Place = tuple[int, str, int]  # hex, how the line came ("" start, sea, land), supply-eligible ports used


class Second:
    """One position, read by brute force. Nothing is kept between two of these."""

    def __init__(self, g: State) -> None:
        self.g = g
        self.hexes = g.board.hexes
        self.counters = g.board.counters
        self.on_map = [u for u, p in g.pieces.items() if p.box == "map"]
        self.busy = set() if g.offensive is None else {*g.offensive.units, *g.offensive.reactors}
        # 13.1, 6.21-MUTUAL: Japan first, everybody flying; then the Allies against the supplied Japanese
        self.zone: dict[str, set[int]] = {}
        self.fighters: dict[str, set[int]] = {}
        flying = set(self.on_map)
        self.fed = set(self.busy)
        for side in (JAPAN, ALLIES):
            before: set[str] = set()
            while before != flying:
                before = flying
                self._draw_zones(flying)
                fed = self._supplied(side) | {u for u in self.busy if self.side(u) == side}
                flying = {u for u in flying if self.side(u) != side or u in fed}
            self.fed |= fed
        self._draw_zones(flying)

    def side(self, unit: str) -> str:
        return self.counters[unit].side

    # -- zones of influence, 6.4 and 7.35 -------------------------------------------------------------------------------

    def _draw_zones(self, flying: set[str]) -> None:
        for side in (JAPAN, ALLIES):
            able = [u for u in self.on_map if u in flying and self.side(u) == side and self._flies(u)]
            self.zone[side] = {h for u in able for h in self._around(u)}
            self.fighters[side] = {h for u in able if not self.counters[u].lrb for h in self._around(u)}

    def _flies(self, unit: str) -> bool:
        counter, o = self.counters[unit], self.g.offensive
        if o is not None and o.card == "J2" and counter.side == ALLIES:
            return False  # 17.11
        return counter.kind == "air" or counter.type in ("cv", "cvl", "cve")

    def _around(self, unit: str) -> list[int]:
        at = self.g.pieces[unit].at
        return [h for h in self.hexes if GRID.distance(at, h) <= 2]

    def hostile(self, side: str, place: int) -> bool:
        """In an un-neutralised zone of the enemy."""
        return place in self.zone[ENEMY[side]] and place not in self.fighters[side]

    # -- the ground -----------------------------------------------------------------------------------------------------

    def occupied(self, side: str) -> set[int]:
        """Hexes with a ground unit, air unit or HQ of a side; cities with intrinsic troops; Kunming and round it."""
        found = {self.g.pieces[u].at for u in self.on_map if self.side(u) == side and self.counters[u].kind != "naval"}
        for h, x in self.hexes.items():
            intrinsic = x.city == "homeland" or (x.city == "garrison" and x.region == "China")
            if side == JAPAN and intrinsic and self.g.control.get(h) == JAPAN:
                found.add(h)
            if side == ALLIES and KUNMING in self.hexes and GRID.distance(h, KUNMING) <= 1:
                found.add(h)
        return found

    @cached_property
    def occupants(self) -> dict[str, set[int]]:
        return {side: self.occupied(side) for side in (JAPAN, ALLIES)}

    def held_against(self, side: str, place: int) -> bool:
        """A-16: an enemy alone in the hex; in a shared hex nobody bars the way."""
        return place in self.occupants[ENEMY[side]] and place not in self.occupants[side]

    def friendly(self, side: str, place: int) -> bool:
        return self.g.control.get(place) == side

    def sides_of(self, place: int) -> Iterator[tuple[int, str]]:
        """Neighbours and the marks of the hexside to them."""
        for n, marks in zip(GRID.neighbours(place), self.hexes[place].sides, strict=True):
            if n in self.hexes:
                yield n, marks

    def by_sea(self, side: str, place: int) -> Iterator[tuple[int, int]]:
        """Neighbours for a line across a playable sea hexside, and their distance; off-map links of the small maps."""
        if self.hostile(side, place):
            return
        for n, marks in self.sides_of(place):
            if "W" in marks and not self.hostile(side, n):
                yield n, 1
        for (a, b), length in self.g.board.links.items():
            if a == place and not self.hostile(side, b):
                yield b, length

    # -- lines, 6.21 and 13.1 -------------------------------------------------------------------------------------------

    def line(self, side: str, starts: Iterable[int], length: int, ports: int, eligible: set[int]) -> dict[Place, int]:
        """Every place that a line reaches, with its shortest length. `ports`: how many changes at ports it may make."""
        best: dict[Place, int] = {}
        queue = [(0, h, "", 0) for h in starts]
        while queue:
            far, h, came, used = heapq.heappop(queue)
            if (h, came, used) in best or far > length:
                continue
            best[(h, came, used)] = far
            for how in ("sea", "land"):
                spent = used
                if came and came != how:
                    if not self._changes(side, h, eligible, ports):
                        continue
                    spent = used + 1 if ports < 99 else 0
                if spent > ports:
                    continue
                if not self.g.second and came and self.held_against(side, h):
                    continue  # 13.1: enter or leave an enemy-occupied hex, but not pass through it
                for n, far_on in self.by_sea(side, h) if how == "sea" else self.by_land(side, h, not came):
                    heapq.heappush(queue, (far + far_on, n, how, spent))
        return best

    def _changes(self, side: str, place: int, eligible: set[int], ports: int) -> bool:
        """C, D, F, G: between sea and land only in an own port; the unit's line in one that is supply-eligible."""
        own_port = self.hexes[place].port and self.friendly(side, place)
        return own_port and (ports >= 99 or place in eligible)

    def by_land(self, side: str, place: int, start: bool) -> Iterator[tuple[int, int]]:
        """E: not across a hexside of a hex that an enemy holds; first edition: into it, or out of it at the start."""
        if self.held_against(side, place) and (self.g.second or not start):
            return
        for n, marks in self.sides_of(place):
            if "L" in marks and not (self.g.second and self.held_against(side, n)):
                yield n, 1

    def hqs(self, side: str) -> list[str]:
        return [u for u in self.on_map if self.side(u) == side and self.counters[u].kind == "hq"]

    def sources(self, side: str) -> list[int]:
        """6.22: the map edges; Japanese cities of the Home Islands in Japanese hands."""
        west, east = self.g.board.edges
        if side == ALLIES:
            return [h for h, x in self.hexes.items() if x.source == "allies" or h // 100 in (west, east)]
        cities = [h for h, x in self.hexes.items() if x.city == "homeland" or x.source == "japan"]
        return [h for h in cities if h not in self.g.control or self.friendly(JAPAN, h)]

    def eligible_ports(self, side: str) -> set[int]:
        """1.3-SUPPORT: own ports that a line by sea, of any length, reaches from any HQ."""
        at = [self.g.pieces[u].at for u in self.hqs(side)]
        found = self.line(side, at, 10**6, 0, set())
        by_sea = {h for h, came, _ in found if came in ("", "sea")}
        return {h for h in by_sea if self.hexes[h].port and self.friendly(side, h)}

    def _supplied(self, side: str) -> set[str]:
        eligible = self.eligible_ports(side)
        from_source = {h for h, _, _ in self.line(side, self.sources(side), 10**6, 10**6, eligible)}
        fed_hqs = [u for u in self.hqs(side) if self.g.pieces[u].at in from_source]
        units = [u for u in self.on_map if self.side(u) == side and self.counters[u].kind != "hq"]
        found = {*fed_hqs}
        for hq in fed_hqs:
            found |= self._supplied_by(side, hq, units, eligible)
        return found | self._emergency(side, units, fed_hqs)

    def _supplied_by(self, side: str, hq: str, units: list[str], eligible: set[int]) -> set[str]:
        """6.21-UNIT, -LAND4, -PORT1."""
        at, counter = self.g.pieces[hq].at, self.counters[hq]
        ends = self.line(side, [at], counter.command, 1 if self.g.second else 10**6, eligible)
        near = self.overland(side, {at, *eligible}, 8) if self.g.second else set()
        found = set()
        for unit in units:
            here = self.g.pieces[unit].at
            for came in ("", "sea", "land"):
                reached = any((here, came, used) in ends for used in (0, 1))
                if reached and (came != "land" or not self.g.second or here in near) and self.may_call(counter, unit):
                    found.add(unit)
        return found

    def may_call(self, hq: Counter, unit: str) -> bool:
        """TBL-HQNAT, T-HQ."""
        counter = self.counters[unit]
        american = counter.nation == "us"
        own = counter.nation in ("british", "australian", "new-zealand", "indian")
        match hq.nation:
            case "us":
                return american or counter.nation == "chinese"
            case "commonwealth":
                army_air = american and counter.kind == "air" and (self.g.second or counter.service == "army")
                return own or counter.nation == "chinese" or army_air
        return counter.kind != "hq"

    # -- overland, 6.21-LAND4 -------------------------------------------------------------------------------------------

    def cost(self, side: str, here: int, there: int, marks: str) -> int:
        """8.42: half movement points; a usable route between hexes without enemies costs half a point."""
        clear = not any(h in self.occupants[ENEMY[side]] for h in (here, there))
        if "R" in marks and clear and self.route_built(here, there):
            return 1
        return TERRAIN.get(self.hexes[there].terrain, 4)

    def route_built(self, here: int, there: int) -> bool:
        """13.77, 13.79: No Transport Route markers; the railway over the Kwai."""
        if {here, there} == {2108, 2109}:
            return self.g.kwai
        return all(ROUTE_MARKERS[h] in self.g.routes for h in (here, there) if h in ROUTE_MARKERS)

    def overland(self, side: str, starts: Iterable[int], budget: int) -> set[int]:
        """Hexes within so many half movement points of some hexes, where lines may go."""
        best: dict[int, int] = {}
        queue = [(0, h) for h in starts]
        while queue:
            spent, h = heapq.heappop(queue)
            if h in best or spent > budget:
                continue
            best[h] = spent
            first = spent == 0
            for n, _ in self.by_land(side, h, first):
                marks = dict(self.sides_of(h))[n]
                heapq.heappush(queue, (spent + self.cost(side, h, n, marks), n))
        return set(best)

    # -- substitutes: Tokyo Express, Kunming, the Hump ------------------------------------------------------------------

    def _emergency(self, side: str, units: list[str], fed_hqs: list[str]) -> set[str]:
        if side == JAPAN:
            return {u for u in units if self.g.express and self.g.pieces[u].at == self.g.express}
        if KUNMING not in self.hexes or not (self.road_open() or self.hump_works()):
            return set()
        near = self.overland(ALLIES, [KUNMING], 8 if self.g.second else 10**6)
        return {u for u in units if self.g.pieces[u].at in near}

    def hump_works(self) -> bool:
        """6.23, 13.2: in force, with an own airfield of Northern India that some HQ reaches by a line of any length."""
        if not self.g.hump:
            return False
        at = [self.g.pieces[u].at for u in self.hqs(ALLIES)]
        reached = {h for h, _, _ in self.line(ALLIES, at, 10**6, 10**6, set())}
        return any(self.friendly(ALLIES, h) and h in reached for h in INDIAN_FIELDS if h in self.hexes)

    def road_open(self) -> bool:
        """12.76: Allied hexes from Kunming to Madras; 13.78: along routes to Rangoon and by sea, or by Ledo or Imphal."""
        along = {KUNMING}
        todo = [KUNMING]
        while todo:
            h = todo.pop()
            for n, marks in self.sides_of(h):
                way = ("R" in marks and self.route_built(h, n)) if self.g.second else "L" in marks
                if way and n not in along and self._allied(n):
                    along.add(n)
                    todo.append(n)
        if MADRAS in along:
            return True
        return self.g.second and RANGOON in along and self._out_of_rangoon()

    def _allied(self, place: int) -> bool:
        mine = self.friendly(ALLIES, place) or GRID.distance(place, KUNMING) <= 1
        return mine and (not self.g.second or not self.held_against(ALLIES, place))

    def _out_of_rangoon(self) -> bool:
        found = self.line(ALLIES, [RANGOON], 10**6, 0, set())
        east = self.g.board.edges[1]
        return any(came == "sea" and (h == MADRAS or h // 100 == east) for h, came, _ in found)

    # -- activation, 6.3 and 7.52 ---------------------------------------------------------------------------------------

    def reach(self, hq: str) -> set[int]:
        """Hexes that an activation path from an HQ reaches."""
        side, start = self.side(hq), self.g.pieces[hq].at
        best: dict[int, int] = {}
        queue = [(0, start)]
        while queue:
            far, h = heapq.heappop(queue)
            if h in best or far > self.counters[hq].command:
                continue
            best[h] = far
            if not self.g.second and h != start and self.held_against(side, h):
                continue  # 7.52: a hex with an enemy unit may only be the end
            for n, marks in self.sides_of(h):
                if self._path_crosses(side, h, n, marks):
                    heapq.heappush(queue, (far + 1, n))
            for (a, b), length in self.g.board.links.items():
                if a == h and not self.hostile(side, a) and not self.hostile(side, b):
                    heapq.heappush(queue, (far + length, b))
        return set(best)

    def _path_crosses(self, side: str, here: int, there: int, marks: str) -> bool:
        if any(m in marks for m in "Ww") and not self.hostile(side, here) and not self.hostile(side, there):
            return True
        if not any(m in marks for m in "Ll"):
            return False
        return not self.g.second or (not self.held_against(side, here) and not self.held_against(side, there))

    # -- ways of ships and men, 8.21, 8.42 ------------------------------------------------------------------------------

    def sailing(self, at: int) -> dict[int, int]:
        """8.21: hexes to sail from a hex to every hex, across playable sea hexsides only."""
        best = {at: 0}
        queue = [(0, at)]
        while queue:
            far, h = heapq.heappop(queue)
            if far > best[h]:
                continue
            steps = [(n, 1) for n, marks in self.sides_of(h) if "W" in marks]
            steps += [(b, length) for (a, b), length in self.g.board.links.items() if a == h]
            for n, length in steps:
                if far + length < best.get(n, 10**6):
                    best[n] = far + length
                    heapq.heappush(queue, (far + length, n))
        return best
