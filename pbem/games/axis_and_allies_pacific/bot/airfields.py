"""Aircraft in Noncombat Move: where those that have fought land, and where those that have not go."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.axis_and_allies_pacific.bot.ending import city
from pbem.games.axis_and_allies_pacific.bot.exact import verdict
from pbem.games.axis_and_allies_pacific.bot.forces import can_sail, orders_for
from pbem.games.axis_and_allies_pacific.bot.judgement import (
    FAR,
    MARCHING,
    Temper,
    force_against,
    is_key,
    is_safe,
    is_wanted,
    rivals,
    steps,
    threat,
)
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.bot.value import counter, gain
from pbem.games.axis_and_allies_pacific.landing import CARRIER_AIRCRAFT, decks, has_room, may_land, needs_landing
from pbem.games.axis_and_allies_pacific.paths import flights
from pbem.games.axis_and_allies_pacific.pledges import promised_carriers
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    LAND,
    SIDES,
    State,
    Unit,
    is_enemy_unit,
    movement_points,
    side_of,
    zone_is_hostile,
)
from pbem.kernel.canon import Plain

UNSAFE = 12_000  # what an aircraft on land that falls costs, in thousandths of an IPC
MOST, REACH = 30_000, 40  # the most that one target draws aircraft, and per cent of it: to be near is never worth the aircraft
STRIKE = {"fighter": 2, "tactical-bomber": 2, "strategic-bomber": 3}  # spaces to a target from which it comes home again


def land_aircraft(stage: Rehearsal, mind: Temper) -> None:
    """Those that are in the air come home, the idle ones go where they reach most."""
    reach = _prospects(stage.g, stage.power, mind)
    _make_room(stage, reach)
    _meet(stage)
    _land(stage, reach)
    _rebase(stage, reach)


# -- where an aircraft is wanted -----------------------------------------------------------------------------------------


def _prospects(g: State, power: str, mind: Temper) -> dict[str, int]:
    """What every place is worth as a target of aircraft: land that is wanted and guarded, ships of the enemy."""
    found = {}
    for territory in g.board.territories:
        if is_wanted(g, power, territory):
            guards = any(side_of(g, u.owner) != SIDES[power] for u in g.at(territory))
            found[territory] = sum(gain(g, power, territory, mind)) // (1 if guards else 4)
    for zone in g.board.zones:
        ships = [u for u in g.at(zone) if is_enemy_unit(g, power, u) and u.aboard is None]
        if ships:
            found[zone] = 300 * sum(g.board.types[u.type].cost for u in ships)
    return found


def _reached(g: State, plane: Unit, space: str, prospects: dict[str, int]) -> int:
    """What an aircraft could attack from a space in its next turn."""
    memo, question = g.memo(), ("bot strike", plane.owner, STRIKE[plane.type], space)
    if question not in memo:
        near = flights(g, plane.owner, space, STRIKE[plane.type])
        memo[question] = sum(min(MOST, prospects[s]) // (2 + d) for s, d in near.items() if s in prospects) * REACH // 100
    return int(memo[question])


def _cost(g: State, power: str, plane: Unit, space: str, prospects: dict[str, int], wing: Sequence[Unit] = ()) -> int:
    """How bad a place to land is: less when more can be reached from it, much more when it may fall. Who of the `wing` can
    come lands there too: together they are safe where one is lost.
    """
    reached = _reached(g, plane, space, prospects)
    if space in g.board.zones:
        return -reached * 3 // 2 - 3000
    held = [u for u in g.at(space) if side_of(g, u.owner) == SIDES[power] and u.type in (*MARCHING, *AIR) and u.aboard is None]
    air = steps(g.board, "air")[space]
    mates = [u for u in wing if u not in held and u.id != plane.id and air.get(u.at, FAR) <= _movement_left(g, u)]
    here = [*(held if plane in held else [*held, plane]), *mates]
    if any(u.type in LAND for u in threat(g, power, space)):
        risk = counter(g, power, space, here).won * UNSAFE // 1000
    else:
        risk = _struck(g, power, space, here)
    return 2 * risk - reached - _guards(g, power, plane, space, here)


def _struck(g: State, power: str, space: str, held: Sequence[Unit]) -> int:
    """What aircraft of the enemy that come alone gain on the mean for each unit that stands there."""
    forces = (force_against(g, enemy, space) for enemy in rivals(g, power))
    return max([0, *(verdict(g, force, held).swing for force in forces if force)]) // len(held)


def _guards(g: State, power: str, plane: Unit, space: str, held: Sequence[Unit]) -> int:
    """What an aircraft saves of a victory city by standing there, where land units do so too."""
    if not g.board.territories[space].victory_city or not any(u.type in MARCHING for u in held) or not rivals(g, power):
        return 0
    before = counter(g, power, space, [u for u in held if u.id != plane.id]).won
    return (before - counter(g, power, space, held).won) * city(g, rivals(g, power)[0]) // 1000


# -- coming home ---------------------------------------------------------------------------------------------------------


def _range(g: State, plane: Unit) -> dict[str, int]:
    limit = _movement_left(g, plane)
    return flights(g, plane.owner, plane.at, limit) if limit >= 0 else {}


def _movement_left(g: State, plane: Unit) -> int:
    return movement_points(g, plane) - plane.used


def _stranded(g: State, power: str) -> list[Unit]:
    """Aircraft in the air that reach no land."""
    return [u for u in needs_landing(g, power) if not any(_is_land(g, power, s) for s in _range(g, u))]


def _make_room(stage: Rehearsal, prospects: dict[str, int]) -> None:
    """Whoever reaches land leaves a zone in which others wait for a deck, and does so before the deck comes: an order then
    takes those who stand on it first.
    """
    g, power = stage.g, stage.power
    lost = _stranded(g, power)
    zones = {u.at for u in lost}
    for number in [u.id for u in needs_landing(g, power) if u.at in zones and u not in lost]:
        plane = stage.g.units[number]
        homes = [s for s in _range(stage.g, plane) if _is_land(stage.g, power, s)]
        for home in sorted(homes, key=lambda s: (_cost(stage.g, power, plane, s, prospects), s)):
            if stage.attempt(orders_for([plane], home)):
                break


def _meet(stage: Rehearsal) -> None:
    """Carriers sail to aircraft that cannot come home otherwise: to where they are, or to where both can be."""
    g, power = stage.g, stage.power
    lost = _stranded(g, power)
    for zone in dict.fromkeys(u.at for u in lost):
        waiting = [u for u in lost if u.at == zone and u.type in CARRIER_AIRCRAFT]
        near = {s for u in waiting for s in _range(g, u)} if waiting else set()
        for place in [zone, *sorted(near - {zone})]:
            if _room(stage.g, power, place) >= len(waiting):
                break
            if place in g.board.zones and not zone_is_hostile(g, power, place):
                _call(stage, place, len(waiting))


def _call(stage: Rehearsal, zone: str, number: int) -> None:
    """As many carriers as so many aircraft need, the nearest first."""
    g, power = stage.g, stage.power
    sea = steps(g.board, "sea")[zone]
    ships = [u for u in g.of(power) if has_room(g, u) and not u.moved and not u.fought and u.at != zone]
    ships = [u for u in ships if not _waiting_over(g, power, u.at)]
    for ship in sorted(ships, key=lambda u: (sea.get(u.at, 99), u.id)):
        if _room(stage.g, power, zone) >= number:
            return
        if can_sail(stage.g, ship, zone) and not stage.g.units[ship.id].moved:
            stage.attempt(orders_for([u for u in ships if u.at == ship.at and u.id <= ship.id], zone))


def kept_promises(g: State, power: str) -> Sequence[Plain]:
    """Orders by which carriers that have sailed, and can sail on, take in the aircraft that still count on a deck."""
    for ship, zone in promised_carriers(g, power):
        mates = [u for u in g.at(ship.at) if u.owner == power and u.type == ship.type]
        for number in range(1, len(mates) + 1):
            stage = Rehearsal(g, power)
            if stage.attempt(orders_for(mates[:number], zone)):
                _land(stage, {})
                if stage.may_end():
                    return stage.orders
    return []


def _waiting_over(g: State, power: str, zone: str) -> bool:
    return any(u.owner == power and u.type in AIR and u.aboard is None for u in g.at(zone))


def _room(g: State, power: str, zone: str) -> int:
    """Places on the decks in a zone."""
    return sum(2 - len(g.cargo(c)) for c in decks(g, power, zone))


def _is_land(g: State, power: str, space: str) -> bool:
    return space in g.board.territories and may_land(g, power, space)


def _is_landing_place(g: State, power: str, plane: Unit, space: str) -> bool:
    if space in g.board.territories:
        return _is_land(g, power, space)
    over = [u for u in g.at(space) if u.owner == power and u.type in CARRIER_AIRCRAFT and u.aboard is None and u.id != plane.id]
    return plane.type in CARRIER_AIRCRAFT and _room(g, power, space) > len(over)


def _land(stage: Rehearsal, prospects: dict[str, int]) -> None:
    """Those with the fewest places first."""
    given_up: set[tuple[str, str, int]] = set()
    while True:
        g, power = stage.g, stage.power
        waiting = [u for u in needs_landing(g, power) if _sort(g, u) not in given_up and not _waits_for_deck(g, u)]
        if not waiting:
            return
        plane = min(waiting, key=lambda u: (len(_homes(g, power, u)), _movement_left(g, u), u.id))
        alike = [u for u in waiting if u.at == plane.at and u.type == plane.type]
        plane = max(alike, key=lambda u: (_movement_left(g, u), -u.id))  # the one that an order takes
        homes = sorted(_homes(g, power, plane), key=lambda s: (_cost(g, power, plane, s, prospects, waiting), s))
        if not any(s != plane.at and stage.attempt(orders_for([plane], s)) for s in homes):
            given_up.add(_sort(g, plane))


def _sort(g: State, plane: Unit) -> tuple[str, str, int]:
    return plane.at, plane.type, _movement_left(g, plane)


def _waits_for_deck(g: State, plane: Unit) -> bool:
    """Over a zone with room on a carrier: it is taken aboard at the end of the phase."""
    return plane.at in g.board.zones and plane.type in CARRIER_AIRCRAFT and _has_deck_for_all(g, plane)


def _has_deck_for_all(g: State, plane: Unit) -> bool:
    over = [u for u in g.at(plane.at) if u.owner == plane.owner and u.type in CARRIER_AIRCRAFT and u.aboard is None]
    room = sum(2 - len(g.cargo(c)) for c in decks(g, plane.owner, plane.at))
    return len(over) <= room


def _homes(g: State, power: str, plane: Unit) -> list[str]:
    return [s for s in _range(g, plane) if _is_landing_place(g, power, plane, s)]


# -- idle aircraft -------------------------------------------------------------------------------------------------------


def _rebase(stage: Rehearsal, prospects: dict[str, int]) -> None:
    """To guarded land, or a deck, from where more can be reached; a capital in danger keeps what it has."""
    home = stage.g.board.capitals.get(stage.power, "")
    idle = [u.id for u in stage.g.of(stage.power) if u.type in AIR and not u.moved and u.aboard is None]
    for number in idle:
        g, power = stage.g, stage.power
        plane = g.units[number]
        if plane.at not in g.board.territories or not may_land(g, power, plane.at):
            continue
        if (plane.at == home or is_key(g, plane.at)) and not is_safe(g, power, plane.at, [plane.id]):
            continue
        here = _cost(g, power, plane, plane.at, prospects)
        wing = [g.units[i] for i in idle if not g.units[i].moved]
        costs = {s: _cost(g, power, plane, s, prospects, wing) for s in _homes(g, power, plane)}
        for space in sorted(costs, key=lambda s: (costs[s], s))[:4]:
            if costs[space] + 300 >= here:
                break
            if space != plane.at and stage.attempt(orders_for([plane], space)):
                break
