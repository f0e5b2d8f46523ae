"""Plans for one offensive: blows against hexes, tried out on a copy of the position before anything is ordered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pbem.games.empire_of_the_sun.activation import (
    check,
    check_first_strike,
    efficiency,
    eligible,
    eligible_first_strike,
    logistics,
)
from pbem.games.empire_of_the_sun.board import Card, distance
from pbem.games.empire_of_the_sun.bot.judgement import air_naval_edge, ground_chance, points, worth
from pbem.games.empire_of_the_sun.events.offensives import OffensiveBegan, UnitsActivated
from pbem.games.empire_of_the_sun.lines import sea_reach
from pbem.games.empire_of_the_sun.movement.land import land_costs
from pbem.games.empire_of_the_sun.movement.limits import asp_left, may_stand, naval_allowance
from pbem.games.empire_of_the_sun.movement.plans import plan
from pbem.games.empire_of_the_sun.operations.battle_hexes import Declaration, must_fight
from pbem.games.empire_of_the_sun.operations.conditions import check_declaration
from pbem.games.empire_of_the_sun.orders import Route
from pbem.games.empire_of_the_sun.rehearsal import rehearse
from pbem.games.empire_of_the_sun.state import ALLIES, FOE, JAPAN, State, offensive
from pbem.games.empire_of_the_sun.supply import hostile
from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected

TARGETS = 40  # hexes looked at for one offensive
TRIES = 16  # blows tried out on a copy
ENOUGH = 60  # per cent
STEP = 10  # a hex on the way to one of at least DEAR
DEAR = 20
SAFE = 12  # resource hexes with which Japan can spare shipping for other things


@dataclass(slots=True)
class Blow:
    """What is done against one hex."""

    place: int
    gain: int
    moves: list[tuple[str, Route]] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    from_afar: list[str] = field(default_factory=list)
    battle: bool = False


@dataclass(slots=True)
class Plan:
    """An offensive: its blows, the copy on which they have been played through, and what they are worth."""

    copy: State
    hq: str
    blows: list[Blow] = field(default_factory=list)
    shifts: list[tuple[str, Route]] = field(default_factory=list)

    @property
    def gain(self) -> int:
        return sum(b.gain for b in self.blows) + len(self.shifts)

    @property
    def units(self) -> list[str]:
        found = [u for b in self.blows for u in b.units] + [u for _, r in self.shifts for u in r.units]
        return list(dict.fromkeys(found))

    def moves(self) -> list[Plain]:
        """Move orders in the order in which they were tried."""
        routes = [m for b in self.blows for m in b.moves] + self.shifts
        return [order(verb, route) for verb, route in routes]

    def battles(self) -> list[Plain]:
        """Declarations of those who fight from outside."""
        return [{"battle": f"{b.place:04} with {', '.join(b.from_afar)}"} for b in self.blows if b.from_afar]


def order(verb: str, route: Route) -> Plain:
    """A move as it is written."""
    by = f" by {route.way}" if route.way else ""
    return {verb: f"{', '.join(route.units)} to {route.to:04}{by}"}


def best_plan(g: State, hq: str, card: Card, event: bool) -> Plan:
    """The best offensive of one HQ with a card; `g` has no offensive yet."""
    copy = rehearse(g, ())
    base = logistics(card, hq) if event else card.ops
    bonus = int(card.data.get("asp", 0)) if event else 0
    OffensiveBegan(card.side, card.id, event, hq, card.ops, base, bonus, "7.1").apply(copy)
    return plan_offensive(copy, hq, card if event else None, base)


def plan_offensive(g: State, hq: str, event: Card | None, base: int) -> Plan:
    """The blows of an offensive that has begun: of all units of the HQ, or of the activated ones that have not moved.

    `g` is left as it is.
    """
    o = offensive(g)
    side = o.side
    if o.units:
        able = [u for u, a in o.units.items() if not a.mode and g.pieces[u].box == "map"]
        limit = len(able)
    else:
        able = eligible(g, hq, event) if hq else eligible_first_strike(g)
        able = [u for u in able if not _needed_at_home(g, side, u)]
        limit = max(0, base + (efficiency(g, hq, able) if hq else 0))
    found = Plan(g, hq)
    ready = Ready(g, side, able)
    tries = 0
    for place in ready.ranked(limit):
        room = limit - len(found.units)
        if room <= 0 or tries >= TRIES:
            break
        battle_free = o.event or (not any(b.battle for b in found.blows) and not must_fight(g))
        blow = ready.blow(place, room, found, battle_free)
        if blow is None or blow.gain <= 0:
            continue
        tries += 1
        copy = _tried(g, found, blow, event, base)
        if copy is not None:
            found.copy = copy
            found.blows.append(blow)
    if hq:
        _shift_forward(g, found, ready, limit, event, base)
    return found


def _tried(g: State, so_far: Plan, blow: Blow, event: Card | None, base: int, shift: bool = False) -> State | None:
    """The position after everything planned and this blow, or None when some part of it is not legal."""
    o = offensive(g)
    copy = rehearse(so_far.copy, blow.units)
    try:
        if not o.units:
            _check_activation(g, so_far.hq, [*so_far.units, *blow.units], base, event)
            UnitsActivated(o.side, tuple(blow.units), "7.21").apply(copy)
        for verb, route in blow.moves:
            for happening in plan(copy, o.side, verb, route, False):
                happening.apply(copy)
        if not shift:
            said = Declaration({b.place: list(b.from_afar) for b in [*so_far.blows, blow] if b.from_afar})
            check_declaration(copy, said)
    except Rejected:
        return None
    return copy


def _check_activation(g: State, hq: str, units: Sequence[str], base: int, event: Card | None) -> None:
    if hq:
        check(g, hq, units, base, event)
    else:
        check_first_strike(g, units, base)


def _needed_at_home(g: State, side: str, unit: str) -> bool:
    """The last ground unit of a hex that the enemy would like to have."""
    if g.counter(unit).kind != "ground" or (side == JAPAN and g.year <= 1942):
        return False
    at = g.pieces[unit].at
    alone = len(g.mine_at(side, at, "ground")) == 1 and not (g.intrinsic(at) and side != ALLIES)
    guarded = alone and worth(g, FOE[side], at) >= 20
    return guarded and any(distance(at, g.pieces[u].at) <= 3 for u in g.on_map(FOE[side]) if g.counter(u).kind == "ground")


class Ready:
    """The units that an HQ may activate, and what they reach."""

    def __init__(self, g: State, side: str, able: Sequence[str]) -> None:
        self.g, self.side, self.foe = g, side, FOE[side]
        self.able = [u for u in able if g.pieces[u].box == "map"]
        self.sail = naval_allowance(g)
        self.by_place: dict[int, list[str]] = {}
        self.values: dict[int, int] = {}
        for unit in self.able:
            self.by_place.setdefault(g.pieces[unit].at, []).append(unit)
        self.by_sea = {h: sea_reach(g, [h], frozenset(), self.sail) for h, us in self.by_place.items() if self._sails(us)}
        self.by_land = {h: self._overland(h) for h in self.by_place if self._of(h, "ground")}
        self.closed = hostile(g, side)
        self.shipping = asp_left(g, side)
        self.price = 8 if side == JAPAN and len(g.resources(JAPAN)) < SAFE else 5

    def _sails(self, units: Sequence[str]) -> bool:
        return any(self.g.counter(u).kind == "naval" or self.g.counter(u).lands for u in units)

    def _of(self, place: int, kind: str) -> list[str]:
        return [u for u in self.by_place.get(place, ()) if self.g.counter(u).kind == kind]

    def _overland(self, place: int) -> dict[int, int]:
        costs, _ = land_costs(self.g, self.side, self._of(place, "ground"), place, 2 * offensive(self.g).ops, False)
        return costs

    # -- targets -------------------------------------------------------------------------------------------------------

    def targets(self) -> list[tuple[int, int]]:
        """Hexes in reach with their first estimate, best first: enemy bases, and enemy stacks that can be struck."""
        g = self.g
        wanted: dict[int, int] = {}
        for h, held in g.control.items():
            if held == self.foe and (value := self.value(h)) > 2 and self._in_reach(h):
                foes = g.mine_at(self.foe, h)
                wanted[h] = value - points(g, foes) // 2 - (8 if foes or g.intrinsic(h) else 0)
        stacks = {g.pieces[u].at for u in g.on_map(self.foe) if g.counter(u).kind in ("air", "naval")}
        for h in stacks:
            if h not in wanted and self._in_reach(h):
                wanted[h] = points(g, g.mine_at(self.foe, h, "air", "naval")) // 4
        return sorted(((v, h) for h, v in wanted.items()), key=lambda x: (-x[0], x[1]))[:TARGETS]

    def value(self, place: int) -> int:
        """What the hex is worth by itself or as a step on the way overland to a better one."""
        if place not in self.values:
            g, mine = self.g, worth(self.g, self.side, place)
            beyond = any(g.holds(self.foe, n) and worth(g, self.side, n) >= DEAR for n in g.board.by_land[place])
            self.values[place] = mine + (STEP if beyond and mine < DEAR else 0)
        return self.values[place]

    def _in_reach(self, place: int) -> bool:
        near = any(place in reach for reach in self.by_sea.values()) or any(place in reach for reach in self.by_land.values())
        return near or any(
            self.g.counter(u).flies and distance(self.g.pieces[u].at, place) <= self.g.counter(u).reach for u in self.able
        )

    # -- one blow ------------------------------------------------------------------------------------------------------

    def ranked(self, room: int) -> list[int]:
        """Targets by what a blow with everything would gain."""
        nothing = Plan(self.g, "")
        blows = [b for _, h in self.targets() if (b := self.blow(h, room, nothing, True)) is not None and b.gain > 0]
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
        free = [u for u in self.able if u not in used]
        found = Blow(place, 0, battle=fights)
        ground, source, by_sea = self._troops(place, free, room, fights)
        if not fights:
            return self._walk_in(found, ground, source, by_sea, free) if ground else None
        return self._fight(found, free, room, ground, source, by_sea)

    def _walk_in(self, found: Blow, ground: list[str], source: int, by_sea: bool, free: Sequence[str]) -> Blow:
        """An empty hex: the smallest unit that gets there."""
        unit = min(ground, key=lambda u: (self.g.asp_cost(u) if by_sea else 0, self.g.attack(u), u))
        found.units = [unit]
        found.moves = [("assault" if by_sea else "move", Route((unit,), found.place))]
        found.gain = self.value(found.place) - (self.price * self.g.asp_cost(unit) if by_sea else 0)
        ships = self._escort(source, found.place) if by_sea and found.place in self.closed else []
        carried = self._warship(source, unit, free) if by_sea and not ships else ""
        if carried:
            found.units = [unit, carried]
            found.moves = [("assault", Route((unit, carried), found.place, way="organic"))]
            found.gain = self.value(found.place)
        if ships:
            found.units = [unit, *ships]
            found.moves = [("assault", Route((unit, *ships), found.place))]
        return found

    def _warship(self, source: int, unit: str, free: Sequence[str]) -> str:
        """A CA, CL or APD that can carry this brigade, if it can be spared."""
        if not self.g.counter(unit).organic:
            return ""
        ships = [u for u in self._of(source, "naval") if self.g.counter(u).organic and u in free]
        return min(ships, key=lambda u: (self.g.attack(u), u), default="")

    def _escort(self, source: int, place: int) -> list[str]:
        decks = [u for u in self._of(source, "naval") if self.g.counter(u).carrier]
        return sorted(decks, key=lambda u: (-self.g.attack(u), u))[:2]

    def _troops(self, place: int, free: Sequence[str], room: int, fights: bool) -> tuple[list[str], int, bool]:
        """Ground units of one hex that can come, by land before by sea."""
        g = self.g
        best: tuple[int, list[str], int, bool] = (-1, [], 0, False)
        for source in self.by_place:
            units = [u for u in self._of(source, "ground") if u in free and not may_stand(g, u, place)]
            if units and place in self.by_land.get(source, {}) and source != place:
                best = max(best, (points(g, units) + 40, units, source, False), key=lambda x: (x[0], -x[2]))
            if self._can_land(place, source):
                landers = self._shipped([u for u in units if g.counter(u).lands])
                if landers:
                    best = max(best, (points(g, landers), landers, source, True), key=lambda x: (x[0], -x[2]))
        return best[1], best[2], best[3]

    def _can_land(self, place: int, source: int) -> bool:
        here = self.g.board.hexes
        beach = here[place].coastal and (here[place].terrain != "mountain" or place == 3823)
        return beach and here[source].coastal and place in self.by_sea.get(source, {}) and source != place

    def _shipped(self, units: Sequence[str]) -> list[str]:
        left, found = self.shipping, []
        for unit in sorted(units, key=lambda u: (-self.g.attack(u), u)):
            cost = self.g.asp_cost(unit)
            if cost <= left:
                left -= cost
                found.append(unit)
            elif not found and self._warship(self.g.pieces[unit].at, unit, self.able):
                found.append(unit)
        return found

    def _fight(self, found: Blow, free: Sequence[str], room: int, ground: list[str], source: int, by_sea: bool) -> Blow | None:
        g, place = self.g, found.place
        guns = [u for u in g.mine_at(self.foe, place, "air", "naval") if g.attack(u)]
        troops = g.mine_at(self.foe, place, "ground")
        wings = self._wings(place, free)
        fleets = self._fleets(place, free)
        fleet, air = self._support(guns, wings, fleets, room - bool(ground), source)
        support = [*fleet, *air]
        if guns and air_naval_edge(g, self.side, support, guns, True) < 10:
            return None
        chosen = self._enough(place, ground, troops, by_sea, bool(fleet), bool(air), room - len(support))
        chance = ground_chance(g, self.side, place, chosen, troops, by_sea, bool(fleet), bool(air)) if chosen else 0
        value = self.value(place) if g.holds(self.foe, place) else 0
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

    def _wings(self, place: int, free: Sequence[str]) -> list[str]:
        g = self.g
        near = [
            u
            for u in free
            if g.counter(u).kind == "air" and distance(g.pieces[u].at, place) <= g.counter(u).reach and g.pieces[u].at != place
        ]
        return sorted(near, key=lambda u: (distance(g.pieces[u].at, place) > g.counter(u).range, -g.attack(u), u))

    def _fleets(self, place: int, free: Sequence[str]) -> list[str]:
        g = self.g
        if not g.board.hexes[place].coastal:
            return []
        ships = [
            u
            for u in free
            if g.counter(u).kind == "naval" and place in self.by_sea.get(g.pieces[u].at, {}) and g.pieces[u].at != place
        ]
        return sorted(ships, key=lambda u: (-g.attack(u) - 2 * g.counter(u).carrier, u))

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


# -- the rest of the allowance ---------------------------------------------------------------------------------------


def _shift_forward(g: State, found: Plan, ready: Ready, limit: int, event: Card | None, base: int) -> None:
    """Idle troops and air units move up to bases from which something can be attacked next."""
    wanted = [h for v, h in front(g, ready.side)]
    if not wanted:
        return
    tries = 0
    for unit in ready.able:
        if len(found.units) >= limit or tries >= 4:
            return
        kind = g.counter(unit).kind
        if unit in found.units or kind == "naval":
            continue
        at = g.pieces[unit].at
        if kind == "ground" and len(g.mine_at(ready.side, at, "ground")) == 1:
            continue
        to = _better_base(found.copy, ready, unit, wanted)
        if not to:
            continue
        tries += 1
        on_foot = kind == "ground" and to in ready.by_land.get(at, {})
        blow = Blow(to, 0, [("move" if on_foot else "strategic", Route((unit,), to))], [unit])
        copy = _tried(g, found, blow, event, base, shift=True)
        if copy is not None:
            found.copy = copy
            found.shifts += blow.moves


def front(g: State, side: str) -> list[tuple[int, int]]:
    """Hexes that the enemy holds and that are wanted most."""
    held = ((worth(g, side, h), h) for h, owner in g.control.items() if owner == FOE[side])
    return sorted((x for x in held if x[0] >= 12), key=lambda x: (-x[0], x[1]))[:24]


def _better_base(g: State, ready: Ready, unit: str, wanted: Sequence[int]) -> int:
    """An own base much nearer to what is wanted than where the unit stands; 0 when there is none."""
    side, at = ready.side, g.pieces[unit].at
    air = g.counter(unit).kind == "air"
    reach = 3 if air else 6

    def far(h: int) -> int:
        return min(distance(h, w) for w in wanted)

    if not air:
        step = min(ready.by_land.get(at, {at: 0}), key=lambda h: (far(h), h))
        if far(step) < far(at) <= reach and not g.mine_at(ready.foe, step) and len(g.mine_at(side, step, "air", "ground")) < 3:
            return step
    if far(at) <= reach:
        return 0
    bases = g.board.airfields if air else g.board.ports
    near = [
        b
        for b in bases
        if g.holds(side, b) and b not in ready.closed and len(g.mine_at(side, b, "air", "ground")) < 3 and far(b) + 2 < far(at)
    ]
    return min(near, key=lambda b: (far(b), distance(at, b), b), default=0)
