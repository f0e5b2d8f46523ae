"""The Crossing: a whole game in a hundred lines, as another package would bring it.

Seven hexes in a row, a river at hex 4. Blue has two companies at 1 and 2, red at 6 and 7. In turn each side moves one of its
companies to a neighbouring hex, or attacks an enemy next to it: on 4 or more the enemy is gone, across the river on 5 or
more. Who holds hex 4 at the end of the sixth turn wins, or who alone is left; else the game is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pbem.games.module import GameModule
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Result
from pbem.kernel.events import Cursor, Event, Scheduled, emit
from pbem.kernel.flow import Ask, Flow, Roll
from pbem.kernel.orders import illegal, unreadable
from pbem.kernel.records import Mark

RIVER, LAST, TURNS = 4, 7, 6
SIDES = ("blue", "red")


@dataclass(slots=True)
class State:
    """Company -> hex; who has won."""

    stack: list[Cursor]
    places: dict[str, int]
    running: Cursor | None = None
    turn: int = 1
    ended: str = ""
    marks: dict[str, Mark] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list, metadata={"cache": True})

    def forget(self) -> None:
        """Nothing is kept."""

    def at(self, place: int) -> str:
        """The company in a hex, if there is one."""
        return next((unit for unit, where in self.places.items() if where == place), "")


@dataclass(frozen=True, slots=True)
class Moved:
    """[2] A company enters a hex."""

    unit: str
    to: int
    rule: str = "2"

    def apply(self, g: State) -> None:
        g.places[self.unit] = self.to


@dataclass(frozen=True, slots=True)
class Lost:
    """[3] A company is gone."""

    unit: str
    rule: str = "3"

    def apply(self, g: State) -> None:
        del g.places[self.unit]


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """[1] A turn begins; after the last one somebody has won, or nobody."""

    number: int
    rule: str = "1"

    def apply(self, g: State) -> None:
        g.turn = self.number


@dataclass(frozen=True, slots=True)
class Ended:
    """[4] The game is over."""

    winner: str
    rule: str = "4"

    def apply(self, g: State) -> None:
        g.ended = self.winner


def turn(g: State, number: int) -> Flow[None]:
    """[1] Blue, red, then the next turn."""
    emit(g, TurnBegan(number))
    following = ("turn", (number + 1,)) if number < TURNS else ("end", ())
    emit(g, Scheduled((("act", ("blue",)), ("act", ("red",)), following)))
    yield from ()


def act(g: State, side: str) -> Flow[None]:
    """[2] [3] A side moves a company or attacks with it."""
    unit, to = yield Ask(
        side, "act", "2", "move a company or attack", lambda o: _read(g, side, o), options=lambda: _all(g, side)
    )
    enemy = g.at(to)
    if not enemy:
        emit(g, Moved(unit, to))
        return
    needed = 5 if RIVER in (to, g.places[unit]) else 4
    dice = yield Roll(f"{unit} attacks {enemy}", 1, 6, "3", "red" if side == "blue" else "blue")
    if dice[0] >= needed:
        emit(g, Lost(enemy))
    if not any(u.startswith(SIDES[side == "blue"]) for u in g.places):
        emit(g, Ended(side))


def end(g: State) -> Flow[None]:
    """[4] Who holds the river."""
    emit(g, Ended(g.at(RIVER).partition("-")[0] or "nobody"))
    yield from ()


def _read(g: State, side: str, order: Plain) -> tuple[str, int]:
    if not isinstance(order, dict) or len(order) != 1 or not all(isinstance(to, int) for to in order.values()):
        raise unreadable(f"{order!r}", "such as blue-1: 3")
    ((unit, to),) = order.items()
    if unit not in g.places or not unit.startswith(side):
        raise illegal(f"{unit} is no company of {side}", "2", ", ".join(u for u in g.places if u.startswith(side)))
    if order not in _all(g, side):
        raise illegal(f"{unit} cannot go to {to}", "2", "a neighbouring hex without a friend")
    return unit, int(str(to))


def _all(g: State, side: str) -> Sequence[Plain]:
    steps = [(u, at + by) for u, at in g.places.items() if u.startswith(side) for by in (-1, 1) if 1 <= at + by <= LAST]
    return [{u: to} for u, to in steps if not g.at(to).startswith(side)]


class TheCrossing(GameModule[State]):
    """What the package offers: rules, and nothing else."""

    name = "the-crossing"
    title = "The Crossing"
    rules_version = 1
    editions = ("1st",)
    seats = {"blue": "blue", "red": "red"}
    state_type = State
    segments = {"turn": turn, "act": act, "end": end}

    def home(self, kind: str) -> Path:
        """Beside this file."""
        return Path(__file__).parent / kind

    def start(self, scenario: Plain, options: Mapping[str, Plain]) -> State:
        """[1] Two companies each."""
        assert isinstance(scenario, dict)
        return State([Cursor("turn", [1])], {unit: int(at) for unit, at in scenario["places"].items()})

    def attach(self, state: State, scenario: Plain) -> None:
        """The board is in the rules."""

    def result(self, state: State) -> Result | None:
        """[4] The side that holds the river, or that is left."""
        if not state.ended:
            return None
        return Result(state.ended if state.ended in SIDES else None, "the river", "4")


GAME = TheCrossing()
