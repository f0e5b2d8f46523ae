"""Troops that no road leads to the front go there by transport in Noncombat Move."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pbem.games.axis_and_allies_pacific.bot.lifts import Lift, ashore, lifts_to
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.bot.value import exposure
from pbem.games.axis_and_allies_pacific.state import SEA, SIDES, State, Unit, is_cargo, side_of, zone_is_hostile

CROSSINGS = 12  # transports at most that ferry in one phase
NEARER = 9  # by how much, three for each step on land, a unit has to come nearer to the front
RISK = 2500  # what a crossing may add to the danger of its transport, in thousandths of an IPC


def ferry(stage: Rehearsal, pull: Mapping[str, int], shores: Collection[str]) -> None:
    """Each transport that has nothing better to do takes idle troops to the shore that is nearest to the front (`pull`: less
    is nearer).
    """
    if stage.power == "china":
        return
    for _ in range(CROSSINGS):
        found = [x for shore in shores for x in _crossings(stage.g, stage.power, shore, pull)]
        found.sort(key=lambda x: (x[0], x[1], x[2], x[3].ship.id))
        if not any(stage.attempt(ashore(lift, zone, shore)) for _, shore, zone, lift in found):
            return


def _crossings(g: State, power: str, shore: str, pull: Mapping[str, int]) -> list[tuple[int, str, str, Lift]]:
    """How far from the front a lift would land, the shore, the zone, the lift."""
    found = []
    for zone in g.board.coast(shore):
        if zone_is_hostile(g, power, zone):
            continue
        for lift in lifts_to(g, power, zone):
            from_shore = [u.at for u in lift.cargo if u.at in g.board.territories]
            if len(from_shore) < len(lift.cargo) or any(pull[at] < pull[shore] + NEARER for at in from_shore):
                continue
            if _danger(g, power, zone, lift.ship) <= _danger(g, power, lift.ship.at, lift.ship) + RISK:
                found.append((pull[shore] - len(lift.cargo), shore, zone, lift))
    return found


def _danger(g: State, power: str, zone: str, ship: Unit) -> int:
    """What a transport adds to what an answer at sea would cost in a zone."""
    others = [u for u in g.at(zone) if side_of(g, u.owner) == SIDES[power] and u.id != ship.id and not is_cargo(u)]
    others = [u for u in others if u.type in SEA or u.aboard is not None]
    return exposure(g, power, zone, [*others, ship]) - exposure(g, power, zone, others)
