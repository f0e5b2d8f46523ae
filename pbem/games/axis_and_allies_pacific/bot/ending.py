"""The end of the game in sight: cities that decide it, and powers that have no turn left."""

from __future__ import annotations

from pbem.games.axis_and_allies_pacific.state import POWERS, SIDES, State
from pbem.games.axis_and_allies_pacific.victory import axis_cities

ENOUGH, AT_LIMIT = 6, 4  # cities with which Japan wins at the end of any round, and of the last one
NEVER, FEW = 99, 2
CITY, DECIDES, SOON, NEXT = 6000, 60_000, 12_000, 15_000  # in thousandths of an IPC


def rounds_left(g: State) -> int:
    """Rounds after this one; as good as for ever where no limit was agreed."""
    limit = int(g.options.get("round-limit") or 0)
    return max(0, limit - g.round) if limit else NEVER


def is_last_turn(g: State) -> bool:
    """The power whose turn it is has no other one before the game ends."""
    return rounds_left(g) == 0


def city(g: State, power: str) -> int:
    """What a victory city is worth to a power beside its income: the game where it decides that."""
    held, left = axis_cities(g), rounds_left(g)
    wanted = AT_LIMIT if left == 0 else ENOUGH
    more = wanted - held if SIDES[power] == "axis" else held + 1 - wanted  # cities that still have to change hands
    if more == 1:
        return DECIDES
    if more == 2 and SIDES[power] == "axis":
        return SOON if left <= 1 else NEXT
    return SOON if left <= 1 and more == 2 else CITY


def presses(g: State, power: str) -> bool:
    """There is nothing to wait for: the next city or two decide the game, or few rounds are left of it."""
    return city(g, power) not in (CITY, NEXT) or rounds_left(g) <= FEW


def has_a_turn(g: State, enemy: str) -> bool:
    """A power moves once more before the game ends, as far as that is known."""
    return rounds_left(g) > 0 or POWERS.index(enemy) > POWERS.index(g.power)
