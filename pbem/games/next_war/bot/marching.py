"""What ground units do in a Movement Segment: prepare attacks, take empty prizes, keep their own, fall back or come up."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field

from pbem.games.next_war.board import distance
from pbem.games.next_war.bot.entering import Grab, entered
from pbem.games.next_war.bot.judgement import (
    POINT,
    as_if,
    danger,
    defended,
    expect_support,
    forecast,
    prize,
    prizes,
    threatened,
)
from pbem.games.next_war.control import capital_hexes
from pbem.games.next_war.movement import Search, allowance
from pbem.games.next_war.moving import check_segment
from pbem.games.next_war.obstacles import hostile_places
from pbem.games.next_war.retreat import edge_distance
from pbem.games.next_war.searches import reach
from pbem.games.next_war.state import FOE, Fight, State
from pbem.games.next_war.strength import can_attack_from, defense_strength
from pbem.games.next_war.zoc import in_enemy_zone
from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected

MOST_ATTACKERS = 10
COVER = ("urban", "mountain", "high_mountain", "highland", "highland_woods")
WORTHWHILE = 5  # points over ten faces: an attack that is prepared has to promise so much
BEARABLE = 12  # danger to defense at which a hex is too hot for a unit that only comes up
ENTERED = 3  # the same for one that enters a hex that brings points, while the enemy still moves in this turn
LAST = 12  # the same when he does not
WORN = 3  # the same for a worn unit that is in contact


class Blow(Struct):
    """An attack that can be prepared: who strikes from where, and what it promises."""

    target: int
    worth: int = 0
    places: dict[str, int] = field(default_factory=dict)  # unit -> hex from which it attacks


class March:
    """The plan of one Movement Segment: where every unit that is still free goes."""

    def __init__(self, g: State, kind: str, side: str) -> None:
        self.g, self.kind, self.side, self.foe = g, kind, side, FOE[side]
        self.to: dict[str, int] = {}  # unit -> where it goes; its own hex: it stays
        self.stood = {u: g.pieces[u].at for u in g.on_map(side, "ground") if not g.pieces[u].aboard}
        self.load = {h: g.stack_points(units) for h, units in g.occupied(side).items()}
        self.searches: dict[tuple[int, str, int, bool, bool], Search] = {}
        self.foes = g.occupied(self.foe)
        self.hostile = hostile_places(g, side)
        self.free = [u for u in self.stood if self._may_move(u)]

    def orders(self) -> list[Plain]:
        """The moves, attackers first; stacks move together."""
        self._keep()
        if self.kind != "elite":
            self._attack()
        self._grab()
        self._guard()
        self._fall_back()
        self._come_up()
        return self.moves(self.to)

    def moves(self, to: Mapping[str, int]) -> list[Plain]:
        """The orders that bring units to hexes: a stack as one, and its units each, should it not go together."""
        groups: dict[tuple[int, int], list[str]] = {}
        for unit, place in to.items():
            if place != self.stood[unit]:
                groups.setdefault((self.stood[unit], place), []).append(unit)
        found: list[Plain] = []
        for (_, place), units in groups.items():
            label = self.g.board.hexes[place].label
            found.append({"move": {"units": list(units), "to": label}})
            if len(units) > 1:
                found += [{"move": {"units": [u], "to": label}} for u in units]
        return found

    # -- what can be done ------------------------------------------------------------------------------------------------

    def _may_move(self, unit: str) -> bool:
        g, place = self.g, self.stood[unit]
        if unit in g.moved or g.under_marker(place, self.side) or not g.values(unit).move:
            return False
        try:
            check_segment(g, self.kind, unit)
        except Rejected:
            return False
        return True

    def search(self, unit: str) -> Search:
        """What a unit reaches; those that move alike from one hex share a search."""
        g = self.g
        values, counter = g.values(unit), g.counter(unit)
        key = (
            self.stood[unit],
            values.mobility,
            allowance(g, unit),
            counter.yellow,
            len(g.ground(self.side, self.stood[unit])) > 1,
        )
        if key not in self.searches:
            self.searches[key] = reach(g, self.side, [unit], self.stood[unit])
        return self.searches[key]

    def reaches(self, unit: str, place: int) -> bool:
        """The unit stands there or can go there, and there is room."""
        if self.stood[unit] == place:
            return True
        if unit not in self.free or not self._room(unit, place):
            return False
        return self.search(unit).comes_to(place)

    def _room(self, unit: str, place: int) -> bool:
        return self.load.get(place, 0) + self.g.values(unit).sp <= self.g.limit(place)

    def _send(self, unit: str, place: int) -> None:
        size, start = self.g.values(unit).sp, self.stood[unit]
        self.to[unit] = place
        if unit in self.free:
            self.free.remove(unit)
        self.load[start] = self.load.get(start, 0) - size
        self.load[place] = self.load.get(place, 0) + size

    def _near(self, place: int, most: int) -> list[str]:
        """Units that are not far, the nearest first."""
        near = [(distance(h, place), u) for u, h in self.stood.items() if u not in self.to]
        return [u for d, u in sorted(near) if d <= most]

    # -- attacks ---------------------------------------------------------------------------------------------------------

    def _attack(self) -> None:
        """The most promising attacks, one after the other, each with what the earlier ones have left."""
        for first in self.blows():
            if first.worth < WORTHWHILE:
                break
            blow = self._blow(first.target)
            if blow.worth >= WORTHWHILE:
                for unit, place in blow.places.items():
                    self._send(unit, place)

    def _blow(self, target: int) -> Blow:
        """The best attack on a hex: the strongest units first, as many as make it better."""
        g, best = self.g, Blow(target)
        sources = [h for h in g.board.land_near[target] if h not in self.foes and h not in self.hostile]
        able = self._strikers(target, sources)
        if not able:
            return best
        need = defense_strength(g, self.foe, target, self.foes[target])
        places: dict[str, int] = {}
        added: dict[int, int] = {}
        force = 0
        for unit in able:
            place = self._stand(unit, target, sources, added)
            if not place:
                continue
            places[unit] = place
            if place != self.stood[unit]:
                added[place] = added.get(place, 0) + g.values(unit).sp
            force += g.values(unit).attack
            if 2 * force >= need:
                worth = self._worth(target, places)
                if worth > best.worth:
                    best = Blow(target, worth, dict(places))
        return best

    def _strikers(self, target: int, sources: Sequence[int]) -> list[str]:
        g = self.g
        found = [
            u
            for u in self._near(target, 14)
            if g.values(u).attack
            and not g.under_marker(self.stood[u], self.side)
            and (u in self.free or self.stood[u] in sources)
        ]
        found = [u for u in found if any(self.reaches(u, h) and can_attack_from(g, u, h, target) for h in sources)]
        return sorted(found, key=lambda u: (self.stood[u] not in sources, -g.values(u).attack, -g.values(u).er, u))[
            :MOST_ATTACKERS
        ]

    def _stand(self, unit: str, target: int, sources: Sequence[int], added: dict[int, int]) -> int:
        """The hex from which a unit attacks: where it stands, else not over a river, else the least crowded; 0 for none."""
        g, size = self.g, self.g.values(unit).sp
        able = [
            h
            for h in sources
            if self.reaches(unit, h)
            and can_attack_from(g, unit, h, target)
            and (h == self.stood[unit] or self.load.get(h, 0) + added.get(h, 0) + size <= g.limit(h))
        ]
        ranked = sorted(
            able, key=lambda h: (h != self.stood[unit], bool(g.board.side(h, target).river), self.load.get(h, 0), h)
        )
        return ranked[0] if ranked else 0

    def _worth(self, target: int, places: dict[str, int]) -> int:
        return forecast(*self.fight(target, places)) - 2 * len(places)

    def fight(self, target: int, places: dict[str, int]) -> tuple[State, Fight]:
        """The attack on a hex from these places, with the support to be expected, and the position that it is made in."""
        g = as_if(self.g, places)
        units = list(places)
        lead = max(units, key=lambda u: (g.values(u).er, g.steps(u), -g.values(u).attack, u))
        shift = -int(g.p["exploitation_shift"]) if self.kind == "exploitation" else 0
        return g, expect_support(g, defended(g, Fight(self.side, target, units, lead, [], shift)))

    def blows(self) -> list[Blow]:
        """The attacks that can be prepared, each by itself, those that promise most first."""
        return sorted((self._blow(t) for t in self.foes), key=lambda b: (-b.worth, b.target))

    # -- own places ------------------------------------------------------------------------------------------------------

    def _keep(self) -> None:
        """The best defender of a hex that may end the game does not leave it: the enemy may come by air or sea. It may attack.

        Nothing else keeps a guard: who stays behind to guard is missing where it is decided who has the points.
        """
        g = self.g
        for place in capital_hexes(g, self.foe):
            here = [u for u in g.ground(self.side, place) if u in self.free]
            if g.holds(self.side, place) and here and len(here) == len(g.ground(self.side, place)):
                self.free.remove(max(here, key=lambda u: (g.values(u).defense, -g.values(u).move, u)))

    # -- prizes ----------------------------------------------------------------------------------------------------------

    def _grab(self) -> None:
        """Empty hexes that bring points."""
        for grab in self.grabs():
            for unit in grab.units:
                self._send(unit, grab.place)

    def grabs(self) -> Iterator[Grab]:
        """Empty hexes that bring points, the dearest first, each with units that can take and hold it."""
        g = self.g
        for place in sorted(prizes(g, self.side), key=lambda h: (-prize(g, self.side, h), h)):
            if place in self.foes or g.ground(self.side, place):
                continue
            able = [u for u in self._near(place, 20) if u in self.free and self.reaches(u, place)]
            bearable = (ENTERED if self._answered() else LAST) * (2 if prize(g, self.side, place) >= 2 * POINT else 1)
            able = [u for u in able if not self._too_hot(u, place, bearable)]
            found = entered(g, self.side, place, able, g.limit(place) - self.load.get(place, 0))
            if found is not None:
                yield found

    def _answered(self) -> bool:
        """The enemy moves once more before this turn's hexes are counted."""
        return any(one.name == "movement" and one.args[1] == self.foe for one in self.g.stack)

    def _guard(self) -> None:
        """Hexes that may end the game keep enough units, and get more where there are too few."""
        g = self.g
        wanted = [h for h in capital_hexes(g, self.foe) if g.holds(self.side, h) and threatened(g, self.side, h)]
        for place in sorted(wanted, key=lambda h: (-prize(g, self.foe, h), h)):
            here = [u for u in g.ground(self.side, place) if u not in self.to]
            here.sort(key=lambda u: (-g.values(u).defense, g.values(u).move, u))
            coming = [u for u in self._near(place, 8) if u in self.free and self.stood[u] != place and not self._front(u)]
            kept = any(h == place for h in self.to.values())
            for unit in (*here, *coming):
                if kept and not self._short(place):
                    break
                if self.reaches(unit, place):
                    self._send(unit, place)
                    kept = True

    def _short(self, place: int) -> bool:
        """The units that will be there are too few for what the enemy has near."""
        g = self.g
        defense = sum(g.values(u).defense for u, h in self.to.items() if h == place)
        return danger(g, self.side).get(place, 0) > 2 * defense * self._cover(place)

    def _cover(self, place: int) -> int:
        return 2 if self.g.board.hexes[place].terrain in COVER else 1

    def _fall_back(self) -> None:
        """Worn units in contact go no farther than to where they bear what the enemy has near; they are wanted again."""
        g = self.g
        heat = danger(g, self.side)
        for unit in list(self.free):
            at = self.stood[unit]
            if g.steps(unit) > 1 or not self._front(unit) or not self._too_hot(unit, at, WORN):
                continue
            ends = [h for h in self.search(unit).ends() if self._room(unit, h) and h not in self.hostile]
            safe = [h for h in ends if heat.get(h, 0) < heat.get(at, 0) and not self._too_hot(unit, h, WORN)]
            if safe:
                self._send(unit, min(safe, key=lambda h: (distance(at, h), edge_distance(g, self.side, h), h)))

    def _front(self, unit: str) -> bool:
        return in_enemy_zone(self.g, unit) or any(n in self.foes for n in self.g.board.land_near[self.stood[unit]])

    def _too_hot(self, unit: str, place: int, bearable: int = BEARABLE) -> bool:
        """More enemy strength around than the units that will be there bear."""
        g = self.g
        with_it = {
            unit,
            *(u for u in g.ground(self.side, place) if u not in self.to),
            *(u for u, h in self.to.items() if h == place),
        }
        defense = sum(g.values(u).defense for u in with_it)
        return danger(g, self.side).get(place, 0) > bearable * self._cover(place) * max(1, defense)

    # -- coming up -------------------------------------------------------------------------------------------------------

    def _come_up(self) -> None:
        """Units with nothing else to do go to where points are to be won or kept; those in contact stay."""
        for unit in sorted(self.free, key=lambda u: (-self.g.values(u).attack, u)):
            if self._front(unit):
                continue
            goal = self._goal(unit)
            if goal:
                self._approach(unit, goal)

    def _goal(self, unit: str) -> int:
        """The hex that draws a unit most: its points by the distance; nearer ones of the own side that are in danger too."""
        at = self.stood[unit]
        draws = self.g.memo.cached(("draws", self.side), self._draws)
        return max(draws, key=lambda h: (draws[h] * 1000 // (distance(at, h) + 3) ** 2, -h), default=0)

    def _draws(self) -> dict[int, int]:
        g = self.g
        found = {h: prize(g, self.side, h) + 5 for h in prizes(g, self.side)}
        for h in g.board.prizes:
            if g.holds(self.side, h) and prize(g, self.foe, h) and threatened(g, self.side, h):
                found[h] = prize(g, self.foe, h) // 2 + 5
        for h in self.foes:
            found.setdefault(h, 8)
        return found

    def _approach(self, unit: str, goal: int) -> None:
        g, at = self.g, self.stood[unit]
        ends = self.search(unit).ends()
        ranked = sorted((h for h in ends if self._room(unit, h)), key=lambda h: (self._cost(h, goal), h))
        for place in ranked[:8]:
            if self._cost(place, goal) >= self._cost(at, goal):
                return
            if place in self.hostile and not prize(g, self.side, place):
                continue
            if not self._too_hot(unit, place):
                self._send(unit, place)
                return

    def _cost(self, place: int, goal: int) -> int:
        """Distance to the goal in quarters of a hex; towns and high ground are a little nearer, crowds farther."""
        hex_ = self.g.board.hexes[place]
        good = hex_.city or hex_.town or hex_.terrain not in ("flat", "flat_woods", "marsh")
        return 4 * distance(place, goal) - int(good) - int(0 < self.load.get(place, 0) <= 4)


def plan(g: State, kind: str, side: str) -> list[Plain]:
    """Orders for all ground units, to be given one after the other as far as they are still legal."""
    return March(g, kind, side).orders()
