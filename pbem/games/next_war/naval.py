"""[7.0, 8.5.6] Sea areas, movement of naval units, the Contested Sea Movement die, forced retreats, mines."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from pbem.games.next_war.casualties import lose_step
from pbem.games.next_war.charts import pick
from pbem.games.next_war.choices import choose_spot, spot_name, throw, told
from pbem.games.next_war.events import Eliminated, MinesSet, Placed, Sailed
from pbem.games.next_war.orders import fields, read_own, read_place, read_spot
from pbem.games.next_war.state import ALLIED, FOE, State
from pbem.games.next_war.tallies import AntisubmarineSet, ThreatSet, UnitsDone, ZonesEntered
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.orders import illegal
from pbem.kernel.wording import die_for, msg

Spot = tuple[int, str]  # hex, or 0 and an area
NOWHERE: Spot = (0, "")


@dataclass(frozen=True, slots=True)
class Voyage:
    """Naval units, their route over locations, start included."""

    units: tuple[str, ...]
    route: tuple[Spot, ...]


def spot_of(g: State, unit: str) -> Spot:
    """Where a naval unit is."""
    piece = g.pieces[unit]
    return (piece.at, "") if piece.at else (0, piece.box)


def in_port(g: State, spot: Spot) -> bool:
    """A Port hex."""
    return bool(spot[0]) and g.board.hexes[spot[0]].land


def neighbours(g: State, side: str, spot: Spot) -> list[Spot]:
    """[8.5.6.4] Places one step away: At Sea, Inshore, sea hex, own Port or Beachhead, in that order."""
    return g.cached_of(FOE[side], ("by sea", spot), lambda: _neighbours(g, side, spot))


def _neighbours(g: State, side: str, spot: Spot) -> list[Spot]:
    board = g.board
    place, area = spot
    if area:
        found: list[Spot] = [(0, n) for n in board.areas[area].near if board.areas[n].box in ("", side)]
        if not board.areas[area].at_sea:
            found += [(h, "") for h in _shore(g, area) if board.hexes[h].terrain == "sea" or g.own_port(side, h)]
        return found
    inshore = g.area_at(place)
    found = [(0, inshore)] if inshore else []
    for n in board.near[place]:
        hex_ = board.hexes[n]
        if (hex_.terrain == "sea" and hex_.zone) or (board.hexes[place].terrain == "sea" and g.own_port(side, n)):
            found.append((n, ""))
    return found


def _shore(g: State, area: str) -> list[int]:
    """Sea hexes of an Inshore area and the Ports beside them."""
    return sorted({*g.board.seas.get(area, ()), *(h for h in g.board.ports if g.area_at(h) == area)})


def route(g: State, side: str, start: Spot, to: Spot, via: Sequence[Spot] = ()) -> tuple[Spot, ...] | None:
    """The shortest chain of locations; an enemy-controlled or mined way round is not preferred to a longer one."""
    whole: list[Spot] = [start]
    for goal in (*via, to):
        leg = _known_leg(g, side, whole[-1], goal)
        if leg is None:
            return None
        whole += leg[1:]
    return tuple(whole)


def _known_leg(g: State, side: str, start: Spot, to: Spot) -> list[Spot] | None:
    return g.cached_of(FOE[side], ("leg", start, to), lambda: _leg(g, side, start, to))


def _leg(g: State, side: str, start: Spot, to: Spot) -> list[Spot] | None:
    before: dict[Spot, Spot | None] = {start: None}
    queue = deque([start])
    while queue:
        at = queue.popleft()
        if at == to:
            found = [at]
            while (last := before[found[-1]]) is not None:
                found.append(last)
            return found[::-1]
        landing = to[0] in g.beachheads and at[0] and to[0] in g.board.near[at[0]]
        for n in (*neighbours(g, side, at), *((to,) if landing else ())):
            if n not in before:
                before[n] = at
                queue.append(n)
    return None


def at_sea_entered(g: State, chain: Sequence[Spot]) -> int:
    """[8.5.6.4] At Sea areas that a route enters, and Sea Zones entered over sea hexes; its start left out."""
    found = 0
    for a, b in pairwise(chain):
        area = b[1] and g.board.areas[b[1]]
        if area and area.at_sea:
            found += int(not area.box)
        elif zone_of(g, a) != zone_of(g, b):
            found += 1
    return found


def zone_of(g: State, spot: Spot) -> str:
    """The Sea Zone of a location; none for a box or a hex away from the sea."""
    area = spot[1] or g.area_at(spot[0])
    return g.board.areas[area].zone if area else ""


# -- sailing -------------------------------------------------------------------------------------------------------------


def read_sail(g: State, side: str, body: Plain) -> Voyage:
    """`sail: SAG 1, Amph 2 to East Sea Inshore via East Sea`. Raises Rejected."""
    f = fields(body, ("to", "via", "from"), ("units", "to"))
    units = read_own(g, f["units"], side, "8.5.6.4")
    check_can_sail(g, units)
    starts = {spot_of(g, u) for u in units}
    if len(starts) > 1:
        raise illegal(msg("naval units sail together from one place"), "8.5.6.4")
    if "from" in f and read_spot(g, f["from"]) not in starts:
        raise illegal(msg("the naval units are not there"), "8.5.6.4")
    via = [read_spot(g, part.strip()) for part in str(f["via"]).split(",")] if "via" in f else []
    goal = read_spot(g, f["to"])
    chain = route(g, side, starts.pop(), goal, via)
    if chain is None or len(chain) < 2:
        raise illegal(
            msg("there is no way by sea to {place}", place=spot_name(g, goal)),
            "8.5.6.4",
            msg("At Sea, Inshore, sea hex or own Port, step by step"),
        )
    if in_port(g, chain[-1]) and not g.own_port(side, chain[-1][0]):
        raise illegal(msg("{place} is no own Port", place=g.board.name(chain[-1][0])), "8.5.6.3")
    check_zones(g, units, chain)
    check_sea_hex(g, side, units, chain[-1])
    return Voyage(tuple(units), chain)


def check_can_sail(g: State, units: Iterable[str]) -> None:
    """[8.5.6.4, 8.5.6.5] Naval units that have not moved; no storm. Raises Rejected."""
    if g.storm:
        raise illegal(msg("no naval movement in a Storm"), "8.5.6.5")
    for unit in units:
        if not g.counter(unit).naval or not g.area_of(unit):
            raise illegal(msg("{unit} is no naval unit at sea", unit=g.counter(unit).name), "8.5.6.4")
        if unit in g.moved:
            raise illegal(msg("{unit} has moved in this segment", unit=g.counter(unit).name), "8.5.6.4")


def check_zones(g: State, units: Iterable[str], chain: Sequence[Spot]) -> None:
    """[8.5.6.4] One Sea Zone entered a turn (newer rules: a Movement Segment). Raises Rejected."""
    entered = at_sea_entered(g, chain)
    for unit in units:
        before = 0 if g.newer else g.zones_entered.get(unit, 0)
        if entered and entered + before > 1:
            raise illegal(msg("{unit} would enter more than one At Sea area this turn", unit=g.counter(unit).name), "8.5.6.4")


def check_sea_hex(g: State, side: str, units: Sequence[str], end: Spot) -> None:
    """[7.3.6] One naval unit in a sea hex. Raises Rejected."""
    if end[0] and not in_port(g, end) and len(units) + len(g.here(side, end[0], "AMPH", "SAG", "CV", "CVN")) > 1:
        raise illegal(msg("a sea hex holds one naval unit"), "7.3.6")


def sail(g: State, side: str, voyage: Voyage) -> Flow[bool]:
    """[8.5.6.4] Naval units move; False when a Contested Sea Movement die held them back."""
    safe = yield from contested_sea(g, side, voyage.units, voyage.route, [c for u in voyage.units for c in g.cargo(u)])
    if safe:
        at, box = voyage.route[-1]
        for unit in voyage.units:
            emit(g, Sailed(unit, at, box, "8.5.6.4"))
            if entered := at_sea_entered(g, voyage.route):
                emit(g, ZonesEntered(unit, g.zones_entered.get(unit, 0) + entered))
    emit(g, UnitsDone(voyage.units, "8.5.6.4"))
    return safe


# -- Contested Sea Movement ----------------------------------------------------------------------------------------------


def contested_sea(g: State, side: str, ships: Sequence[str], chain: Sequence[Spot], cargo: Sequence[str]) -> Flow[bool]:
    """[8.5.6.4.1] A die for each location that gives cause, once per location; False when the move is aborted."""
    thrown: list[Spot] = []
    for a, b, beyond in zip(chain, chain[1:], (*chain[2:], NOWHERE), strict=False):
        cause = trigger(g, side, ships, a, b, beyond)
        if cause is None or cause in thrown:
            continue
        thrown.append(cause)
        drm = sea_drm(g, side, cause, b)
        label = die_for("contested sea movement, {name}", name=_word(g, cause))
        die = yield from throw(label, "8.5.6.4.1", side)
        found = str(pick(g.p["contested_sea_table"], die + drm))
        told(g, label, die, drm, found, "8.5.6.4.1")
        if found == "loss":
            for unit in cargo:
                if g.counter(unit).ground:
                    lose_step(g, unit, "8.5.6.4.1")
        if found != "ok":
            return False
    return True


def trigger(g: State, side: str, ships: Sequence[str], a: Spot, b: Spot, beyond: Spot) -> Spot | None:
    """[8.5.6.4.1, A-61] The location for which a step from a to b, on the way to a further one, is dangerous, if any."""
    foe = FOE[side]
    for spot in (b, a):
        if spot[1] and g.sea_control.get(spot[1]) == foe:
            return spot
        if spot[0] and mine_density(g, spot[0]):
            return spot
        if any(u not in ships for u in enemies_at(g, side, spot)):
            return spot
    held = g.sea_control.get(g.area_at(a[0])) == side if a[0] else True
    if a[0] and not held:
        out_of_port = in_port(g, a) and bool(b[1]) and bool(beyond[1]) and g.board.areas[beyond[1]].at_sea
        between_sea_hexes = not in_port(g, a) and b[0] and not in_port(g, b)
        if out_of_port or between_sea_hexes:
            return a
    return None


def enemies_at(g: State, side: str, spot: Spot) -> list[str]:
    """Enemy naval units in a location."""
    if spot[0]:
        return g.here(FOE[side], spot[0], "AMPH", "SAG", "CV", "CVN")
    return [
        u
        for u, piece in g.pieces.items()
        if piece.box == spot[1] and not piece.at and g.seat(u) == FOE[side] and g.counter(u).naval
    ]


def sea_drm(g: State, side: str, cause: Spot, to: Spot) -> int:
    """[8.5.6.4.1] Modifiers CS-1 to CS-8 of the Contested Sea Movement die."""
    foe = FOE[side]
    area = cause[1] or g.area_at(cause[0])
    zone = g.board.areas[area].zone if area else ""
    around = {a for at_sea, inshore in [g.board.zones.get(zone, ("", ()))] for a in (at_sea, *inshore)}
    drm = 0
    for unit, piece in g.pieces.items():
        if g.counter(unit).kind in ("SAG", "CV", "CVN") and not piece.at and piece.box in around:
            drm += 1 if g.seat(unit) == foe else -1
    if side == ALLIED or not g.newer:
        drm += g.threat[foe] - g.asw[side]
    drm += 1 if g.favour(side) == -3 else -1 if g.favour(side) == 3 else 0
    if cause[0]:
        drm += mine_density(g, cause[0])
    hostile_shore = any(g.sea_control.get(a) == foe for a in around if not g.board.areas[a].at_sea)
    if hostile_shore and ((area and g.board.areas[area].at_sea) or cause[0]):
        drm += 1
    return drm


def _word(g: State, spot: Spot) -> str:
    return g.board.areas[spot[1]].name if spot[1] else g.board.name(spot[0])


# -- forced retreats -----------------------------------------------------------------------------------------------------


def driven_out(g: State, side: str, area: str) -> Flow[None]:
    """[7.2.1] The enemy has taken control of an area: naval units of this side in it and on its hexes have to leave."""
    for unit in [
        u for u, p in g.pieces.items() if g.seat(u) == side and g.counter(u).naval and (p.at or p.box) and g.area_of(u) == area
    ]:
        piece = g.pieces[unit]
        if piece.at and g.own_port(side, piece.at):
            continue
        spots = _shelters(g, side, area)
        emit(g, ThreatSet(side, max(0, g.threat[side] - 1), "7.4.3"))
        emit(g, AntisubmarineSet(side, max(0, g.asw[side] - 1)))
        if not spots:
            _lost_at_sea(g, unit)
            continue
        at, box = yield from choose_spot(
            g, side, "withdraw", "7.2.1", msg("{unit} withdraws: where to?", unit=g.counter(unit).name), spots, True
        )
        emit(g, Sailed(unit, at, box, "7.2.1"))


def _shelters(g: State, side: str, area: str) -> list[Spot]:
    """[7.2.1] From At Sea to Inshore areas of adjacent areas, from Inshore to the zone's own Ports.

    Newer rules: At Sea and Inshore areas and own boxes beside it that the enemy does not control, and from Inshore own Ports.
    """
    board = g.board
    _, inshore = board.zones[board.areas[area].zone]
    ports: list[Spot] = [(h, "") for h in board.hexes if g.own_port(side, h) and g.area_at(h) in inshore]
    near = [board.areas[n] for n in board.areas[area].near if n in board.areas]
    if g.newer:
        open_ = [n for n in near if (n.box == side if n.box else g.sea_control.get(n.id) != FOE[side])]
        return [(0, n.id) for n in open_] + ([] if board.areas[area].at_sea else ports)
    if not board.areas[area].at_sea:
        return ports
    others = [n for n in near if n.at_sea and not n.box]
    spots: list[Spot] = [(0, i) for n in others for i in n.near if not board.areas[i].at_sea]
    return [s for s in spots if g.sea_control.get(s[1]) != FOE[side]]


def _lost_at_sea(g: State, unit: str) -> None:
    """[7.2.1] A ship without a shelter leaves the game; newer rules: it comes back after four turns, without its cargo."""
    for gone in g.cargo(unit):
        emit(g, Eliminated(gone, "removed", "7.2.1"))
    if g.newer:
        emit(g, Placed(unit, 0, "due", "7.2.1", due=g.turn + 4))
    else:
        emit(g, Eliminated(unit, "removed", "7.2.1"))


def port_lost(g: State, side: str, place: int) -> Flow[None]:
    """[9.9.3] The enemy has entered a Port: naval units there go Inshore, or to the nearest own Port, or off the map."""
    for unit in g.here(side, place, "AMPH", "SAG", "CV", "CVN"):
        inshore = g.area_at(place)
        if inshore and g.sea_control.get(inshore) != FOE[side]:
            emit(g, Sailed(unit, 0, inshore, "9.9.3"))
            continue
        ports = [h for h, x in g.board.hexes.items() if x.port and g.holds(side, h) and not g.ground(FOE[side], h)]
        ways = [(len(way), h) for h in ports if h != place and (way := route(g, side, (place, ""), (h, "")))]
        if ways:
            nearest = min(ways)[0]
            spots: list[Spot] = [(h, "") for n, h in ways if n == nearest]
            at, box = yield from choose_spot(
                g, side, "withdraw", "9.9.3", msg("{unit} withdraws: where to?", unit=g.counter(unit).name), spots, True
            )
            emit(g, Sailed(unit, at, box, "9.9.3"))
        else:
            for gone in g.cargo(unit):
                emit(g, Eliminated(gone, "eliminated", "9.9.3"))
            emit(g, Placed(unit, 0, "due", "9.9.3", due=g.turn + 2))


# -- mines ---------------------------------------------------------------------------------------------------------------


def mine_density(g: State, place: int) -> int:
    """[7.5.3] Density that affects a hex: its own marker's, or that of a coastal marker next to a sea hex; the highest."""
    found = [g.mines[place].density] if place in g.mines else []
    if g.board.hexes[place].terrain == "sea":
        found += [g.mines[n].density for n in g.board.near[place] if n in g.mines and g.board.hexes[n].land]
    return max(found, default=0)


def may_mine(g: State, place: int) -> bool:
    """[7.5.1] A sea hex, or a coastal hex with a Port or Beach (newer rules: any coastal hex)."""
    hex_ = g.board.hexes[place]
    coastal = bool(hex_.zone) or any(g.board.hexes[n].terrain == "sea" for n in g.board.near[place])
    return hex_.terrain == "sea" or (coastal and (hex_.port or hex_.beach or g.newer))


def check_markers(g: State, side: str, place: int) -> None:
    """[7.5, 7.5.1] There is a marker for the hex. Raises Rejected."""
    if not may_mine(g, place):
        raise illegal(
            msg("mines cannot be laid in {place}", place=g.board.name(place)), "7.5.1", msg("sea hexes, Ports and Beaches")
        )
    if place in g.mines and g.mines[place].density >= 2:
        raise illegal(msg("the mines there are at density 2"), "7.5.1")
    if place not in g.mines and sum(m.side == side for m in g.mines.values()) >= g.mine_pool[side]:
        raise illegal(msg("no mine marker is left"), "7.5")


def read_mine(g: State, side: str, body: Plain) -> tuple[str, int]:
    """[7.5.1.1] `mine: SAG 1 at 0714`: a naval unit lays mines instead of moving. Raises Rejected."""
    f = fields(body, ("at",), ("units", "at"))
    (ship, *more) = read_own(g, f["units"], side, "7.5.1.1")
    check_can_sail(g, (ship,))
    place = read_place(g, f["at"])
    here = g.pieces[ship].at
    if more or not here or place not in (here, *g.board.near[here]):
        raise illegal(msg("one naval unit lays mines in its own hex or an adjacent one"), "7.5.1.1")
    check_markers(g, side, place)
    return ship, place


def lay(g: State, side: str, ship: str, place: int) -> None:
    """[7.5.1.1] Density 2 (newer rules: 1, or 2 where there are mines)."""
    density = (2 if place in g.mines else 1) if g.newer else 2
    emit(g, MinesSet(place, side, density, "7.5.1.1"))
    emit(g, UnitsDone((ship,), "7.5.1.1"))


def read_submine(g: State, side: str, body: Plain) -> int:
    """[7.5.1.2] `submine: 0714`: submarines lay mines; the threat goes down by one, not below one. Raises Rejected."""
    place = read_place(g, body)
    if g.board.hexes[place].terrain != "sea":
        raise illegal(msg("submarines lay mines in sea hexes"), "7.5.1.2")
    if place in g.mines:
        raise illegal(msg("there are mines already"), "7.5.1.2")
    if g.threat[side] < 2:
        raise illegal(msg("the submarine threat is {n}: it does not fall below 1", n=g.threat[side]), "7.5.1.2")
    check_markers(g, side, place)
    return place


def submine(g: State, side: str, place: int) -> None:
    """[7.5.1.2] A marker of density 1."""
    emit(g, ThreatSet(side, g.threat[side] - 1, "7.5.1.2"))
    emit(g, MinesSet(place, side, 1, "7.5.1.2"))
