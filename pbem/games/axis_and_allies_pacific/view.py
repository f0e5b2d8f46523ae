"""The situation as plain data and the arrows of moves, for maps. All of it is public."""

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
