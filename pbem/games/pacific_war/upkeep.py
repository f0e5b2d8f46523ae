"""[PW-ISO-01] [PW-STR-01] [PW-SUB-06] [PW-DEM-01] Isolation, strategic transport, demolition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.games.pacific_war.barges import barges
from pbem.games.pacific_war.board import afloat, distance, shortest
from pbem.games.pacific_war.choices import proposals
from pbem.games.pacific_war.damage import hit_ship, hit_steps, interdict
from pbem.games.pacific_war.dice import die
from pbem.games.pacific_war.events import InstallationTaken, Moved, Noted, UnitBecame
from pbem.games.pacific_war.landmoves import BATTALIONS, stack_room
from pbem.games.pacific_war.links import linked_hexes
from pbem.games.pacific_war.orders import DONE, read_place, read_unit
from pbem.games.pacific_war.state import ALLIES, FOE, JAPAN, SIDES, State
from pbem.games.pacific_war.troops import passes
from pbem.games.pacific_war.works import abandon_works
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, split_order, unreadable
from pbem.kernel.questions import orders_until_done

LIFT = {ALLIES: 27, JAPAN: 9}  # [PW-STR-01] battalions a month: three divisions and one


def isolation(g: State) -> Flow[None]:
    """[PW-ISO-01] Isolated aircraft lose a step, isolated troops test their quality."""
    for side in SIDES:
        linked = linked_hexes(g, side)
        for unit in [u for u in g.on_map(side, "air", "ground") if g.units[u].at not in linked and not g.units[u].aboard]:
            u = g.units[unit]
            if g.counter(unit).kind == "air":
                if g.steps(unit) > 1:
                    hit_steps(g, unit, 1, "PW-ISO-01")
                continue
            if u.demoralized and g.steps(unit) < 2:
                continue
            good = yield from passes(g, unit, "isolated", "PW-ISO-01")
            if good:
                continue
            if u.demoralized:
                hit_steps(g, unit, 1, "PW-ISO-01")
            else:
                emit(g, UnitBecame(unit, "demoralized", True, "PW-ISO-01"))
    abandon_works(g)


def strategic_transport(g: State) -> Flow[None]:
    """[PW-STR-01] Units go from port to port, Japan first; crippled ships limp home [PW-SUB-06]; barges by option."""
    for side in SIDES:
        emit(g, Noted("moved", {}, "PW-STR-01"))
        yield from _transports(g, side)
        if side == JAPAN:
            yield from barges(g)
    emit(g, Noted("moved", {}, "PW-STR-01"))
    abandon_works(g)


def ports_of(g: State, side: str) -> list[int]:
    """Friendly linked ports that are not interdicted."""

    def find() -> list[int]:
        linked = linked_hexes(g, side)
        return [h for h, b in g.ports.items() if b.side == side and not b.interdicted and h in linked]

    return g.cached(("ports", side, len(g.express)), find)


def sea_lanes(g: State, side: str, start: int) -> set[int]:
    """Hexes to which ships come over water hexes without enemy ships, none within two of enemy aircraft: the ports included."""
    foe = FOE[side]

    def flood() -> set[int]:
        """Worked out once for a position of the enemy: most changes of the layout leave that alone."""
        ships = frozenset(g.units[u].at for u in g.on_map(foe, "naval", "submarine"))
        air = frozenset(g.units[u].at for u in g.on_map(foe, "air"))
        known: dict[int, set[int]] = g.reaches.setdefault(("lanes", ships, air), {})
        if start not in known:
            shut = ships.union(*(g.board.within(place, 2) for place in air))
            known[start] = set()
            if start not in shut:
                known[start] = afloat(g.board, start, lambda h: g.board.sea(h) and h not in shut) - shut
        return known[start]

    return g.cached(("lanes", side, start), flood)


def load(g: State, unit: str) -> int:
    """[PW-STR-01] Battalions: six air steps are a division, a part of six at least a brigade [PW-AMB-30]."""
    if g.counter(unit).kind == "air":
        return 9 if g.steps(unit) >= 6 else 3 * -(-g.steps(unit) // 2)
    return BATTALIONS.get(g.counter(unit).size, 9)


def _transports(g: State, side: str) -> Flow[None]:
    used = [0]

    def read(plain: Plain) -> tuple[str, int] | None:
        verb, body = split_order(plain, ("ship", DONE))
        if verb == DONE:
            return None
        if not isinstance(body, dict) or len(body) != 1:
            raise unreadable(f"ship: {body!r}", "ship: {unit: port}")
        who, where = next(iter(body.items()))
        unit, goal = read_unit(g, who, side), read_place(g, where)
        _check(g, side, unit, goal, used[0])
        return unit, goal

    def ideas() -> Iterator[Any]:
        ports = ports_of(g, side)
        units = [u for u in g.on_map(side, "naval") if g.crippled(u) and not g.units[u].tf]
        units += [u for u in g.on_map(side, "ground", "air") if g.units[u].at in ports and used[0] + load(g, u) <= LIFT[side]]
        for goal in ports:
            yield from ({"ship": {unit: goal}} for unit in units if unit not in g.moved)

    def options() -> list[Plain]:
        return proposals(read, ideas())

    def act(order: tuple[str, int]) -> Flow[None]:
        unit, goal = order
        emit(g, Noted("moved", {**g.moved, unit: 1}, "PW-STR-01"))
        if g.counter(unit).kind == "naval":
            yield from _limp(g, side, unit, goal)
            return
        used[0] += load(g, unit)
        emit(g, Moved(unit, goal, "PW-STR-01"))

    prompt = "ship units from port to port, or done"
    yield from orders_until_done(side, "transport", "PW-STR-01", prompt, ("ship",), read, options, act)


def _check(g: State, side: str, unit: str, goal: int, used: int) -> None:
    u, c, ports = g.units[unit], g.counter(unit), ports_of(g, side)
    if c.side != side or u.box != "map" or u.aboard or unit in g.moved:
        raise illegal(f"{unit} cannot be shipped", "PW-STR-01")
    if goal not in ports or goal == u.at:
        raise illegal(f"{goal:04d} is no friendly linked port", "PW-STR-01", ", ".join(f"{h:04d}" for h in ports))
    if c.kind == "naval":
        if not g.crippled(unit):
            raise illegal(f"{unit} is not crippled", "PW-STR-01")
        if u.tf:
            raise illegal(f"{unit} sails with {u.tf}", "PW-STR-01", "ships that are deactivated")
    if c.kind not in ("air", "ground", "naval") or u.at not in ports:
        raise illegal(f"{unit} is in no friendly linked port", "PW-STR-01")
    if c.kind != "naval" and used + load(g, unit) > LIFT[side]:
        raise illegal("more than the month's shipping", "PW-STR-01")
    if c.kind == "ground" and stack_room(g, side, goal) < g.steps(unit):
        raise illegal(f"{goal:04d} is full", "PW-MOV-05")
    if c.kind == "air" and g.airfield(side, goal) is None:
        raise illegal(f"{goal:04d} has no airfield", "PW-BAS-01")
    if goal not in sea_lanes(g, side, u.at):
        raise illegal(f"no safe way to {goal:04d}", "PW-STR-01")


def _limp(g: State, side: str, ship: str, goal: int) -> Flow[None]:
    """[PW-SUB-06] Submarines shoot once where most of them are near; a hit sinks the ship."""
    lanes = sea_lanes(g, side, g.units[ship].at)
    way = shortest(g.board, g.units[ship].at, goal, lanes.__contains__) or []
    boats = [g.units[u].at for u in g.on_map(FOE[side], "submarine")]
    chances = 0
    if boats:
        for h in way:
            if h not in g.ports:
                steps = sum(g.steps(u) for u in g.on_map(FOE[side], "submarine") if distance(g.units[u].at, h) <= 10)
                chances = max(chances, steps // 12)
    if chances:
        rolled = yield from die(g, f"submarines against {ship} on its way", "PW-SUB-06", side)
        if rolled < chances:
            yield from hit_ship(g, ship, g.steps(ship), "PW-SUB-06")
            return
    emit(g, Moved(ship, goal, "PW-STR-01"))


# -- demolition --------------------------------------------------------------------------------------------------------


def demolition(g: State) -> Flow[None]:
    """[PW-DEM-01] Linked steady troops alone in a hex may demolish what stands there; one attempt a hex."""
    for side in SIDES:
        tried: list[int] = []

        def read(plain: Plain, side: str = side, tried: list[int] = tried) -> tuple[str, str] | None:
            verb, body = split_order(plain, ("demolish", DONE))
            if verb == DONE:
                return None
            if not isinstance(body, dict) or len(body) != 1:
                raise unreadable(f"demolish: {body!r}", "demolish: {unit: airfield}")
            who, what = next(iter(body.items()))
            unit = read_unit(g, who, side)
            if unit not in _demolishers(g, side) or g.units[unit].at in tried:
                raise illegal(f"{unit} cannot demolish now", "PW-DEM-01")
            if what not in demolition_targets(g, g.units[unit].at):
                raise illegal(f"there is no {what} to demolish", "PW-DEM-01")
            return unit, str(what)

        def options(side: str = side, tried: list[int] = tried) -> list[Plain]:
            found: list[Plain] = [DONE]
            for unit in _demolishers(g, side):
                if g.units[unit].at not in tried and _threatened(g, side, g.units[unit].at):
                    found += [{"demolish": {unit: t}} for t in demolition_targets(g, g.units[unit].at)]
            return found

        def act(order: tuple[str, str], tried: list[int] = tried) -> Flow[None]:
            unit, what = order
            place = g.units[unit].at
            tried.append(place)
            good = yield from passes(g, unit, "demolition", "PW-DEM-01")
            if good:
                demolish(g, what, place, "PW-DEM-01")

        prompt = "demolish installations, or done"
        while any(g.units[u].at not in tried for u in _demolishers(g, side)):  # asked even where nothing is proposed
            order = yield Ask(side, "demolition", "PW-DEM-01", prompt, read, ("demolish", DONE), options=options)
            if order is None:
                break
            yield from act(order)


def _demolishers(g: State, side: str) -> list[str]:
    units = [u for u in g.on_map(side, "ground") if not g.units[u].aboard and not g.units[u].demoralized]
    alone = [u for u in units if not g.ashore(FOE[side], g.units[u].at) and demolition_targets(g, g.units[u].at)]
    linked = linked_hexes(g, side) if alone else set()
    return [u for u in alone if g.units[u].at in linked]


def _threatened(g: State, side: str, place: int) -> bool:
    """Enemy troops are near: the time to think of demolition."""

    def near() -> set[int]:
        foes = {g.units[u].at for u in g.on_map(FOE[side], "ground")}
        return set().union(*(g.board.within(h, 2) for h in foes))

    return place in g.cached(("threatened", side), near)


def demolition_targets(g: State, place: int) -> list[str]:
    """What can be demolished in a hex."""
    kinds = (("airfield", g.airfields), ("port", g.ports), ("osb", g.osbs))
    found = [k for k, bases in kinds if place in bases and not bases[place].interdicted]
    if f"resource {place:04d}" in g.ledger and not g.ledger.get(f"demolished {place:04d}"):
        found.append("resource")
    return found


def demolish(g: State, what: str, place: int, rule: str) -> None:
    """A resource hex, a support base, an airfield or a port is out of use at once."""
    if what == "resource":
        emit(g, Noted("ledger", {**g.ledger, f"demolished {place:04d}": 1}, rule))
    elif what == "osb":
        emit(g, InstallationTaken("osbs", place, "", rule))
    else:
        interdict(g, what, place, rule)
