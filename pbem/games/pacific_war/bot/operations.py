"""Operations of campaigns and the strategic game: what can be taken from each headquarters, with what, at what price."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbem.games.pacific_war.activation import may_activate, not_from_here, price_of
from pbem.games.pacific_war.board import FORT, distance
from pbem.games.pacific_war.bot.ground_war import (
    SAFE,
    army,
    bombers,
    edge,
    flies_to,
    guards,
    phases,
    prizes,
    rounds_to_take,
    smallest,
    ways,
)
from pbem.games.pacific_war.landmoves import BATTALIONS, CARRIERS_OF_TROOPS, battalions
from pbem.games.pacific_war.links import linked_hexes, reach
from pbem.games.pacific_war.nations import china_headquarters
from pbem.games.pacific_war.state import FOE, STRATEGIC, State

FARTHEST = 24  # hexes that a landing sails
HEX_AT_SEA = 3  # worth that each of them takes off
BESIDE = 12  # movement points from a beach to the hex that is wanted
MOST_TASKS = 8  # hexes that one operation goes for
SUPPORT = 16  # command points for ships and aircraft that go along
FEW_SHIPS, MANY_SHIPS, FEW_PLANES = 2, 6, 3
ROUNDS_ASHORE = 2  # battle cycles of fighting after a landing
LENGTHS = (14, 21, 28)  # days
IDLE_SHIP = 10  # worth of a transport that goes where troops wait
THREAT = 5  # hexes within which enemy ships and aircraft endanger a landing
POINT = 2  # worth of a command point


@dataclass(frozen=True, slots=True)
class Task:
    """A hex to take: over land, or with transports from a port by way of a beach."""

    worth: int
    goal: int
    troops: tuple[str, ...]
    planes: tuple[str, ...] = ()
    ships: tuple[str, ...] = ()
    port: int = 0
    beach: int = 0

    @property
    def units(self) -> tuple[str, ...]:
        """Who is activated for it."""
        return (*self.ships, *self.troops, *self.planes)


@dataclass(frozen=True, slots=True)
class Plan:
    """An operation from one headquarters: what it should bring, what it costs, how long it lasts, who is activated."""

    gain: int  # what the tasks are worth beyond the points
    hq: str
    price: int
    days: int
    units: tuple[str, ...]
    tasks: tuple[Task, ...]


# -- what can be taken -------------------------------------------------------------------------------------------------


def ready(g: State, side: str, hq: str, used: Iterable[str] = ()) -> list[str]:
    """Units that a headquarters may activate, guards and exhausted troops left out."""
    places, stay = reach(g, side).get(hq, set()), {*guards(g, side), *used}

    def able(unit: str) -> bool:
        if unit in stay or g.counter(unit).type == FORT or g.units[unit].demoralized:
            return False
        barred = may_activate(g, unit, places) or not_from_here(g, unit, hq) or china_headquarters(g, unit, hq)
        return barred is None

    return [u for u in g.on_map(side) if able(u)]


def marches(g: State, side: str, units: Sequence[str]) -> Iterator[Task]:
    """Every hex that these troops should take overland, with no more than it needs."""
    troops = [u for u in units if fights(g, u) and not g.units[u].aboard]
    for goal, worth in prizes(g, side).items():
        near = army(g, side, goal, troops)
        needed = smallest(g, goal, side, near, SAFE - edge(g, side, goal, units)) if near else []
        if needed:
            slowest = max(phases(ways(g, side, g.units[u].at)[goal][0]) for u in needed)
            yield Task(worth - 2 * slowest, goal, tuple(needed), helpers(g, side, goal, units))


def helpers(g: State, side: str, goal: int, units: Sequence[str]) -> tuple[str, ...]:
    """Bombers for a hex that is defended."""
    return tuple(bombers(g, goal, units)[:FEW_PLANES]) if g.ashore(FOE[side], goal) else ()


def landings(g: State, side: str, units: Sequence[str]) -> Iterator[Task]:
    """The landings that these units can make, each port with its own transports and troops."""
    linked = linked_hexes(g, side)
    for port in dict.fromkeys(g.units[u].at for u in units if room(g, u)):
        ships = [u for u in units if g.units[u].at == port and room(g, u)]
        waiting = [u for u in units if g.units[u].at == port and fit_to_land(g, u)]
        for goal, worth in prizes(g, side).items() if waiting else ():
            far = distance(port, goal)
            if goal in linked and far <= FARTHEST and worth > HEX_AT_SEA * far:
                landing = _landing(g, side, goal, ships, waiting, SAFE - edge(g, side, goal, units))
                if landing is not None:
                    beach, troops, boats = landing
                    value = worth - HEX_AT_SEA * distance(port, beach)
                    yield Task(value, goal, troops, helpers(g, side, goal, units), boats, port, beach)


def _landing(
    g: State, side: str, goal: int, ships: Sequence[str], waiting: Sequence[str], margin: int
) -> tuple[int, tuple[str, ...], tuple[str, ...]] | None:
    """The beach for a hex, and the troops and transports that it needs."""
    for beach in beaches(g, side, goal):
        troops: list[str] = []
        boats: list[str] = []
        for ship, load in loads(g, ships, waiting):
            troops, boats = [*troops, *load], [*boats, ship]
            if takes(g, side, goal, beach, troops, margin):
                return beach, tuple(troops), tuple(boats)
    return None


def beaches(g: State, side: str, goal: int) -> list[int]:
    """Where to land for a hex: there if nobody defends it, else on an empty coast beside it, else there all the same."""
    direct = [goal] if g.board.coast(goal) else []
    if direct and not g.ashore(FOE[side], goal):
        return direct
    beside = [
        (way[0], h)
        for h in g.board.within(goal, 2)
        if g.board.coast(h) and not g.ashore(FOE[side], h) and not g.fort(FOE[side], h)
        for way in [ways(g, side, h).get(goal)]
        if way is not None and way[0] <= BESIDE
    ]
    return [*(h for _, h in sorted(beside)), *direct]


def takes(g: State, side: str, goal: int, beach: int, troops: Sequence[str], margin: int = 0) -> bool:
    """Troops that land on a beach should take the hex, those of ours that are there helping."""
    return rounds_to_take(g, goal, side, [*troops, *g.ashore(side, goal)], beach == goal, margin) > 0


def loads(g: State, ships: Sequence[str], waiting: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The best troops, as many as fit into each ship."""
    left = sorted((u for u in waiting if not g.units[u].aboard), key=lambda u: (-g.counter(u).tq * g.steps(u), u))
    for ship in sorted(ships, key=lambda s: (not g.cargo(s), -room(g, s), s)):
        load = [u for u in g.cargo(ship) if u in waiting]
        free = room(g, ship) - sum(battalions(g, u) for u in g.cargo(ship))
        for unit in left:
            if battalions(g, unit) <= free and (g.counter(unit).type != "armour" or g.counter(ship).type == "AA"):
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
    """Infantry and marines that a ship can take or has taken aboard."""
    c = g.counter(unit)
    return fights(g, unit) and c.tq >= 5 and c.size in BATTALIONS


# -- at sea ------------------------------------------------------------------------------------------------------------


def landing_from(g: State, side: str, place: int) -> tuple[int, int]:
    """For the troops aboard ships in a hex the best hex to take and the beach for it; zeros if there is none."""
    found: tuple[int, int] = g.cached(("bot landing", side, place), lambda: _landing_from(g, side, place))
    return found


def _landing_from(g: State, side: str, place: int) -> tuple[int, int]:
    troops = [u for s in g.ships(side, place) for u in g.cargo(s) if g.units[u].active]
    linked = linked_hexes(g, side) if g.level == STRATEGIC else set()
    best = (0, 0, 0)
    for goal, worth in prizes(g, side).items() if troops else ():
        if goal not in linked and g.level == STRATEGIC:
            continue
        for beach in beaches(g, side, goal):
            value = worth - HEX_AT_SEA * distance(place, beach)
            if value > best[0] and takes(g, side, goal, beach, troops, -edge(g, side, goal)):
                best = (value, goal, beach)
                break
    return best[1:]


# -- operations --------------------------------------------------------------------------------------------------------


def best_plan(g: State, side: str, points: Mapping[str, int], used: Sequence[str] = ()) -> Plan | None:
    """The operation with the most to gain, of all headquarters with their points."""
    found = [plan for hq in reach(g, side) for plan in [plan_of(g, side, hq, points.get(hq, 0), used)] if plan is not None]
    return max(found, key=lambda p: (p.gain, p.hq), default=None)


def plan_of(g: State, side: str, hq: str, most: int, used: Sequence[str] = ()) -> Plan | None:
    """The best that one headquarters can do with so many points; remembered while the position stays."""
    key = ("bot plan", side, hq, most, tuple(used))
    found: Plan | None = g.cached(key, lambda: _plan_of(g, side, hq, most, used))
    return found


def _plan_of(g: State, side: str, hq: str, most: int, used: Sequence[str]) -> Plan | None:
    units = ready(g, side, hq, used)
    plans = [Planner(g, side, hq, most, days, units).plan() for days in (LENGTHS if most else ())]
    return max((p for p in plans if p is not None), key=lambda p: (p.gain, -p.days), default=None)


class Planner:
    """Puts an operation together: the tasks that are worth most beyond their points, then who goes along with them."""

    def __init__(self, g: State, side: str, hq: str, most: int, days: int, units: Sequence[str]) -> None:
        self.g, self.side, self.hq, self.most, self.days, self.units = g, side, hq, most, days, units
        self.tasks: list[Task] = []
        self.group: list[str] = []

    def price(self, units: Iterable[str]) -> int:
        """Command points for a group of units."""
        names = [*dict.fromkeys(units)]
        return price_of(self.g, self.side, self.hq, names, self.days)[1] if names else 0

    def plan(self) -> Plan | None:
        """The whole operation; None if there is nothing to do."""
        if self._first_price() > self.most:
            return None
        ideas = [
            t for t in (*marches(self.g, self.side, self.units), *landings(self.g, self.side, self.units)) if self._in_time(t)
        ]
        while ideas and len(self.tasks) < MOST_TASKS:
            task = self._best(ideas)
            if task is None:
                break
            self.tasks.append(task)
            self.group += [u for u in task.units if u not in self.group]
            taken, ports = {*task.ships, *task.troops}, {t.port for t in self.tasks if t.port}
            ideas = [t for t in ideas if t.goal != task.goal and not taken & {*t.ships, *t.troops} and t.port not in ports]
            if not ideas:
                ideas = self._again(ports)
        empty = [u for u in idle_transports(self.g, self.side, self.units) if self.price([*self.group, u]) <= self.most]
        self.group += empty[:MOST_TASKS]
        if not self.group:
            return None
        limit = min(self.most, self.price(self.group) + SUPPORT)
        for unit in self._companions():
            if unit not in self.group and self.price([*self.group, unit]) <= limit:
                self.group.append(unit)
        price = self.price(self.group)
        gain = sum(t.worth for t in self.tasks) + IDLE_SHIP * len(empty) - POINT * price
        return Plan(gain, self.hq, price, self.days, tuple(self.group), tuple(self.tasks)) if gain > 0 else None

    def _first_price(self) -> int:
        return min((self.price([u]) for u in self.units), default=0)

    def _again(self, ports: set[int]) -> list[Task]:
        """What else those who are left can do."""
        left = [u for u in self.units if u not in self.group]
        done = {t.goal for t in self.tasks}
        sailing = [u for u in left if self.g.units[u].at not in ports]
        found = (*marches(self.g, self.side, left), *landings(self.g, self.side, sailing))
        return [t for t in found if t.goal not in done and self._in_time(t)]

    def _in_time(self, task: Task) -> bool:
        """The approach may be stopped after two hexes; then a task force makes two hexes a cycle, and the fight takes two."""
        if not task.port:
            return True
        cycles = max(0, distance(task.port, task.beach) - 2) // 2 + ROUNDS_ASHORE
        return 2 * cycles < self.days

    def _best(self, ideas: Sequence[Task]) -> Task | None:
        now, best, most = self.price(self.group), None, 0
        for task in ideas:
            price = self.price([*self.group, *task.units])
            gain = task.worth - POINT * (price - now)
            if price <= self.most and gain > most:
                best, most = task, gain
        return best

    def _companions(self) -> Iterator[str]:
        """Escorts from the ports of embarkation, fighters over the goals, carriers where the enemy can interfere."""
        g = self.g
        exposed = [t for t in self.tasks if t.ships and endangered(g, self.side, t.beach)]
        for task in self.tasks:
            if task.ships:
                fleet = [
                    u for u in self.units if g.units[u].at == task.port and g.counter(u).kind == "naval" and not room(g, u)
                ]
                yield from [u for u in fleet if not g.is_carrier(u)][: MANY_SHIPS if task in exposed else FEW_SHIPS]
            if task in exposed:
                yield from [u for u in self.units if flies_to(g, u, task.beach)][:FEW_PLANES]
        if exposed:
            decks = [u for u in self.units if g.is_carrier(u) and g.air_aboard(u)]
            yield from sorted(decks, key=lambda u: (distance(g.units[u].at, exposed[0].beach), u))


def idle_transports(g: State, side: str, units: Sequence[str]) -> list[str]:
    """Empty transports in ports without troops, while troops wait in others."""
    if not muster_ports(g, side):
        return []
    return [
        u for u in units if room(g, u) and not g.cargo(u) and not any(fit_to_land(g, t) for t in g.ashore(side, g.units[u].at))
    ]


def muster_ports(g: State, side: str) -> list[int]:
    """Linked ports where divisions wait and no transport lies."""
    taken = {g.units[u].at for u in g.on_map(side, "naval") if room(g, u) and not g.units[u].tf}
    linked, stay = linked_hexes(g, side), guards(g, side)
    waiting = [u for u in g.on_map(side, "ground") if fit_to_land(g, u) and u not in stay and not g.units[u].aboard]
    places = dict.fromkeys(g.units[u].at for u in waiting if g.counter(u).size == "division")
    return [h for h in places if h in linked and h not in taken and g.port(side, h) is not None]


def endangered(g: State, side: str, place: int) -> bool:
    """Enemy ships or aircraft are near."""
    return any(distance(g.units[u].at, place) <= THREAT for u in g.on_map(FOE[side], "air", "naval"))
