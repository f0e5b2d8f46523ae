"""[PUR] Phase 1: order units, pay, repair facilities; capital ships at naval bases are repaired free of charge."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.events import Bought, PhaseBegan, Repaired, ShipRepaired
from pbem.games.axis_and_allies_pacific.orders import DONE, Group, read_groups, read_territory, read_type, split_order
from pbem.games.axis_and_allies_pacific.state import CAPITAL_SHIPS, State, serving_bases, side_of
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, unreadable

UPGRADE = "ic-upgrade"  # [E-03] a minor complex becomes a major one
FACILITIES = ("minor-ic", "major-ic", UPGRADE, "air-base", "naval-base")
Order = tuple[str, object]


def purchase(g: State, power: str) -> Flow[None]:
    """[PUR-01] Any number of orders to buy and repair, then the free repair of capital ships."""
    emit(g, PhaseBegan(power, "purchase"))
    while True:
        verb, body = yield _ask(g, power)
        if verb == DONE:
            break
        if verb == "buy":
            for kind, count, cost in body:
                emit(g, Bought(power, kind, count, cost))
        else:
            territory, facility, points = body
            emit(g, Repaired(power, territory, facility, points))
    repair_ships(g, power)


def repair_ships(g: State, power: str) -> None:
    """[PUR-04] Battleships and carriers in zones that an operative friendly naval base serves."""
    for ship in g.of(power):
        if ship.type in CAPITAL_SHIPS and ship.damaged and serving_bases(g, power, ship.at):
            emit(g, ShipRepaired(ship.id))


def _ask(g: State, power: str) -> Ask:
    nothing = g.cash[power] < 1 or (not _damaged(g, power) and g.cash[power] < cheapest(g, power))
    return Ask(
        power,
        "purchase",
        "PUR-01",
        f"{power}: buy units and repair ({g.cash[power]} IPC)",
        lambda plain: read(g, power, plain),
        ("buy", "repair", DONE),
        forced=DONE if nothing else None,
        facts={"cash": g.cash[power], "round": g.round},
        options=lambda: options(g, power),
    )


def allowed(g: State, power: str) -> list[str]:
    """[CHN-02] [CHN-08] What a power may buy: China infantry, and artillery while the Burma Road is open."""
    if power != "china":
        return [*g.board.types, *FACILITIES]
    return ["infantry", "artillery"] if burma_road_open(g) else ["infantry"]


def burma_road_open(g: State) -> bool:
    """[CHN-08] Every territory on the road is in Allied hands."""
    return all(side_of(g, g.control[t]) == "allies" for t in g.board.burma_road)


def price(g: State, kind: str) -> int:
    """The printed price."""
    return g.board.types[kind].cost if kind in g.board.types else g.board.facility_cost[kind]


def cheapest(g: State, power: str) -> int:
    """The least that anything costs."""
    return min(price(g, kind) for kind in allowed(g, power))


def read(g: State, power: str, plain: Plain) -> Order:
    """[PUR-01] [PUR-03] A purchase or repair that this power can pay. Raises Rejected."""
    verb, body = split_order(plain, ("buy", "repair", DONE))
    if verb == DONE:
        return DONE, None
    return (verb, _read_buy(g, power, body)) if verb == "buy" else (verb, _read_repair(g, power, body))


def _read_buy(g: State, power: str, body: Plain) -> list[tuple[str, int, int]]:
    bought = [(group.type, group.count, _cost(g, power, group)) for group in read_groups(body)]
    total = sum(cost for _, _, cost in bought)
    if total > g.cash[power]:
        raise illegal(f"this costs {total} IPC", "PUR-01", f"{power} has {g.cash[power]} IPC")
    return bought


def _cost(g: State, power: str, group: Group) -> int:
    if group.type not in allowed(g, power):
        rule = "CHN-02" if power == "china" else "PUR-01"
        raise illegal(f"{power} may not buy {group.type}", rule, "may buy: " + ", ".join(allowed(g, power)))
    if group.mark:
        raise unreadable(f"nobody buys {group.mark} units")
    return group.count * price(g, group.type)


def _damaged(g: State, power: str) -> list[tuple[str, str, int]]:
    """Facilities with damage in territories that this power controls."""
    return [
        (territory, f.type, f.damage)
        for territory, facilities in sorted(g.facilities.items())
        for f in facilities
        if f.damage and g.control[territory] == power
    ]


def _read_repair(g: State, power: str, body: Plain) -> tuple[str, str, int]:
    territory, facility, points = _repair_words(g, body)
    damage = {(t, f): d for t, f, d in _damaged(g, power)}
    if (territory, facility) not in damage:
        listed = ", ".join(f"{f} in {g.board.name(t)} ({d})" for (t, f), d in damage.items()) or "nothing is damaged"
        raise illegal(f"{power} has no damaged {facility} in {g.board.name(territory)}", "PUR-03", listed)
    if not 0 < points <= damage[territory, facility]:
        raise illegal(f"{points} points", "PUR-03", f"1 to {damage[territory, facility]} points")
    if points > g.cash[power]:
        raise illegal(f"{points} points cost {points} IPC", "PUR-03", f"{power} has {g.cash[power]} IPC")
    return territory, facility, points


def _repair_words(g: State, body: Plain) -> tuple[str, str, int]:
    if isinstance(body, dict) and set(body) == {"territory", "facility", "points"}:
        points = body["points"]
        if isinstance(points, bool) or not isinstance(points, int):
            raise unreadable(f"{points!r} is no number of points")
        return read_territory(g.board, body["territory"]), read_type(str(body["facility"])), points
    if isinstance(body, str):
        count, _, rest = body.partition(" at ")
        place, _, facility = rest.rpartition(" ")
        if count.strip().isdigit() and len(count.strip()) < 4 and place:
            return read_territory(g.board, place), read_type(facility), int(count)
    raise unreadable(f"{body!r} is no repair", "for example `2 at Japan major-ic`")


def options(g: State, power: str) -> list[Plain]:
    """Some legal orders: one of each type that can be paid, each repair, done."""
    buys: list[Plain] = [{"buy": {k: 1}} for k in allowed(g, power) if price(g, k) <= g.cash[power]]
    repairs: list[Plain] = [
        {"repair": {"territory": t, "facility": f, "points": min(d, g.cash[power])}}
        for t, f, d in _damaged(g, power)
        if g.cash[power]
    ]
    return [*buys, *repairs, DONE]
