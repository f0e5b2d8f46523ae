"""What units of the bot can take, over land and by landings, and what that is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.bot.assaults import chance_to_take
from pbem.games.pacific_war.bot.ground_war import (
    army,
    bombers,
    edge,
    phases,
    prizes,
    risk,
    smallest,
    ways,
    wins,
)
from pbem.games.pacific_war.bot.relief import help_worth, in_danger, relieved, spared
from pbem.games.pacific_war.land.movement import BATTALIONS, CARRIERS_OF_TROOPS, battalions
from pbem.games.pacific_war.month.upkeep import ports_of
from pbem.games.pacific_war.state import CAMPAIGN, FOE, STRATEGIC, State
from pbem.games.pacific_war.world.links import linked_hexes

FARTHEST = 24  # hexes that a landing sails
HEX_AT_SEA = 6  # worth that each of them takes off
BESIDE = 12  # movement points from a beach to the hex that is wanted
MOST_IDEAS = 5  # landings of a force that are compared
FEW_SHIPS, MANY_SHIPS, FEW_PLANES = 2, 6, 3
STAGING, BETTER_FRONT, FARTHEST_STAGE = 30, 40, 40  # worth of a shipload forward; gain in worth; hexes
PARTNERS = 3  # hexes from which troops march while others land
EASY = 850_000  # millionths: the chance with which troops land straight among the enemy
BARRED = 2  # hexes around enemy aircraft through which no link goes [PW-CMD-09]


class Task(Struct, frozen=True):
    """A hex to take: over land, or with transports from a port by way of a beach."""

    worth: int
    goal: int
    troops: tuple[str, ...]
    planes: tuple[str, ...] = ()
    ships: tuple[str, ...] = ()
    port: int = 0
    beach: int = 0
    others: tuple[int, ...] = ()  # further ports from which troops sail for it

    @property
    def ports(self) -> tuple[int, ...]:
        """Where its troops embark."""
        return (self.port, *self.others) if self.port else ()

    @property
    def units(self) -> tuple[str, ...]:
        """Who is activated for it."""
        return (*self.ships, *self.troops, *self.planes)


def marches(g: State, side: str, units: Sequence[str]) -> Iterator[Task]:
    """Every hex that these troops should take overland, with no more than it needs."""
    troops = [u for u in units if fights(g, u) and not g.units[u].aboard]
    for goal, worth in prizes(g, side).items():
        near = army(g, side, goal, troops)
        needed = smallest(g, goal, side, near, edge(g, side, goal, units)) if near else []
        if needed:
            slowest = max(phases(ways(g, side, g.units[u].at)[goal][0]) for u in needed)
            yield Task(worth - 2 * slowest, goal, tuple(needed), helpers(g, side, goal, units))


def helpers(g: State, side: str, goal: int, units: Sequence[str]) -> tuple[str, ...]:
    """Bombers for a hex that is defended."""
    return tuple(bombers(g, goal, units)[:FEW_PLANES]) if g.ashore(FOE[side], goal) else ()


def value(g: State, side: str, place: int, goal: int, beach: int) -> int:
    """What a landing is worth from a hex: the prize less the voyage and the danger; in a battle nothing else counts."""
    if g.level not in (CAMPAIGN, STRATEGIC):
        return max(1, prizes(g, side)[goal] - distance(place, beach))
    return prizes(g, side)[goal] - HEX_AT_SEA * distance(place, beach) - risk(g, side, beach)


def by_value(g: State, side: str, place: int, linked: set[int]) -> list[tuple[int, int]]:
    """Prizes over the sea from a hex, the best first."""
    near = [h for h in prizes(g, side) if not linked or (h in linked and distance(place, h) <= FARTHEST)]
    return sorted(((v, h) for h in near for v in [value(g, side, place, h, h)] if v > 0), reverse=True)


def stagings(g: State, side: str, units: Sequence[str]) -> Iterator[Task]:
    """Transports with troops that find nothing to land for go to a port nearer to the enemy."""
    for port in dict.fromkeys(g.units[u].at for u in units if room(g, u)):
        goal = _better_front(g, side, port)
        ships = [u for u in units if g.units[u].at == port and room(g, u)]
        waiting = [u for u in units if g.units[u].at == port and fit_to_land(g, u)]
        for ship, load in [*loads(g, ships, waiting)][:FEW_SHIPS] if goal else ():
            yield Task(STAGING, goal, tuple(load), (), (ship,), port, goal)


def reliefs(g: State, side: str, hq: str, units: Sequence[str]) -> Iterator[Task]:
    """Transports with troops that land nowhere go to own bases that the enemy should take, one to each."""
    done: set[int] = set()
    for port in dict.fromkeys(g.units[u].at for u in units if room(g, u)):
        goal = forward(g, side, port, hq)
        if goal in done or goal not in in_danger(g, side):
            continue
        ships = [u for u in units if g.units[u].at == port and room(g, u)]
        waiting = spared(g, side, port, [u for u in units if g.units[u].at == port and fit_to_land(g, u)])
        for ship, load in [*loads(g, ships, waiting)][:1]:
            worth = help_worth(g, side, port, goal, load)
            if worth > 0:
                done.add(goal)
                yield Task(worth, goal, tuple(load), (), (ship,), port, goal)


def forward(g: State, side: str, port: int, hq: str = "") -> int:
    """Where troops of a port sail that land nowhere: nearer to the best prize, else to a base in danger; 0: nowhere.

    `hq`: the headquarters whose theatre it is; else that of the operation.
    """
    if g.operation is not None and side == g.operator:
        hq = g.operation.hq
    return _better_front(g, side, port) or relieved(g, side, port, hq)


def _better_front(g: State, side: str, port: int) -> int:
    """The own linked port with the best prize before it, if that is much better than from here; 0: there is none."""
    fronts: dict[int, int] = g.memo.cached(("bot fronts", side), lambda: _fronts(g, side))
    best = max(fronts, key=lambda h: (fronts[h], -distance(h, port), h), default=port)
    return (
        best if fronts and fronts[best] > fronts.get(port, 0) + BETTER_FRONT and distance(best, port) <= FARTHEST_STAGE else 0
    )


def _fronts(g: State, side: str) -> dict[int, int]:
    return {port: front(g, side, port) for port in ports_of(g, side)}


def front(g: State, side: str, port: int) -> int:
    """The worth of the best linked prize over the sea from a port, its distance taken off."""
    linked = within_links(g, side)
    wanted = [h for h in prizes(g, side) if h in linked and g.board.coast(h)]
    return max((value(g, side, port, h, h) for h in wanted), default=0)


def within_links(g: State, side: str) -> set[int]:
    """Hexes that are linked, or will be when the enemy's aircraft there are gone: they block two hexes around them."""

    def find() -> set[int]:
        linked = linked_hexes(g, side)
        barred: set[int] = set()
        for h in {g.units[u].at for u in g.on_map(FOE[side], "air")}:
            barred.update(g.board.within(h, BARRED))
        return linked | {h for h in barred if any(n in linked for n in g.board.within(h, BARRED))}

    found: set[int] = g.memo.cached(("bot links", side), find)
    return found


def beaches(g: State, side: str, goal: int) -> list[int]:
    """Where to land for a hex: there if nobody defends it, else on an empty coast beside it, else there all the same."""
    direct = [goal] if g.board.coast(goal) else []
    if direct and not g.ashore(FOE[side], goal):
        return direct
    beside = [
        (way[0], h)
        for h in g.board.within(goal, 2)
        if g.board.coast(h) and not g.ashore(FOE[side], h) and not g.fort(FOE[side], h)
        for way in [ways(g, side, h, BESIDE).get(goal)]
        if way is not None
    ]
    return [*(h for _, h in sorted(beside)), *direct]


def shores(g: State, side: str, goal: int, troops: Sequence[str], partners: Sequence[str] = ()) -> list[int]:
    """Where these troops land for a hex: straight on it where they are much stronger, which saves the march."""
    found = beaches(g, side, goal)
    direct = g.level == STRATEGIC and goal in found and not g.fort(FOE[side], goal)
    if direct and chance_to_take(g, goal, side, [*troops, *partners], True, 0) >= EASY:
        return [goal, *(h for h in found if h != goal)]
    return found


def takes(
    g: State,
    side: str,
    goal: int,
    beach: int,
    troops: Sequence[str],
    pips: int = 0,
    partners: Sequence[str] = (),
    sure: bool = False,
) -> bool:
    """Troops that land on a beach should take the hex, those of ours that are there or march there helping."""
    force = dict.fromkeys([*troops, *(fighting(g, side, goal) if g.level == STRATEGIC else g.ashore(side, goal)), *partners])
    return wins(g, goal, side, force, beach == goal, pips, sure)


def fighting(g: State, side: str, place: int) -> list[str]:
    """Activated troops of a side in a hex: nobody else attacks [PW-ACT-01]."""
    return [u for u in g.ashore(side, place) if g.units[u].active]


def partners(g: State, side: str, goal: int, units: Sequence[str]) -> list[str]:
    """Those of these troops ashore that march against a defended hex in a few days, while others land."""
    if not g.ashore(FOE[side], goal):
        return []
    able = [u for u in units if fights(g, u) and not g.units[u].aboard and distance(g.units[u].at, goal) <= PARTNERS]
    return army(g, side, goal, able)


def loads(g: State, ships: Sequence[str], waiting: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The best troops, as many as fit into each ship."""
    left = sorted((u for u in waiting if not g.units[u].aboard), key=lambda u: (-g.counter(u).tq * g.steps(u), u))
    for ship in sorted(ships, key=lambda s: (not g.cargo(s), -room(g, s), s)):
        load = [u for u in g.cargo(ship) if u in waiting]
        free = room(g, ship) - sum(battalions(g, u) for u in g.cargo(ship))
        for unit in left:
            if battalions(g, unit) <= free:
                load.append(unit)
                free -= battalions(g, unit)
        left = [u for u in left if u not in load]
        if load:
            yield ship, load


def room(g: State, unit: str) -> int:
    """Battalions that a transport takes; other ships stay with the fleet."""
    return CARRIERS_OF_TROOPS.get(g.counter(unit).type, 0) if g.counter(unit).type in ("AA", "APD") else 0


def fights(g: State, unit: str) -> bool:
    """Ground units that are sent into combat: no engineers."""
    c = g.counter(unit)
    return c.kind == "ground" and c.type != "engineer"


def fit_to_land(g: State, unit: str) -> bool:
    """Infantry and marines that a ship can take or has taken aboard; armour lands on few beaches and stays ashore."""
    c = g.counter(unit)
    return fights(g, unit) and c.type != "armour" and c.tq >= 5 and c.size in BATTALIONS
