"""[PUR] Phase 1: order units, pay, repair facilities; capital ships at naval bases are repaired free of charge."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.counting import Purchases
from pbem.games.axis_and_allies_pacific.events.economy import Bought, Repaired, ShipRepaired
from pbem.games.axis_and_allies_pacific.events.turns import PhaseBegan
from pbem.games.axis_and_allies_pacific.orders import Group, read_groups, read_territory, read_type, split_order
from pbem.games.axis_and_allies_pacific.state import CAPITAL_SHIPS, State, serving_bases, side_of
from pbem.games.axis_and_allies_pacific.terms import OWNERS, example, place, some
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal, unreadable
from pbem.kernel.questions import DONE
from pbem.kernel.wording import Message, msg, quoted

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
        msg("{power}: buy units and repair; money: {cash} IPC", power=OWNERS[power], cash=g.cash[power]),
        lambda plain: read(g, power, plain),
        ("buy", "repair", DONE),
        forced=DONE if nothing else None,
        facts={"cash": g.cash[power], "round": g.round},
        options=lambda: options(g, power),
        form=lambda: Purchases(g, power, prices(g, power), _damaged(g, power), lambda plain: read(g, power, plain)),
        series=True,
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


def prices(g: State, power: str) -> dict[str, int]:
    """What a power may buy, and for how much."""
    return {kind: price(g, kind) for kind in allowed(g, power)}


def cheapest(g: State, power: str) -> int:
    """The least that anything costs."""
    return min(prices(g, power).values())


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
        raise illegal(msg("this costs {ipc} IPC", ipc=total), "PUR-01", _money(g, power))
    return bought


def _money(g: State, power: str) -> Message:
    return msg("{power} has {ipc} IPC", power=OWNERS[power], ipc=g.cash[power])


def _cost(g: State, power: str, group: Group) -> int:
    if group.type not in allowed(g, power):
        rule = "CHN-02" if power == "china" else "PUR-01"
        raise illegal(
            msg("{power} may not buy: {things}", power=OWNERS[power], things=some(group.type)),
            rule,
            msg("may buy: {things}", things=tuple(map(some, allowed(g, power)))),
        )
    if group.mark:
        raise unreadable(msg("nobody buys units that are {mark}", mark=group.mark))
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
        listed = tuple(
            msg("{things} in {place} ({damage})", things=some(f), place=place(g, t), damage=d) for (t, f), d in damage.items()
        )
        why = msg(
            "{power} has none damaged in {place}: {things}",
            power=OWNERS[power],
            place=place(g, territory),
            things=some(facility),
        )
        raise illegal(why, "PUR-03", msg("damaged: {things}", things=listed) if listed else msg("nothing is damaged"))
    if not 0 < points <= damage[territory, facility]:
        raise illegal(
            msg("points: {n}", n=points), "PUR-03", msg("{least} to {most}", least=1, most=damage[territory, facility])
        )
    if points > g.cash[power]:
        raise illegal(msg("this costs {ipc} IPC", ipc=points), "PUR-03", _money(g, power))
    return territory, facility, points


def _repair_words(g: State, body: Plain) -> tuple[str, str, int]:
    if isinstance(body, dict) and set(body) == {"territory", "facility", "points"}:
        points = body["points"]
        if isinstance(points, bool) or not isinstance(points, int):
            raise unreadable(msg("{given} is no number of points", given=quoted(points)))
        return read_territory(g.board, body["territory"]), read_type(str(body["facility"])), points
    if isinstance(body, str):
        count, _, rest = body.partition(" at ")
        where, _, facility = rest.rpartition(" ")
        if count.strip().isdigit() and len(count.strip()) < 4 and where:
            return read_territory(g.board, where), read_type(facility), int(count)
    raise unreadable(msg("{given} is no repair", given=quoted(body)), example("`2 at Japan major-ic`"))


def options(g: State, power: str) -> list[Plain]:
    """Some legal orders: one of each type that can be paid, each repair, done."""
    buys: list[Plain] = [{"buy": {k: 1}} for k in allowed(g, power) if price(g, k) <= g.cash[power]]
    repairs: list[Plain] = [
        {"repair": {"territory": t, "facility": f, "points": min(d, g.cash[power])}}
        for t, f, d in _damaged(g, power)
        if g.cash[power]
    ]
    return [*buys, *repairs, DONE]
