"""Combat moves: which lands and fleets are attacked, with what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.games.axis_and_allies_pacific.assaults import can_scramble_into
from pbem.games.axis_and_allies_pacific.bot.judgement import (
    MARCHING,
    Outlook,
    Temper,
    is_harbour,
    is_key,
    is_safe,
    is_safe_at_sea,
    outlook,
    worth,
)
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.landing import is_within_reach_of_home
from pbem.games.axis_and_allies_pacific.paths import flights, is_open, sail, shortest
from pbem.games.axis_and_allies_pacific.politics import check_declaration, why_not_attack, why_not_enter
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    SEA,
    State,
    Unit,
    enemy_units,
    friends,
    is_friendly,
    is_hostile,
    movement_points,
    zone_is_hostile,
)
from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected


def plan_combat(g: State, power: str, mind: Temper) -> list[Plain]:
    """Orders for the whole phase, all of them legal one after the other as far as no die falls."""
    stage = Rehearsal(g, power)
    for target in ("united-kingdom", "united-states", "japan"):
        if _wants_war(stage.g, power, target, mind):
            stage.give({"declare war": target})
    done: set[str] = set()
    for _ in range(24):
        best = next(iter(_operations(stage.g, power, mind, done)), None)
        if best is None:
            break
        done.add(best.target)
        stage.attempt(best.orders)
    _stragglers(stage)
    _raids(stage)
    return stage.orders


def _wants_war(g: State, power: str, target: str, mind: Temper) -> bool:
    try:
        check_declaration(g, power, [target])
    except Rejected:
        return False
    if power == "japan":
        at_war_with_one = any(k != "china japan" for k in g.wars)
        return target != "japan" and (g.round >= mind.war_round or at_war_with_one)
    return power == "united-states" or g.round >= 2 + mind.war_round


# -- operations --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Operation:
    """Orders that together attack one space, and how good that is."""

    target: str
    merit: int
    orders: tuple[Plain, ...]


def _operations(g: State, power: str, mind: Temper, done: set[str]) -> list[Operation]:
    """The attacks that pay, best first."""
    found = [_on_land(g, power, mind, t) for t in g.board.territories if t not in done and _may_attack(g, power, t)]
    zones = {u.at for u in g.units.values() if u.at in g.board.zones}
    found += [_at_sea(g, power, mind, z) for z in g.board.zones if z in zones - done and enemy_units(g, power, z)]
    return sorted((o for o in found if o is not None), key=lambda o: (-o.merit, o.target))


def _may_attack(g: State, power: str, territory: str) -> bool:
    able = is_hostile(g, power, territory) and why_not_enter(g, power, territory) is None
    return able and why_not_attack(g, power, territory) is None


def _order(units: Sequence[Unit], to: str, mark: str = "") -> list[Plain]:
    """Moves of these units, one for each space and type."""
    groups: dict[tuple[str, str], int] = {}
    for unit in units:
        groups[unit.at, unit.type] = groups.get((unit.at, unit.type), 0) + 1
    return [{"move": {"units": {mark + kind: n}, "from": at, "to": to}} for (at, kind), n in groups.items()]


def _is_ready(unit: Unit) -> bool:
    return unit.moved == "" and not unit.fought and unit.role == ""


def _by_land(g: State, power: str, target: str) -> list[Unit]:
    """Land units that can walk there now, cheapest first; keys keep the garrison they need."""
    near = [s for s in g.board.neighbours[target] if s in g.board.territories]
    ring = {n for s in near if is_open(g, power, s) for n in g.board.neighbours[s] if is_open(g, power, n)}
    found = []
    for at in sorted({*near, *ring}):
        units = [u for u in g.at(at) if u.owner == power and u.type in MARCHING and u.aboard is None and _is_ready(u)]
        if at not in near:
            units = [u for u in units if movement_points(g, u) > 1]
            if units and shortest(g, at, target, lambda s: is_open(g, power, s), 2) is None:
                continue
        found += _spare(g, power, at, units)
    return sorted(found, key=lambda u: (g.board.types[u.type].cost, u.id))


def _spare(g: State, power: str, at: str, units: list[Unit]) -> list[Unit]:
    """Without the units that a key place needs to be safe."""
    if not units or not is_key(g, at):
        return units
    able = sorted(units, key=lambda u: (-g.board.types[u.type].attack, u.id))
    while able and not is_safe(g, power, at, [u.id for u in able]):
        able.pop()
    return able


def _by_air(g: State, power: str, target: str) -> list[Unit]:
    """Aircraft that can attack there and come home, cheapest first."""
    found = []
    for plane in g.of(power):
        if plane.type not in AIR or not _is_ready(plane):
            continue
        ship = g.units.get(plane.aboard or 0)
        if ship is not None and ship.owner != power:
            continue
        distance = flights(g, power, plane.at, movement_points(g, plane)).get(target, 0)
        if distance and is_within_reach_of_home(g, plane, target, distance):
            found.append(plane)
    return sorted(found, key=lambda u: (g.board.types[u.type].cost, u.id))


def _enough(g: State, mine: Sequence[Unit], theirs: Sequence[Unit], margin: int, fixed: int, first: int = 0) -> list[Unit]:
    """The first `fixed` units and as many more as the margin asks for; empty when all are too few."""
    if not theirs:
        return list(mine[: max(fixed, 1)])
    for number in range(max(fixed, 1), len(mine) + 1):
        if _is_good(outlook(g, mine[:number], theirs, first), number, margin):
            return list(mine[:number])
    return []


def _is_good(expected: Outlook, units: int, margin: int) -> bool:
    return expected.is_won and expected.attack_left * 100 >= units * 1000 * margin


def _on_land(g: State, power: str, mind: Temper, target: str) -> Operation | None:
    theirs = [u for u in enemy_units(g, power, target) if u.type != "aa-gun"]
    value = worth(g, power, target, mind)
    walking, flying = _by_land(g, power, target), _by_air(g, power, target)
    best: Operation | None = None
    margin = max(10, mind.margin - value // 3)
    if walking:
        best = _assess(g, target, walking, flying, theirs, value, margin, [])
    landing = _by_sea(g, power, target) if g.board.coast(target) else None
    if landing is not None and (best is None or value >= 15):
        both = _assess_landing(g, power, target, landing, walking, flying, theirs, value, margin)
        if both is not None and (best is None or both.merit > best.merit):
            best = both
    return best


def _assess(
    g: State, target: str, land: list[Unit], air: list[Unit], theirs: list[Unit], value: int, margin: int, before: list[Plain]
) -> Operation | None:
    """Land units first, aircraft as far as they are needed; enough land units that some are left to hold the land."""
    if not theirs:
        chosen = land[:1] if value < 12 else land[:2]
    else:
        chosen = []
        for planes in _air_shares(air):
            pool = [*air[:planes], *land]
            chosen = _enough(g, pool, theirs, margin, planes + 1)
            if chosen:
                break
        if not chosen or not _holds(g, chosen, theirs):
            chosen = [*air, *land]
            if not _is_good(outlook(g, chosen, theirs), len(chosen), margin) or not _holds(g, chosen, theirs):
                return None
    expected = outlook(g, chosen, theirs)
    merit = value + expected.defence_cost - expected.attack_cost
    if merit <= 0:
        return None
    return Operation(target, merit, (*before, *_order(chosen, target)))


def _air_shares(air: Sequence[Unit]) -> list[int]:
    """Numbers of aircraft worth trying, few first."""
    return sorted({min(n, len(air)) for n in (0, 1, 2, 4, 6, 9, 13, len(air))})


def _holds(g: State, chosen: Sequence[Unit], theirs: Sequence[Unit]) -> bool:
    """Land units, lost first, probably survive."""
    ground = [u for u in chosen if u.type in MARCHING]
    expected = outlook(g, chosen, theirs)
    lost = len(chosen) * 1000 - expected.attack_left
    return len(ground) * 1000 > lost


# -- landings ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Lift:
    """Transports bound for one zone: orders to load and sail, and the cargo they bring."""

    zone: str
    orders: tuple[Plain, ...]
    cargo: tuple[Unit, ...]
    ships: tuple[Unit, ...]


def _by_sea(g: State, power: str, target: str) -> Lift | None:
    """What own transports can bring to a shore now; the zone beside it where most of it arrives."""
    lifts = (_lift(g, power, target, zone) for zone in g.board.coast(target))
    return max((x for x in lifts if x.cargo), key=lambda x: (len(x.cargo), x.zone), default=None)


def _lift(g: State, power: str, target: str, zone: str, most: int = 20) -> Lift:
    orders: list[Plain] = []
    brought: list[Unit] = []
    sailing: list[Unit] = []
    taken: set[int] = set()
    for ship in g.of(power):
        if ship.type != "transport" or not _is_ready(ship) or ship.id in g.landed_from or len(sailing) >= most:
            continue
        aboard = [c for c in g.cargo(ship) if c.owner == power and not c.target]
        if len(aboard) < len(g.cargo(ship)) or (zone != ship.at and not _can_sail(g, ship, zone)):
            continue
        loading = [] if aboard else _loadable(g, power, ship, taken)
        if not aboard and not loading:
            continue
        taken |= {u.id for u in loading}
        orders += [{"load": {"units": {u.type: 1}, "from": u.at, "zone": ship.at}} for u in loading]
        if zone != ship.at:
            orders.append({"move": {"units": {"loaded transport": 1}, "from": ship.at, "to": zone}})
        brought += [*aboard, *loading]
        sailing.append(ship)
    if brought:
        kinds = sorted({u.type for u in brought})
        counts: dict[str, Plain] = {k: sum(u.type == k for u in brought) for k in kinds}
        orders += [{"assault": {"units": {k: n}, "from": zone, "to": target}} for k, n in counts.items()]
    return Lift(zone, tuple(orders), tuple(brought), tuple(sailing))


def _can_sail(g: State, ship: Unit, zone: str) -> bool:
    limit = movement_points(g, ship) - ship.used
    way = sail(g, [ship], zone, max(limit, 1))
    return way is not None and len(way) <= limit


def _loadable(g: State, power: str, ship: Unit, taken: set[int]) -> list[Unit]:
    """One infantry and the best companion on the shores of the zone where the ship is."""
    if ship.at in g.start.hostile_zones:
        return []
    waiting: list[Unit] = []
    for shore in (t for t in g.board.neighbours[ship.at] if t in g.board.territories and is_friendly(g, power, t)):
        units = [
            u
            for u in g.at(shore)
            if u.owner == power and u.type in MARCHING and _is_ready(u) and u.aboard is None and u.id not in taken
        ]
        waiting += _spare(g, power, shore, units)
    strong = sorted((u for u in waiting if u.type != "infantry"), key=lambda u: (-g.board.types[u.type].attack, u.id))
    foot = [u for u in waiting if u.type == "infantry"]
    return [*foot[:1], *strong[:1]] if strong else foot[:2]


def _assess_landing(
    g: State,
    power: str,
    target: str,
    lift: Lift,
    walking: list[Unit],
    flying: list[Unit],
    theirs: list[Unit],
    value: int,
    margin: int,
) -> Operation | None:
    """The lift, the escort that clears or covers the zone, aircraft and neighbours that help ashore."""
    escort: list[Unit] = []
    air = flying
    cost = 0
    if zone_is_hostile(g, power, lift.zone):
        fleet = [u for u in _ships(g, power, lift.zone) if u.type != "transport"]
        pool = [*fleet, *_by_air(g, power, lift.zone)]
        there = [u for u in enemy_units(g, power, lift.zone) if u.type != "transport"]
        escort = _enough(g, pool, there, 40, 1)
        if not escort:
            return None
        cost = outlook(g, escort, there).attack_cost
        air = [u for u in flying if u not in escort]
    else:
        escort = _cover(g, power, lift)
    guns = [u for u in escort if g.board.types[u.type].bombard] if not cost else []
    first = sum(g.board.types[u.type].bombard for u in guns[: len(lift.cargo)]) * 1000 // 6
    cost += _exposure(g, power, lift.zone, [*escort, *lift.ships]) // (2 if value > 30 else 1)
    if not theirs:
        merit = value - cost - 2
        few = _lift(g, power, target, lift.zone, 1 if value < 20 else 2)
        orders = [*_order([u for u in escort if u.at != lift.zone], lift.zone), *few.orders]
        return Operation(target, merit, tuple(orders)) if merit > 0 else None
    for planes in _air_shares(air):
        force = [*air[:planes], *lift.cargo, *walking]
        expected = outlook(g, force, theirs, first)
        if _is_good(expected, len(force), margin) and _holds(g, force, theirs):
            merit = value + expected.defence_cost - expected.attack_cost - cost
            orders = [
                *_order([u for u in escort if u.at != lift.zone], lift.zone),
                *lift.orders,
                *_order([*air[:planes], *walking], target),
            ]
            return Operation(target, merit, tuple(orders)) if merit > 0 else None
    return None


def _exposure(g: State, power: str, zone: str, ships: Sequence[Unit]) -> int:
    """What ships that end their move in a zone are likely to lose to the answer."""
    if is_safe_at_sea(g, power, zone, ships):
        return 0
    return sum(g.board.types[u.type].cost for u in ships if u.type in SEA) * 2 // 3


def _ships(g: State, power: str, zone: str) -> list[Unit]:
    """Own ships that can come to a zone or are there, cheapest first."""
    found = [
        u
        for u in g.of(power)
        if u.type in SEA and _is_ready(u) and (u.at == zone or _can_sail(g, u, zone)) and not _bound(g, u)
    ]
    return sorted(found, key=lambda u: (g.board.types[u.type].cost, u.id))


def _bound(g: State, ship: Unit) -> bool:
    """Friends' aircraft aboard would be carried into a battle that is not theirs."""
    return any(not friends(c.owner, ship.owner) or c.owner != ship.owner for c in g.cargo(ship))


def _cover(g: State, power: str, lift: Lift) -> list[Unit]:
    """Warships that go along: those which start where the transports do, ships with guns first."""
    origins = {s.at for s in lift.ships}
    kinds = ("cruiser", "battleship", "destroyer") if can_scramble_into(g, power, lift.zone) else ("cruiser", "battleship")
    fleet = [u for u in _ships(g, power, lift.zone) if u.at in origins and u.type in kinds]
    fleet.sort(key=lambda u: (-g.board.types[u.type].bombard, u.id))
    return fleet[: 1 + len(lift.ships)]


# -- at sea ------------------------------------------------------------------------------------------------------------


def _at_sea(g: State, power: str, mind: Temper, zone: str) -> Operation | None:
    there = enemy_units(g, power, zone)
    fighting = [u for u in there if u.type != "transport"]
    hidden = bool(fighting) and all(u.type == "submarine" for u in fighting)
    pool = [u for u in _ships(g, power, zone) if u.type not in ("transport", "aircraft-carrier")]
    destroyers = [u for u in pool if u.type == "destroyer"]
    planes = _by_air(g, power, zone) if not hidden or destroyers else []
    pool = [*destroyers[:1], *(u for u in pool if u not in destroyers[:1]), *planes]
    if hidden and not destroyers:
        return None
    chosen = _enough(g, pool, fighting, mind.margin + 15, 1) if fighting else pool[:1]
    if not chosen:
        return None
    expected = outlook(g, chosen, fighting)
    prize = expected.defence_cost + 7 * sum(u.type == "transport" for u in there)
    sailing = [u for u in chosen if u.type in SEA]
    merit = prize - expected.attack_cost - 2 - _exposure(g, power, zone, sailing) + (20 if is_harbour(g, power, zone) else 0)
    if merit <= 0:
        return None
    orders: list[Plain] = _order([u for u in chosen if u.at != zone], zone)
    if not any(u.type in SEA and u.type not in ("transport", "submarine") for u in fighting):
        kinds = [k for k in ("submarine", "transport") if any(u.type == k for u in there)]
        orders.append({"engage": " and ".join(k + "s" for k in kinds) + f" in {g.board.name(zone)}"})
    return Operation(zone, merit, tuple(orders))


def _stragglers(stage: Rehearsal) -> None:
    """Ships that stay in a zone with an enemy fleet and would lose leave it for a quiet neighbour."""
    g, power = stage.g, stage.power
    for zone in [z for z in g.board.zones if zone_is_hostile(g, power, z)]:
        mine = [u for u in g.at(zone) if u.owner == power and u.type in SEA]
        if not mine or any(u.moved for u in mine):
            continue
        if outlook(g, mine, [u for u in enemy_units(g, power, zone) if u.type != "transport"]).is_won:
            continue
        quiet = [z for z in g.board.neighbours[zone] if z in g.board.zones and not zone_is_hostile(g, power, z)]
        for away in quiet:
            if stage.attempt(_order(sorted(mine, key=lambda u: u.type != "aircraft-carrier"), away)):
                break


# -- raids -------------------------------------------------------------------------------------------------------------


def _raids(stage: Rehearsal) -> None:
    """Idle bombers against complexes and bases with room for damage and no fighters near."""
    power = stage.power
    for bomber in [u for u in stage.g.of(power) if u.type == "strategic-bomber" and _is_ready(u)]:
        for target in _raid_targets(stage.g, power, bomber):
            if stage.give({"bomb": {"units": {"strategic-bomber": 1}, "from": bomber.at, "to": target}}):
                break


def _raid_targets(g: State, power: str, bomber: Unit) -> list[str]:
    found = []
    for target, distance in flights(g, power, bomber.at, movement_points(g, bomber)).items():
        if target not in g.facilities or not distance or not is_hostile(g, power, target):
            continue
        guards = sum(u.type == "fighter" for u in enemy_units(g, power, target))
        room = sum(
            {"major-ic": 20, "minor-ic": 6}.get(f.type, 0) - f.damage for f in g.facilities[target] if f.type.endswith("ic")
        )
        if room > 3 and not guards and is_within_reach_of_home(g, bomber, target, distance):
            found.append((-room, target))
    return [t for _, t in sorted(found)]
