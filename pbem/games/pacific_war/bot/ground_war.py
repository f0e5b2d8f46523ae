"""The war on land: how long a hex should take, which ways troops march, which hexes are worth it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush

from pbem.games.pacific_war.board import X, distance
from pbem.games.pacific_war.bot.assaults import ENOUGH, WANTED, chance_to_take
from pbem.games.pacific_war.bot.timetable import kept_whole, strongholds, timed
from pbem.games.pacific_war.bot.worth import STRIKE_RANGE, goals, held
from pbem.games.pacific_war.dice import ground_result, halved
from pbem.games.pacific_war.land.combat import ground_column, ratio_modifier
from pbem.games.pacific_war.land.movement import ALLOWANCE
from pbem.games.pacific_war.land.quality import quality
from pbem.games.pacific_war.month.merchants import BOMBER_RANGE
from pbem.games.pacific_war.state import ALLIES, CAMPAIGN, FOE, JAPAN, STRATEGIC, State
from pbem.games.pacific_war.victory import owner
from pbem.games.pacific_war.world.links import linked_hexes
from pbem.games.pacific_war.world.resources import home_hexes

MEAN_DIE = 5  # half a pip more than the mean: plans are cautious
SAFE = 1  # pips by which plans are on the safe side
BOMBER, MOST_EDGE = 3, 2  # anti-ground strength of a bomber; pips
MOST_ROUNDS = 6  # ground combats for one hex
HOLDS = 45  # power of troops that hold a stronghold: a division
GARRISON, HOME_GARRISON = 15, 50  # power: steps and quality
HOME_IN_DANGER = 32  # month from which a division stands at each home base; before, a brigade: nobody can land there yet
GOOD = 6  # troop quality of a division that goes on
MAIN_ISLANDS = 4  # hexes from the home resource hexes
THREAT, DANGER = 5, 5  # hexes within which enemy ships and aircraft endanger a landing; worth that each takes off
NEAR = 3  # hexes: two days' march
MARCH = 5 * ALLOWANCE  # movement points of one operation
RESOURCE, RESOURCE_HEX = 10, 30  # for each point; for the step of the strategic initiative
HEADQUARTERS, LARGE_FIELD, SMALL_FIELD, PORT, CITY, NATION, TROOPS_IN_A_HEX = 80, 30, 15, 15, 25, 10, 8
OBJECTIVE = 100  # a hex that the victory conditions name
OUTER_RING, OUTPOST = 20, 40  # hexes from the home islands; an enemy airfield within them
BOMBER_BASE, ON_THE_WAY = 150, 6  # an airfield within reach of Japan; each hex that a base is nearer to Japan
BOMBERS_COME = 20  # month from which a base for them is wanted
WANTED_REGIONS = {JAPAN: (("chinese-city", CITY), ("indian-city", CITY), ("java", NATION), ("bangkok", CITY))}


# -- combat ------------------------------------------------------------------------------------------------------------


def rounds_to_take(g: State, place: int, side: str, attackers: Iterable[str], assault: bool, margin: int = 0) -> int:
    """Ground combats after which a hex should be ours by mean results, with pips to spare if asked; 0: it should not.

    `assault`: they come from the sea.
    """
    defenders, mine = g.ashore(FOE[side], place), list(attackers)
    if not mine:
        return 0
    if not defenders:
        return 1
    best, theirs = max(quality(g, u) for u in mine), max(quality(g, u) for u in defenders)
    steps, against = sum(g.steps(u) for u in mine), sum(g.steps(u) for u in defenders)
    for number in range(1, MOST_ROUNDS + 1):
        column = ground_column(g, place, halved(best) if assault and number == 1 else best, theirs)
        lost, killed, retreat = ground_result(
            g, column - MEAN_DIE - margin + ratio_modifier(g, steps, against), steps + against
        )
        steps, against = steps - lost, against - killed
        if retreat == "A" or steps <= 0:
            return 0
        if retreat == "D" or against <= 0:
            return number
    return 0


def wins(g: State, place: int, side: str, attackers: Iterable[str], assault: bool, pips: int, sure: bool = False) -> bool:
    """Whether troops should take a hex: in the strategic game by exact chances, `sure` as they are wanted for a plan."""
    if g.level == STRATEGIC:
        force = list(attackers)
        if sure and place in strongholds(side) and sum(power(g, u) for u in force) < HOLDS:
            return False  # it could not be held
        return chance_to_take(g, place, side, force, assault, pips) >= (WANTED if sure else ENOUGH)
    return rounds_to_take(g, place, side, attackers, assault, (SAFE if sure else 0) - pips) > 0


# -- marches -----------------------------------------------------------------------------------------------------------


def ways(g: State, side: str, start: int, most: int = MARCH) -> dict[int, tuple[int, int]]:
    """Hexes that troops reach overland in an operation, enemy hexes only as the last: points, and the hex before."""
    return g.memo.cached(("bot ways", side, start, most), lambda: _ways(g, side, start, most))


def _ways(g: State, side: str, start: int, most: int) -> dict[int, tuple[int, int]]:
    found: dict[int, tuple[int, int]] = {}
    queue = [(0, start, 0)]
    while queue:
        points, at, before = heappop(queue)
        if at in found:
            continue
        found[at] = (points, before)
        if at != start and g.ashore(FOE[side], at):
            continue
        for n, price in g.board.land_ways[at]:
            barred = "ussr" in g.board.hex(n).features
            if n not in found and points + price <= most and not barred:
                heappush(queue, (points + price, n, at))
    return found


def path_to(found: dict[int, tuple[int, int]], goal: int) -> list[int]:
    """The hexes of the way, start left out."""
    path: list[int] = []
    while found[goal][1]:
        path.insert(0, goal)
        goal = found[goal][1]
    return path


def phases(points: int) -> int:
    """Movement phases that a march takes."""
    return -(-points // ALLOWANCE)


# -- worth -------------------------------------------------------------------------------------------------------------


def prizes(g: State, side: str) -> dict[int, int]:
    """Hexes that the side does not hold, and what each is worth."""
    return g.memo.cached(("bot prizes", side), lambda: _prizes(g, side))


def _prizes(g: State, side: str) -> dict[int, int]:
    if g.level not in (CAMPAIGN, STRATEGIC):
        return dict.fromkeys(goals(g, side), OBJECTIVE)
    foe = FOE[side]
    found: dict[int, int] = {}

    def add(place: int, worth: int) -> None:
        if owner(g, place) != side:
            found[place] = found.get(place, 0) + worth

    for h in goals(g, side):
        add(h, OBJECTIVE)
    for h, field in g.airfields.items():
        add(h, LARGE_FIELD if field.size > 6 else SMALL_FIELD)
    for h in g.ports:
        add(h, PORT)
    for key, points in g.ledger.items():
        if key.startswith("resource "):
            add(int(key[9:]), RESOURCE * points + RESOURCE_HEX)
    for hq in g.hqs.values():
        if hq.side == foe and hq.box == "map":
            add(hq.at, HEADQUARTERS)
    for feature, worth in WANTED_REGIONS.get(side, ()):
        for h in g.board.region(feature):
            if g.control.get(h, ALLIES) != side:
                add(h, worth)
    for unit in g.on_map(foe, "ground"):
        if not g.units[unit].aboard and g.units[unit].at not in found:
            add(g.units[unit].at, TROOPS_IN_A_HEX)
    if g.level == STRATEGIC:
        _near_japan(g, side, found)
    if side == ALLIES and g.level == STRATEGIC:
        _towards_japan(g, found)
    return dict(sorted((timed(g, side, found) if g.level == STRATEGIC else found).items()))


def _near_japan(g: State, side: str, found: dict[int, int]) -> None:
    """Airfields from which bombers reach the home islands; Japan takes those beyond too, before they can be used."""
    homes, china = list(home_hexes(g)), g.board.region("china")
    for h in found:
        far = min((distance(h, home) for home in homes), default=99)
        if h in g.airfields and side == ALLIES and far <= BOMBER_RANGE and g.month <= BOMBERS_COME:
            found[h] += BOMBER_BASE
        elif h in g.airfields and side == JAPAN and far <= OUTER_RING and h not in china:
            found[h] += OUTPOST


def _towards_japan(g: State, found: dict[int, int]) -> None:
    """Bases that bring the next landing nearer to the home islands."""
    homes = list(home_hexes(g))
    linked = linked_hexes(g, ALLIES)
    mine = [h for h, b in g.ports.items() if b.side == ALLIES and h in linked]
    if not homes or not mine:
        return
    far = {h: min(distance(h, home) for home in homes) for h in (*mine, *found)}
    for h in found:
        if (h in g.ports or h in g.airfields) and h not in g.board.region("china"):
            base = min(mine, key=lambda m: (distance(m, h), m))
            found[h] += ON_THE_WAY * max(0, far[base] - far[h])


# -- armies ------------------------------------------------------------------------------------------------------------


def army(g: State, side: str, goal: int, troops: Iterable[str]) -> list[str]:
    """Those of these troops that reach a hex overland in one operation, the nearest first."""
    found = []
    for unit in troops:
        u = g.units[unit]
        if distance(u.at, goal) > MARCH // 2:  # two points a hex at least
            continue
        locked = u.aboard or (u.at != goal and g.ashore(FOE[side], u.at))
        way = None if locked else ways(g, side, u.at).get(goal)
        if way is not None and (g.counter(unit).type != "armour" or _tanks_pass(g, path_to(ways(g, side, u.at), goal), u.at)):
            found.append((way[0], unit))
    return [unit for _, unit in sorted(found)]


def _tanks_pass(g: State, path: Sequence[int], at: int) -> bool:
    """[PW-MOV-02] Armour keeps to transport routes and clear hexes."""
    for step in path:
        if step not in g.board.hex(at).routes and g.board.hex(step).land not in ("clear", "atoll"):
            return False
        at = step
    return True


def smallest(g: State, place: int, side: str, troops: Sequence[str], pips: int) -> list[str]:
    """The first of these troops that take a hex overland with pips to spare; none if all of them do not."""
    for number in range(1, len(troops) + 1):
        if wins(g, place, side, troops[:number], False, pips, sure=True):
            return list(troops[:number])
    return []


def guards(g: State, side: str) -> set[str]:
    """Who stays: a garrison in key hexes, a strong one at home, enough wherever enemy troops are near."""
    return g.memo.cached(("bot guards", side), lambda: _guards(g, side))


def _guards(g: State, side: str) -> set[str]:
    always = key_hexes(g, side)
    stacks: dict[int, list[str]] = {}
    for unit in g.on_map(side, "ground"):
        if not g.units[unit].aboard:
            stacks.setdefault(g.units[unit].at, []).append(unit)
    found: set[str] = set()
    for place, units in stacks.items():
        if g.ashore(FOE[side], place) or not (place in always or place in g.airfields or place in g.ports):
            continue
        if kept_whole(g, side, place):
            found.update(units)
            continue
        needed, kept = garrison(g, side, place), 0
        strong = place in strongholds(side) or (
            side == JAPAN and place in home_bases(g) and (len(units) == 1 or g.month <= HOME_IN_DANGER)
        )
        goes_on = not strong and (needed <= GARRISON or (side == JAPAN and place not in always))
        for unit in sorted(units, key=lambda x: (g.counter(x).cost, power(g, x), x)):
            if kept >= needed or (goes_on and _needed_elsewhere(g, unit)):
                break
            found.add(unit)
            kept += power(g, unit)
    return found


def _needed_elsewhere(g: State, unit: str) -> bool:
    """A good division goes on: what nobody threatens is garrisoned by lesser troops, from the rear if need be."""
    c = g.counter(unit)
    return g.level == STRATEGIC and c.size == "division" and c.tq >= GOOD and c.type != "engineer"


def garrison(g: State, side: str, place: int) -> int:
    """The power that should stay: a division at home and in objectives, some in key hexes, more if enemy troops are near."""
    home = side == JAPAN and place in home_bases(g)
    strong = (place in held(g, side) or home) and not (home and g.level == STRATEGIC and g.month > HOME_IN_DANGER)
    least = HOME_GARRISON if strong else GARRISON if home or place in key_hexes(g, side) else 0
    return max(least, threat(g, side, place) // 2)


def home_bases(g: State) -> list[int]:
    """Ports and airfields of the four main islands of Japan: where the Allies could land."""
    return g.memo.cached("bot home bases", lambda: _home_bases(g))


def _home_bases(g: State) -> list[int]:
    homes, bases = list(home_hexes(g)), g.board.region("japan") & {*g.ports, *g.airfields}
    return sorted(h for h in bases if any(distance(h, home) <= MAIN_ISLANDS for home in homes))


def key_hexes(g: State, side: str) -> set[int]:
    """Resource hexes, home hexes, objectives and headquarters of a side."""
    found = {int(k.split()[1]) for k in g.ledger if k.startswith(("resource ", "home "))}
    found.update(held(g, side))
    return {h for h in found if owner(g, h) == side} | {q.at for q in g.hqs.values() if q.side == side and q.box == "map"}


def power(g: State, unit: str) -> int:
    """Steps and quality of a ground unit in one number."""
    return g.steps(unit) * quality(g, unit)


def threat(g: State, side: str, place: int) -> int:
    """The power of enemy troops within two days' march overland."""
    return sum(n for h, n in _powers(g, FOE[side]).items() if distance(h, place) <= NEAR and place in _land_of(g, h))


def _powers(g: State, side: str) -> dict[int, int]:
    def find() -> dict[int, int]:
        found: dict[int, int] = {}
        for unit in g.on_map(side, "ground"):
            if not g.units[unit].aboard:
                found[g.units[unit].at] = found.get(g.units[unit].at, 0) + power(g, unit)
        return found

    return g.memo.cached(("bot powers", side), find)


def _land_of(g: State, place: int) -> frozenset[int]:
    """Hexes near a hex that land joins to it."""

    def find() -> frozenset[int]:
        found, edge = {place}, {place}
        for _ in range(NEAR):
            edge = {n for at in edge for n, _ in g.board.land_ways[at]} - found
            found |= edge
        return frozenset(found)

    near: frozenset[int] = g.memo.cached(("bot land", place), find)
    return near


def risk(g: State, side: str, beach: int) -> int:
    """What the enemy's ships and aircraft near a beach take off its worth."""
    found: dict[int, int] = g.memo.cached(("bot risks", side), dict)
    if beach not in found:
        found[beach] = DANGER * sum(distance(h, beach) <= THREAT for h in _dangers(g, FOE[side]))
    return found[beach]


def _dangers(g: State, side: str) -> list[int]:
    return g.memo.cached(("bot dangers", side), lambda: [g.units[u].at for u in g.on_map(side, "air", "naval")])


# -- help from the air -------------------------------------------------------------------------------------------------


def flies_to(g: State, unit: str, place: int) -> bool:
    """An air unit ashore that attacks troops or ships there, or covers them."""
    c = g.counter(unit)
    if c.kind != "air" or g.units[unit].aboard or c.type == "LRA" or (c.ag == X and c.an == X):
        return False
    return distance(g.units[unit].at, place) <= min(c.range // 2, STRIKE_RANGE)


def bombers(g: State, place: int, units: Iterable[str]) -> list[str]:
    """Those of these air units that shake troops in a hex."""
    return [
        u for u in units if g.counter(u).kind == "air" and g.strength(u, g.counter(u).ag) >= BOMBER and flies_to(g, u, place)
    ]


def edge(g: State, side: str, place: int, units: Iterable[str] | None = None) -> int:
    """Pips that bombers are worth in a ground combat: these units, or those that are activated."""
    flying = [u for u in g.on_map(side, "air") if g.units[u].active] if units is None else units
    return min(MOST_EDGE, len(bombers(g, place, flying))) if g.ashore(FOE[side], place) else 0
