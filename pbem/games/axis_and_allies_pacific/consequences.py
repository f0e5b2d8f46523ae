"""What `done` gives up in Pacific 1940: aircraft without a landing, money, cargo at sea, a bare capital, neutrals' peace."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.axis_and_allies_pacific.capacity import left, usable_complex
from pbem.games.axis_and_allies_pacific.landing import CARRIER_AIRCRAFT, decks, may_land, needs_landing
from pbem.games.axis_and_allies_pacific.paths import flights, reach
from pbem.games.axis_and_allies_pacific.purchase import FACILITIES, cheapest
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    State,
    Unit,
    friends,
    garrison,
    hostile_zones,
    is_cargo,
    is_neutral,
    movement_points,
)
from pbem.games.axis_and_allies_pacific.terms import OWNERS, SIDES, place, places, some
from pbem.kernel.consequences import Consequence
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.wording import Message, msg

NAMED = 4  # landing places and carriers that one line names


def consequences(before: State, after: State, ask: Ask | Commit) -> list[Consequence]:
    """Of `done` in a phase of the power that is asked: the state before it, and how far it led."""
    power = ask.seat
    match ask.kind:
        case "purchase":
            return [*_money_kept(before, power), *_too_many(before, power)]
        case "combat-move":
            return [*_neutrality_broken(before, after)]
        case "noncombat-move":
            return [*_crashed(before, after, power), *_afloat(before, power), *_bare_capital(before, power)]
        case "mobilize":
            return [*_crashed(before, after, power), *_not_placed(before, power)]
    return []


# -- aircraft ----------------------------------------------------------------------------------------------------------


def _crashed(before: State, after: State, power: str) -> Iterator[Consequence]:
    """[NCM-08] Aircraft that are gone, by place and type, and what could still save them."""
    gone: dict[tuple[str, str], list[Unit]] = {}
    for plane in before.of(power):
        if plane.type in AIR and plane.id not in after.units:
            gone.setdefault((plane.at, plane.type), []).append(plane)
    for (at, kind), planes in gone.items():
        yield Consequence("lost", _fate(before, planes, kind), "NCM-08", at, final=True)


def _fate(g: State, planes: list[Unit], kind: str) -> Message:
    things, where = some(kind, len(planes)), place(g, planes[0].at)
    land = places(g, _landings(g, planes[0])[:NAMED])
    if land:
        return msg("{things}, {place}: could still land in: {places}", things=things, place=where, places=land)
    ships = places(g, _rescuers(g, planes[0]))
    if ships:
        return msg("{things}, {place}: a carrier could still come from: {places}", things=things, place=where, places=ships)
    return msg("{things}, {place}: no landing place is left", things=things, place=where)


def _spaces_in_reach(g: State, plane: Unit) -> dict[str, int]:
    points = movement_points(g, plane) - plane.used
    return flights(g, plane.owner, plane.at, points) if points >= 0 else {}


def _landings(g: State, plane: Unit) -> list[str]:
    """[NCM-05] [NCM-06] The places where it may land now, the nearest first."""
    if plane.aboard is not None:
        return []
    near = _spaces_in_reach(g, plane)
    land = [s for s in near if s in g.board.territories and may_land(g, plane.owner, s)]
    at_sea = [s for s in near if s in g.board.zones and plane.type in CARRIER_AIRCRAFT and decks(g, plane.owner, s)]
    return [s for s in near if s in land or s in at_sea]


def _rescuers(g: State, plane: Unit) -> list[str]:
    """[NCM-06] Where own carriers with room stand that have not moved and can still sail to where it flies."""
    if plane.type not in CARRIER_AIRCRAFT or g.phase != "noncombat-move":
        return []
    near, closed = _spaces_in_reach(g, plane), hostile_zones(g, plane.owner)
    found = []
    for ship in g.of(plane.owner):
        fit = ship.type == "aircraft-carrier" and not (ship.damaged or ship.moved or ship.fought) and len(g.cargo(ship)) < 2
        if fit:
            points = movement_points(g, ship) - ship.used
            ways = reach(g, ship.at, lambda s: s in g.board.zones and s not in closed, points)
            found += [ship.at] if any(zone in near for zone in ways) else []
    return list(dict.fromkeys(found))[:NAMED]


def in_the_air(g: State, power: str) -> list[Message]:
    """[NCM-05] [NCM-06] Aircraft that have to land: what they have left to fly with, and each place where they can."""
    groups: dict[tuple[str, str, int], list[Unit]] = {}
    for plane in needs_landing(g, power):
        groups.setdefault((plane.at, plane.type, movement_points(g, plane) - plane.used), []).append(plane)
    return [_to_land(g, planes, points) for (_, _, points), planes in groups.items()]


def _to_land(g: State, planes: list[Unit], points: int) -> Message:
    things, where = some(planes[0].type, len(planes)), place(g, planes[0].at)
    near = places(g, _landings(g, planes[0]))
    if near:
        return msg(
            "has to land: {things}, {place}; spaces left: {n}; can land in: {places}",
            things=things,
            place=where,
            n=points,
            places=near,
        )
    ships = places(g, _rescuers(g, planes[0]))
    if ships:
        return msg(
            "has to land: {things}, {place}; spaces left: {n}; a carrier can come from: {places}",
            things=things,
            place=where,
            n=points,
            places=ships,
        )
    return msg("has to land: {things}, {place}; no landing place is left", things=things, place=where)


# -- money and new units -------------------------------------------------------------------------------------------------


def _money_kept(g: State, power: str) -> Iterator[Consequence]:
    """[PUR-01] Money that would have bought something."""
    if g.cash[power] >= cheapest(g, power):
        told = msg("{power} keeps its money; IPC: {ipc}", power=OWNERS[power], ipc=g.cash[power])
        yield Consequence("unspent", told, "PUR-01")


def _too_many(g: State, power: str) -> Iterator[Consequence]:
    """[MOB-02] More new units than the complexes can make."""
    if power == "china":
        return
    bought = sum(n for kind, n in g.purchased.get(power, {}).items() if kind not in FACILITIES)
    room = sum(left(g, t) for t in sorted(g.facilities) if usable_complex(g, power, t))
    if bought > room:
        told = msg("{power}, new units: {n}; room in its complexes: {room}", power=OWNERS[power], n=bought, room=room)
        yield Consequence("idle", told, "MOB-02")


def _not_placed(g: State, power: str) -> Iterator[Consequence]:
    """[MOB-01] New units that stay off the map."""
    rest = tuple(some(kind, n) for kind, n in g.purchased.get(power, {}).items() if n)
    if rest:
        told = msg("{power}, not placed, the money comes back: {things}", power=OWNERS[power], things=rest)
        yield Consequence("unspent", told, "MOB-01")


# -- politics ------------------------------------------------------------------------------------------------------------


def _neutrality_broken(before: State, after: State) -> Iterator[Consequence]:
    """[NEUT-02] [NEUT-03] Neutral land that was attacked."""
    for territory in before.board.territories:
        if is_neutral(before, territory) and not is_neutral(after, territory):
            told = msg(
                "the neutrality of {place} is broken for good; it leans to: {side}; against you: {things}",
                place=place(before, territory),
                side=SIDES[after.allegiance[territory]],
                things=some("infantry", garrison(before, territory)),
            )
            yield Consequence("binding", told, "NEUT-03", territory, final=True)


# -- the map -------------------------------------------------------------------------------------------------------------


def _afloat(g: State, power: str) -> Iterator[Consequence]:
    """[NCM-10] Cargo that stays at sea."""
    for zone in g.board.zones:
        cargo = [u for u in g.at(zone) if u.owner == power and is_cargo(u)]
        if cargo:
            kinds = tuple(some(k, sum(u.type == k for u in cargo)) for k in g.board.types if any(u.type == k for u in cargo))
            told = msg("{place}, still aboard transports: {things}", place=place(g, zone), things=kinds)
            yield Consequence("idle", told, "NCM-10", zone)


def _bare_capital(g: State, power: str) -> Iterator[Consequence]:
    """[CAP-01] Nobody holds the capital who could defend it."""
    capital = g.board.capitals.get(power)
    if capital and g.control[capital] == power and not any(friends(u.owner, power) for u in g.at(capital)):
        told = msg("no unit stands in the capital: {place}", place=place(g, capital))
        yield Consequence("exposed", told, "CAP-01", capital)
