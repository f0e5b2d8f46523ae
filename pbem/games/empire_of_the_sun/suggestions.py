"""Orders that are likely to be legal here, for random play, for a bot and for completion. Every one is judged by `read`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from pbem.games.empire_of_the_sun.board import AIR_FERRY, OAHU, Board, distance
from pbem.games.empire_of_the_sun.fields import Field, Fields
from pbem.games.empire_of_the_sun.lines import sea_field
from pbem.games.empire_of_the_sun.movement.land import land_costs
from pbem.games.empire_of_the_sun.movement.limits import asp_left, may_stand, naval_allowance
from pbem.games.empire_of_the_sun.state import FOE, State, offensive
from pbem.games.empire_of_the_sun.supply import held, own_airfields, own_ports
from pbem.kernel.canon import Plain
from pbem.kernel.memo import boards
from pbem.kernel.proposals import Proposals, Read
from pbem.kernel.questions import AGAIN, DONE

FAR = 99  # from the China box to any hex
MOST = 6  # destinations for one stack


def activation_options(g: State, units: Sequence[str], most: int, read: Read) -> Proposals:
    """Nothing, stacks of units near each other, and as many as the allowance holds."""
    groups: list[list[str]] = [[]]
    places = list(dict.fromkeys(g.pieces[u].at for u in units))
    rings = _rings(places)
    by_name: dict[int, list[str]] = {}
    for unit in sorted(units):
        by_name.setdefault(g.pieces[unit].at, []).append(unit)
    for place in places:
        groups.append(_nearest(by_name, rings[place], most))
        groups.append(by_name[place][:most])
    orders: list[Plain] = [{"activate": list(group) if group else "none"} for group in groups]
    return Proposals(read, orders)


def _rings(places: Sequence[int]) -> dict[int, dict[int, list[int]]]:
    """Around each of some places all of them by distance; 0, the China box, is far from everywhere."""
    found: dict[int, dict[int, list[int]]] = {place: {} for place in places}
    for i, place in enumerate(places):
        for other in places[i:]:
            far = distance(other, place) if place and other else FAR
            found[place].setdefault(far, []).append(other)
            if other != place:
                found[other].setdefault(far, []).append(place)
    return found


def _nearest(by_place: Mapping[int, list[str]], rings: Mapping[int, list[int]], most: int) -> list[str]:
    """Of units by place, in the order of their names, those nearest to a hex."""
    found: list[str] = []
    for far in sorted(rings):
        found += sorted(unit for other in rings[far] for unit in by_place[other])
        if len(found) >= most:
            break
    return found[:most]


def move_options(g: State, read: Read) -> Proposals:
    """Moves of stacks that have not moved yet, assaults with their escorts, and being done."""
    o = offensive(g)
    if o.event and g.board.cards[o.card].data.get("special") == "operation-z":
        fleet = [u for u, a in o.units.items() if not a.mode]
        near = [h for h in g.board.within(OAHU, 3) if not g.board.hexes[h].is_land]
        return Proposals(read, [_order("move", fleet, h) for h in near] if fleet else [DONE])
    waiting: dict[int, list[str]] = {}
    for unit, entry in o.units.items():
        if not entry.mode and g.pieces[unit].box == "map":
            waiting.setdefault(g.pieces[unit].at, []).append(unit)
    orders: list[Plain] = []
    for at, units in waiting.items():
        orders += _stack_orders(g, o.side, at, units)
    return Proposals(read, [*orders, DONE])


def _stack_orders(g: State, side: str, at: int, units: list[str]) -> list[Plain]:
    counters = g.board.counters
    ships, wings, troops = ([u for u in units if counters[u].kind == k] for k in ("naval", "air", "ground"))
    orders: list[Plain] = []
    able = [u for u in troops if counters[u].lands] if asp_left(g, side) else []
    for h in _targets(g, side, at, naval_allowance(g)) if ships or troops else []:
        if ships:
            orders.append(_order("move", ships, h))
        landers = [u for u in able if not may_stand(g, u, h)] if able and g.board.hexes[h].coastal else []
        if landers:
            orders.append(_order("assault", [*landers[:1], *ships], h))
            if any(counters[u].organic for u in landers) and any(counters[u].organic for u in ships):
                orders.append(_order("assault", [*landers[:1], *ships], h, " by organic"))
    if wings:
        one = g.board.fields.one
        goals = _by_interest(g, side, at, own_airfields(g, side) & ~one[at] & ~one[AIR_FERRY], 3)
        orders += [_order("move", [unit], f) for unit in wings for f in goals]
    if troops:
        orders += _overland(g, side, at, troops)
    return orders


def _overland(g: State, side: str, at: int, units: list[str]) -> list[Plain]:
    costs, _ = land_costs(g, side, units, at, 2 * offensive(g).ops, False)
    places = g.board.fields.of(h for h in costs if h != at)
    return [_order("move", units, h) for h in _by_interest(g, side, at, places, MOST)]


def _targets(g: State, side: str, at: int, allowance: int) -> list[int]:
    """Hexes worth sailing to: enemy units and bases first, then own ports."""
    enemy = g.standing.field(FOE[side]) | boards(g.board, _bases) & held(g, FOE[side])
    reach = sea_field(g, at, allowance) & ~g.board.fields.one[at]
    return [*_by_interest(g, side, at, reach & enemy, MOST), *_by_interest(g, side, at, reach & own_ports(g, side), 2)]


def _bases(board: Board) -> Field:
    """Cities, ports and airfields."""
    return board.fields.of(h for h in board.named if board.hexes[h].base)


def _resources(board: Board) -> Field:
    return board.fields.of(board.resources)


def _by_interest(g: State, side: str, at: int, places: Field, most: int) -> list[int]:
    """Resource hexes of the enemy, then his units, then his bases; of each the near ones first."""
    classes: list[Field] = g.memo.cached(("interest", side), lambda: _interest(g, side))
    found: list[int] = []
    for here in classes:
        alike = here & places
        if alike:
            near = alike & g.board.fields.rings[at]
            alike = near if near.bit_count() >= most - len(found) else alike
            found += [h for _, h in sorted([(distance(at, h), h) for h in g.board.fields.hexes(alike)])]
            if len(found) >= most:
                break
    return found[:most]


def _interest(g: State, side: str) -> list[Field]:
    """All hexes by what is in them of the enemy's, the most interesting first."""
    lost = ~held(g, side)
    classes: list[Field] = [-1]
    for kind in (boards(g.board, _resources) & lost, g.standing.field(FOE[side]), boards(g.board, _bases) & lost):
        classes = [part for here in classes for part in (here & kind, here & ~kind)]
    return classes


def _order(verb: str, units: Sequence[str], to: int, by: str = "") -> Plain:
    return {verb: f"{', '.join(units)} to {to:04}{by}"}


def declaration_options(g: State, mandatory: Sequence[int], read: Read) -> Proposals:
    """Attacks of free air units and carriers on what they reach, covers, and being done."""
    o = offensive(g)
    free = [
        u for u, a in o.units.items() if g.counter(u).flies and g.pieces[u].box == "map" and g.pieces[u].at not in mandatory
    ]
    foes = sorted(g.standing.hexes[FOE[o.side]])
    orders: list[Plain] = []
    if o.event and g.board.cards[o.card].data.get("special") == "operation-z":
        decks = [u for u in free if g.counter(u).carrier]
        orders.append({"battle": f"{OAHU} with {', '.join(decks)}"})
    ready = [(unit, g.pieces[unit].at, g.counter(unit).reach) for unit in free]
    for place in [*mandatory, *foes]:
        for unit, at, reach in ready:
            if distance(at, place) <= reach:
                orders.append({"battle": f"{place:04} with {unit}"})
        if len(orders) > 60:
            break
    landings = sorted({g.pieces[u].at for u, a in o.units.items() if a.asp or a.mode in ("organic", "barge")})
    for place in landings:
        orders += [{"cover": f"{place:04} with {u}"} for u in free if distance(g.pieces[u].at, place) <= g.counter(u).reach]
    return Proposals(read, [DONE, *orders, AGAIN])


def return_options(g: State, units: Sequence[str], read: Read) -> Proposals:
    """Home, and single units to ports and airfields near by."""
    orders: list[Plain] = [{"return": "home"}]
    for unit in units[:6]:
        side, at, own = g.counter(unit).side, g.pieces[unit].at, own_ports if g.counter(unit).kind != "air" else own_airfields
        orders += [{"return": f"{unit} to {b:04}"} for b in _nearest_of(g.board.fields, at, own(g, side))]
    return Proposals(read, orders)


@lru_cache(maxsize=1024)
def _nearest_of(fields: Fields, at: int, bases: Field) -> list[int]:
    return sorted(fields.hexes(bases), key=lambda b: (distance(at, b), b))[:3]
