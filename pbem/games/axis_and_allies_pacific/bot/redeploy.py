"""Noncombat moves: aircraft land, land units go to the front or guard what is threatened, fleets go where they are wanted."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.axis_and_allies_pacific.bot.forces import can_sail, orders_for
from pbem.games.axis_and_allies_pacific.bot.judgement import (
    FAR,
    MARCHING,
    Temper,
    goal_distance,
    is_key,
    is_safe,
    is_safe_at_sea,
    is_wanted,
    steps,
    worth,
)
from pbem.games.axis_and_allies_pacific.bot.landings import loadable
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.landing import CARRIER_AIRCRAFT, decks, has_room, may_land, needs_landing
from pbem.games.axis_and_allies_pacific.paths import flights, is_open, reach
from pbem.games.axis_and_allies_pacific.politics import why_not_enter
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    SEA,
    State,
    Unit,
    is_friendly,
    movement_points,
    zone_is_hostile,
)
from pbem.kernel.canon import Plain


def plan_noncombat(g: State, power: str, mind: Temper) -> list[Plain]:
    """Orders for the whole phase."""
    stage = Rehearsal(g, power)
    _meet(stage)
    _land(stage, mind)
    _unload(stage, mind)
    _load(stage)
    _sail(stage, mind)
    _march(stage, mind)
    _rebase(stage, mind)
    return stage.orders


# -- aircraft ----------------------------------------------------------------------------------------------------------


def _range(g: State, plane: Unit) -> dict[str, int]:
    limit = _movement_left(g, plane)
    return flights(g, plane.owner, plane.at, limit) if limit >= 0 else {}


def _meet(stage: Rehearsal) -> None:
    """Carriers sail to aircraft that cannot come home otherwise."""
    g, power = stage.g, stage.power
    for plane in needs_landing(g, power):
        g = stage.g
        near = _range(g, g.units[plane.id])
        if any(_is_landing_place(g, power, plane, s) for s in near) or plane.type not in CARRIER_AIRCRAFT:
            continue
        for ship in [u for u in g.of(power) if has_room(g, u) and not u.moved and not u.fought]:
            zones = [z for z in near if z in g.board.zones and not zone_is_hostile(g, power, z) and z != ship.at]
            if any(can_sail(g, ship, z) and stage.attempt(orders_for([ship], z)) for z in zones):
                break


def _is_landing_place(g: State, power: str, plane: Unit, space: str) -> bool:
    if space in g.board.territories:
        return may_land(g, power, space)
    return plane.type in CARRIER_AIRCRAFT and bool(decks(g, power, space))


def _land(stage: Rehearsal, mind: Temper) -> None:
    """Those with the fewest places first; carriers for their aircraft, else land that is guarded and near the front."""
    front = _front_distance(stage.g, stage.power)
    given_up: set[tuple[str, str, int]] = set()
    while True:
        g, power = stage.g, stage.power
        waiting = [u for u in needs_landing(g, power) if _sort(g, u) not in given_up and not _waits_for_deck(g, u)]
        if not waiting:
            return
        plane = min(waiting, key=lambda u: (len(_homes(g, power, u)), _movement_left(g, u), u.id))
        alike = [u for u in waiting if u.at == plane.at and u.type == plane.type]
        plane = max(alike, key=lambda u: (_movement_left(g, u), -u.id))  # the one that an order takes
        homes = sorted(_homes(g, power, plane), key=lambda s: (_landing_cost(g, power, plane, s, front, mind), s))
        if not any(s != plane.at and stage.attempt(orders_for([plane], s)) for s in homes):
            given_up.add(_sort(g, plane))


def _sort(g: State, plane: Unit) -> tuple[str, str, int]:
    return plane.at, plane.type, _movement_left(g, plane)


def _movement_left(g: State, plane: Unit) -> int:
    return movement_points(g, plane) - plane.used


def _waits_for_deck(g: State, plane: Unit) -> bool:
    """Over a zone with room on a carrier: it is taken aboard at the end of the phase."""
    return plane.at in g.board.zones and plane.type in CARRIER_AIRCRAFT and _has_deck_for_all(g, plane)


def _has_deck_for_all(g: State, plane: Unit) -> bool:
    over = [u for u in g.at(plane.at) if u.owner == plane.owner and u.type in CARRIER_AIRCRAFT and u.aboard is None]
    room = sum(2 - len(g.cargo(c)) for c in decks(g, plane.owner, plane.at))
    return len(over) <= room


def _homes(g: State, power: str, plane: Unit) -> list[str]:
    return [s for s in _range(g, plane) if _is_landing_place(g, power, plane, s)]


def _landing_cost(g: State, power: str, plane: Unit, space: str, front: dict[str, int], mind: Temper) -> int:
    if space in g.board.zones:
        return 0
    guarded = any(u.type in MARCHING for u in g.at(space))
    risk = 0 if guarded and is_safe(g, power, space) else 30
    return 2 + risk + front.get(space, 20) - (3 if is_key(g, space) else 0)


def _front_distance(g: State, power: str) -> dict[str, int]:
    """Steps over land from each territory to the next enemy."""
    land = steps(g.board, "land")
    hostile = [t for t in g.board.territories if is_wanted(g, power, t) and why_not_enter(g, power, t) is None]
    return {t: min((land[t].get(h, 20) for h in hostile), default=20) for t in g.board.territories}


def _rebase(stage: Rehearsal, mind: Temper) -> None:
    """Idle aircraft fly to guarded land nearer to the enemy, or to a carrier without aircraft."""
    front = _front_distance(stage.g, stage.power)
    home = stage.g.board.capitals.get(stage.power, "")
    idle = [u.id for u in stage.g.of(stage.power) if u.type in AIR and not u.moved and u.aboard is None]
    for number in idle:
        g, power = stage.g, stage.power
        plane = g.units[number]
        if plane.at not in g.board.territories or not may_land(g, power, plane.at):
            continue
        if plane.at == home and not is_safe(g, power, home, [plane.id]):
            continue
        here = _landing_cost(g, power, plane, plane.at, front, mind)
        for space in sorted(_homes(g, power, plane), key=lambda s: (_landing_cost(g, power, plane, s, front, mind), s)):
            if _landing_cost(g, power, plane, space, front, mind) + 1 >= here:
                break
            if space != plane.at and stage.attempt(orders_for([plane], space)):
                break


# -- land --------------------------------------------------------------------------------------------------------------


def _march(stage: Rehearsal, mind: Temper) -> None:
    """Land units that are not needed where they are go towards the enemy land that is worth most."""
    pull = _pull(stage.g, stage.power, mind)
    for number in [u.id for u in stage.g.of(stage.power) if u.type in MARCHING and not u.moved and u.aboard is None]:
        g, power = stage.g, stage.power
        unit = g.units[number]
        if unit.fought or unit.at not in g.board.territories:
            continue
        if is_key(g, unit.at) and not is_safe(g, power, unit.at, [unit.id]):
            continue
        if not is_safe(g, power, unit.at) and _retires(stage, unit):
            continue
        open_land = _marches(g, unit)
        best = min(open_land, key=lambda s: (pull.get(s, FAR), s != unit.at, s))
        if best != unit.at and pull.get(best, FAR) < pull.get(unit.at, FAR):
            stage.attempt(orders_for([unit], best))


def _marches(g: State, unit: Unit) -> dict[str, int]:
    """Friendly land within a unit's movement."""
    power = unit.owner
    return reach(g, unit.at, lambda s: is_open(g, power, s) and why_not_enter(g, power, s) is None, movement_points(g, unit))


def _retires(stage: Rehearsal, unit: Unit) -> bool:
    """From a place that will be lost, to a neighbour that can be held with its help; keys are held to the last."""
    g, power = stage.g, stage.power
    if is_key(g, unit.at):
        return True
    mine = [u for u in g.at(unit.at) if u.owner == power and u.type in MARCHING and not u.moved]
    for near in g.board.neighbours[unit.at]:
        if near in g.board.territories and is_open(g, power, near) and is_safe(g, power, near, more=mine):
            return stage.attempt(orders_for(mine, near))
    return False


def _pull(g: State, power: str, mind: Temper) -> dict[str, int]:
    """How far each territory is from what is worth having: three for each step, less the worth of the goal."""
    land = steps(g.board, "land")
    goals = {
        t: -worth(g, power, t, mind) // 4 for t in g.board.territories if is_wanted(g, power, t) and _may_enter(g, power, t)
    }
    goals |= {t: -worth(g, power, t, mind) // 3 for t in g.board.territories if _needs_help(g, power, t)}
    return {
        t: min((3 * land[t].get(goal, FAR) + bonus for goal, bonus in goals.items()), default=FAR) for t in g.board.territories
    }


def _may_enter(g: State, power: str, territory: str) -> bool:
    place = g.board.territories[territory]
    return power != "china" or place.chinese or place.chinese_may_enter


def _needs_help(g: State, power: str, territory: str) -> bool:
    return is_friendly(g, power, territory) and is_key(g, territory) and not is_safe(g, power, territory)


# -- sea ---------------------------------------------------------------------------------------------------------------


def _transports(g: State, power: str) -> list[Unit]:
    return [u for u in g.of(power) if u.type == "transport" and not u.fought]


def _load(stage: Rehearsal) -> None:
    """Empty transports take what is not needed on the shore where they lie."""
    if stage.power == "china":
        return
    for number in [u.id for u in _transports(stage.g, stage.power)]:
        g = stage.g
        ship = g.units[number]
        if g.cargo(ship) or ship.moved or ship.id in g.landed_from or zone_is_hostile(g, stage.power, ship.at):
            continue
        shores = [t for t in g.board.neighbours[ship.at] if t in g.board.territories]
        if any(is_wanted(g, stage.power, n) for t in shores for n in g.board.neighbours[t] if n in g.board.territories):
            continue  # they are at the front already
        for unit in loadable(g, stage.power, ship, set()):
            stage.give({"load": {"units": {unit.type: 1}, "from": unit.at, "zone": ship.at}})


def _unload(stage: Rehearsal, mind: Temper) -> None:
    """Cargo goes ashore where land units are wanted: a threatened key, or a coast from which they can march on."""
    pull = _pull(stage.g, stage.power, mind)
    for number in [u.id for u in _transports(stage.g, stage.power)]:
        g, power = stage.g, stage.power
        ship = g.units[number]
        cargo = [c for c in g.cargo(ship) if c.owner == power]
        shores = [t for t in g.board.neighbours[ship.at] if t in g.board.territories and is_friendly(g, power, t)]
        wanted = [t for t in shores if _needs_help(g, power, t) or pull.get(t, FAR) <= 0]
        for shore in sorted(wanted, key=lambda t: (pull.get(t, FAR), t))[:1] if cargo else []:
            counts: dict[str, Plain] = {}
            for kind in sorted({c.type for c in cargo}):
                counts[kind] = sum(c.type == kind for c in cargo)
            stage.attempt([{"unload": {"units": {k: n}, "from": ship.at, "to": shore}} for k, n in counts.items()])


def _sail(stage: Rehearsal, mind: Temper) -> None:
    """Convoys move as one towards the shores that are wanted, warships alone to convoys, empty transports back to troops."""
    power = stage.power
    goal = goal_distance(stage.g, power, mind)
    convoys = _convoy_distance(stage.g, power, goal)
    troops = _troop_distance(stage.g, power)
    for zone in [z for z in stage.g.board.zones if any(u.owner == power for u in stage.g.at(z))]:
        g = stage.g
        ships = [u for u in g.at(zone) if u.owner == power and u.type in SEA and not u.moved and not u.fought]
        ships = [u for u in ships if not any(c.moved and c.type in AIR for c in g.cargo(u))]
        loaded = [u for u in ships if u.type == "transport" and g.cargo(u)]
        empty = [u for u in ships if u.type == "transport" and not g.cargo(u)]
        war = [u for u in ships if u.type != "transport"]
        if loaded or (war and not empty):
            _move_fleet(stage, zone, [*war, *loaded], goal if loaded else convoys)
        if empty:
            _move_fleet(stage, zone, empty, troops)


def _move_fleet(stage: Rehearsal, zone: str, ships: Sequence[Unit], goal: dict[str, int]) -> None:
    """To the best zone in reach where it is safe; away from danger when the zone is not."""
    g, power = stage.g, stage.power
    if not ships:
        return
    limit = min(movement_points(g, u) - u.used for u in ships)
    sea = reach(g, zone, lambda z: z in g.board.zones and not zone_is_hostile(g, power, z), max(limit, 0))
    stays = is_safe_at_sea(g, power, zone, ships)
    for to in sorted(sea, key=lambda z: (goal.get(z, FAR), z != zone, z))[:6]:
        if to == zone and stays:
            return
        if to == zone or (goal[to] >= goal[zone] and stays) or not is_safe_at_sea(g, power, to, ships):
            continue
        if stage.attempt(orders_for(sorted(ships, key=lambda u: u.type != "aircraft-carrier"), to)):
            return


def _convoy_distance(g: State, power: str, goal: dict[str, int]) -> dict[str, int]:
    """Steps from each zone to where loaded transports wait; the goal itself when there are none."""
    waiting = {u.at for u in g.of(power) if u.type == "transport" and g.cargo(u)}
    sea = steps(g.board, "sea")
    return {z: min(sea[z].get(w, FAR) for w in sorted(waiting)) for z in g.board.zones} if waiting else goal


def _troop_distance(g: State, power: str) -> dict[str, int]:
    """Steps from each zone to the next shore with a complex, where new troops appear, or with idle troops."""
    sea = steps(g.board, "sea")
    coasts = {
        z
        for t in g.board.territories
        if g.control[t] == power and (g.facility(t, "minor-ic", "major-ic") or sum(u.type in MARCHING for u in g.at(t)) > 4)
        for z in g.board.coast(t)
    }
    return {z: min((sea[z].get(c, FAR) for c in sorted(coasts)), default=0) for z in g.board.zones}
