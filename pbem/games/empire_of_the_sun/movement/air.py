"""[8.3] Air units: legs from airfield to airfield, and over the Hump to China."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pbem.games.empire_of_the_sun.board import AIR_FERRY, distance
from pbem.games.empire_of_the_sun.burma import NORTHERN_FIELDS
from pbem.games.empire_of_the_sun.china_box import flies_to_china
from pbem.games.empire_of_the_sun.events.units import Placed
from pbem.games.empire_of_the_sun.movement.stacks import stack_moved, way_back
from pbem.games.empire_of_the_sun.orders import Route
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, State
from pbem.games.empire_of_the_sun.supply import hostile
from pbem.kernel.events import Event
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg


def fly(g: State, side: str, route: Route, legs: int, strategic: bool) -> list[Event]:
    """[8.31] Legs from airfield to airfield; the shortest chain of normal legs, else of the longest ones."""
    if route.box == "china" or g.pieces[route.units[0]].box == "china":
        return _china_flight(g, side, route, legs, strategic)
    rule = "8.33" if strategic else "8.31"
    start = g.pieces[route.units[0]].at
    _check_field(g, side, route.to)
    for reach, far in ((_shortest_leg(g, route.units, True), False), (_shortest_leg(g, route.units, False), True)):
        path = _legs(g, side, start, route, reach, legs, strategic)
        if path is not None:
            return stack_moved(g, route, dict.fromkeys(route.units, path), "strategic" if strategic else "air", rule, far=far)
    raise illegal(msg("{place} is out of reach by air; legs: {n}", place=g.board.name(route.to), n=legs), rule)


def _shortest_leg(g: State, units: Sequence[str], normal: bool) -> int:
    return min(g.counter(u).range if normal else g.counter(u).leg for u in units)


def _check_field(g: State, side: str, place: int) -> None:
    if not g.friendly_airfield(side, place):
        raise illegal(msg("{place} is no friendly airfield", place=g.board.name(place)), "8.31")
    if place == AIR_FERRY:
        raise illegal(msg("no unit ends its move on the ferry field"), "8.35")
    if g.battle_hex(place):
        raise illegal(msg("{place} is a battle hex", place=g.board.name(place)), "8.31")
    if g.second and g.mine_at(FOE[side], place, "ground"):
        raise illegal(msg("enemy ground units stand in {place}", place=g.board.name(place)), "8.31")


def _legs(g: State, side: str, start: int, route: Route, reach: int, legs: int, strategic: bool) -> tuple[int, ...] | None:
    """A chain of airfields through the named stops, or the shortest one."""
    closed = hostile(g, side) if strategic else frozenset()
    if strategic and (start in closed or not g.friendly_airfield(side, start)):
        return None
    if route.via or distance(start, route.to) <= reach:
        stops = (start, *route.via, route.to)
        short = all(distance(a, b) <= reach for a, b in pairwise(stops))
        stands = all(_stop(g, side, h, closed) for h in stops[1:-1]) and route.to not in closed
        return stops if short and stands and len(stops) - 1 <= legs else None
    return _chain(g, side, start, route.to, reach, legs, closed)


def air_ends(g: State, unit: str, legs: int) -> list[int]:
    """[9.6] Airfields that an air unit reaches in some legs of at most its longest range, its own included."""
    start, side = g.pieces[unit].at, g.counter(unit).side
    leg = g.counter(unit).leg
    found, frontier = {start}, [start]
    for _ in range(legs):
        near = dict.fromkeys(f for h in frontier for f in g.board.fields_near(h, leg))
        fresh = [f for f in near if f not in found and _stop(g, side, f, frozenset())]
        found.update(fresh)
        frontier = fresh
    return sorted(f for f in found if g.friendly_airfield(side, f))


def _stop(g: State, side: str, place: int, closed: frozenset[int]) -> bool:
    """[8.35] A field between two legs; the ferry field serves the Allies while no Japanese ship lies there."""
    if place == AIR_FERRY:
        return side == ALLIES and not g.mine_at(JAPAN, AIR_FERRY, "naval")
    fighting = g.offensive is not None and place in g.offensive.battles and place not in g.offensive.fought
    return g.friendly_airfield(side, place) and not fighting and place not in closed


def _chain(g: State, side: str, start: int, to: int, reach: int, legs: int, closed: frozenset[int]) -> tuple[int, ...] | None:
    came = {start: 0}
    frontier = [start]
    stands: dict[int, bool] = {}
    for left in range(legs, 0, -1):
        fresh = []
        for here in frontier:
            for there in g.board.fields_near(here, reach):
                if there in came or distance(there, to) > reach * (left - 1):
                    continue
                if there not in stands:
                    stands[there] = _stop(g, side, there, closed)
                if stands[there]:
                    came[there] = here
                    fresh.append(there)
        if to in came:
            return (start, *way_back(came, to))
        frontier = fresh
    return None


# -- China ---------------------------------------------------------------------------------------------------------


def _china_flight(g: State, side: str, route: Route, legs: int, strategic: bool) -> list[Event]:
    """[13.71] [13.74] Between an airfield of Northern India and the China box: one leg, others before or behind it."""
    if side != ALLIES or "china" in g.surrendered:
        raise illegal(msg("the China box is closed"), "13.71")
    rule = "13.74"
    if not g.second and any(g.counter(u).leg < 4 for u in route.units):
        raise illegal(msg("China is four hexes away"), rule)
    if route.box != "china":
        _check_field(g, side, route.to)
    way = _way_of_the_hump(g, side, route, legs - 1, strategic)
    if way is None:
        raise illegal(msg("the way to China leads over an airfield of Northern India"), rule)
    path, far = way
    mode = "strategic" if strategic else "air"
    if route.box != "china":
        return stack_moved(g, route, dict.fromkeys(route.units, path), mode, rule, far=far)
    if box_full(g, [*g.china_box(), *route.units]):
        legal = msg("two units at most, one of them a B-29") if g.second else msg("three units at most, one of them a B-29")
        raise illegal(msg("the China box is full"), rule, legal)
    flight = stack_moved(g, route, dict.fromkeys(route.units, path), mode, rule)
    return [*flight, *(Placed(u, 0, "china", rule) for u in route.units)]


def _way_of_the_hump(g: State, side: str, route: Route, legs: int, strategic: bool) -> tuple[tuple[int, ...], bool] | None:
    """Legs between the stack's end on the map and an airfield of Northern India, and whether longer than normal; or None."""
    end = g.pieces[route.units[0]].at if route.box == "china" else route.to
    gates = [h for h in NORTHERN_FIELDS if h in g.board.hexes and flies_to_china(g, h)]
    if end in gates:
        return (end,), False
    for normal in (True, False):
        reach = _shortest_leg(g, route.units, normal)
        for gate in gates:
            start, to = (end, gate) if route.box == "china" else (gate, end)
            path = _legs(g, side, start, Route(route.units, to, route.via), reach, legs, strategic) if legs else None
            if path is not None:
                return path, not normal
    return None


def box_full(g: State, units: Sequence[str]) -> bool:
    """[13.71] [13.74] More units than the China box holds."""
    limit = 2 if g.second else 3
    return len(units) > limit or sum(g.counter(u).b29 for u in units) > 1
