"""The strategic game: which landing is worth an operation, where the points of a month go, shipping, bombers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import Any

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.bot.ground_war import (
    flies_to,
    garrison,
    guards,
    home_bases,
    key_hexes,
    power,
    prizes,
    threat,
)
from pbem.games.pacific_war.bot.hunting import matches
from pbem.games.pacific_war.bot.operations import LAST_OPERATION, best_plan, passengers, ready
from pbem.games.pacific_war.bot.raids import ESCORTS
from pbem.games.pacific_war.bot.tasks import fit_to_land, front, room
from pbem.games.pacific_war.bot.timetable import arrives_at, attacks, ships_troops, wanted
from pbem.games.pacific_war.bot.worth import STRIKE_RANGE
from pbem.games.pacific_war.month.merchants import BOMBER_RANGE
from pbem.games.pacific_war.month.upkeep import ports_of
from pbem.games.pacific_war.state import ALLIES, FOE, JAPAN, State
from pbem.games.pacific_war.world.initiative import lead_of
from pbem.games.pacific_war.world.links import OSB_SEA, linked_hexes, reach
from pbem.games.pacific_war.world.resources import home_hexes
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask

FEW = 8  # candidates of a thought
RAID_PRICE = 2
OPERATIONS_A_MONTH = 3
FIELDS_ARE_BUILT = 24  # month from which airfields near Japan are made large: August 1943
SPARE = 5  # a fifth more than an operation costs: bases are built before the bids, and ships may be late
MOST_REACTING, NEAR = 8, 4  # units; hexes to which ships sail against the enemy


# -- operations --------------------------------------------------------------------------------------------------------


def activate(g: State, side: str, most: int) -> list[Plain]:
    """The order for the best operation that the points allow."""
    plan = best_plan(g, side, _points(g, side, most))
    return [{"activate": {"hq": plan.hq, "units": [*plan.units], "days": plan.days}}] if plan is not None else []


def bid(g: State, side: str, most: int) -> int:
    """What the best operation costs; all that its headquarters has where the rest would be lost: for the last operation of
    the month, and for a side against which the enemy leads if nothing worth while could be paid from what is left.
    """
    points = _points(g, side, most)
    plan = best_plan(g, side, points)
    if plan is None:
        return 0
    if g.day > LAST_OPERATION:
        return points[plan.hq]
    left = {**points, plan.hq: points[plan.hq] - plan.price}
    last = lead_of(g, side) < 0 and best_plan(g, side, left, plan.units) is None
    return points[plan.hq] if last else plan.price


def _points(g: State, side: str, most: int) -> dict[str, int]:
    return {name: min(most, hq.points) for name, hq in g.hqs.items() if hq.side == side}


def allocate(g: State, ask: Ask) -> list[Plain]:
    """The points of a month: raids of the bombers first, then to the headquarters of the operations that come first."""
    side, total = ask.seat, int(str(ask.facts.get("points", 0)))
    shares: dict[str, int] = {}
    linked = reach(g, side)
    for group in ("20th", "21st"):
        at, price = g.ledger.get(f"{group} at", 0), RAID_PRICE * g.ledger.get(f"{group} points", 0)
        payers = [n for n, places in linked.items() if at in places]
        if side == ALLIES and at and payers and price and price <= total // 2:
            shares[payers[0]] = shares.get(payers[0], 0) + price
            total -= price
    used: list[str] = []
    main = ""
    for _ in range(OPERATIONS_A_MONTH):
        plan = best_plan(g, side, dict.fromkeys(linked, total), used)
        if plan is None:
            break
        share = min(total, plan.price + plan.price // SPARE)
        shares[plan.hq] = shares.get(plan.hq, 0) + share
        total -= share
        used += plan.units
        main = max(shares, key=lambda hq: (shares[hq], hq))
    gathers = bool(main) and lead_of(g, side) < 0 and attacks(g, side)
    if gathers:  # a bid is paid by one headquarters: who spreads his points is outbid
        shares, total = {main: shares[main]}, total + sum(n for hq, n in shares.items() if hq != main)
    main = main or next(iter(linked), "")
    reacts = not gathers and lead_of(g, side) <= 0  # who leads goes on
    reserve = (_fleet_of(g, side, linked, used) if reacts else "") or main
    if reserve:
        shares[reserve] = shares.get(reserve, 0) + total
    return [{"allocate": {**shares}}] if main else []


def _fleet_of(g: State, side: str, linked: Mapping[str, Set[int]], used: Sequence[str]) -> str:
    """The headquarters that commands most aircraft of carriers that are not planned with: what is left goes there, to react."""
    steps = {hq: _decks(g, side, places, g.hqs[hq].at, g.hqs[hq].range, used) for hq, places in linked.items()}
    best = max(steps, key=lambda hq: (steps[hq], hq), default="")
    return best if steps.get(best) else ""


def _decks(g: State, side: str, places: Set[int], at: int, most: int, used: Sequence[str]) -> int:
    ships = [u for u in g.on_map(side, "naval") if g.is_carrier(u) and u not in used and g.units[u].at in places]
    return sum(g.steps(w) for u in ships if distance(g.units[u].at, at) <= most for w in g.air_aboard(u))


def react(g: State, side: str) -> list[Plain]:
    """Carriers with escorts, ships and aircraft that reach the enemy and can meet him, as many as the rules allow."""
    prey = [*dict.fromkeys(m.at for m in g.markers.values() if m.side == FOE[side])]
    found: list[tuple[int, Plain]] = []
    for hq in reach(g, side) if prey else ():
        able = ready(g, side, hq)
        planes = [u for u in able if g.counter(u).kind == "air" and any(flies_to(g, u, h) for h in prey)]
        names = sorted([*planes, *_fleet(g, side, able, prey)], key=lambda u: (not g.is_carrier(u), _far(g, u, prey), u))
        names = names[:MOST_REACTING]
        found += [(n, {"activate": {"hq": hq, "units": [*names[:n]]}}) for n in range(len(names), 0, -1)]
    return [order for _, order in sorted(found, key=lambda row: -row[0])]


def _far(g: State, unit: str, places: Sequence[int]) -> int:
    return min(distance(g.units[unit].at, h) for h in places)


def _fleet(g: State, side: str, able: Sequence[str], prey: Sequence[int]) -> list[str]:
    """The ships that sail: those in reach of the enemy, and escorts from their ports, if they match whomever they can meet."""

    def met(ship: str) -> list[int]:
        far = STRIKE_RANGE if g.is_carrier(ship) and g.air_aboard(ship) else NEAR if not room(g, ship) else 0
        return [h for h in prey if distance(g.units[ship].at, h) <= far]

    ships = [u for u in able if g.counter(u).kind == "naval" and met(u)]
    ports = {g.units[u].at for u in ships if g.is_carrier(u)}
    guns = [u for u in able if g.units[u].at in ports and u not in ships and g.counter(u).gun[0] > 0 and not room(g, u)]
    escorts = sorted(guns, key=lambda u: (-g.counter(u).gun[0], u))[:ESCORTS]
    force = [*ships, *escorts]
    return force if ships and all(matches(g, side, force, h) for h in {h for u in ships for h in met(u)}) else []


# -- the month ---------------------------------------------------------------------------------------------------------


def transport(g: State, ask: Ask) -> list[Plain]:
    """Engineers to airfields from which bombers would reach Japan, troops from the rear to threatened ports and transports."""
    if not ships_troops(g, ask.seat):
        return ["done"]
    return [*_few(_engineers(g, ask.seat)), *_few(_relief(g, ask.seat)), *_few(_troops(g, ask.seat)), "done"]


def _few(orders: Iterator[Any]) -> list[Plain]:
    return [order for order, _ in zip(orders, range(FEW), strict=False)]


def _engineers(g: State, side: str) -> Iterator[Any]:
    if side != ALLIES or g.month > FIELDS_ARE_BUILT:
        return
    homes = list(home_hexes(g))
    small = [h for h in ports_of(g, side) if h in g.airfields and g.airfields[h].size <= 6]
    near = [h for h in small if any(distance(h, home) <= BOMBER_RANGE for home in homes)]
    needed = [h for h in near if not any(g.counter(u).type == "engineer" for u in g.ashore(side, h))]
    for unit in [u for u in g.on_map(side, "ground") if g.counter(u).type == "engineer" and g.units[u].at not in near]:
        yield from ({"ship": {unit: h}} for h in needed)


def _relief(g: State, side: str) -> Iterator[Any]:
    """The strongest troops of the rear home, and to key hexes that are empty or that the enemy could march into."""
    weak = []
    home = home_bases(g) if side == JAPAN else []
    for h in sorted({*key_hexes(g, side), *home} & {*ports_of(g, side)}):
        lacking = garrison(g, side, h) - sum(power(g, u) for u in g.ashore(side, h))
        if lacking > 0 and not g.ashore(FOE[side], h):
            weak.append((h in home, lacking, h))
    for _, _, place in sorted(weak, reverse=True):
        yield from ({"ship": {unit: place}} for unit in _rear(g, side) if _in_its_theatre(g, unit, place))


def _rear(g: State, side: str) -> list[str]:
    """Troops in ports that nobody threatens or goes for and where no transport waits for them, the best first."""
    ports, stay = set(ports_of(g, side)) - wanted(FOE[side]), guards(g, side)
    loading = {g.units[u].at for u in g.on_map(side, "naval") if room(g, u)}
    found = [u for u in g.on_map(side, "ground") if g.units[u].at in ports - loading and u not in stay and fit_to_land(g, u)]
    found = [u for u in found if not threat(g, side, g.units[u].at) and not g.units[u].aboard]
    return sorted(found, key=lambda u: (-power(g, u), u))


def _troops(g: State, side: str) -> Iterator[Any]:
    """Troops of the rear to transports without any."""
    idle = [u for u in g.on_map(side, "naval") if room(g, u) and not g.cargo(u)]
    lacking = [h for h in dict.fromkeys(g.units[u].at for u in idle) if not passengers(g, side, h)]
    lacking.sort(key=lambda h: (-front(g, side, h), h))
    for unit in _rear(g, side):
        yield from ({"ship": {unit: h}} for h in lacking if _in_its_theatre(g, unit, h))


def _in_its_theatre(g: State, unit: str, place: int) -> bool:
    """No nation's troops are shipped to where none of the headquarters at which they arrive commands."""
    own = [g.hqs[name] for name in arrives_at(g.counter(unit).nation, "ground") if name in g.hqs]
    return not own or any(hq.box == "map" and distance(hq.at, place) <= hq.range for hq in own)


def arrive(g: State, ask: Ask) -> list[Plain]:
    """In the theatre of its nation, where no enemy is near; else at the headquarters with the best prizes before it."""
    unit = str(ask.facts.get("unit", ""))
    if unit not in g.board.counters:
        return []
    c = g.counter(unit)
    kind = "ground" if room(g, unit) else c.kind  # transports where their troops come
    on_map = {name: hq.at for name, hq in g.hqs.items() if hq.side == ask.seat and hq.box == "map"}
    own = [on_map[name] for name in arrives_at(c.nation, kind) if name in on_map]
    quiet = [h for h in own if not threat(g, ask.seat, h)]
    fronts = sorted(((front(g, ask.seat, at), at) for at in on_map.values()), reverse=True)
    return [{"arrive": h} for h in (*quiet, *own, *(at for _, at in fronts))]


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
    """Airfields near Japan become large before the bombers come; support bases where they link hexes that are wanted."""
    homes = list(home_hexes(g)) if g.month <= FIELDS_ARE_BUILT else []
    found: list[Plain] = [*_bases(g, ask.seat)]
    for order in ask.options():
        build: Any = order.get("build") if isinstance(order, dict) else None
        upgrade = ask.seat == ALLIES and build is not None and build["what"] == "upgrade"
        if upgrade and any(distance(int(str(build["at"])), h) <= BOMBER_RANGE for h in homes):
            found.append(order)
    return [*found, "done"]


def _bases(g: State, side: str) -> Iterator[Plain]:
    """[PW-OSB-01] A support base for each headquarters, in the port from which most is reached that has no link yet."""
    linked = linked_hexes(g, side)
    beyond = {h: worth for h, worth in prizes(g, side).items() if h not in linked and g.board.coast(h)}
    for hq, places in reach(g, side).items():
        sites = []
        for port in ports_of(g, side):
            gain = sum(worth for h, worth in beyond.items() if distance(h, port) <= OSB_SEA)
            if gain and port in places and port not in g.osbs:
                sites.append((gain, port))
        if sites and g.hqs[hq].points:
            yield {"base": {"at": max(sites)[1], "hq": hq}}


THOUGHTS: Mapping[str, Callable[[State, Ask], Sequence[Plain]]] = {
    "transport": transport,
    "arrive": arrive,
    "free_base": lambda g, ask: [{"free_base": "yes"}],
    "merchants": merchants,
    "escort": escort,
    "strategy": strategy,
    "engineering": engineering,
}
