"""Ships in Noncombat Move: warships as one body where they cover most, transports with it or to troops, islands guarded."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.axis_and_allies_pacific.bot.forces import is_needed_in_city, orders_for, without_guards
from pbem.games.axis_and_allies_pacific.bot.judgement import (
    FAR,
    MARCHING,
    Temper,
    is_key,
    is_safe,
    is_wanted,
    steps,
)
from pbem.games.axis_and_allies_pacific.bot.lifts import Lift, ashore, lifts_to, loadable
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.bot.value import exposure, gain, nearness
from pbem.games.axis_and_allies_pacific.paths import halts, reach
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    SEA,
    SIDES,
    SURFACE_WARSHIPS,
    State,
    Unit,
    is_friendly,
    movement_points,
    side_of,
    zone_is_hostile,
)

BODIES = 3  # groups into which a power's warships may fall
PROGRESS = 400  # thousandths of an IPC that the nearest zone is worth to a warship, compared with the farthest
FOLLOW = 1500  # what a zone nearer to the fleet is worth to a loaded transport, in thousandths of an IPC
CONVOY = 300  # thousandths of nearness for each loaded transport that can come
FETCH = 12  # zones from which on nobody sails for troops that wait
GUARDIANS = ("united-kingdom", "anzac")


def move_ships(stage: Rehearsal, mind: Temper) -> None:
    """Warships, then transports."""
    if stage.power == "china":
        return
    near = nearness(stage.g, stage.power, mind)
    rendezvous = _gather(stage, near, mind.fear)
    _load(stage, near, rendezvous)
    _loaded(stage, rendezvous)
    _empty(stage, near)


# -- where to ------------------------------------------------------------------------------------------------------------


def _sailing(g: State, power: str, ship: Unit) -> dict[str, int]:
    """Where a ship can go now, with its distance."""
    points = max(0, movement_points(g, ship) - ship.used)
    closed = halts(g, power, ship.type)
    return reach(g, ship.at, lambda z: z in g.board.zones and z not in closed and not zone_is_hostile(g, power, z), points)


def _is_free(g: State, ship: Unit) -> bool:
    """It may still move in this phase, and nobody lands on it who has flown."""
    flown = any(c.type in AIR and c.moved for c in g.cargo(ship))
    if ship.type == "aircraft-carrier" and any(u.type in AIR and u.aboard is None for u in g.at(ship.at)):
        return False  # they count on its deck
    return not ship.moved and not ship.fought and ship.id not in g.landed_from and not flown


# -- warships ------------------------------------------------------------------------------------------------------------


def _gather(stage: Rehearsal, near: dict[str, int], fear: int) -> list[str]:
    """Warships sail where most of them can be, where they cover what cannot move, and near to what is wanted."""
    power = stage.power
    ships = [u for u in stage.g.of(power) if u.type in SEA and u.type != "transport" and _is_free(stage.g, u)]
    meeting: list[str] = []
    for _ in range(BODIES):
        g = stage.g
        ships = [g.units[u.id] for u in ships if u.id in g.units]
        ranges = {u.id: _sailing(g, power, u) for u in ships}
        zones = [z for z in g.board.zones if any(z in r for r in ranges.values())]
        if not zones:
            break
        pull = near if not meeting else _towards(g, meeting[0])
        pull = _with_convoys(g, power, pull)
        best = max(zones, key=lambda z: (_merit(g, power, z, ships, ranges, pull, fear), z))
        body = [u for u in ships if best in ranges[u.id]]
        moving = [u for u in body if u.at != best]
        singly = [orders_for([ship], best) for ship in moving]
        if moving and not stage.attempt(orders_for(sorted(moving, key=lambda u: u.type != "aircraft-carrier"), best)):
            for order in singly:
                stage.attempt(order)
        meeting.append(best)
        gone = {u.id for u in body}
        ships = [u for u in ships if u.id not in gone]
    return meeting


def _towards(g: State, zone: str) -> dict[str, int]:
    """Nearness to one zone."""
    return {z: 1000 - 100 * min(d, 10) for z, d in steps(g.board, "sea")[zone].items()}


def _with_convoys(g: State, power: str, near: dict[str, int]) -> dict[str, int]:
    """Zones to which loaded transports can come are the nearer: they sail under cover."""
    more: dict[str, int] = {}
    for ships in _transports(g, power, True).values():
        for zone in _sailing(g, power, ships[0]):
            more[zone] = more.get(zone, 0) + CONVOY * len(ships)
    return {z: n + more.get(z, 0) for z, n in near.items()}


def _merit(
    g: State, power: str, zone: str, ships: Sequence[Unit], ranges: dict[int, dict[str, int]], near: dict[str, int], fear: int
) -> int:
    """What it is worth to bring all ships that can come to a zone."""
    coming = [u for u in ships if zone in ranges[u.id]]
    ids = {u.id for u in coming}
    anchored = [u for u in _ours(g, power, zone) if u.id not in ids and u.aboard not in ids]
    decks = [c for u in coming if u.type == "aircraft-carrier" for c in g.cargo(u)]
    alone = exposure(g, power, zone, anchored)
    together = exposure(g, power, zone, [*anchored, *coming, *decks])
    staying = sum(near.get(u.at, 0) for u in ships if u.id not in ids)
    body = [*coming, *(u for u in anchored if u.owner == power and u.type in SURFACE_WARSHIPS)]
    hold = 100 * sum(g.board.types[u.type].cost for u in body)  # one body is better than two
    return (alone - 2 * together) * fear // 100 + PROGRESS * (near.get(zone, 0) * len(coming) + staying) // 1000 + hold


def _ours(g: State, power: str, zone: str) -> list[Unit]:
    """Ships of the side in a zone and aircraft there, cargo left out."""
    return [u for u in g.at(zone) if side_of(g, u.owner) == SIDES[power] and (u.type in SEA or u.type in AIR)]


# -- transports ----------------------------------------------------------------------------------------------------------


def _transports(g: State, power: str, loaded: bool) -> dict[str, list[Unit]]:
    """Transports that may still move, by zone."""
    found: dict[str, list[Unit]] = {}
    for ship in g.of(power):
        if ship.type == "transport" and _is_free(g, ship) and bool(g.cargo(ship)) == loaded:
            found.setdefault(ship.at, []).append(ship)
    return found


def _loaded(stage: Rehearsal, rendezvous: Sequence[str]) -> None:
    """Loaded transports go along with the warships, or nearer to them, as far as the danger is worth the way."""
    power = stage.power
    for zone, ships in _transports(stage.g, power, True).items() if rendezvous else ():
        g = stage.g
        far = steps(g.board, "sea")[rendezvous[0]]
        costs = {
            z: (_danger(g, power, z, ships) + FOLLOW * len(ships) * far.get(z, FAR), z != zone, z)
            for z in (zone, *_sailing(g, power, ships[0]))
        }
        best = min(costs, key=costs.__getitem__)
        if best != zone:
            stage.attempt([{"move": {"units": {"loaded transport": len(ships)}, "from": zone, "to": best}}])


def _danger(g: State, power: str, zone: str, ships: Sequence[Unit]) -> int:
    """What would be lost there."""
    ids = {u.id for u in ships}
    return exposure(g, power, zone, [*(u for u in _ours(g, power, zone) if u.id not in ids), *ships])


def _empty(stage: Rehearsal, near: dict[str, int]) -> None:
    """Empty transports go where troops wait and it is safe, best near the enemy, or on the way there."""
    power = stage.power
    claimed: dict[str, int] = {}
    for zone, ships in _transports(stage.g, power, False).items():
        for ship in ships:
            g = stage.g
            sea = _sailing(g, power, g.units[ship.id])
            waiting = {z: n for z in g.board.zones if (n := min(2, _troops(g, power, z) - 2 * claimed.get(z, 0))) > 0}
            merits = {z: (_harbour_merit(g, power, z, ship, waiting, near), -d, z) for z, d in sea.items()}
            best = max(sea, key=merits.__getitem__)
            goal = _bound_for(g, best, waiting)
            claimed[goal] = claimed.get(goal, 0) + 1
            if best != zone:
                stage.attempt([{"move": {"units": {"empty transport": 1}, "from": zone, "to": best}}])


def _harbour_merit(g: State, power: str, zone: str, ship: Unit, waiting: dict[str, int], near: dict[str, int]) -> int:
    """Troops that wait for this transport, the fewer the farther, nearness to the enemy, less what it adds to the danger."""
    others = [u for u in _ours(g, power, zone) if u.id != ship.id]
    risk = exposure(g, power, zone, [*others, ship]) - exposure(g, power, zone, others)
    goal = _bound_for(g, zone, waiting)
    far = steps(g.board, "sea")[zone].get(goal, FAR)
    fetched = 2500 * waiting.get(goal, 0) * max(0, FETCH - far) // FETCH
    return fetched + (0 if far else 2 * near[zone]) - 2 * risk


def _bound_for(g: State, zone: str, waiting: dict[str, int]) -> str:
    """Where the transport would fetch troops that is in a zone: it itself where nobody waits."""
    sea = steps(g.board, "sea")[zone]
    worth = {z: n * (FETCH - sea.get(z, FAR)) for z, n in waiting.items() if sea.get(z, FAR) < FETCH}
    return min(worth, key=lambda z: (-worth[z], z != zone, z), default=zone)


def _troops(g: State, power: str, zone: str) -> int:
    """Land units on the shores of a zone that could be taken from there, and those that will be made there."""
    memo, question = g.memo(), ("bot troops", power, zone)
    if question not in memo:
        shores = [t for t in g.board.neighbours[zone] if t in g.board.territories and is_friendly(g, power, t)]
        waiting = sum(_spared(g, power, t) for t in shores if _is_idle(g, power, t))
        made = 4 * sum(g.control[t] == power and g.facility(t, "minor-ic", "major-ic") is not None for t in shores)
        memo[question] = waiting + made
    return int(memo[question])


def _spared(g: State, power: str, territory: str) -> int:
    """Own land units there that are no guards of it."""
    units = [u for u in g.at(territory) if u.owner == power and u.type in MARCHING and u.aboard is None]
    return len(without_guards(g, power, territory, units))


def _is_idle(g: State, power: str, territory: str) -> bool:
    """No enemy land beside it: whoever stands there has to go by sea."""
    near = (t for t in g.board.neighbours[territory] if t in g.board.territories)
    return not any(is_wanted(g, power, t) for t in near) and (not is_key(g, territory) or is_safe(g, power, territory))


def _load(stage: Rehearsal, near: dict[str, int], rendezvous: Sequence[str]) -> None:
    """Troops go aboard now where the fleet is nearer to the enemy than they are, to sail on with it."""
    power = stage.power
    for zone, ships in _transports(stage.g, power, False).items():
        if not rendezvous or near[rendezvous[0]] <= near[zone] or zone == rendezvous[0]:
            continue
        for _ in ships:
            for unit in loadable(stage.g, power, zone, frozenset()):
                stage.give({"load": {"units": {unit.type: 1}, "from": unit.at, "zone": zone}})


# -- islands -------------------------------------------------------------------------------------------------------------


def guard_islands(stage: Rehearsal, mind: Temper) -> None:
    """Troops go ashore by transport where that brings land under control, or saves it: the best lift first."""
    if stage.power == "china":
        return
    for _ in range(6):
        found = [x for t in stage.g.board.territories for x in _landings(stage.g, stage.power, t, mind)]
        found.sort(key=lambda x: (-x[0], x[1], x[3].ship.id))
        if not any(stage.attempt(ashore(lift, zone, shore)) for _, shore, zone, lift in found):
            return


def _landings(g: State, power: str, shore: str, mind: Temper) -> list[tuple[int, str, str, Lift]]:
    """What a landing of each transport on friendly land is worth: merit, land, zone, lift."""
    guardian = g.control[shore] == "netherlands" and power in GUARDIANS
    if not is_friendly(g, power, shore) or not g.board.coast(shore):
        return []
    if guardian:
        merit = sum(gain(g, power, shore, mind))
    elif g.board.territories[shore].island and is_key(g, shore) and not is_safe(g, power, shore):
        merit = 4000
    elif g.board.territories[shore].island and is_needed_in_city(g, power, shore, ()):
        merit = 3000
    else:
        return []
    found = []
    for zone in g.board.coast(shore):
        for lift in lifts_to(g, power, zone)[:3] if not zone_is_hostile(g, power, zone) else []:
            if all(u.at != shore for u in lift.cargo):
                risk = exposure(g, power, zone, [*_ours(g, power, zone), lift.ship]) // 2
                found.append((merit - risk, shore, zone, lift))
    return [x for x in found if x[0] > 0]
