"""The cheapest promising blows against one hex."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set

from msgspec import Struct

from pbem.games.empire_of_the_sun.board import distance
from pbem.games.empire_of_the_sun.bot.helpers import NEAR, Helpers
from pbem.games.empire_of_the_sun.bot.judgement import SAFE, Assault, air_naval_edge, ground_chance, points
from pbem.games.empire_of_the_sun.bot.plans import Blow, Plan
from pbem.games.empire_of_the_sun.bot.progress import missing
from pbem.games.empire_of_the_sun.bot.reach import Reach
from pbem.games.empire_of_the_sun.deployment import fed_hexes
from pbem.games.empire_of_the_sun.movement.limits import asp_left, may_stand
from pbem.games.empire_of_the_sun.orders import Route
from pbem.games.empire_of_the_sun.reaction.intelligence import ZONE_HELP, needed, printed_surprise
from pbem.games.empire_of_the_sun.state import ALLIES, JAPAN

GOOD, FAIR, DEAR = 60, 40, 20  # per cent that are enough, or are for a hex worth that much
SURE = 85  # per cent with which nothing more is thrown in
SEEN_BY_CARD = 2  # of ten surprise attacks that a card of the enemy's spoils, roughly
PLENTY, HURRIED, SCARCE = 5, 8, 14  # what a point of shipping is worth
STAKE = 3  # what the strength of an escort counts that is caught
STARVED = 8  # what a unit that starves counts beside its strength
MET = 35  # per cent of a landing's worth that is lost where it is met without an escort


class Arrival(Struct, frozen=True):
    """A ground unit that can come to a hex, from where, and what it costs in shipping points."""

    unit: str
    source: int
    by_sea: bool
    cost: int


class Blows:
    """What the units in reach can do against one hex after the other."""

    def __init__(self, reach: Reach) -> None:
        self.reach, self.g, self.side, self.foe = reach, reach.g, reach.side, reach.foe
        self.helpers = Helpers(self.g, self.foe)
        self.shipping = 0  # points that the plan so far has left
        self.price = self._freight()
        self.gone: frozenset[str] = frozenset()  # units that the plan so far sends elsewhere

    def _freight(self) -> int:
        """What a point of shipping is worth: more where few points have to do for many hexes."""
        if self.side == ALLIES:
            return SCARCE if asp_left(self.g, ALLIES) < 2 * missing(self.g) else PLENTY
        return HURRIED if len(self.g.resources(JAPAN)) < SAFE else PLENTY

    def ranked(self, room: int) -> list[int]:
        """Targets by what a blow with everything would gain."""
        nothing = Plan(self.g, "")
        found = [(blows[0].gain, h) for _, h in self.reach.targets() if (blows := self.blows(h, room, nothing, True))]
        return [h for _, h in sorted(found, key=lambda x: (-x[0], x[1]))]

    def blows(self, place: int, room: int, so_far: Plan, battle_free: bool) -> list[Blow]:
        """The cheapest promising blows against one hex, best first: with units from everywhere, from one place."""
        g = self.g
        used = so_far.units
        self.gone = frozenset(used)
        self.shipping = asp_left(so_far.copy, self.side)
        fights = bool(g.mine_at(self.foe, place)) or (self.side == ALLIES and bool(g.intrinsic(place)))
        if (fights and not battle_free) or g.board.hexes[place].region in ("IChina", "Manchuria"):
            return []
        free = [u for u in self.reach.able if u not in used]
        arrivals = self._arrivals(place, free)
        if not fights:
            found = [self._walk_in(place, arrivals, free)] if arrivals else []
        else:
            sources = sorted({a.source for a in arrivals})
            groups = [arrivals, *([a for a in arrivals if a.source == s] for s in sources)] if len(sources) > 1 else [arrivals]
            found = [b for group in groups if (b := self._fight(place, free, room, group)) is not None]
        return sorted((b for b in found if b.gain > 0), key=lambda b: -b.gain)

    def _walk_in(self, place: int, arrivals: Sequence[Arrival], free: Sequence[str]) -> Blow:
        """An empty hex: the smallest unit that gets there, escorted where it may be met."""
        one = min(arrivals, key=lambda a: (self._price(a), a.by_sea, self.g.attack(a.unit), a.unit))
        value = self.reach.value(place) - self._hunger(place, one.unit)
        found = Blow(place, value - self._price(one), units=[one.unit])
        found.moves = [("assault" if one.by_sea else "move", Route((one.unit,), place))]
        if not one.by_sea:
            return found
        met = self._met(place)
        ships = self._escort(one.source, free, met) if place in self.reach.closed or met else []
        carried = self._warship(one.source, one.unit, free) if not ships else ""
        if carried:
            found.units = [one.unit, carried]
            found.moves = [("assault", Route((one.unit, carried), place, way="organic"))]
            found.gain = value - self.reach.leaving(one.unit, self.gone)
        if ships:
            found.units = [one.unit, *ships]
            found.moves = [("assault", Route((one.unit, *ships), place))]
        escort = [*ships, carried] if carried else ships
        unescorted = value * MET // 100 if met > points(self.g, escort) else 0
        found.gain -= max(unescorted, self._caught(place, value, escort))
        return found

    def _hunger(self, place: int, unit: str) -> int:
        """What it costs that no headquarters feeds a unit there [6.24]: it will be gone in two turns."""
        return 0 if place in fed_hexes(self.g, self.side) else STARVED + self.g.attack(unit)

    def _caught(self, place: int, value: int, escort: Sequence[str]) -> int:
        """What a landing in a zone of the enemy loses where he reacts [7.27] with more than escorts it, as often as he does."""
        guard = self.helpers.at(place) if place in self.reach.closed else []
        if points(self.g, guard) <= points(self.g, escort):
            return 0
        seen = min(9, needed(self.g, special=True) + 1 + ZONE_HELP)
        return (value + STAKE * points(self.g, escort)) * seen // 10

    def _price(self, one: Arrival, beside: Collection[str] = ()) -> int:
        """Shipping, and what lies open behind it and those that go beside it."""
        return self.price * one.cost + self.reach.leaving(one.unit, self.gone | {*beside})

    def prices(self, chosen: Sequence[Arrival]) -> int:
        """Of units that go together."""
        units = [a.unit for a in chosen]
        return sum(self._price(a, units[:n]) for n, a in enumerate(chosen))

    def _met(self, place: int) -> int:
        """The strongest enemy ship that may come to meet a landing."""
        return max(map(self.g.attack, self._near(place)), default=0)

    def _near(self, place: int) -> list[str]:
        """Enemy ships that may come to a hex."""
        g = self.g
        return [u for u in g.on_map(self.foe) if g.counter(u).kind == "naval" and distance(g.pieces[u].at, place) <= NEAR]

    def _warship(self, source: int, unit: str, free: Sequence[str]) -> str:
        """A CA, CL or APD that can carry this brigade, if it can be spared."""
        if not self.g.counter(unit).organic:
            return ""
        ships = [u for u in self.reach.of(source, "naval") if self.g.counter(u).organic and u in free]
        return min(ships, key=lambda u: (self.g.attack(u), u), default="")

    def _escort(self, source: int, free: Sequence[str], wanted: int) -> list[str]:
        """Carriers first, then other ships, as many as outweigh who may come; two at most."""
        ships = [u for u in self.reach.of(source, "naval") if u in free]
        found: list[str] = []
        for unit in sorted(ships, key=lambda u: (not self.g.counter(u).carrier, -self.g.attack(u), u)):
            if len(found) < 2 and (points(self.g, found) <= wanted or not found):
                found.append(unit)
        return found

    def _arrivals(self, place: int, free: Sequence[str]) -> list[Arrival]:
        """Ground units that can come, from anywhere: over land where there is a way, else from the sea."""
        g, found = self.g, list[Arrival]()
        for source in self.reach.by_place:
            units = [u for u in self.reach.of(source, "ground") if u in free and not may_stand(g, u, place)]
            if not units or source == place:
                continue
            if place in self.reach.by_land.get(source, {}):
                found += [Arrival(u, source, False, 0) for u in units]
            elif self._can_land(place, source):
                found += [Arrival(u, source, True, g.asp_cost(u)) for u in units if g.counter(u).lands and self._ships(u)]
        return found

    def _ships(self, unit: str) -> bool:
        """There is shipping for it, or a warship."""
        return self.g.asp_cost(unit) <= self.shipping or bool(self._warship(self.g.pieces[unit].at, unit, self.reach.able))

    def _can_land(self, place: int, source: int) -> bool:
        here = self.g.board.hexes
        beach = here[place].coastal and (here[place].terrain != "mountain" or place == 3823)
        return beach and here[source].coastal and place in self.reach.by_sea.get(source, {}) and source != place

    def _fight(self, place: int, free: Sequence[str], room: int, arrivals: Sequence[Arrival]) -> Blow | None:
        g = self.g
        guns = [u for u in g.mine_at(self.foe, place, "air", "naval") if g.attack(u)]
        troops = g.mine_at(self.foe, place, "ground")
        wings, fleets = self.reach.wings(place, free), self.reach.fleets(place, free)
        sources = {a.source for a in arrivals}
        fleet, air = self._support(guns, wings, fleets, room - bool(arrivals), sources)
        support = [*fleet, *air]
        edge = self._edge(place, support, guns) if guns else 0
        if guns and edge < 5:
            return None
        chosen, chance = self._enough(place, arrivals, troops, bool(fleet), bool(air), room - len(support))
        value = self.reach.value(place) if g.holds(self.foe, place) else 0
        if chosen and (chance >= GOOD or (chance >= FAIR and value >= DEAR)):
            gain = value * chance // 100 + (points(g, guns) + points(g, troops)) // 4
            gain -= self.prices(chosen)
        else:
            chosen = []
            gain = points(g, guns) * edge // 200
        if not chosen and not guns:
            return None
        found = Blow(place, gain, battle=True, units=[*(a.unit for a in chosen), *support])
        found.from_afar = [u for u in air if distance(g.pieces[u].at, place) > 0]
        found.moves = self._marching(place, chosen, fleet)
        return found

    def _edge(self, place: int, mine: Sequence[str], guns: Sequence[str]) -> int:
        """The edge in the air and at sea: by surprise, and against those who come to help, each as often as it happens."""
        g, helpers, seen = self.g, self.helpers.at(place, guns), self._seen(place)
        surprised = air_naval_edge(g, self.side, mine, guns, True)
        return (surprised * (10 - seen) + air_naval_edge(g, self.side, mine, [*guns, *helpers], False) * seen) // 10

    def _seen(self, place: int) -> int:
        """At how many faces of the die the enemy learns of the blow [7.25]; a card of his may do it too."""
        if printed_surprise(self.g):
            return SEEN_BY_CARD
        return min(9, needed(self.g, special=False) + 1 + ZONE_HELP * (place in self.reach.closed))

    def _enough(
        self, place: int, arrivals: Sequence[Arrival], troops: list[str], ships: bool, wings: bool, room: int
    ) -> tuple[list[Arrival], int]:
        """The cheapest unit that promises success, else as few as do, those by land and the strongest first; its chance."""

        def chance(units: Sequence[Arrival]) -> int:
            by = [tuple(a.unit for a in units if a.by_sea == sea) for sea in (False, True)]
            return ground_chance(self.g, self.side, Assault(place, by[0], by[1], tuple(troops), ships, wings))

        best: tuple[list[Arrival], int] = ([], 0)
        if room <= 0:
            return best
        attack = self.g.attack
        for one in sorted(arrivals, key=lambda a: (self._price(a), attack(a.unit), a.unit)):
            if (sure := chance([one])) >= SURE:
                return [one], sure
        chosen: list[Arrival] = []
        left = self.shipping
        left_open = self.reach.leaving
        for one in sorted(arrivals, key=lambda a: (a.by_sea, left_open(a.unit, self.gone) > 0, -attack(a.unit), a.unit)):
            if len(chosen) >= room or one.cost > left:
                continue
            chosen.append(one)
            left -= one.cost
            now = chance(chosen)
            best = max(best, ([*chosen], now), key=lambda x: x[1])
            if now >= SURE:
                break
        return best

    def _support(
        self, guns: list[str], wings: list[str], fleets: list[str], room: int, sources: Set[int]
    ) -> tuple[list[str], list[str]]:
        """Ships and air units: twice the enemy's guns, and at least one of each to help the troops."""
        g = self.g
        home = [u for u in fleets if g.pieces[u].at in sources]
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

    def _marching(self, place: int, chosen: Sequence[Arrival], fleet: Sequence[str]) -> list[tuple[str, Route]]:
        """Fleets from elsewhere first, then each stack with the ships that escort it."""
        g = self.g
        landing = {a.source for a in chosen if a.by_sea}
        others: dict[int, list[str]] = {}
        for unit in fleet:
            if g.pieces[unit].at not in landing:
                others.setdefault(g.pieces[unit].at, []).append(unit)
        moves = [("move", Route(tuple(units), place)) for units in others.values()]
        stacks: dict[tuple[bool, int], list[str]] = {}
        for one in chosen:
            stacks.setdefault((one.by_sea, one.source), []).append(one.unit)
        for (by_sea, source), units in sorted(stacks.items()):
            escort = [u for u in fleet if by_sea and g.pieces[u].at == source]
            moves.append(("assault" if by_sea else "move", Route((*units, *escort), place)))
        return moves
