"""How the sides stand, in IPC."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.bot.ending import ENOUGH
from pbem.games.axis_and_allies_pacific.income import production
from pbem.games.axis_and_allies_pacific.state import POWERS, SIDES, State, controller_side, side_of
from pbem.games.axis_and_allies_pacific.victory import axis_cities

CITY, WON = 12, 60  # what a victory city is worth in IPC, and as many as win the game
TURNS = 3  # that a production is counted for


def standing(g: State, power: str) -> int:
    """Units, money, production and victory cities of the power's side less those of the other, in IPC."""
    held = axis_cities(g)
    cities = _sign("axis", power) * (
        CITY * held + WON * (held >= ENOUGH and controller_side(g, g.board.capitals["japan"]) == "axis")
    )
    units = cities + sum(_sign(side_of(g, u.owner), power) * g.board.types[u.type].cost for u in g.units.values())
    return units + sum(_sign(SIDES[p], power) * (g.cash[p] + TURNS * production(g, p)) for p in POWERS)


def _sign(side: str, power: str) -> int:
    return 0 if not side else 1 if side == SIDES[power] else -1
