"""Orders that are likely to be legal here, for random play, for a bot and for completion. Every one is judged by `read`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from pbem.games.empire_of_the_sun.board import AIR_FERRY, OAHU, Board, distance
from pbem.games.empire_of_the_sun.fields import Field
from pbem.games.empire_of_the_sun.lines import sea_field
from pbem.games.empire_of_the_sun.movement.land import land_costs
from pbem.games.empire_of_the_sun.movement.limits import asp_left, may_stand, naval_allowance
from pbem.games.empire_of_the_sun.state import FOE, State, offensive
from pbem.games.empire_of_the_sun.supply import held, own_airfields, own_ports
from pbem.kernel.canon import Plain
from pbem.kernel.memo import boards
from pbem.kernel.proposals import Proposals, Read
from pbem.kernel.questions import DONE

FAR = 99  # from the China box to any hex
MOST = 6  # destinations for one stack


def activation_options(g: State, units: Sequence[str], most: int, read: Read) -> Proposals:
    """Nothing, stacks of units near each other, and as many as the allowance holds."""
    groups: list[list[str]] = [[]]
    places = list(dict.fromkeys(g.pieces[u].at for u in units))
    by_name: dict[int, list[str]] = {}
    for unit in sorted(units):
        by_name.setdefault(g.pieces[unit].at, []).append(unit)
    for place in places:
        groups.append(_nearest(by_name, place, most))
        groups.append(by_name[place][:most])
    found: list[Plain] = []
    for group in groups:
        order: Plain = {"activate": list(group) if group else "none"}
        if order not in found:
            found.append(order)
    return Proposals(read, found)


def _nearest(by_place: Mapping[int, list[str]], place: int, most: int) -> list[str]:
    """Of units by place, in the order of their names, those nearest to a hex; 0, the China box, is far from everywhere."""
    found: list[str] = []
    rings: dict[int, list[int]] = {}
    for other in by_place:
        rings.setdefault(distance(other, place) if place and other else FAR, []).append(other)
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
    by_kind = {k: [u for u in units if g.counter(u).kind == k] for k in ("naval", "air", "ground")}
    orders: list[Plain] = []
    for h in _targets(g, side, at, naval_allowance(g)) if by_kind["naval"] or by_kind["ground"] else []:
        if by_kind["naval"]:
            orders.append(_order("move", by_kind["naval"], h))
        landers = [u for u in by_kind["ground"] if g.counter(u).lands and not may_stand(g, u, h)]
        if landers and g.board.hexes[h].coastal and asp_left(g, side):
            orders.append(_order("assault", [*landers[:1], *by_kind["naval"]], h))
            if any(g.counter(u).organic for u in landers) and any(g.counter(u).organic for u in by_kind["naval"]):
                orders.append(_order("assault", [*landers[:1], *by_kind["naval"]], h, " by organic"))
    if by_kind["air"]:
        fields = g.board.fields.hexes(own_airfields(g, side))
        goals = [f for f in _by_interest(g, side, at, fields) if f not in (at, AIR_FERRY)][:3]
        orders += [_order("move", [unit], f) for unit in by_kind["air"] for f in goals]
    if by_kind["ground"]:
        orders += _overland(g, side, at, by_kind["ground"])
    return orders


def _overland(g: State, side: str, at: int, units: list[str]) -> list[Plain]:
    costs, _ = land_costs(g, side, units, at, 2 * offensive(g).ops, False)
    places = [h for h in costs if h != at]
    return [_order("move", units, h) for h in _by_interest(g, side, at, places)[:MOST]]


def _targets(g: State, side: str, at: int, allowance: int) -> list[int]:
    """Hexes worth sailing to: enemy units and bases first, then own ports."""
    fields = g.board.fields
    enemy, ports = g.memo.cached(("worth sailing to", side), lambda: _worth_sailing_to(g, side))
    reach = sea_field(g, at, allowance) & ~(1 << fields.bit(at))
    return [
        *_by_interest(g, side, at, fields.hexes(reach & enemy))[:MOST],
        *_by_interest(g, side, at, fields.hexes(reach & ports))[:2],
    ]


def _worth_sailing_to(g: State, side: str) -> tuple[Field, Field]:
    foes = {g.pieces[u].at for u in g.on_map(FOE[side])}
    return g.board.fields.of(foes) | boards(g.board, _bases) & held(g, FOE[side]), own_ports(g, side)


def _bases(board: Board) -> Field:
    """Cities, ports and airfields."""
    return board.fields.of(h for h in board.named if board.hexes[h].base)


def _places(board: Board) -> dict[int, int]:
    """What each hex with a city, port, airfield or resource is worth to an enemy."""
    return {h: 4 * int(board.hexes[h].resource) + int(board.hexes[h].base) for h in board.named}


def _by_interest(g: State, side: str, at: int, places: Iterable[int]) -> list[int]:
    """Resource hexes, enemy units and bases first, then near ones."""
    worth: Mapping[int, int] = g.memo.cached(("worth", side), lambda: _worth(g, side))
    return [h for _, _, h in sorted((-worth.get(h, 0), distance(at, h), h) for h in places)]


def _worth(g: State, side: str) -> dict[int, int]:
    """Enemy resource hexes and bases, and hexes with enemy units; what is worth nothing is left out."""
    found = dict.fromkeys((g.pieces[u].at for u in g.on_map(FOE[side])), 2)
    control = g.control
    for h, worth in boards(g.board, _places).items():
        if control.get(h) != side:
            found[h] = found.get(h, 0) + worth
    return found


def _order(verb: str, units: Sequence[str], to: int, by: str = "") -> Plain:
    return {verb: f"{', '.join(units)} to {to:04}{by}"}


def declaration_options(g: State, mandatory: Sequence[int], read: Read) -> Proposals:
    """Attacks of free air units and carriers on what they reach, covers, and being done."""
    o = offensive(g)
    free = [
        u for u, a in o.units.items() if g.counter(u).flies and g.pieces[u].box == "map" and g.pieces[u].at not in mandatory
    ]
    foes = sorted({g.pieces[u].at for u in g.on_map(FOE[o.side])})
    orders: list[Plain] = []
    if o.event and g.board.cards[o.card].data.get("special") == "operation-z":
        decks = [u for u in free if g.counter(u).carrier]
        orders.append({"battle": f"{OAHU} with {', '.join(decks)}"})
    for place in [*mandatory, *foes]:
        for unit in free:
            if distance(g.pieces[unit].at, place) <= g.counter(unit).reach:
                orders.append({"battle": f"{place:04} with {unit}"})
        if len(orders) > 60:
            break
    landings = sorted({g.pieces[u].at for u, a in o.units.items() if a.asp or a.mode in ("organic", "barge")})
    for place in landings:
        orders += [{"cover": f"{place:04} with {u}"} for u in free if distance(g.pieces[u].at, place) <= g.counter(u).reach]
    return Proposals(read, [DONE, *orders, "again"])


def return_options(g: State, units: Sequence[str], read: Read) -> Proposals:
    """Home, and single units to ports and airfields near by."""
    orders: list[Plain] = [{"return": "home"}]
    for unit in units[:6]:
        side, at, own = g.counter(unit).side, g.pieces[unit].at, own_ports if g.counter(unit).kind != "air" else own_airfields
        orders += [{"return": f"{unit} to {b:04}"} for b in _nearest_of(g, at, own(g, side))]
    return Proposals(read, orders)


def _nearest_of(g: State, at: int, bases: Field) -> list[int]:
    def found() -> list[int]:
        return sorted(g.board.fields.hexes(bases), key=lambda b: (distance(at, b), b))[:3]

    return g.memo.cached(("nearest of", at, bases), found)
