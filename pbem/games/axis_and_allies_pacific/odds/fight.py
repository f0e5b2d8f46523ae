"""A clash from its AA fire to its ends, exactly or by sampling."""

from __future__ import annotations

from itertools import product

from pbem.games.axis_and_allies_pacific.battle import combat_capable
from pbem.games.axis_and_allies_pacific.odds.clash import Clash, Moment
from pbem.games.axis_and_allies_pacific.odds.duels import Duels
from pbem.games.axis_and_allies_pacific.odds.rounds import Rounds
from pbem.games.axis_and_allies_pacific.odds.sides import Sides
from pbem.games.axis_and_allies_pacific.odds.standing import Orders, Plans
from pbem.games.axis_and_allies_pacific.state import AIR
from pbem.odds.chances import Chances, TooLarge, solve
from pbem.odds.distributions import binomial
from pbem.odds.sampling import Sampled, sample

LIMIT = 1_000_000  # transitions; a few seconds
COURSES = 20_000  # of a sample


class Fight:
    """One clash with the decisions of both sides."""

    def __init__(self, clash: Clash, plans: Plans) -> None:
        self.clash, self.sides = clash, Sides(clash)
        self.attack, self.defence = self.sides.attack, self.sides.defence
        self.rounds = Rounds(self.sides, Orders(self.sides, plans))

    def ends(self, limit: int = LIMIT, courses: int = COURSES) -> tuple[Chances[Moment], float]:
        """The final moments with their probabilities, and the error."""
        start = self._start()
        duels = Duels(self.rounds)
        if duels.possible:
            return duels.ends(start), 0.0
        try:
            return solve(start, self.rounds.follow, self.sides.rank, limit), 0.0
        except TooLarge:
            found: Sampled[Moment] = sample(start, self.rounds.follow, courses)
            return found.chances, found.error

    def _start(self) -> Chances[Moment]:
        """[AIR-03] [GC-16] What AA fire leaves, before the first round."""
        found: Chances[Moment] = {}
        for state, chance in self._after_flak().items():
            first = Moment(self.clash.round, *self.sides.sunk(state, self.defence.whole))
            found[self._under_aircraft(first)] = chance
        return found

    def _under_aircraft(self, now: Moment) -> Moment:
        """[GC-16] Where nobody can hit anybody, submarines may dive and leave transports to the enemy."""
        theirs = self.sides.theirs(now)
        if not self.clash.at_sea or not self.sides.is_over(now) or not any(u.type == "transport" for u in theirs):
            return now
        if not combat_capable(self.sides.mine(now)) or not combat_capable(theirs):
            return now
        d, _ = self.rounds.submarines.dive(self.defence, now, "defence")
        return Moment(now.round, *self.sides.sunk(now.attack, d))

    def _after_flak(self) -> dict[int, float]:
        states = {self.attack.whole: 1.0}
        for kind in AIR if self.clash.flak else ():
            planes = [u for u in self.attack.units if u.type == kind]
            down = [(self.attack.destroyed(self.attack.whole, planes[:n]), p) for n, p in enumerate(binomial(len(planes), 1))]
            states = {s & left: p * q for (s, p), (left, q) in product(states.items(), down)}
        return states
