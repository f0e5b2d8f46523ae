"""[CM-05] [AMM-02] [AMM-04] What may come along to a landing from a zone without enemy ships."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.scramble import bases
from pbem.games.axis_and_allies_pacific.state import SURFACE_WARSHIPS, State, Unit, enemies_of, enemy_units


def battle_expected(g: State, power: str, zone: str) -> bool:
    """Enemy units are there, or aircraft can scramble against a landing from there."""
    return bool(enemy_units(g, power, zone)) or (is_landing_zone(g, power, zone) and can_scramble_into(g, power, zone))


def is_landing_zone(g: State, power: str, zone: str) -> bool:
    """[AMM-01] A landing from this zone is announced."""
    return any(u.owner == power and u.target for u in g.at(zone))


def can_scramble_into(g: State, power: str, zone: str) -> bool:
    """[SCR-01] Some enemy has aircraft on an island beside this zone whose air base works."""
    return any(zone in g.board.coast(t) for owner in enemies_of(g, power) for t in bases(g, owner))


def takes_part_in_assault(g: State, power: str, ship: Unit) -> bool:
    """[CM-05] [AMB-CM-05] Transports with cargo that lands, ships with guns, and who guards transports on the way."""
    if not is_landing_zone(g, power, ship.at):
        return False
    if ship.type == "transport":
        return any(c.target for c in g.cargo(ship))
    return bool(g.board.types[ship.type].bombard) or _guards(g, power, ship)


def _guards(g: State, power: str, ship: Unit) -> bool:
    """[E-01] A surface warship that sailed with the transports where enemy submarines lay in wait."""
    if ship.type not in SURFACE_WARSHIPS or g.options["submarines-shoot-transports"] == "no":
        return False
    landing = (u for u in g.at(ship.at) if u.type == "transport" and u.start == ship.start and u.moved)
    convoy = any(c.target for transport in landing for c in g.cargo(transport))
    near = (*g.board.neighbours[ship.start], *g.board.neighbours[ship.at])
    return convoy and any(u.type == "submarine" for z in near if z in g.board.zones for u in enemy_units(g, power, z))
