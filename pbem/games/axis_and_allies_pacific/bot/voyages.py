"""Voyages of two turns: a guardian's transport takes men aboard and makes for Dutch land that it can reach in its next turn."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.axis_and_allies_pacific.bot.judgement import FAR, Temper, has_naval_base, steps
from pbem.games.axis_and_allies_pacific.bot.lifts import Lift, lifts_to
from pbem.games.axis_and_allies_pacific.bot.rehearsal import Rehearsal
from pbem.games.axis_and_allies_pacific.bot.value import exposure, gain
from pbem.games.axis_and_allies_pacific.state import SEA, SIDES, State, is_cargo, side_of, zone_is_hostile

MOST = 4  # transports that set out in one phase
REACH = 3  # zones that a transport sails in a turn at most
LATER = 60  # per cent of what a landing brings that it brings a turn later
LEAST = 2000  # what a voyage has to promise, in thousandths of an IPC


def set_out(stage: Rehearsal, mind: Temper) -> None:
    """Each of some transports sets out for a shore of its own: the best voyage first."""
    gone, goals = set[int](), set[str]()
    for _ in range(MOST):
        found = [x for x in _voyages(stage.g, stage.power, mind) if x[1] not in goals and x[3].ship.id not in gone]
        found.sort(key=lambda x: (-x[0], x[1], x[2], x[3].ship.id))
        chosen = next((x for x in found if stage.attempt(x[3].orders)), None)
        if chosen is None:
            break
        gone.add(chosen[3].ship.id)
        goals.add(chosen[1])


def _voyages(g: State, power: str, mind: Temper) -> Iterator[tuple[int, str, str, Lift]]:
    """What each voyage promises, its goal, the zone where it waits for the next turn, the transport and its load."""
    sea = steps(g.board, "sea")
    ships = [u for u in g.of(power) if u.type == "transport" and not u.moved]
    prizes = {t: sum(gain(g, power, t, mind)) for t in g.board.territories if g.control[t] == "netherlands"}
    for zone in g.board.zones if prizes else ():
        if zone_is_hostile(g, power, zone) or not any(sea[u.at].get(zone, FAR) <= REACH for u in ships):
            continue
        way = g.board.types["transport"].move + has_naval_base(g, SIDES[power], zone)
        goals = [t for t in prizes if any(sea[zone].get(c, FAR) <= way for c in g.board.coast(t))]
        for lift in lifts_to(g, power, zone) if goals else ():
            risk = _risk(g, power, zone, lift)
            for goal in goals:
                value = prizes[goal] * LATER // 100 - risk
                if value >= LEAST:
                    yield value, goal, zone, lift


def _risk(g: State, power: str, zone: str, lift: Lift) -> int:
    """What the transport and its load add to what an answer at sea would cost in a zone."""
    others = [u for u in g.at(zone) if side_of(g, u.owner) == SIDES[power] and u.id != lift.ship.id and not is_cargo(u)]
    others = [u for u in others if u.type in SEA or u.aboard is not None]
    added = exposure(g, power, zone, [*others, lift.ship]) - exposure(g, power, zone, others)
    price = {kind: unit.cost for kind, unit in g.board.types.items()}
    return added * (price["transport"] + sum(price[u.type] for u in lift.cargo)) // price["transport"]
