"""Combat moves: which lands and fleets are attacked, with what."""

from __future__ import annotations

from collections.abc import Collection

from pbem.bots.operation import Operation
from pbem.bots.planner import select_around
from pbem.games.axis_and_allies_pacific.bot.battles import at_sea, on_land
from pbem.games.axis_and_allies_pacific.bot.book import war_round
from pbem.games.axis_and_allies_pacific.bot.ending import presses
from pbem.games.axis_and_allies_pacific.bot.exact import verdict
from pbem.games.axis_and_allies_pacific.bot.forces import by_air, is_ready, orders_for
from pbem.games.axis_and_allies_pacific.bot.homing import homecoming
from pbem.games.axis_and_allies_pacific.bot.judgement import Temper, outlook
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.landing import is_within_reach_of_home
from pbem.games.axis_and_allies_pacific.paths import flights
from pbem.games.axis_and_allies_pacific.politics import check_declaration, why_not_attack, why_not_enter
from pbem.games.axis_and_allies_pacific.state import SEA, State, Unit, enemy_units, is_hostile, movement_points, zone_is_hostile
from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected

PASSES = 5  # plans one after the other, each with the units that are left
REFUSALS = 20  # operations that turn out not to be legal beside the others, before nothing more is tried
SAVES = 250  # what one more aircraft has to save in a battle, in thousandths of an IPC
MOST_JOIN = 24  # aircraft that join battles that are planned
RAID = 2000  # what a raid may risk where its bomber lands, in thousandths of an IPC
ENTRY = 3  # round in which UK and ANZAC open war by themselves
LEAST = 200  # what an operation has to be worth, in thousandths of an IPC


def plan_combat(g: State, power: str, mind: Temper, without: Collection[str] = ()) -> Rehearsal:
    """Orders for the whole phase, all of them legal one after the other as far as no die falls; no goal among `without`."""
    stage = Rehearsal(g, power)
    wars: list[Plain] = [t for t in ("united-kingdom", "united-states", "japan") if _wants_war(stage.g, power, t, mind)]
    if wars:
        stage.give({"declare war": wars})  # all at once: who is next at war anyway loses his first move
    done: set[str] = {*without}
    refused: set[tuple[str, frozenset[int]]] = set()
    stands: list[str] = []
    for _ in range(PASSES):
        proposals, before = [o for o in _operations(stage.g, power, mind, done) if o.value >= LEAST], len(done)
        while len(done) == before and len(refused) <= REFUSALS:  # where nothing was legal another choice is made
            proposals = [o for o in proposals if (o.goal, o.units) not in refused]
            stand, chosen = select_around(proposals, stands)
            if not chosen:
                break
            for operation in chosen:
                if stage.attempt(operation.steps):
                    done.add(operation.goal)
                    stage.chosen.append(operation)
                else:
                    refused.add((operation.goal, operation.units))
        if len(done) == before:
            break
        stands = [stand]  # the fleet covers one place, in later passes too
    _reinforce(stage)
    _stragglers(stage)
    _raids(stage)
    return stage


def _wants_war(g: State, power: str, target: str, mind: Temper) -> bool:
    try:
        check_declaration(g, power, [target])
    except Rejected:
        return False
    if power == "japan":
        return presses(g, power) or g.round >= war_round(mind.seed)  # till then the rest are left out of it, whoever came in
    return power == "united-states" or g.round >= ENTRY


def _operations(g: State, power: str, mind: Temper, done: set[str]) -> list[Operation]:
    """Every attack that could be made with units that are ready, on spaces that are not attacked yet."""
    busy = frozenset(u.id for u in g.of(power) if not is_ready(u))
    found: list[Operation] = []
    for target in g.board.territories:
        if target not in done and _may_attack(g, power, target):
            found += on_land(g, power, target, mind, busy)
    zones = {u.at for u in g.units.values() if u.type in SEA}
    for zone in g.board.zones:
        if zone in zones - done and any(u.type in SEA for u in enemy_units(g, power, zone)):
            found += at_sea(g, power, zone, mind, busy)
    return found


def _may_attack(g: State, power: str, territory: str) -> bool:
    able = is_hostile(g, power, territory) and why_not_enter(g, power, territory) is None
    return able and why_not_attack(g, power, territory) is None


def _reinforce(stage: Rehearsal) -> None:
    """Aircraft that have nothing else to do join the battles in which they save most."""
    power, tried = stage.power, set[tuple[str, int]]()
    for _ in range(MOST_JOIN):
        g = stage.g
        found = [b for t in _battles(g, power) for b in _joins(g, power, t) if (b[1], b[2].id) not in tried]
        if not found:
            return
        _, target, plane = max(found, key=lambda b: (b[0], b[1], -b[2].id))
        tried.add((target, plane.id))
        stage.attempt(orders_for([plane], target))


def _battles(g: State, power: str) -> list[str]:
    """Spaces where attackers stand against defenders."""
    return [s for s in dict.fromkeys(u.target or u.at for u in g.of(power) if u.moved) if enemy_units(g, power, s)]


def _joins(g: State, power: str, target: str) -> list[tuple[int, str, Unit]]:
    """What one more aircraft of each sort saves in a battle, as far as that is worth the flight."""
    theirs = [u for u in enemy_units(g, power, target) if u.type != "aa-gun"]
    mine = [u for u in g.of(power) if (u.target or u.at) == target and (u.moved or u.type in SEA)]
    mine = [u for u in mine if u.aboard is None or u.target]
    before = verdict(g, mine, theirs)
    found = []
    for plane in {(u.at, u.type): u for u in by_air(g, power, target) if u.at != target}.values():
        after = verdict(g, [*mine, plane], theirs)
        saved = after.swing - before.swing + 8 * (after.won - before.won) - homecoming(g, power, [plane], target)
        if saved > SAVES:
            found.append((saved, target, plane))
    return found


def _stragglers(stage: Rehearsal) -> None:
    """Ships that stay in a zone with an enemy fleet and would lose leave it for a quiet neighbour."""
    power = stage.power
    for zone in [z for z in stage.board.zones if zone_is_hostile(stage.g, power, z)]:
        g = stage.g
        mine = [u for u in g.at(zone) if u.owner == power and u.type in SEA]
        if not mine or any(u.moved for u in mine):
            continue
        if outlook(g, mine, [u for u in enemy_units(g, power, zone) if u.type != "transport"]).is_won:
            continue
        quiet = [z for z in g.board.neighbours[zone] if z in g.board.zones and not zone_is_hostile(g, power, z)]
        mine.sort(key=lambda u: u.type != "aircraft-carrier")
        any(map(stage.attempt, [orders_for(mine, away) for away in quiet]))  # written down before: an attempt moves them


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
        able = room > 3 and not guards and is_within_reach_of_home(g, bomber, target, distance)
        if able and homecoming(g, power, [bomber], target) < RAID:
            found.append((-room, target))
    return [t for _, t in sorted(found)]


def prospects(g: State, power: str, mind: Temper) -> tuple[list[Plain], list[Operation]]:
    """The declarations of war that the power would make, and what it could do after them: legal operations that are worth
    it, the best of each goal, best first.
    """
    stage = Rehearsal(g, power)
    wars: list[Plain] = [t for t in ("united-kingdom", "united-states", "japan") if _wants_war(stage.g, power, t, mind)]
    before: list[Plain] = [{"declare war": wars}] if wars and stage.give({"declare war": wars}) else []
    found: dict[str, Operation] = {}
    for operation in sorted(_operations(stage.g, power, mind, set()), key=lambda o: -o.value):
        if operation.value < LEAST:
            break
        if operation.goal not in found and Rehearsal(stage.g, power).attempt(operation.steps):
            found[operation.goal] = operation
    return before, [*found.values()]
