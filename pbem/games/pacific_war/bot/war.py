"""The strategic game: which landing is worth an operation, where the points of a month go, shipping, bombers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.bot.operations import best_plan, fit_to_land, plan_of
from pbem.games.pacific_war.links import reach
from pbem.games.pacific_war.merchants import BOMBER_RANGE, home_hexes
from pbem.games.pacific_war.state import ALLIES, FOE, JAPAN, State
from pbem.games.pacific_war.upkeep import ports_of
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask

QUIET_REAR = 6  # hexes without enemies: troops there are not needed
FEW = 8  # candidates of a thought
RAID_PRICE = 2
ASIA = ("SEAC", "Malaya", "ABDA")
THEATRES = {"britain": ASIA, "india": ASIA, "china": ASIA, "africa": ASIA, "australia": ("Southwest Pacific", "South Pacific")}
OPERATIONS_A_MONTH = 3


# -- operations --------------------------------------------------------------------------------------------------------


def activate(g: State, side: str, most: int) -> list[Plain]:
    """The order for the best operation that the points allow."""
    found = [p for hq in reach(g, side) for p in [plan_of(g, side, hq, min(most, g.hqs[hq].points))] if p is not None]
    found.sort(key=lambda p: (-p.worth, p.hq))
    return [{"activate": {"hq": p.hq, "units": [*p.units], "days": 14}} for p in found]


def bid(g: State, side: str, most: int) -> int:
    """What the best operation costs."""
    found = [p for hq in reach(g, side) for p in [plan_of(g, side, hq, min(most, g.hqs[hq].points))] if p is not None]
    best = max(found, key=lambda p: (p.worth, p.hq), default=None)
    return 0 if best is None else min(most, best.price)


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
        plan = best_plan(g, side, total, used)
        if plan is None:
            break
        main = main or plan.hq
        shares[plan.hq] = shares.get(plan.hq, 0) + plan.price
        total -= plan.price
        used += plan.units
    main = main or next(iter(linked), "")
    if main:
        shares[main] = shares.get(main, 0) + total
    return [{"allocate": {**shares}}] if main else []


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
    lacking = [h for h in dict.fromkeys(g.units[u].at for u in idle) if not any(fit_to_land(g, u) for u in g.ashore(side, h))]
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
