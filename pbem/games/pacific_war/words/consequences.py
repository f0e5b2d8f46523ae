"""What an answer gives up in Pacific War: points of a bid, ships and troops that stay, aircraft on the ground."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.pacific_war.air.mission_orders import targets_at, why_not
from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.cycle import solitaire
from pbem.games.pacific_war.land.movement import cost, may_move
from pbem.games.pacific_war.picks import hex_word, where
from pbem.games.pacific_war.sea.movement import movers
from pbem.games.pacific_war.state import FOE, NOBODY, State
from pbem.kernel.consequences import Consequence, by_place, some
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.wording import msg


def consequences(before: State, after: State, ask: Ask | Commit) -> list[Consequence]:
    """Of `done` in a land phase, and of every answer about activation, sailing, missions and task forces."""
    match ask.kind:
        case "activate" | "muster" if ask.seat == before.operator:
            return [*_bid_lapses(before, after)]
        case "sail" if isinstance(ask, Ask):
            step = int(ask.facts["step"])
            return [*_stays(before, after, ask.seat, step), *_slowed(before, ask.seat, step)]
        case "land":
            return [*_not_marched(before, ask.seat)]
        case "mission" if after.mission is None:
            return [*_on_the_ground(before, ask.seat), *_crowded(before, ask.seat)]
        case "organize":
            return [*_dissolved(before, after, ask.seat)]
    return []


def _by_place(g: State, units: Sequence[str]) -> dict[int, list[str]]:
    return by_place(units, lambda unit: g.units[unit].at)


# -- command -----------------------------------------------------------------------------------------------------------------


def _bid_lapses(before: State, after: State) -> Iterator[Consequence]:
    """[PW-ACT-03] What of a bid is not spent is lost; without one nothing is [PW-BID-05]. Told once the operation has begun."""
    o, bidden = after.operation, before.claims_next != NOBODY and not solitaire.on(before)
    left = o.bid - o.spent if bidden and o is not None and o != before.operation else 0
    if left > 0:
        yield Consequence("unspent", msg("command points of the bid that are not spent: {n}", n=left), "PW-ACT-03")


# -- ships -------------------------------------------------------------------------------------------------------------------


def _stays(before: State, after: State, side: str, step: int) -> Iterator[Consequence]:
    """[PW-MOV-14] Task forces and submarines that could make this step and do not."""
    still = [m for m in movers(before, side, step) if after.moved.get(m, 0) == before.moved.get(m, 0)]
    there = [m for m in still if m in after.markers or m in after.units]
    if there:
        told = msg("do not sail in this step: {units}", units=some(there))
        yield Consequence("idle", told, "PW-MOV-14", where(before, there[0]))


def _slowed(g: State, side: str, step: int) -> Iterator[Consequence]:
    """[PW-UNT-05] Task forces that make one hex because of a crippled ship."""
    for marker in movers(g, side, step):
        lame = [s for s in g.members(marker) if g.crippled(s)] if marker in g.markers and step == 1 else []
        if lame:
            told = msg("{marker} sails only one hex; crippled: {units}", marker=marker, units=some(lame))
            yield Consequence("exposed", told, "PW-UNT-05", where(g, marker))


def _dissolved(before: State, after: State, side: str) -> Iterator[Consequence]:
    """[PW-FOG-02] Task forces that have no ship left."""
    gone = [m for m, x in before.markers.items() if x.side == side and m not in after.markers]
    if gone:
        told = msg("task forces without a ship, taken off the map: {units}", units=some(gone))
        yield Consequence("lost", told, "PW-FOG-02", where(before, gone[0]))


# -- troops ------------------------------------------------------------------------------------------------------------------


def _not_marched(g: State, side: str) -> Iterator[Consequence]:
    """[PW-MOV-02] Activated troops ashore that have not moved and could march."""
    ready = [u for u in g.on_map(side, "ground") if may_move(g, u) and not g.units[u].aboard]
    units = [u for u in ready if any(cost(g, u, g.units[u].at, n) is not None for n in g.board.marches(g.units[u].at))]
    for place, there in _by_place(g, units).items():
        told = msg("{place}, not moved: {units}", place=g.board.name(place), units=some(there))
        yield Consequence("idle", told, "PW-MOV-02", hex_word(place))


# -- aircraft ----------------------------------------------------------------------------------------------------------------


def _on_the_ground(g: State, side: str) -> Iterator[Consequence]:
    """[PW-AIR-01] Units that could still fly and have something detected in range."""
    foe = FOE[side]
    goals = dict.fromkeys([*(m.at for m in g.markers.values() if m.side == foe), *(g.units[u].at for u in g.on_map(foe))])
    seen = [h for h in goals if h not in g.targeted and targets_at(g, foe, h)]
    ready = [u for u in g.on_map(side, "air") if why_not(g, u) is None and g.counter(u).type != "LRA"]
    able = [u for u in ready if any(distance(g.waves.get(u, g.units[u].at), h) <= g.counter(u).range for h in seen)]
    for place, units in _by_place(g, able).items():
        told = msg("{place}, enemies in range and no mission: {units}", place=g.board.name(place), units=some(units))
        yield Consequence("idle", told, "PW-AIR-01", hex_word(place))


def _crowded(g: State, side: str) -> Iterator[Consequence]:
    """[PW-BAS-02] Airfields with more steps than they launch for one mission."""
    for place, field in g.airfields.items():
        steps = sum(g.steps(u) for u in g.here(side, place, "air") if not g.units[u].aboard)
        if field.side == side and steps > field.size:
            there, most = g.board.name(place), field.size
            told = msg("{place}, steps of aircraft: {n}; launched at most: {most}", place=there, n=steps, most=most)
            yield Consequence("exposed", told, "PW-BAS-02", hex_word(place))
