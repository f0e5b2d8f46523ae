"""[PW-AIR-14] The targets of a mission: what may be attacked, and how a side names it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.games.pacific_war.air.flight import STRAFE, fighting_units, mission_of
from pbem.games.pacific_war.air.landings import escorts_only
from pbem.games.pacific_war.board import FORT
from pbem.games.pacific_war.engagements import TargetsNamed
from pbem.games.pacific_war.nouns import target_named
from pbem.games.pacific_war.operation_forms import aims
from pbem.games.pacific_war.orders import read_unit, unit_parts
from pbem.games.pacific_war.state import FOE, State
from pbem.games.pacific_war.units.damage import INSTALLATIONS, grounded
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, split_order, unreadable
from pbem.kernel.questions import ANY, accepted
from pbem.kernel.wording import msg, verbatim


def needs_targets(g: State) -> bool:
    """Somebody in the mission may name something."""
    return any(targets_for(g, u) for u in fighting_units(g))


def fleet_targets(g: State) -> list[str]:
    """[PW-SRC-01] Ships of detected task forces in the target hex."""
    m = mission_of(g)
    foe = FOE[m.side]
    if m.inland:
        return []
    return [s for s in g.ships(foe, m.target) if g.units[s].tf and g.markers[g.units[s].tf].detected]


def other_targets(g: State) -> list[str]:
    """Everything else in the hex: ships in port, submarines in port, troops, installations, unalerted aircraft."""
    m = mission_of(g)
    foe, place = FOE[m.side], m.target
    found = [s for s in g.ships(foe, place) if not g.units[s].tf]
    found += [s for s in g.here(foe, place, "submarine") if not g.units[s].active]
    found += g.ashore(foe, place)
    found += [k for k in INSTALLATIONS if (hit := g.target(k, place)) is not None and hit.side == foe]
    if grounded(g, foe, place, m.alerted):
        found.append(STRAFE)
    return found


def targets_for(g: State, unit: str) -> list[str]:
    """[PW-AIR-01] What a unit may attack here: superiority units only strafe, at night only task forces."""
    fleet = fleet_targets(g) if mission_of(g).type == "strike" else []
    if g.night or g.counter(unit).kamikaze:
        return fleet
    others = other_targets(g)
    if escorts_only(g, unit):
        return [] if fleet else [t for t in others if t == STRAFE]
    if g.counter(unit).type != "1E":
        others = [t for t in others if t != STRAFE]
    if mission_of(g).type == "superiority":
        others = [t for t in others if t == STRAFE]
    return fleet + others


def targets_beside(g: State, unit: str, named: Sequence[str]) -> list[str]:
    """What a unit may attack besides what is named for it: all of one line."""
    return [t for t in targets_for(g, unit) if all(line_of(g, unit, t) == line_of(g, unit, other) for other in named)]


def name_targets(g: State) -> Flow[None]:
    """[PW-AIR-14] Each unit names its targets by priority: task forces, or everything else."""
    side, units = mission_of(g).side, [u for u in fighting_units(g) if targets_for(g, u)]
    named: dict[str, list[str]] = yield Ask(
        side,
        "targets",
        "PW-AIR-14",
        msg("targets in {place}", place=g.board.name(mission_of(g).target)),
        lambda plain: read_targets(g, units, plain),
        ("targets",),
        facts={"units": len(units)},
        options=lambda: target_options(g, units),
        policy=lambda wanted: target_policy(g, units, wanted),
        form=lambda: aims(
            g, units, lambda unit, there: targets_beside(g, unit, there), lambda plain: read_targets(g, units, plain)
        ),
    )
    fleets = dict.fromkeys(g.units[t].tf for ts in named.values() for t in ts if t in g.units and g.units[t].tf)
    emit(g, TargetsNamed(named, tuple(fleets)))


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
    """A target by its name, a word of its name, or its type; `any` calls each."""
    return word in (ANY, target.lower(), *target.lower().split()) or (
        target in g.units and word == g.counter(target).type.lower()
    )


def _read_target(g: State, text: Any) -> str:
    words = str(text).lower()
    if words in (*INSTALLATIONS, STRAFE):
        return words
    return read_unit(g, text, FOE[mission_of(g).side])


def read_targets(g: State, units: Sequence[str], plain: Plain) -> dict[str, list[str]]:
    """`targets: {unit: [target, ...]}` or one list for all. Raises Rejected."""
    _, body = split_order(plain, ("targets",))
    if not isinstance(body, dict):
        body = dict.fromkeys(units, body)
    named: dict[str, list[str]] = {}
    for who, what in body.items():
        unit = read_unit(g, who, mission_of(g).side)
        if unit not in units:
            raise illegal(msg("{unit} attacks nothing here", unit=unit), "PW-AIR-14", verbatim(*units))
        named[unit] = [_read_target(g, t) for t in unit_parts(g, what)]
        _check_targets(g, unit, named[unit])
    missing = [u for u in units if u not in named]
    if missing:
        raise illegal(msg("{unit} must name a target", unit=missing[0]), "PW-AIR-14")
    fleet = set(fleet_targets(g))
    kinds = {t in fleet for ts in named.values() for t in ts}
    if len(kinds) > 1:
        raise illegal(msg("a strike is on task forces or on everything else, not on both"), "PW-AIR-14")
    return {u: named[u] for u in units}


def _check_targets(g: State, unit: str, targets: Sequence[str]) -> None:
    able = targets_for(g, unit)
    if not targets:
        raise unreadable(msg("{unit} has no target", unit=unit), verbatim(*able[:8]))
    for i, t in enumerate(targets):
        if t not in able:
            raise illegal(
                msg("{unit} cannot attack this: {target}", unit=unit, target=target_named(t)), "PW-AIR-14", verbatim(*able[:8])
            )
        if t in targets[:i]:
            raise illegal(msg("a target is named twice for {unit}: {target}", unit=unit, target=target_named(t)), "PW-AIR-14")
    lines = {line_of(g, unit, t) for t in targets}
    if len(lines) > 1:
        raise illegal(msg("{unit} attacks ships, troops, installations or aircraft, only one of these", unit=unit), "PW-AIR-14")


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
