"""[8.5.7, 8.5.8] Sea Transport and Landing, ships' cargo, Amphibious Assault, Beachheads."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.games.next_war.air_missions import walk_on
from pbem.games.next_war.casualties import left_marker
from pbem.games.next_war.choices import Spot
from pbem.games.next_war.control import enter
from pbem.games.next_war.events.air import HelicopterGrounded
from pbem.games.next_war.events.markers import BeachheadGone, BeachheadPlaced
from pbem.games.next_war.events.moves import Moved, Placed, Sailed
from pbem.games.next_war.events.sea import AssaultMade, AssaultsOff, Poised, Shipped, Unloaded
from pbem.games.next_war.events.turns import UnitsDone, UsedUp
from pbem.games.next_war.helicopters import room
from pbem.games.next_war.naval import (
    check_can_sail,
    check_sea_hex,
    contested_sea,
    route,
    sent_ashore,
    taken_aboard,
    zone_of,
)
from pbem.games.next_war.orders import fields, read_own, read_place, read_spot, read_unit
from pbem.games.next_war.searches import find_path
from pbem.games.next_war.stacking import halves
from pbem.games.next_war.state import FOE, State
from pbem.games.next_war.zoc import zone
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.orders import illegal
from pbem.kernel.wording import msg

_LANDING = {  # of newer rules or not -> [8.5.7.2, A-24] who uses a Beachhead
    False: msg("Marines and Leg units with a movement allowance of at least 5"),
    True: msg("Marines and Leg units with a movement allowance of 5 or less"),
}


class Passage(Struct, frozen=True):
    """Units by sea from one harbour to another, and where they march afterwards."""

    units: tuple[str, ...]
    route: tuple[Spot, ...]
    after: int = 0


def harbour(g: State, side: str, place: int) -> bool:
    """An own Port or Beachhead."""
    return g.own_port(side, place) or (place in g.beachheads and g.beachheads[place].side == side)


def capacity(g: State, place: int) -> int:
    """[8.5.7.4] Half stacking points that a Port or Beachhead unloads."""
    chart = g.p["port_capacity"]
    return 2 * int(chart.get(g.board.hexes[place].label, chart["other"]))


# -- Sea Transport and Sea Landing ---------------------------------------------------------------------------------------


def read_ship(g: State, side: str, body: Plain) -> Passage:
    """[8.5.7] `ship: 1/2 to Pohang via East Sea then S4719`. Raises Rejected."""
    if g.storm:
        raise illegal(msg("no sea movement in a Storm"), "4.1.3")
    f = fields(body, ("to", "via", "then", "from"), ("units", "to"))
    units, to = read_own(g, f["units"], side, "8.5.7"), read_place(g, f["to"])
    start = _common_start(g, units)
    if "from" in f and read_place(g, f["from"]) != start:
        raise illegal(msg("the units are in {place}", place=g.board.name(start)), "8.5.7")
    for place in (start, to):
        if not harbour(g, side, place):
            raise illegal(msg("{place} is no own Port or Beachhead", place=g.board.name(place)), "8.5.7")
        if place in zone(g, FOE[side]) and not all(lands(g, u, start, to) for u in units):
            raise illegal(msg("{place} is in an enemy zone of control", place=g.board.name(place)), "8.5.7.1")
    if to == start:
        raise illegal(msg("the units are there already"), "8.5.7")
    _check_landing(g, units, start, to)
    points = _points(g, units)
    if g.unloaded.get(to, 0) + points > capacity(g, to):
        raise illegal(
            msg("{place} unloads at most {points} stacking points", place=g.board.name(to), points=halves(capacity(g, to))),
            "8.5.7.4",
        )
    most = g.p["sea_transport_limit"].get(side)
    used = g.shipped.get(f"sea {side}", 0)
    if most is not None and used + points > 2 * int(most):
        raise illegal(
            msg("Sea Transport carries at most {most} stacking points, used already: {used}", most=most, used=halves(used)),
            "8.5.7.3",
        )
    via = [read_spot(g, part.strip()) for part in str(f["via"]).split(",")] if "via" in f else []
    chain = route(g, side, (start, ""), (to, ""), via)
    if chain is None:
        raise illegal(msg("there is no way by sea to {place}", place=g.board.name(to)), "8.5.7")
    after = read_place(g, f["then"]) if "then" in f else 0
    if after:
        if zone_of(g, (start, "")) != zone_of(g, (to, "")) or not g.board.hexes[to].port:
            raise illegal(msg("units march on only when both Ports are in one Sea Zone"), "8.5.7.1")
        if to in zone(g, FOE[side]):
            raise illegal(msg("units unloaded in an enemy zone of control do not march on"), "8.5.7.2")
        find_path(g, side, units, to, after, (), 2)
    return Passage(tuple(units), chain, after)


def _common_start(g: State, units: Sequence[str]) -> int:
    starts = {g.pieces[u].at for u in units}
    for unit in units:
        counter = g.counter(unit)
        if unit in g.moved or g.pieces[unit].aboard or not g.pieces[unit].at or counter.naval:
            raise illegal(msg("{unit} cannot embark now", unit=counter.name), "8.5.7")
        if counter.kind == "helo" and (g.missions.get(unit, 0) or unit in g.grounded):
            raise illegal(msg("{unit} has flown this turn", unit=counter.name), "6.5.6")
    if len(starts) > 1:
        raise illegal(msg("units that sail together start together"), "8.5.7")
    return starts.pop()


def _check_landing(g: State, units: Sequence[str], start: int, to: int) -> None:
    """[8.5.7.1, 8.5.7.2] Port to Port for all; to or from a Beachhead Marines and Leg units of one zone. Raises Rejected."""
    ports = g.board.hexes[start].port and g.board.hexes[to].port
    helos = [u for u in units if g.counter(u).kind == "helo"]
    if helos and not g.board.hexes[start].port:
        raise illegal(msg("helicopters are loaded in a Port"), "6.5.6")
    if helos and room(g, g.seat(helos[0]), to) < len(helos):
        raise illegal(msg("{place} has no room for a helicopter", place=g.board.name(to)), "6.5.6")
    for unit in units:
        counter = g.counter(unit)
        if not ports and unit not in helos and not _of_a_landing(g, unit):
            raise illegal(
                msg("{unit} does not use a Beachhead: only {able}", unit=counter.name, able=_LANDING[g.newer]), "8.5.7.2"
            )
    if not ports and zone_of(g, (start, "")) != zone_of(g, (to, "")):
        raise illegal(msg("a Sea Landing stays in one Sea Zone"), "8.5.7.2")
    if to in g.beachheads and g.beachheads[to].placed >= g.moment:
        raise illegal(msg("the Beachhead serves from the next Movement Segment on"), "8.5.8.2.1")


def _of_a_landing(g: State, unit: str) -> bool:
    """[8.5.7.2, A-24] Marines, and Leg units with a movement allowance of at least five (newer rules: at most)."""
    counter, values = g.counter(unit), g.values(unit)
    able = values.move <= 5 if g.newer else values.move >= 5
    return counter.ground and (counter.marine or (values.mobility in ("leg", "li") and able))


def lands(g: State, unit: str, start: int, to: int) -> bool:
    """[8.5.7.2] A Sea Landing: enemy zones do not hinder it."""
    return _of_a_landing(g, unit) and zone_of(g, (start, "")) == zone_of(g, (to, ""))


def _points(g: State, units: Sequence[str]) -> int:
    return sum(1 if g.counter(u).kind == "helo" else g.values(u).sp for u in units)


def ship(g: State, side: str, passage: Passage) -> Flow[None]:
    """[8.5.7] The Contested Sea Movement die, arrival, march."""
    start, to = passage.route[0][0], passage.route[-1][0]
    emit(g, UnitsDone(passage.units, "8.5.7"))
    points = _points(g, passage.units)
    emit(g, Shipped(f"sea {side}", g.shipped.get(f"sea {side}", 0) + points, "8.5.7.3"))
    if not (yield from contested_sea(g, side, (), passage.route, passage.units)):
        return
    emit(g, Unloaded(to, g.unloaded.get(to, 0) + points))
    alive = tuple(u for u in passage.units if g.pieces[u].at)
    for unit in alive:
        if g.counter(unit).kind == "helo":
            emit(g, Placed(unit, to, "", "6.5.6"))
            emit(g, HelicopterGrounded(unit, "6.5.6"))
    walkers = tuple(u for u in alive if g.counter(u).ground)
    if walkers:
        emit(g, Moved(walkers, (start, to), "sea transport", "8.5.7"))
        yield from enter(g, side, (start, to), "8.5.7")
        if passage.after:
            yield from walk_on(g, side, walkers, to, passage.after, 2, "8.5.7.1")


# -- cargo of an AMPH ----------------------------------------------------------------------------------------------------


def read_embark(g: State, side: str, body: Plain) -> tuple[list[str], str]:
    """[8.5.8.3] `embark: 1/4, 2/4 on Amph 1`. Raises Rejected."""
    f = fields(body, ("on",), ("units", "on"))
    units, vessel = read_own(g, f["units"], side, "8.5.8.3"), read_unit(g, f["on"], side)
    for unit in units:
        place = g.pieces[unit].at
        if unit in g.moved or not place or g.pieces[unit].aboard or not can_assault(g, unit):
            raise illegal(
                msg("{unit} cannot embark now: only Marines that have not moved", unit=g.counter(unit).name), "8.5.8.3"
            )
        if not harbour(g, side, place) or g.pieces[vessel].at not in (place, *g.board.near[place]):
            raise illegal(msg("Marines embark in an own Port or Beachhead with the AMPH there or next to it"), "8.5.8.3")
    check_vessel(g, side, vessel, units)
    return units, vessel


def check_vessel(g: State, side: str, vessel: str, units: Sequence[str]) -> None:
    """An own AMPH with room for the units. Raises Rejected."""
    counter = g.counter(vessel)
    if counter.kind != "AMPH" or counter.seat != side:
        raise illegal(msg("{unit} is no own AMPH", unit=counter.name), "8.5.8.3")
    load = g.stack_points([u for u in (*g.cargo(vessel), *units) if g.counter(u).ground])
    if load > counter.capacity:
        raise illegal(
            msg("{unit} carries at most {points} stacking points", unit=counter.name, points=halves(counter.capacity)), "2.4.4"
        )
    for unit in units:
        if g.counter(unit).nation != counter.nation and g.p["countries"]:
            raise illegal(msg("{unit} carries only units of its own nation", unit=counter.name), "8.5.8.1")


def can_assault(g: State, unit: str) -> bool:
    """[8.5.8] A Marine unit, or one that the game names."""
    return g.counter(unit).marine


def embark(g: State, units: Sequence[str], vessel: str) -> None:
    """[8.5.8.3] They go aboard."""
    piece = g.pieces[vessel]
    for unit in units:
        start = g.pieces[unit].at
        emit(g, Placed(unit, piece.at, piece.box, "8.5.8.3", aboard=vessel))
        left_marker(g, start)
    emit(g, UsedUp((taken_aboard(vessel),), "8.5.8.3"))
    emit(g, UnitsDone(tuple(units), "8.5.8.3"))


def read_disembark(g: State, side: str, body: Plain) -> tuple[list[str], int]:
    """[8.5.8.3] `disembark: 1/4 to Wonsan`. Raises Rejected."""
    f = fields(body, ("to",), ("units", "to"))
    units, to = read_own(g, f["units"], side, "8.5.8.3"), read_place(g, f["to"])
    for unit in units:
        vessel = g.pieces[unit].aboard
        if not vessel or unit in g.moved:  # one that is about to assault has moved [8.5.8.1]
            raise illegal(msg("{unit} cannot disembark now", unit=g.counter(unit).name), "8.5.8.3")
        if not harbour(g, side, to) or g.pieces[vessel].at not in (to, *g.board.near[to]):
            raise illegal(msg("Marines go ashore in an own Port or Beachhead in or next to the hex of the AMPH"), "8.5.8.3")
    if g.ground(FOE[side], to):
        raise illegal(msg("enemy units stand in {place}", place=g.board.name(to)), "8.2.2")
    return units, to


def disembark(g: State, side: str, units: Sequence[str], to: int) -> Flow[None]:
    """[8.5.8.3] They go ashore."""
    start = g.pieces[units[0]].at
    emit(g, UsedUp(tuple(sent_ashore(v) for v in dict.fromkeys(g.pieces[u].aboard for u in units)), "8.5.8.3"))
    for unit in units:
        emit(g, Placed(unit, to, "", "8.5.8.3"))
    emit(g, Moved(tuple(units), (start, to), "disembark", "8.5.8.3"))
    yield from enter(g, side, (start, to), "8.5.8.3")


# -- Amphibious Assault --------------------------------------------------------------------------------------------------


class Poise(Struct, frozen=True):
    """[8.5.8.1] An AMPH with Marines goes to a sea hex beside a Beach."""

    vessel: str
    units: tuple[str, ...]
    sea: int
    beach: int
    route: tuple[Spot, ...]


def read_poise(g: State, side: str, body: Plain) -> Poise:
    """[8.5.8] `poise: Amph 1 with 1/4, 2/4 to N3804 at N3805`. Raises Rejected."""
    f = fields(body, ("with", "to", "at"), ("units", "to", "at"))
    vessel = read_unit(g, f["units"], side)
    counter, piece = g.counter(vessel), g.pieces[vessel]
    aboard = [u for u in g.cargo(vessel) if g.counter(u).ground]
    units = read_own(g, f["with"], side, "8.5.8") if "with" in f else aboard
    if counter.kind != "AMPH" or counter.seat != side or vessel in g.moved or vessel in g.assaulted:
        raise illegal(msg("{unit} carries no assault now", unit=counter.name), "8.5.8")
    check_can_sail(g, (vessel,))
    if not units or any(u not in aboard or u in g.moved for u in units):
        raise illegal(msg("only Marines aboard {unit} that have not moved assault", unit=counter.name), "8.5.8")
    area = piece.box
    if piece.at or area not in g.board.areas or g.board.areas[area].at_sea:
        raise illegal(msg("an assault starts in an Inshore area"), "8.5.8")
    if g.sea_control.get(area) == FOE[side] or any(
        p.box == area and not p.at and g.seat(u) == FOE[side] and g.counter(u).naval for u, p in g.pieces.items()
    ):
        raise illegal(msg("an assault starts in an Inshore area without enemy control and without enemy naval units"), "8.5.8")
    sea, beach = read_place(g, f["to"]), read_place(g, f["at"])
    if (
        g.board.hexes[sea].land
        or g.board.hexes[sea].zone != area
        or beach not in g.board.near[sea]
        or not g.board.hexes[beach].beach
    ):
        raise illegal(msg("the AMPH goes to a sea hex of its area beside a Beach"), "8.5.8.1")
    check_sea_hex(g, side, (vessel,), (sea, ""))
    if beach in g.clearing and g.clearing[beach].side == side:
        raise illegal(msg("own units are there already"), "8.5.8.1")
    return Poise(vessel, tuple(units), sea, beach, ((0, area), (sea, "")))


def poise(g: State, side: str, order: Poise) -> Flow[None]:
    """[8.5.8.1] The AMPH takes its place; the assault comes in the Combat Segment."""
    safe = yield from contested_sea(g, side, (order.vessel,), order.route, order.units)
    emit(g, UnitsDone((order.vessel, *order.units), "8.5.8.1"))
    if not safe:
        return
    emit(g, Sailed(order.vessel, order.sea, "", "8.5.8.1"))
    emit(g, AssaultMade(order.vessel))
    for unit in order.units:
        if g.pieces[unit].at:
            emit(g, Poised(unit, order.beach))


# -- Beachheads ----------------------------------------------------------------------------------------------------------


def beachhead_places(g: State, side: str) -> list[int]:
    """[8.5.8.2] Beaches with own units next to an own AMPH where a marker may be put now."""
    used = sum(b.side == side for b in g.beachheads.values()) + sum(
        n % 10 == int(side != "allied") and n // 10 > g.turn for n in g.beachheads_out
    )
    if used >= g.p["beachhead_markers"][side]:
        return []
    found = []
    for vessel in g.on_map(side, "AMPH"):
        for place in g.board.near[g.pieces[vessel].at]:
            hex_ = g.board.hexes[place]
            hostile = (
                (hex_.city or hex_.installations > 0 or hex_.terrain == "urban") and not g.holds(side, place) and not g.newer
            )
            if hex_.beach and g.ground(side, place) and place not in g.beachheads and not hostile and place not in found:
                found.append(place)
    return sorted(found)


def place_beachhead(g: State, side: str, place: int) -> None:
    """[8.5.8.2] The marker."""
    emit(g, BeachheadPlaced(place, side, int(g.p["beachhead_strength"]["steps"]), "8.5.8.2"))


def drop_beachheads(g: State, side: str) -> None:
    """[8.5.8.2.1] At the end of the owner's Movement Segment, not in Storm: those without an AMPH beside them."""
    if g.storm:
        return
    for place in [h for h, b in sorted(g.beachheads.items()) if b.side == side]:
        if not any(g.here(side, n, "AMPH") for n in (place, *g.board.near[place])):
            emit(g, BeachheadGone(place, "8.5.8.2.1"))


def unpoise(g: State) -> None:
    """Assaults that were not carried out in the Combat Segment are off."""
    if g.poised:
        emit(g, AssaultsOff())
