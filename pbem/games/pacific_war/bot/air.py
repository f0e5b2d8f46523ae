"""Air missions: the mission with the best prospect, targets where hits count most, the strongest fighters in the air."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.games.pacific_war.air.flight import STRAFE, bonus, combat_aa, with_bonus
from pbem.games.pacific_war.air.strikes import FLAK, flak_strength
from pbem.games.pacific_war.air.targets import fleet_targets, other_targets, targets_for
from pbem.games.pacific_war.board import X
from pbem.games.pacific_war.bot.worth import STEP, TROOPS, base_worth, hits_worth, mean
from pbem.games.pacific_war.orders import PASS
from pbem.games.pacific_war.state import FOE, State
from pbem.games.pacific_war.units.damage import INSTALLATIONS, grounded, limit
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask

IN_COMBAT = 4  # times as much are hits on troops worth that ours fight
LEAST_GAIN = 30  # hundredths of a step
MET, MET_WITH_ESCORT = 60, 80  # percent of the hits that are made where fighters defend


def missions(g: State, ask: Ask) -> list[Plain]:
    """The missions that promise more than they cost, best first; then a pass."""
    ranked = []
    for order in ask.options():
        if isinstance(order, dict):
            gain = prospect(g, ask.seat, order["mission"])
            if gain >= LEAST_GAIN:
                ranked.append((gain, order))
    ranked.sort(key=lambda row: -row[0])
    return [*(order for _, order in ranked), PASS]


def prospect(g: State, side: str, body: Any) -> int:
    """What a proposed strike or superiority mission should gain, less its losses."""
    kind = next((k for k in ("strike", "superiority") if k in body), "")
    if not kind:
        return 0
    place, units = int(body[kind]), list(body["units"])
    foe = FOE[side]
    fleet = [s for s in g.ships(foe, place) if g.units[s].tf and g.markers[g.units[s].tf].detected]
    blind = [m for m in g.forces_at(foe, place) if g.markers[m].detected and g.markers[m].handle]
    aircraft = sum(g.steps(u) for u in grounded(g, foe, place, []))
    if kind == "superiority":
        gain = min(STEP * aircraft, sum(mean(g, "strafing", g.strength(u, g.counter(u).aa)) for u in units) * STEP // 100)
    else:
        pools = [fleet, _others(g, foe, place)]
        gain = max(assign(g, side, place, units, pool)[0] for pool in pools)
        if blind:
            gain = max(gain, sum(mean(g, f"{g.counter(u).type}-naval", g.strength(u, g.counter(u).an)) for u in units) * 2)
    return gain * _through(g, foe, place, units) // 100 - _losses(g, foe, place, fleet)


def _others(g: State, foe: str, place: int) -> list[str]:
    found = [s for s in g.ships(foe, place) if not g.units[s].tf] + g.ashore(foe, place)
    found += [k for k in INSTALLATIONS if (hit := g.target(k, place)) is not None and hit.side == foe]
    return [*found, STRAFE] if grounded(g, foe, place, []) else found


def _fighters(g: State, foe: str, place: int) -> list[str]:
    return [u for u in g.here(foe, place, "air") if g.counter(u).type == "1E" and combat_aa(g, u) != X]


def _through(g: State, foe: str, place: int, units: Sequence[str]) -> int:
    if not _fighters(g, foe, place):
        return 100
    return MET_WITH_ESCORT if any(g.counter(u).type == "1E" and g.counter(u).level for u in units) else MET


def _losses(g: State, foe: str, place: int, fleet: Sequence[str]) -> int:
    """Steps that fighters and flak should cost."""
    cost, fighters = 0, _fighters(g, foe, place)
    if fighters:
        best = max(fighters, key=lambda u: combat_aa(g, u))
        strength = with_bonus(combat_aa(g, best), bonus(g, [u for u in fighters if u != best]))
        cost += mean(g, "cap-uncoordinated", strength) * 60 // 100
    guns = [g.strength(s, g.counter(s).aa) for s in sorted(fleet)[:4]]
    if not fleet:
        guns = [g.strength(u, g.counter(u).aa) for u in g.ashore(foe, place)]
        if place in g.ports:
            guns.append(FLAK["port"])
        if place in g.airfields:
            guns.append(FLAK[g.airfields[place].size])
    strength = flak_strength(guns)
    return cost + (mean(g, "flak", strength) if strength != X else 0)


def assign(g: State, side: str, place: int, units: Sequence[str], pool: Sequence[str]) -> tuple[int, dict[str, Plain]]:
    """The worth of an attack on these targets, and who attacks what: the strongest choose first, nobody overdoes it."""
    taken: dict[str, int] = {}
    orders: dict[str, Plain] = {}
    total = 0
    order = sorted(units, key=lambda u: (-max(g.counter(u).an, g.counter(u).ag), u))
    for unit in order:
        ranked = [(attack_worth(g, side, place, unit, t, taken.get(t, 0)), t) for t in pool]
        gain, target = max(ranked, default=(0, ""))
        if gain <= 0:
            continue
        taken[target] = taken.get(target, 0) + expected(g, unit, target)
        orders[unit] = [target]
        total += gain
    return total, orders


def expected(g: State, unit: str, target: str) -> int:
    """Hundredths of hits of a unit on a target."""
    c = g.counter(unit)
    if target == STRAFE:
        return mean(g, "strafing", g.strength(unit, c.aa)) if c.type == "1E" else 0
    if target in INSTALLATIONS:
        return mean(g, "air-installation", g.strength(unit, c.ag))
    if g.counter(target).kind == "ground":
        return mean(g, "air-ground", g.strength(unit, c.ag))
    return mean(g, f"{c.type}-naval", g.strength(unit, c.an)) if c.type in ("1E", "2E", "4E") else 0


def attack_worth(g: State, side: str, place: int, unit: str, target: str, taken: int) -> int:
    """What a unit's attack is worth when others have already planned so many hundredths of hits."""
    hits, foe = expected(g, unit, target), FOE[side]
    if target == STRAFE:
        room = 100 * sum(g.steps(u) for u in grounded(g, foe, place, []))
        return min(hits, max(0, room - taken)) * STEP // 100
    if target in INSTALLATIONS:
        aircraft = len(grounded(g, foe, place, []))
        left = 100 * limit(g, target, place) - taken if target != "osb" else 500 - taken
        return min(hits, max(0, left)) * base_worth(g, target, place, aircraft) // 100
    if g.counter(target).kind == "ground":
        return min(hits, 100 * g.steps(target)) * TROOPS * (IN_COMBAT if g.ashore(side, place) else 1) // 100
    return hits_worth(g, side, target, taken, hits)


def targets(g: State, ask: Ask) -> list[Plain]:
    """Task forces or everything else, whichever is worth more."""
    m = g.mission
    assert m is not None
    flying = [u for f in m.flights for u in f.units if g.units[u].box == "map" and u not in m.landed]
    units = [u for u in flying if targets_for(g, u)]
    ideas: list[tuple[int, Plain]] = []
    for pool in (fleet_targets(g), other_targets(g)):
        fit = {u: [t for t in pool if t in targets_for(g, u)] for u in units}
        gain = 0
        orders: dict[str, Plain] = {}
        taken: dict[str, int] = {}
        for unit in sorted(units, key=lambda u: (-max(g.counter(u).an, g.counter(u).ag), u)):
            ranked = [(attack_worth(g, m.side, m.target, unit, t, taken.get(t, 0)), t) for t in fit[unit]]
            if ranked:
                worth, target = max(ranked)
                taken[target] = taken.get(target, 0) + expected(g, unit, target)
                orders[unit], gain = [target], gain + worth
        if orders:
            ideas.append((gain, {"targets": orders}))
    ideas.sort(key=lambda row: -row[0])
    return [*(order for _, order in ideas), *ask.options()]


def strongest(verb: str) -> Callable[[State, Ask], list[Plain]]:
    """The unit with the best strength in air combat flies CAP, escorts, intercepts."""

    def thought(g: State, ask: Ask) -> list[Plain]:
        named = [str(o[verb]) for o in ask.options() if isinstance(o, dict) and str(o.get(verb)) in g.units]
        named.sort(key=lambda u: (-combat_aa(g, u), -g.steps(u), u))
        return [{verb: u} for u in named]

    return thought


def home(g: State, ask: Ask) -> list[Plain]:
    """Aircraft land where they came from."""
    return [{"landing": "home"}]


THOUGHTS: Mapping[str, Callable[[State, Ask], Sequence[Plain]]] = {
    "mission": missions,
    "targets": targets,
    "cap": strongest("cap"),
    "escort": strongest("escort"),
    "intercept": strongest("intercept"),
    "landing": home,
}
