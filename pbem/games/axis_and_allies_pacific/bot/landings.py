"""Landings of the bot: what transports can bring to a shore, its escort, and whether that pays."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.games.axis_and_allies_pacific.assaults import can_scramble_into
from pbem.games.axis_and_allies_pacific.bot.forces import (
    Operation,
    air_shares,
    by_air,
    can_sail,
    enough,
    exposure,
    holds,
    is_good,
    is_ready,
    orders_for,
    ships_for,
    without_guards,
)
from pbem.games.axis_and_allies_pacific.bot.judgement import MARCHING, outlook
from pbem.games.axis_and_allies_pacific.state import State, Unit, enemy_units, is_friendly, zone_is_hostile
from pbem.kernel.canon import Plain


@dataclass(frozen=True, slots=True)
class Lift:
    """Transports bound for one zone: orders to load and sail, and the cargo they bring."""

    zone: str
    orders: tuple[Plain, ...]
    cargo: tuple[Unit, ...]
    ships: tuple[Unit, ...]


def by_sea(g: State, power: str, target: str) -> Lift | None:
    """What own transports can bring to a shore now; the zone beside it where most of it arrives."""
    lifts = (_lift(g, power, target, zone) for zone in g.board.coast(target))
    return max((x for x in lifts if x.cargo), key=lambda x: (len(x.cargo), x.zone), default=None)


def _lift(g: State, power: str, target: str, zone: str, most: int = 20) -> Lift:
    orders: list[Plain] = []
    brought: list[Unit] = []
    sailing: list[Unit] = []
    taken: set[int] = set()
    for ship in g.of(power):
        if ship.type != "transport" or not is_ready(ship) or ship.id in g.landed_from or len(sailing) >= most:
            continue
        aboard = [c for c in g.cargo(ship) if c.owner == power and not c.target]
        if len(aboard) < len(g.cargo(ship)) or (zone != ship.at and not can_sail(g, ship, zone)):
            continue
        loading = [] if aboard else loadable(g, power, ship, taken)
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


def loadable(g: State, power: str, ship: Unit, taken: set[int]) -> list[Unit]:
    """One infantry and the best companion on the shores of the zone where the ship is."""
    if ship.at in g.start.hostile_zones:
        return []
    waiting: list[Unit] = []
    for shore in (t for t in g.board.neighbours[ship.at] if t in g.board.territories and is_friendly(g, power, t)):
        units = [
            u
            for u in g.at(shore)
            if u.owner == power and u.type in MARCHING and is_ready(u) and u.aboard is None and u.id not in taken
        ]
        waiting += without_guards(g, power, shore, units)
    strong = sorted((u for u in waiting if u.type != "infantry"), key=lambda u: (-g.board.types[u.type].attack, u.id))
    foot = [u for u in waiting if u.type == "infantry"]
    return [*foot[:1], *strong[:1]] if strong else foot[:2]


def assess_landing(
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
        fleet = [u for u in ships_for(g, power, lift.zone) if u.type != "transport"]
        pool = [*fleet, *by_air(g, power, lift.zone)]
        there = [u for u in enemy_units(g, power, lift.zone) if u.type != "transport"]
        escort = enough(g, pool, there, 40, 1)
        if not escort:
            return None
        cost = outlook(g, escort, there).attack_cost
        air = [u for u in flying if u not in escort]
    else:
        escort = _cover(g, power, lift)
    guns = [u for u in escort if g.board.types[u.type].bombard] if not cost else []
    first = sum(g.board.types[u.type].bombard for u in guns[: len(lift.cargo)]) * 1000 // 6
    cost += exposure(g, power, lift.zone, [*escort, *lift.ships]) // (2 if value > 30 else 1)
    if not theirs:
        merit = value - cost - 2
        few = _lift(g, power, target, lift.zone, 1 if value < 20 else 2)
        orders = [*orders_for([u for u in escort if u.at != lift.zone], lift.zone), *few.orders]
        return Operation(target, merit, tuple(orders)) if merit > 0 else None
    for planes in air_shares(air):
        force = [*air[:planes], *lift.cargo, *walking]
        expected = outlook(g, force, theirs, first)
        if is_good(expected, len(force), margin) and holds(g, force, theirs):
            merit = value + expected.defence_cost - expected.attack_cost - cost
            orders = [
                *orders_for([u for u in escort if u.at != lift.zone], lift.zone),
                *lift.orders,
                *orders_for([*air[:planes], *walking], target),
            ]
            return Operation(target, merit, tuple(orders)) if merit > 0 else None
    return None


def _cover(g: State, power: str, lift: Lift) -> list[Unit]:
    """Warships that go along: those which start where the transports do, ships with guns first."""
    origins = {s.at for s in lift.ships}
    kinds = ("cruiser", "battleship", "destroyer") if can_scramble_into(g, power, lift.zone) else ("cruiser", "battleship")
    fleet = [u for u in ships_for(g, power, lift.zone) if u.at in origins and u.type in kinds]
    fleet.sort(key=lambda u: (-g.board.types[u.type].bombard, u.id))
    return fleet[: 1 + len(lift.ships)]
