"""[AIR] [NCM] Landing: what is proved before an attack, and what crashes when it comes to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pbem.games.axis_and_allies_pacific.events import Boarded, Destroyed
from pbem.games.axis_and_allies_pacific.paths import flight, reach
from pbem.games.axis_and_allies_pacific.politics import why_not_enter
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    State,
    Unit,
    friends,
    is_friendly,
    movement_points,
    zone_is_hostile,
)
from pbem.kernel.events import emit

CARRIER_AIRCRAFT = ("fighter", "tactical-bomber")
SEARCH_LIMIT = 20_000


def may_land(g: State, power: str, territory: str) -> bool:
    """[NCM-05] Land that has been friendly since the start of this turn and that the power may enter."""
    held = g.start.control.get(territory)
    return (
        is_friendly(g, power, territory)
        and held == g.control[territory]
        and territory not in g.captured
        and why_not_enter(g, power, territory) is None
    )


def has_room(g: State, carrier: Unit) -> bool:
    """[E-04] An undamaged carrier with fewer than two aircraft aboard."""
    return carrier.type == "aircraft-carrier" and not carrier.damaged and len(g.cargo(carrier)) < 2


def decks(g: State, power: str, zone: str) -> list[Unit]:
    """Own and friendly carriers in a zone with room, own first."""
    found = [u for u in g.at(zone) if friends(u.owner, power) and has_room(g, u)]
    return sorted(found, key=lambda u: (u.owner != power, u.id))


@dataclass(slots=True)
class Deck:
    """A carrier as a landing place: room left, the zones where it can be at the end of the turn."""

    room: int
    zones: dict[str, int]


def needs_landing(g: State, power: str) -> list[Unit]:
    """Aircraft of the phasing power that are in the air: away from friendly land and from a carrier's deck."""
    return [
        u
        for u in g.of(power)
        if u.type in AIR and u.aboard is None and not (u.at in g.board.territories and may_land(g, power, u.at))
    ]


def unprovable(
    g: State, power: str, moved: Mapping[int, tuple[str, int]] | None = None, sailed: Mapping[int, str] | None = None
) -> list[Unit]:
    """[AIR-01] The aircraft for which no landing can be shown.

    `moved` and `sailed` are an order tried out: aircraft id -> (space, points used), carrier id -> zone. Own aircraft
    of a carrier that sails stay behind in the air [CVM-01].
    """
    places, ships = dict(moved or {}), dict(sailed or {})
    launched = {c.id for i in ships for c in g.cargo(g.units[i]) if c.owner == power}
    airborne = {u.id for u in needs_landing(g, power)} | launched | set(places)
    planes = [u for u in g.of(power) if u.id in airborne]
    homeless = [(u, _reach(g, u, places.get(u.id))) for u in planes]
    homeless = [(u, spaces) for u, spaces in homeless if not any(_is_home(g, power, s) for s in spaces)]
    if not homeless:
        return []
    fit = [(u, spaces) for u, spaces in homeless if u.type in CARRIER_AIRCRAFT]
    bad = [u for u, _ in homeless if u.type not in CARRIER_AIRCRAFT]
    if bad or not _match([s for _, s in fit], possible_decks(g, power, airborne, ships), [SEARCH_LIMIT]):
        return bad or [u for u, _ in fit]
    return []


def _reach(g: State, plane: Unit, tried: tuple[str, int] | None) -> dict[str, int]:
    at, used = tried or (plane.at, plane.used)
    left = movement_points(g, plane) - used
    ghost = Unit(plane.id, plane.type, plane.owner, at)
    return flight(g, ghost, max(left, 0)) if left >= 0 else {}


def _is_home(g: State, power: str, space: str) -> bool:
    return space in g.board.territories and may_land(g, power, space)


def possible_decks(g: State, power: str, airborne: set[int], sailed: Mapping[int, str]) -> list[Deck]:
    """[AIR-02] [NCM-06] [NCM-11] Carriers that stand, that can still sail in Noncombat Move, or that can be mobilized."""
    found = []
    for ship in g.units.values():
        if ship.type == "aircraft-carrier" and friends(ship.owner, power) and not ship.damaged:
            staying = [c for c in g.cargo(ship) if c.id not in airborne]
            zones = {sailed[ship.id]: 0} if ship.id in sailed else _zones_of(g, power, ship)
            found.append(Deck(2 - len(staying), zones))
    for _ in range(g.purchased.get(power, {}).get("aircraft-carrier", 0)):
        found.append(Deck(2, dict.fromkeys(new_carrier_zones(g, power), 0)))
    return [d for d in found if d.room and d.zones]


def _zones_of(g: State, power: str, ship: Unit) -> dict[str, int]:
    if ship.owner != power or ship.moved or ship.fought or g.phase not in ("combat-move", "noncombat-move"):
        return {ship.at: 0}

    def may_pass(space: str) -> bool:
        return space in g.board.zones and (not zone_is_hostile(g, power, space) or _is_attacked(g, power, space))

    return reach(g, ship.at, may_pass, movement_points(g, ship) - ship.used)


def _is_attacked(g: State, power: str, zone: str) -> bool:
    """A hostile zone that own units attack may be clear by then."""
    return g.phase == "combat-move" and any(u.owner == power and u.moved == "combat" for u in g.at(zone))


def new_carrier_zones(g: State, power: str) -> list[str]:
    """[MOB-04] Zones beside a complex that can make a carrier this turn."""
    from pbem.games.axis_and_allies_pacific.mobilize import left, usable_complex

    makers = [t for t in sorted(g.facilities) if usable_complex(g, power, t) and left(g, t, {}) > 0]
    return [z for t in makers for z in g.board.coast(t)]


def _match(planes: Sequence[dict[str, int]], places: list[Deck], budget: list[int]) -> bool:
    """Whether every plane finds a deck, each deck being in one zone. Depth first, within a bounded number of tries."""
    if not planes:
        return True
    budget[0] -= 1
    if budget[0] < 0:
        return False
    spaces, rest = planes[0], planes[1:]
    for deck in places:
        if not deck.room:
            continue
        for zone in [z for z in deck.zones if z in spaces]:
            kept, deck.zones, deck.room = deck.zones, {zone: 0}, deck.room - 1
            if _match(rest, places, budget):
                return True
            deck.zones, deck.room = kept, deck.room + 1
    return False


def board_waiting(g: State, power: str, zone: str) -> None:
    """[NCM-06] [NCM-07] Aircraft that wait in a zone land on the carriers there."""
    for plane in g.at(zone):
        if plane.owner == power and plane.type in CARRIER_AIRCRAFT and plane.aboard is None:
            deck = next(iter(decks(g, power, zone)), None)
            if deck is not None:
                emit(g, Boarded(plane.id, deck.id, "", "NCM-07"))


def crash(g: State, power: str) -> None:
    """[NCM-08] Aircraft of the phasing power without a legal landing are lost."""
    for plane in needs_landing(g, power):
        emit(g, Destroyed(plane.id, plane.type, plane.owner, plane.at, "NCM-08"))


def crash_now(g: State, power: str) -> None:
    """[NCM-08] At the end of Noncombat Move: all but those that a carrier to be mobilized may still save."""
    for zone in [z for z in g.board.zones if any(u.owner == power for u in g.at(z))]:
        board_waiting(g, power, zone)
    hope = set(new_carrier_zones(g, power)) if g.purchased.get(power, {}).get("aircraft-carrier", 0) else set()
    for plane in needs_landing(g, power):
        if plane.at not in hope or plane.type not in CARRIER_AIRCRAFT:
            emit(g, Destroyed(plane.id, plane.type, plane.owner, plane.at, "NCM-08"))
