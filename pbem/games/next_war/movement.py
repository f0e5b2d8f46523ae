"""[8.2, 8.3, 8.5] Movement on the ground: what a step costs, where units may go, along which path."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.games.next_war.board import MP, NEVER, PEAKS, Edge
from pbem.games.next_war.labels import MOBILITY, TERRAIN
from pbem.games.next_war.stacking import excess, full
from pbem.games.next_war.state import FOE, State
from pbem.games.next_war.zoc import zone
from pbem.kernel.orders import illegal
from pbem.kernel.wording import Message, msg

State_ = tuple[int, bool, int]  # hex, has to stop, via points passed
Label = tuple[int, State_, tuple[int, ...], Any]  # sixths in all, where, sixths that each class has spent, the label before


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


def _class(g: State, unit: str) -> str:
    """The mobility class on the map; newer rules: mountain infantry on foot has its own."""
    mobility = g.values(unit).mobility
    return "mtn" if mobility == "leg" and g.newer and g.counter(unit).mountain else mobility


def walkers(g: State, units: Sequence[str], share: int = 1) -> tuple[Walker, ...]:
    """The classes in a stack, of each the slowest; `share` 2: half the allowance, rounded up."""
    found: dict[str, int] = {}
    for unit in units:
        mobility, most = _class(g, unit), MP * -(-allowance(g, unit) // (MP * share))
        found[mobility] = min(most, found.get(mobility, most))
    return tuple(Walker(*pair) for pair in sorted(found.items()))


class Search:
    """One search over the map for a stack that starts in one hex: every way that no other betters for all its classes."""

    def __init__(self, g: State, side: str, units: Sequence[str], start: int, via: Sequence[int] = (), share: int = 1) -> None:
        self.g, self.side, self.units, self.start, self.via = g, side, units, start, tuple(via)
        self.walkers = walkers(g, units, share)
        alone = not g.newer or len(units) == 1
        self.lights = tuple(alone and w.mobility == "li" for w in self.walkers)
        self.light = all(self.lights)
        self.foes = g.occupied(FOE[side])
        self.zone = zone(g, FOE[side])
        self.own = g.occupied(side)
        self.marked = g.under_marker(start, side)
        self.burdened = bool(excess(g, start, self.own.get(start, ())))
        self.storm = int(g.storm)
        self.hostile, self.no_road = hostile_places(g, side), enemy_forts(g, side)
        self.urban, self.rough = g.board.urban, g.board.rough
        self.crowded = crowded_hexes(g, side) - {start}
        special, beside = special_hexes(g, side)
        self.special, self.fringe = special | {start}, beside.union(g.board.near[start])
        self.most = tuple(w.allowance for w in self.walkers)
        self.seen: dict[State_, tuple[Label, ...]] = {}

    def run(self) -> Search:
        """Everything within reach."""
        begin: Label = (0, (self.start, False, 0), (0,) * len(self.walkers), None)
        self.seen = {begin[1]: (begin,)}
        heap: list[Label] = []
        for arrival, spent in self._steps():
            self._keep(heap, arrival, spent, begin)
        if self.via or len(self.walkers) > 1:
            self._all_ways(heap)
        else:
            self._one_class(heap)
        return self

    def _all_ways(self, heap: list[Label]) -> None:
        while heap:
            label = heapq.heappop(heap)
            if not label[1][1] and any(known is label for known in self.seen[label[1]]):
                self._glide(heap, label)

    def _one_class(self, heap: list[Label]) -> None:
        """One class without a prescribed way: most hexes are not special, and a step is then no more than its cost."""
        seen, special, fringe, most = self.seen, self.special, self.fringe, self.most[0]
        costs, near = self.g.board.costs(self.walkers[0].mobility, self.storm), self.g.board.near
        best = {at[0]: labels[0][0] for at, labels in seen.items() if not at[1]}  # sixths spent to hexes that do not stop
        while heap:
            label = heapq.heappop(heap)
            spent, at, _, _ = label
            if at[1] or seen[at][0] is not label:
                continue
            plain = at[0] not in special
            if not plain or at[0] in fringe:
                self._glide(heap, label, plain)
                best.update((n, seen[n, False, 0][0][0]) for n in near[at[0]] if (n, False, 0) in seen)
            for to, cost in costs[at[0]] if plain else ():
                total = spent + cost
                if total < best.get(to, most + 1) and to not in special:
                    best[to], key = total, (to, False, 0)
                    found = (total, key, (total,), label)
                    seen[key] = (found,)
                    heapq.heappush(heap, found)

    def _keep(self, heap: list[Label], at: State_, spent: tuple[int, ...], before: Label) -> None:
        """Keeps a way unless one that is known is as good for every class; drops those that it betters."""
        known = self.seen.get(at, ())
        if any(all(map(int.__le__, old[2], spent)) for old in known):
            return
        label: Label = (sum(spent), at, spent, before)
        self.seen[at] = (*[old for old in known if not all(map(int.__le__, spent, old[2]))], label)
        heapq.heappush(heap, label)

    def _glide(self, heap: list[Label], label: Label, special: bool = False) -> None:
        """All steps from a hex on the way, or those to special hexes; nothing of what is special about the first step."""
        _, (place, _, passed), spent, _ = label
        via = self.via[passed] if passed < len(self.via) else 0
        rows = [self.g.board.edges(w.mobility, self.storm, place) for w in self.walkers]
        for i, edge in enumerate(rows[0]):
            to = edge.to
            if to in self.foes or to == self.start or (special and to not in self.special) or not self._passable(place, edge):
                continue
            for road in (True, False):
                costs = self._costs(place, [row[i] for row in rows], road)
                if costs is None:
                    continue
                after = tuple(map(int.__add__, spent, costs))
                if all(map(int.__le__, after, self.most)):
                    stop = self._held(to, road) or self._must_stop(place, edge)
                    self._keep(heap, (to, stop, passed + int(via == to)), after, label)

    def _passable(self, place: int, edge: Edge) -> bool:
        """[8.3.1.8, 8.5.1.1] Not by an enemy's ferry; a bypass does not go on by what it may not cross."""
        if edge.ferry and not self._ferry(place, edge):
            return False
        return place not in self.hostile or self._may_cross(place, edge)

    def _costs(self, place: int, edges: Sequence[Edge], road: bool) -> tuple[int, ...] | None:
        """What a step that is not the first costs each class; None when it is forbidden."""
        to = edges[0].to
        broken = self._broken(place, to)
        if road and (broken or place in self.zone or place in self.crowded or not self.no_road.isdisjoint((place, to))):
            return None
        costs = tuple(e.road if road else e.bare if broken else e.off for e in edges)
        if NEVER in costs or to not in self.zone or self._others(to):
            return None if NEVER in costs else costs
        return tuple(c + (0 if self._free(i, to, road) else MP) for i, c in enumerate(costs))

    def _free(self, i: int, place: int, road: bool) -> bool:
        """[8.2.4] The class is Light Infantry in a hex where it ignores zones of control, off the road."""
        return self.lights[i] and not road and place in self.rough

    def _held(self, to: int, road: bool) -> bool:
        """[8.2.2] An enemy zone of control stops the stack."""
        return to in self.zone and not (self.light and not road and to in self.rough)

    def _broken(self, a: int, b: int) -> bool:
        """The bridge between two hexes is down."""
        return bool(self.g.bridges_down) and bridge_key(a, b) in self.g.bridges_down

    def _steps(self) -> Iterator[tuple[State_, tuple[int, ...]]]:
        """The first step out of the start hex."""
        rows = [self.g.board.edges(w.mobility, self.storm, self.start) for w in self.walkers]
        for i, edge in enumerate(rows[0]):
            if edge.to in self.foes or (edge.ferry and not self._ferry(self.start, edge)):
                continue
            for road in (False, True):
                step = self._step([row[i] for row in rows], road)
                if step is not None:
                    spent, stop = step
                    yield (edge.to, stop, int(self.via[:1] == (edge.to,))), spent

    def _step(self, edges: list[Edge], road: bool) -> tuple[tuple[int, ...], bool] | None:
        """What is spent after the first step and whether the stack has to stop; None when it is forbidden."""
        place, to = self.start, edges[0].to
        broken = self._broken(place, to)
        costs = [e.road if road else e.bare if broken else e.off for e in edges]
        if road and (NEVER in costs or broken or not self.no_road.isdisjoint((place, to))):
            return None
        if NEVER in costs and not self._storms_fort(to, road):
            return None
        if self.marked:
            return None if to in self.zone else (self.most, True)
        free_out = self.light and not road and place in self.rough
        if NEVER in costs or (place in self.zone and self._held(to, road) and not free_out):
            return self.most, True  # [8.2.2] from one enemy zone into another for everything
        spent = tuple(c + self._first_extra(i, to, road) for i, c in enumerate(costs))
        if any(map(int.__gt__, spent, self.most)):
            return self.most, True  # [8.5] one hex is always allowed
        return spent, self._held(to, road) or self._must_stop(place, edges[0])

    def _first_extra(self, i: int, to: int, road: bool) -> int:
        """[8.1.1.1, 8.2.2] What the first step costs a class above the terrain: zones left and entered, a crowded hex left."""
        place, points = self.start, int(self.burdened)
        if to in self.zone and not self._free(i, to, road) and not self._others(to):
            points += 1
        if place in self.zone and not self._free(i, place, road) and not (self.g.newer and self._others(place)):
            points += 1
        return MP * points

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
        return (
            not road
            and g.board.hexes[to].terrain in PEAKS
            and g.works_fort(to, FOE[self.side])
            and bool(g.board.side(self.start, to).road)
            and not self._broken(self.start, to)
        )

    def _may_cross(self, place: int, edge: Edge) -> bool:
        """[8.5.1.1] A bypass does not use a bridge or a ferry (newer rules: river bridges may be used, none over water)."""
        side = self.g.board.side(place, edge.to)
        bridge = edge.bridge and not self._broken(place, edge.to)
        return not (edge.ferry or (bridge and (side.water or not self.g.newer)))

    def _must_stop(self, place: int, edge: Edge) -> bool:
        """A hex that has to be cleared and cannot be bypassed from here."""
        return edge.to in self.hostile and (edge.to in self.urban or not self._may_cross(place, edge))

    # -- answers ---------------------------------------------------------------------------------------------------------

    def ends(self) -> list[int]:
        """Where the stack may stop, in the order in which the search came there."""
        found = (at[0] for at in self.seen if at[2] == len(self.via) and at[0] != self.start)
        return list(dict.fromkeys(found))

    def end(self, place: int) -> Path | None:
        """The cheapest way to one hex."""
        ways = [label for stop in (False, True) for label in self.seen.get((place, stop, len(self.via)), ())]
        return _path(min(ways)) if ways else None


def _path(label: Label) -> Path:
    """The hexes from the start to where a label is."""
    spent, hexes, at = max(label[2]), [], label
    while at is not None:
        hexes.append(at[1][0])
        at = at[3]
    return Path(tuple(reversed(hexes)), spent)


def hostile_place(g: State, side: str, place: int) -> bool:
    """[8.4.1, 8.4.1.6] A hex that this side has to clear: enemy-controlled and not its own by origin."""
    hex_ = g.board.hexes[place]
    if not hex_.needs_clearing or g.holds(side, place):
        return False
    return g.board.owner(place) != side or g.newer


def hostile_places(g: State, side: str) -> frozenset[int]:
    """Every hex that this side has to clear."""
    return g.cached_of(FOE[side], "to clear", lambda: frozenset(h for h in g.board.to_clear if hostile_place(g, side, h)))


def crowded_hexes(g: State, side: str) -> frozenset[int]:
    """[8.3.2] Hexes with own units that are full."""
    return g.memo.cached(("crowded", side), lambda: frozenset(h for h, u in g.occupied(side).items() if full(g, h, u)))


def special_hexes(g: State, side: str) -> tuple[frozenset[int], frozenset[int]]:
    """Hexes where a step is more than its cost, and the hexes beside them."""
    return g.memo.cached(("special", side), lambda: _with_crowds(g, side))


def _with_crowds(g: State, side: str) -> tuple[frozenset[int], frozenset[int]]:
    enemy = g.cached_of(FOE[side], "special", lambda: _special_hexes(g, side))
    beside = g.cached_of(FOE[side], "beside special", lambda: _beside(g, enemy))
    crowds = crowded_hexes(g, side)
    return (enemy | crowds, beside | _beside(g, crowds)) if crowds else (enemy, beside)


def _beside(g: State, places: Iterable[int]) -> frozenset[int]:
    near = g.board.near
    return frozenset(n for h in places for n in near.get(h, ()))


def _special_hexes(g: State, side: str) -> frozenset[int]:
    found = zone(g, FOE[side]) | hostile_places(g, side) | enemy_forts(g, side)
    down = {h for key in g.bridges_down for h in divmod(key, 10_000)}
    return found | g.occupied(FOE[side]).keys() | down | g.board.ferries


def enemy_forts(g: State, side: str) -> frozenset[int]:
    """[8.3.1.10] Working enemy fortifications: no road movement into or out of them."""
    return g.cached_of(FOE[side], "closed forts", lambda: frozenset(h for h in g.board.forts if g.works_fort(h, FOE[side])))


def bridge_key(a: int, b: int) -> int:
    """A hexside as one number."""
    return 10_000 * min(a, b) + max(a, b)


def reach(g: State, side: str, units: Sequence[str], start: int, via: Sequence[int] = (), share: int = 1) -> Search:
    """The search for a stack. Kept while the side moves other units, as long as they bar no road and open no zone."""
    own = g.occupied(side)
    stay = g.memo.cached(("in a zone", side), lambda: frozenset(own.keys() & zone(g, FOE[side]))) - {start}
    here = bool(excess(g, start, own.get(start, ()))), any(u not in units for u in own.get(start, ()))
    key = ("reach", tuple(units), start, tuple(via), share, g.storm, len(g.ferries_lost), crowded_hexes(g, side), stay, here)
    return g.cached_of(FOE[side], key, lambda: Search(g, side, units, start, via, share).run())


def find_path(g: State, side: str, units: Sequence[str], start: int, to: int, via: Sequence[int], share: int = 1) -> Path:
    """The cheapest legal way. Raises Rejected, saying what is in the way."""
    search = reach(g, side, units, start, via, share)
    path = search.end(to)
    if path is None:
        raise illegal(*_why_not(g, side, units, start, to, search))
    return path


def _why_not(g: State, side: str, units: Sequence[str], start: int, to: int, search: Search) -> tuple[Message, str]:
    """What is in the way of a move, and the rule."""
    there, place = g.board.hexes[to], g.board.name(to)
    if not there.land:
        return msg("{place} is sea", place=place), "8.3.3"
    if g.ground(FOE[side], to):
        return msg("enemy units stand in {place}", place=place), "8.2.2"
    if search.marked:
        return msg(
            "units under a Clearing marker leave for all their movement points and not into an enemy zone: not to {place}",
            place=place,
        ), "8.4.1.3"
    if search.via and any(at[0] == to for at in search.seen):
        return msg("{place} cannot be reached through the hexes named", place=place), "8.5"
    mobile = {g.values(u).mobility for u in units}
    if there.terrain in PEAKS and mobile & {"mot", "mech"} and not g.board.has_road(to):
        return msg(
            "{place} is closed to vehicles without a road: {terrain}", place=place, terrain=TERRAIN[there.terrain]
        ), "8.3.3"
    near = sorted(n for n in g.board.near[to] if any(at[0] == n for at in search.seen))
    zoned = [n for n in near if n in search.zone]
    if near and len(zoned) == len(near):
        return msg("an enemy zone of control stops the move before {place}", place=place), "8.2.2"
    points = tuple(msg("{kind} {n}", kind=MOBILITY[w.mobility], n=w.allowance // MP) for w in search.walkers)
    return msg("{place} is too far or closed; movement points: {points}", place=place, points=points), "8.3"
