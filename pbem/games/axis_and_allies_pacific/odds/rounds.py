"""[GC-10] to [GC-20] Rounds of fire, and what follows each of them."""

from __future__ import annotations

from functools import cache
from itertools import product

from msgspec.structs import replace

from pbem.games.axis_and_allies_pacific.odds.clash import Moment
from pbem.games.axis_and_allies_pacific.odds.sides import Sides
from pbem.games.axis_and_allies_pacific.odds.standing import Orders
from pbem.games.axis_and_allies_pacific.odds.submarines import NOBODY, Silent, Submarines
from pbem.odds.chances import Chances


class Rounds:
    """The battle round by round."""

    def __init__(self, sides: Sides, orders: Orders) -> None:
        self.sides, self.clash, self.orders = sides, sides.clash, orders
        self.submarines = Submarines(sides, orders)
        self.after = cache(self._after)
        self.settled = cache(self._settled)

    def follow(self, moment: Moment) -> Chances[Moment] | None:
        """The next round: submarines [GC-05..09], fire of both sides [GC-10] [GC-11], then press on or retreat [GC-20]."""
        if self.sides.is_over(moment):
            return None
        found: Chances[Moment] = {}
        dived, silent = self.submarines.decide(moment) if self.clash.at_sea else (moment, NOBODY)
        number, settled = min(moment.round + 1, self.orders.horizon), self.settled
        for (a, p), (d, q) in product(*self.submarines.strikes(dived, silent)):
            struck = Moment(moment.round, a, d)
            on_attack, on_defence = self._exchange(struck, silent, moment.round == 0)
            for (a2, r), (d2, s) in product(on_attack.items(), on_defence.items()):
                end = settled(number, a2, d2)
                found[end] = found.get(end, 0.0) + p * q * r * s
        return found

    def _exchange(self, now: Moment, silent: Silent, first: bool) -> tuple[dict[int, float], dict[int, float]]:
        mine, theirs = self.sides.attack.fire(now.attack, silent[0]), self.sides.defence.fire(now.defence, silent[1])
        if not self.clash.at_sea:
            mine, theirs = mine.as_ships, theirs.as_ships
        if first and self.clash.bombards:
            mine = replace(mine, ships=(*mine.ships, *self.clash.bombards))
        order_a, order_d = self.orders.order("attack", now), self.orders.order("defence", now)
        return self.sides.attack.losses(now.attack, theirs, order_a), self.sides.defence.losses(now.defence, mine, order_d)

    def _settled(self, number: int, attack: int, defence: int) -> Moment:
        """After a round: lone transports sink, the battle is over, or the attacker retreats."""
        now = Moment(number, *self.sides.sunk(attack, defence))
        return now if self.sides.is_over(now) or not self.orders.retreats(now) else self.sides.withdrawn(now)

    def _after(self, moment: Moment) -> Moment | None:
        """The end that this moment after a round is, or None when the battle goes on."""
        end = self._settled(moment.round, moment.attack, moment.defence)
        return end if self.sides.is_over(end) else None
