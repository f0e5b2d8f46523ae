"""[8.5] Searches that are kept: one holds for as long as nothing that bears on a step is new in the hexes that it met."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from pbem.games.next_war.board import MP, PEAKS
from pbem.games.next_war.labels import MOBILITY, TERRAIN
from pbem.games.next_war.movement import Path, Search, walkers
from pbem.games.next_war.obstacles import crowded_hexes, enemy_dmz, enemy_forts, hostile_places, in_zones, neighbours_of
from pbem.games.next_war.stacking import excess
from pbem.games.next_war.state import FOE, State
from pbem.games.next_war.zoc import zone
from pbem.kernel.orders import illegal
from pbem.kernel.wording import Message, msg

MOST_KEPT = 256
Places = frozenset[int]
Bearing = tuple[tuple[Places, ...], tuple[Places, ...]]


class Kept(Struct):
    """A search, and what bore on its steps when it was last found to hold."""

    search: Search
    bearing: Bearing
    met: Places = frozenset()  # hexes that it reached, and those beside them; found when it is first asked for again

    def holds(self, g: State, bearing: Bearing) -> bool:
        """Nothing in the hexes that it met is new."""
        if self.bearing is not bearing:
            if not self.met:
                reached = self.search.reached()
                self.met = neighbours_of(g, reached) | reached
            onwards = self.met - {self.search.start}  # to which nobody comes back
            (enemy, own), (enemy_now, own_now) = self.bearing, bearing
            if not (_alike(enemy, enemy_now, self.met) and _alike(own, own_now, onwards)):
                return False
            self.bearing = bearing
        return True


def reach(
    g: State, side: str, units: Sequence[str], start: int, via: Sequence[int] = (), share: int = 1, goal: int = 0
) -> Search:
    """The search for a stack, or for one goal of it. Alike move alike; where units are elsewhere, for this layout only."""
    own = g.occupied(side).get(start, ())
    here = bool(excess(g, start, own)), any(u not in units for u in own), g.under_marker(start, side)
    who = (walkers(g, units, share), len(units) == 1) if all(u in own for u in units) else (*units, share, g.memo.layout)
    key = (side, who, start, tuple(via), here, g.storm, len(g.ferries_lost), *g.bridges_down)
    now = _bearing(g, side)
    for known in (key, (*key, goal)) if goal else (key,):
        kept: Kept | None = g.searches.get(known)
        if kept is not None and kept.holds(g, now):
            return kept.search
    if len(g.searches) >= MOST_KEPT:
        g.searches.clear()
    kept = g.searches[known] = Kept(Search(g, side, units, start, via, share).run(goal), now)
    return kept.search


def _bearing(g: State, side: str) -> Bearing:
    """Hexes that bear on the steps of a side: through the enemy, and through its own units."""
    return g.memo.cached(("bearing", side), lambda: (_enemy(g, side), (crowded_hexes(g, side), in_zones(g, side))))


def _enemy(g: State, side: str) -> tuple[Places, ...]:
    foes = g.cached_of(FOE[side], "foes", lambda: frozenset(g.occupied(FOE[side])))
    return foes, zone(g, FOE[side]), hostile_places(g, side), enemy_forts(g, side), enemy_dmz(g, side)


def _alike(before: tuple[Places, ...], now: tuple[Places, ...], among: Places) -> bool:
    return all(a is b or a & among == b & among for a, b in zip(before, now, strict=True))


def find_path(g: State, side: str, units: Sequence[str], start: int, to: int, via: Sequence[int], share: int = 1) -> Path:
    """The cheapest legal way. Raises Rejected, saying what is in the way."""
    search = reach(g, side, units, start, via, share, to)
    path = search.end(to)
    if path is None:
        raise illegal(*_why_not(g, side, units, start, to, search))
    return path


def _why_not(g: State, side: str, units: Sequence[str], start: int, to: int, search: Search) -> tuple[Message, str]:
    """What is in the way of a move, and the rule."""
    there, place = g.board.hexes[to], g.board.name(to)
    if not there.land:
        return msg("{place} is sea", place=place), "8.3.3"
    if g.ground(FOE[side], to):
        return msg("enemy units stand in {place}", place=place), "8.2.2"
    if search.marked:
        return msg(
            "units under a Clearing marker leave for all their movement points and not into an enemy zone: not to {place}",
            place=place,
        ), "8.4.1.3"
    if search.via and search.comes_to(to):
        return msg("{place} cannot be reached through the hexes named", place=place), "8.5"
    mobile = {g.values(u).mobility for u in units}
    if there.terrain in PEAKS and mobile & {"mot", "mech"} and not g.board.has_road(to):
        return msg(
            "{place} is closed to vehicles without a road: {terrain}", place=place, terrain=TERRAIN[there.terrain]
        ), "8.3.3"
    near = sorted(n for n in g.board.near[to] if search.comes_to(n))
    zoned = [n for n in near if n in search.zone]
    if near and len(zoned) == len(near):
        return msg("an enemy zone of control stops the move before {place}", place=place), "8.2.2"
    points = tuple(msg("{kind} {n}", kind=MOBILITY[w.mobility], n=w.allowance // MP) for w in search.walkers)
    return msg("{place} is too far or closed; movement points: {points}", place=place, points=points), "8.3"
