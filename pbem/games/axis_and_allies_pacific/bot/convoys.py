"""[CONV] Convoys: what ships take from an enemy's income where they lie, and submarines that go for it by themselves."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pbem.games.axis_and_allies_pacific.bot.ending import has_a_turn
from pbem.games.axis_and_allies_pacific.bot.forces import orders_for
from pbem.games.axis_and_allies_pacific.bot.judgement import FAR, rivals, steps
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.bot.value import exposure
from pbem.games.axis_and_allies_pacific.income import exposed
from pbem.games.axis_and_allies_pacific.paths import halts, reach
from pbem.games.axis_and_allies_pacific.state import (
    SEA,
    SIDES,
    State,
    Unit,
    enemies_of,
    movement_points,
    side_of,
    zone_is_hostile,
)

PATIENCE = (1000, 600, 400, 250, 150)  # thousandths of a raid that is so many turns away
PROWL = 700  # what a voyage has to promise, in thousandths of an IPC
HUNTED = 50  # per cent of what an attack on submarines would cost: destroyers cannot be everywhere
MOVES = 2


def toll(g: State, power: str, zone: str, ships: Collection[Unit], leaving: Collection[int] = ()) -> int:
    """What these ships add to the losses of the enemies' next incomes by lying in a zone, in thousandths of an IPC; those in
    `leaving` may not be there then.
    """
    if not g.board.zones[zone].convoy:
        return 0
    raid = sum(g.board.types[u.type].raid for u in ships)
    others = {u.id for u in ships}.union(leaving)
    friends = sum(g.board.types[u.type].raid for u in g.at(zone) if side_of(g, u.owner) == SIDES[power] and u.id not in others)
    caps = (exposed(g, e, zone) for e in enemies_of(g, power) if e != "china" and has_a_turn(g, e))
    return 1000 * sum(max(0, min(cap - friends, raid)) for cap in caps)


def drain(g: State, power: str, zone: str, ships: Collection[Unit]) -> int:
    """What ships of the enemy take from a power's next income, in thousandths of an IPC."""
    if not g.board.zones[zone].convoy or power == "china":
        return 0
    return 1000 * min(exposed(g, power, zone), sum(g.board.types[u.type].raid for u in ships))


def prey(g: State, power: str) -> int:
    """The income that the enemies have beside convoy zones."""
    enemies = [e for e in enemies_of(g, power) if e != "china"]
    return sum(exposed(g, e, z) for e in enemies for z, zone in g.board.zones.items() if zone.convoy)


def prowl(stage: Rehearsal, ready: Collection[int]) -> set[int]:
    """Submarines go to where they take most, each where the others leave something; those that do so, or stay for it."""
    away = set[int]()
    for number in sorted(n for n in ready if stage.g.units[n].type == "submarine"):
        g, power = stage.g, stage.power
        ship, undecided = g.units[number], {*ready} - away
        tolls = {z: toll(g, power, z, [ship], undecided) for z, zone in g.board.zones.items() if zone.convoy}
        prizes = {z: prize for z, n in tolls.items() if n and (prize := n - _hunted(g, power, z, ship)) > 0}
        if not prizes:
            continue
        merits = {z: _merit(g, power, z, ship, prizes) for z in (ship.at, *_ways(g, power, ship))}
        best = max(merits, key=lambda z: (merits[z], z == ship.at, z))
        if merits[best] >= PROWL and (best == ship.at or stage.attempt(orders_for([ship], best))):
            away.add(number)
    return away


def _merit(g: State, power: str, zone: str, ship: Unit, prizes: dict[str, int]) -> int:
    """The best raid from a zone, the less the more turns away, less what waiting there risks."""
    sea = steps(g.board, "sea")[zone]
    turns = {z: -(-sea.get(z, FAR) // MOVES) for z in prizes}
    best = max(PATIENCE[n] * prizes[z] // 1000 if n < len(PATIENCE) else 0 for z, n in turns.items())
    return best if zone in prizes and not turns[zone] and best == prizes[zone] else best - _hunted(g, power, zone, ship)


def _ways(g: State, power: str, ship: Unit) -> Sequence[str]:
    closed = halts(g, power, ship.type)
    points = max(0, movement_points(g, ship) - ship.used)
    return [*reach(g, ship.at, lambda z: z in g.board.zones and z not in closed and not zone_is_hostile(g, power, z), points)]


def _hunted(g: State, power: str, zone: str, ship: Unit) -> int:
    """What a submarine adds to what an answer at sea would cost; nothing without destroyers."""
    sea = steps(g.board, "sea")[zone]
    hunters = (u for e in rivals(g, power) for u in g.of(e) if u.type == "destroyer")
    if not any(sea.get(u.at, FAR) <= movement_points(g, u) for u in hunters):
        return 0
    others = [u for u in g.at(zone) if side_of(g, u.owner) == SIDES[power] and u.type in SEA and u.id != ship.id]
    return max(0, exposure(g, power, zone, [*others, ship]) - exposure(g, power, zone, others)) * HUNTED // 100
