"""A second, slow reading of zones of influence, supply lines, activation paths and the ways of units, hex by hex.

Written from the rules alone: second edition 1.3, 6.21-6.25, 6.3, 6.4, 8.2, 8.4, 13.7; first edition 7.35, 7.4, 7.52, 12.7,
13.1-13.3. Shares with the game only the printed map and counters and the plain fields of the state; the last part compares.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterable, Iterator
from functools import cached_property

from pbem.games.empire_of_the_sun.activation import activation_reach
from pbem.games.empire_of_the_sun.board import Counter
from pbem.games.empire_of_the_sun.china_box import burma_road_open
from pbem.games.empire_of_the_sun.movement.limits import naval_allowance
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN, State
from pbem.games.empire_of_the_sun.supply import hostile, in_zone, supplied
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.hexes import Grid
from pbem.kernel.orders import Rejected

ENEMY = {JAPAN: ALLIES, ALLIES: JAPAN}
KUNMING, LASHIO, RANGOON, MADRAS = 2407, 2206, 2008, 1406
INDIAN_FIELDS = (1905, 2104, 2205)  # Dacca, Jarhat, Ledo
RAILWAY = {2008, 2108, 2109, 2010, 2110}  # from Rangoon to Bangkok
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
        self.around: dict[int, tuple[tuple[int, str], ...]] = {}
        self.on_map = [u for u, p in g.pieces.items() if p.box == "map"]
        self.busy = set() if g.offensive is None else {*g.offensive.units, *g.offensive.reactors}
        # 13.1, 6.21-MUTUAL: Japan first, everybody flying; then the Allies against the supplied Japanese. Second edition,
        # 6.4: nobody flies whom his side could not feed without a Japanese in the air
        self.zone: dict[str, set[int]] = {}
        self.fighters: dict[str, set[int]] = {}
        flying = set(self.on_map)
        if g.second:
            self._draw_zones({u for u in flying if self.side(u) == ALLIES})
            able = self._supplied(ALLIES) | self.busy
            flying = {u for u in flying if self.side(u) == JAPAN or u in able}
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
        return [h for h in GRID.within(at, 2) if h in self.hexes]

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

    def sides_of(self, place: int) -> tuple[tuple[int, str], ...]:
        """Neighbours and the marks of the hexside to them."""
        if place not in self.around:
            sides = zip(GRID.neighbours(place), self.hexes[place].sides, strict=True)
            self.around[place] = tuple((n, marks) for n, marks in sides if n in self.hexes)
        return self.around[place]

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
        if {here, there} <= RAILWAY:
            return self.g.has("kwai")
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
        if not self.g.has("hump"):
            return False
        at = [self.g.pieces[u].at for u in self.hqs(ALLIES)]
        reached = {h for h, _, _ in self.line(ALLIES, at, 10**6, 10**6, set())}
        fields = INDIAN_FIELDS[:2] if self.g.second else INDIAN_FIELDS
        return any(self.friendly(ALLIES, h) and h in reached for h in fields if h in self.hexes)

    def road_open(self) -> bool:
        """12.76: the road by 2306 and Lashio, then Allied hexes to Madras; 13.78: along routes to Rangoon and by sea, or on."""
        start = KUNMING if self.g.second else LASHIO
        along = {start} if self._allied(start) else set()
        todo = [*along]
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
        best: dict[int, int] = {}
        queue = [(0, at)]
        while queue:
            far, h = heapq.heappop(queue)
            if h in best:
                continue
            best[h] = far
            steps = [(n, 1) for n, marks in self.sides_of(h) if "W" in marks]
            steps += [(b, length) for (a, b), length in self.g.board.links.items() if a == h]
            for n, length in steps:
                heapq.heappush(queue, (far + length, n))
        return best

    def marching(self, unit: str, budget: int) -> set[int]:
        """8.42, 7.41: hexes that a ground unit of the active side reaches; it stops where enemies stand, ships apart."""
        side, start = self.side(unit), self.g.pieces[unit].at
        best: dict[int, int] = {}
        queue = [(0, start)]
        while queue:
            spent, h = heapq.heappop(queue)
            if h in best or spent > budget:
                continue
            best[h] = spent
            if h != start and h in self.occupants[ENEMY[side]]:
                continue
            for n, marks in self.sides_of(h):
                if "L" not in marks or self.closed_country(unit, n):
                    continue
                free = n not in self.occupants[ENEMY[side]]
                on_route = "R" in marks and free and self.way_built(h, n)
                heapq.heappush(queue, (spent + (1 if on_route else TERRAIN.get(self.hexes[n].terrain, 4)), n))
        return set(best) - {start}

    def way_built(self, here: int, there: int) -> bool:
        """The markers on the Indian routes belong to the second edition."""
        return self.route_built(here, there) if self.g.second or {here, there} <= RAILWAY else True

    def closed_country(self, unit: str, place: int) -> bool:
        """8.41, 7.42: where this unit never goes."""
        counter, here = self.counters[unit], self.hexes[place]
        by_kunming = KUNMING in self.hexes and GRID.distance(place, KUNMING) <= 1
        if here.region == "Manchuria":
            return True
        if counter.nation == "chinese":
            return here.region not in ("Burma", "NIndia") and not by_kunming
        if here.region == "IChina":
            return True
        forbidden = ("India",) if self.g.second else ("India", "Ceylon")
        return counter.side == JAPAN and here.region in forbidden and place != 1005

    def flying(self, unit: str, legs: int) -> set[int]:
        """8.31, 7.31: where a flight may end: legs of at most the longest range between own airfields, 5408 a stop only."""
        counter, start = self.counters[unit], self.g.pieces[unit].at
        side, leg = counter.side, counter.extended or counter.range
        fields = [h for h, x in self.hexes.items() if x.airfield and self.friendly(side, h) and h != 5408]
        ships = [u for u in self.on_map if self.side(u) == JAPAN and self.counters[u].kind == "naval"]
        ferry = side == ALLIES and 5408 in self.hexes and not any(self.g.pieces[u].at == 5408 for u in ships)
        reached, front = {start}, {start}
        for _ in range(legs):
            stops = [*fields, 5408] if ferry else fields
            front = {f for f in stops if f not in reached and any(GRID.distance(f, h) <= leg for h in front)}
            reached |= front
        return {f for f in reached if f in fields and f != start and not (self.g.second and self.soldiers_at(ENEMY[side], f))}

    def soldiers_at(self, side: str, place: int) -> bool:
        return any(
            self.g.pieces[u].at == place for u in self.on_map if self.side(u) == side and self.counters[u].kind == "ground"
        )


# -- comparison with the game ------------------------------------------------------------------------------------------


def disagreements(g: State) -> list[str]:
    """Supply of every unit, zones of both sides, activation paths of every HQ and the Burma Road, read twice."""
    slow, fields = Second(g), g.board.fields
    found = [f"{u} supplied: {supplied(g, u)}" for u in slow.on_map if supplied(g, u) != (u in slow.fed)]
    for side in (JAPAN, ALLIES):
        zone = {h for h in slow.hexes if slow.hostile(side, h)}
        found += [f"zone hostile to {side} in {h}" for h in sorted(zone ^ hostile(g, side))]
        found += [f"zone of {side} in {h}" for h in slow.hexes if in_zone(g, side, h) != (h in slow.zone[side])]
        for hq in slow.hqs(side):
            reach = set(fields.hexes(activation_reach(g, hq)))
            found += [f"activation path from {hq} to {h}" for h in sorted(reach ^ slow.reach(hq))]
    if KUNMING in slow.hexes and burma_road_open(g) != slow.road_open():
        found.append("the Burma Road")
    return found


def disagreements_on_moves(g: State, ask: Ask, dice: random.Random, number: int = 8) -> list[str]:
    """Moves of single activated units, judged by the question and by the slow reading. Two battles at once are left out."""
    o, slow = g.offensive, Second(g)
    assert o is not None
    if o.card in ("J1", "J2"):
        return []
    ready = [u for u, a in o.units.items() if not a.mode and g.pieces[u].box == "map" and u != "7th-armored-brigade"]
    found = []
    for unit in dice.sample(ready, min(2, len(ready))):
        at, kind = g.pieces[unit].at, slow.counters[unit].kind
        if any(slow.side(u) != slow.side(unit) and g.pieces[u].at == at for u in slow.on_map):
            continue
        allowance = naval_allowance(g)
        if kind == "naval":
            ends = {h for h, far in slow.sailing(at).items() if 0 < far <= allowance}
        else:
            ends = slow.marching(unit, 2 * o.ops) if kind == "ground" else slow.flying(unit, o.ops)
        near = [h for h in slow.hexes if h != at and GRID.distance(h, at) <= (3 if kind == "ground" else allowance + 2)]
        for to in {*dice.sample(sorted(ends), min(number, len(ends))), *dice.sample(near, min(number, len(near)))}:
            wrong = _judged(ask, {"move": f"{unit} to {to:04}"}, to in ends)
            if wrong:
                found.append(wrong)
    return found


def _judged(ask: Ask, order: Plain, legal: bool) -> str:
    try:
        ask.read(order)
    except Rejected as refused:
        return f"{order} was refused: {refused}" if legal and refused.problems[0].rule not in ("7.24", "6.24") else ""
    return "" if legal else f"{order} was accepted"
