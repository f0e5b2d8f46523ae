"""Elo ratings of everybody at once, from all games together: their order does not matter, and anyone can compute them again.

A side is as strong as the mean of its players; it scores against another 1 / (1 + 10 ^ (difference / 400)) of the points. The
ratings are those that make the results most likely, where everybody has drawn one game more against a player of 1500: so that
who has won everything has a rating too. They are found by Newton's method, one player after the other by name, until nobody
moves (SWEEPS times at most). The error is 1.96 times the standard error by the curvature at that place: 95 of 100 true
strengths lie inside.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt

from msgspec import Struct

MEAN = 1500
SWEEPS = 400
_SCALE = log(10) / 400
_STILL = 1e-6  # when nobody moves farther, they are found
_STEP = 400.0  # at most so far at once: from far away Newton's method would jump too far


class Played(Struct, frozen=True):
    """A game: the players of both sides, and the points of the first: 2 won, 1 drawn, 0 lost."""

    one: tuple[str, ...]
    other: tuple[str, ...]
    points: int


class Rating(Struct, frozen=True):
    """What a player is worth, give or take `error`, and his games."""

    name: str
    elo: int
    error: int
    won: int
    drawn: int
    lost: int


def ratings(games: Sequence[Played]) -> list[Rating]:
    """Everybody, the strongest first; equal ones by name. Games in which a player sits on both sides are left out."""
    counted = [game for game in games if not {*game.one} & {*game.other}]
    names = sorted({name for game in counted for name in (*game.one, *game.other)})
    elo = dict.fromkeys(names, 0.0)
    by_name = {name: [game for game in counted if name in game.one or name in game.other] for name in names}
    for _ in range(SWEEPS):
        moved = 0.0
        for name in names:
            slope, curve = _slope(name, by_name[name], elo)
            step = max(-_STEP, min(_STEP, slope / curve))
            elo[name], moved = elo[name] + step, max(moved, abs(step))
        if moved < _STILL:
            break
    rated = [_rating(name, by_name[name], elo) for name in names]
    return sorted(rated, key=lambda r: (-r.elo, r.name))


def _slope(name: str, games: Sequence[Played], elo: dict[str, float]) -> tuple[float, float]:
    """The first derivative of the likelihood's logarithm by one rating, and less the second."""
    expected = _expected(elo[name])
    slope, curve = _SCALE * (0.5 - expected), _SCALE * _SCALE * expected * (1 - expected)
    for game in games:
        mine, theirs = (game.one, game.other) if name in game.one else (game.other, game.one)
        points = game.points / 2 if name in game.one else 1 - game.points / 2
        expected = _expected(sum(elo[n] for n in mine) / len(mine) - sum(elo[n] for n in theirs) / len(theirs))
        share = _SCALE / len(mine)
        slope += share * (points - expected)
        curve += share * share * expected * (1 - expected)
    return slope, curve


def _expected(difference: float) -> float:
    return 1 / (1 + exp(-_SCALE * difference))


def _rating(name: str, games: Sequence[Played], elo: dict[str, float]) -> Rating:
    points = [game.points if name in game.one else 2 - game.points for game in games]
    error = 1.96 / sqrt(_slope(name, games, elo)[1])
    return Rating(name, MEAN + round(elo[name]), round(error), points.count(2), points.count(1), points.count(0))
