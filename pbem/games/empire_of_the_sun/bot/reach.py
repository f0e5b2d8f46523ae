"""What the units of one HQ reach."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pbem.games.empire_of_the_sun.board import distance
from pbem.games.empire_of_the_sun.bot.judgement import leaving, points, worth
from pbem.games.empire_of_the_sun.bot.progress import ADVANCE, advancing
from pbem.games.empire_of_the_sun.lines import sea_reach
from pbem.games.empire_of_the_sun.movement.land import land_costs
from pbem.games.empire_of_the_sun.movement.limits import naval_allowance
from pbem.games.empire_of_the_sun.state import FOE, State, offensive
from pbem.games.empire_of_the_sun.supply import hostile

TARGETS = 40  # hexes looked at for one offensive
STEP = 10  # a hex on the way to one of at least DEAR
DEAR = 20


class Reach:
    """The units that an HQ may activate, what they reach, and what the hexes in reach are worth."""

    def __init__(self, g: State, side: str, able: Sequence[str]) -> None:
        self.g, self.side, self.foe = g, side, FOE[side]
        self.able = [u for u in able if g.pieces[u].box == "map"]
        sail = naval_allowance(g)
        self.by_place: dict[int, list[str]] = {}
        self.values: dict[int, int] = {}
        self.left: dict[tuple[str, ...], int] = {}
        for unit in self.able:
            self.by_place.setdefault(g.pieces[unit].at, []).append(unit)
        self.by_sea = {h: sea_reach(g, [h], frozenset(), sail) for h, us in self.by_place.items() if self._sails(us)}
        self.by_land = {h: self._overland(h) for h in self.by_place if self.of(h, "ground")}
        self.closed = hostile(g, side)
        self.advances = advancing(g, side)

    def _sails(self, units: Sequence[str]) -> bool:
        return any(self.g.counter(u).kind == "naval" or self.g.counter(u).lands for u in units)

    def of(self, place: int, kind: str) -> list[str]:
        """Units of one kind that stand in a hex."""
        return [u for u in self.by_place.get(place, ()) if self.g.counter(u).kind == kind]

    def _overland(self, place: int) -> dict[int, int]:
        costs, _ = land_costs(self.g, self.side, self.of(place, "ground"), place, 2 * offensive(self.g).ops, False)
        return costs

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

    def leaving(self, unit: str, gone: Collection[str] = ()) -> int:
        """What is put at risk where the unit leaves its hex beside those that are gone."""
        at = self.g.pieces[unit].at
        fellows = [u for u in self.by_place.get(at, ()) if u in gone and u != unit]
        key = (unit, *fellows)
        if key not in self.left:
            self.left[key] = leaving(self.g, self.side, unit, fellows)
        return self.left[key]

    def value(self, place: int) -> int:
        """What the hex is worth by itself, as a step on the way overland to a better one, for the progress of the war."""
        if place not in self.values:
            g, mine = self.g, worth(self.g, self.side, place)
            beyond = any(g.holds(self.foe, n) and worth(g, self.side, n) >= DEAR for n in g.board.by_land[place])
            self.values[place] = mine + (STEP if beyond and mine < DEAR else 0) + ADVANCE * (place in self.advances)
        return self.values[place]

    def _in_reach(self, place: int) -> bool:
        near = any(place in reach for reach in self.by_sea.values()) or any(place in reach for reach in self.by_land.values())
        return near or any(
            self.g.counter(u).flies and distance(self.g.pieces[u].at, place) <= self.g.counter(u).reach for u in self.able
        )

    def wings(self, place: int, free: Sequence[str]) -> list[str]:
        """Air units that reach a hex from elsewhere, those in normal range and the strongest first."""
        g = self.g
        near = [
            u
            for u in free
            if g.counter(u).kind == "air" and distance(g.pieces[u].at, place) <= g.counter(u).reach and g.pieces[u].at != place
        ]
        return sorted(near, key=lambda u: (distance(g.pieces[u].at, place) > g.counter(u).range, -g.attack(u), u))

    def fleets(self, place: int, free: Sequence[str]) -> list[str]:
        """Ships that reach a coastal hex from elsewhere, the strongest first."""
        g = self.g
        if not g.board.hexes[place].coastal:
            return []
        ships = [
            u
            for u in free
            if g.counter(u).kind == "naval" and place in self.by_sea.get(g.pieces[u].at, {}) and g.pieces[u].at != place
        ]
        return sorted(ships, key=lambda u: (-g.attack(u) - 2 * g.counter(u).carrier, u))
