"""[PW-AIR-13] [PW-AIR-14] [PW-AIR-15] [PW-AIR-19] Flak, strikes and strafing over the target hex."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pbem.games.pacific_war.air.flight import STRAFE, fighting_units, mission_hits, mission_of
from pbem.games.pacific_war.air.landings import bases_for
from pbem.games.pacific_war.air.targets import line_of
from pbem.games.pacific_war.board import FORT, X, distance
from pbem.games.pacific_war.choices import distribute
from pbem.games.pacific_war.dice import fire, halved
from pbem.games.pacific_war.engagements import QualityTested, WaveWaits
from pbem.games.pacific_war.land.quality import shaken
from pbem.games.pacific_war.records import Mission
from pbem.games.pacific_war.state import ALLIES, FOE, State
from pbem.games.pacific_war.terms import hex_term, target_terms
from pbem.games.pacific_war.units.damage import INSTALLATIONS, grounded, hit_base, hit_ship, hit_steps
from pbem.games.pacific_war.units.fleets import exchange
from pbem.games.pacific_war.units.works import abandon_works
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow
from pbem.kernel.questions import choose_unit, yes_or_no
from pbem.kernel.wording import Message, msg

FLAK = {"port": 3, 18: 3, 6: 1}  # [PW-AIR-13] port, large and small airfield


# -- flak ------------------------------------------------------------------------------------------------------------


def fire_flak(g: State) -> Flow[None]:
    """[PW-AIR-13] One flak combat of the hex, or one of each task force that is attacked."""
    m = mission_of(g)
    foe = FOE[m.side]
    for tf in m.fleets:
        if tf in g.markers:
            strengths = yield from _task_force_flak(g, tf)
            yield from _flak_combat(g, foe, strengths, msg("flak of {unit}", unit=tf))
    if m.fleets:
        return
    yield from _flak_combat(g, foe, _hex_flak(g, foe, m), msg("flak over {place}", place=hex_term(g, m.target)))


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
    part = yield from choose_unit(
        g.board.unit_index,
        side,
        "flak",
        "PW-AIR-13",
        msg("which ships of {marker} fire flak", marker=tf),
        parts,
        default=best,
        reaction=True,
    )
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


def _flak_combat(g: State, foe: str, strengths: Sequence[int], label: Message) -> Flow[None]:
    flying = fighting_units(g)
    strength = flak_strength(strengths)
    if not flying or strength == X:
        return
    if g.night:
        strength = halved(strength)
    improved = foe == ALLIES and (g.month <= 30 or bool(g.script.get("improved_flak")))
    shot = yield from fire(g, "improved-flak" if improved else "flak", strength, label, "PW-AIR-13", mission_of(g).side)
    yield from mission_hits(g, foe, flying, shot.hits, "PW-AIR-13")


# -- strike ----------------------------------------------------------------------------------------------------------


def strike(g: State) -> Flow[None]:
    """[PW-AIR-14] [PW-AIR-15] Strafing first, then each unit attacks alone."""
    m = mission_of(g)
    yield from _strafe(g, m)
    for unit in [u for u in fighting_units(g) if u not in m.aborted and m.targets.get(u, [STRAFE]) != [STRAFE]]:
        yield from _attack(g, m, unit, m.targets[unit])
    abandon_works(g)


def _strafe(g: State, m: Mission) -> Flow[None]:
    total = 0
    foe = FOE[m.side]
    for unit in [u for u in fighting_units(g) if u not in m.aborted and m.targets.get(u) == [STRAFE]]:
        strength, label = g.strength(unit, g.counter(unit).aa), msg("{unit} strafes", unit=unit)
        shot = yield from fire(g, "strafing", strength, label, "PW-AIR-15", foe)
        total += shot.hits
    room = {u: g.steps(u) for u in grounded(g, foe, m.target, m.alerted)}
    losses = yield from distribute(g, m.side, "strafed", "PW-AIR-15", msg("aircraft destroyed on the ground"), room, total)
    for unit, n in losses.items():
        hit_steps(g, unit, n, "PW-AIR-15")


def _attack(g: State, m: Mission, unit: str, targets: Sequence[str]) -> Flow[None]:
    foe, line = FOE[m.side], line_of(g, unit, targets[0])
    strength = strike_strength(g, unit, line)
    label = msg("{unit} attacks {target}", unit=unit, target=target_terms(targets))
    shot = yield from fire(g, line, strength, label, "PW-AIR-14", foe)
    if shot.test:
        for t in targets:
            if t not in g.tested and g.units[t].box == "map":
                emit(g, QualityTested(t, "PW-AIR-14"))
                yield from shaken(g, t, msg("under air attack"))
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
        return hits if g.target(target, m.target) is not None else 0
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
    first = g.condition == "cv-ambush" and g.cycle == 1 and mission_of(g).side == g.advantage
    return (
        2 if first and g.is_carrier(ship) and g.side(ship) == g.operator and g.units[ship].active and g.air_aboard(ship) else 1
    )


# -- simultaneous strike ---------------------------------------------------------------------------------------------


def simultaneous(g: State) -> Flow[None]:
    """[PW-AIR-19] The alerted carrier units answer with a strike where the mission came from."""
    m = mission_of(g)
    units = simultaneous_units(g)
    if not units:
        return
    yes = yield from yes_or_no(FOE[m.side], "simultaneous", "PW-AIR-19", msg("declare a simultaneous strike"), reaction=True)
    if yes:
        origin = m.flights[0].path[0]
        emit(g, WaveWaits(tuple(units), origin))


def simultaneous_units(g: State) -> list[str]:
    """The units that may: all aircraft of the attacked carriers are alerted, the attacker's carriers are detected."""
    m = mission_of(g)
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
