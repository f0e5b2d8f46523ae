"""What a reader sees: events in words, and the situation as plain data for reports and maps. All of it is public."""

from __future__ import annotations

from typing import Any

from pbem.games.axis_and_allies_pacific import events as e
from pbem.games.axis_and_allies_pacific.income import production
from pbem.games.axis_and_allies_pacific.sequence import axis_cities
from pbem.games.axis_and_allies_pacific.state import POWERS, SIDES, State, controller_side

NAMES = {
    "japan": "Japan",
    "united-states": "United States",
    "china": "China",
    "united-kingdom": "United Kingdom",
    "anzac": "ANZAC",
    "neutral": "the garrison",
}
PHASE_NAMES = {
    "purchase": "Purchase and Repair Units",
    "combat-move": "Combat Move",
    "conduct-combat": "Conduct Combat",
    "noncombat-move": "Noncombat Move",
    "mobilize": "Mobilize New Units",
    "collect-income": "Collect Income",
}


def describe(g: State, event: Any) -> str:
    """One line for an event, or nothing for bookkeeping."""
    name = g.board.name
    who = NAMES.get(getattr(event, "power", getattr(event, "owner", "")), "")
    match event:
        case e.PhaseBegan():
            return f"== {who}: {PHASE_NAMES[event.phase]}"
        case e.RoundBegan():
            return f"=== Round {event.round}"
        case e.Bought():
            return f"{who} buys {event.count} {event.type} for {event.cost} IPC"
        case e.Repaired():
            return f"{who} repairs {event.points} points of the {event.facility} in {name(event.territory)}"
        case e.WarDeclared():
            return f"{NAMES[event.one]} and {NAMES[event.other]} are at war"
        case e.UnitPlaced() if event.bought:
            return f"{who} places 1 {event.type} in {name(event.at)}"
        case e.UnitPlaced():
            return f"1 {event.type} of {who} appears in {name(event.at)}"
        case e.FacilityBuilt():
            return f"{who} builds a {event.type} in {name(event.territory)}"
        case e.Earned():
            return f"{who} earns {event.ipc} IPC ({event.why})" if event.ipc else f"{event.why}"
        case e.ObjectivePaid():
            return f"{who} earns {event.ipc} IPC for national objective {event.objective}"
        case e.ControlChanged():
            return f"{name(event.territory)} goes from {event.before} to {NAMES.get(event.to, event.to)}"
        case e.TreasuryTaken():
            return f"{NAMES[event.captor]} takes {event.ipc} IPC from {NAMES[event.loser]}"
        case e.AssaultAnnounced():
            return f"an assault on {name(event.territory)} is announced"
        case e.Engaged():
            return f"{event.what} in {name(event.zone)} are engaged"
        case e.DiceRolled():
            return f"{event.label}: {' '.join(map(str, event.dice))} - {event.hits} hits"
        case e.Destroyed():
            return f"lost: {event.type} of {NAMES.get(event.owner, event.owner)} in {name(event.at)}"
        case e.Damaged():
            return "a capital ship takes its first hit"
        case e.BattleEnded():
            return f"battle for {name(event.space)}: {NAMES.get(event.outcome, event.outcome)} holds the field"
        case e.FacilityDamaged():
            return f"{event.points} points of damage to the {event.facility} in {name(event.territory)}"
        case e.Refunded():
            return f"{who} gets {event.ipc} IPC back for units that found no place"
        case e.Won():
            return f"THE GAME IS OVER: {event.side} win. {event.reason}"
    return ""


def moves_in_words(g: State, happened: tuple[Any, ...]) -> list[tuple[str, str, str, int, str]]:
    """Moves summed up: (unit type, owner, to, number, rule) in the order in which they were made."""
    sums: dict[tuple[str, str, str, str], int] = {}
    for event in happened:
        if isinstance(event, e.Moved) and event.unit in g.units:
            unit = g.units[event.unit]
            key = (unit.type, unit.owner, event.to, event.rule)
            sums[key] = sums.get(key, 0) + 1
    return [(kind, owner, to, n, rule) for (kind, owner, to, rule), n in sums.items()]


def arrows(happened: tuple[Any, ...]) -> list[tuple[str, str]]:
    """Where units went, space to space."""
    return list(dict.fromkeys((x.came_from, x.to) for x in happened if isinstance(x, e.Moved)))


def situation(g: State) -> dict[str, Any]:
    """Powers, money, cities and every space's units, for reports and maps."""
    powers = [
        {
            "id": p,
            "name": NAMES[p],
            "side": SIDES[p],
            "cash": g.cash[p],
            "production": production(g, p),
            "units": sum(u.owner == p for u in g.units.values()),
        }
        for p in POWERS
    ]
    cities = [
        {"city": c, "territory": g.board.name(t), "side": controller_side(g, t)} for c, t in g.board.victory_cities.items()
    ]
    return {
        "round": g.round,
        "power": NAMES[g.power],
        "phase": PHASE_NAMES[g.phase],
        "powers": powers,
        "cities": cities,
        "axis_cities": axis_cities(g),
        "wars": [" - ".join(NAMES[w] for w in key.split()) for key in g.wars],
        "spaces": {s: _space(g, s) for s in g.board.neighbours},
    }


def _space(g: State, space: str) -> dict[str, Any]:
    counts: dict[str, dict[str, int]] = {}
    for unit in g.at(space):
        mine = counts.setdefault(unit.owner, {})
        mine[unit.type] = mine.get(unit.type, 0) + 1
    land = g.board.territories.get(space)
    return {
        "name": g.board.name(space),
        "owner": g.control.get(space, ""),
        "ipc": land.ipc if land else 0,
        "city": land.victory_city if land else "",
        "units": counts,
        "facilities": [(f.type, f.damage) for f in g.facilities.get(space, [])],
    }
