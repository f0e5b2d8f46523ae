"""[7.0, 8.5.6] Sea areas, movement of naval units, the Contested Sea Movement die, forced retreats, mines."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from itertools import pairwise

from msgspec import Struct

from pbem.games.next_war.casualties import lose_step
from pbem.games.next_war.charts import pick
from pbem.games.next_war.choices import Spot, choose_spot, spot_name, throw, told
from pbem.games.next_war.events.losses import Eliminated
from pbem.games.next_war.events.moves import Placed, Sailed
from pbem.games.next_war.events.sea import AntisubmarineSet, ThreatSet, ZonesEntered
from pbem.games.next_war.events.turns import UnitsDone
from pbem.games.next_war.orders import fields, read_own, read_spot
from pbem.games.next_war.state import ALLIED, FOE, State
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.orders import illegal
from pbem.kernel.wording import die_for, msg


class Voyage(Struct, frozen=True):
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
    """[8.5.6.4] Places one step away: At Sea, Inshore, sea hex, own Port, in that order; safe sea hexes first."""
    board = g.board
    place, area = spot
    if area:
        found: list[Spot] = [(0, n) for n in board.areas[area].near if board.areas[n].box in ("", side)]
        if not board.areas[area].at_sea:
            found += _safe_first(g, side, board.sea_hexes.get(area, ()))
            found += [(h, "") for h in board.ports if g.area_at(h) == area and g.own_port(side, h) and not board.sea_near[h]]
        return found
    inshore, seas = g.area_at(place), board.sea_near[place]
    if board.hexes[place].land and seas:
        return _safe_first(g, side, seas)
    found = [(0, inshore)] if inshore else []
    return (
        found + _safe_first(g, side, seas) + [(h, "") for h in board.near[place] if board.hexes[h].port and g.own_port(side, h)]
    )


def _safe_first(g: State, side: str, seas: Sequence[int]) -> list[Spot]:
    """Sea hexes, those without mines and enemy ships first."""
    perils = g.cached_of(FOE[side], "perils", lambda: _perils(g, side))
    return [(h, "") for h in seas if h not in perils] + [(h, "") for h in seas if h in perils]


def _perils(g: State, side: str) -> frozenset[int]:
    """[7.5.3] Hexes with mines or enemy ships, and those beside coastal mines."""
    beside = [n for h in g.mines if g.board.hexes[h].land for n in g.board.near[h]]
    return frozenset([*g.mines, *beside, *(g.pieces[u].at for u in g.board.ships[FOE[side]])])


class Ways:
    """The shortest chains of locations from one of them to others, found as far out as somebody has asked."""

    def __init__(self, start: Spot) -> None:
        self.start = start
        self.before: dict[Spot, Spot | None] = {start: None}  # in the order in which they are come to
        self.queue = deque([start])

    def to(self, g: State, side: str, goal: Spot) -> list[Spot] | None:
        """From the start to a goal, a Beachhead also from a sea hex beside it; None when there is no way."""
        if goal == self.start:
            return [goal]
        beach = goal[0] in g.beachheads
        while self.queue and (beach or goal not in self.before):
            self._grow(g, side)
        last = self.before.get(goal)
        if beach:
            ends = {last, *((n, "") for n in g.board.near[goal[0]] if not g.board.hexes[n].land)}
            last = next((at for at in self.before if at in ends), None)
        if last is None:
            return None
        found = [goal]
        while last is not None:
            found.append(last)
            last = self.before[last]
        return found[::-1]

    def _grow(self, g: State, side: str) -> None:
        at = self.queue.popleft()
        for n in g.cached_of(FOE[side], ("step by sea", at), lambda: neighbours(g, side, at)):
            if n not in self.before:
                self.before[n] = at
                self.queue.append(n)


def route(g: State, side: str, start: Spot, to: Spot, via: Sequence[Spot] = ()) -> tuple[Spot, ...] | None:
    """The shortest chain of locations; an enemy-controlled or mined way round is not preferred to a longer one."""
    whole: list[Spot] = [start]
    for goal in (*via, to):
        leg = _ways(g, side, whole[-1]).to(g, side, goal)
        if leg is None:
            return None
        whole += leg[1:]
    return tuple(whole)


def _ways(g: State, side: str, start: Spot) -> Ways:
    return g.cached_of(FOE[side], ("by sea", start), lambda: Ways(start))


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
        if taken_aboard(unit) in g.fired and sent_ashore(unit) in g.fired:
            raise illegal(
                msg("{unit} has embarked and disembarked units in this segment", unit=g.counter(unit).name), "8.5.8.3"
            )


def taken_aboard(vessel: str) -> str:
    """[8.5.8.3] The note that an AMPH has embarked units in this segment."""
    return f"embarked {vessel}"


def sent_ashore(vessel: str) -> str:
    """[8.5.8.3] The note that an AMPH has disembarked units in this segment."""
    return f"disembarked {vessel}"


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


Cause = tuple[str, str | int]  # an area, the field of a mine marker, enemy ships somewhere


def contested_sea(g: State, side: str, ships: Sequence[str], chain: Sequence[Spot], cargo: Sequence[str]) -> Flow[bool]:
    """[8.5.6.4.1, A-55] A die for each location that gives cause, once for an area or mine field; False: aborted."""
    laid = [h for h in mine_fields(g, chain[0][0]) if g.mines[h].layer in ships]
    thrown: list[Cause] = [("mines", h) for h in laid]  # [7.5.1.1] who laid them leaves without a die
    for i, (a, b) in enumerate(pairwise(chain)):
        for spot in (a, b):
            causes = dangers(g, side, ships, spot, thrown)
            if spot is a and (area := _crossing(g, side, chain, i)):
                causes.append(("area", area))
            if all(cause in thrown for cause in causes):
                continue
            thrown += causes
            density = max((g.mines[h].density for h in mine_fields(g, spot[0]) if h not in laid), default=0)
            found = yield from _throw_at_sea(g, side, spot, density)
            if found == "loss":
                for unit in cargo:
                    if g.counter(unit).ground or not ships:  # helicopters of a ship are no cargo
                        lose_step(g, unit, "8.5.6.4.1")
            if found != "ok":
                return False
    return True


def _throw_at_sea(g: State, side: str, spot: Spot, density: int) -> Flow[str]:
    drm = sea_drm(g, side, spot, density)
    label = die_for("contested sea movement, {name}", name=spot_name(g, spot))
    die = yield from throw(label, "8.5.6.4.1", side)
    found = str(pick(g.p["contested_sea_table"], die + drm))
    told(g, label, die, drm, found, "8.5.6.4.1")
    return found


def dangers(g: State, side: str, ships: Sequence[str], spot: Spot, thrown: Sequence[Cause]) -> list[Cause]:
    """[8.5.6.4.1, 7.2, 7.5.3] What makes a location dangerous to enter or leave; of overlapping mine fields one counts."""
    sea_hex = bool(spot[0]) and not in_port(g, spot)
    area = g.area_at(spot[0]) if sea_hex else spot[1]
    found: list[Cause] = [("area", area)] if g.sea_control.get(area) == FOE[side] else []
    fields = mine_fields(g, spot[0])
    if fields and not any(("mines", h) in thrown for h in fields):
        found.append(("mines", fields[0]))
    if any(u not in ships for u in enemies_at(g, side, spot)):
        found.append(("ships", spot[0] or spot[1]))
    return found


def _crossing(g: State, side: str, chain: Sequence[Spot], i: int) -> str:
    """[8.5.6.4.1, A-61] The uncontrolled Inshore area that a step leaves by a Port for open sea, or crosses by sea hexes."""
    here, on = chain[i], chain[i + 1 :]
    area = g.area_at(here[0]) if here[0] else ""
    if not area or g.sea_control.get(area) == side:
        return ""
    if in_port(g, here):
        to_sea = any(spot[1] and g.board.areas[spot[1]].at_sea for spot in on)
        return area if to_sea else ""
    further = on[1:] if on[0] == (0, area) else on
    return area if further and further[0][0] and not in_port(g, further[0]) else ""


def enemies_at(g: State, side: str, spot: Spot) -> list[str]:
    """Enemy naval units in a location."""
    if spot[0]:
        return g.here(FOE[side], spot[0], "AMPH", "SAG", "CV", "CVN")
    return [
        u
        for u, piece in g.pieces.items()
        if piece.box == spot[1] and not piece.at and g.seat(u) == FOE[side] and g.counter(u).naval
    ]


def sea_drm(g: State, side: str, cause: Spot, density: int) -> int:
    """[8.5.6.4.1] Modifiers CS-1 to CS-8 of the Contested Sea Movement die; `density` of the mines that count."""
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
    drm += density
    hostile_shore = any(g.sea_control.get(a) == foe for a in around if not g.board.areas[a].at_sea)
    if hostile_shore and ((area and g.board.areas[area].at_sea) or cause[0]):
        drm += 1
    return drm


def mine_fields(g: State, place: int) -> list[int]:
    """[7.5.3] Markers that affect a hex, the densest first: its own, and coastal ones beside a sea hex."""
    found = [place] if place in g.mines else []
    if place and g.board.hexes[place].terrain == "sea":
        found += [n for n in g.board.near[place] if n in g.mines and g.board.hexes[n].land]
    return sorted(found, key=lambda h: (-g.mines[h].density, h))


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
    return [(0, i) for n in others for i in n.near if not board.areas[i].at_sea]


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
        ports = [h for h in g.board.ports if g.own_port(side, h)]
        ways = [(len(way), h) for h in ports if h != place and (way := route(g, side, (place, ""), (h, "")))]
        if ways:
            nearest = min(ways)[0]
            spots: list[Spot] = [(h, "") for n, h in ways if n == nearest]
            at, box = yield from choose_spot(
                g, side, "withdraw", "9.9.3", msg("{unit} withdraws: where to?", unit=g.counter(unit).name), spots, True
            )
            emit(g, Sailed(unit, at, box, "9.9.3"))
        else:
            for gone in (unit, *g.cargo(unit)):
                emit(g, Placed(gone, 0, "due", "9.9.3", aboard=g.pieces[gone].aboard, due=g.turn + 2))
