"""[PW-DMG] What hits do to ships and what they carry, to aircraft, troops and installations."""

from __future__ import annotations

from pbem.games.pacific_war.board import FORT, distance
from pbem.games.pacific_war.choices import distribute
from pbem.games.pacific_war.dice import die
from pbem.games.pacific_war.engagements import CrippledShotAt
from pbem.games.pacific_war.events import Hit, InstallationTaken, MarkerRemoved, Removed
from pbem.games.pacific_war.state import ALLIES, FOE, State
from pbem.games.pacific_war.strategic import BomberPointsSet
from pbem.games.pacific_war.tallies import WorkHit, WorkOver
from pbem.games.pacific_war.units.changes import set_installation
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.wording import die_for, msg

CAPACITY = {"port": 15, "osb": 5, "construction": 5}  # [PW-DMG-07]; airfields 5 and 10
INSTALLATIONS = ("airfield", "port", "osb", "construction")


def hit_steps(g: State, unit: str, hits: int, rule: str) -> int:
    """[PW-DMG-03] [PW-DMG-04] Steps lost by an air, ground or submarine unit; returns how many."""
    lost = min(hits, g.steps(unit))
    if lost > 0:
        gone = "eliminated" if lost == g.steps(unit) else ""
        emit(g, Hit(unit, lost, rule, gone))
    return lost


def hit_ship(g: State, ship: str, hits: int, rule: str, alerted: list[str] | None = None) -> Flow[None]:
    """[PW-DMG-02] Hits on a ship; what it carries suffers with it."""
    lost = min(hits, g.steps(ship))
    if lost <= 0:
        return
    sinks = lost == g.steps(ship)
    aboard, cargo, owner = g.air_aboard(ship), g.cargo(ship), g.side(ship)
    was_crippled = g.crippled(ship)
    box = "eliminated" if g.counter(ship).type == FORT else "sunk"
    emit(g, Hit(ship, lost, rule, box if sinks else ""))
    if sinks:
        for unit in [*aboard, *cargo]:
            if unit not in (alerted or []) and not g.airborne(unit):  # what is in the air must find another base
                emit(g, Removed(unit, "eliminated", rule))
        drop_empty_markers(g)
        return
    if g.is_carrier(ship) and aboard:
        yield from _hit_hangar(g, ship, lost, alerted or [], rule)
    if cargo:
        each = 2 if g.counter(ship).type == "AA" else 1  # [PW-AMP-03] [PW-AMP-04]
        room = {u: g.steps(u) for u in cargo}
        losses = yield from distribute(
            g, owner, "cargo", "PW-AMP-03", msg("losses aboard {ship}", ship=ship), room, each * lost, reaction=True
        )
        for unit, n in losses.items():
            hit_steps(g, unit, n, "PW-AMP-03")
    if g.crippled(ship) and not was_crippled:
        yield from shoot_cripple(g, ship)


def _hit_hangar(g: State, ship: str, hits: int, alerted: list[str], rule: str) -> Flow[None]:
    """[PW-UNT-07] One unalerted step for each hit, then whatever is above the launch capacity."""
    standing = {u: g.steps(u) for u in g.air_aboard(ship) if u not in alerted and not g.airborne(u)}
    seat = FOE[g.side(ship)]
    losses = yield from distribute(g, seat, "hangar", "PW-UNT-07", msg("steps lost aboard {ship}", ship=ship), standing, hits)
    for unit, n in losses.items():
        hit_steps(g, unit, n, rule)
    over = sum(g.steps(u) for u in g.air_aboard(ship)) - max(0, g.counter(ship).launch - g.units[ship].hits)
    for unit in g.air_aboard(ship):
        if over > 0:
            over -= hit_steps(g, unit, over, "PW-UNT-07")


def shoot_cripple(g: State, ship: str) -> Flow[None]:
    """[PW-SUB-05] All enemy submarines within 10 hexes, once an operation for each crippled ship: 1 in 10 for each 12 steps."""
    if ship in g.submarine_shots:
        return
    foe, place = FOE[g.side(ship)], g.units[ship].at
    boats = [u for u in g.on_map(foe, "submarine") if distance(g.units[u].at, place) <= 10]
    chances = sum(g.steps(u) for u in boats) // 12
    if chances == 0:
        return
    emit(g, CrippledShotAt(ship))
    rolled = yield from die(g, die_for("submarines against crippled {unit}", unit=ship), "PW-SUB-05", g.side(ship))
    if rolled < chances:
        yield from hit_ship(g, ship, g.steps(ship), "PW-SUB-05")


def drop_empty_markers(g: State) -> None:
    """A task force without ships is removed."""
    for marker, m in list(g.markers.items()):
        if not m.handle and not g.members(marker):
            emit(g, MarkerRemoved(marker, "PW-FOG-02"))


def limit(g: State, kind: str, place: int) -> int:
    """[PW-DMG-07] Hits at which an installation is interdicted or eliminated."""
    if kind == "airfield":
        return 5 if g.airfields[place].size <= 6 else 10
    return CAPACITY[kind]


def hit_base(g: State, kind: str, place: int, hits: int, seat: str, alerted: list[str], rule: str) -> Flow[None]:
    """[PW-BAS-02] Hits on an airfield, port or support base; on an airfield they also destroy unalerted aircraft."""
    if hits <= 0:
        return
    if kind == "construction":
        _hit_work(g, place, hits, rule)
        return
    base = g.bases(kind)[place]
    total = base.hits + hits
    out = total >= limit(g, kind, place)
    if kind == "osb" and out:
        emit(g, InstallationTaken("osb", place, "", "PW-OSB-02"))
        return
    if kind == "airfield" and base.side == ALLIES:
        yield from _hit_bombers(g, place, hits, seat, rule)
    newly = out and not base.interdicted
    set_installation(g, kind, place, total, base.interdicted or out, rule)
    if kind == "airfield":
        room = {u: g.steps(u) for u in grounded(g, base.side, place, alerted)}
        total = hits + (1 if newly else 0)
        losses = yield from distribute(g, seat, "grounded", "PW-BAS-02", msg("aircraft destroyed on the airfield"), room, total)
        for unit, n in losses.items():
            hit_steps(g, unit, n, "PW-BAS-02")


def _hit_bombers(g: State, place: int, hits: int, seat: str, rule: str) -> Flow[None]:
    """[PW-STB-02] Strategic bombers on the airfield: a point of each group from the air, as many as the hits from the sea."""
    points = {group: g.ledger.get(f"{group} points", 0) for group in g.bombers(place)}
    losses = {group: min(1, n) for group, n in points.items()}
    if points and rule == "PW-BOM-01":
        losses = yield from distribute(
            g, seat, "grounded", "PW-STB-02", msg("strategic bombing points destroyed"), points, hits
        )
    for group, n in losses.items():
        emit(g, BomberPointsSet(group, points[group] - n, "PW-STB-02"))


def _hit_work(g: State, place: int, hits: int, rule: str) -> None:
    """[PW-ENG-10] Hits on a construction of this month; enough of them and it is gone."""
    total = g.works[place].hits + hits
    emit(g, WorkHit(place, total, rule) if total < CAPACITY["construction"] else WorkOver(place, rule))


def interdict(g: State, kind: str, place: int, rule: str) -> None:
    """An installation is put out of use at once."""
    set_installation(g, kind, place, g.bases(kind)[place].hits, True, rule)


def grounded(g: State, side: str, place: int, alerted: list[str]) -> list[str]:
    """Unalerted aircraft on the airfield of a hex."""
    return [u for u in g.here(side, place, "air") if not g.units[u].aboard and u not in alerted and not g.airborne(u)]
