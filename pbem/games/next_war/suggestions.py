"""Orders that are likely to be legal here, for random play, for a bot and for completion. Every one is judged by `read`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from heapq import nsmallest
from typing import Any

from pbem.games.next_war.board import distance
from pbem.games.next_war.movement import reach
from pbem.games.next_war.orders import DONE
from pbem.games.next_war.state import FOE, State
from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected

Read = Callable[[Plain], Any]
MOST_STACKS = 3  # stacks that moves are proposed for
MOST_ENDS = 3  # destinations for one stack


def accepted(read: Read, orders: Iterable[Plain]) -> list[Plain]:
    """Those orders that stand."""
    return [o for o in orders if stands(read, o)]


def stands(read: Read, order: Plain) -> bool:
    """The order is legal."""
    try:
        read(order)
    except Rejected:
        return False
    return True


def label(g: State, place: int) -> str:
    """A hex as an order names it."""
    return g.board.hexes[place].label


# -- movement ------------------------------------------------------------------------------------------------------------


def movement_options(g: State, kind: str, side: str, read: Read) -> list[Plain]:
    """Marches of a few stacks, a few of each other kind of move, and being done."""
    found: list[Plain] = []
    waiting = [u for u in g.on_map(side, "ground") if u not in g.moved and not g.pieces[u].aboard]
    turn = len(g.moved)
    goals = _goals(g, side)
    for i in range(min(MOST_STACKS, len(waiting))):
        unit = waiting[(turn * 7 + i * 13) % len(waiting)]
        found += accepted(read, _marches(g, side, unit, waiting, goals))
    if kind != "elite":
        found += accepted(read, _others(g, side, waiting, goals))
    return [*found, DONE]


def _goals(g: State, side: str) -> list[int]:
    """Enemy units and places worth taking."""
    return g.cached(("goals", side), lambda: sorted(g.occupied(FOE[side])) + _prizes(g, side))


def _prizes(g: State, side: str) -> list[int]:
    return [h for h in g.board.prizes if g.holds(FOE[side], h)]


def _nearest(place: int, goals: Sequence[int]) -> int:
    return min((distance(place, h) for h in goals), default=0)


def _marches(g: State, side: str, unit: str, waiting: Sequence[str], goals: Sequence[int]) -> list[Plain]:
    start = g.pieces[unit].at
    together = [u for u in waiting if g.pieces[u].at == start]
    group = [unit] if len(g.moved) % 3 else together
    size, own = g.stack_points(group), g.occupied(side)
    ends = [h for h in reach(g, side, group, start).ends() if h not in own or g.stack_points(own[h]) + size <= g.limit(h)]
    near = g.cached(("near", side, start), lambda: nsmallest(2, goals, key=lambda h: (distance(start, h), h)))
    ends.sort(key=lambda h: (_nearest(h, near), h))
    chosen = [*ends[:MOST_ENDS], *ends[len(ends) // 2 :][:1]]
    return [{"move": {"units": list(group), "to": label(g, h)}} for h in dict.fromkeys(chosen)]


def _others(g: State, side: str, waiting: Sequence[str], goals: Sequence[int]) -> list[Plain]:
    found: list[Plain] = []
    found += _flights(g, side, waiting, goals)
    found += _voyages(g, side, waiting)
    if g.threat[side] > 1:
        free = [h for h, x in g.board.hexes.items() if x.zone and not x.land and h not in g.mines]
        found += [{"submine": label(g, h)} for h in free[:1]]
    return found


def _flights(g: State, side: str, waiting: Sequence[str], goals: Sequence[int]) -> list[Plain]:
    if g.storm:
        return _rebases(g, side)
    found: list[Plain] = []
    bases = [h for h, x in g.board.hexes.items() if (x.airbase or x.airfield) and g.holds(side, h)]
    escort = min(1, g.air[side])
    for unit in [u for u in waiting if g.counter(u).yellow][:3]:
        near = sorted(goals, key=lambda h: (distance(g.pieces[unit].at, h), h))[:2]
        spots = [n for h in near for n in g.board.near[h] if n not in g.occupied(FOE[side])]
        for to in spots[:: max(1, len(spots) // 3)][:3]:
            found.append({"lift": {"units": [unit], "to": label(g, to), "escort": escort}})
            if g.counter(unit).airborne:
                found.append({"drop": {"units": [unit], "to": label(g, to), "escort": escort}})
    for unit in [u for u in waiting if g.pieces[u].at in bases and g.values(u).mobility in ("leg", "li")][:2]:
        for to in bases[:3]:
            found.append({"fly": {"units": [unit], "to": label(g, to), "escort": escort}})
    return found + _rebases(g, side)


def _rebases(g: State, side: str) -> list[Plain]:
    found: list[Plain] = []
    for helo in [u for u in g.on_map(side, "helo") if u not in g.moved and u not in g.grounded and not g.missions.get(u)][:1]:
        bases = [h for h, x in g.board.hexes.items() if (x.airbase or x.airfield or x.city) and g.holds(side, h)]
        bases.sort(key=lambda h: (distance(h, g.pieces[helo].at), h))
        found += [{"rebase": {"units": helo, "to": label(g, h)}} for h in bases[1:3]]
    return found


def _voyages(g: State, side: str, waiting: Sequence[str]) -> list[Plain]:
    found: list[Plain] = []
    if g.storm:
        return found
    for ship in [u for u, c in g.board.counters.items() if c.seat == side and c.naval and g.area_of(u) and u not in g.moved]:
        area, place = g.board.areas[g.area_of(ship)], g.pieces[ship].at
        cargo = [u for u in g.cargo(ship) if g.counter(u).ground and u not in g.moved]
        found += [{"sail": {"units": ship, "to": n}} for n in (area.near if not place else (area.id,))]
        seas = [h for h, x in g.board.hexes.items() if x.zone == area.id]
        beaches = [(s, b) for s in seas for b in g.board.near[s] if g.board.hexes[b].beach and not g.holds(side, b)]
        if cargo:
            found += [
                {"poise": {"units": ship, "to": label(g, s), "at": label(g, b)}}
                for s, b in beaches[:: max(1, len(beaches) // 3)][:3]
            ]
        found += [{"sail": {"units": ship, "to": label(g, s)}} for s in seas[:: max(1, len(seas) // 2)][:2]]
        found += _ship_work(g, side, ship, place, cargo, waiting)
    ports = [
        h
        for h, x in g.board.hexes.items()
        if (x.port and g.holds(side, h)) or (h in g.beachheads and g.beachheads[h].side == side)
    ]
    for unit in [u for u in waiting if g.pieces[u].at in ports][:2]:
        away = [h for h in ports if h != g.pieces[unit].at]
        found += [{"ship": {"units": [unit], "to": label(g, h)}} for h in away[:2]]
    return found


def _ship_work(g: State, side: str, ship: str, place: int, cargo: Sequence[str], waiting: Sequence[str]) -> list[Plain]:
    found: list[Plain] = []
    counter = g.counter(ship)
    if place and g.board.hexes[place].terrain == "sea" and place not in g.mines:
        found.append({"mine": {"units": ship, "at": label(g, place)}})
    if counter.flips_to and not g.cargo(ship):
        found.append({"convert": ship})
    if counter.kind != "AMPH" or not place:
        return found
    shore = [h for h in (place, *g.board.near[place]) if g.board.hexes[h].land]
    found += [{"disembark": {"units": [u], "to": label(g, h)}} for u in cargo[:1] for h in shore[:2]]
    marines = [u for u in waiting if g.counter(u).marine and g.pieces[u].at in shore]
    found += [{"embark": {"units": [u], "on": ship}} for u in marines[:2]]
    return found + [
        {"marine-lift": {"units": [u], "by": ship, "to": label(g, h)}} for u in [*cargo, *marines][:1] for h in shore[:2]
    ]


# -- combat --------------------------------------------------------------------------------------------------------------


def combat_options(g: State, side: str, able: Mapping[int, Sequence[str]], read: Read) -> list[Plain]:
    """Every target with all who can attack it, and with one; landings; Beachheads; being done."""
    found: list[Plain] = []
    for target, units in list(able.items())[:8]:
        found += [
            {"attack": {"units": list(units), "at": label(g, target)}},
            {"attack": {"units": [units[0]], "at": label(g, target)}},
        ]
    for beach in dict.fromkeys(g.poised.values()):
        if not g.ground(FOE[side], beach):
            found.append({"land": [u for u, b in g.poised.items() if b == beach]})
    found += [{"beachhead": label(g, h)} for ship in g.on_map(side, "AMPH") for h in g.board.near[g.pieces[ship].at]]
    return [*accepted(read, found), DONE]
