"""[VIC] How the game is won, and the reasons in words."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.games.axis_and_allies_pacific.state import State, controller_side
from pbem.kernel.wording import Message, Term, msg

CITIES = 8


def axis_cities(g: State) -> int:
    """[VIC-01] Victory cities in Japanese hands."""
    return sum(controller_side(g, territory) == "axis" for territory in g.board.victory_cities.values())


def captured() -> Message:
    """[VIC-03] Japan has fallen."""
    return msg("Japan was captured and held through its next turn")


def held(cities: int) -> Message:
    """[VIC-02] Japan has enough cities."""
    return msg("Japan holds {n} of {all} victory cities", n=cities, all=CITIES)


def held_at_limit(cities: int) -> Message:
    """[OPT-ROUNDS] What Japan has when the agreed rounds are over."""
    limit = Term("round limit", msg("Round limit"))
    return msg("{limit}: Japan holds {n} of {all} victory cities", limit=limit, n=cities, all=CITIES)


def ended(g: State) -> Message:
    """Why the game is over: the reason whose record form the state keeps."""
    return next(reason for reason in reasons() if str(reason) == g.win_reason)


def reasons() -> Iterator[Message]:
    """Every reason that the end of a game can have; states keep its record form."""
    yield captured()
    for cities in range(CITIES + 1):
        yield held(cities)
        yield held_at_limit(cities)
