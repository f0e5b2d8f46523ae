"""A bare engine with the real board, scripted dice and hand-made positions, for cases and random play."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from pbem import games
from pbem.games.axis_and_allies_pacific.game import GAME
from pbem.games.axis_and_allies_pacific.state import Facility, Snapshot, State, Unit, zone_is_hostile
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.events import Cursor
from pbem.store.library import load_scenario

PHASES = ("purchase", "combat-move", "conduct-combat", "noncombat-move", "mobilize", "collect-income")


@cache
def scenario() -> Plain:
    return load_scenario(games.load("axis-and-allies-pacific"), "spring-1940")


def start(**options: Any) -> State:
    """The printed set-up."""
    return GAME.start(scenario(), options)


def empty(**options: Any) -> State:
    """Printed owners, no units, no facilities, no money."""
    g = start(**options)
    g.units.clear()
    g.facilities.clear()
    g.cash = dict.fromkeys(g.cash, 0)
    return g


def put(g: State, power: str, space: str, kind: str, count: int = 1, damaged: bool = False) -> None:
    """Units on the board; aircraft at sea go aboard carriers there."""
    for _ in range(count):
        g.units[g.next_id] = Unit(g.next_id, kind, power, space, damaged=damaged, start=space)
        g.next_id += 1


def build(g: State, territory: str, kind: str, damage: int = 0) -> None:
    g.facilities.setdefault(territory, []).append(Facility(kind, damage))


def engine_at(g: State, power: str, phase: str, followers: Iterable[str] = ()) -> Engine:
    """A turn that begins with this phase; what comes before is taken as done. The followers take their turns after it."""
    from pbem.games.axis_and_allies_pacific.game import park_aircraft

    park_aircraft(g)
    g.forget()  # units were set by hand, without events
    g.power, g.phase = power, phase
    zones = [z for z in g.board.zones if zone_is_hostile(g, power, z)]
    g.start = Snapshot(dict(g.control), zones, list(g.wars))
    later = [*PHASES[PHASES.index(phase) :], "turn-end"]
    turns = [Cursor("turn", [follower]) for follower in reversed([*followers])]
    g.stack = [Cursor("round-end", [g.round]), *turns, *(Cursor(name, [power]) for name in reversed(later))]
    return Engine(GAME, scenario(), g)


def kinds(units: Iterable[Unit]) -> dict[str, int]:
    """Counts by type, damaged ones apart."""
    found: dict[str, int] = {}
    for unit in units:
        name = f"damaged {unit.type}" if unit.damaged else unit.type
        found[name] = found.get(name, 0) + 1
    return found
