"""Combat Support: what Air Points and helicopters are worth in a combat, by the exact results of the fire at them."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from msgspec import Struct

from pbem.games.next_war.air import fires
from pbem.games.next_war.bot.judgement import POINT, driven_out, forecast
from pbem.games.next_war.helicopters import fires_at_start, reach, ready, support_of
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


class Sent(Struct, frozen=True):
    """One end of the fire at what was sent: the support that is left of it, whether something is lost for good."""

    left: int
    lost: bool


class Choice(Struct, frozen=True):
    """What a side may send; `worth`: points over ten faces, ships alone being 0."""

    points: int
    helos: tuple[str, ...]
    order: Plain
    worth: int


def support(g: State, ask: Ask) -> Iterator[Plain]:
    """Ships for nothing; Air Points and helicopters as far as they bring more than the fire at them may cost."""
    yield max(choices(g, ask), key=lambda one: (one.worth, -len(one.helos), -one.points)).order


def choices(g: State, ask: Ask) -> list[Choice]:
    """All numbers of Air Points, with no helicopter, the best one and so on, and all ships."""
    fight, side = g.fight, ask.seat
    assert fight is not None
    attacking = bool(ask.facts["attack"])
    ships = ships_in_range(g, side, fight.target)
    flying = sorted(ready(g, side, fight.target), key=lambda u: (-support_of(g, u), u))[: MOST_HELOS[attacking]]
    most = min(MOST_POINTS[attacking], g.air[side])
    weigh = Weighing(g, fight, side)
    base = weigh.worth(0, (), ships)
    ways = [(n, tuple(flying[:k])) for n, k in product(range(most + 1), range(len(flying) + 1))]
    return [Choice(n, helos, _order(n, helos, ships), weigh.worth(n, helos, ships) - base) for n, helos in ways]


def _order(points: int, helos: Sequence[str], ships: Sequence[str]) -> Plain:
    order: dict[str, Plain] = {}
    if points:
        order["air"] = points
    if helos:
        order["helos"] = list(helos)
    if ships:
        order["ships"] = list(ships)
    return {"support": order or NONE}


class Weighing:
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

    def falls(self, points: int, helos: Sequence[str], ships: Sequence[str] = ()) -> int:
        """In how many of a hundred cases the defenders die or have to leave, the fire at both sides' support included."""
        mine = reaching(self.g, self.fight, self.side, points, helos, ships)
        cases = sum(mine.values()) * sum(self.theirs.values())
        seen = {margin: driven_out(self.g, self._fought(margin)) for margin in {a - b for a, b in product(mine, self.theirs)}}
        total = sum(p * q * seen[a - b] for a, p in mine.items() for b, q in self.theirs.items())
        return 100 * total // (FACES * cases)

    def _combat(self, margin: int) -> int:
        if margin not in self.known:
            self.known[margin] = self.sign * forecast(self.g, self._fought(margin))
        return self.known[margin]

    def _fought(self, margin: int) -> Fight:
        tried = copy.copy(self.fight)
        tried.support = {self.side: max(0, margin), FOE[self.side]: max(0, -margin)}
        return tried

    def _price(self, points: int, helos: Sequence[str]) -> int:
        g = self.g
        found = points * (EARLY if _combats_to_come(g) else LATE)
        if points and g.p["air_points_lost_for_good"]:
            turns = min(TURNS, int(g.p["game_length_turns"]) - g.turn)
            found += FOR_GOOD * turns * lost(at_points(g, self.fight, self.side, points)) // 100
        for helo in helos:
            found += FACES * _helicopter(g, helo) * lost(at_helicopter(g, self.fight, helo)) // 100
        return found


def _combats_to_come(g: State) -> bool:
    """A Combat Segment of this turn comes behind the present one."""
    return any(one.name == "combat" for one in g.stack)


def _helicopter(g: State, unit: str) -> int:
    """What a step of a helicopter is worth: a part of its Victory Points, and its later missions."""
    points = int(g.p["vp_chart"].get("eliminated", {}).get(g.counter(unit).value, 0))
    return (POINT * points + HELICOPTER) // len(g.counter(unit).support)


def lost(found: Sequence[Sent]) -> int:
    """In how many of a hundred cases something is lost for good."""
    return 100 * sum(one.lost for one in found) // len(found)


def at_points(g: State, fight: Fight, side: str, points: int) -> list[Sent]:
    """Equally likely ends of the fire at a side's Air Points."""
    faces = fires(g, side, fight.target, (fight.target,), 0, False)
    return [Sent(max(0, points - one.spoiled), one.lost) for one in faces]


def at_helicopter(g: State, fight: Fight, helo: str) -> list[Sent]:
    """Equally likely ends of the fire at a helicopter, before it starts and on its way."""
    path = reach(g, helo, fight.target, g.counter(helo).range) or (g.pieces[helo].at, fight.target)
    found: list[Sent] = []
    for first, then in product(fires_at_start(g, helo), fires(g, g.seat(helo), fight.target, path, 0, True)):
        gone = first.lost and g.steps(helo) < 2
        left = 0 if gone else max(0, support_of(g, helo) - first.spoiled - then.spoiled)
        found.append(Sent(left, first.lost or then.lost))
    return found


def reaching(g: State, fight: Fight, side: str, points: int, helos: Sequence[str], ships: Sequence[str]) -> Chances:
    """Combat Support that is left of what a side sends, by the faces of the fire at each of it."""
    found = {sum(g.counter(u).support[0] for u in ships): 1}
    if points:
        found = _added(found, at_points(g, fight, side, points))
    for helo in helos:
        found = _added(found, at_helicopter(g, fight, helo))
    return found


def _added(before: Chances, ends: Sequence[Sent]) -> dict[int, int]:
    found: dict[int, int] = {}
    for (held, cases), end in product(before.items(), ends):
        found[held + end.left] = found.get(held + end.left, 0) + cases
    return found
