"""Transports that come for troops: empty ones sail to a coast where divisions wait, and from there to the landing."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.games.pacific_war.bot.ground_war import guards
from pbem.games.pacific_war.bot.harbours import voyage
from pbem.games.pacific_war.bot.marching import march_goal
from pbem.games.pacific_war.bot.tasks import fit_to_land, loads, room
from pbem.games.pacific_war.land.movement import battalions
from pbem.games.pacific_war.state import FOE, STRATEGIC, State

FETCH = 16  # hexes from which transports come for troops
ABOARD = 2  # hexes that the cycle costs in which the troops go aboard


class Fleet(Struct, frozen=True):
    """Transports and the troops that they can take aboard in a hex; `lead`: hexes that the transports sail first."""

    ships: tuple[str, ...]
    waiting: tuple[str, ...]
    lead: int = 0
    berths: tuple[int, ...] = ()  # where the transports lie that come from elsewhere


def fleets(g: State, side: str, units: Sequence[str]) -> dict[int, Fleet]:
    """By hex what these units can embark: where transports lie, and in the strategic game where idle ones can come."""
    found: dict[int, Fleet] = {}
    idle: list[str] = []
    for port in dict.fromkeys(g.units[u].at for u in units if room(g, u)):
        ships = [u for u in units if g.units[u].at == port and room(g, u)]
        waiting = [u for u in units if g.units[u].at == port and fit_to_land(g, u)]
        used = [ship for ship, _ in loads(g, ships, waiting)]
        if waiting:
            found[port] = Fleet(tuple(used), tuple(waiting))
        idle += [s for s in ships if s not in used and not g.cargo(s)]
    if g.level == STRATEGIC:
        for place, (ships, lead) in _pairs(g, _waiting(g, side, units, found), {s: g.units[s].at for s in idle}).items():
            here = [u for u in units if g.units[u].at == place and fit_to_land(g, u)]
            berths = dict.fromkeys(g.units[s].at for s in ships)
            found[place] = Fleet(tuple(ships), tuple(here), lead + ABOARD, tuple(berths))
    return found


def _waiting(g: State, side: str, units: Sequence[str], served: dict[int, Fleet]) -> dict[int, int]:
    """Coasts with troops and no transport, and how many shiploads these are."""
    found: dict[int, int] = {}
    for unit in units:
        at = g.units[unit].at
        if fit_to_land(g, unit) and not g.units[unit].aboard and at not in served and _open_coast(g, side, at):
            found[at] = found.get(at, 0) + battalions(g, unit)
    return {at: -(-n // 9) for at, n in found.items()}


def _open_coast(g: State, side: str, place: int) -> bool:
    foe = FOE[side]
    return bool(g.board.coast(place)) and not g.ashore(foe, place) and not g.afloat(foe, place)


def _pairs(g: State, wanted: dict[int, int], idle: dict[str, int]) -> dict[int, tuple[list[str], int]]:
    """Which of these ships, by where they are, goes where it is wanted, the shortest voyage first: ships and hexes."""
    ways = [(n, at, ship) for ship, start in idle.items() for at in wanted for n in [voyage(g, start, at)] if n is not None]
    found: dict[int, tuple[list[str], int]] = {}
    taken: set[str] = set()
    for far, at, ship in sorted(w for w in ways if w[0] <= FETCH):
        ships, _ = found.get(at, ([], 0))
        if ship not in taken and len(ships) < wanted[at]:
            taken.add(ship)
            found[at] = [*ships, ship], far
    return found


def called(g: State, side: str) -> dict[str, int]:
    """Where task forces with empty transports go for activated troops that wait on a coast."""
    return g.memo.cached(("bot called", side), lambda: _called(g, side))


def _called(g: State, side: str) -> dict[str, int]:
    if g.level != STRATEGIC or g.operation is None or side != g.operator:
        return {}
    ashore = [u for u in g.on_map(side, "ground") if g.units[u].active and fit_to_land(g, u) and not g.units[u].demoralized]
    active = [u for u in ashore if u not in guards(g, side) and not march_goal(g, u)]
    ships = [s for s in g.on_map(side, "naval") if room(g, s) and g.units[s].tf and g.units[s].active]
    served = {g.units[s].at: Fleet((), ()) for s in ships if not g.cargo(s)}
    wanted = _waiting(g, side, active, served)
    empty = {s: g.units[s].at for s in ships if not any(g.cargo(m) for m in g.members(g.units[s].tf))}
    busy = {
        at for at in served if any(g.units[u].at == at and not g.units[u].aboard for u in active)
    }  # troops embark here first
    pairs = _pairs(g, wanted, {s: at for s, at in empty.items() if at not in busy})
    return {g.units[s].tf: place for place, (group, _) in pairs.items() for s in group}
