"""What transports can bring to a zone in one turn: cargo that is aboard, or taken from a shore on the way."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.games.axis_and_allies_pacific.bot.forces import is_ready, without_guards
from pbem.games.axis_and_allies_pacific.bot.judgement import MARCHING, steps
from pbem.games.axis_and_allies_pacific.paths import sail
from pbem.games.axis_and_allies_pacific.state import State, Unit, is_friendly, movement_points, zone_is_hostile
from pbem.kernel.canon import Plain

FAR = 99


class Lift(Struct, frozen=True):
    """One transport bound for a zone: orders to go for its cargo, load and sail; what it brings; how far it goes."""

    ship: Unit
    cargo: tuple[Unit, ...]
    orders: tuple[Plain, ...]
    distance: int


def lifts_to(g: State, power: str, zone: str, taken: frozenset[int] = frozenset()) -> list[Lift]:
    """What each ready transport can bring there, no unit twice; the nearest first."""
    sea = steps(g.board, "sea")[zone]
    ships = [u for u in g.of(power) if u.type == "transport" and is_ready(u) and u.id not in g.landed_from]
    ships = [u for u in ships if u.id not in taken and sea.get(u.at, FAR) <= movement_points(g, u)]
    found: list[Lift] = []
    used = set(taken)
    for ship in sorted(ships, key=lambda u: (not g.cargo(u), sea[u.at], u.id)):
        lift = _lift(g, power, ship, zone, frozenset(used))
        if lift is not None:
            found.append(lift)
            used |= {u.id for u in lift.cargo}
    return found


def _lift(g: State, power: str, ship: Unit, zone: str, taken: frozenset[int]) -> Lift | None:
    aboard = [c for c in g.cargo(ship) if c.owner == power and not c.target]
    points = movement_points(g, ship) - ship.used
    if len(aboard) < len(g.cargo(ship)):
        return None
    if aboard:
        distance = _distance(g, ship, zone, points)
        return None if distance is None else Lift(ship, tuple(aboard), _sailing(ship.at, zone, "loaded"), distance)
    best: Lift | None = None
    for shore in _shores(g, ship, points):
        first = _distance(g, ship, shore, points)
        rest = None if first is None else _onward(g, ship, shore, zone, points - first)
        if first is None or rest is None:
            continue
        cargo = loadable(g, power, shore, taken)
        lift = Lift(ship, tuple(cargo), _errand(ship.at, shore, zone, cargo), first + rest)
        if cargo and (best is None or (-len(lift.cargo), lift.distance) < (-len(best.cargo), best.distance)):
            best = lift
    return best


def _shores(g: State, ship: Unit, points: int) -> list[str]:
    """Zones where it could load, its own first."""
    sea = steps(g.board, "sea")[ship.at]
    near = [z for z, d in sea.items() if d <= points and any(n in g.board.territories for n in g.board.neighbours[z])]
    return sorted(near, key=lambda z: (sea[z], z))


def _distance(g: State, ship: Unit, zone: str, points: int) -> int | None:
    if zone == ship.at:
        return 0
    way = sail(g, [ship], zone, max(points, 1))
    return len(way) if way is not None and len(way) <= points else None


def _onward(g: State, ship: Unit, shore: str, zone: str, points: int) -> int | None:
    """From where it loads to where it lands; not through enemy fleets."""
    if shore == zone:
        return 0
    if shore != ship.at and zone_is_hostile(g, ship.owner, shore):
        return None
    far = steps(g.board, "sea")[shore].get(zone, FAR)
    return far if far <= points else None


def _sailing(at: str, to: str, mark: str) -> tuple[Plain, ...]:
    return () if at == to else ({"move": {"units": {f"{mark} transport": 1}, "from": at, "to": to}},)


def _errand(at: str, shore: str, zone: str, cargo: Sequence[Unit]) -> tuple[Plain, ...]:
    loading: list[Plain] = [{"load": {"units": {u.type: 1}, "from": u.at, "zone": shore}} for u in cargo]
    return (*_sailing(at, shore, "empty"), *loading, *_sailing(shore, zone, "loaded"))


def loadable(g: State, power: str, zone: str, taken: frozenset[int]) -> list[Unit]:
    """One infantry and the best companion on the shores of a zone, as far as they can be spared."""
    if zone in g.start.hostile_zones or zone_is_hostile(g, power, zone):
        return []
    waiting: list[Unit] = []
    for shore in (t for t in g.board.neighbours[zone] if t in g.board.territories and is_friendly(g, power, t)):
        here = [u for u in g.at(shore) if u.owner == power and u.type in MARCHING and u.aboard is None]
        here = [u for u in here if is_ready(u) and u.id not in taken and not u.used]
        waiting += without_guards(g, power, shore, here, gone=taken)
    strong = sorted((u for u in waiting if u.type != "infantry"), key=lambda u: (-g.board.types[u.type].attack, u.id))
    foot = [u for u in waiting if u.type == "infantry"]
    return [*foot[:1], *strong[:1]] if strong and foot else foot[:2] or strong[:1]


def announced(lifts: Sequence[Lift], zone: str, target: str) -> list[Plain]:
    """All orders of some transports, and of what they bring, against a territory."""
    brought = [u for lift in lifts for u in lift.cargo]
    kinds = sorted({u.type for u in brought})
    orders: list[Plain] = [o for lift in lifts for o in lift.orders]
    for kind in kinds:
        number = sum(u.type == kind for u in brought)
        orders.append({"assault": {"units": {kind: number}, "from": zone, "to": target}})
    return orders


def ashore(lift: Lift, zone: str, shore: str) -> list[Plain]:
    """The orders of a transport and of all it brings."""
    kinds = sorted({u.type for u in lift.cargo})
    landing: list[Plain] = [
        {"unload": {"units": {k: sum(u.type == k for u in lift.cargo)}, "from": zone, "to": shore}} for k in kinds
    ]
    return [*lift.orders, *landing]
