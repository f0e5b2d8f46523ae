"""What an answer gives up in Next War: marches and attacks not made, stacks too high, clearing with too few, idle support."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.next_war.combat import targets
from pbem.games.next_war.control import mssp
from pbem.games.next_war.helicopters import ready
from pbem.games.next_war.labels import unit as named
from pbem.games.next_war.labels import units as all_named
from pbem.games.next_war.moving import may_move
from pbem.games.next_war.reinforcements import wanting
from pbem.games.next_war.sealift import beachhead_places
from pbem.games.next_war.searches import reach
from pbem.games.next_war.stacking import excess, halves
from pbem.games.next_war.state import FOE, State
from pbem.games.next_war.strength import can_attack_from
from pbem.games.next_war.support import MOST_HELOS, MOST_POINTS, ships_in_range
from pbem.kernel.consequences import Consequence, some
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.wording import Argument, msg


def consequences(before: State, after: State, ask: Ask | Commit) -> list[Consequence]:
    """Of `done` in a segment, of a choice of support: the state before it, and how far it led."""
    if isinstance(ask, Commit):
        return []
    side = ask.seat
    match ask.kind:
        case "movement":
            kind = str(ask.facts["segment"])
            return [*_waiting(before, side, kind), *_crowded(before, side), *_clearing(before, side)]
        case "combat":
            return [*_no_attack(before, side), *_called_off(before), *_no_beachhead(before, side)]
        case "support":
            return [*_unused(before, after, side, bool(ask.facts["attack"]))]
        case "replacements":
            return [*_points_left(before, side)]
    return []


def _some(g: State, units: Sequence[str]) -> Argument:
    return some(units, lambda first: all_named(g, first))


# -- movement --------------------------------------------------------------------------------------------------------------


def _waiting(g: State, side: str, kind: str) -> Iterator[Consequence]:
    """[8.5] Units that have not moved, stand beside no enemy and could still come beside one."""
    foes = g.occupied(FOE[side])
    found: dict[int, list[str]] = {}
    for place, units in g.occupied(side).items():
        if any(n in foes for n in g.board.near[place]):
            continue
        for unit in units:
            if unit not in g.moved and g.values(unit).attack > 0 and may_move(g, kind, unit) and _can_attack(g, side, unit):
                found.setdefault(place, []).append(unit)
    for place, units in found.items():
        told = msg(
            "{place}, not moved, could still come beside an enemy: {units}", place=g.board.name(place), units=_some(g, units)
        )
        yield Consequence("idle", told, "8.5", g.board.hexes[place].label)


def _can_attack(g: State, side: str, unit: str) -> bool:
    foes = g.occupied(FOE[side])
    ends = reach(g, side, [unit], g.pieces[unit].at).ends()
    return any(n in foes and can_attack_from(g, unit, h, n) for h in ends for n in g.board.land_near[h])


def _crowded(g: State, side: str) -> Iterator[Consequence]:
    """[8.1.1.1] Hexes above their limit."""
    for place, units in g.occupied(side).items():
        over = excess(g, place, units)
        if over:
            told = msg("{place}, stacking points above the limit: {points}", place=g.board.name(place), points=halves(over))
            yield Consequence("exposed", told, "8.1.1.1", g.board.hexes[place].label)


def _clearing(g: State, side: str) -> Iterator[Consequence]:
    """[8.4.1.2] Hexes that have to be cleared with so few that a failure costs a step."""
    for place, marker in sorted(g.clearing.items()):
        points, least = g.stack_points(g.ground(side, place)), 2 * mssp(g, g.board.hexes[place])
        if marker.side == side and points < least:
            told = msg(
                "{place} has to be cleared; stacking points there: {points}; a failure costs a step below: {least}",
                place=g.board.name(place),
                points=halves(points),
                least=halves(least),
            )
            yield Consequence("exposed", told, "8.4.1.2", g.board.hexes[place].label)


# -- combat ----------------------------------------------------------------------------------------------------------------


def _no_attack(g: State, side: str) -> Iterator[Consequence]:
    """[9.1] Hexes that could still be attacked, and by whom."""
    for target, units in targets(g, side).items():
        ashore = [u for u in units if u not in g.poised]
        if ashore:
            told = msg("{place} could still be attacked by: {units}", place=g.board.name(target), units=_some(g, ashore))
            yield Consequence("idle", told, "9.1", g.board.hexes[target].label)


def _called_off(g: State) -> Iterator[Consequence]:
    """[8.5.8.1] Assaults from the sea that do not take place."""
    for beach in dict.fromkeys(g.poised.values()):
        units = [u for u, b in g.poised.items() if b == beach]
        told = msg("the assault on {place} is called off: {units}", place=g.board.name(beach), units=_some(g, units))
        yield Consequence("lost", told, "8.5.8.1", g.board.hexes[beach].label, final=True)


def _no_beachhead(g: State, side: str) -> Iterator[Consequence]:
    """[8.5.8.2] Beaches where a marker could be put."""
    for place in beachhead_places(g, side):
        told = msg("a Beachhead could still be put in {place}", place=g.board.name(place))
        yield Consequence("idle", told, "8.5.8.2", g.board.hexes[place].label)


def _unused(before: State, after: State, side: str, attacking: bool) -> Iterator[Consequence]:
    """[9.2.4] Support that this combat could have had."""
    fight, now = before.fight, after.fight
    assert fight is not None
    spent = now.points.get(side, 0) if now is not None else 0
    used = [*now.helos.get(side, ()), *now.ships.get(side, ())] if now is not None else []
    left = min(MOST_POINTS[attacking], before.air[side]) - spent
    flying = sum(u in used for u in ready(before, side, fight.target))
    helos = [u for u in ready(before, side, fight.target) if u not in used][: max(0, MOST_HELOS[attacking] - flying)]
    idle = [*helos, *(u for u in ships_in_range(before, side, fight.target) if u not in used)]
    place = before.board.name(fight.target)
    if left > 0:
        told = msg("{place}, Air Points that could support: {n}", place=place, n=left)
        yield Consequence("unspent", told, "6.2.1", before.board.hexes[fight.target].label)
    if idle:
        told = msg("{place}, no support from: {units}", place=place, units=_some(before, idle))
        yield Consequence("unspent", told, "9.2.4", before.board.hexes[fight.target].label)


# -- replacements ----------------------------------------------------------------------------------------------------------


def _points_left(g: State, side: str) -> Iterator[Consequence]:
    """[11.0] Replacement Points that a unit could still use."""
    for nation in dict.fromkeys(g.counter(u).nation for u in wanting(g, side)):
        units = [u for u in wanting(g, side) if g.counter(u).nation == nation]
        told = msg(
            "Replacement Points of {nation}: {points}; a unit that could use them: {unit}",
            nation=nation,
            points=g.replacements[nation],
            unit=named(g, units[0]),
        )
        yield Consequence("unspent", told, "11.0")
