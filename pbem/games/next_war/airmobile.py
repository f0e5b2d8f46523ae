"""[8.5.4] Airmobile movement, [8.5.5] helicopters of an AMPH."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from pbem.games.next_war.air import check_escort, fire, fire_at, spend
from pbem.games.next_war.air_missions import Lift, read_clear_hex, read_mission, settle, survivors, under_fire, way_of_flight
from pbem.games.next_war.board import HIGH, distance
from pbem.games.next_war.casualties import lose_step
from pbem.games.next_war.charts import Fire
from pbem.games.next_war.events.air import AirmobilePointsSet, LiftShared, LiftUsed
from pbem.games.next_war.events.moves import Moved, Placed
from pbem.games.next_war.events.turns import UnitsDone, UsedUp
from pbem.games.next_war.orders import fields, read_own, read_place, read_places, read_unit
from pbem.games.next_war.stacking import halves
from pbem.games.next_war.state import FOE, State
from pbem.games.next_war.zoc import zone
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.naming import read_number
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg


def read_lift(g: State, side: str, body: Plain) -> Lift:
    """[8.5.4] `lift: 17, 60 base N2202 to N2914 escort 1 clear N2915`. Raises Rejected."""
    f, units, escort = read_mission(g, side, body, ("base", "clear"), "8.5.4")
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
    _check_marker(g, side, start, to)
    if to == start:
        raise illegal(msg("the units are there already"), "8.5.4")
    needed = check_points(g, side, units)
    extra = _zone_cost(g, side, start, to)
    if g.newer and g.board.hexes[start].terrain == "high_mountain":
        raise illegal(msg("no airmobile movement out of a high mountain"), "8.5.4.3.1")
    stops = (base, start, *read_places(g, f.get("via")), to) if "via" in f else (base, start, to)
    whole = way_of_flight(g, side, stops, 24 - extra, "8.5.4.3")
    path = whole[whole.index(start) :] if base != start else whole
    after = read_clear_hex(g, side, to, f.get("clear"), "8.5.4.3")
    return Lift(tuple(units), path, to, escort, after, needed, base)


def check_points(g: State, side: str, units: Sequence[str]) -> int:
    """[8.5.4.1] What a lift of units of one hex needs, in half points. Raises Rejected."""
    needed = g.stack_points([u for u in units if not own_wings(g, u)])
    if needed - g.shared_lift.get(g.pieces[units[0]].at, 0) > g.lift[side]:
        raise illegal(
            msg("Airmobile Points needed: {needed}; left: {left}", needed=halves(needed), left=halves(g.lift[side])), "8.5.4.1"
        )
    return needed


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


def _check_marker(g: State, side: str, start: int, to: int) -> None:
    """[8.4.1.3] Who leaves a Clearing marker enters no enemy zone, by air neither. Raises Rejected."""
    if g.under_marker(start, side) and to in zone(g, FOE[side]):
        raise illegal(msg("{place} is in an enemy zone of control", place=g.board.name(to)), "8.4.1.3")


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
        if found.abort or not survivors(g, lift):
            return
        lift = replace(lift, units=survivors(g, lift))
    found = yield from fire(g, side, fire_at(name), lift.to, lift.path, escort, True)
    _lift_loss(g, side, lift, found)
    alive = survivors(g, lift)
    if found.abort or not alive:
        return
    emit(g, Moved(alive, lift.path, "airmobile", "8.5.4"))
    yield from settle(g, side, lift, "airmobile", "8.5.4.3")


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
    _check_marker(g, side, start, to)
    if to == start:
        raise illegal(msg("the units are there already"), "8.5.5")
    escort = read_number(f.get("escort", 0), 0, 2, "6.2.2")
    check_escort(g, side, escort)
    via = read_places(g, f["via"]) if "via" in f else []
    whole = way_of_flight(g, side, (place, start, *via, to), 24, "8.5.5")
    path = whole[whole.index(start) :]
    return Lift(tuple(units), path, to, escort, read_clear_hex(g, side, to, f.get("clear"), "8.5.5"), 0, 0, ship)


def marine_lift(g: State, side: str, lift: Lift) -> Flow[None]:
    """[8.5.5] The helicopters themselves suffer no loss."""
    emit(g, UsedUp((f"lift {lift.ship}",), "8.5.5"))
    start, ashore = lift.path[0], not g.pieces[lift.units[0]].aboard
    if ashore and fired_at_start(g, side, start):
        escort = lift.escort * int(g.p["adf_drms"].get("escort", 1))
        found = yield from fire(g, side, fire_at(g.counter(lift.units[0]).name), start, (start,), escort, True, "6.6")
        _lift_loss(g, side, lift, found)
        if found.abort or not survivors(g, lift):
            spend(g, side, lift.escort, "6.2.2")
            emit(g, UnitsDone(lift.units, "8.5"))
            return
        lift = replace(lift, units=survivors(g, lift))
    found = yield from under_fire(g, side, lift, 0, True)
    alive = survivors(g, lift)
    if found.abort or not alive:
        return
    for unit in alive:
        if g.pieces[unit].aboard:
            emit(g, Placed(unit, lift.to, "", "8.5.5"))
    emit(g, Moved(alive, lift.path, "airmobile", "8.5.5"))
    yield from settle(g, side, lift, "airmobile", "8.5.5")
