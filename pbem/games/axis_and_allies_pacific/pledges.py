"""[AIR-02] [AMB-PLEDGE] What was promised in Combat Move binds: the carrier that attackers count on comes, or is placed there.

The promise is made to aircraft: who attacked and has no land to come home to. It is kept as long as no order lets fewer of
them come down on a deck than could before it; which carrier takes them in is for their owner to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pbem.games.axis_and_allies_pacific.capacity import Used, makers_for, room_for
from pbem.games.axis_and_allies_pacific.events.moves import Pledged
from pbem.games.axis_and_allies_pacific.landing import (
    Deck,
    carriers_of,
    decks,
    has_home,
    homeless,
    may_land,
    most_landed,
    new_carrier_zones,
    new_carriers,
    reach_of,
)
from pbem.games.axis_and_allies_pacific.moves import NONCOMBAT, Move
from pbem.games.axis_and_allies_pacific.paths import reach
from pbem.games.axis_and_allies_pacific.state import State, Unit, hostile_zones, movement_points
from pbem.games.axis_and_allies_pacific.terms import place, some
from pbem.kernel.events import emit
from pbem.kernel.orders import Rejected, illegal
from pbem.kernel.wording import Message, msg

Waiting = Mapping[str, int]  # zone -> aircraft in the air there that were promised a deck


def promise(g: State, power: str) -> None:
    """At the end of Combat Move: attackers that no land can take in count on carriers."""
    for plane in counting_on_carriers(g, power):
        emit(g, Pledged(plane.id))


def counting_on_carriers(g: State, power: str) -> list[Unit]:
    """Aircraft in the air that no land can take in; after Combat Move those that were promised a deck."""
    if g.phase == "combat-move" and g.power == power:
        return homeless(g, power)
    return bound_for(g, power)


def bound_for(g: State, power: str) -> list[Unit]:
    """The aircraft that were promised a deck, are not lost, and have not come down."""
    if not g.pledged:
        return []
    found = (g.units[i] for i in g.pledged if i in g.units)
    return [u for u in found if u.owner == power and u.aboard is None and not _is_ashore(g, u.at, power)]


def _is_ashore(g: State, space: str, power: str) -> bool:
    return space in g.board.territories and may_land(g, power, space)


# -- Noncombat Move ------------------------------------------------------------------------------------------------------


def check_move(g: State, power: str, move: Move) -> None:
    """Raises Rejected when a noncombat move would take a promised landing place away."""
    if move.kind == "land" or not bound_for(g, power):
        return
    moved = [g.units[i] for i in move.units]
    if move.kind == "sea" and not any(u.type == "aircraft-carrier" for u in moved):
        return
    bound = bound_for(g, power)
    strangers = [u for u in moved if move.kind == "air" and u not in bound]
    if _saved_after(g, power, [*bound, *strangers], move) < _saved(g, power) + len(strangers):
        raise illegal(
            msg("this would take away the deck that attackers were promised: {things}", things=_listed(g, bound)), "AMB-PLEDGE"
        )


def check_end(g: State, power: str) -> None:
    """Raises Rejected when Noncombat Move would end although a carrier can still take in more of those who count on it."""
    bound = bound_for(g, power)
    if bound and _kept_now(g, power, bound) < _saved(g, power):
        raise illegal(
            msg("a carrier was promised and can still take in what counts on it: {things}", things=_listed(g, bound)),
            "AMB-PLEDGE",
            msg("the carrier sails to the aircraft, or they fly to it"),
        )


def _listed(g: State, planes: Sequence[Unit]) -> tuple[Message, ...]:
    return tuple(msg("{things} in {place}", things=some(u.type), place=place(g, u.at)) for u in planes)


def _saved(g: State, power: str) -> int:
    """How many of the promised aircraft can still come down."""
    memo, question = g.memo(), ("promises", power)
    if question not in memo:
        memo[question] = _most_saved(g, power, [(u, u.at, u.used) for u in bound_for(g, power)], {}, {})
    return int(memo[question])


def _saved_after(g: State, power: str, planes: Sequence[Unit], move: Move) -> int:
    """How many of these can still come down once this order is carried out."""
    to, steps = move.path[-1], len(move.path)
    if move.kind == "sea":
        sailed = {i: (to, g.units[i].used + steps) for i in move.units}
        return _most_saved(g, power, [(u, u.at, u.used) for u in planes], sailed, {})
    landing = [u for u in planes if u.id in move.units]
    rest = [(u, u.at, u.used) for u in planes if u.id not in move.units]
    if to in g.board.territories:
        return len(landing) + _most_saved(g, power, rest, {}, {})
    taken: dict[int, int] = {}
    for deck in decks(g, power, to):
        taken[deck.id] = min(2 - len(g.cargo(deck)), len(landing) - sum(taken.values()))
    down = sum(taken.values())
    waiting = [(u, to, u.used + steps) for u in landing[down:]]
    return down + _most_saved(g, power, [*rest, *waiting], {}, {i: n for i, n in taken.items() if n})


def _most_saved(
    g: State,
    power: str,
    planes: Sequence[tuple[Unit, str, int]],
    sailed: Mapping[int, tuple[str, int]],
    taken: Mapping[int, int],
) -> int:
    """`planes`: with where they are and the movement used; `sailed`: ships elsewhere; `taken`: places on decks just used."""
    far = [(u, at, used) for u, at, used in planes if not has_home(g, u, at, used)]
    spaces = [reach_of(g, u, at, used) for u, at, used in far]
    there = [*_decks(g, power, sailed, taken), *_new_decks(g, power)]
    return len(planes) - len(far) + most_landed(spaces, [d for d in there if d.room > 0])


def _decks(g: State, power: str, sailed: Mapping[int, tuple[str, int]], taken: Mapping[int, int]) -> Iterator[Deck]:
    for ship in carriers_of(g, power):
        at, used = sailed.get(ship.id, (ship.at, ship.used))
        room = 2 - len(g.cargo(ship)) - taken.get(ship.id, 0)
        yield Deck(room, {at: 0} if ship.id in taken or not _may_sail(g, power, ship) else _reachable(g, power, ship, at, used))


def decks_to_come(g: State, power: str) -> list[tuple[Unit | None, Deck]]:
    """Every carrier, and at the end those that were bought, with its places and where it can be when Noncombat Move ends."""
    ships = zip(carriers_of(g, power), _decks(g, power, {}, {}), strict=True)
    return [*ships, *((None, deck) for deck in _new_decks(g, power))]


def _may_sail(g: State, power: str, ship: Unit) -> bool:
    """[NCM-01] [NCM-07] It has not moved or fought in combat, and no aircraft has landed on it."""
    free = ship.owner == power and ship.moved in ("", NONCOMBAT) and not ship.fought
    return free and not any(c.moved for c in g.cargo(ship))


def _reachable(g: State, power: str, ship: Unit, at: str, used: int) -> dict[str, int]:
    hostile = hostile_zones(g, power)
    return reach(g, at, lambda z: z in g.board.zones and z not in hostile, max(0, movement_points(g, ship) - used))


def _new_decks(g: State, power: str) -> Iterator[Deck]:
    for _ in range(new_carriers(g, power)):
        yield Deck(2, dict.fromkeys(new_carrier_zones(g, power), 0))


def _kept_now(g: State, power: str, bound: Sequence[Unit]) -> int:
    """How many come down if nobody moves any more: on decks in their zone, or on carriers that are placed there."""
    down, waiting = 0, dict[str, int]()
    for zone in dict.fromkeys(u.at for u in bound):
        there = sum(u.at == zone for u in bound)
        room = sum(2 - len(g.cargo(c)) for c in decks(g, power, zone))
        down += min(there, room)
        waiting[zone] = max(0, there - room)
    return down + most_placed(g, power, waiting, g.purchased.get(power, {}).get("aircraft-carrier", 0), {})


def promised_carriers(g: State, power: str) -> list[tuple[Unit, str]]:
    """Own carriers that may sail, each with every zone in reach: what an order that keeps a promise may look like."""
    ships = [u for u in carriers_of(g, power) if u.owner == power and _may_sail(g, power, u)]
    return [(u, z) for u in ships for z in _reachable(g, power, u, u.at, u.used) if z != u.at]


# -- Mobilize ------------------------------------------------------------------------------------------------------------


def waiting_for_carriers(g: State, power: str) -> Waiting:
    """Zones in which aircraft that were promised a new carrier wait for it."""
    found: dict[str, int] = {}
    for plane in bound_for(g, power):
        found[plane.at] = found.get(plane.at, 0) + 1
    return found


def most_placed(g: State, power: str, waiting: Waiting, carriers: int, used: Used) -> int:
    """[NCM-06] How many of those who wait can be taken in by so many new carriers, by what the complexes can still make."""
    zones = [z for z, n in waiting.items() if n]
    if not zones or not carriers:
        return 0
    zone, rest = zones[0], {z: waiting[z] for z in zones[1:]}
    best = most_placed(g, power, rest, carriers, used)
    makers = makers_for(g, power, "aircraft-carrier", zone)
    for number in range(1, min(carriers, (waiting[zone] + 1) // 2) + 1):
        if not makers or room_for(g, makers, used) < number:
            break
        more = {**used, makers: used.get(makers, 0) + number}
        best = max(best, min(waiting[zone], 2 * number) + most_placed(g, power, rest, carriers - number, more))
    return best


def check_placing(g: State, power: str, placed: Sequence[tuple[str, str, int]], before: Used, after: Used) -> None:
    """Raises Rejected when these placements (type, space, number) leave a promise unkept that could be kept before them."""
    waiting = dict(waiting_for_carriers(g, power))
    if not waiting:
        return
    carriers = g.purchased.get(power, {}).get("aircraft-carrier", 0)
    possible, down = most_placed(g, power, waiting, carriers, before), 0
    for kind, space, count in placed:
        if kind == "aircraft-carrier":
            taken = min(waiting.get(space, 0), 2 * count)
            down, carriers = down + taken, carriers - count
            waiting[space] = waiting.get(space, 0) - taken
    if down + most_placed(g, power, waiting, carriers, after) < possible:
        raise _due(g, power)


def check_end_of_placing(g: State, power: str, used: Used) -> None:
    """Raises Rejected when Mobilize would end although a carrier that was promised can still be placed."""
    if most_placed(g, power, waiting_for_carriers(g, power), g.purchased[power].get("aircraft-carrier", 0), used):
        raise _due(g, power)


def _due(g: State, power: str) -> Rejected:
    waiting = _listed(g, bound_for(g, power))
    why = msg("a new carrier was promised to what waits in the air: {things}", things=waiting)
    return illegal(why, "AMB-PLEDGE", msg("it is placed there first"))
