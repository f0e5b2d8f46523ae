"""Battles that are exact duels."""

from __future__ import annotations

from itertools import product

from pbem.games.axis_and_allies_pacific.odds.clash import Moment
from pbem.games.axis_and_allies_pacific.odds.rounds import Rounds
from pbem.odds import duel
from pbem.odds.chances import Chances


class Duels:
    """A battle in which hits fall on anything in one fixed order, and who retreats does so altogether: the exact short way."""

    def __init__(self, rounds: Rounds) -> None:
        self.sides, self.clash, self.orders, self.after = rounds.sides, rounds.clash, rounds.orders, rounds.after

    @property
    def possible(self) -> bool:
        """This is such a battle."""
        units = [*self.sides.attack.units, *self.sides.defence.units]
        submarines = self.clash.at_sea and any(u.type == "submarine" for u in units)
        apart = any(u.role == "landed" for u in self.sides.attack.units) and not self.orders.presses
        return not submarines and not apart and not self.orders.changes_order

    def ends(self, start: Chances[Moment]) -> Chances[Moment]:
        """The final moments with their probabilities."""
        found: Chances[Moment] = {}
        for moment, chance in start.items():
            if self.sides.is_over(moment):
                found[moment] = found.get(moment, 0.0) + chance
                continue
            for end, p in self._from(moment).items():
                found[end] = found.get(end, 0.0) + p * chance
        return found

    def _from(self, start: Moment) -> Chances[Moment]:
        """The ends of the battle from here, as an exact duel."""
        attack = self.sides.attack.after_hits(start.attack, self.orders.order("attack", start))
        defence = self.sides.defence.after_hits(start.defence, self.orders.order("defence", start))
        made = duel.Duel(
            tuple(self.sides.attack.fire(s).all_dice for s in attack),
            tuple(self.sides.defence.fire(s).all_dice for s in defence),
            self.clash.bombards,
        )
        rounds, grid = start.round + 1, duel.first_round(made)
        found: Chances[Moment] = {}

        last_a, last_d = len(attack) - 1, len(defence) - 1
        kinds_a = [self.sides.attack.examples(self.sides.attack.inside(s)) for s in attack]
        kinds_d = [self.sides.defence.examples(self.sides.defence.inside(s)) for s in defence]

        def end(a: int, d: int) -> Moment | None:
            return self.after(Moment(rounds, attack[a], defence[d]))

        def ends(a: int, d: int) -> bool:
            if a == last_a or d == last_d:
                return True
            if self.orders.presses and (not self.clash.at_sea or self.sides.in_contact(kinds_a[a], kinds_d[d])):
                return False
            return end(a, d) is not None

        def put_aside(grid: duel.Grid) -> None:
            for (d, row), a in product(enumerate(grid), range(len(attack))):
                if row[a] > 0.0 and ends(a, d) and (over := end(a, d)) is not None:
                    found[over] = found.get(over, 0.0) + row[a]
                    row[a] = 0.0

        while rounds < self.orders.horizon:
            put_aside(grid)
            grid = duel.one_round(made, grid)
            rounds += 1
        put_aside(duel.to_the_end(made, grid, ends))
        return found
