"""The cheapest promising blow against one hex."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.empire_of_the_sun.board import distance
from pbem.games.empire_of_the_sun.bot.judgement import air_naval_edge, ground_chance, points
from pbem.games.empire_of_the_sun.bot.plans import Blow, Plan
from pbem.games.empire_of_the_sun.bot.reach import Reach
from pbem.games.empire_of_the_sun.movement.limits import asp_left, may_stand
from pbem.games.empire_of_the_sun.orders import Route
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN

ENOUGH = 60  # per cent
SAFE = 12  # resource hexes with which Japan can spare shipping for other things


class Blows:
    """What the units in reach can do against one hex after the other."""

    def __init__(self, reach: Reach) -> None:
        self.reach, self.g, self.side, self.foe = reach, reach.g, reach.side, reach.foe
        self.shipping = 0  # points that the plan so far has left
        self.price = 8 if self.side == JAPAN and len(self.g.resources(JAPAN)) < SAFE else 5

    def ranked(self, room: int) -> list[int]:
        """Targets by what a blow with everything would gain."""
        nothing = Plan(self.g, "")
        blows = [b for _, h in self.reach.targets() if (b := self.blow(h, room, nothing, True)) is not None and b.gain > 0]
        return [b.place for b in sorted(blows, key=lambda b: (-b.gain, b.place))]

    def blow(self, place: int, room: int, so_far: Plan, battle_free: bool) -> Blow | None:
        """The cheapest promising combination against one hex, or None."""
        g = self.g
        used = so_far.units
        self.shipping = asp_left(so_far.copy, self.side)
        foes = g.mine_at(self.foe, place)
        fights = bool(foes) or (self.side == ALLIES and bool(g.intrinsic(place)))
        if fights and not battle_free:
            return None
        if g.board.hexes[place].region in ("IChina", "Manchuria"):
            return None
        free = [u for u in self.reach.able if u not in used]
        found = Blow(place, 0, battle=fights)
        ground, source, by_sea = self._troops(place, free)
        if not fights:
            return self._walk_in(found, ground, source, by_sea, free) if ground else None
        return self._fight(found, free, room, ground, source, by_sea)

    def _walk_in(self, found: Blow, ground: list[str], source: int, by_sea: bool, free: Sequence[str]) -> Blow:
        """An empty hex: the smallest unit that gets there."""
        unit = min(ground, key=lambda u: (self.g.asp_cost(u) if by_sea else 0, self.g.attack(u), u))
        found.units = [unit]
        found.moves = [("assault" if by_sea else "move", Route((unit,), found.place))]
        found.gain = self.reach.value(found.place) - (self.price * self.g.asp_cost(unit) if by_sea else 0)
        ships = self._escort(source, found.place) if by_sea and found.place in self.reach.closed else []
        carried = self._warship(source, unit, free) if by_sea and not ships else ""
        if carried:
            found.units = [unit, carried]
            found.moves = [("assault", Route((unit, carried), found.place, way="organic"))]
            found.gain = self.reach.value(found.place)
        if ships:
            found.units = [unit, *ships]
            found.moves = [("assault", Route((unit, *ships), found.place))]
        return found

    def _warship(self, source: int, unit: str, free: Sequence[str]) -> str:
        """A CA, CL or APD that can carry this brigade, if it can be spared."""
        if not self.g.counter(unit).organic:
            return ""
        ships = [u for u in self.reach.of(source, "naval") if self.g.counter(u).organic and u in free]
        return min(ships, key=lambda u: (self.g.attack(u), u), default="")

    def _escort(self, source: int, place: int) -> list[str]:
        decks = [u for u in self.reach.of(source, "naval") if self.g.counter(u).carrier]
        return sorted(decks, key=lambda u: (-self.g.attack(u), u))[:2]

    def _troops(self, place: int, free: Sequence[str]) -> tuple[list[str], int, bool]:
        """Ground units of one hex that can come, by land before by sea."""
        g = self.g
        best: tuple[int, list[str], int, bool] = (-1, [], 0, False)
        for source in self.reach.by_place:
            units = [u for u in self.reach.of(source, "ground") if u in free and not may_stand(g, u, place)]
            if units and place in self.reach.by_land.get(source, {}) and source != place:
                best = max(best, (points(g, units) + 40, units, source, False), key=lambda x: (x[0], -x[2]))
            if self._can_land(place, source):
                landers = self._shipped([u for u in units if g.counter(u).lands])
                if landers:
                    best = max(best, (points(g, landers), landers, source, True), key=lambda x: (x[0], -x[2]))
        return best[1], best[2], best[3]

    def _can_land(self, place: int, source: int) -> bool:
        here = self.g.board.hexes
        beach = here[place].coastal and (here[place].terrain != "mountain" or place == 3823)
        return beach and here[source].coastal and place in self.reach.by_sea.get(source, {}) and source != place

    def _shipped(self, units: Sequence[str]) -> list[str]:
        left, found = self.shipping, []
        for unit in sorted(units, key=lambda u: (-self.g.attack(u), u)):
            cost = self.g.asp_cost(unit)
            if cost <= left:
                left -= cost
                found.append(unit)
            elif not found and self._warship(self.g.pieces[unit].at, unit, self.reach.able):
                found.append(unit)
        return found

    def _fight(self, found: Blow, free: Sequence[str], room: int, ground: list[str], source: int, by_sea: bool) -> Blow | None:
        g, place = self.g, found.place
        guns = [u for u in g.mine_at(self.foe, place, "air", "naval") if g.attack(u)]
        troops = g.mine_at(self.foe, place, "ground")
        wings = self.reach.wings(place, free)
        fleets = self.reach.fleets(place, free)
        fleet, air = self._support(guns, wings, fleets, room - bool(ground), source)
        support = [*fleet, *air]
        if guns and air_naval_edge(g, self.side, support, guns, True) < 10:
            return None
        chosen = self._enough(place, ground, troops, by_sea, bool(fleet), bool(air), room - len(support))
        chance = ground_chance(g, self.side, place, chosen, troops, by_sea, bool(fleet), bool(air)) if chosen else 0
        value = self.reach.value(place) if g.holds(self.foe, place) else 0
        if chosen and (chance >= ENOUGH or (chance >= 40 and value >= 20)):
            cost = self.price * sum(g.asp_cost(u) for u in chosen) if by_sea else 0
            found.gain = value * chance // 100 + points(g, guns) // 4 + points(g, troops) // 4 - cost
        else:
            chosen = []
            found.gain = (points(g, guns) * max(0, air_naval_edge(g, self.side, support, guns, True)) // 200) if guns else 0
        if not chosen and not guns:
            return None
        found.units = [*chosen, *support]
        found.from_afar = [u for u in air if distance(g.pieces[u].at, place) > 0]
        found.moves = self._marching(place, chosen, source, by_sea, fleet)
        return found

    def _enough(
        self, place: int, ground: list[str], troops: list[str], by_sea: bool, ships: bool, wings: bool, room: int
    ) -> list[str]:
        """The cheapest unit that promises success, else as few as do, the strongest first."""

        def chance(units: Sequence[str]) -> int:
            return ground_chance(self.g, self.side, place, units, troops, by_sea, ships, wings)

        if room <= 0:
            return []
        for unit in sorted(ground, key=lambda u: (self.g.asp_cost(u) if by_sea else 0, self.g.attack(u), u)):
            if chance([unit]) >= 85:
                return [unit]
        ranked = sorted(ground, key=lambda u: (-self.g.attack(u), u))[:room]
        return next((ranked[:n] for n in range(2, len(ranked) + 1) if chance(ranked[:n]) >= 85), ranked)

    def _support(
        self, guns: list[str], wings: list[str], fleets: list[str], room: int, source: int
    ) -> tuple[list[str], list[str]]:
        """Ships and air units: twice the enemy's guns, and at least one of each to help the troops."""
        g = self.g
        home = [u for u in fleets if g.pieces[u].at == source]
        ranked_ships = [*home, *(u for u in fleets if u not in home)]
        air, fleet = wings[:1], ranked_ships[:1]
        wanted = 2 * points(g, guns)
        rest = [*wings[1:], *ranked_ships[1:]]
        while rest and points(g, [*air, *fleet]) < wanted and len(air) + len(fleet) < room:
            unit = max(rest, key=lambda u: (g.attack(u), u))
            rest.remove(unit)
            (air if g.counter(unit).kind == "air" else fleet).append(unit)
        while len(air) + len(fleet) > max(0, room):
            (fleet if len(fleet) > len(air) else air).pop()
        return fleet, air

    def _marching(self, place: int, chosen: list[str], source: int, by_sea: bool, fleet: list[str]) -> list[tuple[str, Route]]:
        g = self.g
        moves: list[tuple[str, Route]] = []
        escort = [u for u in fleet if g.pieces[u].at == source] if chosen and by_sea else []
        others: dict[int, list[str]] = {}
        for unit in fleet:
            if unit not in escort:
                others.setdefault(g.pieces[unit].at, []).append(unit)
        moves += [("move", Route(tuple(units), place)) for units in others.values()]
        if chosen:
            moves.append(("assault" if by_sea else "move", Route((*chosen, *escort), place)))
        return moves
