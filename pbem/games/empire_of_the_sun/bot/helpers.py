"""Who may come to help where a blow falls [5.13]: the enemy's air units and ships under one of his headquarters."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.games.empire_of_the_sun.board import distance
from pbem.games.empire_of_the_sun.bot.judgement import points
from pbem.games.empire_of_the_sun.state import State, offensive
from pbem.games.empire_of_the_sun.supply import supplied

NEAR = 6  # hexes from which a fleet may come to meet a landing


class Helpers:
    """The reacting side's units that may come, hex by hex. `g`: a position with an offensive, which is not changed."""

    def __init__(self, g: State, side: str) -> None:
        self.g, self.side = g, side
        self.hqs = [u for u in g.on_map(side) if g.counter(u).kind == "hq" and supplied(g, u)]
        self.able = [u for u in g.on_map(side) if g.counter(u).kind in ("air", "naval") and g.attack(u)]

    def at(self, place: int, but: Iterable[str] = ()) -> list[str]:
        """The strongest that one headquarters sends to a hex beside those that stand there."""
        there = [u for u in self.able if u not in but and self._comes(u, place)]
        groups = [self._under(hq, there) for hq in self.hqs if self._reaches(hq, place)]
        return max(groups, key=lambda units: points(self.g, units), default=[])

    def _comes(self, unit: str, place: int) -> bool:
        counter, far = self.g.counter(unit), distance(self.g.pieces[unit].at, place)
        return far <= (counter.range if counter.flies else NEAR) and (counter.flies or self.g.board.hexes[place].coastal)

    def _reaches(self, hq: str, place: int) -> bool:
        return distance(self.g.pieces[hq].at, place) <= self.g.counter(hq).command

    def _under(self, hq: str, units: Iterable[str]) -> list[str]:
        mine = [u for u in units if self._reaches(hq, self.g.pieces[u].at)]
        most = self.g.counter(hq).efficiency + offensive(self.g).ops
        return sorted(mine, key=lambda u: (-self.g.attack(u), u))[: max(0, most)]
