"""Some legal orders for hints, bots and random play. What is listed here is always accepted by the readers."""

from __future__ import annotations

from itertools import islice
from typing import Any

from pbem.games.axis_and_allies_pacific.landing import (
    CARRIER_AIRCRAFT,
    FAR,
    decks,
    may_land,
    new_carrier_zones,
    new_carriers,
    sees_deck,
    unprovable,
    ways_home,
    what_decks_rest_on,
)
from pbem.games.axis_and_allies_pacific.moves import check_deck, check_sailing, read_move, select
from pbem.games.axis_and_allies_pacific.orders import Group, Route
from pbem.games.axis_and_allies_pacific.paths import flight, flights, halts, is_open, reach
from pbem.games.axis_and_allies_pacific.pledges import bound_for, promised_carriers
from pbem.games.axis_and_allies_pacific.politics import GROUP, check_declaration, why_not_attack, why_not_enter
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    LAND,
    POWERS,
    SEA,
    State,
    Unit,
    at_war,
    foes_of,
    friends,
    hostile_zones,
    is_cargo,
    is_friendly,
    is_hostile,
    movement_points,
)
from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected
from pbem.kernel.questions import DONE, accepted

LIMIT = 60


def _order(g: State, kind: str, count: int, origin: str, to: str) -> dict[str, Any]:
    return {"units": {kind: count}, "from": origin, "to": to}


def _accepted(g: State, power: str, kind: str, count: int, origin: str, to: str) -> bool:
    try:
        read_move(g, power, Route((Group(kind, count),), origin, to))
    except Rejected:
        return False
    return True


def _stacks(g: State, power: str, kinds: tuple[str, ...], moved: tuple[str, ...]) -> dict[tuple[str, str], list[Unit]]:
    """Units by space and type that can still move."""
    memo, question = g.memo(), ("stacks", power, moved)
    if question not in memo:
        memo[question] = _all_stacks(g, power, moved)
    return {at_kind: units for at_kind, units in memo[question].items() if at_kind[1] in kinds}


def _all_stacks(g: State, power: str, moved: tuple[str, ...]) -> dict[tuple[str, str], list[Unit]]:
    found: dict[tuple[str, str], list[Unit]] = {}
    for unit in g.of(power):
        if unit.moved in moved and unit.role == "" and not unit.fought and (unit.aboard is None or unit.type not in LAND):
            found.setdefault((unit.at, unit.type), []).append(unit)
    return found


def combat_options(g: State, power: str, moved: bool, first: int) -> list[Plain]:
    """Declarations, attacks by land, sea and air, loading for an assault, bombing; done when everything leads to combat.

    `first`: number of the phase's first event.
    """
    from pbem.games.axis_and_allies_pacific.movement import check_combat_moves, dice_fell

    try:
        check_combat_moves(g, power, dice_fell(g, first))
    except Rejected:
        return _attacks(g, power, moved, None) or ["start over"]
    return [*_attacks(g, power, moved, LIMIT)[:LIMIT], DONE]


def _attacks(g: State, power: str, moved: bool, most: int | None) -> list[Plain]:
    """All orders that lead to combat; where a few are enough, kinds that come too late are not looked for."""
    found: list[Plain] = [] if moved else _declarations(g, power)
    for look in (_land_attacks, _sea_attacks, _air_attacks, _assaults):
        if most is None or len(found) < most:
            found += look(g, power)
    return found


def _declarations(g: State, power: str) -> list[Plain]:
    found: list[Plain] = []
    for target in POWERS:
        try:
            check_declaration(g, power, [target])
        except Rejected:
            continue
        if not (target == "anzac" and power == "japan") and not (power in GROUP and target in GROUP):
            found.append({"declare war": target})
    return found


def _land_attacks(g: State, power: str) -> list[Plain]:
    found: list[Plain] = []
    for (at, kind), units in _stacks(g, power, ("infantry", "mechanized-infantry", "artillery", "tank"), ("",)).items():
        for to in hostile_shores(g, power, at):
            found += [{"move": _order(g, kind, n, at, to)} for n in sorted({1, len(units)})]
    return found


def _sea_attacks(g: State, power: str) -> list[Plain]:
    found: list[Plain] = []
    for (at, kind), ships in _stacks(g, power, tuple(k for k in SEA if k != "transport"), ("",)).items():
        limit = min(movement_points(g, s) - s.used for s in ships)
        plain = limit > 0 and kind != "aircraft-carrier" and not g.engaged.get(at) and not _have_some_moved(g, power, kind, at)
        for to in _met_at_sea(g, power, kind, at, max(limit - 1, 0)):
            if plain or _accepted(g, power, kind, len(ships), at, to):  # of those nothing could be refused: a way is open
                found.append({"move": _order(g, kind, len(ships), at, to)})
    return found


def _have_some_moved(g: State, power: str, kind: str, at: str) -> bool:
    """An order for ships of this type might mean some that have moved."""
    return any(u.moved and u.type == kind and u.owner == power for u in g.at(at))


def _met_at_sea(g: State, power: str, kind: str, at: str, limit: int) -> list[str]:
    """Other zones with enemy units, next to those that a ship of this type reaches within so many steps and may leave."""
    memo, question = g.facing(power), ("met at sea", kind == "submarine", at, limit)
    if question not in memo:
        prey, inside = _prey(g, power), _sailing(g, power, kind, at, limit)
        memo[question] = sorted({z for space in inside for z in g.board.neighbours[space] if z in prey and z != at})
    found: list[str] = memo[question]
    return found


def _sailing(g: State, power: str, kind: str, at: str, limit: int) -> dict[str, int]:
    """Zones that a ship of this type reaches and may leave again."""
    memo, question = g.facing(power), ("sailing", kind == "submarine", at, limit)
    if question not in memo:
        zones, closed = g.board.zones, halts(g, power, kind)
        memo[question] = reach(g, at, lambda z: z in zones and z not in closed, limit)
    found: dict[str, int] = memo[question]
    return found


def _air_attacks(g: State, power: str) -> list[Plain]:
    found: list[Plain] = []
    stacks = _stacks(g, power, AIR, ("",))
    if not stacks:
        return found
    land, proven, decks_on = _hostile_land(g, power), not unprovable(g, power), what_decks_rest_on(g, power)
    entered = frozenset(u.at for u in g.of(power) if u.at in land)
    for (at, kind), planes in stacks.items():
        limit = min(movement_points(g, p) - p.used for p in planes)
        ashore = proven and all(p.aboard is None for p in planes)
        for to, flies in _ways_there_and_back(g, planes[0], limit, entered, decks_on):
            if (ashore and flies) or _accepted(g, power, kind, 1, at, to):  # of the first nothing else could be refused
                found.append({"move": _order(g, kind, 1, at, to)})
                if kind == "strategic-bomber" and g.facilities.get(to):
                    found.append({"bomb": _order(g, kind, 1, at, to)})
            if len(found) > LIMIT:
                return found
    return found


def _ways_there_and_back(
    g: State, plane: Unit, limit: int, entered: frozenset[str], decks_on: tuple[Any, ...]
) -> list[tuple[str, bool]]:
    """Targets from which an aircraft reaches land or some carrier, nearest first, and whether it is land."""
    points, power = movement_points(g, plane), plane.owner
    memo, question = g.facing(power), ("there and back", plane.type, plane.at, points, limit, entered, decks_on)
    if question not in memo:
        home = ways_home(g, power)
        aims = ((to, far, home.get(to, FAR) <= points - far) for to, far in _aims(g, power, plane.at, limit, entered))
        memo[question] = [(to, flies) for to, far, flies in aims if flies or sees_deck(g, plane, to, far, (to,))]
    found: list[tuple[str, bool]] = memo[question]
    return found


def _aims(g: State, power: str, at: str, limit: int, entered: frozenset[str]) -> list[tuple[str, int]]:
    """Targets within so many steps, nearest first, with their distances: enemies, and hostile land with anything on it.

    `entered`: hostile land that own units have entered.
    """
    memo, question = g.facing(power), ("aims", at, limit, entered)
    if question not in memo:
        targets = _air_targets(g, power) | {t for t in entered if why_not_attack(g, power, t) is None}
        memo[question] = [(s, far) for s, far in flights(g, power, at, limit).items() if s in targets and s != at]
    found: list[tuple[str, int]] = memo[question]
    return found


def _air_targets(g: State, power: str) -> frozenset[str]:
    """Zones with enemies, hostile land with a facility or with anybody else on it."""
    memo, question = g.facing(power), ("air targets",)
    if question not in memo:
        land = _hostile_land(g, power)
        held = {t for t in land if g.facilities.get(t)} | {u.at for u in g.units.values() if u.at in land and u.owner != power}
        memo[question] = _prey(g, power).union(t for t in held if why_not_attack(g, power, t) is None)
    found: frozenset[str] = memo[question]
    return found


def _hostile_land(g: State, power: str) -> frozenset[str]:
    """Hostile land that this power may enter."""
    memo, question = g.lasting(), ("hostile land", power)
    if question not in memo:
        land = (t for t in g.board.territories if is_hostile(g, power, t) and why_not_enter(g, power, t) is None)
        memo[question] = frozenset(land)
    found: frozenset[str] = memo[question]
    return found


def _prey(g: State, power: str) -> frozenset[str]:
    """Zones with enemy units."""
    memo, question = g.facing(power), ("prey",)
    if question not in memo:
        foes, zones = foes_of(g, power), g.board.zones
        memo[question] = frozenset(u.at for u in g.units.values() if u.owner in foes and u.at in zones and not is_cargo(u))
    found: frozenset[str] = memo[question]
    return found


def _assaults(g: State, power: str) -> list[Plain]:
    """Cargo where it can land; else ships that can reach a hostile shore; else loading at home."""
    found: list[Plain] = []
    for ship in g.of(power):
        if ship.type != "transport" or ship.fought or ship.id in g.landed_from:
            continue
        cargo = [c for c in g.cargo(ship) if c.owner == power]
        free = [c for c in cargo if not c.target]
        bound = next((c.target for c in cargo if c.target), "")
        if free and bound:
            found.append({"assault": _order(g, free[0].type, 1, ship.at, bound)})
        elif free:
            found += _landings(g, power, ship, free) or _sailings(g, power, ship)
        elif not cargo:
            found += _loadings(g, power, ship)
    return found


def _landings(g: State, power: str, ship: Unit, cargo: list[Unit]) -> list[Plain]:
    kind = cargo[0].type
    return [{"assault": _order(g, kind, 1, ship.at, t)} for t in hostile_shores(g, power, ship.at)]


def hostile_shores(g: State, power: str, space: str) -> list[str]:
    """Territories beside a space that this power may attack."""
    memo, question = g.facing(power), ("hostile shores", space)
    if question not in memo:
        land = _hostile_land(g, power)
        memo[question] = [t for t in g.board.neighbours[space] if t in land and why_not_attack(g, power, t) is None]
    found: list[str] = memo[question]
    return found


def _sailings(g: State, power: str, ship: Unit) -> list[Plain]:
    limit = movement_points(g, ship) - ship.used
    zones = (z for z in _before_shores(g, power, ship.at, max(limit, 0)) if z != ship.at)
    legal = (z for z in zones if _accepted(g, power, "transport", 1, ship.at, z))
    return [{"move": _order(g, "loaded transport", 1, ship.at, z)} for z in islice(legal, 6)]


def _before_shores(g: State, power: str, at: str, limit: int) -> list[str]:
    """Zones with a hostile shore that a transport reaches within so many steps."""
    memo, question = g.facing(power), ("before shores", at, limit)
    if question not in memo:
        memo[question] = [z for z in _sailing(g, power, "transport", at, limit) if hostile_shores(g, power, z)]
    found: list[str] = memo[question]
    return found


def _loadings(g: State, power: str, ship: Unit) -> list[Plain]:
    """Only where a hostile shore is in reach, so that nothing is loaded in vain."""
    if ship.at in g.start.hostile_zones or ship.moved or power == "china":
        return []
    if not _before_shores(g, power, ship.at, movement_points(g, ship)):
        return []
    shores = [t for t in g.board.neighbours[ship.at] if t in g.board.territories and is_friendly(g, power, t)]
    found: list[Plain] = []
    for t in shores:
        kinds = sorted({u.type for u in g.at(t) if u.owner == power and u.type in LAND[:4] and not u.moved})
        found += [{"load": {"units": {k: 1}, "from": t, "zone": ship.at}} for k in kinds]
    return found


def noncombat_options(g: State, power: str) -> list[Plain]:
    """Landings of aircraft first, then moves of land units and ships into friendly spaces; always done."""
    if bound_for(g, power):
        return _keeping_promises(g, power)
    found = _air_landings(g, power)
    for (at, kind), units in _stacks(g, power, LAND, ("",)).items():
        if len(found) >= LIMIT:
            break
        limit = movement_points(g, units[0])
        found += [{"move": _order(g, kind, n, at, to)} for to in _marches(g, power, at, limit) for n in sorted({1, len(units)})]
    for at, kind in _stacks(g, power, SEA, ("",)):
        if len(found) >= LIMIT:
            break
        found += [{"move": _order(g, kind, 1, at, to)} for to in _next_zones(g, power, at, kind)]
    return [*found[:LIMIT], DONE]


def _keeping_promises(g: State, power: str) -> list[Plain]:
    """[AMB-PLEDGE] While aircraft count on carriers: carriers to every zone in reach, aircraft to every landing place."""
    from pbem.games.axis_and_allies_pacific.movement import read_noncombat

    found: list[Plain] = [{"move": _order(g, u.type, 1, u.at, z)} for u, z in promised_carriers(g, power)]
    new = new_carrier_zones(g, power) if new_carriers(g, power) else []
    for plane in bound_for(g, power):
        reached = flight(g, plane, max(0, movement_points(g, plane) - plane.used))
        spaces = (s for s in reached if s != plane.at and (s in new or _may_end(g, power, plane, s)))
        found += [{"move": _order(g, plane.type, 1, plane.at, s)} for s in spaces]
    return [*accepted(lambda order: read_noncombat(g, power, order), [*found, DONE])]


def _next_zones(g: State, power: str, at: str, kind: str) -> list[str]:
    """Neighbouring zones to which an order for one ship of a type may send it."""
    ship = select(g, power, (Group(kind, 1),), at, "CM-10")[0]
    if movement_points(g, ship) <= ship.used:
        return []
    memo, question = g.facing(power), ("quiet zones", kind == "submarine", at)
    if question not in memo:
        near, closed = [z for z in g.board.neighbours[at] if z in g.board.zones][:3], hostile_zones(g, power)
        memo[question] = [z for z in near if kind == "submarine" or z not in closed]
    found: list[str] = memo[question]
    return found if found and _may_sail(g, power, ship, found[0]) else []  # into one of them as well as into another


def _may_sail(g: State, power: str, ship: Unit, zone: str) -> bool:
    try:
        check_sailing(g, power, ship, (zone,), False)
    except Rejected:
        return False
    return True


def _marches(g: State, power: str, at: str, limit: int) -> list[str]:
    """The three nearest spaces that land units may walk to."""
    memo, question = g.lasting(), ("marches", power, at, limit)
    if question not in memo:
        spaces = reach(g, at, lambda s: is_open(g, power, s) and why_not_enter(g, power, s) is None, limit)
        memo[question] = list(spaces)[1:4]
    found: list[str] = memo[question]
    return found


def _air_landings(g: State, power: str) -> list[Plain]:
    found: list[Plain] = []
    able: dict[tuple[str, str], bool] = {}
    for plane in g.of(power):
        if plane.type not in AIR or (plane.aboard is not None and not plane.moved):
            continue
        if plane.at in g.board.territories and may_land(g, power, plane.at):
            continue
        limit = movement_points(g, plane) - plane.used
        stack = (plane.at, plane.type)
        if stack not in able:
            able[stack] = _may_take_off(g, power, *stack)
        if able[stack]:
            ways = (s for s in flight(g, plane, max(limit, 0)) if s != plane.at and _may_end(g, power, plane, s))
            found += [{"move": _order(g, plane.type, 1, plane.at, to)} for to in islice(ways, 3)]
    return found


def _may_take_off(g: State, power: str, at: str, kind: str) -> bool:
    """The aircraft that an order for one of this type would take may leave where it stands."""
    try:
        check_deck(g, select(g, power, (Group(kind, 1),), at, "NCM-01")[0], False)
    except Rejected:
        return False
    return True


def _may_end(g: State, power: str, plane: Unit, space: str) -> bool:
    if space in g.board.territories:
        return may_land(g, power, space)
    return plane.type in CARRIER_AIRCRAFT and bool(decks(g, power, space))


__all__ = ["at_war", "combat_options", "friends", "hostile_shores", "noncombat_options"]
