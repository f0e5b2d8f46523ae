"""What many runs from one position show: who wins by when, the course of the game's own measures, and what winning goes with.

Everything is counted in whole numbers, shares in parts of WHOLE, so that the same runs give the same bytes on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from pbem.batch.sequential import WHOLE, Score, wilson
from pbem.kernel.canon import Plain

Run = Mapping[str, Any]  # a result of `forecast.play`
STRENGTH = Fraction(1083, 100)  # of a 2 x 2 table: chi squared that chance alone reaches in one of 1,000
FEWEST = 5  # runs in the smaller half, below which nothing is said of a number
TOLD = 8  # numbers that are shown


class Share(Struct, frozen=True):
    """How many runs end so, and the ends of Wilson's interval for 95 %, in parts of WHOLE."""

    runs: int
    part: int
    low: int
    high: int


class Moment(Struct, frozen=True):
    """A measure as a turn begins: the middle of the runs, and where nine tenths of them lie."""

    turn: int
    low: int
    middle: int
    high: int
    runs: int


class Mover(Struct, frozen=True):
    """A public number as a turn begins: where it is `bound` or more, a side wins `above` of the runs, else `below` of them."""

    name: str
    bound: int
    above: Share
    below: Share
    strength: int  # chi squared in hundredths


class Outlook(Struct, frozen=True):
    """All that the runs show. `sides`: side -> how often it wins; `by`: turn -> side -> how often it has won by the end of it.

    `movers`: of the first side; `after`: the turn as which begins they were looked at, 0: too few runs came so far;
    `looked_at`: how many numbers were.
    """

    runs: int
    sides: Mapping[str, Share]
    drawn: int
    open: int
    by: Mapping[int, Mapping[str, Share]]
    courses: tuple[tuple[Moment, ...], ...]
    after: int
    looked_at: int
    movers: tuple[Mover, ...]


def outlook(sides: Sequence[str], runs: Sequence[Run]) -> Outlook:
    """The runs in sum. Raises ValueError for none."""
    if not runs:
        raise ValueError("no run, no outlook")
    number = len(runs)
    wins = {side: [run for run in runs if run["rule"] and run["winner"] == side] for side in sides}
    turns = sorted({int(run["turn"]) for run in runs if run["rule"]})
    by = {t: {s: share(sum(run["turn"] <= t for run in won), number) for s, won in wins.items()} for t in turns}
    first = min(int(run["turns"][0]["turn"]) for run in runs)
    after, looked_at, movers = _movers(sides[0], first, runs)
    return Outlook(
        number,
        {side: share(len(won), number) for side, won in wins.items()},
        sum(bool(run["rule"]) and run["winner"] not in wins for run in runs),
        sum(not run["rule"] for run in runs),
        by,
        _courses(runs),
        after,
        looked_at,
        movers,
    )


def share(runs: int, of: int) -> Share:
    """So many runs of so many."""
    low, high = wilson(Score(runs, 0, of - runs))
    return Share(runs, runs * WHOLE // of if of else 0, low, high)


def _courses(runs: Sequence[Run]) -> tuple[tuple[Moment, ...], ...]:
    """Every measure, turn by turn, over the runs that still went on then."""
    seen: dict[int, list[list[int]]] = {}
    for run in runs:
        for moment in _beginnings(run):
            seen.setdefault(int(moment["turn"]), []).append([int(n) for n in moment["measured"]])
    measures = len(runs[0]["turns"][0]["measured"])
    return tuple(tuple(_moment(t, sorted(row[i] for row in seen[t])) for t in sorted(seen)) for i in range(measures))


def _beginnings(run: Run) -> Sequence[Any]:
    """The turns as they began; the end of a run is none."""
    beginnings: Sequence[Any] = run["turns"][:-1]
    return beginnings or run["turns"]


def _moment(turn: int, numbers: Sequence[int]) -> Moment:
    last = len(numbers) - 1
    return Moment(turn, numbers[last // 20], numbers[last // 2], numbers[last - last // 20], len(numbers))


# -- what winning goes with ---------------------------------------------------------------------------------------------------


def _movers(side: str, first: int, runs: Sequence[Run]) -> tuple[int, int, tuple[Mover, ...]]:
    """Public numbers after the next turn, as far as winning goes with them; the strongest first."""
    seen = [(moment["public"], run["winner"] == side) for run in runs if run["rule"] for moment in _two_on(run, first)]
    if len(seen) < 2 * FEWEST:
        return 0, 0, ()
    names = [name for name in seen[0][0] if all(name in numbers for numbers, _ in seen)]
    varied = [name for name in names if len({numbers[name] for numbers, _ in seen}) > 1]
    found = [_mover(name, [(int(numbers[name]), won) for numbers, won in seen]) for name in varied]
    strong = [one for one in found if one is not None and one.strength >= STRENGTH * 100]
    return first + 2, len(varied), tuple(sorted(strong, key=lambda one: (-one.strength, one.name))[:TOLD])


def _two_on(run: Run, first: int) -> Sequence[Any]:
    """The moment at which the turn behind the next one begins, if the run came so far."""
    return [moment for moment in run["turns"][:-1] if moment["turn"] == first + 2][:1]


def _mover(name: str, seen: Sequence[tuple[int, bool]]) -> Mover | None:
    """A number, split where its halves are most equal; None where one of them is too small."""
    numbers = sorted(number for number, _ in seen)
    middle = numbers[len(numbers) // 2]
    higher = [n for n in numbers if n > middle]
    bound = min([middle, *higher[:1]], key=lambda b: abs(2 * sum(n >= b for n in numbers) - len(numbers)))
    above, below = ([won for number, won in seen if (number >= bound) is high] for high in (True, False))
    if min(len(above), len(below)) < FEWEST:
        return None
    return Mover(name, bound, _half(above), _half(below), _strength(above, below))


def _half(won: Sequence[bool]) -> Share:
    return share(sum(won), len(won))


def _strength(above: Sequence[bool], below: Sequence[bool]) -> int:
    """Chi squared of the 2 x 2 table in hundredths."""
    a, b, c, d = sum(above), len(above) - sum(above), sum(below), len(below) - sum(below)
    rest = (a + b) * (c + d) * (a + c) * (b + d)
    return (a + b + c + d) * (a * d - b * c) ** 2 * 100 // rest if rest else 0


# -- for programs -------------------------------------------------------------------------------------------------------------


def to_plain(told: Outlook) -> dict[str, Plain]:
    """All of it; shares in parts of WHOLE."""
    return {
        "runs": told.runs,
        "of": WHOLE,
        "sides": {side: _plain(one) for side, one in told.sides.items()},
        "drawn": told.drawn,
        "open": told.open,
        "by": [{"turn": turn, "sides": {s: _plain(one) for s, one in sides.items()}} for turn, sides in told.by.items()],
        "courses": [
            [{"turn": m.turn, "low": m.low, "middle": m.middle, "high": m.high, "runs": m.runs} for m in course]
            for course in told.courses
        ],
        "after": told.after,
        "looked_at": told.looked_at,
        "movers": [
            {"name": m.name, "bound": m.bound, "above": _plain(m.above), "below": _plain(m.below), "chi2": m.strength}
            for m in told.movers
        ],
    }


def _plain(one: Share) -> Plain:
    return {"runs": one.runs, "part": one.part, "interval": [one.low, one.high]}
