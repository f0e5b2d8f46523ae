"""Combat Support: what Air Points and helicopters are worth in a combat, by the exact results of the fire at them."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from pbem.games.next_war.air import fires
from pbem.games.next_war.bot.judgement import POINT, forecast
from pbem.games.next_war.charts import Fire
from pbem.games.next_war.helicopters import reach, ready, support_of
from pbem.games.next_war.state import FOE, Fight, State
from pbem.games.next_war.support import MOST_HELOS, MOST_POINTS, ships_in_range
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.questions import NONE

FACES = 10
EARLY = 20  # points over ten faces that an Air Point has to bring while combats of this turn are still to come
LATE = 5  # the same in the last Combat Segment of the turn
FOR_GOOD = 10  # the same for each turn in which a point that is lost for good will be missed
TURNS = 3  # so many turns ahead are thought of
HELICOPTER = 10  # points that a helicopter's later missions are worth, beside what its loss costs

Chances = Mapping[int, int]  # Combat Support -> in how many of equally likely cases


def support(g: State, ask: Ask) -> Iterator[Plain]:
    """Ships for nothing; Air Points and helicopters as far as they bring more than the fire at them may cost."""
    fight, side = g.fight, ask.seat
    assert fight is not None
    attacking = bool(ask.facts["attack"])
    ships = ships_in_range(g, side, fight.target)
    flying = sorted(ready(g, side, fight.target), key=lambda u: (-support_of(g, u), u))[: MOST_HELOS[attacking]]
    most = min(MOST_POINTS[attacking], g.air[side])
    weigh = _Weighing(g, fight, side)
    ways = [(n, tuple(flying[:k])) for n, k in product(range(most + 1), range(len(flying) + 1))]
    points, helos = max(ways, key=lambda way: (weigh.worth(way[0], way[1], ships), -len(way[1]), -way[0]))
    order: dict[str, Plain] = {}
    if points:
        order["air"] = points
    if helos:
        order["helos"] = list(helos)
    if ships:
        order["ships"] = list(ships)
    yield {"support": order or NONE}


class _Weighing:
    """What a side's support is worth in the combat at hand, against what the other side has named or will name."""

    def __init__(self, g: State, fight: Fight, side: str) -> None:
        self.g, self.fight, self.side = g, fight, side
        self.sign = 1 if side == fight.side else -1
        self.theirs = self._theirs()
        self.known: dict[int, int] = {}  # our support less theirs -> points over ten faces, for us

    def _theirs(self) -> Chances:
        g, fight, foe = self.g, self.fight, FOE[self.side]
        if foe in fight.support:
            return {fight.support[foe]: 1}
        if foe in fight.points:
            return reaching(g, fight, foe, fight.points[foe], fight.helos.get(foe, ()), fight.ships.get(foe, ()))
        attacking = foe == fight.side
        points = min(MOST_POINTS[attacking], (g.air[foe] + 1) // 2)
        helos = ready(g, foe, fight.target)[: MOST_HELOS[attacking]]
        return reaching(g, fight, foe, points, helos, ships_in_range(g, foe, fight.target))

    def worth(self, points: int, helos: Sequence[str], ships: Sequence[str] = ()) -> int:
        """Points over ten faces: the combat on the mean of the fire at both sides' support, less what that fire costs."""
        mine = reaching(self.g, self.fight, self.side, points, helos, ships)
        cases = sum(mine.values()) * sum(self.theirs.values())
        total = sum(p * q * self._combat(a - b) for a, p in mine.items() for b, q in self.theirs.items())
        return total // cases - self._price(points, helos)

    def _combat(self, margin: int) -> int:
        if margin not in self.known:
            tried = copy.copy(self.fight)
            tried.support = {self.side: max(0, margin), FOE[self.side]: max(0, -margin)}
            self.known[margin] = self.sign * forecast(self.g, tried)
        return self.known[margin]

    def _price(self, points: int, helos: Sequence[str]) -> int:
        g = self.g
        found = points * (EARLY if _combats_to_come(g) else LATE)
        if points and g.p["air_points_lost_for_good"]:
            turns = min(TURNS, int(g.p["game_length_turns"]) - g.turn)
            found += FOR_GOOD * turns * _lost(_at_points(g, self.fight, self.side)) // FACES
        for helo in helos:
            found += _helicopter(g, helo) * _lost(_at_helicopter(g, self.fight, helo))
        return found


def _combats_to_come(g: State) -> bool:
    """A Combat Segment of this turn comes behind the present one."""
    return any(one.name == "combat" for one in g.stack)


def _helicopter(g: State, unit: str) -> int:
    """What a step of a helicopter is worth: a part of its Victory Points, and its later missions."""
    points = int(g.p["vp_chart"].get("eliminated", {}).get(g.counter(unit).value, 0))
    return (POINT * points + HELICOPTER) // len(g.counter(unit).support)


def _lost(found: Sequence[Fire]) -> int:
    return sum(one.lost for one in found)


def _at_points(g: State, fight: Fight, side: str) -> list[Fire]:
    return fires(g, side, fight.target, (fight.target,), 0, False)


def _at_helicopter(g: State, fight: Fight, helo: str) -> list[Fire]:
    path = reach(g, helo, fight.target, g.counter(helo).range) or (g.pieces[helo].at, fight.target)
    return fires(g, g.seat(helo), fight.target, path, 0, True)


def reaching(g: State, fight: Fight, side: str, points: int, helos: Sequence[str], ships: Sequence[str]) -> Chances:
    """Combat Support that is left of what a side sends, by the faces of the fire at each of it."""
    found = {sum(g.counter(u).support[0] for u in ships): 1}
    if points:
        found = _added(found, points, _at_points(g, fight, side))
    for helo in helos:
        found = _added(found, support_of(g, helo), _at_helicopter(g, fight, helo))
    return found


def _added(before: Chances, rating: int, faces: Sequence[Fire]) -> dict[int, int]:
    found: dict[int, int] = {}
    for (held, cases), fire in product(before.items(), faces):
        left = held + max(0, rating - fire.spoiled)
        found[left] = found.get(left, 0) + cases
    return found
