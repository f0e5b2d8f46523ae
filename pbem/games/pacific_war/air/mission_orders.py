"""[PW-AIR-01] [PW-AIR-02] Mission orders: what may be ordered, and proposals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from pbem.games.pacific_war.air.landings import bases_for, mission_range
from pbem.games.pacific_war.air.paradrops import paradrop_cargo
from pbem.games.pacific_war.air.patrols import PATROL, check_patrol, stations, within_half
from pbem.games.pacific_war.board import distance, straight
from pbem.games.pacific_war.land.movement import check_stack
from pbem.games.pacific_war.orders import (
    PASS,
    check_in_play,
    example,
    misread,
    place_parts,
    read_place,
    read_places,
    read_units,
)
from pbem.games.pacific_war.secret.meeting import has_force
from pbem.games.pacific_war.state import FOE, JAPAN, State
from pbem.games.pacific_war.world.links import linked
from pbem.games.pacific_war.world.weather import grounds
from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected, illegal, split_order, unreadable
from pbem.kernel.wording import Message, msg, quoted

TYPES = ("strike", "superiority", "transfer", "paradrop", PATROL)
OPEN = "open"


class Plan(Struct, frozen=True):
    """A mission order that has been read and found legal."""

    type: str
    target: int
    flights: tuple[tuple[tuple[str, ...], tuple[int, ...]], ...]
    cargo: tuple[tuple[str, str], ...] = ()


def why_not(g: State, unit: str) -> tuple[Message, str] | None:
    """Why a unit may not fly a mission now: reason and rule; None if it may."""
    u, c = g.units[unit], g.counter(unit)
    if not u.active:
        return msg("{unit} is not activated", unit=unit), "PW-AIR-02"
    if u.box != "map":
        return msg("{unit} is not on the map", unit=unit), "PW-AIR-02"
    if unit in g.script.get("scouts", ()):
        return msg("{unit} has searched already", unit=unit), "PW-OPT-08"
    if unit in g.patrols:
        return msg("{unit} is on patrol", unit=unit), "PW-OPT-17"
    if g.night and not (c.side == JAPAN and c.type == "2E" and c.level == 2):
        return msg("{unit} flies no missions at night", unit=unit), "PW-LUM-03"
    if u.aboard:
        if g.is_carrier(u.aboard) and (g.crippled(u.aboard) or g.launch(u.aboard) < g.steps(unit)):
            rule = "PW-UNT-05" if g.crippled(u.aboard) else "PW-UNT-07"
            return msg("{ship} cannot launch {unit}", ship=u.aboard, unit=unit), rule
    else:
        base = g.airfield(c.side, u.at)
        if base is None or base.interdicted:
            return msg("{unit} has no working airfield", unit=unit), "PW-BAS-02"
    if g.mission is None and unit in g.script.get("weathered", ()):
        return msg("the weather keeps {unit} on the ground", unit=unit), "PW-WX-03"
    if unit not in g.waves and grounds(g, u.at):
        return msg("the weather over {place} lets nobody take off in this light", place=g.board.name(u.at)), "PW-WX-02"
    if g.mission is None and unit in g.script.get("flown", ()):
        return msg("{unit} has flown in this phase", unit=unit), "PW-AIR-01"
    return None


def base_linked(g: State, unit: str) -> bool:
    """[PW-AIR-02] In campaigns the airfield must be linked; carriers need no link."""
    u = g.units[unit]
    return bool(u.aboard) or linked(g, g.side(unit), u.at)


def read_mission(g: State, side: str, plain: Plain) -> Plan | None:
    """A mission order, or a pass (None). Raises Rejected."""
    verb, body = split_order(plain, ("mission", PASS))
    if verb == PASS:
        return None
    if not isinstance(body, dict):
        raise misread("mission", body, "mission: {strike: 2860, units: [CAD1, CAD2]}")
    kinds = [t for t in TYPES if t in body]
    if len(kinds) != 1:
        raise unreadable(
            msg("a mission is one of: {kinds}", kinds=TYPES), example("mission: {strike: 2860, units: [CAD1, CAD2]}")
        )
    kind, unnamed = kinds[0], body[kinds[0]] == OPEN and kinds[0] == "transfer"
    body = _to_last_stop(g, body) if unnamed else body
    target = read_place(g, body[kind])
    rows = body.get("flights", [body])
    if not isinstance(rows, list) or not rows:
        raise misread("flights", rows, "flights: [{units: [...], via: [...]}, ...]")
    flights = [_read_flight(g, side, f, target) for f in rows]
    units = [u for us, _ in flights for u in us]
    for i, unit in enumerate(units):
        if unit in units[:i]:
            raise illegal(msg("{unit} flies twice", unit=unit), "PW-AIR-02")
        reason = why_not(g, unit)
        if reason:
            raise illegal(*reason)
        if not base_linked(g, unit):
            raise illegal(msg("the airfield of {unit} is not linked", unit=unit), "PW-AIR-02")
        _check_kind(g, kind, unit)
    _check_target(g, side, kind, target, units)
    _check_launch(g, side, units)
    for flown, path in flights:
        for unit in flown:
            _check_range(g, kind, unit, path, unnamed)
    cargo = paradrop_cargo(g, side, body.get("drops"), units) if kind == "paradrop" else ()
    for troop, _ in cargo:
        check_stack(g, troop, target, sum(g.steps(t) for t, _ in cargo))
    return Plan(kind, target, tuple(flights), cargo)


def _to_last_stop(g: State, body: dict[str, Plain]) -> dict[str, Plain]:
    """[PW-AIR-16] `transfer: open, via: [hexes]`: the stack flies to the last of them, the destination stays unnamed."""
    stops = place_parts(g, body["via"]) if body.get("via") is not None else []
    if not stops or stops[-1] is None:
        raise unreadable(
            msg("an open transfer needs a hex to which it flies"),
            example("mission: {transfer: open, via: [1325], units: [CAD1]}"),
        )
    rest: dict[str, Plain] = {"via": stops[:-1]} if len(stops) > 1 else {}
    return {**{k: v for k, v in body.items() if k != "via"}, **rest, "transfer": stops[-1]}


def _read_flight(g: State, side: str, plain: Any, target: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
    if not isinstance(plain, dict) or "units" not in plain:
        raise unreadable(msg("{given} is no flight", given=quoted(plain)), example("units: [CAD1, CAD2], via: [3060]"))
    units = read_units(g, plain["units"], side)
    if not units:
        raise unreadable(msg("no units are named"), example("units: [CAD1, CAD2]"))
    check_in_play(g, units, "PW-AIR-02")
    for unit in units:
        if g.side(unit) != side or g.counter(unit).kind != "air":
            raise illegal(msg("{unit} is not one of your air units", unit=unit), "PW-AIR-02")
    start = g.waves.get(units[0], g.units[units[0]].at)
    path, at = [start], start
    for stop in [*read_places(g, plain["via"]), target] if "via" in plain else [target]:
        path += straight(at, stop)
        at = stop
    for unit in units:
        if g.waves.get(unit, g.units[unit].at) not in path:
            raise illegal(
                msg("the flight does not pass over the base of {unit}", unit=unit),
                "PW-MOV-15",
                msg("its hex has to stand in {word}", word="`via`"),
            )
    return tuple(units), tuple(path)


def _check_kind(g: State, kind: str, unit: str) -> None:
    """[PW-AIR-01] Which units fly which missions."""
    c = g.counter(unit)
    if kind == "strike" and c.type == "LRA":
        raise illegal(msg("{unit} is a search unit and flies no strikes", unit=unit), "PW-AIR-01")
    if kind == "superiority" and (c.type != "1E" or c.level == 0):
        raise illegal(msg("{unit} may not fly superiority", unit=unit), "PW-AIR-01", msg("1E units of level 1 or 2 may"))
    if kind == "paradrop" and c.type not in ("2E", "4E"):
        raise illegal(msg("{unit} drops no troops", unit=unit), "PW-AIR-20", msg("2E and 4E units do"))
    if kind != "strike" and (g.night or unit in g.waves or c.kamikaze):
        raise illegal(
            msg("{unit} may only strike now", unit=unit),
            "PW-LUM-03" if g.night else "PW-AIR-19" if unit in g.waves else "PW-AIR-22",
        )


def crews(g: State, side: str, units: Sequence[str]) -> dict[str, list[str]]:
    """Kinds of missions that a side may fly now, each with those of the units that may fly it."""
    grounded = [*([] if side == g.advantage and g.options.get("fighter-patrol") == "yes" else [PATROL])]
    if g.in_penalty(side):
        grounded += [k for k in TYPES if k not in ("transfer", PATROL)]
    found = {k: [u for u in units if _may_fly(g, k, u)] for k in TYPES if k not in grounded}
    return {k: able for k, able in found.items() if able}


def _may_fly(g: State, kind: str, unit: str) -> bool:
    try:
        _check_kind(g, kind, unit)
    except Rejected:
        return False
    at = g.waves.get(unit, g.units[unit].at)
    return {PATROL: g.counter(unit).type == "1E", "paradrop": bool(g.paratroops(g.side(unit), at))}.get(kind, True)


def _check_target(g: State, side: str, kind: str, target: int, units: Sequence[str]) -> None:
    foe = FOE[side]
    if kind == PATROL:
        check_patrol(g, side, target, list(units))
        return
    if kind != "transfer" and g.in_penalty(side):
        if side == g.operator:
            raise illegal(msg("nobody begins combat in penalty time"), "PW-TIM-04")
        raise illegal(
            msg("after the last unit of the operations player rests, combat begins in the first cycle only"), "PW-TIM-05"
        )
    if kind == "transfer":
        if len({g.units[u].aboard or g.units[u].at for u in units}) > 1:
            raise illegal(msg("a transfer starts from a single base"), "PW-AIR-16")
        return
    if target in g.targeted:
        raise illegal(msg("{place} has been the target of a mission in this phase", place=g.board.name(target)), "PW-AIR-02")
    if kind == "paradrop" and side != g.advantage:
        raise illegal(msg("only the advantaged player drops troops"), "PW-AIR-20")
    if kind == "paradrop" and (not g.board.land(target) or g.board.hex(target).land == "mountain"):
        raise illegal(msg("no troops can be dropped into {place}", place=g.board.name(target)), "PW-AIR-20")
    if kind != "paradrop" and not targets_at(g, foe, target):
        raise illegal(msg("there is nothing to attack in {place}", place=g.board.name(target)), "PW-SRC-01")
    if kind == "strike" and g.night and not any(g.markers[m].detected for m in g.forces_at(foe, target)):
        raise illegal(msg("at night only task forces are struck"), "PW-LUM-03")
    for unit in units:
        if unit in g.waves and g.waves[unit] != target:
            raise illegal(msg("{unit} strikes in {place}", unit=unit, place=g.board.name(g.waves[unit])), "PW-AIR-19")
    if all(u in g.waves for u in units) != any(u in g.waves for u in units):
        raise illegal(msg("a simultaneous strike flies alone"), "PW-AIR-19")


def targets_at(g: State, foe: str, place: int) -> bool:
    """[PW-SRC-01] Something detected that a mission may fly to: everything but undetected task forces."""
    if any(g.markers[m].detected for m in g.forces_at(foe, place)) or has_force(g, foe, place):
        return True
    bases = (g.airfields, g.ports, g.osbs, g.works)
    return any(place in b and b[place].side == foe for b in bases) or any(not g.units[u].tf for u in _visible(g, foe, place))


def _visible(g: State, foe: str, place: int) -> list[str]:
    found = []
    for u in g.here(foe, place):
        ship = g.units[u].aboard
        if not (ship and g.units[ship].tf) and (g.counter(u).kind != "submarine" or not g.units[u].active):
            found.append(u)
    return found


def _check_launch(g: State, side: str, units: Sequence[str]) -> None:
    """[PW-BAS-02] Not more steps from an airfield than its launch capacity for one mission."""
    out: dict[int, int] = {}
    for unit in units:
        if not g.units[unit].aboard:
            at = g.units[unit].at
            out[at] = out.get(at, 0) + g.steps(unit)
            base = g.airfields[at]
            if out[at] > base.size:
                raise illegal(
                    msg("the airfield in {place} launches at most {most} steps", place=g.board.name(at), most=base.size),
                    "PW-BAS-02",
                )


def _check_range(g: State, kind: str, unit: str, path: Sequence[int], unnamed: bool) -> None:
    """[PW-AIR-02] The unit must be able to reach the target and land again. `unnamed`: where it lands is left open."""
    out = flown_before(g, unit) + len(path) - 1 - path.index(g.waves.get(unit, g.units[unit].at))
    rest = mission_range(g, kind, unit) - out
    if rest < 0:
        raise illegal(
            msg("{unit} flies {most} hexes, the way is {n} hexes long", unit=unit, most=g.counter(unit).range, n=out),
            "PW-MOV-06",
        )
    if g.counter(unit).kamikaze:
        return
    if kind == PATROL and not within_half(g, unit, out):
        raise illegal(msg("{unit} patrols within {most} hexes", unit=unit, most=g.counter(unit).range // 2), "PW-OPT-17")
    if kind == "transfer" and not unnamed and not bases_for(g, unit, path[-1], 0):
        raise illegal(
            msg("{unit} cannot land in {place}", unit=unit, place=g.board.name(path[-1])),
            "PW-AIR-16",
            example("transfer: open, via: [hexes]"),
        )
    if not bases_for(g, unit, path[-1], rest):
        raise illegal(msg("{unit} could not come back from {place}", unit=unit, place=g.board.name(path[-1])), "PW-AIR-02")


def flies_so_far(g: State, kind: str, unit: str, out: int) -> bool:
    """[PW-MOV-06] [PW-OPT-17] A unit may fly so many hexes to the end of a mission; its way home is not looked at."""
    return within_half(g, unit, out) if kind == PATROL else out <= mission_range(g, kind, unit)


def flown_before(g: State, unit: str) -> int:
    """[PW-AIR-19] Hexes a wave flew before it waited."""
    return distance(g.units[unit].at, g.waves[unit]) if unit in g.waves else 0


# -- proposals -------------------------------------------------------------------------------------------------------


def mission_options(g: State, side: str, ready: Sequence[str]) -> list[Plain]:
    """Missions that stand: strikes by all units of a hex and by single ones, superiority, a few transfers."""
    found: list[Plain] = [PASS]
    starts: dict[int, list[str]] = {}
    for unit in ready:
        starts.setdefault(g.waves.get(unit, g.units[unit].at), []).append(unit)
    seen = {m.at for m in g.markers.values() if m.side != side}
    seen |= {*g.forces.get(FOE[side], ())}
    goals = sorted({g.units[u].at for u in g.on_map(FOE[side])} | seen | set(_enemy_bases(g, FOE[side])))
    for start, units in starts.items():
        found += _paradrops(g, side, start, units)
        for goal in goals:
            if goal in g.targeted or not targets_at(g, FOE[side], goal):
                continue
            able = [u for u in units if g.counter(u).type != "LRA" and _reaches(g, u, start, goal)]
            for group in ([able] if len(able) > 1 else []) + [[u] for u in able[:2]]:
                found += _standing(g, side, {"strike": goal, "units": _launchable(g, group)})
            fighters = [u for u in able if g.counter(u).type == "1E" and g.counter(u).level > 0]
            if fighters:
                found += _standing(g, side, {"superiority": goal, "units": _launchable(g, fighters)})
        found += _transfers(g, side, start, units)
        found += _patrols(g, side, units)
    return found


def _patrols(g: State, side: str, units: Sequence[str]) -> list[Plain]:
    if g.options.get("fighter-patrol") != "yes" or side != g.advantage:
        return []
    fighters = [u for u in units if g.counter(u).type == "1E"][:2]
    return [order for u in fighters for h in stations(g, u)[:3] for order in _standing(g, side, {PATROL: h, "units": [u]})]


def _paradrops(g: State, side: str, start: int, units: Sequence[str]) -> list[Plain]:
    """[PW-AIR-20] Parachutists that stand with an aircraft, to the nearest enemy bases."""
    troops = g.paratroops(side, start)[:1]
    if side != g.advantage or not troops:
        return []
    goals = sorted(_enemy_bases(g, FOE[side]), key=lambda h: distance(start, h))[:3]
    wings = [u for u in units if g.counter(u).type in ("2E", "4E") and not g.airborne(u)]
    able: list[Plain] = [{"units": [u], "drops": [*troops]} for u in wings if g.steps(u) >= g.steps(troops[0])]
    return [order for body in able[:2] for h in goals for order in _standing(g, side, {"paradrop": h, **body})]  # type: ignore[dict-item]


def _enemy_bases(g: State, foe: str) -> list[int]:
    return [h for bases in (g.airfields, g.ports, g.osbs, g.works) for h, b in bases.items() if b.side == foe]


def _reaches(g: State, unit: str, start: int, goal: int) -> bool:
    return flown_before(g, unit) + distance(start, goal) <= g.counter(unit).range


def _launchable(g: State, group: Sequence[str]) -> list[Plain]:
    room: dict[int, int] = {}
    found: list[Plain] = []
    for unit in group:
        at = g.units[unit].at
        if g.units[unit].aboard:
            found.append(unit)
            continue
        left = room.get(at, g.airfields[at].size)
        if g.steps(unit) <= left:
            found.append(unit)
            room[at] = left - g.steps(unit)
    return found


def _transfers(g: State, side: str, start: int, units: Sequence[str]) -> list[Plain]:
    fields = [h for h, b in g.airfields.items() if b.side == side and h != start]
    found: list[Plain] = []
    for goal in sorted(fields, key=lambda h: distance(start, h))[:2]:
        ashore = [u for u in units if not g.units[u].aboard and not g.airborne(u)]
        if ashore and not g.night:
            found += _standing(g, side, {"transfer": goal, "units": [ashore[0]]})
    return found


def _standing(g: State, side: str, body: dict[str, Plain]) -> list[Plain]:
    order: Plain = {"mission": body}
    try:
        read_mission(g, side, order)
    except Rejected:
        return []
    return [order]
