"""What a place is worth to a power, in thousandths of an IPC, and what an answer of the enemy would cost there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.games.axis_and_allies_pacific.bot.ending import city
from pbem.games.axis_and_allies_pacific.bot.exact import Verdict, verdict
from pbem.games.axis_and_allies_pacific.bot.judgement import (
    FAR,
    Temper,
    fleet_threat,
    force_against,
    has_naval_base,
    is_wanted,
    rivals,
    steps,
)
from pbem.games.axis_and_allies_pacific.state import (
    AIR,
    LAND,
    POWERS,
    SEA,
    SIDES,
    State,
    Unit,
    controller_side,
    is_friendly,
    side_of,
)

COMES, COMES_BY_SEA = 85, 55  # how often of a hundred times an enemy answers who would gain by it
LIFT = 2  # transports without which a fleet has no business abroad: it covers the harbours where they are made
FOCUS = 12_000  # what the next victory city draws ships, the less in proportion to the way
PULL = 15_000  # the most that one place draws ships
TURNS = 3  # that land is counted for once it is held
CAPITAL, COMPLEX, BASE, OBJECTIVE, ROAD = 25_000, 9000, 1500, 5000, 6000


def gain(g: State, power: str, territory: str, mind: Temper) -> tuple[int, int]:
    """What the capture of a territory brings at once, and what it brings if it is held."""
    place = g.board.territories[territory]
    now = place.ipc * 1000
    lasting = place.ipc * 1000 * TURNS * (2 if g.control[territory] in POWERS else 1) + 300
    if place.victory_city:
        lasting += city(g, power) * mind.goals[territory] // 100
    if territory in g.board.capitals.values():
        lasting += CAPITAL + 1000 * g.cash.get(g.control[territory], 0)
    for facility in g.facilities.get(territory, ()):
        lasting += COMPLEX if facility.type.endswith("-ic") else BASE
    lasting += sum(_by_objective(g, power, territory, o) for o in g.board.objectives) + _by_road(g, territory)
    near = (t for t in g.board.neighbours[territory] if t in g.board.territories and is_wanted(g, power, t))
    return now, lasting + sum(250 * g.board.territories[t].ipc for t in near)


def _by_objective(g: State, power: str, territory: str, objective: Mapping[str, Any]) -> int:
    """Own bonus income that comes nearer, the enemy's that ends."""
    spaces = objective["spaces"]
    if territory not in spaces or objective["test"] == "unit-once":
        return 0
    mine = SIDES[objective["power"]] == SIDES[power]
    if objective["test"] == "side-each":
        return OBJECTIVE * 2 if mine else 0
    missing = sum(not is_friendly(g, objective["power"], t) for t in spaces)
    if mine:
        return OBJECTIVE * TURNS // (missing * missing) if missing else 0
    return OBJECTIVE * TURNS if not missing else 0


def _by_road(g: State, territory: str) -> int:
    """[CHN-08] The Burma Road is cut, or opened."""
    closed = [t for t in g.board.burma_road if controller_side(g, t) != "allies"]
    if territory not in g.board.burma_road:
        return 0
    return ROAD if closed in ([], [territory]) else ROAD // 3


# -- the enemy's answer ------------------------------------------------------------------------------------------------


def counter(g: State, power: str, territory: str, held: Sequence[Unit], without: frozenset[int] = frozenset()) -> Verdict:
    """The answer that would cost most to land units that stand in a territory; units of the enemy in `without` are gone."""
    worst = Verdict(0, 0, 0, 0)
    for enemy in rivals(g, power):
        force = [u for u in force_against(g, enemy, territory) if u.id not in without]
        if not any(u.type in LAND for u in force):
            continue
        found = verdict(g, _sensible(force, held), held)
        if (found.won, found.swing) > (worst.won, worst.swing):
            worst = found
    return worst


def judged(answer: Verdict, lasting: int, comes: int = COMES) -> tuple[int, int]:
    """How likely land is kept after the enemy's answer, in thousandths, and what the answer costs; he may not want to, and
    `comes` so often of a hundred times where he wants to.
    """
    if answer.won * lasting // 1000 + answer.swing <= 0:
        return 1000, 0
    return 1000 - answer.won * comes // 100, max(0, answer.swing) * comes // 100


def comes_to(g: State, territory: str) -> int:
    """How often of a hundred times an enemy who would gain by it answers: his ships cannot be at every island."""
    return COMES_BY_SEA if g.board.territories[territory].island else COMES


def _sensible(force: Sequence[Unit], held: Sequence[Unit]) -> list[Unit]:
    """Nobody sends a whole army against two men: land units up to five for each defender, all aircraft."""
    ground = [u for u in force if u.type not in AIR][: 4 + 3 * len(held)]
    return [*ground, *(u for u in force if u.type in AIR)]


def exposure(g: State, power: str, zone: str, ships: Sequence[Unit], without: frozenset[int] = frozenset()) -> int:
    """What ships and aircraft in a zone lose by the worst answer at sea, less what that costs him; 0 when it costs him more."""
    there = [u for u in ships if u.type in SEA or u.type in AIR]
    force = [u for u in _sea_forces(g, power, zone) if u.id not in without]
    if not force or not there:
        return 0
    found = verdict(g, force, there)
    cargo = sum(g.board.types[u.type].cost for u in there if u.type == "transport") * found.won
    return max(0, found.swing + cargo)


def _sea_forces(g: State, power: str, zone: str) -> list[Unit]:
    memo, question = g.memo(), ("bot fleet", power, zone)
    if question not in memo:
        memo[question] = fleet_threat(g, power, zone)
    found: list[Unit] = memo[question]
    return found


# -- where to ------------------------------------------------------------------------------------------------------------


def nearness(g: State, power: str, mind: Temper) -> dict[str, int]:
    """How near, in thousandths, each zone is to the shores that are worth having: the worth of each by the square of the way
    to it, the less the farther it is from where troops come from.
    """
    memo, question = g.memo(), ("bot near", power)
    if question not in memo:
        memo[question] = _nearness(g, power, mind)
    found: dict[str, int] = memo[question]
    return found


def _nearness(g: State, power: str, mind: Temper) -> dict[str, int]:
    sea = steps(g.board, "sea")
    home = _bases(g, power)
    far = {z: min((sea[b].get(z, FAR) for b in home), default=0) for z in g.board.zones}
    pulls: list[tuple[str, int]] = []
    for territory in g.board.territories:
        coast = g.board.coast(territory)
        if not coast or not is_wanted(g, power, territory):
            continue
        now, lasting = gain(g, power, territory, mind)
        guards = sum(g.board.types[u.type].cost for u in g.at(territory) if side_of(g, u.owner) != SIDES[power])
        merit = max(300, min(now + lasting, PULL) - 150 * guards) * mind.fancy(territory) // 1000
        pulls += [(z, merit * 4 // (2 + far[z])) for z in coast]
    found = {z: sum(pull // (1 + sea[z].get(c, FAR)) ** 2 for c, pull in pulls) for z in g.board.zones}
    if home and sum(u.type == "transport" for u in g.of(power)) < LIFT:
        return _scaled({z: FOCUS // (1 + min(sea[z].get(b, FAR) for b in home)) for z in g.board.zones})
    for goal in _next_city(g, power, mind):
        ways = {z: min(sea[z].get(c, FAR) for c in g.board.coast(goal)) for z in g.board.zones}
        found = {z: n + FOCUS // (1 + max(0, ways[z] - has_naval_base(g, SIDES[power], z))) for z, n in found.items()}
    return _scaled(found)


def _scaled(found: Mapping[str, int]) -> dict[str, int]:
    most = max(1, *found.values())
    return {z: 1000 * n // most for z, n in found.items()}


def _next_city(g: State, power: str, mind: Temper) -> list[str]:
    """The victory city by the sea that costs least to take, by its guards and the way there; none where all are held."""
    sea, home = steps(g.board, "sea"), _bases(g, power)

    def price(city: str) -> int:
        guards = sum(g.board.types[u.type].cost for u in g.at(city) if side_of(g, u.owner) != SIDES[power])
        far = min((sea[b].get(z, FAR) for b in home for z in g.board.coast(city)), default=FAR)
        return (500 * guards + 1500 * far) * 100 // mind.goals[city]

    wanted = [t for t in g.board.victory_cities.values() if is_wanted(g, power, t) and g.board.coast(t)]
    return [min(wanted, key=lambda t: (price(t), t))] if wanted and home else []


def _bases(g: State, power: str) -> list[str]:
    """Zones beside complexes: from there every landing comes."""
    makers = [t for t in g.facilities if g.control[t] == power and g.facility(t, "minor-ic", "major-ic")]
    return [z for t in makers for z in g.board.coast(t)]
