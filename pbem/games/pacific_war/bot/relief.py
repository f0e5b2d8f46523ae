"""Reinforcements: own bases that the enemy wants and should take, and what troops from elsewhere are worth there."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.pacific_war.board import distance
from pbem.games.pacific_war.bot.assaults import SURE, chance_to_take
from pbem.games.pacific_war.bot.ground_war import HOLDS, key_hexes, power, prizes, risk
from pbem.games.pacific_war.bot.timetable import in_theatre, wanted
from pbem.games.pacific_war.month.upkeep import ports_of
from pbem.games.pacific_war.state import FOE, STRATEGIC, State

FARTHEST = 24  # hexes
LEAST = 30  # worth of troops in a base
BOTH = 2  # what the enemy gains is lost too


def relieved(g: State, side: str, port: int, hq: str) -> int:
    """The own base in the theatre of a headquarters to which the troops of a port sail as reinforcements; 0: none."""
    if not hq or port in in_danger(g, side):
        return 0
    near = [(worth - distance(h, port), h) for h, worth in in_danger(g, side).items() if 0 < distance(h, port) <= FARTHEST]
    worth, best = max(((worth, h) for worth, h in near if in_theatre(g, hq, h)), default=(0, 0))
    return best if worth >= LEAST else 0


def in_danger(g: State, side: str) -> dict[int, int]:
    """Own ports that the enemy wants, and what would be lost to his best division from the sea, by its chance."""
    found: dict[int, int] = g.memo.cached(("bot in danger", side), lambda: _in_danger(g, side))
    return found


def _in_danger(g: State, side: str) -> dict[int, int]:
    foe, worth = FOE[side], prizes(g, FOE[side])
    places = sorted({*ports_of(g, side)} & wanted(foe) & {*worth}) if g.level == STRATEGIC else []
    found = {h: BOTH * worth[h] * lost(g, side, h) // SURE for h in places if not g.ashore(foe, h)}
    return {h: n for h, n in found.items() if n >= LEAST}


def lost(g: State, side: str, place: int, more: Sequence[str] = ()) -> int:
    """Millionths: the chance that the enemy's best division takes a base from who is there and these troops."""
    foe = FOE[side]
    best = g.memo.cached(("bot best division", foe), lambda: _best_division(g, foe))
    return chance_to_take(g, place, foe, best, True, 1, [*g.ashore(side, place), *more])


def _best_division(g: State, side: str) -> list[str]:
    divisions = [u for u in g.on_map(side, "ground") if g.counter(u).size == "division" and g.counter(u).type != "armour"]
    return [max(divisions, key=lambda u: (power(g, u), u))] if divisions else []


def help_worth(g: State, side: str, port: int, goal: int, load: Sequence[str]) -> int:
    """What these troops of a port are worth in a base that is in danger: the loss that they should prevent."""
    less = lost(g, side, goal) - lost(g, side, goal, load)
    return BOTH * prizes(g, FOE[side])[goal] * less // SURE - distance(port, goal) - risk(g, side, goal)


def spared(g: State, side: str, port: int, waiting: Sequence[str]) -> list[str]:
    """Those of these troops that may leave: a division stays where a headquarters is."""
    if port not in key_hexes(g, side):
        return list(waiting)
    left = sum(power(g, u) for u in g.ashore(side, port))
    found: list[str] = []
    for unit in sorted(waiting, key=lambda u: (-power(g, u), u)):
        if left - power(g, unit) >= HOLDS:
            found.append(unit)
            left -= power(g, unit)
    return found
