"""What the bot thinks of hexes, stacks and fights. Plain integers; nobody's hidden cards are looked at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache

from msgspec import Struct

from pbem.games.empire_of_the_sun.battle.strengths import AIR_NAVAL_CRT, GROUND_CRT, hits_of, intrinsic_strength, rating
from pbem.games.empire_of_the_sun.board import TERRAIN_DRM, distance
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, State

SMALL_KEYS = {  # victory of a small map or a year -> hexes that count more than elsewhere
    "south-pacific": (4423, 4222, 4021, 4020, 3820, 3219, 3319, 3520, 3720, 3822, 3823, 4024),
    "burma": (2008, 2106, 2206, 2305, 2005, 2104, 2105, 2205, 1905),
    "1943": (5018, 4021, 4423, 4222, 4020, 3820, 4415, 4715, 3822, 4024, 3720, 3921),
    "1944": (2813, 2915, 3014, 2715, 3813, 3209, 3709, 4021, 3520, 3319, 3219, 3720),
}
SCHEDULE = {2813: 24, 2709: 24, 3814: 18, 4612: 18, 2015: 16, 4021: 16, 2008: 12}  # what Japan takes before all else until 1942
NEAR_TOKYO = 8
HELD = 20  # worth of a hex that is not left empty lightly
MARCH, LANDING = 3, 10  # hexes from which an enemy may come over land, from the sea
LEFT = 40  # per cent of the worth of such a hex that is put at risk
FAR_NATIONS = ("japan", "dutch-east-indies", "malaya", "burma")  # too far for the Allies to free within a scenario
OUTPOSTS = {"Alaska": 14, "NIndia": 12}  # what shakes the will of the Allies beside resources and nations
SAFE = 12  # resource hexes with which Japan can think of other things
HAWAII = (5108, 5708, 5808, 5908)
LOSSES = 8192  # fires at units whose losses are kept


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
        value += (g.year <= 1942 and g.victory not in SMALL_KEYS) * SCHEDULE.get(place, 0)
        spare = g.year <= 1943 and len(g.resources(JAPAN)) >= SAFE
        return value + spare * _shaking(g, place, here.region)
    late = g.year >= 1944 or g.victory == "1944"
    if late and (here.port or here.airfield) and distance(place, 3706) <= NEAR_TOKYO and here.region != "Japan":
        value += 24
    landfall = g.victory == "1944" and here.region == "Philippines" and here.port
    return value + (4 if here.base else 0) + (12 if landfall else 0)


def _shaking(g: State, place: int, region: str) -> int:
    """What shakes the will of the United States by being held; each of these areas does so once [16.42]."""
    area = "hawaii" if place in HAWAII else region.lower()
    return 0 if f"Japan in {area}" in g.bonuses else 14 if area == "hawaii" else OUTPOSTS.get(region, 0)


def _share(g: State, side: str, nation: str) -> int:
    """A hex of those that decide a nation or an area."""
    wanted = g.board.nations[nation]["surrender"]
    foe = FOE[side]
    left = sum(g.holds(foe, h) for h in wanted if h in g.board.hexes)
    if nation in (("marshalls", "australia", "japan", *g.surrendered) if side == JAPAN else FAR_NATIONS):
        return 0
    return 8 + 30 // max(1, left)


def leaving(g: State, side: str, unit: str, gone: Collection[str] = ()) -> int:
    """What is put at risk where the last ground unit of a hex goes that is dear to either side and that the enemy can reach.

    `gone`: those that go with it, or before it.
    """
    if g.counter(unit).kind != "ground":
        return 0
    at = g.pieces[unit].at
    value = max(worth(g, FOE[side], at), worth(g, side, at))
    stays = any(u != unit and u not in gone for u in g.mine_at(side, at, "ground"))
    if value < HELD or stays or (side == JAPAN and g.intrinsic(at)):
        return 0
    return value * LEFT // 100 if taken_easily(g, side, at) else 0


def taken_easily(g: State, side: str, place: int) -> bool:
    """The enemy has troops that could come to a hex that nobody holds against them."""
    foes = (u for u in g.on_map(FOE[side]) if g.counter(u).kind == "ground")
    return any(distance(place, g.pieces[u].at) <= (LANDING if _from_sea(g, place, u) else MARCH) for u in foes)


def _from_sea(g: State, place: int, unit: str) -> bool:
    return g.counter(unit).lands and g.board.hexes[place].coastal


def points(g: State, units: Iterable[str]) -> int:
    """Attack strengths together."""
    return sum(g.attack(u) for u in units)


def staying(g: State, units: Iterable[str]) -> int:
    """Hits that the units can take."""
    return sum(g.counter(u).defense * g.steps(u) for u in units)


def expected(table: Sequence[tuple[int, int]], strength: int, drm: int) -> int:
    """Hits that one fire gives on average."""
    return strength * _all_ratings(tuple(table), drm) // 40


@cache
def _all_ratings(table: tuple[tuple[int, int], ...], drm: int) -> int:
    """The ratings of all ten faces of the die together."""
    return sum(rating(table, die + drm) for die in range(10))


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


class Assault(Struct, frozen=True):
    """Attackers of a hex by land and from the sea, what helps them, and the ground units that hold it."""

    place: int
    over_land: tuple[str, ...]
    from_sea: tuple[str, ...]
    defenders: tuple[str, ...]
    ships: bool = False
    wings: bool = False


def ground_chance(g: State, side: str, assault: Assault) -> int:
    """[9.4] Per cent that attackers take a hex, every pair of dice counted; the garrison of a city counts as its steps."""
    garrison = g.intrinsic(assault.place) if side == ALLIES else 0
    if not assault.defenders and not garrison:
        return 100
    if not assault.over_land and not assault.from_sea:
        return 0
    drm = TERRAIN_DRM.get(g.board.hexes[assault.place].terrain, 0) + 2 * assault.ships + 2 * assault.wings
    power = points(g, (*assault.over_land, *assault.from_sea))
    guns = points(g, assault.defenders) + (intrinsic_strength(g, assault.place) if garrison else 0)
    mine = [*_toughness(g, assault.over_land), *((-(-d // 2), n) for d, n in _toughness(g, assault.from_sea))]
    theirs = [*_toughness(g, assault.defenders), *[(12, 1)] * garrison]
    their_losses = _losses(tuple(theirs), power, drm)
    my_losses = _losses(tuple(mine), guns, 3 * bool(garrison and assault.from_sea))
    all_mine, all_theirs = (sum(n for _, n in units) for units in (mine, theirs))
    return sum(
        times * often
        for lost, times in their_losses.items()
        for paid, often in my_losses.items()
        if paid < all_mine and (lost >= all_theirs or lost > paid)
    )


@lru_cache(maxsize=LOSSES)
def _losses(units: tuple[tuple[int, int], ...], strength: int, drm: int) -> Mapping[int, int]:
    """[9.4] Steps that units lose to a fire, and at how many faces of the die."""
    return Counter(_steps(units, hits_of(strength, rating(GROUND_CRT, die + drm))) for die in range(10))


def _toughness(g: State, units: Iterable[str]) -> list[tuple[int, int]]:
    return [(g.counter(u).defense, g.steps(u)) for u in units]


def _steps(units: Sequence[tuple[int, int]], hits: int) -> int:
    """Steps that hits cost: full units are reduced first, the weakest first."""
    found = 0
    for defence in [*sorted(d for d, n in units if n > 1), *sorted(d for d, _ in units)]:
        if defence > hits:
            break
        hits -= defence
        found += 1
    return found
