"""The strategic game: which landing is worth an operation, where the points of a month go, shipping, bombers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem.games.pacific_war.activation import may_activate, price_of
from pbem.games.pacific_war.board import FORT, distance
from pbem.games.pacific_war.bot.land import FAIR, net
from pbem.games.pacific_war.bot.sea import STRIKE_RANGE
from pbem.games.pacific_war.bot.worth import goals, nearest
from pbem.games.pacific_war.landmoves import CARRIERS_OF_TROOPS, battalions
from pbem.games.pacific_war.links import reach
from pbem.games.pacific_war.merchants import BOMBER_RANGE, home_hexes
from pbem.games.pacific_war.state import ALLIES, FOE, JAPAN, State
from pbem.games.pacific_war.upkeep import ports_of
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask

FARTHEST = 20  # hexes that a landing sails
RESOURCE, LARGE_FIELD, SMALL_FIELD, PORT = 10, 40, 20, 15
QUIET_REAR = 6  # hexes without enemies: troops there are not needed
FEW = 8  # candidates of a thought
RAID_PRICE = 2
ASIA = ("SEAC", "Malaya", "ABDA")
THEATRES = {"britain": ASIA, "india": ASIA, "china": ASIA, "africa": ASIA, "australia": ("Southwest Pacific", "South Pacific")}
ESCORT_POINTS = 20  # what may go along with a landing


@dataclass(frozen=True, slots=True)
class Landing:
    """An operation: from a headquarters, troops and transports of a port, to a hex; what it is worth."""

    worth: int
    hq: str
    port: int
    target: int
    troops: tuple[str, ...]
    transports: tuple[str, ...]


def landings(g: State, side: str) -> list[Landing]:
    """Every landing that should succeed, the best first."""
    found: list[Landing] = g.cached(("bot landings", side), lambda: _landings(g, side))
    return found


def _landings(g: State, side: str) -> list[Landing]:
    beaches = [h for h in goals(g, side) if g.board.sea(h)]
    found = []
    for hq, places in reach(g, side).items():
        ports = {g.units[u].at for u in g.on_map(side, "naval") if g.counter(u).type == "AA"}
        for port in sorted(ports & places):
            target = nearest(port, beaches)
            if not target or distance(port, target) > FARTHEST:
                continue
            transports, troops = _party(g, side, port, places)
            if troops and net(g, target, side, troops, True) >= FAIR:
                worth = worth_of(g, target) - 2 * distance(port, target)
                found.append(Landing(worth, hq, port, target, tuple(troops), tuple(transports)))
    return sorted(found, key=lambda x: (-x.worth, x.hq, x.port))


def _party(g: State, side: str, port: int, places: set[int]) -> tuple[list[str], list[str]]:
    """Transports of a port with the best troops that fit into each of them."""
    ready = [u for u in g.ships(side, port) if g.counter(u).type == "AA" and may_activate(g, u, places) is None]
    waiting = [u for u in g.ashore(side, port) if may_activate(g, u, places) is None and not g.units[u].demoralized]
    waiting = [u for u in waiting if g.counter(u).tq >= 5 and g.counter(u).type != "engineer"]
    waiting.sort(key=lambda u: (-g.counter(u).tq * g.steps(u), u))
    transports, troops = [], []
    for ship in ready:
        room, aboard = CARRIERS_OF_TROOPS["AA"], False
        for unit in [u for u in waiting if u not in troops]:
            if battalions(g, unit) <= room:
                room, aboard = room - battalions(g, unit), True
                troops.append(unit)
        transports += [ship] if aboard else []
    return transports, troops


def worth_of(g: State, place: int) -> int:
    """What holding a hex is worth: resources, airfield, port."""
    field = g.airfields.get(place)
    large = LARGE_FIELD if field is not None and field.size > 6 else SMALL_FIELD if field is not None else 0
    near_japan = LARGE_FIELD if any(distance(place, h) <= BOMBER_RANGE for h in home_hexes(g)) else 0
    return RESOURCE * g.ledger.get(f"resource {place:04d}", 0) + large + (PORT if place in g.ports else 0) + near_japan


# -- operations --------------------------------------------------------------------------------------------------------


def force(g: State, side: str, landing: Landing, most: int) -> list[str]:
    """Troops, transports and escorts of the port, carriers and aircraft in range, as far as the points go."""
    places = reach(g, side)[landing.hq]
    units = [*landing.transports, *landing.troops]
    least = price_of(g, side, landing.hq, units, 14)[1]
    if least > most:
        return []
    most = min(most, least + ESCORT_POINTS)
    escorts = [u for u in g.ships(side, landing.port) if u not in units and g.counter(u).type != "AA"]
    decks = [u for u in g.on_map(side, "naval") if g.is_carrier(u) and g.air_aboard(u)]
    planes = [u for u in g.on_map(side, "air") if not g.units[u].aboard and _in_range(g, u, landing.target)]
    for unit in dict.fromkeys([*escorts[:4], *planes[:3], *decks, *escorts[4:], *planes[3:]]):
        if may_activate(g, unit, places) is None and g.counter(unit).type != FORT:
            more = [*units, unit, *(g.air_aboard(unit) if g.is_carrier(unit) else [])]
            if price_of(g, side, landing.hq, more, 14)[1] <= most:
                units = more
    return units


def _in_range(g: State, unit: str, place: int) -> bool:
    c = g.counter(unit)
    return c.type != "LRA" and distance(g.units[unit].at, place) <= min(c.range, STRIKE_RANGE)


def activate(g: State, side: str, most: int) -> list[Plain]:
    """The orders for the best landings that the points allow."""
    found: list[Plain] = []
    for landing in landings(g, side)[:FEW]:
        units = force(g, side, landing, min(most, g.hqs[landing.hq].points))
        if units:
            found.append({"activate": {"hq": landing.hq, "units": [*units], "days": 14}})
    return found


def bid(g: State, side: str, most: int) -> int:
    """Enough for the best landing with all that should go along."""
    for landing in landings(g, side):
        points = min(most, g.hqs[landing.hq].points)
        units = force(g, side, landing, points)
        if units:
            return min(most, price_of(g, side, landing.hq, units, 14)[1] + 1)
    return 0


def allocate(g: State, ask: Ask) -> list[Plain]:
    """The points of a month: raids of the bombers first, the rest for the best landing."""
    side, total = ask.seat, int(str(ask.facts.get("points", 0)))
    shares: dict[str, Plain] = {}
    best = landings(g, side)
    linked = reach(g, side)
    main = best[0].hq if best else next(iter(linked), "")
    for group in ("20th", "21st"):
        at, price = g.ledger.get(f"{group} at", 0), RAID_PRICE * g.ledger.get(f"{group} points", 0)
        payers = [n for n, places in linked.items() if at in places and n != main]
        if side == ALLIES and at and payers and price and price <= total // 2:
            shares[payers[0]] = int(str(shares.get(payers[0], 0))) + price
            total -= price
    if main:
        shares[main] = total
    return [{"allocate": shares}] if main else []


# -- the month ---------------------------------------------------------------------------------------------------------


def transport(g: State, ask: Ask) -> list[Plain]:
    """Engineers to airfields from which bombers would reach Japan, troops from the rear to transports without any."""
    return [*_few(_engineers(g, ask.seat)), *_few(_troops(g, ask.seat)), "done"]


def _few(orders: Iterator[Any]) -> list[Plain]:
    return [order for order, _ in zip(orders, range(FEW), strict=False)]


def _engineers(g: State, side: str) -> Iterator[Any]:
    if side != ALLIES:
        return
    homes = list(home_hexes(g))
    small = [h for h in ports_of(g, side) if h in g.airfields and g.airfields[h].size <= 6]
    near = [h for h in small if any(distance(h, home) <= BOMBER_RANGE for home in homes)]
    needed = [h for h in near if not any(g.counter(u).type == "engineer" for u in g.ashore(side, h))]
    for unit in [u for u in g.on_map(side, "ground") if g.counter(u).type == "engineer" and g.units[u].at not in near]:
        yield from ({"ship": {unit: h}} for h in needed)


def _troops(g: State, side: str) -> Iterator[Any]:
    foes = {g.units[u].at for u in g.on_map(FOE[side], "ground")}
    idle = [u for u in g.on_map(side, "naval") if g.counter(u).type == "AA"]
    lacking = [h for h in dict.fromkeys(g.units[u].at for u in idle) if not _party(g, side, h, {h})[1]]
    ports = set(ports_of(g, side))
    rear = [u for u in g.on_map(side, "ground") if g.units[u].at in ports - set(lacking) and g.counter(u).tq >= 5]
    rear = [u for u in rear if g.counter(u).type != "engineer" and g.counter(u).size in ("division", "brigade", "regiment")]
    rear = [u for u in rear if not any(distance(g.units[u].at, f) <= QUIET_REAR for f in foes)]
    rear = [u for u in rear if not any(g.units[s].at == g.units[u].at for s in idle)]
    for unit in sorted(rear, key=lambda u: (-g.counter(u).tq, -g.steps(u), u)):
        yield from ({"ship": {unit: h}} for h in lacking)


def arrive(g: State, ask: Ask) -> list[Plain]:
    """British, Indian and Chinese units come to the headquarters of their theatre, as do Australians; others to the fleet."""
    unit = ask.prompt.removeprefix("where ").removesuffix(" arrives")
    if ask.seat == JAPAN or unit not in g.board.counters:
        return []
    names = THEATRES.get(g.counter(unit).nation, ("Pacific Fleet", "South Pacific"))
    return [{"arrive": g.hqs[n].at} for n in names if n in g.hqs]


def merchants(g: State, ask: Ask) -> list[Plain]:
    """Japan buys all the shipping that is offered."""
    offered = int(str(ask.facts.get("offered", 0)))
    rich = [n for n, h in g.hqs.items() if h.side == JAPAN and h.points > 0]
    return [{"buy": {n: k}} for k in range(offered, 0, -1) for n in rich]


def escort(g: State, ask: Ask) -> list[Plain]:
    """Escort ships before destroyers, whole units, while there are fewer than submarines."""
    found = [o for o in ask.options() if isinstance(o, dict) and "escort" in o]
    return sorted(found, key=lambda o: (not str(o).startswith("{'escort': {'DE"), -_number(o)))


def _number(order: Plain) -> int:
    assert isinstance(order, dict)
    body = order["escort"]
    return int(str(next(iter(body.values())))) if isinstance(body, dict) else 0


def strategy(g: State, ask: Ask) -> list[Any]:
    """Bombers are deployed and stay; transports and Kamikazes are built; no step of level 2 is given up."""
    found: list[Any] = [o for o in ask.options() if isinstance(o, dict)]
    return [*(o for o in found if not ("bombers" in o and 0 in o["bombers"].values())), "done"]


def engineering(g: State, ask: Ask) -> list[Plain]:
    """Airfields near Japan become large."""
    homes = list(home_hexes(g))
    found: list[Plain] = []
    for order in ask.options():
        build: Any = order.get("build") if isinstance(order, dict) else None
        upgrade = ask.seat == ALLIES and build is not None and build["what"] == "upgrade"
        if upgrade and any(distance(int(str(build["at"])), h) <= BOMBER_RANGE for h in homes):
            found.append(order)
    return [*found, "done"]


THOUGHTS: Mapping[str, Callable[[State, Ask], Sequence[Plain]]] = {
    "transport": transport,
    "arrive": arrive,
    "free_base": lambda g, ask: [{"free_base": "yes"}],
    "merchants": merchants,
    "escort": escort,
    "strategy": strategy,
    "engineering": engineering,
}
