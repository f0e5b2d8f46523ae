"""A second, slow reading of zones of control, ground movement [8.1 to 8.5] and supply [13.1], by exhaustion.

Written from the text of the rules alone. It shares with the game the records of the board and of the state, nothing that
decides. All costs are fractions of a movement point.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from pbem.games.next_war import searches, supply, zoc
from pbem.games.next_war.board import Hex, Side
from pbem.games.next_war.state import FOE, SIDES, State
from pbem.kernel.flow import Ask
from pbem.kernel.hexes import Grid
from pbem.kernel.orders import Rejected

GRID = Grid(odd_lower=True)
FREE_FOR_LIGHT = ("flat", "flat_woods")  # 8.2.4: where Light Infantry is no better than others
MOUNTAINS = ("mountain", "high_mountain")
ON_FOOT = ("leg", "li")
SPARE = 0  # movement points above those printed: set by a test that wants the judge to be wrong
Spent = tuple[Fraction, ...]


class Stand(NamedTuple):
    """A stack on its way: where it is, whether it came by road, passes by an enemy place, may go on."""

    place: int
    by_road: bool = False
    passing: bool = False
    stopped: bool = False


# -- the map -------------------------------------------------------------------------------------------------------------


def neighbours(g: State, place: int) -> Iterator[tuple[int, Hex, Side]]:
    """Land hexes beside a hex with the hexside between."""
    for number in GRID.neighbours(place):
        found = g.board.hexes.get(number)
        if found is not None and found.terrain != "sea":
            yield number, found, g.board.sides.get((min(place, number), max(place, number)), Side())


def bridged(g: State, one: int, other: int, side: Side) -> bool:
    """[8.3.1.1.1] A road crosses the hexside, on a bridge that stands."""
    return bool(side.road) and 10000 * min(one, other) + max(one, other) not in g.bridges_down


def number_of(g: State, pair: Sequence[Any]) -> Fraction | None:
    """A cost of a chart for the weather; None where it is forbidden."""
    text = str(pair[g.weather == "storm"])
    return None if text == "P" else Fraction(text)


def country(g: State, name: str) -> str:
    """The seat that a country belongs to."""
    return str(g.p["countries"].get(name, ""))


def army(g: State, side: str) -> dict[int, list[str]]:
    """[2.3] Ground units of a side by hex."""
    found: dict[int, list[str]] = {}
    for unit, piece in g.pieces.items():
        counter = g.board.counters[unit]
        if counter.kind == "ground" and counter.seat == side and piece.at and not piece.aboard:
            found.setdefault(piece.at, []).append(unit)
    return found


def on_border(g: State, place: int) -> bool:
    """[KOREA-DMZ] Land beside land of the other country."""
    hex_ = g.board.hexes[place]
    return hex_.land and any(
        other.land and country(g, other.country) != country(g, hex_.country) for _, other, _ in neighbours(g, place)
    )


# -- zones of control ------------------------------------------------------------------------------------------------------


def zones(g: State, side: str) -> set[int]:
    """[8.2.1, 8.2.3] Hexes in the zones of control of a side."""
    found: set[int] = set()
    before = g.p["zones_stop_at_border"] and g.turn <= 1 and (g.moment == 0 or (g.moment == 1 and g.segment == "movement"))
    for place, units in army(g, side).items():
        marker = g.clearing.get(place)
        if marker is not None and marker.side == side:
            continue
        found.add(place)
        size = sum(g.values(u).sp for u in units)
        if size < 4 or sum(g.values(u).attack for u in units) < 1:
            continue
        for number, hex_, between in neighbours(g, place):
            if hex_.terrain in MOUNTAINS or hex_.terrain == "urban" or between.river or between.water or between.ferry:
                continue
            if before and g.control.get(number) == FOE[side]:
                continue
            if (
                g.turn <= 1
                and g.options.get("dmz") == "on"
                and country(g, hex_.country) != country(g, g.board.hexes[place].country)
            ):
                continue
            found.add(number)
    return found


# -- movement --------------------------------------------------------------------------------------------------------------


class Judge:
    """All that a stack of one side could do in one move from its hex."""

    def __init__(self, g: State, side: str, units: Sequence[str]) -> None:
        self.g, self.side, self.units = g, side, list(units)
        self.start = g.pieces[self.units[0]].at
        self.own, self.foes = army(g, side), army(g, FOE[side])
        self.zone = zones(g, FOE[side])
        self.most = [self.allowance(u) for u in self.units]
        self.light = [self.is_light(u) for u in self.units]
        if g.newer and len(self.units) > 1:
            self.light = [False] * len(self.units)

    def allowance(self, unit: str) -> Fraction:
        """[2.3.5, 8.5, 13.1.5] Movement points; airmobile units walk with 4; halved out of supply."""
        points = 4 if self.g.values(unit).move == 24 else self.g.values(unit).move
        if unit not in self.g.unsupplied:
            return Fraction(points + SPARE)
        return Fraction(max(1, -(-points // 2) if self.g.newer else points // 2))

    def is_light(self, unit: str) -> bool:
        return self.g.values(unit).mobility == "li"

    def others(self, place: int) -> list[str]:
        return [u for u in self.own.get(place, []) if u not in self.units]

    def limit(self, place: int) -> int:
        """[8.1.1.1, 8.5.8.2] In half stacking points."""
        if place in self.g.beachheads:
            return 12
        return 6 if self.g.board.hexes[place].terrain in MOUNTAINS else 8

    def is_full(self, place: int) -> bool:
        """[8.1.1.1(d)] Filled before this stack came: to the limit, in the newer rules beyond it."""
        size = sum(self.g.values(u).sp for u in self.others(place))
        return size > self.limit(place) if self.g.newer else size >= self.limit(place)

    def crowded(self) -> bool:
        """[8.1.1.1] The hex left holds more than it may; one division alone fills any but a mountain freely."""
        units = self.own.get(self.start, [])
        tunnels = self.g.p["tunnels"]
        if self.side == tunnels["side"] and self.g.board.hexes[self.start].label in tunnels["hexes"]:
            return False
        if sum(self.g.values(u).sp for u in units) <= self.limit(self.start):
            return False
        divisions = {self.g.board.counters[u].division for u in units}
        return self.g.board.hexes[self.start].terrain in MOUNTAINS or len(divisions) > 1 or "" in divisions

    def fort(self, place: int) -> bool:
        """[8.3.1.10] A fortification of the enemy's country that he still holds."""
        name = self.g.board.hexes[place].fort
        return (
            bool(name) and country(self.g, name) == self.g.control.get(place) == FOE[self.side] and place not in self.g.fallen
        )

    def slow(self, place: int) -> bool:
        """[KOREA-DMZ] An enemy DMZ hex that has not been captured, on the first turn or by the newer rules."""
        g = self.g
        theirs = country(g, g.board.hexes[place].country) == FOE[self.side] and place not in g.fallen
        return g.options.get("dmz") == "on" and (g.turn <= 1 or g.newer) and theirs and on_border(g, place)

    def to_clear(self, place: int) -> bool:
        """[8.4.1, 8.4.1.6] Entering draws a Clearing marker; in the owner's own country only in the newer rules."""
        hex_ = self.g.board.hexes[place]
        special = hex_.city or hex_.terrain == "urban" or hex_.airbase or hex_.port or hex_.sites or hex_.extra
        if not special or self.g.control.get(place) != FOE[self.side]:
            return False
        return self.g.newer or country(self.g, hex_.country) != self.side

    # -- one step ----------------------------------------------------------------------------------------------------------

    def by_terrain(self, unit: str, one: int, other: int, side: Side) -> Fraction | None:
        """[8.3, 8.3.1.1, 8.3.1.8] Off the road."""
        g, mobility = self.g, self.g.values(unit).mobility
        bridge = bridged(g, one, other, side)
        extra = Fraction(0)
        if side.ferry:
            lost = 10000 * min(one, other) + max(one, other) in g.ferries_lost
            if country(g, side.ferry) != self.side or lost:
                return None
            extra = Fraction(g.p["river_effects"][mobility])
        elif (side.water and not bridge) or (side.river == "major" and not bridge):
            return None
        elif side.river and not bridge:
            extra = Fraction(g.p["river_effects"][mobility])
        terrain = g.board.hexes[other].terrain
        if terrain == "urban":
            both = g.board.hexes[one].terrain == "urban"
            road = "primary" if both else side.road if bridge else ""
            cost = number_of(g, g.p["road_effects"][road][mobility]) if road else Fraction(1)
        else:
            cost = number_of(g, g.p["terrain_effects"][terrain][mobility])
        if cost is None and mobility not in ON_FOOT and terrain in MOUNTAINS and self.fort(other) and bridge:
            return self.most[self.units.index(unit)]  # 8.3.3(a): for all movement points
        return None if cost is None else cost + extra

    def by_road(self, at: Stand, other: int, side: Side) -> bool:
        """[8.3.2, 8.3.1.10] The road between two hexes may be used."""
        if not bridged(self.g, at.place, other, side) or self.fort(other) or self.fort(at.place):
            return False
        return at.place == self.start or not self.is_full(at.place)

    def zone_cost(self, i: int, one: int, other: int, road: bool) -> int:
        """[8.2.2(e)(f), 8.2.4] One point out of a zone, one into a zone without another own unit."""
        cost = 0
        rough = [self.g.board.hexes[h].terrain not in FREE_FOR_LIGHT for h in (one, other)]
        if one in self.zone and not (self.light[i] and rough[0] and not road):
            cost += not (self.g.newer and self.others(one))
        if other in self.zone and not (self.light[i] and rough[1] and not road):
            cost += not self.others(other)
        return cost

    def holds_up(self, other: int, road: bool) -> bool:
        """[8.2.2(b), 8.2.4] The stack stops on entering this hex."""
        rough = self.g.board.hexes[other].terrain not in FREE_FOR_LIGHT
        return other in self.zone and not (all(self.light) and rough and not road)

    def costs(self, at: Stand, other: int, side: Side, road: bool) -> list[Fraction | None]:
        found: list[Fraction | None] = []
        for i, unit in enumerate(self.units):
            if road:
                plain = number_of(self.g, self.g.p["road_effects"][side.road][self.g.values(unit).mobility])
            else:
                plain = self.by_terrain(unit, at.place, other, side)
            leaving = int(at.place == self.start and self.crowded())
            extra = leaving + self.slow(other) + self.zone_cost(i, at.place, other, road)
            found.append(None if plain is None else plain + extra)
        return found

    def steps(self, at: Stand, spent: Spent) -> Iterator[tuple[Stand, Spent]]:
        """Every hex that may be entered next, with what has been spent then."""
        if at.stopped:
            return
        first = at.place == self.start and not any(spent)
        marker = self.g.clearing.get(self.start)
        covered = first and marker is not None and marker.side == self.side
        for other, hex_, side in neighbours(self.g, at.place):
            if other in self.foes:
                continue
            for road in (True, False):
                if road and (not self.by_road(at, other, side) or (at.place in self.zone and at.place != self.start)):
                    continue  # 8.2.4(f): who has gone on in a zone as Light Infantry takes no road out of it
                costs = self.costs(at, other, side, road)
                if any(c is None for c in costs):
                    continue
                total = tuple(s + c for s, c in zip(spent, costs, strict=True) if c is not None)
                yield from self.arrivals(at, other, hex_, side, road, total, first, covered)

    def arrivals(
        self, at: Stand, other: int, hex_: Hex, side: Side, road: bool, total: Spent, first: bool, covered: bool
    ) -> Iterator[tuple[Stand, Spent]]:
        bridge = bridged(self.g, at.place, other, side)
        over = bool(side.ferry) or (bridge and (side.water or (bool(side.river) and not self.g.newer)))
        if at.passing and over:
            return
        if first:  # 8.5(f): one hex always
            total = tuple(min(t, m) for t, m in zip(total, self.most, strict=True))
        if any(t > m for t, m in zip(total, self.most, strict=True)):
            return
        if covered:  # 8.4.1.3
            if other not in self.zone:
                yield Stand(other, road, False, True), tuple(self.most)
            return
        stop = self.holds_up(other, road)
        if stop and at.place in self.zone and not self.free_of_zone(at.place, road):
            if first:  # 8.2.2(g)
                yield Stand(other, road, False, True), tuple(self.most)
            return
        if not self.to_clear(other):
            yield Stand(other, road, False, stop), total
            return
        yield Stand(other, road, False, True), total
        if not stop and not over and hex_.terrain != "urban":  # 8.5.1.1
            yield Stand(other, road, True, False), total

    def free_of_zone(self, place: int, road: bool) -> bool:
        """[8.2.4] Light Infantry that leaves a rough hex off the road."""
        return all(self.light) and self.g.board.hexes[place].terrain not in FREE_FOR_LIGHT and not road

    def reach(self) -> dict[int, set[Spent]]:
        """Hexes where the stack may end, with every way to spend points that no other way betters."""
        best: dict[Stand, set[Spent]] = {}
        waiting = [(Stand(self.start), tuple(Fraction(0) for _ in self.units))]
        while waiting:
            at, spent = waiting.pop(0)
            for to, total in self.steps(at, spent):
                known = best.setdefault(to, set())
                if any(all(k <= t for k, t in zip(one, total, strict=True)) for one in known):
                    continue
                best[to] = {k for k in known if not all(t <= x for t, x in zip(total, k, strict=True))} | {total}
                waiting.append((to, total))
        ends: dict[int, set[Spent]] = {}
        for to, ways in best.items():
            if not to.passing and to.place != self.start:
                ends.setdefault(to.place, set()).update(ways)
        return ends


# -- supply ----------------------------------------------------------------------------------------------------------------


def out_of_supply(g: State, side: str) -> set[str]:
    """[13.1] Ground units on the map without a line of communication, each traced alone."""
    own, foes, zone = army(g, side), army(g, FOE[side]), zones(g, FOE[side])
    return {u for units in own.values() for u in units if not _traced(g, side, u, own, foes, zone)}


def _traced(g: State, side: str, unit: str, own: Any, foes: Any, zone: set[int]) -> bool:
    if g.newer:
        return _traced_by_road(g, side, g.pieces[unit].at, own, foes, zone)
    seen, waiting = {g.pieces[unit].at}, [g.pieces[unit].at]
    while waiting:
        place = waiting.pop()
        if _source(g, side, place):
            return True
        for other, hex_, between in neighbours(g, place):
            road = bridged(g, place, other, between)
            if other in seen or other in foes or (other in zone and other not in own and not _source(g, side, other)):
                continue
            special = hex_.city or hex_.terrain == "urban" or hex_.installations
            if special and g.control.get(other) == FOE[side]:
                continue
            beside = place == g.pieces[unit].at and _on_a_road(g, other)
            ferry = between.ferry and country(g, between.ferry) == side and not _ferry_lost(g, place, other)
            if not road and not beside and ((between.water and not ferry) or between.river == "major"):
                continue
            if not road and not beside and hex_.terrain != "urban":
                chart = g.p["terrain_effects"][hex_.terrain][g.values(unit).mobility]
                if number_of(g, chart) is None:
                    continue
            seen.add(other)
            waiting.append(other)
    return False


def _traced_by_road(g: State, side: str, start: int, own: Any, foes: Any, zone: set[int]) -> bool:
    """[13.1.3] Newer rules: two motorized hexes overland (or the road next door), then along roads to a source."""

    def is_open(place: int) -> bool:
        hex_ = g.board.hexes[place]
        special = hex_.city or hex_.terrain == "urban" or hex_.installations
        closed = special and g.control.get(place) == FOE[side]
        return place not in foes and (_source(g, side, place) or not ((place in zone and place not in own) or closed))

    def overland(place: int) -> set[int]:
        found = set()
        for other, hex_, between in neighbours(g, place):
            road = bridged(g, place, other, between)
            ferry = between.ferry and country(g, between.ferry) == side and not _ferry_lost(g, place, other)
            barred = (between.water and not ferry) or between.river == "major"
            passable = hex_.terrain == "urban" or number_of(g, g.board.p["terrain_effects"][hex_.terrain]["mot"]) is not None
            if is_open(other) and (road or (passable and not barred)):
                found.add(other)
        return found

    near = overland(start)
    entries = near | {h for n in near for h in overland(n)} | ({start} if is_open(start) else set())
    waiting = [h for h in entries if _on_a_road(g, h) or _source(g, side, h)]
    waiting += [h for h, _, _ in neighbours(g, start) if is_open(h) and _on_a_road(g, h)]
    seen = set(waiting)
    while waiting:
        place = waiting.pop()
        if _source(g, side, place):
            return True
        for other, _, between in neighbours(g, place):
            landing = other in g.beachheads and _source(g, side, other) and _on_a_road(g, place)
            if other not in seen and is_open(other) and (bridged(g, place, other, between) or landing):
                seen.add(other)
                waiting.append(other)
    return False


def _on_a_road(g: State, place: int) -> bool:
    """[13.1.3] A unit beside such a hex may use its road whatever lies between."""
    return any(side.road for _, _, side in neighbours(g, place))


def _ferry_lost(g: State, one: int, other: int) -> bool:
    return 10000 * min(one, other) + max(one, other) in g.ferries_lost


def _source(g: State, side: str, place: int) -> bool:
    """[13.1.2] Own Urban, City; Port and Beachhead with the Inshore area.

    In the newer rules also while it is contested, places in the own country only, and hexes with a road off the map.
    """
    hex_ = g.board.hexes[place]
    if g.newer and g.control.get(place) == side and hex_.label in g.p["supply_edge_hexes"].get(side, ()):
        return True
    if g.newer and country(g, hex_.country) != side and place not in g.beachheads:
        return False
    if g.control.get(place) == side and (hex_.terrain == "urban" or hex_.city):
        return True
    head = g.beachheads.get(place)
    if not (head is not None and head.side == side) and not (hex_.port and g.control.get(place) == side):
        return False
    holder = g.sea_control.get(g.area_at(place))
    return holder == side or (g.newer and holder is None)


# -- comparing --------------------------------------------------------------------------------------------------------------


def disagreements(g: State) -> list[str]:
    """Where the game and this judge differ on zones and on supply."""
    found: list[str] = []
    for side in SIDES:
        mine, theirs = zones(g, side), set(zoc.zone(g, side))
        found += [f"zone of the {side} side: {g.board.name(h)} {h in mine=}" for h in sorted(mine ^ theirs)]
        landed = set(g.landed)
        alone, game = out_of_supply(g, side) - landed, set(supply.out_of_supply(g, side)) - landed
        found += [f"supply of {u} in {g.board.name(g.pieces[u].at)}: {u in alone=}" for u in sorted(alone ^ game)]
    return found


def disagreements_on_moves(g: State, ask: Ask, dice: random.Random, stacks: int = 2) -> list[str]:
    """Where they differ on the ends of some stacks, on what a unit alone spends, and on orders to some hexes."""
    able = [u for units in army(g, ask.seat).values() for u in units if u not in (*g.moved, *g.p["fixed_units"])]
    found: list[str] = []
    for unit in dice.sample(able, min(stacks, len(able))):
        units = some_of([u for u in able if g.pieces[u].at == g.pieces[unit].at], dice)
        found += disagreements_on_ends(g, ask.seat, units) + _on_orders(g, ask, units, dice)
    return found


def some_of(stack: Sequence[str], dice: random.Random) -> list[str]:
    """One, some or all units of a hex."""
    return dice.sample(stack, dice.choice((1, dice.randint(1, len(stack)), len(stack))))


def disagreements_on_ends(g: State, side: str, units: Sequence[str]) -> list[str]:
    """Where they differ on the hexes a stack can reach, and on what a unit alone spends."""
    start = g.pieces[units[0]].at
    ends = Judge(g, side, units).reach()
    search = searches.reach(g, side, units, start)
    who = f"{units} from {g.board.name(start)}"
    found = [
        f"{who} to {g.board.name(h)}: judge {ends.get(h)}, game {search.end(h)}" for h in sorted(ends.keys() ^ search.ends())
    ]
    for place in ends if len(units) == 1 else ():
        least, path = min(ends[place])[0], search.end(place)
        if path is not None and least * 6 != path.spent:
            found.append(f"{who} to {g.board.name(place)}: judge {least} points, game {path}")
    return found


def _on_orders(g: State, ask: Ask, units: list[str], dice: random.Random) -> list[str]:
    start, found = g.pieces[units[0]].at, []
    ends = Judge(g, ask.seat, units).reach()
    around = [h for h in g.board.within(start, 6) if h != start and g.board.hexes[h].land]
    for place in dice.sample(around, min(3, len(around))):
        order: Any = {"move": {"units": units, "to": g.board.hexes[place].label}}
        try:
            ask.read(order)
        except Rejected as refusal:
            if place in ends and not {p.rule for p in refusal.problems} & {"2.3.3", "13.1.5", "8.5"}:
                found.append(f"{order} refused: {refusal}")
        else:
            if place not in ends:
                found.append(f"{order} accepted")
    return found
