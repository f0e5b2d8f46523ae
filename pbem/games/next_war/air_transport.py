"""[8.5.2] Air Transport, [8.5.3] Airborne movement."""

from __future__ import annotations

from pbem.games.next_war.air_missions import (
    Lift,
    check_base,
    check_limit,
    count_shipped,
    read_clear_hex,
    read_mission,
    settle,
    survivors,
    under_fire,
    walk_on,
    way_of_flight,
)
from pbem.games.next_war.board import HIGH, PEAKS
from pbem.games.next_war.casualties import lose_step
from pbem.games.next_war.charts import pick
from pbem.games.next_war.choices import throw, told
from pbem.games.next_war.control import enter
from pbem.games.next_war.events.moves import Moved
from pbem.games.next_war.orders import read_place, read_places
from pbem.games.next_war.searches import find_path
from pbem.games.next_war.state import FOE, State
from pbem.games.next_war.zoc import zone
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.orders import illegal
from pbem.kernel.wording import die_for, msg

DROP_COLUMNS = {"flat": 0, "flat_woods": 1, "rough": 2, "marsh": 2, "rough_woods": 3}


def read_fly(g: State, side: str, body: Plain) -> Lift:
    """[8.5.2] `fly: 1/82 to Taegu escort 1 then S3820`. Raises Rejected."""
    f, units, escort = read_mission(g, side, body, ("then",), "8.5.2")
    start, to = g.pieces[units[0]].at, read_place(g, f["to"])
    for unit in units:
        airborne = g.newer and g.counter(unit).airborne
        if g.values(unit).mobility not in ("leg", "li") and not airborne:
            raise illegal(msg("{unit} is no Leg unit", unit=g.counter(unit).name), "8.5.2")
    if g.pieces[units[0]].aboard:
        raise illegal(msg("units aboard a ship do not fly"), "8.5.2")
    for place in (start, to):
        check_base(g, side, place, "8.5.2")
    if to == start:
        raise illegal(msg("the units are there already"), "8.5.2")
    check_limit(g, side, "air_transport_limit", units, "8.5.2.1")
    stops = (start, *read_places(g, f.get("via")), to) if "via" in f else (start, to)
    after = read_place(g, f["then"]) if "then" in f else 0
    if after:
        find_path(g, side, units, to, after, (), 2)
    return Lift(tuple(units), way_of_flight(g, side, stops, 1000, "8.5.2"), to, escort, after)


def fly(g: State, side: str, lift: Lift) -> Flow[None]:
    """[8.5.2] Fire before landing, then up to half the movement allowance."""
    count_shipped(g, side, "air_transport_limit", lift.units, "8.5.2.1")
    home = g.p["adf_drms"].get("air_transport_home", 3) if g.board.owner(lift.to) == side else 0
    found = yield from under_fire(g, side, lift, home)
    alive = survivors(g, lift)
    if found.abort or not alive:
        return
    emit(g, Moved(alive, lift.path, "air transport", "8.5.2"))
    yield from enter(g, side, (lift.path[0], lift.to), "8.5.2")
    if lift.after:
        yield from walk_on(g, side, alive, lift.to, lift.after, 2, "8.5.2")


def read_drop(g: State, side: str, body: Plain) -> Lift:
    """[8.5.3] `drop: 38 to N2620 escort 2 clear N2721`. Raises Rejected."""
    f, units, escort = read_mission(g, side, body, ("clear",), "8.5.3")
    for unit in units:
        if not g.counter(unit).airborne:
            raise illegal(msg("{unit} is no Airborne unit", unit=g.counter(unit).name), "8.5.3")
        if g.counter(unit).airmobile:
            raise illegal(msg("{unit} is Airmobile: it moves by helicopter", unit=g.counter(unit).name), "8.5.3")
    start, to = g.pieces[units[0]].at, read_place(g, f["to"])
    check_base(g, side, start, "8.5.3", airfield=not g.newer)
    check_drop_hex(g, side, to)
    check_limit(g, side, "airborne_limit", units, "8.5.3.1")
    stops = (start, *read_places(g, f.get("via")), to) if "via" in f else (start, to)
    after = read_clear_hex(g, side, to, f.get("clear"), "8.5.3")
    return Lift(tuple(units), way_of_flight(g, side, stops, 1000, "8.5.3"), to, escort, after)


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


def drop(g: State, side: str, lift: Lift) -> Flow[None]:
    """[8.5.3] Fire, landing, a die on the Paradrop table."""
    count_shipped(g, side, "airborne_limit", lift.units, "8.5.3.1")
    found = yield from under_fire(g, side, lift)
    alive = survivors(g, lift)
    if found.abort or not alive:
        return
    emit(g, Moved(alive, lift.path, "paradrop", "8.5.3"))
    label = die_for("paradrop, {name}", name=g.board.name(lift.to))
    die = yield from throw(label, "8.5.3", FOE[side])
    steps = steps_lost_in_drop(g, side, lift.to, die)
    told(g, label, die, drop_drm(g, side, lift.to), "steps lost", "8.5.3", steps)
    for unit in alive:
        for _ in range(steps):
            if g.pieces[unit].at:
                lose_step(g, unit, "8.5.3")
    yield from settle(g, side, lift, "airborne", "8.5.3")


def drop_drm(g: State, side: str, to: int) -> int:
    """[8.5.3] Newer rules: a landing in an enemy zone."""
    return int(g.newer and to in zone(g, FOE[side]))


def steps_lost_in_drop(g: State, side: str, to: int, die: int) -> int:
    """[8.5.3] The Paradrop table."""
    return int(pick(g.p["paradrop_table"], die + drop_drm(g, side, to))[DROP_COLUMNS[g.board.hexes[to].terrain]])
