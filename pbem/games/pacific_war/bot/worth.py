"""What things are worth to a side, in hundredths of an aircraft step; mean results of the charts."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.board import X, distance
from pbem.games.pacific_war.dice import column
from pbem.games.pacific_war.records import Base
from pbem.games.pacific_war.state import CAMPAIGN, FOE, STRATEGIC, State
from pbem.games.pacific_war.units.damage import limit
from pbem.games.pacific_war.victory import goals_of, owner, ships_of

STEP = 100
SHIPS = {"CV": 400, "CVL": 300, "CVE": 250, "BB": 200, "BC": 200, "CA": 150, "AA": 150, "CVS": 150}  # a hit
OTHER_SHIP, TROOPS, TEST = 80, 100, 35
INSTALLATIONS = {"airfield": 60, "port": 20, "osb": 25, "construction": 70}
NEAR_OBJECTIVES = 8
STRIKE_RANGE = 8  # hexes


def mean(g: State, line: str, strength: int) -> int:
    """Hundredths of a hit of one attack on a line of the air and naval chart; a troop quality test counts for a third."""
    if strength == X:
        return 0
    row = g.board.charts.air_naval[line]
    if strength < 0:  # zero-four: two dice
        found = row[1]
        return 5 * (TEST if found == "T" else 100 * int(found)) // 100
    results = [row[column(strength, die)] for die in range(10)]
    return sum(TEST if r == "T" else 100 * int(r) for r in results) // 10


def wanted_ships(g: State, side: str) -> dict[str, int]:
    """[PW-SEQ-02] Types of enemy ships that the side must hurt, and hits that count (0: until it sinks)."""
    found: dict[str, int] = {}
    for condition in goals_of(g.victory, side):
        if condition["kind"] in ("damaged", "crippled", "sunk") and condition["side"] != side:
            types = sorted({g.counter(s).type for s in ships_of(g, condition)})
            found |= dict.fromkeys(types, int(condition.get("hits", 0)))
    return found


def hits_worth(g: State, side: str, ship: str, before: int, hits: int) -> int:
    """What hundredths of hits on an enemy ship are worth to a side when it has taken so many before.

    A type that the victory conditions name counts three times, up to the hits that they ask for.
    """
    c = g.counter(ship)
    worth = SHIPS.get(c.type, OTHER_SHIP) + (100 if g.cargo(ship) else 0)
    room = min(hits, max(0, 100 * g.steps(ship) - before))
    wanted = wanted_ships(g, side)
    if c.type not in wanted:
        return room * worth // 100
    enough = 100 * ((wanted[c.type] or c.capacity) - g.units[ship].hits) - before
    useful = min(room, max(0, enough))
    return (3 * useful * worth + (room - useful) * worth // 8) // 100


def base_worth(g: State, kind: str, place: int, aircraft: int) -> int:
    """What a hit on an installation is worth; on an airfield it destroys an aircraft too."""
    base = g.target(kind, place)
    if base is None:
        return 0
    if kind != "osb" and isinstance(base, Base) and (base.interdicted or base.hits >= limit(g, kind, place)):
        return 10 if not aircraft else STEP
    return INSTALLATIONS[kind] + (STEP if kind == "airfield" and aircraft else 0)


# -- objectives --------------------------------------------------------------------------------------------------------


def objectives(g: State, side: str) -> list[int]:
    """Hexes that the conditions of either side name; without such, the enemy's ports and airfields nearest to ours."""
    named: set[int] = set()
    for condition in (goal for s in (side, FOE[side]) for goal in goals_of(g.victory, s)):
        named |= {int(h) for h in condition.get("hexes", ())}
    if named or g.level in (CAMPAIGN, STRATEGIC):
        return sorted(named)
    return g.memo.cached(("bot objectives", side), lambda: sorted(named | set(_border(g, side))))


def _border(g: State, side: str) -> list[int]:
    mine = [h for h, b in g.airfields.items() if b.side == side and not b.interdicted]
    theirs = {h for bases in (g.airfields, g.ports) for h, b in bases.items() if b.side != side}
    ranked = sorted((min((distance(h, m) for m in mine), default=0), h) for h in theirs)
    return [h for _, h in ranked[:NEAR_OBJECTIVES]]


def goals(g: State, side: str) -> list[int]:
    """Objectives that the side does not hold."""
    return [h for h in objectives(g, side) if owner(g, h) != side]


def held(g: State, side: str) -> list[int]:
    """Objectives that the side holds."""
    return [h for h in objectives(g, side) if owner(g, h) == side]


def nearest(place: int, places: Sequence[int]) -> int:
    """The nearest of some hexes; 0 without any."""
    return min(((distance(place, h), h) for h in places), default=(0, 0))[1]


def enemy_forces(g: State, side: str, place: int, radius: int) -> list[str]:
    """Enemy task force markers within so many hexes: their places are public."""
    return [m for m, x in g.markers.items() if x.side != side and distance(x.at, place) <= radius]


def gunfire(g: State, ships: Sequence[str], band: str) -> int:
    """Hundredths of hits that ships make in one round at a range, torpedoes that are left included."""
    from pbem.games.pacific_war.sea.gunnery import gun, salvo

    return sum(mean(g, band, gun(g, s, band)) + mean(g, "torpedo", salvo(g, s, band)) for s in ships)
