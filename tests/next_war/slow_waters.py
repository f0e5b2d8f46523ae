"""A second, slow reading of ports and the ways by sea, of mines, and of airmobile lifts and Sea Transport.

Written from the text of the rules alone [7.1, 7.5.3, 8.2.2, 8.5.4, 8.5.6.4, 8.5.7]. It shares with the game the records of the
board and of the state; zones of control are those of slow_judge.py.
"""

from __future__ import annotations

import random
from typing import Any

from pbem.games.next_war import naval
from pbem.games.next_war.state import FOE, SIDES, State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected
from tests.next_war.slow_judge import GRID, army, neighbours, zones

SPARE = 0  # hexes that helicopters fly further than printed: set by a test that wants the judge to be wrong
HIGHLANDS = ("highland", "highland_woods")
Spot = tuple[int, str]


# -- the sea -----------------------------------------------------------------------------------------------------------------


def sea_beside(g: State, place: int) -> list[int]:
    """Sea hexes of some Inshore area beside a hex."""
    found = [n for n in GRID.neighbours(place) if n in g.board.hexes]
    return [n for n in found if g.board.hexes[n].terrain == "sea" and g.board.hexes[n].zone]


def usable_port(g: State, side: str, place: int) -> bool:
    """[8.2.2, 8.5.6.4] A Port that the side controls, without enemy troops."""
    return g.board.hexes[place].port and g.control.get(place) == side and place not in army(g, FOE[side])


def next_to(g: State, side: str, spot: Spot) -> set[Spot]:
    """[8.5.6.4] One step by sea: area and area, Inshore area and its sea hexes, sea hex and sea hex or own Port.

    A Port is entered and left along sea hexes; one that has none beside it, straight from its Inshore area.
    """
    place, area = spot
    if area:
        near = {(0, a) for a in g.board.areas[area].near if g.board.areas[a].box in ("", side)}
        if g.board.areas[area].at_sea:
            return near
        inside = {h for h, x in g.board.hexes.items() if x.terrain == "sea" and x.zone == area}
        bare = {h for h, x in g.board.hexes.items() if x.port and not sea_beside(g, h) and g.area_at(h) == area}
        return near | {(h, "") for h in inside} | {(h, "") for h in bare if usable_port(g, side, h)}
    beside = {(h, "") for h in sea_beside(g, place)}
    inshore = {(0, g.area_at(place))} if g.area_at(place) else set()
    if g.board.hexes[place].terrain != "sea":
        return beside or inshore
    ports = {(n, "") for n in GRID.neighbours(place) if n in g.board.hexes and usable_port(g, side, n)}
    return inshore | beside | ports


def mines_felt(g: State, place: int) -> set[int]:
    """[7.5.3] Markers whose field a location lies in: its own; of a coastal hex all sea hexes beside it."""
    here = {place} & g.mines.keys()
    if g.board.hexes[place].terrain != "sea":
        return here
    return here | {n for n in GRID.neighbours(place) if n in g.mines and g.board.hexes[n].terrain != "sea"}


def sea_disagreements(g: State, dice: random.Random, number: int = 12) -> list[str]:
    """Steps by sea from some places, mine fields of some hexes, dangers of entering some."""
    places = [h for h, x in g.board.hexes.items() if (x.terrain == "sea" and x.zone) or x.port]
    spots: list[Spot] = [(0, a) for a in g.board.areas] + [(h, "") for h in dice.sample(places, min(number, len(places)))]
    found = []
    for side in SIDES:
        for spot in spots:
            if spot[0] and g.board.hexes[spot[0]].terrain != "sea" and not usable_port(g, side, spot[0]):
                continue
            mine, theirs = next_to(g, side, spot), set(naval.neighbours(g, side, spot))
            found += [f"{side}: from {spot} to {to}: {to in mine} says the slow judge" for to in sorted(mine ^ theirs)]
            if spot[0] and mines_felt(g, spot[0]) != set(naval.mine_fields(g, spot[0])):
                found.append(f"mines at {g.board.name(spot[0])}: {mines_felt(g, spot[0])} says the slow judge")
            causes = {kind for kind, _ in naval.dangers(g, side, (), spot, [])}
            found += [f"{side}, {spot}: {kind} by one of two readings" for kind in sorted(causes ^ _perils(g, side, spot))]
    return found


def _perils(g: State, side: str, spot: Spot) -> set[str]:
    """[8.5.6.4.1] (a) an area of the enemy's, (b) mines, (c) an enemy naval unit. A Port is no part of the area [A-61]."""
    place, area = spot
    if place and g.board.hexes[place].terrain == "sea":
        area = g.board.hexes[place].zone
    found = {"area"} if g.sea_control.get(area) == FOE[side] else set()
    if place and mines_felt(g, place):
        found.add("mines")
    ships = [p for u, p in g.pieces.items() if g.board.counters[u].naval and g.board.counters[u].seat == FOE[side]]
    if any((p.at == place) if place else (not p.at and p.box == area) for p in ships):
        found.add("ships")
    return found


# -- lifts -------------------------------------------------------------------------------------------------------------------


def own_bases(g: State, side: str) -> list[int]:
    """[8.2.2] Own Airbases and Airfields without enemy troops."""
    enemies = army(g, FOE[side])
    fields = [h for h, x in g.board.hexes.items() if x.airbase or x.airfield]
    return [h for h in fields if g.control.get(h) == side and h not in enemies]


def may_land(g: State, side: str, place: int) -> bool:
    """[8.5.4.3.1, 8.2.2] Not in high mountains, other heights only by a road, nothing that the enemy must be cleared from."""
    hex_ = g.board.hexes[place]
    if hex_.terrain in ("sea", "high_mountain") or place in army(g, FOE[side]):
        return False
    if hex_.terrain in (*HIGHLANDS, "mountain") and not any(between.road for _, _, between in neighbours(g, place)):
        return False
    special = hex_.city or hex_.terrain == "urban" or hex_.installations or hex_.extra
    return not special or g.control.get(place) == side


def may_be_lifted(g: State, side: str, unit: str, to: int) -> bool:
    """[8.5.4] A unit with a yellow allowance, 24 hexes from a base by way of the unit, Airmobile Points for its size."""
    piece, counter = g.pieces[unit], g.board.counters[unit]
    if g.weather == "storm" or counter.kind != "ground" or not counter.yellow or piece.aboard or unit in g.moved:
        return False
    if not may_land(g, side, to) or to == piece.at:
        return False
    zone = zones(g, FOE[side])
    points = 24 + SPARE - (piece.at in zone) - (to in zone and to not in army(g, side))  # 8.2.2(e)(f)
    ways = [GRID.distance(b, piece.at) + GRID.distance(piece.at, to) for b in own_bases(g, side)]
    if not ways or min(ways) > points:
        return False
    if counter.airmobile and unit not in g.unsupplied:
        return True
    return g.values(unit).sp <= g.lift[side] + g.shared_lift.get(piece.at, 0)


def may_be_shipped(g: State, side: str, unit: str, to: int) -> bool | None:
    """[8.5.7.1, 8.5.7.4] From own Port to own Port, neither in an enemy zone; None where a Sea Landing might be meant."""
    piece, counter = g.pieces[unit], g.board.counters[unit]
    zone = zones(g, FOE[side])
    if any(h in g.beachheads or h in zone for h in (piece.at, to)):
        return None
    if g.weather == "storm" or unit in g.moved or piece.aboard or counter.kind != "ground" or to == piece.at:
        return False
    if not usable_port(g, side, piece.at) or not usable_port(g, side, to):
        return False
    chart = g.p["port_capacity"]
    size, hold = g.values(unit).sp, 2 * int(chart.get(g.board.hexes[to].label, chart["other"]))
    most, used = g.p["sea_transport_limit"].get(side), g.shipped.get(f"sea {side}", 0)
    if g.unloaded.get(to, 0) + size > hold or (most is not None and used + size > 2 * int(most)):
        return False
    seen: set[Spot] = {(piece.at, "")}
    waiting: list[Spot] = [(piece.at, "")]
    while waiting:
        new = next_to(g, side, waiting.pop()) - seen
        seen |= new
        waiting += new
    return (to, "") in seen


def disagreements_on_lifts(g: State, ask: Ask, dice: random.Random, number: int = 6) -> list[str]:
    """Single units to some places by air and by sea, judged by the question and by this reading."""
    if g.newer:
        return []  # its own exceptions have cases
    side, found = ask.seat, []
    mine = [u for units in army(g, side).values() for u in units]
    yellow = [u for u in mine if g.board.counters[u].yellow]
    for unit in dice.sample(yellow, min(number, len(yellow))) if "lift" in ask.verbs else ():
        around = [h for h in g.board.within(g.pieces[unit].at, 26) if h in g.board.hexes]
        for to in dice.sample(around, min(4, len(around))):
            order: Any = {"lift": {"units": [unit], "to": g.board.hexes[to].label}}
            if not (may_be_lifted(g, side, unit, to) and _bound(g, unit)):
                found += _judged(ask, order, may_be_lifted(g, side, unit, to))
    ports = [h for h, x in g.board.hexes.items() if x.port]
    there = [u for u in mine if g.board.hexes[g.pieces[u].at].port]
    for unit in dice.sample(there, min(number, len(there))) if "ship" in ask.verbs else ():
        to = dice.choice(ports)
        legal = may_be_shipped(g, side, unit, to)
        if legal is not None and not (legal and _bound(g, unit)):
            found += _judged(ask, {"ship": {"units": [unit], "to": g.board.hexes[to].label}}, legal)
    return found


def _bound(g: State, unit: str) -> bool:
    """[8.5, 8.2.4, 13.1.5] Who may not move in some segments, which is no matter here: begun in a zone, out of supply."""
    return unit in g.started_in_zone or unit in g.unsupplied


def _judged(ask: Ask, order: Plain, legal: bool) -> list[str]:
    try:
        ask.read(order)
    except Rejected as refused:
        return [f"{order} was refused: {refused}"] if legal else []
    return [] if legal else [f"{order} was accepted"]
