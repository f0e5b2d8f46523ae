"""What the bot thinks of hexes, stacks and fights. Plain integers; nobody's hidden cards are looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.games.empire_of_the_sun.battle.strengths import AIR_NAVAL_CRT, GROUND_CRT, rating
from pbem.games.empire_of_the_sun.board import TERRAIN_DRM, distance
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, State

SMALL_KEYS = {  # victory of a small map or a year -> hexes that count more than elsewhere
    "south-pacific": (4423, 4222, 4021, 4020, 3820, 3219, 3319, 3520, 3720, 3822, 3823, 4024),
    "burma": (2008, 2106, 2206, 2305, 2005, 2104, 2105, 2205, 1905),
    "1943": (4021, 4423, 4222, 4020, 3820, 4415, 4715, 3822, 4024, 3720, 3921),
    "1944": (2813, 2915, 3014, 2715, 3813, 3209, 3709, 4021, 3520, 3319, 3219, 3720),
}
NEAR_TOKYO = 8
FAR_NATIONS = ("japan", "dutch-east-indies", "malaya", "burma")  # too far for the Allies to free within a scenario
OUTPOSTS = {"Alaska": 14, "NIndia": 12}  # what shakes the will of the Allies beside resources and nations
HAWAII = (5108, 5708, 5808, 5908)


def worth(g: State, side: str, place: int) -> int:
    """What it is worth to a side to take a hex of its enemy."""
    here = g.board.hexes[place]
    value = 4 * here.port + 3 * here.airfield + 2 * bool(here.name)
    if here.resource:
        value += 34 if side == JAPAN else 5 if g.victory == "1944" else 14
    value += sum(_share(g, side, nation) for nation, area in g.board.nations.items() if place in area.get("surrender", ()))
    if place in SMALL_KEYS.get(g.victory, ()):
        value += 14
    if side == JAPAN:
        return value + (g.year <= 1943) * (OUTPOSTS.get(here.region, 0) + 14 * (place in HAWAII))
    late = g.year >= 1944 or g.victory == "1944"
    if late and (here.port or here.airfield) and distance(place, 3706) <= NEAR_TOKYO and here.region != "Japan":
        value += 24
    landfall = g.victory == "1944" and here.region == "Philippines" and here.port
    return value + (4 if here.base else 0) + (12 if landfall else 0)


def _share(g: State, side: str, nation: str) -> int:
    """A hex of those that decide a nation or an area."""
    wanted = g.board.nations[nation]["surrender"]
    foe = FOE[side]
    left = sum(g.holds(foe, h) for h in wanted if h in g.board.hexes)
    if nation in (("marshalls", "australia", "japan", *g.surrendered) if side == JAPAN else FAR_NATIONS):
        return 0
    return 8 + 30 // max(1, left)


def points(g: State, units: Iterable[str]) -> int:
    """Attack strengths together."""
    return sum(g.attack(u) for u in units)


def staying(g: State, units: Iterable[str]) -> int:
    """Hits that the units can take."""
    return sum(g.counter(u).defense * g.steps(u) for u in units)


def expected(table: Sequence[tuple[int, int]], strength: int, drm: int) -> int:
    """Hits that one fire gives on average."""
    return strength * sum(rating(table, die + drm) for die in range(10)) // 40


def air_naval_edge(g: State, side: str, mine: Sequence[str], theirs: Sequence[str], surprise: bool) -> int:
    """Per cent of the enemy that falls, less per cent of the own side, in one round; hits above the target are nothing."""
    bonus = 1 if g.year == 1943 else 3 if g.year >= 1944 else 0
    shift = {JAPAN: 0, ALLIES: bonus}
    give = expected(AIR_NAVAL_CRT, points(g, mine), shift[side] + 3 * surprise)
    take = expected(AIR_NAVAL_CRT, points(g, theirs), shift[FOE[side]])
    hurt = min(100, give * 100 // max(1, staying(g, theirs)))
    if surprise:
        take = take * (100 - hurt) // 100
    return hurt - min(100, take * 100 // max(1, staying(g, mine)))


def ground_chance(
    g: State, side: str, place: int, mine: Sequence[str], theirs: Sequence[str], by_sea: bool, ships: bool, wings: bool
) -> int:
    """Per cent that attackers take a hex from its ground units; the garrison of a city counts as a corps."""
    garrison = g.intrinsic(place) if side == ALLIES else 0
    if not theirs and not garrison:
        return 100
    if not mine:
        return 0
    guns = points(g, theirs) + 10 * garrison
    attack = expected(GROUND_CRT, points(g, mine), TERRAIN_DRM.get(g.board.hexes[place].terrain, 0) + 2 * ships + 2 * wings)
    defence = expected(GROUND_CRT, guns, 3 * by_sea)
    stay = staying(g, mine) // (2 if by_sea else 1)
    given = attack * 100 // max(1, staying(g, theirs) + 12 * garrison)
    taken = defence * 100 // max(1, stay)
    return max(0, min(100, 50 + (given - taken) // 2 + (20 if given >= 100 else 0)))
