"""[8.2, 8.3, 8.5] Movement on the ground: what a step costs, where units may go, along which path."""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence, Set
from copy import copy
from typing import Any, NamedTuple

from msgspec import Struct

from pbem.games.next_war.board import MP, NEVER, PEAKS, Edge
from pbem.games.next_war.class_steps import StepsOfAClass
from pbem.games.next_war.obstacles import (
    bridge_key,
    crowded_hexes,
    enemy_dmz,
    enemy_forts,
    hostile_places,
    in_zones,
    neighbours_of,
    special_hexes,
    special_to,
)
from pbem.games.next_war.stacking import excess
from pbem.games.next_war.state import FOE, State
from pbem.games.next_war.zoc import zone

State_ = tuple[int, bool, int]  # hex, has to stop, via points passed
Label = tuple[int, State_, tuple[int, ...], Any]  # sixths in all, where, sixths that each class has spent, the label before


class Walker(NamedTuple):
    """A mobility class with a movement allowance in sixths."""

    mobility: str
    allowance: int


class Path(Struct, frozen=True):
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
        self.slow = enemy_dmz(g, side)
        self.urban, self.rough = g.board.urban, g.board.rough
        self.crowded = crowded_hexes(g, side) - {start}
        self.most = tuple(w.allowance for w in self.walkers)
        self.seen: dict[State_, tuple[Label, ...]] = {}  # of several classes, or with via points
        self.spent: dict[int, int] = {}  # of one class: 2 * hex + 1 if it stops there -> sixths
        self.before: dict[int, int] = {}

    def run(self, goal: int = 0) -> Search:
        """Everything within reach; with a goal as far as it takes to know the way there, where that is quicker."""
        if self.via or len(self.walkers) > 1:
            self._all_ways()
        else:
            self._one_class(goal)
        return self

    def _all_ways(self) -> None:
        begin: Label = (0, (self.start, False, 0), (0,) * len(self.walkers), None)
        self.seen = {begin[1]: (begin,)}
        heap: list[Label] = []
        for arrival, spent in self._first_steps():
            self._keep(heap, arrival, spent, begin)
        while heap:
            label = heapq.heappop(heap)
            if not label[1][1] and any(known is label for known in self.seen[label[1]]):
                self._glide(heap, label)

    def _one_class(self, goal: int) -> None:
        """One class without a prescribed way: what each step costs is known, whoever takes it (`StepsOfAClass`)."""
        steps, spent, before, over = self._steps_of_the_class(), self.spent, self.before, self.most[0] + 1
        costs, other, begin = steps.costs, steps.other, 2 * self.start
        spent[begin] = spent[begin + 1] = 0  # nobody comes back
        waiting: list[list[int]] = [[] for _ in range(over)]  # by what was spent: from where the stack may go on
        for (to, stop, _), (cost,) in self._first_steps():
            if cost < spent.get(at := 2 * to + stop, over):
                spent[at], before[at] = cost, begin
                if not stop:
                    waiting[cost].append(at)
        for so_far, places in enumerate(waiting):  # every step costs something: none is added to those that are looked at
            if goal and min(spent.get(2 * goal, over), spent.get(2 * goal + 1, over)) <= so_far:
                break
            for place in sorted(places):
                if spent[place] != so_far:
                    continue
                here = place // 2
                for at, cost in steps[here] if here in other else costs[here]:
                    total = so_far + cost
                    if total < spent.get(at, over):
                        spent[at], before[at] = total, place
                        if not at & 1:
                            waiting[total].append(at)
        del spent[begin + 1]

    def _steps_of_the_class(self) -> StepsOfAClass:
        """Kept while the other side stands still, by what of one's own bears on a step."""
        g, side = self.g, self.side
        key = ("steps", self.walkers[0].mobility, self.light, self.storm, len(g.ferries_lost))
        crowds, zoned = crowded_hexes(g, side), in_zones(g, side)
        base = g.cached_of(FOE[side], key, lambda: self._steps(frozenset(), frozenset(), None))
        if not crowds and not zoned:
            return base
        return g.cached_of(FOE[side], (*key, crowds, zoned), lambda: self._steps(crowds, zoned, base))

    def _steps(self, crowds: frozenset[int], zoned: frozenset[int], base: StepsOfAClass | None) -> StepsOfAClass:
        """What anybody of the class spends, beside crowds and own units in enemy zones."""
        g, side, anybody = self.g, self.side, copy(self)
        anybody.units, anybody.start, anybody.crowded, anybody.own = (), 0, crowds, {h: self.own[h] for h in zoned}
        special, fringe = special_hexes(g, side) if crowds else special_to(g, side)
        own = neighbours_of(g, crowds | zoned) | crowds
        return StepsOfAClass(anybody.ways, g.board.costs(self.walkers[0].mobility, self.storm), special, fringe, own, base)

    def _keep(self, heap: list[Label], at: State_, spent: tuple[int, ...], before: Label) -> None:
        """Keeps a way unless one that is known is as good for every class; drops those that it betters."""
        known = self.seen.get(at, ())
        if any(all(map(int.__le__, old[2], spent)) for old in known):
            return
        label: Label = (sum(spent), at, spent, before)
        self.seen[at] = (*[old for old in known if not all(map(int.__le__, spent, old[2]))], label)
        heapq.heappush(heap, label)

    def _glide(self, heap: list[Label], label: Label) -> None:
        """All steps from a hex on the way; nothing of what is special about the first step."""
        _, (place, _, passed), spent, _ = label
        via = self.via[passed] if passed < len(self.via) else 0
        for to, stop, costs in self.ways(place, None):
            after = tuple(map(int.__add__, spent, costs))
            if to != self.start and all(map(int.__le__, after, self.most)):
                self._keep(heap, (to, stop, passed + int(via == to)), after, label)

    def ways(self, place: int, among: Set[int] | None) -> Iterator[tuple[int, bool, tuple[int, ...]]]:
        """Steps out of a hex, not the first: to which (`among`: to some only), whether it stops, what each class spends."""
        rows = [self.g.board.edges(w.mobility, self.storm, place) for w in self.walkers]
        for i, edge in enumerate(rows[0]):
            to = edge.to
            if to in self.foes or (among is not None and to not in among) or not self._passable(place, edge):
                continue
            for road in (True, False):
                costs = self._costs(place, [row[i] for row in rows], road)
                if costs is not None:
                    yield to, self._held(to, road) or self._must_stop(place, edge), costs

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
        if to in self.slow and NEVER not in costs:
            costs = tuple(c + MP for c in costs)
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

    def _first_steps(self) -> Iterator[tuple[State_, tuple[int, ...]]]:
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
        """[8.1.1.1, 8.2.2] What the first step costs a class above the terrain: zones left and entered, a crowded hex left, a
        DMZ hex entered."""
        place, points = self.start, int(self.burdened) + (to in self.slow)
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
        if self.spent:
            found = dict.fromkeys([at // 2 for at in self.spent])
            del found[self.start]
            return list(found)
        return list(dict.fromkeys(at[0] for at in self.seen if at[2] == len(self.via) and at[0] != self.start))

    def end(self, place: int) -> Path | None:
        """The cheapest way to one hex."""
        if self.spent:
            quick = [(self.spent[at], at) for at in (2 * place, 2 * place + 1) if at in self.spent]
            return self._quick_path(*min(quick)) if quick else None
        ways = [label for stop in (False, True) for label in self.seen.get((place, stop, len(self.via)), ())]
        return _path(min(ways)) if ways else None

    def _quick_path(self, spent: int, at: int) -> Path:
        hexes = [at // 2]
        while at in self.before:
            at = self.before[at]
            hexes.append(at // 2)
        return Path(tuple(reversed(hexes)), spent)

    def comes_to(self, place: int) -> bool:
        """The stack can be in a hex, whatever it has passed, the start included."""
        return 2 * place in self.spent or 2 * place + 1 in self.spent or any(at[0] == place for at in self.seen)

    def reached(self) -> set[int]:
        """Every hex in which the stack can be, the start included."""
        return {at // 2 for at in self.spent} if self.spent else {at[0] for at in self.seen}

    def goes_on(self, place: int, passed: int) -> bool:
        """The stack may come to a hex with so many via points behind it and need not stop there."""
        return 2 * place in self.spent if self.spent else (place, False, passed) in self.seen


def _path(label: Label) -> Path:
    """The hexes from the start to where a label is."""
    spent, hexes, at = max(label[2]), [], label
    while at is not None:
        hexes.append(at[1][0])
        at = at[3]
    return Path(tuple(reversed(hexes)), spent)
