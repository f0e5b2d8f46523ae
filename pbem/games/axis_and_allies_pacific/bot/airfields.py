"""Aircraft in Noncombat Move: where those that have fought land."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from pbem.games.axis_and_allies_pacific.bot.ending import city, is_last_turn
from pbem.games.axis_and_allies_pacific.bot.exact import verdict
from pbem.games.axis_and_allies_pacific.bot.forces import orders_for
from pbem.games.axis_and_allies_pacific.bot.judgement import (
    FAR,
    MARCHING,
    Temper,
    force_against,
    garrison,
    is_wanted,
    rivals,
    steps,
)
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.bot.rescue import adrift, lost
from pbem.games.axis_and_allies_pacific.bot.value import counter, gain
from pbem.games.axis_and_allies_pacific.landing import CARRIER_AIRCRAFT, decks, has_home, homeless, may_land, needs_landing
from pbem.games.axis_and_allies_pacific.paths import flights
from pbem.games.axis_and_allies_pacific.pledges import decks_to_come, promised_carriers
from pbem.games.axis_and_allies_pacific.state import (
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
NEARER, FAVOUR = 150, 100  # what a step towards the next target is worth out of reach of any; per value that is a step less
DRAWS, IDLE = 2000, 300  # what a target is worth that draws from afar, and what is in reach where nobody comes from
STRIKE = {"fighter": 2, "tactical-bomber": 2, "strategic-bomber": 3}  # spaces to a target from which it comes home again


def land_aircraft(stage: Rehearsal, mind: Temper) -> None:
    """Those that are in the air come home."""
    reach = prospects_of(stage.g, stage.power, mind)
    _make_room(stage, reach)
    _meet(stage)
    _land(stage, reach)


# -- where an aircraft is wanted -----------------------------------------------------------------------------------------


def prospects_of(g: State, power: str, mind: Temper) -> dict[str, int]:
    """What every place is worth as a target of aircraft: land that is wanted and guarded, ships of the enemy; nothing where
    the game ends before they fly again.
    """
    found: dict[str, int] = {}
    for territory in g.board.territories if not is_last_turn(g) else ():
        if is_wanted(g, power, territory):
            guards = any(side_of(g, u.owner) != SIDES[power] for u in g.at(territory))
            found[territory] = sum(gain(g, power, territory, mind)) // (1 if guards else 4)
    for zone in g.board.zones if not is_last_turn(g) else ():
        ships = [u for u in g.at(zone) if is_enemy_unit(g, power, u) and u.aboard is None]
        if ships:
            found[zone] = 300 * sum(g.board.types[u.type].cost for u in ships)
    return found


def reached(g: State, plane: Unit, space: str, prospects: dict[str, int]) -> int:
    """What an aircraft could attack from a space in its next turn."""
    memo, question = g.memo(), ("bot strike", plane.owner, STRIKE[plane.type], space)
    if question not in memo:
        near = flights(g, plane.owner, space, STRIKE[plane.type])
        memo[question] = sum(min(MOST, prospects[s]) // (2 + d) for s, d in near.items() if s in prospects) * REACH // 100
    return int(memo[question])


def appeal(g: State, plane: Unit, space: str, prospects: dict[str, int]) -> int:
    """What an aircraft could attack from a space in its next turn; where that is nothing, the way that is left counts against
    it: whoever waits in the rear comes to the front, step by step.
    """
    near = reached(g, plane, space, prospects)
    if near >= IDLE:
        return near
    air, strike = steps(g.board, "air")[space], STRIKE[plane.type]
    far = (NEARER * (air.get(t, FAR) - strike) - min(MOST, n) // FAVOUR for t, n in prospects.items() if n >= DRAWS)
    return near - max(0, min(far, default=0))


def _cost(g: State, power: str, plane: Unit, space: str, prospects: dict[str, int], wing: Sequence[Unit] = ()) -> int:
    """How bad a place to land is: less when more can be reached from it, much more when it may fall. Who of the `wing` can
    come lands there too: together they are safe where one is lost.
    """
    gain_there = reached(g, plane, space, prospects)
    if space in g.board.zones:
        return -gain_there * 3 // 2 - 3000
    held = garrison(g, power, space)
    air = steps(g.board, "air")[space]
    mates = [u for u in wing if u not in held and u.id != plane.id and air.get(u.at, FAR) <= movement_left(g, u)]
    here = [*(held if plane in held else [*held, plane]), *mates]
    return 2 * risk(g, power, space, here) - gain_there - guards(g, power, plane, space, here)


def risk(g: State, power: str, space: str, held: Sequence[Unit]) -> int:
    """What the enemy's answer costs each aircraft among those that stand in a territory: that it falls, or that they are shot
    down there by a wing whose few troops do not live to take it.
    """
    return max(_struck(g, power, space, held), counter(g, power, space, held).won * UNSAFE // 1000)


def _struck(g: State, power: str, space: str, held: Sequence[Unit]) -> int:
    """What all that the enemy can send gains on the mean for each unit that stands there."""
    forces = (force_against(g, enemy, space) for enemy in rivals(g, power))
    return max([0, *(verdict(g, force, held).swing for force in forces if force)]) // len(held)


def guards(g: State, power: str, plane: Unit, space: str, held: Sequence[Unit]) -> int:
    """What an aircraft saves of a victory city by standing there, where land units do so too."""
    if not g.board.territories[space].victory_city or not any(u.type in MARCHING for u in held) or not rivals(g, power):
        return 0
    before = counter(g, power, space, [u for u in held if u.id != plane.id]).won
    return (before - counter(g, power, space, held).won) * city(g, rivals(g, power)[0]) // 1000


# -- coming home ---------------------------------------------------------------------------------------------------------


def _range(g: State, plane: Unit) -> dict[str, int]:
    limit = movement_left(g, plane)
    return flights(g, plane.owner, plane.at, limit) if limit >= 0 else {}


def movement_left(g: State, plane: Unit) -> int:
    return movement_points(g, plane) - plane.used


def _make_room(stage: Rehearsal, prospects: dict[str, int]) -> None:
    """Whoever reaches land leaves a zone in which others wait for a deck, and does so before the deck comes: an order then
    takes those who stand on it first.
    """
    g, power = stage.g, stage.power
    waiting = homeless(g, power)
    zones = {u.at for u in waiting}
    for number in [u.id for u in needs_landing(g, power) if u.at in zones and u not in waiting]:
        plane = stage.g.units[number]
        homes = [s for s in _range(stage.g, plane) if _is_land(stage.g, power, s)]
        homes.sort(key=lambda s: (_cost(stage.g, power, plane, s, prospects), s))
        any(map(stage.attempt, [orders_for([plane], home) for home in homes]))


def _meet(stage: Rehearsal) -> None:
    """Carriers sail to aircraft that cannot come home otherwise: to where they are, or to where both can be."""
    power = stage.power
    while (count := adrift(stage.g, power)) > lost(stage.g, power):
        serves = partial(_fewer, power, count)
        if not any(stage.attempt(orders, serves) for orders in [*_errands(stage.g, power)]):
            return


def _fewer(power: str, count: int, g: State) -> bool:
    return adrift(g, power) < count


def _errands(g: State, power: str) -> Iterator[list[Plain]]:
    """Carriers to zones where aircraft count on a deck: first where these wait, the nearest carriers first."""
    waiting = [u for u in homeless(g, power) if u.type in CARRIER_AIRCRAFT]
    near = {s for u in waiting for s in _range(g, u) if s in g.board.zones and not zone_is_hostile(g, power, s)}
    for zone in sorted(near, key=lambda z: (all(u.at != z for u in waiting), z)):
        sea = steps(g.board, "sea")[zone]
        able = [u for u, deck in decks_to_come(g, power) if u is not None and u.at != zone and zone in deck.zones]
        for ship in sorted(able, key=lambda u: (sea.get(u.at, FAR), u.id)):
            mates = [u for u in g.at(ship.at) if u.owner == power and u.type == ship.type and not u.fought]
            yield orders_for(mates[: 1 + mates.index(ship)], zone)


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


def _room(g: State, power: str, zone: str) -> int:
    """Places on the decks in a zone."""
    return sum(2 - len(g.cargo(c)) for c in decks(g, power, zone))


def _is_land(g: State, power: str, space: str) -> bool:
    return space in g.board.territories and may_land(g, power, space)


def _is_landing_place(g: State, power: str, plane: Unit, space: str) -> bool:
    if space in g.board.territories:
        return _is_land(g, power, space)
    return plane.type in CARRIER_AIRCRAFT and room_on(g, plane, space) > 0


def room_on(g: State, plane: Unit, zone: str) -> int:
    """Places on the decks in a zone that nobody takes before an aircraft does."""
    return _room(g, plane.owner, zone) - len(_before(g, plane, zone))


def _before(g: State, plane: Unit, zone: str) -> list[Unit]:
    """The others in the air there who take a deck before an aircraft does: whoever reaches land leaves it to who does not."""
    over = [u for u in g.at(zone) if u.owner == plane.owner and u.type in CARRIER_AIRCRAFT and u.aboard is None]
    last = not has_home(g, plane, plane.at, plane.used)
    return [u for u in over if u.id != plane.id and not (last and has_home(g, u, u.at, u.used))]


def _land(stage: Rehearsal, prospects: dict[str, int]) -> None:
    """Those that reach no land first, of these those with the fewest places."""
    given_up: set[tuple[str, str, int]] = set()
    while True:
        g, power = stage.g, stage.power
        waiting = [u for u in needs_landing(g, power) if _sort(g, u) not in given_up and not _waits_for_deck(g, u)]
        if not waiting:
            return
        homes = {u.id: homes_of(g, power, u) for u in waiting}
        urgent = {u.id: (has_home(g, u, u.at, u.used), len(homes[u.id]), movement_left(g, u), u.id) for u in waiting}
        plane = min(waiting, key=lambda u: urgent[u.id])
        alike = [u for u in waiting if u.at == plane.at and u.type == plane.type]
        plane = max(alike, key=lambda u: (movement_left(g, u), -u.id))  # the one that an order takes
        places = sorted(homes[plane.id], key=lambda s: (_cost(g, power, plane, s, prospects, waiting), s))
        sort = _sort(g, plane)
        if not any(map(stage.attempt, [orders_for([plane], s) for s in places if s != plane.at])):
            given_up.add(sort)


def _sort(g: State, plane: Unit) -> tuple[str, str, int]:
    return plane.at, plane.type, movement_left(g, plane)


def _waits_for_deck(g: State, plane: Unit) -> bool:
    """Over a zone with room on a carrier: it is taken aboard at the end of the phase."""
    if plane.at not in g.board.zones or plane.type not in CARRIER_AIRCRAFT:
        return False
    return room_on(g, plane, plane.at) > 0


def homes_of(g: State, power: str, plane: Unit) -> list[str]:
    return [s for s in _range(g, plane) if _is_landing_place(g, power, plane, s)]
