"""A second opinion on movement: brute force over all ways, written from the rules, sharing no code with the engine."""

from __future__ import annotations

import random
from typing import Any

from pbem.kernel.flow import Ask
from pbem.kernel.orders import Rejected

SURFACE = {"destroyer", "cruiser", "aircraft-carrier", "battleship"}
SIDE = {"japan": 0, "united-states": 1, "china": 1, "united-kingdom": 1, "anzac": 1, "netherlands": 1, "france": 1}
BASE_MOVE = {"infantry": 1, "artillery": 1, "aa-gun": 1, "tank": 2, "mechanized-infantry": 2}


def war(g: Any, a: str, b: str) -> bool:
    return " ".join(sorted((a, b))) in g.wars or {a, b} == {"japan", "france"}


def hostile_zone(g: Any, power: str, zone: str) -> bool:
    return any(u.at == zone and u.type in SURFACE and war(g, power, u.owner) for u in g.units.values())


def enemy_destroyer(g: Any, power: str, zone: str) -> bool:
    return any(u.at == zone and u.type == "destroyer" and war(g, power, u.owner) for u in g.units.values())


def friendly(g: Any, power: str, territory: str) -> bool:
    if territory in g.allegiance:
        return bool(g.allegiance[territory] == ("axis" if power == "japan" else "allies"))
    return SIDE.get(g.control[territory], -1) == SIDE[power]


def may_enter(g: Any, power: str, territory: str) -> bool:
    place = g.board.territories[territory]
    owner = g.control[territory]
    if owner in ("soviet-union", "none"):
        return False
    if power == "china" and not (place.chinese or territory in ("kwangtung", "burma")):
        return False
    if place.chinese and power not in ("japan", "china") and not war(g, power, "japan"):
        return False
    if owner in ("netherlands", "france") and power == "united-states" and not war(g, power, "japan"):
        return False
    if owner == "netherlands" and power == "japan":
        return war(g, "japan", "united-kingdom")
    return owner == "neutral" or friendly(g, power, territory) or war(g, power, owner)


def ways(g: Any, origin: str, to: str, length: int) -> list[list[str]]:
    """Every way of at most `length` steps, by plain recursion."""
    if length == 0:
        return []
    found = []
    for near in g.board.neighbours[origin]:
        if near == to:
            found.append([near])
        found += [[near, *rest] for rest in ways(g, near, to, length - 1)]
    return found


def land_is_legal(g: Any, power: str, kind: str, origin: str, to: str, combat: bool) -> bool:
    for way in ways(g, origin, to, BASE_MOVE[kind]):
        if any(s not in g.board.territories or not may_enter(g, power, s) for s in way):
            continue
        inner, last = way[:-1], way[-1]
        if not combat:
            if all(friendly(g, power, s) for s in way):
                return True
            continue
        if kind == "aa-gun":
            return False
        blitz = [s for s in inner if not friendly(g, power, s)]
        if blitz and (kind != "tank" or any(_occupied(g, power, s) for s in blitz)):
            continue
        if friendly(g, power, last) and not blitz:
            continue
        return True
    return False


def _occupied(g: Any, power: str, space: str) -> bool:
    if g.control[space] == "neutral" and space not in g.allegiance:
        return True
    return bool(g.facilities.get(space)) or any(u.at == space and u.owner != power for u in g.units.values())


def sea_is_legal(g: Any, power: str, unit: Any, to: str, points: int, combat: bool) -> bool:
    for way in ways(g, unit.at, to, points):
        if any(s not in g.board.zones for s in way):
            continue
        stop = enemy_destroyer if unit.type == "submarine" else hostile_zone
        if any(stop(g, power, s) for s in way[:-1]):
            continue
        if not combat and unit.type != "submarine" and hostile_zone(g, power, way[-1]):
            continue
        return True
    return False


FLIGHT = {"fighter": 4, "tactical-bomber": 4, "strategic-bomber": 6}
WEIGHT = {"infantry": 2, "artillery": 3, "tank": 3, "mechanized-infantry": 3, "aa-gun": 3}


def may_overfly(g: Any, power: str, space: str) -> bool:
    if space in g.board.zones:
        return power != "china"
    owner = g.control[space]
    if owner in ("soviet-union", "none") or (owner == "neutral" and space not in g.allegiance):
        return False
    place = g.board.territories[space]
    if power == "china":
        return bool(place.chinese) or space in ("kwangtung", "burma")
    return not place.chinese or power == "japan" or war(g, power, "japan")


def landing_is_legal(g: Any, power: str, plane: Any, to: str) -> bool | None:
    """An aircraft that has not moved yet flies to where it may stay."""
    if any(f.type == "air-base" for f in g.facilities.get(plane.at, ())) or plane.used or to in g.allegiance:
        return None
    if to not in _flown(g, power, plane.at, FLIGHT[plane.type]):
        return False
    if to in g.board.zones:
        if g.purchased[power].get("aircraft-carrier"):
            return None
        return plane.type != "strategic-bomber" and any(_has_free_deck(g, power, s) for s in g.units.values() if s.at == to)
    held_by_friends = SIDE.get(g.start.control[to], -1) == SIDE[power]
    return held_by_friends and friendly(g, power, to) and may_enter(g, power, to)


def _flown(g: Any, power: str, origin: str, steps: int) -> set[str]:
    ring = {origin}
    for _ in range(steps):
        ring |= {n for s in ring for n in g.board.neighbours[s] if may_overfly(g, power, n)}
    return ring


def _has_free_deck(g: Any, power: str, ship: Any) -> bool:
    aboard = [u for u in g.units.values() if u.aboard == ship.id]
    return ship.type == "aircraft-carrier" and SIDE.get(ship.owner) == SIDE[power] and not ship.damaged and len(aboard) < 2


def loading_is_legal(g: Any, power: str, unit: Any, zone: str, combat: bool) -> bool | None:
    """A land unit that has not moved boards a transport beside it."""
    ships = [u for u in g.units.values() if u.at == zone and u.type == "transport" and SIDE.get(u.owner) == SIDE[power]]
    cargo = {s.id: [u for u in g.units.values() if u.aboard == s.id] for s in ships}
    if any(s.owner != power or s.fought or s.id in g.landed_from or any(c.target for c in cargo[s.id]) for s in ships):
        return None
    if power == "china" or zone in g.start.hostile_zones or (not combat and hostile_zone(g, power, zone)):
        return False
    if not friendly(g, power, unit.at) or (combat and unit.type == "aa-gun"):
        return False
    return any(sum(WEIGHT[c.type] for c in aboard) + WEIGHT[unit.type] <= 5 for aboard in cargo.values())


def _orders(g: Any, power: str, unit: Any, combat: bool) -> list[tuple[Any, bool | None]]:
    """Orders for one unit to everywhere near, with the verdict on each."""
    one = {"units": {unit.type: 1}, "from": unit.at}
    found: list[tuple[Any, bool | None]] = [
        ({"move": {**one, "to": to}}, _judge(g, power, unit, to, combat)) for to in sorted(_near(g, unit.at, 3))
    ]
    if unit.type in WEIGHT:
        shores = [z for z in g.board.neighbours[unit.at] if z in g.board.zones]
        found += [({"load": {**one, "zone": z}}, loading_is_legal(g, power, unit, z, combat)) for z in shores]
    return found


def disagreements(g: Any, ask: Ask, dice: random.Random) -> list[str]:
    """Orders on which the engine and this judge differ, over a sample of units that have not moved and all near spaces."""
    power, combat = ask.seat, ask.kind == "combat-move"
    found = []
    units = [
        u for u in g.units.values() if u.owner == power and not u.moved and not u.fought and not u.role and u.aboard is None
    ]
    for unit in dice.sample(units, min(6, len(units))):
        for order, verdict in _orders(g, power, unit, combat):
            if verdict is None:
                continue
            try:
                ask.read(order)
                engine = True
            except Rejected as refusal:
                engine = False
                why = str(refusal)
            if engine != verdict:
                found.append(f"{order}: engine {engine} ({'' if engine else why}), judge {verdict}")
    return found


def _near(g: Any, origin: str, steps: int) -> set[str]:
    ring = {origin}
    for _ in range(steps):
        ring |= {n for s in ring for n in g.board.neighbours[s]}
    return ring - {origin}


def _judge(g: Any, power: str, unit: Any, to: str, combat: bool) -> bool | None:
    """None where the question needs more than this judge knows (proofs of landing, carriers, bases)."""
    if unit.type in FLIGHT and not combat:
        return landing_is_legal(g, power, unit, to)
    if unit.type in BASE_MOVE:
        return land_is_legal(g, power, unit.type, unit.at, to, combat) if to in g.board.territories else False
    if unit.type in ("submarine", "destroyer", "cruiser", "battleship") and to in g.board.zones:
        if any(f.type == "naval-base" for t in g.board.neighbours[unit.at] for f in g.facilities.get(t, ())):
            return None
        return sea_is_legal(g, power, unit, to, 2, combat)
    return None
