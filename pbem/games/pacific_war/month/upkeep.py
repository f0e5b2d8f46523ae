"""[PW-ISO-01] [PW-STR-01] [PW-SUB-06] Isolation, strategic transport."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.games.pacific_war.board import distance, shortest
from pbem.games.pacific_war.choices import proposals
from pbem.games.pacific_war.dice import die
from pbem.games.pacific_war.events import Moved, Remarked
from pbem.games.pacific_war.land.movement import BATTALIONS, check_stack
from pbem.games.pacific_war.land.quality import passes
from pbem.games.pacific_war.month.forms import shipments
from pbem.games.pacific_war.movements import MovesBegan, MoveSpent
from pbem.games.pacific_war.orders import hexes_named, misread, read_place, read_unit
from pbem.games.pacific_war.sea.barges import barges
from pbem.games.pacific_war.sea.barges import used as with_barges
from pbem.games.pacific_war.secret.fleets import offer_show
from pbem.games.pacific_war.secret.forces import concealed, unveil_force, whole
from pbem.games.pacific_war.secret.meeting import room_for
from pbem.games.pacific_war.secret.orders import read_shipments
from pbem.games.pacific_war.secret.phases import check_sealed, give_in_secret, orders_or_secret, states, trial
from pbem.games.pacific_war.state import ALLIES, FOE, JAPAN, SIDES, State
from pbem.games.pacific_war.terms import hex_term
from pbem.games.pacific_war.units.changes import demoralize
from pbem.games.pacific_war.units.damage import hit_ship, hit_steps
from pbem.games.pacific_war.units.works import abandon_works
from pbem.games.pacific_war.world.links import linked_hexes, open_water
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Claim, Flow, Reveal
from pbem.kernel.forms import Form, Read
from pbem.kernel.memo import PLACES
from pbem.kernel.orders import illegal, split_order
from pbem.kernel.questions import DONE
from pbem.kernel.wording import msg, recorded_as

LIFT = {ALLIES: 27, JAPAN: 9}  # [PW-STR-01] battalions a month: three divisions and one


def isolation(g: State) -> Flow[None]:
    """[PW-ISO-01] Isolated aircraft lose a step, isolated troops test their quality."""
    for side in SIDES:
        for place in [h for h in g.forces.get(side, ()) if h not in linked_hexes(g, side)]:
            yield from unveil_force(g, side, place, "PW-ISO-01")
        linked = linked_hexes(g, side)
        for unit in [u for u in g.on_map(side, "air", "ground") if g.units[u].at not in linked and not g.units[u].aboard]:
            u = g.units[unit]
            if g.counter(unit).kind == "air":
                if g.steps(unit) > 1:
                    hit_steps(g, unit, 1, "PW-ISO-01")
                continue
            if u.demoralized and g.steps(unit) < 2:
                continue
            good = yield from passes(g, unit, msg("isolated"), "PW-ISO-01")
            if good:
                continue
            if u.demoralized:
                hit_steps(g, unit, 1, "PW-ISO-01")
            else:
                demoralize(g, unit, "PW-ISO-01")
    abandon_works(g)


def strategic_transport(g: State) -> Flow[None]:
    """[PW-STR-01] Units go from port to port, Japan first; crippled ships limp home [PW-SUB-06]; barges by option."""
    for side in SIDES:
        emit(g, MovesBegan("PW-STR-01"))
        yield from _transports(g, side)
        if side == JAPAN:
            if with_barges(g) and g.forces.get(side):
                yield from offer_show(g, side, "PW-OPT-18")
            yield from barges(g)
    emit(g, MovesBegan("PW-STR-01"))
    abandon_works(g)


def ports_of(g: State, side: str) -> list[int]:
    """Friendly linked ports that are not interdicted."""

    def find() -> list[int]:
        linked = linked_hexes(g, side)
        return [h for h, b in g.ports.items() if b.side == side and not b.interdicted and h in linked]

    return g.memo.cached(("ports", side, len(g.express)), find, PLACES)


def sea_lanes(g: State, side: str, start: int, feared: Sequence[int] = ()) -> frozenset[int]:
    """Hexes to which ships come over water hexes without enemy ships, none within two of enemy aircraft: the ports included.

    `feared`: hexes in which enemy aircraft are taken for granted.
    """
    foe = FOE[side]

    def flood() -> frozenset[int]:
        """Worked out once for a position of the enemy: most changes of the layout leave that alone."""
        ships = frozenset(g.units[u].at for u in g.on_map(foe, "naval", "submarine"))
        air = frozenset(g.units[u].at for u in g.on_map(foe, "air")).union(feared)
        known: dict[int, frozenset[int]] = g.reaches.setdefault(("lanes", ships, air), {})
        if start not in known:
            shut = ships.union(*(g.board.within(place, 2) for place in air))
            known[start] = open_water(g, start, shut) if start not in shut else frozenset()
        return known[start]

    return g.memo.cached(("lanes", side, start, *feared), flood, PLACES)


def load(g: State, unit: str) -> int:
    """[PW-STR-01] Battalions: six air steps are a division, a part of six at least a brigade [PW-AMB-30]."""
    if g.counter(unit).kind == "air":
        return 9 if g.steps(unit) >= 6 else 3 * -(-g.steps(unit) // 2)
    return BATTALIONS.get(g.counter(unit).size, 9)


def _transports(g: State, side: str) -> Flow[None]:
    used = 0
    tried: list[tuple[str, int]] = []  # what the enemy has stated to be closed, or its owner to be too much

    def read(plain: Plain) -> tuple[str, int] | None:
        return _read_shipment(g, side, used, tried, plain)

    def able() -> list[str]:
        ports = ports_of(g, side)
        units = [u for u in g.on_map(side, "naval") if g.crippled(u) and not g.units[u].tf]
        units += [u for u in g.on_map(side, "ground", "air") if g.units[u].at in ports and used + load(g, u) <= LIFT[side]]
        return [u for u in units if u not in g.moved]

    def ideas() -> Iterator[Any]:
        return ({"ship": {unit: goal}} for unit, goal in voyages(able(), ports_of(g, side)))

    def form(verbs: Sequence[str], read: Read) -> Form:
        return shipments(g, side, able, lambda: ports_of(g, side), verbs, read)

    def options() -> Sequence[Plain]:
        return proposals(read, ideas())

    def act(order: tuple[str, int]) -> Flow[None]:
        nonlocal used
        unit, goal = order
        open_way = yield from _way_is_open(g, side, g.units[unit].at, goal)
        if not (open_way and (yield from _holds_more(g, side, unit, goal, used))):
            tried.append(order)
            return
        emit(g, MoveSpent(unit, 1, "PW-STR-01"))
        if g.counter(unit).kind == "naval":
            yield from _limp(g, side, unit, goal)
            return
        used += load(g, unit)
        emit(g, Moved(unit, goal, "PW-STR-01"))

    def in_secret() -> Flow[None]:
        yield from _ship_in_secret(g, side, used)

    prompt = msg("ship units from port to port, or done")
    hidden = _sealed_in_ports(g, side)
    yield from orders_or_secret(
        side, "transport", "PW-STR-01", prompt, ("ship",), read, options, act, in_secret if hidden else None, form
    )


def voyages(units: Sequence[str], ports: Sequence[int]) -> Iterator[tuple[str, int]]:
    """Every unit with every port: at first each port once, with another unit as long as there are others."""
    return ((units[(turn + n) % len(units)], port) for turn in range(len(units)) for n, port in enumerate(ports))


def _read_shipment(g: State, side: str, used: int, tried: list[tuple[str, int]], plain: Plain) -> tuple[str, int] | None:
    """`ship: {unit: port}`. Raises Rejected."""
    verb, body = split_order(plain, ("ship", DONE))
    if verb == DONE:
        return None
    if not isinstance(body, dict) or len(body) != 1:
        raise misread("ship", body, "ship: {unit: port}")
    who, where = next(iter(body.items()))
    unit, goal = read_unit(g, who, side), read_place(g, where)
    if unit not in g.units:
        raise illegal(msg("{unit} is not in play", unit=unit), "PW-STR-01")
    if (unit, goal) in tried:
        raise illegal(msg("{unit} has found no way to {place}", unit=unit, place=g.board.name(goal)), "PW-STR-01")
    _check(g, side, unit, goal, used)
    return unit, goal


def _sealed_in_ports(g: State, side: str) -> bool:
    """Sealed units in a port that could go to another."""
    ports = ports_of(g, side) if concealed(g, side) else []
    return len(ports) > 1 and any(h in ports for h in g.forces.get(side, ()))


def _ship_in_secret(g: State, side: str, used: int) -> Flow[None]:
    """[PW-STR-01] `ship: {unit: port, ...}` of sealed units. The enemy first states between which ports the way is open."""
    groups = yield from _open_ways(g, side)

    def judge(seen: State, plain: Plain) -> None:
        tried, lift = trial(seen), used
        for unit, goal in read_shipments(g, side, plain).items():
            check_sealed(g, [unit])
            if unit not in tried.units or g.counter(unit).kind == "naval":
                raise illegal(msg("{unit} cannot be shipped", unit=unit), "PW-STR-01")
            start = tried.units[unit].at
            _check(tried, side, unit, goal, lift)
            if not any(start in group and goal in group for group in groups):
                raise illegal(msg("there is no safe way to {place}", place=g.board.name(goal)), "PW-STR-01")
            lift += load(tried, unit)
            emit(tried, Moved(unit, goal, "PW-STR-01"))

    def ideas(seen: State) -> Iterator[Plain]:
        ports = ports_of(seen, side)
        sealed = [u for u in seen.on_map(side, "ground", "air") if seen.units[u].at in ports and g.units[u].box == "sealed"]
        singles: list[tuple[str, int]] = [(u, goal) for goal in ports for u in sealed]
        for unit, goal in singles:
            others = [u for u in sealed if u != unit and seen.units[u].at == seen.units[unit].at]
            for other in others[:1]:
                yield {"ship": {unit: goal, other: goal}}
            yield {"ship": {unit: goal}}

    prompt = msg("ship sealed units from port to port")
    yield from give_in_secret(
        g, side, "transport", "PW-STR-01", prompt, judge, lambda plain: read_shipments(g, side, plain), ideas
    )


# -- what is hidden on the way -----------------------------------------------------------------------------------------


def _feared(g: State, foe: str) -> list[int]:
    """Hexes in which hidden aircraft could be."""
    return sorted({*g.forces.get(foe, ()), *(m.at for m in g.markers.values() if m.side == foe and m.handle)})


def _way_is_open(g: State, side: str, start: int, goal: int) -> Flow[bool]:
    """The enemy must say whether his hidden units close a way, but not where; not asked when they cannot."""
    foe = FOE[side]
    if goal in sea_lanes(g, side, start, _feared(g, foe)):
        return True
    words = msg("the sea lane from {place} to {goal} is safe", place=hex_term(g, start), goal=hex_term(g, goal))
    about = recorded_as(f"{start:04d} to {goal:04d}", words)
    stated = yield Claim(foe, "lane", about, "PW-STR-01", lambda reveal: goal in sea_lanes(whole(g, foe, reveal), side, start))
    if stated is not True:
        emit(g, Remarked(msg("No safe way to {place}", place=hex_term(g, goal)), "PW-STR-01"))
    return stated is True


def _holds_more(g: State, side: str, unit: str, goal: int, used: int) -> Flow[bool]:
    """[PW-MOV-05] Where a side has sealed units, it says itself whether there is room for more."""
    if goal not in g.forces.get(side, ()) or g.counter(unit).kind != "ground":
        return True
    stated = yield from states(
        g, side, "room", room_for(g, unit, goal), "PW-MOV-05", lambda seen: _check(seen, side, unit, goal, used)
    )
    return stated


def _open_ways(g: State, side: str) -> Flow[list[list[int]]]:
    """Ports between which the way is open, in groups: as everybody sees it, or as the enemy states it where it matters."""
    foe, ports = FOE[side], ports_of(g, side)
    seen = _groups(g, side, ports, ())
    if seen == _groups(g, side, ports, _feared(g, foe)):
        return seen

    def truth(reveal: Reveal) -> Plain:
        return [[*group] for group in _groups(whole(g, foe, reveal), side, ports, ())]

    stated = yield Claim(foe, "lanes", recorded_as(f"of {side}", msg("ports that safe sea lanes join")), "PW-STR-01", truth)
    rows = stated if isinstance(stated, list | tuple) else []
    return [[h for h in row if isinstance(h, int)] for row in rows if isinstance(row, list | tuple)]


def _groups(g: State, side: str, ports: Sequence[int], feared: Sequence[int]) -> list[list[int]]:
    found: list[list[int]] = []
    for port in sorted(ports):
        if not any(port in group for group in found):
            lanes = sea_lanes(g, side, port, feared)
            found += [[h for h in sorted(ports) if h in lanes]] if port in lanes else []
    return [group for group in found if len(group) > 1]


def _check(g: State, side: str, unit: str, goal: int, used: int) -> None:
    u, c, ports = g.units[unit], g.counter(unit), ports_of(g, side)
    if c.side != side or u.box != "map" or u.aboard or unit in g.moved:
        raise illegal(msg("{unit} cannot be shipped", unit=unit), "PW-STR-01")
    if goal not in ports or goal == u.at:
        raise illegal(msg("{place} is no friendly linked port", place=g.board.name(goal)), "PW-STR-01", hexes_named(g, ports))
    if c.kind == "naval":
        if not g.crippled(unit):
            raise illegal(msg("{unit} is not crippled", unit=unit), "PW-STR-01")
        if u.tf:
            raise illegal(
                msg("{unit} sails with {marker}", unit=unit, marker=u.tf),
                "PW-STR-01",
                msg("ships that are deactivated can be shipped"),
            )
    if c.kind not in ("air", "ground", "naval") or u.at not in ports:
        raise illegal(msg("{unit} is in no friendly linked port", unit=unit), "PW-STR-01")
    if c.kind != "naval" and used + load(g, unit) > LIFT[side]:
        raise illegal(msg("this is more than the month's shipping"), "PW-STR-01")
    if c.kind == "ground":
        check_stack(g, unit, goal)
    if c.kind == "air" and g.airfield(side, goal) is None:
        raise illegal(msg("{place} has no airfield", place=g.board.name(goal)), "PW-BAS-01")
    if goal not in sea_lanes(g, side, u.at):
        raise illegal(msg("there is no safe way to {place}", place=g.board.name(goal)), "PW-STR-01")


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
        rolled = yield from die(g, msg("submarines against {unit} on its way", unit=ship), "PW-SUB-06", side)
        if rolled < chances:
            yield from hit_ship(g, ship, g.steps(ship), "PW-SUB-06")
            return
    emit(g, Moved(ship, goal, "PW-STR-01"))
