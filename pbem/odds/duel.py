"""Two sides that lose in a fixed order: the state is the number of hits that each has taken. Exact and fast.

Let V[d][a] be the probability (over all rounds together: the expected number of rounds) that a round begins with a hits
on the attacker and d on the defender, F the attacker's hits in that round and G the defender's. Then

    V[d'][a'] = start[d'][a'] + sum over d <= d', a <= a' of V[d][a] F_a(d' - d) G_d(a' - a)

The term a = a', d = d' (nobody hits) is solved for, so that no round is ever repeated. Read as a polynomial in the hits
on the attacker, G_d is G_d' times one linear factor (miss + hit * x) for each die that the defender has lost between d
and d'; so the sum over d is taken by Horner's scheme, one short vector operation for each pair d, d'.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import mul

from msgspec import Struct

from pbem.odds.distributions import Dice, hits, tail

Grid = list[list[float]]  # grid[d][a]
NEGLIGIBLE = 1e-25  # such states are not fought on, but counted as ends
Ends = Callable[[int, int], bool]  # whether the battle is over at (a, d)


class Duel(Struct, frozen=True):
    """What each side fires after 0, 1, .. hits; after the last of them nothing of it is left.

    `opening`: dice that the attacker has in the first round in addition. The defender may only ever lose dice from one
    hit to the next; the attacker's may also change their value. Raises ValueError.
    """

    attack: tuple[Dice, ...]
    defence: tuple[Dice, ...]
    opening: Dice = ()
    sides: int = 6

    def __post_init__(self) -> None:
        for before, after in zip(self.defence, self.defence[1:], strict=False):
            _lost(before, after)


def _lost(before: Dice, after: Dice) -> list[int]:
    """The faces of the dice that one hit took away. Raises ValueError when a die came in its place."""
    had, has = dict(before), dict(after)
    if any(has[faces] > had.get(faces, 0) for faces in has):
        raise ValueError(f"{after} are not among {before}")
    return [faces for faces in had for _ in range(had[faces] - has.get(faces, 0))]


def first_round(duel: Duel) -> Grid:
    """The probabilities after the first round, from which nobody retreats before it is fought."""
    most_a, most_d = len(duel.attack) - 1, len(duel.defence) - 1
    opening = hits(tuple(sorted((*duel.attack[0], *duel.opening))), duel.sides)
    on_defence = capped(opening, most_d)
    on_attack = capped(hits(duel.defence[0], duel.sides), most_a)
    return [[p * q for q in on_attack] for p in on_defence]


def capped(distribution: Sequence[float], most: int) -> list[float]:
    """Hits beyond the last count as the last."""
    padded = [*distribution, *[0.0] * (most + 1 - len(distribution))]
    return [*padded[:most], sum(padded[most:])]


def one_round(duel: Duel, start: Grid) -> Grid:
    """The probabilities one round later, of those who fight on; where a side has nothing left they stay."""
    return _Sweep(duel, start, lambda a, d: False, once=True).result()


def to_the_end(duel: Duel, start: Grid, ends: Ends) -> Grid:
    """The probabilities of the ends of the battle, however many rounds it takes.

    A state in which nobody can hit is an end, too.
    """
    return _Sweep(duel, start, ends, once=False).result()


class _Sweep:
    """One pass over the defender's hits, from none to all."""

    def __init__(self, duel: Duel, start: Grid, ends: Ends, once: bool) -> None:
        self.duel, self.start, self.ends, self.once = duel, start, ends, once
        self.most_a, self.most_d = len(duel.attack) - 1, len(duel.defence) - 1
        self.chances = [[*hits(d, duel.sides)] for d in duel.attack[:-1]]
        self.exactly, self.at_least = self._by_hits(self.chances), self._by_hits([tail(c) for c in self.chances])
        self.factors = [[f / duel.sides for f in _lost(b, a)] for b, a in zip(duel.defence, duel.defence[1:], strict=False)]
        self.going: Grid = []  # V, for states from which the battle goes on; without the attacker's last column
        self.rest: Grid = []  # what is not fought on with

    def _by_hits(self, chances: Grid) -> list[list[float]]:
        """[hits][a] instead of [a][hits], as far as the defender can take them."""
        return [[c[h] if h < len(c) else 0.0 for c in chances] for h in range(self.most_d + 1)]

    def result(self) -> Grid:
        for d in range(self.most_d + 1):
            self._row(d)
        return self.rest

    def _row(self, d: int) -> None:
        carried = self._from_before(d)
        against = hits(self.duel.defence[d], self.duel.sides)
        going, rest = [0.0] * self.most_a, [0.0] * (self.most_a + 1)
        source = carried[:-1]  # what fires at the attacker in this row
        turned, misses, reach = against[:0:-1], against[0], len(against) - 1
        arrived = 0.0
        for a in range(self.most_a):
            low = max(0, a - reach)
            come = sum(map(mul, source[low:a], turned[reach - a + low :])) + carried[a] * misses
            arrived += come
            start = self.start[d][a]
            stay = self.exactly[0][a] * misses if d < self.most_d else 1.0
            if stay >= 1.0 or come + start < NEGLIGIBLE or self.ends(a, d):
                rest[a] = come + start
            elif self.once:
                going[a], rest[a] = start, come
                arrived += self._stays(a, start, rest, source, misses)
            else:
                going[a] = (come + start) / (1.0 - stay)
                arrived += going[a] * stay
                source[a] += going[a] * self.exactly[0][a]
        rest[-1] = max(0.0, sum(source) + carried[-1] - arrived) + self.start[d][-1]
        self.going.append(going)
        self.rest.append(rest)

    def _stays(self, a: int, start: float, rest: list[float], source: list[float], misses: float) -> float:
        """One round only: who scored no hit stands where he stood, and so does, if nobody did, his enemy."""
        none = start * self.exactly[0][a]
        source[a] += none
        rest[a] += none * misses
        return none * misses

    def _from_before(self, d: int) -> list[float]:
        """Sum over earlier rows of V F times the factors of the dice lost since; the last entry is who lost everything."""
        carried = [0.0] * (self.most_a + 1)
        scored = self.at_least if d == self.most_d else self.exactly
        for before in range(d):
            come = map(mul, self.going[before], scored[d - before])
            carried[:-1] = [c + x for c, x in zip(carried, come, strict=False)]
            for p in self.factors[before]:
                q = 1.0 - p
                last = carried[-1] + p * carried[-2]
                carried = [q * x + p * y for x, y in zip(carried, [0.0, *carried], strict=False)]
                carried[-1] = last
        return carried
