"""Operations of campaigns and the strategic game: which tasks from each headquarters, with what, at what price."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from pbem.games.pacific_war.board import FORT, distance
from pbem.games.pacific_war.bot import raids
from pbem.games.pacific_war.bot.ground_war import flies_to, guards, risk
from pbem.games.pacific_war.bot.harbours import refuge, voyage
from pbem.games.pacific_war.bot.landings import landings
from pbem.games.pacific_war.bot.tasks import (
    FEW_PLANES,
    FEW_SHIPS,
    MANY_SHIPS,
    Task,
    fit_to_land,
    marches,
    reliefs,
    room,
    stagings,
)
from pbem.games.pacific_war.bot.timetable import WAR_BEGINS, in_theatre, of_the_land
from pbem.games.pacific_war.command.activation import may_activate, not_from_here, price_of
from pbem.games.pacific_war.state import JAPAN, STRATEGIC, State
from pbem.games.pacific_war.world.links import linked_hexes, reach
from pbem.games.pacific_war.world.nations import china_headquarters

MOST_TASKS, FEW_TASKS = 8, 4  # hexes that one operation goes for; as many as are looked for a second time
SUPPORT = 16  # command points for ships and aircraft that go along
ROUNDS_ASHORE = 2  # battle cycles of fighting after a landing
LENGTHS = (14, 21, 28)  # days
LAST_OPERATION = 16  # day after which no other operation follows in the month: the shortest takes a fortnight
IDLE_SHIP = 40  # worth of a transport that goes where troops wait
HEXES_A_DAY = 5  # of an approach
LEAST_GAIN = 30  # of an operation: for less nobody is activated, and the enemy may have the month
POINT = 1  # worth of a command point
SHIPLOADS = 12  # tasks are compared by what they bring for each transport, exactly


class Plan(Struct, frozen=True):
    """An operation from one headquarters: what it should bring, what it costs, how long it lasts, who is activated."""

    gain: int  # what the tasks are worth beyond the points
    hq: str
    price: int
    days: int
    units: tuple[str, ...]
    tasks: tuple[Task, ...]


def ready(g: State, side: str, hq: str, used: Iterable[str] = ()) -> list[str]:
    """Units that a headquarters may activate, guards and exhausted troops left out."""
    places, stay = reach(g, side).get(hq, frozenset()), {*guards(g, side), *used}

    def able(unit: str) -> bool:
        if unit in stay or g.counter(unit).type == FORT or g.units[unit].demoralized:
            return False
        barred = may_activate(g, unit, places) or not_from_here(g, unit, hq) or china_headquarters(g, unit, hq)
        return barred is None

    return [u for u in g.on_map(side) if able(u)]


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
    found = [
        p for p in (*plans, *(raid_plans(g, side, hq, most, units) if most and g.level == STRATEGIC else ())) if p is not None
    ]
    return max(found, key=lambda p: (p.gain, -p.days), default=None)


def raid_plans(g: State, side: str, hq: str, most: int, units: Sequence[str]) -> Iterator[Plan]:
    """[PW-MOV-10] What carriers can strike and come home from in time; first of all what only surprise allows."""
    fleet = g.hqs[hq].range >= raids.FLEET_RANGE
    near = [u for u in units if fleet and distance(g.units[u].at, g.hqs[hq].at) <= g.hqs[hq].range]
    unwarned = g.month == WAR_BEGINS and not g.day and side == JAPAN
    for port, group in raids.raiders(g, near):
        price = price_of(g, side, hq, group, LENGTHS[0])[1]
        wings = [u for s in group for u in g.air_aboard(s)]
        far = raids.FAR_BY_SURPRISE if unwarned else raids.FAR
        for gain, goal in raids.targets(g, side, wings, port, far) if price <= most else ():
            worth = gain // raids.SHARE - POINT * price
            if worth > 0 and _comes_home(g, side, port, goal):
                task = Task(worth, goal, (), (), tuple(group), port)
                yield Plan(worth, hq, price, LENGTHS[0], tuple(group), (task,))


def _comes_home(g: State, side: str, port: int, goal: int) -> bool:
    """The approach, two cycles of strikes and the way to where ships can rest take no longer than the operation."""
    there, back = voyage(g, port, goal), voyage(g, goal, refuge(g, side, goal) or port)
    if there is None or back is None:
        return False
    cycles = (LENGTHS[0] - 1 - max(0, there - raids.STAND_OFF) // HEXES_A_DAY) // 2
    return back - raids.STAND_OFF <= 2 * (cycles - ROUNDS_ASHORE)


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
        ideas = self._ideas(self.units, self.units)
        while ideas and len(self.tasks) < MOST_TASKS:
            task = self._best(ideas)
            if task is None:
                break
            self.tasks.append(task)
            self.group += [u for u in task.units if u not in self.group]
            taken, ports = {*task.ships, *task.troops}, {h for t in self.tasks for h in t.ports}
            ideas = [t for t in ideas if t.goal != task.goal and not taken & {*t.ships, *t.troops} and not ports & {*t.ports}]
            if not ideas:
                ideas = self._again(ports)
        empty = self._empty()
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
        return Plan(gain, self.hq, price, self.days, tuple(self.group), tuple(self.tasks)) if gain >= LEAST_GAIN else None

    def _empty(self) -> list[str]:
        """Idle transports join as long as all of them together can be paid."""
        joined: list[str] = []
        for unit in idle_transports(self.g, self.side, self.units):
            if unit not in self.group and len(joined) < MOST_TASKS and self.price([*self.group, unit]) <= self.most:
                joined.append(unit)
                self.group.append(unit)
        return joined

    def _stage(self) -> None:
        """Troops go to bases in danger, and forward where no landing is possible yet."""
        left = [u for u in self.units if u not in self.group]
        for task in (*reliefs(self.g, self.side, self.hq, left), *stagings(self.g, self.side, left)):
            if self.g.level == STRATEGIC and not in_theatre(self.g, self.hq, task.goal) and not of_the_land(self.hq):
                continue
            if {*task.units} & {*self.group}:
                continue
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
        found = self._ideas(left, sailing) if len(self.tasks) < FEW_TASKS else []
        return [t for t in found if t.goal not in done]

    def _ideas(self, marching: Sequence[str], sailing: Sequence[str]) -> list[Task]:
        """Tasks in the theatre of the headquarters that there is time for."""
        found = (*marches(self.g, self.side, marching), *landings(self.g, self.side, sailing, self._far()))
        return [t for t in found if self.g.level != STRATEGIC or in_theatre(self.g, self.hq, t.goal)]

    def _far(self) -> int:
        """How far a landing may be: if the approach is stopped after two hexes, it is two a cycle, and the fight takes two."""
        return 2 * ((self.days - 1) // 2 - ROUNDS_ASHORE) + 3

    def _best(self, ideas: Sequence[Task]) -> Task | None:
        now, best, most = self.price(self.group), None, 0
        for task in ideas:
            price = self.price([*self.group, *task.units])
            gain = (task.worth - POINT * (price - now)) * SHIPLOADS // max(1, len(task.ships))
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
                    u for u in self.units if g.units[u].at in task.ports and g.counter(u).kind == "naval" and not room(g, u)
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
