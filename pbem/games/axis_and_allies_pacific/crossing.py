"""[TRN] [AMM] A landing from a coast as one gesture: land units aboard, the transports under way, and ashore."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.axis_and_allies_pacific.notation import Body
from pbem.games.axis_and_allies_pacific.paths import reach, stops
from pbem.games.axis_and_allies_pacific.politics import why_not_enter
from pbem.games.axis_and_allies_pacific.state import (
    LAND,
    State,
    Unit,
    is_friendly,
    is_hostile,
    movement_points,
)
from pbem.kernel.canon import Plain
from pbem.kernel.images import copied
from pbem.kernel.orders import Rejected

ASHORE = {"combat-move": "assault", "noncombat-move": "unload"}


def shores(g: State, power: str, verb: str, units: dict[str, int], origin: str) -> list[str]:
    """[AMM-01] [NCM-10] Territories where land units of a coast could be put ashore by transports in its zones."""
    ashore = ASHORE.get(g.phase, "")
    if verb not in ("", ashore) or origin not in g.board.territories or power == "china":
        return []
    if any(kind not in LAND for kind in units):
        return []
    beside = {t for start in g.board.coast(origin) for z in _zones(g, power, start) for t in g.board.neighbours[z]}
    wanted = is_hostile if ashore == "assault" else is_friendly
    able = [t for t in g.board.territories if t in beside and t != origin and wanted(g, power, t)]
    return [t for t in able if why_not_enter(g, power, t) is None and crossing(g, power, Body(units, origin, t))]


def _ships(g: State, power: str, zone: str) -> list[Unit]:
    """Own transports there that can still take something aboard."""
    there = [u for u in g.at(zone) if u.owner == power and u.type == "transport" and not u.fought]
    return [u for u in there if u.id not in g.landed_from and not any(c.target for c in g.cargo(u))]


def _zones(g: State, power: str, start: str) -> list[str]:
    """Where the transports of a zone can be after loading."""
    ships = _ships(g, power, start)
    if not ships:
        return []
    limit = max(movement_points(g, s) - s.used for s in ships)
    return list(reach(g, start, lambda z: z in g.board.zones and not stops(g, power, "transport", z), max(limit, 0)))


def crossing(g: State, power: str, said: Body) -> tuple[Plain, ...]:
    """Load, sail, land: the first way that the rules accept on a copy; nothing when there is none."""
    ashore = ASHORE.get(g.phase, "")
    if not ashore or said.origin not in g.board.territories or said.to not in g.board.territories:
        return ()
    memo, question = g.memo(), ("crossing", power, tuple(said.units.items()), said.origin, said.to)
    if question not in memo:
        memo[question] = next((way for way in _ways(g, power, said, ashore) if _stands(g, power, way)), ())
    found: tuple[Plain, ...] = memo[question]
    return found


def _ways(g: State, power: str, said: Body, ashore: str) -> Iterator[tuple[Plain, ...]]:
    """The nearest zones beside the shore first; as few ships as carry the units."""
    for start in g.board.coast(said.origin):
        for zone in (z for z in _zones(g, power, start) if said.to in g.board.neighbours[z]):
            load: Plain = Body(said.units, said.origin, start).order("load")
            land: Plain = Body(said.units, zone, said.to).order(ashore)
            if zone == start:
                yield load, land
                continue
            for ships in range(1, len(_ships(g, power, start)) + 1):
                yield load, Body({"loaded transport": ships}, start, zone).order("move"), land


def _stands(g: State, power: str, orders: tuple[Plain, ...]) -> bool:
    """Each is accepted after the ones before it; where a die would fall in between nothing is promised."""
    from pbem.games.axis_and_allies_pacific.movement import carry_out, read_combat, read_noncombat

    trial, combat = _copy(g), g.phase == "combat-move"
    try:
        for order in orders:
            verb, typed = read_combat(trial, power, order, True, 0) if combat else read_noncombat(trial, power, order)
            for _ in carry_out(trial, power, verb, typed, "combat" if combat else "noncombat"):
                return False
    except Rejected:
        return False
    return True


def _copy(g: State) -> State:
    trial = copied(g)
    trial.board = g.board
    return trial
