"""[SCR] Fighters and tactical bombers on islands with an operative air base go up to defend the sea around."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.counting import Scrambles
from pbem.games.axis_and_allies_pacific.events.combat import Scrambled
from pbem.games.axis_and_allies_pacific.landing import CARRIER_AIRCRAFT
from pbem.games.axis_and_allies_pacific.orders import as_list, read_route, split_order
from pbem.games.axis_and_allies_pacific.state import State, Unit, base_works, enemies_of
from pbem.games.axis_and_allies_pacific.terms import OWNERS, one_of, place, some
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Ask, Flow
from pbem.kernel.orders import illegal
from pbem.kernel.wording import Message, msg


def scrambles(g: State, power: str, threatened: list[str]) -> Flow[None]:
    """[SCR-06] [AMB-SCR-WHO] Each owner in turn order, once for all zones."""
    for owner in enemies_of(g, power):
        places = [(t, z) for t in bases(g, owner) for z in g.board.coast(t) if z in threatened]
        if not places:
            continue
        chosen = yield _ask(g, owner, places)
        for unit, zone in chosen:
            emit(g, Scrambled(unit, zone))


def bases(g: State, owner: str) -> list[str]:
    """[SCR-01] [AMB-ISLAND] Islands with an operative air base and aircraft of this power that can go up."""
    return [
        t
        for t, land in g.board.territories.items()
        if land.island and base_works(g, owner, t, "air-base") and planes_on(g, owner, t)
    ]


def planes_on(g: State, owner: str, island: str) -> list[Unit]:
    """Own fighters and tactical bombers there."""
    return [u for u in g.at(island) if u.owner == owner and u.type in CARRIER_AIRCRAFT and u.role == ""]


def _ask(g: State, owner: str, places: list[tuple[str, str]]) -> Ask:
    return Ask(
        owner,
        "scramble",
        "SCR-01",
        msg("{power}: scramble aircraft? {ways}", power=OWNERS[owner], ways=_ways(g, places)),
        lambda plain: _read(g, owner, places, plain),
        ("scramble",),
        facts={"zones": len(places)},
        options=lambda: _options(g, owner, places),
        form=lambda: Scrambles(g, places, _able(g, owner, places), lambda plain: _read(g, owner, places, plain)),
        policy=lambda wanted: _policy(g, owner, places, wanted),
        reaction=True,
    )


def _able(g: State, owner: str, places: list[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """Island -> type -> how many can go up."""
    found: dict[str, dict[str, int]] = {}
    for island in dict.fromkeys(t for t, _ in places):
        kinds = [u.type for u in planes_on(g, owner, island)]
        found[island] = {k: kinds.count(k) for k in dict.fromkeys(kinds)}
    return found


def _ways(g: State, places: list[tuple[str, str]]) -> tuple[Message, ...]:
    return tuple(msg("{origin} to {place}", origin=place(g, t), place=place(g, z)) for t, z in places)


def _options(g: State, owner: str, places: list[tuple[str, str]]) -> list[Plain]:
    found: list[Plain] = [{"scramble": "none"}]
    for island, zone in places:
        plane = planes_on(g, owner, island)[0]
        found.append({"scramble": [{"units": {plane.type: 1}, "from": island, "to": zone}]})
    every = _policy(g, owner, places, "all")
    return found if every in found else [*found, every]


def _policy(g: State, owner: str, places: list[tuple[str, str]], wanted: Plain) -> Plain:
    """`all`, `none`, or the orders themselves."""
    if wanted == "none":
        return {"scramble": "none"}
    if wanted != "all":
        return wanted if isinstance(wanted, dict) else {"scramble": wanted}
    lines: list[Plain] = []
    for island in dict.fromkeys(t for t, _ in places):
        zone = next(z for t, z in places if t == island)
        kinds = [u.type for u in planes_on(g, owner, island)]
        lines += [{"units": {k: kinds.count(k)}, "from": island, "to": zone} for k in dict.fromkeys(kinds)]
    return {"scramble": lines}


def _read(g: State, owner: str, places: list[tuple[str, str]], plain: Plain) -> list[tuple[int, str]]:
    """[SCR-01] [SCR-03] Aircraft that are there, each into one threatened zone at their island. Raises Rejected."""
    _, body = split_order(plain, ("scramble",))
    chosen: dict[int, str] = {}
    for line in as_list(body):
        route = read_route(g.board, line)
        if (route.origin, route.to) not in places:
            why = msg("no scramble: {ways}", ways=_ways(g, [(route.origin, route.to)]))
            raise illegal(why, "SCR-01", one_of(_ways(g, places)))
        for group in route.groups:
            able = [u for u in planes_on(g, owner, route.origin) if u.type == group.type and u.id not in chosen]
            if len(able) < group.count:
                have, where = some(group.type, len(able)), place(g, route.origin)
                reason = msg("able to scramble from {place}: {have}, not {want}", place=where, have=have, want=group.count)
                raise illegal(reason, "SCR-01")
            chosen.update({u.id: route.to for u in able[: group.count]})
    return sorted(chosen.items())
