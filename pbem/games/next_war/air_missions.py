"""[8.5.2 to 8.5.5] What missions of Air Transport, Airborne and Airmobile units have in common."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.games.next_war.air import beside_enemies, check_escort, fire, fire_at, flight, spend
from pbem.games.next_war.casualties import lose_step
from pbem.games.next_war.charts import Fire
from pbem.games.next_war.control import enter
from pbem.games.next_war.events.losses import SupplyJudged
from pbem.games.next_war.events.moves import Landed, Moved
from pbem.games.next_war.events.sea import Shipped
from pbem.games.next_war.events.turns import UnitsDone
from pbem.games.next_war.obstacles import hostile_place
from pbem.games.next_war.orders import fields, read_own, read_place
from pbem.games.next_war.searches import find_path
from pbem.games.next_war.stacking import halves
from pbem.games.next_war.state import FOE, State
from pbem.games.next_war.zoc import zone
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.naming import read_number
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg


class Lift(Struct, frozen=True):
    """A mission by air: units, path, landing hex, escort, where it goes on to afterwards."""

    units: tuple[str, ...]
    path: tuple[int, ...]
    to: int
    escort: int = 0
    after: int = 0
    points: int = 0  # airmobile capacity used, in half stacking points
    base: int = 0
    ship: str = ""


def read_mission(g: State, side: str, body: Plain, keys: Sequence[str], rule: str) -> tuple[dict[str, Plain], list[str], int]:
    """Fields, units that start together, escort. Raises Rejected."""
    if g.storm:
        raise illegal(msg("no air movement in a Storm"), "4.1.3")
    f = fields(body, (*keys, "to", "from", "via", "escort"), ("units", "to"))
    units = read_own(g, f["units"], side, rule)
    for unit in units:
        if not g.counter(unit).ground or not g.pieces[unit].at:
            raise illegal(msg("{unit} is no ground unit on the map", unit=g.counter(unit).name), rule)
        if unit in g.moved:
            raise illegal(msg("{unit} has moved in this segment", unit=g.counter(unit).name), rule)
    if len({(g.pieces[u].at, g.pieces[u].aboard) for u in units}) > 1:
        raise illegal(msg("units of one mission start together"), rule)
    if "from" in f and read_place(g, f["from"]) != g.pieces[units[0]].at:
        raise illegal(msg("the units are in {place}", place=g.board.name(g.pieces[units[0]].at)), rule)
    escort = read_number(f.get("escort", 0), 0, 2, "6.2.2")
    check_escort(g, side, escort)
    return f, units, escort


def check_base(g: State, side: str, place: int, rule: str, airfield: bool = True) -> None:
    if not g.base(side, place, airfield):
        if airfield:
            raise illegal(msg("{place} is no own Airbase or Airfield", place=g.board.name(place)), rule)
        raise illegal(msg("{place} is no own Airbase", place=g.board.name(place)), rule)
    if place in zone(g, FOE[side]):
        raise illegal(msg("{place} is in an enemy zone of control", place=g.board.name(place)), rule)


def way_of_flight(g: State, side: str, stops: Sequence[int], most: int, rule: str) -> tuple[int, ...]:
    path = flight(g, side, stops, most)
    if path is None:
        raise illegal(msg("{place} is out of reach; hexes at most: {n}", place=g.board.name(stops[-1]), n=most), rule)
    return path


def check_limit(g: State, side: str, name: str, units: Sequence[str], rule: str) -> None:
    """A limit of the game specific rules in stacking points a segment or turn. Raises Rejected."""
    most = g.p[name].get(side)
    used = g.shipped.get(f"{name} {side}", 0)
    if most is not None and used + g.stack_points(units) > 2 * int(most):
        raise illegal(msg("at most {most} stacking points, used already: {used}", most=most, used=halves(used)), rule)


def count_shipped(g: State, side: str, name: str, units: Sequence[str], rule: str) -> None:
    key = f"{name} {side}"
    emit(g, Shipped(key, g.shipped.get(key, 0) + g.stack_points(units), rule))


def walk_on(g: State, side: str, units: Sequence[str], start: int, to: int, share: int, rule: str) -> Flow[None]:
    """Movement after a landing."""
    path = find_path(g, side, units, start, to, (), share)
    emit(g, Moved(tuple(units), path.hexes, "after landing", rule, path.spent))
    yield from enter(g, side, path.hexes, rule)


def under_fire(g: State, side: str, lift: Lift, drm: int = 0, flew: bool = False) -> Flow[Fire]:
    """[6.6] Escort is spent, the enemy fires at the landing hex, steps are lost; the units are done for the segment."""
    spend(g, side, lift.escort, "6.2.2")
    emit(g, UnitsDone(lift.units, "8.5"))
    drm += lift.escort * int(g.p["adf_drms"].get("escort", 1))
    name = g.counter(lift.units[0]).name
    found = yield from fire(g, side, fire_at(name), lift.to, lift.path, drm, flew)
    if found.lost:
        for unit in lift.units:
            lose_step(g, unit, "6.6.1.1")
    return found


def survivors(g: State, lift: Lift) -> tuple[str, ...]:
    return tuple(u for u in lift.units if g.pieces[u].at)


def read_clear_hex(g: State, side: str, to: int, text: Plain, rule: str) -> int:
    """The hex next to the landing that is entered to be cleared. Raises Rejected."""
    if text is None:
        return 0
    place = read_place(g, text)
    foes = beside_enemies(g, side) if g.newer else zone(g, FOE[side])
    if to in foes:
        raise illegal(msg("a unit that lands in an enemy zone of control moves no farther"), rule)
    if place not in g.board.land_near[to] or not hostile_place(g, side, place) or g.ground(FOE[side], place):
        raise illegal(
            msg("{place} is no empty enemy City, Urban or Installation hex next to the landing", place=g.board.name(place)),
            rule,
        )
    return place


def settle(g: State, side: str, lift: Lift, how: str, rule: str) -> Flow[None]:
    alive = survivors(g, lift)
    if not alive:
        return
    for unit in alive:
        emit(g, Landed(unit, how, rule))
    if any(u in g.unsupplied for u in alive):
        emit(g, SupplyJudged(tuple(u for u in g.unsupplied if u not in alive), "13.1.4"))
    if lift.after:
        emit(g, Moved(alive, (lift.to, lift.after), "after landing", rule))
    yield from enter(g, side, (lift.path[0], lift.after or lift.to), rule)
