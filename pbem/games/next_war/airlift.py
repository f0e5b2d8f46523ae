"""[8.5.2 to 8.5.5] Air Transport, Airborne and Airmobile movement, helicopters of an AMPH."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.games.next_war.air import beside_enemies, check_escort, fire, fire_at, flight, spend
from pbem.games.next_war.board import HIGH, PEAKS, distance
from pbem.games.next_war.casualties import left_marker, lose_step
from pbem.games.next_war.charts import Fire, pick
from pbem.games.next_war.choices import throw, told
from pbem.games.next_war.control import enter
from pbem.games.next_war.events import Moved, Placed
from pbem.games.next_war.movement import find_path, hostile_place
from pbem.games.next_war.orders import fields, read_own, read_place, read_places, read_unit
from pbem.games.next_war.stacking import halves
from pbem.games.next_war.state import FOE, State
from pbem.games.next_war.tallies import (
    AirmobilePointsSet,
    Landed,
    LiftShared,
    LiftUsed,
    Shipped,
    SupplyJudged,
    UnitsDone,
    UsedUp,
)
from pbem.games.next_war.zoc import zone
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.naming import read_number
from pbem.kernel.orders import illegal
from pbem.kernel.wording import die_for, msg

DROP_COLUMNS = {"flat": 0, "flat_woods": 1, "rough": 2, "marsh": 2, "rough_woods": 3}


@dataclass(frozen=True, slots=True)
class Lift:
    """A mission by air: units, path, landing hex, escort, where it goes on to afterwards."""

    units: tuple[str, ...]
    path: tuple[int, ...]
    to: int
    escort: int = 0
    after: int = 0
    points: int = 0  # airmobile capacity used, in half stacking points
    base: int = 0
    ship: str = ""


def _mission(g: State, side: str, body: Plain, keys: Sequence[str], rule: str) -> tuple[dict[str, Plain], list[str], int]:
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


def _at_base(g: State, side: str, place: int, rule: str, airfield: bool = True) -> None:
    if not g.base(side, place, airfield):
        if airfield:
            raise illegal(msg("{place} is no own Airbase or Airfield", place=g.board.name(place)), rule)
        raise illegal(msg("{place} is no own Airbase", place=g.board.name(place)), rule)
    if place in zone(g, FOE[side]):
        raise illegal(msg("{place} is in an enemy zone of control", place=g.board.name(place)), rule)


def _fly(g: State, side: str, stops: Sequence[int], most: int, rule: str) -> tuple[int, ...]:
    path = flight(g, side, stops, most)
    if path is None:
        raise illegal(msg("{place} is out of reach; hexes at most: {n}", place=g.board.name(stops[-1]), n=most), rule)
    return path


def _limit(g: State, side: str, name: str, units: Sequence[str], rule: str) -> None:
    """A limit of the game specific rules in stacking points a segment or turn. Raises Rejected."""
    most = g.p[name].get(side)
    used = g.shipped.get(f"{name} {side}", 0)
    if most is not None and used + g.stack_points(units) > 2 * int(most):
        raise illegal(msg("at most {most} stacking points, used already: {used}", most=most, used=halves(used)), rule)


def _use(g: State, side: str, name: str, units: Sequence[str], rule: str) -> None:
    key = f"{name} {side}"
    emit(g, Shipped(key, g.shipped.get(key, 0) + g.stack_points(units), rule))


# -- Air Transport -------------------------------------------------------------------------------------------------------


def read_fly(g: State, side: str, body: Plain) -> Lift:
    """[8.5.2] `fly: 1/82 to Taegu escort 1 then S3820`. Raises Rejected."""
    f, units, escort = _mission(g, side, body, ("then",), "8.5.2")
    start, to = g.pieces[units[0]].at, read_place(g, f["to"])
    for unit in units:
        airborne = g.newer and g.counter(unit).airborne
        if g.values(unit).mobility not in ("leg", "li") and not airborne:
            raise illegal(msg("{unit} is no Leg unit", unit=g.counter(unit).name), "8.5.2")
    if g.pieces[units[0]].aboard:
        raise illegal(msg("units aboard a ship do not fly"), "8.5.2")
    for place in (start, to):
        _at_base(g, side, place, "8.5.2")
    if to == start:
        raise illegal(msg("the units are there already"), "8.5.2")
    _limit(g, side, "air_transport_limit", units, "8.5.2.1")
    stops = (start, *read_places(g, f.get("via")), to) if "via" in f else (start, to)
    after = read_place(g, f["then"]) if "then" in f else 0
    if after:
        find_path(g, side, units, to, after, (), 2)
    return Lift(tuple(units), _fly(g, side, stops, 1000, "8.5.2"), to, escort, after)


def fly(g: State, side: str, lift: Lift) -> Flow[None]:
    """[8.5.2] Fire before landing, then up to half the movement allowance."""
    _use(g, side, "air_transport_limit", lift.units, "8.5.2.1")
    home = g.p["adf_drms"].get("air_transport_home", 3) if g.board.owner(lift.to) == side else 0
    found = yield from _under_fire(g, side, lift, home)
    alive = _survivors(g, lift)
    if found.abort or not alive:
        return
    emit(g, Moved(alive, lift.path, "air transport", "8.5.2"))
    yield from enter(g, side, (lift.path[0], lift.to), "8.5.2")
    if lift.after:
        yield from walk_on(g, side, alive, lift.to, lift.after, 2, "8.5.2")


def walk_on(g: State, side: str, units: Sequence[str], start: int, to: int, share: int, rule: str) -> Flow[None]:
    """Movement after a landing."""
    path = find_path(g, side, units, start, to, (), share)
    emit(g, Moved(tuple(units), path.hexes, "after landing", rule, path.spent))
    yield from enter(g, side, path.hexes, rule)


def _under_fire(g: State, side: str, lift: Lift, drm: int = 0, flew: bool = False) -> Flow[Fire]:
    """[6.6] Escort is spent, the enemy fires at the landing hex, steps are lost; the units are done for the segment."""
    spend(g, side, lift.escort, "6.2.2")
    emit(g, UnitsDone(lift.units, "8.5"))
    drm += lift.escort * int(g.p["adf_drms"].get("escort", 1))
    name = g.counter(lift.units[0]).name
    found = yield from fire(g, side, fire_at(name), lift.to, lift.path, drm, flew)
    if found.lost:
        for unit in lift.units:
            lose_step(g, unit, "6.6.1.1")
        left_marker(g, lift.path[0])
    return found


def _survivors(g: State, lift: Lift) -> tuple[str, ...]:
    return tuple(u for u in lift.units if g.pieces[u].at)


# -- Airborne ------------------------------------------------------------------------------------------------------------


def read_drop(g: State, side: str, body: Plain) -> Lift:
    """[8.5.3] `drop: 38 to N2620 escort 2 clear N2721`. Raises Rejected."""
    f, units, escort = _mission(g, side, body, ("clear",), "8.5.3")
    for unit in units:
        if not g.counter(unit).airborne:
            raise illegal(msg("{unit} is no Airborne unit", unit=g.counter(unit).name), "8.5.3")
        if g.counter(unit).airmobile:
            raise illegal(msg("{unit} is Airmobile: it moves by helicopter", unit=g.counter(unit).name), "8.5.3")
    start, to = g.pieces[units[0]].at, read_place(g, f["to"])
    _at_base(g, side, start, "8.5.3", airfield=not g.newer)
    check_drop_hex(g, side, to)
    _limit(g, side, "airborne_limit", units, "8.5.3.1")
    stops = (start, *read_places(g, f.get("via")), to) if "via" in f else (start, to)
    after = _clear_hex(g, side, to, f.get("clear"), "8.5.3")
    return Lift(tuple(units), _fly(g, side, stops, 1000, "8.5.3"), to, escort, after)


def check_drop_hex(g: State, side: str, to: int) -> None:
    """[8.5.3] Where paratroops land. Raises Rejected."""
    there = g.board.hexes[to]
    if (
        not there.land
        or there.terrain in (*PEAKS, *HIGH, "urban")
        or there.city
        or there.jungle
        or (there.installations and g.board.owner(to) != side)
    ):
        raise illegal(
            msg("paratroops cannot land in {place}", place=g.board.name(to)),
            "8.5.3",
            msg("not in mountains, highlands, an Urban, City or enemy Installation hex"),
        )
    if g.ground(FOE[side], to):
        raise illegal(msg("enemy units stand in {place}", place=g.board.name(to)), "8.5.3")


def _clear_hex(g: State, side: str, to: int, text: Plain, rule: str) -> int:
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


def drop(g: State, side: str, lift: Lift) -> Flow[None]:
    """[8.5.3] Fire, landing, a die on the Paradrop table."""
    _use(g, side, "airborne_limit", lift.units, "8.5.3.1")
    found = yield from _under_fire(g, side, lift)
    alive = _survivors(g, lift)
    if found.abort or not alive:
        return
    emit(g, Moved(alive, lift.path, "paradrop", "8.5.3"))
    drm = int(g.newer and lift.to in zone(g, FOE[side]))
    label = die_for("paradrop, {name}", name=g.board.name(lift.to))
    die = yield from throw(label, "8.5.3", FOE[side])
    steps = int(pick(g.p["paradrop_table"], die + drm)[DROP_COLUMNS[g.board.hexes[lift.to].terrain]])
    told(g, label, die, drm, "steps lost", "8.5.3", steps)
    for unit in alive:
        for _ in range(steps):
            if g.pieces[unit].at:
                lose_step(g, unit, "8.5.3")
    yield from _settle(g, side, lift, "airborne", "8.5.3")


def _settle(g: State, side: str, lift: Lift, how: str, rule: str) -> Flow[None]:
    alive = _survivors(g, lift)
    left_marker(g, lift.path[0])
    if not alive:
        return
    for unit in alive:
        emit(g, Landed(unit, how, rule))
    if any(u in g.unsupplied for u in alive):
        emit(g, SupplyJudged(tuple(u for u in g.unsupplied if u not in alive), "13.1.4"))
    if lift.after:
        emit(g, Moved(alive, (lift.to, lift.after), "after landing", rule))
    yield from enter(g, side, (lift.path[0], lift.after or lift.to), rule)


# -- Airmobile -----------------------------------------------------------------------------------------------------------


def read_lift(g: State, side: str, body: Plain) -> Lift:
    """[8.5.4] `lift: 17, 60 base N2202 to N2914 escort 1 clear N2915`. Raises Rejected."""
    f, units, escort = _mission(g, side, body, ("base", "clear"), "8.5.4")
    for unit in units:
        if not g.counter(unit).yellow:
            raise illegal(msg("{unit} is not airmobile-capable", unit=g.counter(unit).name), "8.5.4")
        if g.pieces[unit].aboard:
            raise illegal(msg("units aboard a ship are lifted by its own helicopters"), "8.5.5")
    start, to = g.pieces[units[0]].at, read_place(g, f["to"])
    base = read_place(g, f.get("base")) if "base" in f else _nearest_base(g, side, start)
    if not g.base(side, base):
        raise illegal(msg("{place} is no own Airbase or Airfield", place=g.board.name(base)), "8.5.4.3")
    check_airmobile_hex(g, side, to)
    if to == start:
        raise illegal(msg("the units are there already"), "8.5.4")
    needed = g.stack_points([u for u in units if not own_wings(g, u)])
    shared = g.shared_lift.get(start, 0)
    if needed - shared > g.lift[side]:
        raise illegal(
            msg("Airmobile Points needed: {needed}; left: {left}", needed=halves(needed), left=halves(g.lift[side])), "8.5.4.1"
        )
    extra = _zone_cost(g, side, start, to)
    if g.newer and g.board.hexes[start].terrain == "high_mountain":
        raise illegal(msg("no airmobile movement out of a high mountain"), "8.5.4.3.1")
    stops = (base, start, *read_places(g, f.get("via")), to) if "via" in f else (base, start, to)
    whole = _fly(g, side, stops, 24 - extra, "8.5.4.3")
    path = whole[whole.index(start) :] if base != start else whole
    after = _clear_hex(g, side, to, f.get("clear"), "8.5.4.3")
    return Lift(tuple(units), path, to, escort, after, needed, base)


def _nearest_base(g: State, side: str, start: int) -> int:
    found = min(((distance(h, start), h) for h in g.board.bases if g.base(side, h)), default=(25, 0))
    if found[0] > 24:
        raise illegal(msg("there is no own Airbase or Airfield within 24 hexes"), "8.5.4.3")
    return found[1]


def _zone_cost(g: State, side: str, start: int, to: int) -> int:
    """[8.2.2] One point more out of and into an enemy zone of control."""
    foes = zone(g, FOE[side])
    return int(start in foes) + int(to in foes and not g.ground(side, to))


def check_airmobile_hex(g: State, side: str, to: int) -> None:
    """[8.5.4.3.1] Where airmobile units land. Raises Rejected."""
    there = g.board.hexes[to]
    if (
        not there.land
        or there.terrain == "high_mountain"
        or (there.terrain in (*HIGH, "mountain") and not g.board.has_road(to))
    ):
        raise illegal(
            msg("helicopters cannot land in {place}", place=g.board.name(to)),
            "8.5.4.3.1",
            msg("highlands and mountains need a road"),
        )
    if there.needs_clearing and not g.holds(side, to):
        raise illegal(
            msg("{place} is an enemy-controlled Urban, City or Installation hex", place=g.board.name(to)), "8.5.4.3.1"
        )
    if g.ground(FOE[side], to):
        raise illegal(msg("enemy units stand in {place}", place=g.board.name(to)), "8.2.2")


def lift_units(g: State, side: str, lift: Lift) -> Flow[None]:
    """[8.5.4.3, 6.6] Points are used; fire at the start in enemy country or an enemy zone, then at the landing hex."""
    start, name = lift.path[0], g.counter(lift.units[0]).name
    _use_points(g, side, lift)
    spend(g, side, lift.escort, "6.2.2")
    emit(g, UnitsDone(lift.units, "8.5.4"))
    escort = lift.escort * int(g.p["adf_drms"].get("escort", 1))
    if fired_at_start(g, side, start):
        found = yield from fire(g, side, fire_at(name), start, (start,), escort, True, "6.6")
        _lift_loss(g, side, lift, found)
        if found.abort or not _survivors(g, lift):
            return
        lift = replace(lift, units=_survivors(g, lift))
    found = yield from fire(g, side, fire_at(name), lift.to, lift.path, escort, True)
    _lift_loss(g, side, lift, found)
    alive = _survivors(g, lift)
    if found.abort or not alive:
        left_marker(g, start)
        return
    emit(g, Moved(alive, lift.path, "airmobile", "8.5.4"))
    yield from _settle(g, side, lift, "airmobile", "8.5.4.3")


def fired_at_start(g: State, side: str, start: int) -> bool:
    """[6.6] Who starts in enemy country or an enemy zone is fired at there too; nobody is aboard a ship at sea."""
    return g.board.hexes[start].land and (start in zone(g, FOE[side]) or g.board.owner(start) == FOE[side])


def own_wings(g: State, unit: str) -> bool:
    """[8.5.4.1, 13.1.5] An Airmobile unit in supply flies without points."""
    return g.counter(unit).airmobile and unit not in g.unsupplied


def _use_points(g: State, side: str, lift: Lift) -> None:
    """[8.5.4.1] Whole points are used; a half point left over serves units that start in the same hex."""
    start = lift.path[0]
    shared = g.shared_lift.get(start, 0)
    fresh = max(0, lift.points - shared)
    used = fresh + fresh % 2
    emit(g, LiftUsed(side, max(0, g.lift[side] - used)))
    emit(g, LiftShared(start, shared + used - lift.points))


def _lift_loss(g: State, side: str, lift: Lift, found: Fire) -> None:
    """[8.5.4.2] A permanent loss: a step of the units, and one of the points that were used."""
    if not found.lost:
        return
    for unit in lift.units:
        lose_step(g, unit, "6.6.1.1")
    if lift.points and g.lift_points[side]:
        emit(g, AirmobilePointsSet(side, g.lift_points[side] - 1, "8.5.4.2"))


# -- helicopters of an AMPH ----------------------------------------------------------------------------------------------


def read_marine_lift(g: State, side: str, body: Plain) -> Lift:
    """[8.5.5] `marine-lift: 1/4 by Amph 1 to N3806`: Marines by the helicopters of an AMPH. Raises Rejected."""
    if g.storm:
        raise illegal(msg("no air movement in a Storm"), "4.1.3")
    f = fields(body, ("by", "to", "via", "escort", "clear"), ("units", "by", "to"))
    units, ship = read_own(g, f["units"], side, "8.5.5"), read_unit(g, f["by"], side)
    counter, place = g.counter(ship), g.pieces[ship].at
    if counter.kind != "AMPH" or counter.seat != side or not counter.lift or not place:
        raise illegal(msg("{unit} is no own AMPH with helicopters in a sea or Port hex", unit=counter.name), "8.5.5")
    if f"lift {ship}" in g.fired:
        raise illegal(msg("the helicopters of {unit} have flown in this segment", unit=counter.name), "8.5.5")
    for unit in units:
        if not g.counter(unit).marine:
            raise illegal(msg("{unit} is no Marine unit", unit=g.counter(unit).name), "8.5.5")
        if (
            unit in g.moved
            or unit in g.poised
            or not (g.pieces[unit].aboard == ship or (g.pieces[unit].at and not g.pieces[unit].aboard))
        ):
            raise illegal(msg("{unit} cannot be lifted now", unit=g.counter(unit).name), "8.5.5")
    if g.stack_points(units) > 2 * counter.lift:
        raise illegal(msg("{unit} lifts at most {points} stacking points", unit=counter.name, points=counter.lift), "2.4.1")
    starts = {g.pieces[u].at for u in units}
    if len(starts) > 1:
        raise illegal(msg("units of one mission start together"), "8.5.5")
    to = read_place(g, f["to"])
    check_airmobile_hex(g, side, to)
    start = starts.pop()
    if to == start:
        raise illegal(msg("the units are there already"), "8.5.5")
    escort = read_number(f.get("escort", 0), 0, 2, "6.2.2")
    check_escort(g, side, escort)
    via = read_places(g, f["via"]) if "via" in f else []
    whole = _fly(g, side, (place, start, *via, to), 24, "8.5.5")
    path = whole[whole.index(start) :]
    return Lift(tuple(units), path, to, escort, _clear_hex(g, side, to, f.get("clear"), "8.5.5"), 0, 0, ship)


def marine_lift(g: State, side: str, lift: Lift) -> Flow[None]:
    """[8.5.5] The helicopters themselves suffer no loss."""
    emit(g, UsedUp((f"lift {lift.ship}",), "8.5.5"))
    start, ashore = lift.path[0], not g.pieces[lift.units[0]].aboard
    if ashore and fired_at_start(g, side, start):
        escort = lift.escort * int(g.p["adf_drms"].get("escort", 1))
        found = yield from fire(g, side, fire_at(g.counter(lift.units[0]).name), start, (start,), escort, True, "6.6")
        _lift_loss(g, side, lift, found)
        if found.abort or not _survivors(g, lift):
            spend(g, side, lift.escort, "6.2.2")
            emit(g, UnitsDone(lift.units, "8.5"))
            return
        lift = replace(lift, units=_survivors(g, lift))
    found = yield from _under_fire(g, side, lift, 0, True)
    alive = _survivors(g, lift)
    if found.abort or not alive:
        return
    for unit in alive:
        if g.pieces[unit].aboard:
            emit(g, Placed(unit, lift.to, "", "8.5.5"))
    emit(g, Moved(alive, lift.path, "airmobile", "8.5.5"))
    yield from _settle(g, side, lift, "airmobile", "8.5.5")
