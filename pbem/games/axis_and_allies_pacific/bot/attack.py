"""Combat moves: which lands and fleets are attacked, with what."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.bot.forces import (
    Operation,
    air_shares,
    by_air,
    by_land,
    enough,
    exposure,
    holds,
    is_good,
    is_ready,
    orders_for,
    ships_for,
)
from pbem.games.axis_and_allies_pacific.bot.judgement import Temper, is_harbour, outlook, worth
from pbem.games.axis_and_allies_pacific.bot.landings import assess_landing, by_sea
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.landing import is_within_reach_of_home
from pbem.games.axis_and_allies_pacific.paths import flights
from pbem.games.axis_and_allies_pacific.politics import check_declaration, why_not_attack, why_not_enter
from pbem.games.axis_and_allies_pacific.state import SEA, State, Unit, enemy_units, is_hostile, movement_points, zone_is_hostile
from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected


def plan_combat(g: State, power: str, mind: Temper) -> list[Plain]:
    """Orders for the whole phase, all of them legal one after the other as far as no die falls."""
    stage = Rehearsal(g, power)
    for target in ("united-kingdom", "united-states", "japan"):
        if _wants_war(stage.g, power, target, mind):
            stage.give({"declare war": target})
    done: set[str] = set()
    for _ in range(24):
        best = next(iter(_operations(stage.g, power, mind, done)), None)
        if best is None:
            break
        done.add(best.target)
        stage.attempt(best.orders)
    _stragglers(stage)
    _raids(stage)
    return stage.orders


def _wants_war(g: State, power: str, target: str, mind: Temper) -> bool:
    try:
        check_declaration(g, power, [target])
    except Rejected:
        return False
    if power == "japan":
        at_war_with_one = any(k != "china japan" for k in g.wars)
        return target != "japan" and (g.round >= mind.war_round or at_war_with_one)
    return power == "united-states" or g.round >= 2 + mind.war_round


def _operations(g: State, power: str, mind: Temper, done: set[str]) -> list[Operation]:
    """The attacks that pay, best first."""
    found = [_on_land(g, power, mind, t) for t in g.board.territories if t not in done and _may_attack(g, power, t)]
    zones = {u.at for u in g.units.values() if u.at in g.board.zones}
    found += [_at_sea(g, power, mind, z) for z in g.board.zones if z in zones - done and enemy_units(g, power, z)]
    return sorted((o for o in found if o is not None), key=lambda o: (-o.merit, o.target))


def _may_attack(g: State, power: str, territory: str) -> bool:
    able = is_hostile(g, power, territory) and why_not_enter(g, power, territory) is None
    return able and why_not_attack(g, power, territory) is None


def _on_land(g: State, power: str, mind: Temper, target: str) -> Operation | None:
    theirs = [u for u in enemy_units(g, power, target) if u.type != "aa-gun"]
    value = worth(g, power, target, mind)
    walking, flying = by_land(g, power, target), by_air(g, power, target)
    best: Operation | None = None
    margin = max(10, mind.margin - value // 3)
    if walking:
        best = _assess(g, target, walking, flying, theirs, value, margin, [])
    landing = by_sea(g, power, target) if g.board.coast(target) else None
    if landing is not None and (best is None or value >= 15):
        both = assess_landing(g, power, target, landing, walking, flying, theirs, value, margin)
        if both is not None and (best is None or both.merit > best.merit):
            best = both
    return best


def _assess(
    g: State, target: str, land: list[Unit], air: list[Unit], theirs: list[Unit], value: int, margin: int, before: list[Plain]
) -> Operation | None:
    """Land units first, aircraft as far as they are needed; enough land units that some are left to hold the land."""
    if not theirs:
        chosen = land[:1] if value < 12 else land[:2]
    else:
        chosen = []
        for planes in air_shares(air):
            pool = [*air[:planes], *land]
            chosen = enough(g, pool, theirs, margin, planes + 1)
            if chosen:
                break
        if not chosen or not holds(g, chosen, theirs):
            chosen = [*air, *land]
            if not is_good(outlook(g, chosen, theirs), len(chosen), margin) or not holds(g, chosen, theirs):
                return None
    expected = outlook(g, chosen, theirs)
    merit = value + expected.defence_cost - expected.attack_cost
    if merit <= 0:
        return None
    return Operation(target, merit, (*before, *orders_for(chosen, target)))


def _at_sea(g: State, power: str, mind: Temper, zone: str) -> Operation | None:
    there = enemy_units(g, power, zone)
    fighting = [u for u in there if u.type != "transport"]
    hidden = bool(fighting) and all(u.type == "submarine" for u in fighting)
    pool = [u for u in ships_for(g, power, zone) if u.type not in ("transport", "aircraft-carrier")]
    destroyers = [u for u in pool if u.type == "destroyer"]
    planes = by_air(g, power, zone) if not hidden or destroyers else []
    pool = [*destroyers[:1], *(u for u in pool if u not in destroyers[:1]), *planes]
    if hidden and not destroyers:
        return None
    chosen = enough(g, pool, fighting, mind.margin + 15, 1) if fighting else pool[:1]
    if not chosen:
        return None
    expected = outlook(g, chosen, fighting)
    prize = expected.defence_cost + 7 * sum(u.type == "transport" for u in there)
    sailing = [u for u in chosen if u.type in SEA]
    merit = prize - expected.attack_cost - 2 - exposure(g, power, zone, sailing) + (20 if is_harbour(g, power, zone) else 0)
    if merit <= 0:
        return None
    orders: list[Plain] = orders_for([u for u in chosen if u.at != zone], zone)
    if not any(u.type in SEA and u.type not in ("transport", "submarine") for u in fighting):
        kinds = [k for k in ("submarine", "transport") if any(u.type == k for u in there)]
        orders.append({"engage": " and ".join(k + "s" for k in kinds) + f" in {g.board.name(zone)}"})
    return Operation(zone, merit, tuple(orders))


def _stragglers(stage: Rehearsal) -> None:
    """Ships that stay in a zone with an enemy fleet and would lose leave it for a quiet neighbour."""
    g, power = stage.g, stage.power
    for zone in [z for z in g.board.zones if zone_is_hostile(g, power, z)]:
        mine = [u for u in g.at(zone) if u.owner == power and u.type in SEA]
        if not mine or any(u.moved for u in mine):
            continue
        if outlook(g, mine, [u for u in enemy_units(g, power, zone) if u.type != "transport"]).is_won:
            continue
        quiet = [z for z in g.board.neighbours[zone] if z in g.board.zones and not zone_is_hostile(g, power, z)]
        for away in quiet:
            if stage.attempt(orders_for(sorted(mine, key=lambda u: u.type != "aircraft-carrier"), away)):
                break


def _raids(stage: Rehearsal) -> None:
    """Idle bombers against complexes and bases with room for damage and no fighters near."""
    power = stage.power
    for bomber in [u for u in stage.g.of(power) if u.type == "strategic-bomber" and is_ready(u)]:
        for target in _raid_targets(stage.g, power, bomber):
            if stage.give({"bomb": {"units": {"strategic-bomber": 1}, "from": bomber.at, "to": target}}):
                break


def _raid_targets(g: State, power: str, bomber: Unit) -> list[str]:
    found = []
    for target, distance in flights(g, power, bomber.at, movement_points(g, bomber)).items():
        if target not in g.facilities or not distance or not is_hostile(g, power, target):
            continue
        guards = sum(u.type == "fighter" for u in enemy_units(g, power, target))
        room = sum(
            {"major-ic": 20, "minor-ic": 6}.get(f.type, 0) - f.damage for f in g.facilities[target] if f.type.endswith("ic")
        )
        if room > 3 and not guards and is_within_reach_of_home(g, bomber, target, distance):
            found.append((-room, target))
    return [t for _, t in sorted(found)]
