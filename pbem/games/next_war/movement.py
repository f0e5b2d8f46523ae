"""[8.2, 8.3, 8.5] Movement on the ground: what a step costs, where units may go, along which path."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass

from pbem.games.next_war.board import MP, NEVER, PEAKS, Edge
from pbem.games.next_war.stacking import excess, full
from pbem.games.next_war.state import FOE, State
from pbem.games.next_war.zoc import zone
from pbem.kernel.orders import illegal

State_ = tuple[int, bool, int]  # hex, has to stop, via points passed
Reached = tuple[tuple[int, ...], State_ | None]  # sixths that each class has spent; from where


@dataclass(frozen=True, slots=True)
class Walker:
    """A mobility class with a movement allowance in sixths."""

    mobility: str
    allowance: int


@dataclass(frozen=True, slots=True)
class Path:
    """A way found: hexes from start to end, and what the slowest class has spent in sixths."""

    hexes: tuple[int, ...]
    spent: int


def allowance(g: State, unit: str) -> int:
    """[2.3.5] Movement allowance in sixths; halved out of supply [13.1.5]."""
    move = g.values(unit).move
    if unit in g.unsupplied:
        move = max(1, (move + 1) // 2 if g.newer else move // 2)
    return MP * move


def walkers(g: State, units: Sequence[str], share: int = 1) -> tuple[Walker, ...]:
    """The classes in a stack; `share` 2: half the allowance, rounded up."""
    found = {(g.values(u).mobility, MP * -(-allowance(g, u) // (MP * share))) for u in units}
    return tuple(Walker(*pair) for pair in sorted(found))


class Search:
    """One search over the map for a stack that starts in one hex."""

    def __init__(self, g: State, side: str, units: Sequence[str], start: int, via: Sequence[int] = (), share: int = 1) -> None:
        self.g, self.side, self.units, self.start, self.via = g, side, units, start, tuple(via)
        self.walkers = walkers(g, units, share)
        self.light = all(g.counter(u).yellow for u in units) and not (g.newer and len(units) > 1)
        self.foes = g.occupied(FOE[side])
        self.zone = zone(g, FOE[side])
        self.own = g.occupied(side)
        self.marked = g.under_marker(start, side)
        self.burdened = bool(excess(g, start, self.own.get(start, ())))
        self.storm = int(g.storm)
        self.hostile, self.no_road, self.urban, self.rough = hostile_places(g, side), enemy_forts(g, side), *_terrain(g)
        self.crowded = crowded_hexes(g, side) - {start}
        self.special = special_hexes(g, side) | {start}
        self.most = tuple(w.allowance for w in self.walkers)
        self.seen: dict[State_, Reached] = {}

    def run(self) -> Search:
        """Everything within reach."""
        begin: State_ = (self.start, False, 0)
        seen = self.seen = {begin: ((0,) * len(self.walkers), None)}
        heap: list[tuple[int, State_]] = []
        for arrival, spent in self._steps(begin):
            self._keep(heap, arrival, spent, begin)
        while heap:
            total, at = heapq.heappop(heap)
            if not at[1] and sum(seen[at][0]) == total:
                self._glide(heap, at, seen[at][0])
        return self

    def _keep(self, heap: list[tuple[int, State_]], arrival: State_, spent: tuple[int, ...], before: State_) -> None:
        known, total = self.seen.get(arrival), sum(spent)
        if known is None or total < sum(known[0]):
            self.seen[arrival] = (spent, before)
            heapq.heappush(heap, (total, arrival))

    def _plain(self, heap: list[tuple[int, State_]], at: State_, spent: int) -> None:
        """Steps of one class between hexes without anything special: the greater part of every search."""
        seen, special, most = self.seen, self.special, self.most[0]
        for to, cost in self.g.board.costs(self.walkers[0].mobility, self.storm, at[0]):
            total = spent + cost
            if total <= most and to not in special:
                key = (to, False, 0)
                known = seen.get(key)
                if known is None or total < known[0][0]:
                    seen[key] = ((total,), at)
                    heapq.heappush(heap, (total, key))

    def _glide(self, heap: list[tuple[int, State_]], at: State_, spent: tuple[int, ...]) -> None:
        """All steps from a hex on the way: nothing of what is special about the first step."""
        place, _, passed = at
        simple = not self.via and len(self.walkers) == 1 and place not in self.special
        if simple:
            self._plain(heap, at, spent[0])
            if self.special.isdisjoint(self.g.board.near[place]):
                return
        bypassing, leaving = place in self.hostile, place in self.zone
        if bypassing and place in self.urban:
            return
        road_out = not leaving and place not in self.no_road and place not in self.crowded
        via = self.via[passed] if passed < len(self.via) else 0
        rows = [self.g.board.edges(w.mobility, self.storm, place) for w in self.walkers]
        newer, zone, most = self.g.newer, self.zone, self.most
        for i, edge in enumerate(rows[0]):
            to = edge.to
            if to in self.foes or to == self.start or (simple and to not in self.special):
                continue
            cross = bool(edge.ferry) or (edge.bridge and not newer)
            if cross and (bypassing or (edge.ferry and not self._ferry(place, edge))):
                continue
            entering = to in zone
            free = self.light and to in self.rough
            broken = self._broken(place, to)
            by_road = road_out and edge.road != NEVER and to not in self.no_road and not broken
            ways = (True, False) if by_road and entering and free else (by_road,)
            for road in ways:
                if len(rows) == 1:
                    off = edge.bare if broken else edge.off
                    cost = off if not road else edge.road if off == NEVER else min(edge.road, off)
                    costs: tuple[int, ...] = (cost,)
                else:
                    costs = tuple(r[i].road if road else r[i].bare if broken else r[i].off for r in rows)
                if NEVER in costs:
                    continue
                held = entering and (road or not free)
                extra = MP if held and not self._others(to) else 0
                after = tuple([a + c + extra for a, c in zip(spent, costs, strict=True)])
                if all(map(int.__le__, after, most)):
                    stop = held or (to in self.hostile and (cross or to in self.urban))
                    self._keep(heap, (to, stop, passed + int(via == to)), after, at)

    def _broken(self, a: int, b: int) -> bool:
        """The bridge between two hexes is down."""
        return bool(self.g.bridges_down) and bridge_key(a, b) in self.g.bridges_down

    def _steps(self, at: State_) -> list[tuple[State_, tuple[int, ...]]]:
        """The first step out of the start hex."""
        place, _, passed = at
        g = self.g
        rows = [g.board.edges(w.mobility, self.storm, place) for w in self.walkers]
        found = []
        for i, edge in enumerate(rows[0]):
            if edge.to in self.foes or edge.to == self.start:
                continue
            if edge.ferry and not self._ferry(place, edge):
                continue
            for road in (False, True):
                step = self._step(place, [row[i] for row in rows], road)
                if step is None:
                    continue
                spent, stop = step
                count = passed + int(passed < len(self.via) and self.via[passed] == edge.to)
                found.append(((edge.to, stop, count), spent))
        return found

    def _step(self, place: int, edges: list[Edge], road: bool) -> tuple[tuple[int, ...], bool] | None:
        """What is spent after the first step and whether the stack has to stop; None when it is forbidden."""
        g, to = self.g, edges[0].to
        broken = self._broken(place, to)
        costs = [e.road if road else e.bare if broken else e.off for e in edges]
        if road and (NEVER in costs or place in self.no_road or to in self.no_road or broken):
            return None
        leaving, entering = place in self.zone, to in self.zone
        free_out = self.light and not road and place in self.rough
        free_in = self.light and not road and to in self.rough
        if NEVER in costs:
            return (self.most, True) if self._storms_fort(to, road) else None
        if self.marked:
            return None if entering else (self.most, True)
        if leaving and entering and not free_out and not free_in:
            return self.most, True  # [8.2.2] from one enemy zone into another for everything
        extra = MP if entering and not free_in and not self._others(to) else 0
        if leaving and not free_out and not (g.newer and self._others(place)):
            extra += MP
        if self.burdened:
            extra += MP
        spent = tuple(c + extra for c in costs)
        if any(s > most for s, most in zip(spent, self.most, strict=True)):
            return self.most, True  # [8.5] one hex is always allowed
        return spent, (entering and not free_in) or self._must_stop(to, edges[0])

    def _others(self, place: int) -> bool:
        """Own ground units other than the moving ones stand there."""
        return any(u not in self.units for u in self.own.get(place, ()))

    def _ferry(self, place: int, edge: Edge) -> bool:
        """[8.3.1.8] Only the player in whose country the ferry is, until the enemy has occupied an end."""
        g = self.g
        return g.p["countries"].get(edge.ferry) == self.side and bridge_key(place, edge.to) not in g.ferries_lost

    def _storms_fort(self, to: int, road: bool) -> bool:
        """[8.3.3] Into a mountain with an enemy fortification for all movement points, if a road exists."""
        g = self.g
        there = g.board.hexes[to]
        return (
            not road
            and there.terrain in PEAKS
            and g.works_fort(to, FOE[self.side])
            and bool(g.board.side(self.start, to).road)
            and (not g.bridges_down or bridge_key(self.start, to) not in g.bridges_down)
        )

    def _may_cross(self, edge: Edge) -> bool:
        """A bypass does not use a bridge or a ferry (newer rules: river bridges may be used)."""
        return not edge.ferry and (not edge.bridge or self.g.newer)

    def _must_stop(self, to: int, edge: Edge) -> bool:
        """A hex that has to be cleared and cannot be bypassed from here."""
        g = self.g
        if to not in self.hostile:
            return False
        return g.board.hexes[to].terrain == "urban" or not self._may_cross(edge)

    # -- answers ---------------------------------------------------------------------------------------------------------

    def ends(self) -> list[int]:
        """Where the stack may stop, in the order in which the search came there."""
        found = (at[0] for at in self.seen if at[2] == len(self.via) and at[0] != self.start)
        return list(dict.fromkeys(found))

    def end(self, place: int) -> Path | None:
        """The cheapest way to one hex."""
        ways = [at for at in ((place, stop, len(self.via)) for stop in (False, True)) if at in self.seen]
        return self.path(min(ways, key=lambda at: (sum(self.seen[at][0]), at))) if ways else None

    def path(self, at: State_) -> Path:
        """The hexes from the start to a state."""
        spent = max(self.seen[at][0])
        hexes = [at[0]]
        before = self.seen[at][1]
        while before is not None:
            hexes.append(before[0])
            before = self.seen[before][1]
        return Path(tuple(reversed(hexes)), spent)


def hostile_place(g: State, side: str, place: int) -> bool:
    """[8.4.1, 8.4.1.6] A hex that this side has to clear: enemy-controlled and not its own by origin."""
    hex_ = g.board.hexes[place]
    if not hex_.needs_clearing or g.holds(side, place):
        return False
    return g.board.owner(place) != side or g.newer


def hostile_places(g: State, side: str) -> frozenset[int]:
    """Every hex that this side has to clear."""
    return g.cached(("hostile", side), lambda: frozenset(h for h in g.board.to_clear if hostile_place(g, side, h)))


def crowded_hexes(g: State, side: str) -> frozenset[int]:
    """[8.3.2] Hexes with own units that are full."""
    return g.cached(("crowded", side), lambda: frozenset(h for h, u in g.occupied(side).items() if full(g, h, u)))


def special_hexes(g: State, side: str) -> frozenset[int]:
    """Hexes where a step is more than its cost."""
    return g.cached(("special", side), lambda: _special_hexes(g, side))


def _special_hexes(g: State, side: str) -> frozenset[int]:
    found = zone(g, FOE[side]) | hostile_places(g, side) | enemy_forts(g, side) | crowded_hexes(g, side)
    down = {h for key in g.bridges_down for h in divmod(key, 10_000)}
    return found | g.occupied(FOE[side]).keys() | down | g.board.ferries


def enemy_forts(g: State, side: str) -> frozenset[int]:
    """[8.3.1.10] Working enemy fortifications: no road movement into or out of them."""
    return g.cached(("forts", side), lambda: frozenset(h for h in g.board.forts if g.works_fort(h, FOE[side])))


def _terrain(g: State) -> tuple[frozenset[int], frozenset[int]]:
    """Urban hexes, and those in which Light Infantry ignores zones of control."""
    return g.board.urban, g.board.rough


def bridge_key(a: int, b: int) -> int:
    """A hexside as one number."""
    return 10_000 * min(a, b) + max(a, b)


def reach(g: State, side: str, units: Sequence[str], start: int, via: Sequence[int] = (), share: int = 1) -> Search:
    """The search for a stack, made once between two changes of the map."""
    key = ("reach", side, tuple(units), start, tuple(via), share, g.storm, len(g.ferries_lost))
    return g.cached(key, lambda: Search(g, side, units, start, via, share).run())


def find_path(g: State, side: str, units: Sequence[str], start: int, to: int, via: Sequence[int], share: int = 1) -> Path:
    """The cheapest legal way. Raises Rejected, saying what is in the way."""
    search = reach(g, side, units, start, via, share)
    path = search.end(to)
    if path is None:
        raise illegal(*_why_not(g, side, units, start, to, search))
    return path


def _why_not(g: State, side: str, units: Sequence[str], start: int, to: int, search: Search) -> tuple[str, str, str]:
    there = g.board.hexes[to]
    name = g.board.name(to)
    if not there.land:
        return f"{name} is sea", "8.3.3", ""
    if g.ground(FOE[side], to):
        return f"enemy units stand in {name}", "8.2.2", ""
    if search.marked:
        return (
            f"units under a Clearing marker leave for all their movement points, not into an enemy zone: not to {name}",
            "8.4.1.3",
            "",
        )
    if search.via and any(at[0] == to for at in search.seen):
        return f"{name} cannot be reached through the hexes named", "8.5", ""
    mobile = {g.values(u).mobility for u in units}
    if there.terrain in PEAKS and mobile & {"mot", "mech"} and not g.board.has_road(to):
        return f"{name} is {there.terrain.replace('_', ' ')}, closed to vehicles without a road", "8.3.3", ""
    points = ", ".join(f"{w.allowance // MP} MP {w.mobility}" for w in search.walkers)
    near = sorted(n for n in g.board.near[to] if any(at[0] == n for at in search.seen))
    zoned = [n for n in near if n in search.zone]
    if near and len(zoned) == len(near):
        return f"an enemy zone of control stops the move before {name}", "8.2.2", ""
    return f"{name} is too far or closed ({points})", "8.3", ""
