"""[10.1] Where reinforcements and rebuilt units may come in, and units that have to leave a hex in a hurry."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.empire_of_the_sun.activation import hqs, in_command
from pbem.games.empire_of_the_sun.board import AIR_FERRY, KUNMING, distance
from pbem.games.empire_of_the_sun.china_box import burma_road_open
from pbem.games.empire_of_the_sun.events.units import Eliminated, Placed
from pbem.games.empire_of_the_sun.fields import Field
from pbem.games.empire_of_the_sun.losses import eliminate, out_box
from pbem.games.empire_of_the_sun.movement.air import box_full
from pbem.games.empire_of_the_sun.nations import commands
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, SIDES, State, nearest_first
from pbem.games.empire_of_the_sun.supply import (
    by_supply,
    held,
    hexes_fed_by,
    limits_of,
    own_airfields,
    own_ports,
    source_lines,
    supplied,
    zones,
)
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_place, choose_unit
from pbem.kernel.wording import msg

AIR_GROUND_LIMIT = 3  # [8.34]
NAVAL_LIMIT = 6  # [8.24]
EMERGENCY_SAIL = 10  # [8.22]


def room(g: State, unit: str, place: int) -> bool:
    """[8.24] [8.34] The unit fits into the stacking limits of the hex, an air unit beside its LRB twin counting once."""
    counter = g.counter(unit)
    if counter.kind == "hq":
        return not [u for side in SIDES for u in g.mine_at(side, place, "hq")]
    here = g.mine_at(counter.side, place)
    if counter.kind == "naval":
        ships = [u for u in here if g.counter(u).kind == "naval"]
        return len(ships) < NAVAL_LIMIT if g.second else sum(g.counter(u).type == counter.type for u in ships) < NAVAL_LIMIT
    return stack_size(g, [*here, unit]) <= AIR_GROUND_LIMIT


def stack_size(g: State, units: Iterable[str]) -> int:
    """Air and ground units, twins counted once [8.34]."""
    return len({u.removesuffix("-lrb") for u in units if g.counter(u).kind in ("air", "ground")})


def entry_hexes(g: State, unit: str) -> list[int]:
    """[10.11] Friendly supplied ports (airfields for air units) in range of a fitting HQ, outside hostile zones."""
    return g.memo.cached(("entry", unit), lambda: _entry_hexes(g, unit))


def _entry_hexes(g: State, unit: str) -> list[int]:
    counter = g.counter(unit)
    side = counter.side
    if counter.nation == "chinese":
        return [KUNMING] if KUNMING in g.board.hexes and room(g, unit, KUNMING) else []
    if counter.kind == "hq":
        return [p for p in g.board.ports if g.holds(side, p) and room(g, unit, p) and port_fed(g, side, p)]
    if counter.kind == "naval" and g.second:
        return g.memo.cached(("entry", side, g.board.allegiance[unit]), lambda: _bases_with_room(g, unit))
    return _bases_with_room(g, unit)


def _bases_with_room(g: State, unit: str) -> list[int]:
    """The bases as well, where there is room; for ships of the second edition it is the same for all of a command."""
    counter = g.counter(unit)
    key = ("open bases", counter.side, counter.kind == "air", g.board.allegiance[unit])
    return [b for b in g.memo.cached(key, lambda: _open_bases(g, unit)) if room(g, unit, b)]


def _open_bases(g: State, unit: str) -> list[int]:
    """Bases for units of this kind and command, whether or not there is room."""
    counter, fields = g.counter(unit), g.board.fields
    side = counter.side
    own = own_airfields(g, side) & ~fields.one[AIR_FERRY] if counter.kind == "air" else own_ports(g, side)
    open_to = own & ~zones(g).hostile(side) & _hq_reach(g, unit)
    return fields.hexes(open_to & ~g.standing.field(FOE[side]))


def _hq_reach(g: State, unit: str) -> Field:
    """An HQ that came in this turn covers its own hex only."""
    counter = g.counter(unit)
    found = 0
    for hq in hqs(g, counter.side):
        us_air = counter.nation == "us" and counter.kind == "air"  # [9.12] any Allied HQ
        if supplied(g, hq) and (us_air or commands(g, g.counter(hq), counter)):
            found |= g.board.fields.one[g.pieces[hq].at] if hq in g.new_hqs else _range_of(g, hq)
    return found


def _range_of(g: State, hq: str) -> Field:
    return by_supply(g, ("supply range", hq), lambda: hexes_fed_by(g, hq))


def port_fed(g: State, side: str, port: int) -> bool:
    """A line from an ultimate source leads to the port."""
    reach = by_supply(g, ("sources", side), lambda: source_lines(g, side, limits_of(g, side)).all)
    return g.board.fields.has(reach, port)


def may_enter_china_box(g: State, unit: str) -> bool:
    """[13.72] [13.74] Allied air units may come in directly to the China box; second edition: by the open Burma Road."""
    counter = g.counter(unit)
    if counter.kind != "air" or counter.side != ALLIES or "china" in g.surrendered or KUNMING not in g.board.hexes:
        return False
    if (g.second or counter.b29) and not burma_road_open(g):
        return False
    return not box_full(g, [*g.china_box(), unit])


def fed_hexes(g: State, side: str) -> frozenset[int]:
    """Hexes that a line from some supplied HQ of a side reaches within its command range."""
    return by_supply(g, ("fed", side), lambda: _fed_hexes(g, side))


def _fed_hexes(g: State, side: str) -> frozenset[int]:
    found = 0
    for hq in hqs(g, side):
        if supplied(g, hq):
            found |= _range_of(g, hq)
    return frozenset(g.board.fields.hexes(found))


# -- leaving in a hurry ---------------------------------------------------------------------------------------------------


def havens(g: State, unit: str) -> list[int]:
    """[8.22] [8.32] Bases to which a unit may be put when the enemy gains control of its hex, nearest first."""
    counter, at = g.counter(unit), g.pieces[unit].at
    if counter.kind == "naval":
        bases, limit = g.board.ports, EMERGENCY_SAIL
    else:
        bases, limit = g.board.airfields, counter.leg
    found = [b for b in bases if g.holds(counter.side, b) and distance(at, b) <= limit and b not in (at, AIR_FERRY)]
    return nearest_first(at, [b for b in found if not g.mine_at(FOE[counter.side], b, "ground")])


def displaced(g: State) -> list[str]:
    """Air and naval units that stand in hexes of the enemy, Allies first."""
    found = []
    for side in SIDES:
        if not g.standing.field(side) & held(g, FOE[side]):
            continue
        for unit in g.on_map(side):
            piece, counter = g.pieces[unit], g.counter(unit)
            land = g.board.hexes[piece.at].is_land
            if counter.kind in ("air", "naval") and land and g.holds(FOE[side], piece.at):
                found.append(unit)
    return found


def emergency(g: State, rule: str = "8.22") -> Flow[None]:
    """[8.22] [8.32] The owner puts each such unit into a base in reach; without one it is eliminated."""
    for unit in displaced(g):
        places = havens(g, unit)
        if not places:
            eliminate(g, unit, rule)
            continue
        why = msg("{unit} has to leave {place}", unit=g.counter(unit).name, place=g.board.name(g.pieces[unit].at))
        to = yield from choose_place(g.board.place_index, g.counter(unit).side, "refuge", rule, why, places)
        emit(g, Placed(unit, to, "map", rule))


# -- HQs and stacks ---------------------------------------------------------------------------------------------------------


def displace_hqs(g: State) -> None:
    """[6.14] An HQ in a hex of the enemy leaves for the turn track; ABDA and Malaya never come back."""
    for side in SIDES:
        for hq in hqs(g, side):
            if g.holds(FOE[side], g.pieces[hq].at):
                send_hq_away(g, hq, "6.14")


def send_hq_away(g: State, hq: str, rule: str) -> None:
    """An HQ leaves the map."""
    if g.counter(hq).prewar:
        emit(g, Placed(hq, 0, "removed", rule))
    else:
        emit(g, Placed(hq, 0, "track", rule, due=g.turn + 1, undelayable=True))


def check_stacks(g: State) -> Flow[None]:
    """[8.24] [8.34] Too many in a hex: the owner removes some, supplied ones to the turn track."""
    for side in SIDES:
        stacks = g.standing.hexes[side]
        for place in sorted(p for p, units in stacks.items() if len(units) > min(NAVAL_LIMIT, AIR_GROUND_LIMIT)):
            for naval in (False, True):
                while _excess(g, side, place, naval):
                    crowd, rule = _excess(g, side, place, naval), "8.24" if naval else "8.34"
                    why = msg("too many units in {place}: one has to go", place=g.board.name(place))
                    unit = yield from choose_unit(g.board.unit_index, side, "overflow", rule, why, crowd)
                    _remove_excess(g, unit, naval)


def _excess(g: State, side: str, place: int, naval: bool) -> list[str]:
    """Units of which one has to go, or none."""
    here = g.mine_at(side, place)
    if len(here) <= (NAVAL_LIMIT if naval else AIR_GROUND_LIMIT):
        return []
    if naval:
        ships = [u for u in here if g.counter(u).kind == "naval"]
        if g.second:
            return ships if len(ships) > NAVAL_LIMIT else []
        kinds = sorted({g.counter(u).type for u in ships})
        crowded = [t for t in kinds if sum(g.counter(u).type == t for u in ships) > NAVAL_LIMIT]
        return [u for u in ships if g.counter(u).type in crowded]
    if stack_size(g, here) <= AIR_GROUND_LIMIT:
        return []
    air = [u for u in here if g.counter(u).kind == "air"]
    return air if air and not g.second else [u for u in here if g.counter(u).kind in ("air", "ground")]


def _remove_excess(g: State, unit: str, naval: bool) -> None:
    rule = "8.24" if naval else "8.34"
    if supplied(g, unit):
        turns = 1 if naval or g.second else 2
        emit(g, Placed(unit, 0, "track", rule, due=g.turn + turns, undelayable=True))
    else:
        emit(g, Eliminated(unit, "removed" if not g.second else out_box(g, unit), rule))


__all__ = ["check_stacks", "displace_hqs", "emergency", "entry_hexes", "havens", "in_command", "room"]
