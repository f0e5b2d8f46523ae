"""Operations of campaigns and the strategic game: what can be taken from each headquarters, with what, at what price."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

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
    risk,
    rounds_to_take,
    smallest,
    ways,
)
from pbem.games.pacific_war.command.activation import may_activate, not_from_here, price_of
from pbem.games.pacific_war.land.movement import BATTALIONS, CARRIERS_OF_TROOPS, battalions
from pbem.games.pacific_war.month.upkeep import ports_of
from pbem.games.pacific_war.state import CAMPAIGN, FOE, STRATEGIC, State
from pbem.games.pacific_war.world.links import linked_hexes, reach
from pbem.games.pacific_war.world.nations import china_headquarters

FARTHEST = 24  # hexes that a landing sails
HEX_AT_SEA = 6  # worth that each of them takes off
BESIDE = 12  # movement points from a beach to the hex that is wanted
MOST_TASKS, FEW_TASKS = 8, 4  # hexes that one operation goes for; as many as are looked for a second time
MOST_IDEAS = 5  # landings of a force that are compared
SUPPORT = 16  # command points for ships and aircraft that go along
FEW_SHIPS, MANY_SHIPS, FEW_PLANES = 2, 6, 3
ROUNDS_ASHORE = 2  # battle cycles of fighting after a landing
LENGTHS = (14, 21, 28)  # days
IDLE_SHIP = 40  # worth of a transport that goes where troops wait
STAGING, BETTER_FRONT, FARTHEST_STAGE = 30, 40, 40  # worth of a shipload forward; gain in worth; hexes
BARRED = 2  # hexes around enemy aircraft through which no link goes [PW-CMD-09]
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
    linked = within_links(g, side)
    for port in dict.fromkeys(g.units[u].at for u in units if room(g, u)):
        ships = [u for u in units if g.units[u].at == port and room(g, u)]
        waiting = [u for u in units if g.units[u].at == port and fit_to_land(g, u)]
        number = 0
        for _, goal in by_value(g, side, port, linked) if ships and waiting else ():
            landing = _landing(g, side, goal, ships, waiting, SAFE - edge(g, side, goal, units))
            if landing is not None and number < MOST_IDEAS:
                beach, troops, boats = landing
                number += 1
                yield Task(value(g, side, port, goal, beach), goal, troops, helpers(g, side, goal, units), boats, port, beach)


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
        goal = forward(g, side, port)
        ships = [u for u in units if g.units[u].at == port and room(g, u)]
        waiting = [u for u in units if g.units[u].at == port and fit_to_land(g, u)]
        for ship, load in [*loads(g, ships, waiting)][:FEW_SHIPS] if goal else ():
            yield Task(STAGING, goal, tuple(load), (), (ship,), port, goal)


def forward(g: State, side: str, port: int) -> int:
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
        for way in [ways(g, side, h, BESIDE).get(goal)]
        if way is not None
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


# -- at sea ------------------------------------------------------------------------------------------------------------


def landing_from(g: State, side: str, place: int) -> tuple[int, int]:
    """For the troops aboard ships in a hex the hex that they are to take and the beach for it; zeros if there is none."""
    found: dict[int, tuple[int, int]] = g.memo.cached(("bot landings", side), lambda: _share_out(g, side))
    return found.get(place, (0, 0))


def _share_out(g: State, side: str) -> dict[int, tuple[int, int]]:
    """Every force at sea gets a hex of its own as long as there are enough, the best prize first."""
    forces = dict.fromkeys(g.units[u].at for u in g.on_map(side, "ground") if g.units[u].aboard and g.units[u].active)
    choices = sorted((row for place in forces for row in _choices(g, side, place)), reverse=True)
    found: dict[int, tuple[int, int]] = {}
    for fresh in (True, False):
        for _, place, goal, beach in choices:
            if place not in found and not (fresh and goal in (taken for taken, _ in found.values())):
                found[place] = (goal, beach)
    return found


def _choices(g: State, side: str, place: int) -> Iterator[tuple[int, int, int, int]]:
    """What the troops aboard in a hex can take: value, their hex, goal, beach."""
    troops = [u for s in g.ships(side, place) for u in g.cargo(s) if g.units[u].active]
    linked = within_links(g, side) if g.level == STRATEGIC else set()
    number = 0
    for _, goal in by_value(g, side, place, linked) if troops else ():
        for beach in beaches(g, side, goal):
            if takes(g, side, goal, beach, troops, -edge(g, side, goal)):
                number += 1
                yield value(g, side, place, goal, beach), place, goal, beach
                break
        if number >= MOST_IDEAS:
            return


# -- operations --------------------------------------------------------------------------------------------------------


def best_plan(g: State, side: str, points: Mapping[str, int], used: Sequence[str] = ()) -> Plan | None:
    """The operation with the most to gain, of all headquarters with their points."""
    found = [plan for hq in reach(g, side) for plan in [plan_of(g, side, hq, points.get(hq, 0), used)] if plan is not None]
    return max(found, key=lambda p: (p.gain, p.hq), default=None)


def plan_of(g: State, side: str, hq: str, most: int, used: Sequence[str] = ()) -> Plan | None:
    """The best that one headquarters can do with so many points; remembered while the position stays."""
    key = ("bot plan", side, hq, most, tuple(used))
    found: Plan | None = g.memo.cached(key, lambda: _plan_of(g, side, hq, most, used))
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
        limit = min(self.most, self.price(self.group) + SUPPORT)
        if not any(t.port for t in self.tasks):
            self._stage()
        for unit in self._companions():
            if unit not in self.group and self.price([*self.group, unit]) <= limit:
                self.group.append(unit)
        if not self.group:
            return None
        price = self.price(self.group)
        gain = sum(t.worth for t in self.tasks) + IDLE_SHIP * len(empty) - POINT * price
        return Plan(gain, self.hq, price, self.days, tuple(self.group), tuple(self.tasks)) if gain > 0 else None

    def _stage(self) -> None:
        """Troops go forward where no landing is possible yet."""
        for task in stagings(self.g, self.side, [u for u in self.units if u not in self.group]):
            if self.price([*self.group, *task.units]) <= self.most and len(self.tasks) < MOST_TASKS:
                self.tasks.append(task)
                self.group += task.units

    def _first_price(self) -> int:
        return min((self.price([u]) for u in self.units), default=0)

    def _again(self, ports: set[int]) -> list[Task]:
        """What else those who are left can do."""
        left = [u for u in self.units if u not in self.group]
        done = {t.goal for t in self.tasks}
        sailing = [u for u in left if self.g.units[u].at not in ports]
        found = (
            (*marches(self.g, self.side, left), *landings(self.g, self.side, sailing)) if len(self.tasks) < FEW_TASKS else ()
        )
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
    return [u for u in units if room(g, u) and not g.cargo(u) and not passengers(g, side, g.units[u].at)]


def passengers(g: State, side: str, port: int) -> list[str]:
    """Troops of a port that may sail: no guards."""
    stay = guards(g, side)
    return [t for t in g.ashore(side, port) if fit_to_land(g, t) and t not in stay and not g.units[t].demoralized]


def muster_ports(g: State, side: str) -> list[int]:
    """Linked ports where divisions wait and no transport lies."""
    taken = {g.units[u].at for u in g.on_map(side, "naval") if room(g, u) and not g.units[u].tf}
    linked, stay = linked_hexes(g, side), guards(g, side)
    waiting = [u for u in g.on_map(side, "ground") if fit_to_land(g, u) and u not in stay and not g.units[u].aboard]
    places = dict.fromkeys(g.units[u].at for u in waiting if g.counter(u).size == "division")
    return [h for h in places if h in linked and h not in taken and g.port(side, h) is not None]


def endangered(g: State, side: str, place: int) -> bool:
    """Enemy ships or aircraft are near."""
    return risk(g, side, place) > 0
