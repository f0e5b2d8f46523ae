"""[8.4] Overland: the cost of hexes, where a unit has to stop, what it takes by passing."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from pbem.games.empire_of_the_sun.events.units import Controlled
from pbem.games.empire_of_the_sun.lines import route_usable, step_cost
from pbem.games.empire_of_the_sun.movement.limits import may_stand
from pbem.games.empire_of_the_sun.movement.stacks import stack_moved, way_back
from pbem.games.empire_of_the_sun.orders import Route
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, State, activation, offensive
from pbem.kernel.events import Event
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg


def march(g: State, side: str, route: Route, reaction: bool) -> list[Event]:
    """[8.42] Overland: terrain cost, half a point along routes, stop on meeting the enemy."""
    spent = max(activation(g, u).spent for u in route.units)
    budget = 2 * offensive(g).ops - spent
    start = g.pieces[route.units[0]].at
    if g.battle_hex(start) or (g.mine_at(FOE[side], start, "ground", "air", "hq") and spent):
        raise illegal(msg("the units stay in the battle"), "8.42")
    path, cost = land_path(g, side, route.units, start, [*route.via, route.to], budget, reaction)
    if not path:
        why = msg("{place} is out of reach by land; movement points: {n}", place=g.board.name(route.to), n=f"{budget / 2:g}")
        raise illegal(why, "8.42")
    events = stack_moved(g, route, dict.fromkeys(route.units, path), "land", "8.42", spent=spent + cost)
    return [*events, *_passing(g, side, path)]


def _passing(g: State, side: str, path: Sequence[int]) -> list[Event]:
    """[6.5] Empty hexes that ground units enter or cross change hands at once."""
    enemy = FOE[side]
    taken = [h for h in path[1:] if g.holds(enemy, h) and not g.mine_at(enemy, h) and not (side == ALLIES and g.intrinsic(h))]
    return [Controlled(h, side, "6.5") for h in taken]


def land_path(
    g: State, side: str, units: Sequence[str], start: int, stops: Sequence[int], budget: int, reaction: bool
) -> tuple[tuple[int, ...], int]:
    """The cheapest overland way through some stops and its cost in half points, or ((), 0)."""
    path: tuple[int, ...] = (start,)
    cost = 0
    enemy, armour = g.occupied_hexes(FOE[side]), "7th-armored-brigade" in units
    for stop in stops:
        leg, price = _land_leg(g, side, units, path[-1], stop, budget - cost, reaction)
        if not leg or (len(path) > 1 and _must_stop(g, path[-1], enemy, armour, path[-2])):
            return (), 0
        path, cost = (*path, *leg), cost + price
    return path, cost


def _land_leg(
    g: State, side: str, units: Sequence[str], start: int, to: int, budget: int, reaction: bool
) -> tuple[tuple[int, ...], int]:
    costs, came = land_costs(g, side, units, start, budget, reaction)
    return (way_back(came, to), costs[to]) if to in costs and to != start else ((), 0)


def land_costs(
    g: State, side: str, units: Sequence[str], start: int, budget: int, reaction: bool
) -> tuple[dict[int, int], dict[int, int]]:
    """Every hex in overland reach: cost in half points, and the hex before it on the cheapest way."""
    enemy = g.occupied_hexes(FOE[side])
    armour = "7th-armored-brigade" in units
    costs, came, heap = {start: 0}, {start: 0}, [(0, start)]
    while heap:
        spent, here = heappop(heap)
        if spent > costs[here] or (here != start and _must_stop(g, here, enemy, armour, came[here])):
            continue
        for there in g.board.by_land[here]:
            if any(may_stand(g, u, there) for u in units) or (reaction and g.battle_hex(here) and here != start):
                continue
            price = step_cost(g, here, there, there in enemy and not (reaction and not g.second and g.battle_hex(there)))
            if armour and g.second and g.board.hexes[there].terrain == "mountain" and not g.board.route(here, there):
                continue
            total = spent + price
            if total <= budget and total < costs.get(there, budget + 1):
                costs[there], came[there] = total, here
                heappush(heap, (total, there))
    return costs, came


def _must_stop(g: State, here: int, enemy: frozenset[int], armour: bool, before: int) -> bool:
    """[8.4] Enemy ground unit, air unit or HQ; a declared battle; the armoured brigade off the road in rough country [8.49]."""
    if here in enemy or g.battle_hex(here):
        return True
    on_route = before != 0 and g.board.route(before, here) and route_usable(g, before, here)
    return armour and not g.second and g.board.hexes[here].terrain != "open" and not on_route
