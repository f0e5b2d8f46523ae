"""[PW-AIR-13] [PW-AIR-14] [PW-AIR-15] [PW-AIR-19] Targets, flak, strikes and strafing over the target hex."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pbem.games.pacific_war.board import FORT, X, distance
from pbem.games.pacific_war.choices import distribute, pick
from pbem.games.pacific_war.damage import KINDS, grounded, hit_base, hit_ship, hit_steps
from pbem.games.pacific_war.dice import fire, halved
from pbem.games.pacific_war.events import MissionBecame, Noted
from pbem.games.pacific_war.fleets import exchange
from pbem.games.pacific_war.flight import mission_hits
from pbem.games.pacific_war.landings import bases_for
from pbem.games.pacific_war.orders import parts_of, read_unit
from pbem.games.pacific_war.state import ALLIES, FOE, Mission, State
from pbem.games.pacific_war.troops import shaken
from pbem.games.pacific_war.works import abandon_works
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, split_order, unreadable
from pbem.kernel.questions import accepted, yes_or_no

STRAFE = "strafe"
FLAK = {"port": 3, 18: 3, 6: 1}  # [PW-AIR-13] port, large and small airfield
INSTALLATIONS = ("airfield", "port", "osb", "construction")


def _mission(g: State) -> Mission:
    assert g.mission is not None
    return g.mission


def _flying(g: State) -> list[str]:
    m = _mission(g)
    return [u for f in m.flights for u in f.units if g.units[u].box == "map" and u not in m.landed]


# -- targets ---------------------------------------------------------------------------------------------------------


def needs_targets(g: State) -> bool:
    """Somebody in the mission may name something."""
    return any(targets_for(g, u) for u in _flying(g))


def fleet_targets(g: State) -> list[str]:
    """[PW-SRC-01] Ships of detected task forces in the target hex."""
    m = _mission(g)
    foe = FOE[m.side]
    if m.inland:
        return []
    return [s for s in g.ships(foe, m.target) if g.units[s].tf and g.markers[g.units[s].tf].detected]


def other_targets(g: State) -> list[str]:
    """Everything else in the hex: ships in port, submarines in port, troops, installations, unalerted aircraft."""
    m = _mission(g)
    foe, place = FOE[m.side], m.target
    found = [s for s in g.ships(foe, place) if not g.units[s].tf]
    found += [s for s in g.here(foe, place, "submarine") if not g.units[s].active]
    found += g.ashore(foe, place)
    found += [k for k in INSTALLATIONS if place in getattr(g, KINDS[k]) and getattr(g, KINDS[k])[place].side == foe]
    if grounded(g, foe, place, m.alerted):
        found.append(STRAFE)
    return found


def targets_for(g: State, unit: str) -> list[str]:
    """[PW-AIR-01] What a unit may attack here: superiority units only strafe, at night only task forces."""
    fleet = fleet_targets(g) if _mission(g).type == "strike" else []
    if g.night or g.counter(unit).kamikaze:
        return fleet
    others = other_targets(g)
    if g.counter(unit).type != "1E":
        others = [t for t in others if t != STRAFE]
    if _mission(g).type == "superiority":
        others = [t for t in others if t == STRAFE]
    return fleet + others


def name_targets(g: State) -> Flow[None]:
    """[PW-AIR-14] Each unit names its targets by priority: task forces, or everything else."""
    side, units = _mission(g).side, [u for u in _flying(g) if targets_for(g, u)]
    named: dict[str, list[str]] = yield Ask(
        side,
        "targets",
        "PW-AIR-14",
        f"targets in {g.board.name(_mission(g).target)}",
        lambda plain: read_targets(g, units, plain),
        ("targets",),
        facts={"units": len(units)},
        options=lambda: target_options(g, units),
        policy=lambda wanted: target_policy(g, units, wanted),
    )
    emit(g, MissionBecame("targets", named, "PW-AIR-14"))
    fleets = dict.fromkeys(g.units[t].tf for ts in named.values() for t in ts if t in g.units and g.units[t].tf)
    emit(g, MissionBecame("fleets", list(fleets), "PW-AIR-13"))


def target_policy(g: State, units: Sequence[str], wanted: Plain) -> Plain:
    """A priority list for every unit, of names and types: what is in the hex and may be attacked, in that order."""
    words = [str(w).lower() for w in (wanted if isinstance(wanted, list) else [wanted])]
    there = list(dict.fromkeys(t for u in units for t in targets_for(g, u)))
    names = list(dict.fromkeys(t for w in words for t in there if _is_called(g, t, w)))
    fleet = set(fleet_targets(g))
    for use_fleet in (True, False):
        found: dict[str, Plain] = {}
        for unit in units:
            hits = [t for t in names if t in targets_for(g, unit) and (t in fleet) == use_fleet]
            if hits:
                alike = [t for t in hits if line_of(g, unit, t) == line_of(g, unit, hits[0])]
                found[unit] = list(hits[:1] if hits[0] in (STRAFE, *INSTALLATIONS) else alike)
        if len(found) == len(units):
            return {"targets": found}
    return None


def _is_called(g: State, target: str, word: str) -> bool:
    """A target by its name, a word of its name, or its type."""
    return word in (target.lower(), *target.lower().split()) or (target in g.units and word == g.counter(target).type.lower())


def _read_target(g: State, text: Any) -> str:
    words = str(text).lower()
    if words in (*INSTALLATIONS, STRAFE):
        return words
    return read_unit(g, text, FOE[_mission(g).side])


def read_targets(g: State, units: Sequence[str], plain: Plain) -> dict[str, list[str]]:
    """`targets: {unit: [target, ...]}` or one list for all. Raises Rejected."""
    _, body = split_order(plain, ("targets",))
    if not isinstance(body, dict):
        body = dict.fromkeys(units, body)
    named: dict[str, list[str]] = {}
    for who, what in body.items():
        unit = read_unit(g, who, _mission(g).side)
        if unit not in units:
            raise illegal(f"{unit} attacks nothing here", "PW-AIR-14", ", ".join(units))
        named[unit] = [_read_target(g, t) for t in parts_of(what)]
        _check_targets(g, unit, named[unit])
    missing = [u for u in units if u not in named]
    if missing:
        raise illegal(f"{missing[0]} must name a target", "PW-AIR-14")
    fleet = set(fleet_targets(g))
    kinds = {t in fleet for ts in named.values() for t in ts}
    if len(kinds) > 1:
        raise illegal("a strike is on task forces or on everything else", "PW-AIR-14")
    return {u: named[u] for u in units}


def _check_targets(g: State, unit: str, targets: Sequence[str]) -> None:
    able = targets_for(g, unit)
    if not targets:
        raise unreadable(f"{unit} has no target", ", ".join(able[:8]))
    for i, t in enumerate(targets):
        if t not in able:
            raise illegal(f"{unit} cannot attack {t}", "PW-AIR-14", ", ".join(able[:8]))
        if t in targets[:i]:
            raise illegal(f"{t} is named twice for {unit}", "PW-AIR-14")
    lines = {line_of(g, unit, t) for t in targets}
    if len(lines) > 1:
        raise illegal(f"{unit} attacks ships, troops, installations or aircraft", "PW-AIR-14")


def target_options(g: State, units: Sequence[str]) -> list[Plain]:
    """Task forces: the ships one after the other; else ships, troops, installations, aircraft spread over the units."""
    ideas: Iterator[Plain] = (
        {"targets": {u: _some(g, u, pool, i + shift) for i, u in enumerate(units)}}
        for pool in (fleet_targets(g), other_targets(g))
        for shift in range(min(4, len(pool)))
    )
    return list(accepted(lambda plain: read_targets(g, units, plain), ideas))


def _some(g: State, unit: str, pool: Sequence[str], i: int) -> list[Plain]:
    able = [t for t in pool if t in targets_for(g, unit)]
    if not able:
        return []
    first = able[i % len(able)]
    second = able[(i + 1) % len(able)]
    ships = first in g.units and second in g.units and first != second
    return [first, second] if ships and line_of(g, unit, first) == line_of(g, unit, second) else [first]


def line_of(g: State, unit: str, target: str) -> str:
    """[PW-AIR-14] [PW-AIR-15] The line of the chart on which a unit attacks a target."""
    if target == STRAFE:
        return "strafing"
    if target in INSTALLATIONS or g.counter(target).type == FORT:
        return "air-installation"
    if g.counter(target).kind == "ground":
        return "air-ground"
    return f"{g.counter(unit).type}-naval"


# -- flak ------------------------------------------------------------------------------------------------------------


def fire_flak(g: State) -> Flow[None]:
    """[PW-AIR-13] One flak combat of the hex, or one of each task force that is attacked."""
    m = _mission(g)
    foe = FOE[m.side]
    for tf in m.fleets:
        if tf in g.markers:
            strengths = yield from _task_force_flak(g, tf)
            yield from _flak_combat(g, foe, strengths, f"flak of {tf}")
    if m.fleets:
        return
    yield from _flak_combat(g, foe, _hex_flak(g, foe, m), f"flak over {m.target:04d}")


def _task_force_flak(g: State, tf: str) -> Flow[list[int]]:
    """Four units of the screen or two of the core."""
    yield from exchange(g, tf, "PW-FOG-02")
    sums: dict[str, list[int]] = {}
    for part, inside, most in (("screen", True, 4), ("core", False, 2)):
        ships = [s for s in g.members(tf) if g.units[s].screen == inside]
        sums[part] = sorted((g.strength(s, g.counter(s).aa) for s in ships), reverse=True)[:most]
    parts = [p for p in sums if sums[p]]
    best = max(parts, key=lambda p: sum(max(0, n) for n in sums[p])) if parts else ""
    side = g.markers[tf].side
    part = yield from pick(g, side, "flak", "PW-AIR-13", f"which ships of {tf} fire", parts, default=best, reaction=True)
    return sums[part] if part else []


def _hex_flak(g: State, foe: str, m: Mission) -> list[int]:
    """All ground units, airfield and port; four ships in port if ships in port are attacked."""
    found = [g.strength(u, g.counter(u).aa) for u in g.ashore(foe, m.target)]
    field, port = g.airfield(foe, m.target), g.port(foe, m.target)
    if field is not None:
        found.append(field.flak if field.flak != X else FLAK[field.size])
    if port is not None:
        found.append(port.flak if port.flak != X else FLAK["port"])
    struck = [t for ts in m.targets.values() for t in ts if t in g.units and g.counter(t).kind == "naval"]
    if m.type == "strike" and any(g.counter(s).type != FORT for s in struck):
        ships = [g.strength(s, g.counter(s).aa) for s in g.ships(foe, m.target) if not g.units[s].tf]
        found += sorted(ships, reverse=True)[:4]
    return found


def flak_strength(strengths: Sequence[int]) -> int:
    """[PW-AIR-13] Sum of the strengths above zero; zero or zero-four only if there is nothing better."""
    able = [s for s in strengths if s != X]
    if not able:
        return X
    return sum(s for s in able if s > 0) if max(able) > 0 else max(able)


def _flak_combat(g: State, foe: str, strengths: Sequence[int], label: str) -> Flow[None]:
    flying = _flying(g)
    strength = flak_strength(strengths)
    if not flying or strength == X:
        return
    if g.night:
        strength = halved(strength)
    improved = foe == ALLIES and (g.month <= 30 or bool(g.script.get("improved_flak")))
    shot = yield from fire(g, "improved-flak" if improved else "flak", strength, label, "PW-AIR-13", _mission(g).side)
    yield from mission_hits(g, foe, flying, shot.hits, "PW-AIR-13")


# -- strike ----------------------------------------------------------------------------------------------------------


def strike(g: State) -> Flow[None]:
    """[PW-AIR-14] [PW-AIR-15] Strafing first, then each unit attacks alone."""
    m = _mission(g)
    yield from _strafe(g, m)
    for unit in [u for u in _flying(g) if u not in m.aborted and m.targets.get(u, [STRAFE]) != [STRAFE]]:
        yield from _attack(g, m, unit, m.targets[unit])
    abandon_works(g)


def _strafe(g: State, m: Mission) -> Flow[None]:
    total = 0
    foe = FOE[m.side]
    for unit in [u for u in _flying(g) if u not in m.aborted and m.targets.get(u) == [STRAFE]]:
        shot = yield from fire(g, "strafing", g.strength(unit, g.counter(unit).aa), f"{unit} strafes", "PW-AIR-15", foe)
        total += shot.hits
    room = {u: g.steps(u) for u in grounded(g, foe, m.target, m.alerted)}
    losses = yield from distribute(g, m.side, "strafed", "PW-AIR-15", "aircraft destroyed on the ground", room, total)
    for unit, n in losses.items():
        hit_steps(g, unit, n, "PW-AIR-15")


def _attack(g: State, m: Mission, unit: str, targets: Sequence[str]) -> Flow[None]:
    foe, line = FOE[m.side], line_of(g, unit, targets[0])
    strength = strike_strength(g, unit, line)
    shot = yield from fire(g, line, strength, f"{unit} attacks {', '.join(targets)}", "PW-AIR-14", foe)
    if shot.test:
        for t in targets:
            if t not in g.tested and g.units[t].box == "map":
                emit(g, Noted("tested", [*g.tested, t], "PW-AIR-14"))
                yield from shaken(g, t, "under air attack")
                return
        return
    for target, n in spread(targets, shot.hits, lambda t: _room(g, m, t, shot.hits)).items():
        if target in INSTALLATIONS:
            yield from hit_base(g, target, m.target, n, m.side, m.alerted, "PW-AIR-14")
        elif g.counter(target).kind == "naval":
            yield from hit_ship(g, target, n * _ambushed(g, target), "PW-AIR-14", m.alerted)
        else:
            hit_steps(g, target, n, "PW-AIR-14")


def strike_strength(g: State, unit: str, line: str) -> int:
    """[PW-AIR-14] Strength against ships or on land less steps lost; halved at night."""
    c = g.counter(unit)
    strength = g.strength(unit, c.an if line.endswith("naval") else c.ag)
    return halved(strength) if g.night else strength


def _room(g: State, m: Mission, target: str, hits: int) -> int:
    """Hits a target can still take: an installation all of them."""
    if target in INSTALLATIONS:
        return hits if m.target in getattr(g, KINDS[target]) else 0
    return g.steps(target) if g.units[target].box == "map" else 0


def spread(targets: Sequence[str], hits: int, room: Callable[[str], int]) -> dict[str, int]:
    """[PW-AIR-14] Each target takes one hit before any takes a second."""
    given = dict.fromkeys(targets, 0)
    while hits:
        able = [t for t in targets if given[t] < room(t)]
        if not able:
            break
        for t in able:
            if hits:
                given[t], hits = given[t] + 1, hits - 1
    return {t: n for t, n in given.items() if n}


def _ambushed(g: State, ship: str) -> int:
    """[PW-OIN-02] CV ambush, first cycle: double hits on the operations player's carriers with aircraft aboard."""
    first = g.condition == "cv-ambush" and g.cycle == 1 and _mission(g).side == g.advantage
    return (
        2 if first and g.is_carrier(ship) and g.side(ship) == g.operator and g.units[ship].active and g.air_aboard(ship) else 1
    )


# -- simultaneous strike ---------------------------------------------------------------------------------------------


def simultaneous(g: State) -> Flow[None]:
    """[PW-AIR-19] The alerted carrier units answer with a strike where the mission came from."""
    m = _mission(g)
    units = simultaneous_units(g)
    if not units:
        return
    yes = yield from yes_or_no(FOE[m.side], "simultaneous", "PW-AIR-19", "declare a simultaneous strike", reaction=True)
    if yes:
        origin = m.flights[0].path[0]
        emit(g, Noted("waves", {**g.waves, **dict.fromkeys(units, origin)}, "PW-AIR-19"))


def simultaneous_units(g: State) -> list[str]:
    """The units that may: all aircraft of the attacked carriers are alerted, the attacker's carriers are detected."""
    m = _mission(g)
    if m.type != "strike" or m.side != g.advantage or (g.condition == "cv-ambush" and g.cycle == 1):
        return []
    carriers = [s for tf in m.fleets for s in g.members(tf) if g.is_carrier(s)]
    aboard = [u for s in carriers for u in g.air_aboard(s) if not g.airborne(u)]
    if not aboard or any(u not in m.alerted for u in aboard):
        return []
    for home in m.homes.values():
        if home in g.units and g.units[home].tf and not g.markers[g.units[home].tf].detected:
            return []
    origin = m.flights[0].path[0]
    carried = [u for u in m.alerted if g.units[u].box == "map" and g.units[u].aboard and not g.airborne(u)]
    return [u for u in carried if g.units[u].active and _reaches(g, u, origin)]


def _reaches(g: State, unit: str, origin: int) -> bool:
    """It flies to a hex and from there, with what is left of its range, back or to another base."""
    way, most = distance(g.units[unit].at, origin), g.counter(unit).range
    return 2 * way <= most or bool(way <= most and bases_for(g, unit, origin, most - way))
