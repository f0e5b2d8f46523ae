"""When enough games are played, and how sure their result is. Exact arithmetic: whoever counts again comes to the same end.

The test is Wald's sequential probability ratio test (1945) of p = 1 - EDGE against p = EDGE, where p is the chance that the
first party wins a decisive meeting. With w meetings won and l lost the likelihood ratio is (EDGE / (1 - EDGE)) ^ (w - l); it is
decided as soon as it leaves the interval from ERROR / (1 - ERROR) to (1 - ERROR) / ERROR. Whoever is the weaker by that edge is
then named the stronger with a chance of at most ERROR / (1 - ERROR), however often one has looked.

The interval is that of Wilson (1927) for 95 %; a draw is half a win. It is for a number of games that was fixed beforehand:
where the test has ended them it is somewhat too bold.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from msgspec import Struct

EDGE, ERROR = Fraction(3, 5), Fraction(1, 20)
Z = Fraction(196, 100)  # of the normal distribution: 95 % lie so many deviations around the mean
WHOLE = 10_000  # an interval is told in parts of so many
_FINE = 10**9  # the root is taken to one part of so many


class Score(Struct, frozen=True):
    """Games or meetings, as the first of two parties sees them."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    def plus(self, sign: int) -> Score:
        """One more: won (1), drawn (0) or lost (-1)."""
        return Score(self.won + (sign > 0), self.drawn + (sign == 0), self.lost + (sign < 0))

    @property
    def number(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def points(self) -> Fraction:
        """Wins, with a half for each draw."""
        return self.won + Fraction(self.drawn, 2)


def decided(meetings: Score) -> int:
    """1: the first party is the stronger; -1: the other; 0: it goes on."""
    lead = meetings.won - meetings.lost
    if (EDGE / (1 - EDGE)) ** abs(lead) < (1 - ERROR) / ERROR:
        return 0
    return 1 if lead > 0 else -1


def wilson(score: Score) -> tuple[int, int]:
    """The ends of the interval in parts of WHOLE, rounded outwards; everything where nothing was played."""
    n = score.number
    if not n:
        return 0, WHOLE
    p, z2 = score.points / n, Z * Z
    middle = p + z2 / (2 * n)
    half = Z * _root(p * (1 - p) / n + z2 / (4 * n * n))
    low, high = ((middle - half) / (1 + z2 / n) * WHOLE, (middle + half) / (1 + z2 / n) * WHOLE)
    return max(0, low.__floor__()), min(WHOLE, high.__ceil__())


def _root(value: Fraction) -> Fraction:
    """The square root, too large by less than one part of _FINE."""
    return Fraction(isqrt(value.numerator * _FINE * _FINE // value.denominator) + 1, _FINE)
