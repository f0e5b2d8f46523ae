"""What an offensive is planned as: blows against hexes, and whether one more is legal."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from pbem.games.empire_of_the_sun.activation import (
    check,
    check_first_strike,
)
from pbem.games.empire_of_the_sun.board import Card
from pbem.games.empire_of_the_sun.events.offensives import UnitsActivated
from pbem.games.empire_of_the_sun.operations.battle_hexes import Declaration
from pbem.games.empire_of_the_sun.operations.conditions import check_declaration
from pbem.games.empire_of_the_sun.operations.moves import moved
from pbem.games.empire_of_the_sun.orders import Route
from pbem.games.empire_of_the_sun.rehearsal import rehearse
from pbem.games.empire_of_the_sun.state import State, offensive
from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected


class Blow(Struct):
    """What is done against one hex."""

    place: int
    gain: int
    moves: list[tuple[str, Route]] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    from_afar: list[str] = field(default_factory=list)
    battle: bool = False


class Plan(Struct):
    """An offensive: its blows, the copy on which they have been played through, and what they are worth."""

    copy: State
    hq: str
    blows: list[Blow] = field(default_factory=list)
    shifts: list[tuple[str, Route]] = field(default_factory=list)
    each_shift: int = 1  # what a unit that moves up is worth

    @property
    def gain(self) -> int:
        return sum(b.gain for b in self.blows) + self.each_shift * len(self.shifts)

    @property
    def units(self) -> list[str]:
        found = [u for b in self.blows for u in b.units] + [u for _, r in self.shifts for u in r.units]
        return list(dict.fromkeys(found))

    def moves(self) -> list[Plain]:
        """Move orders in the order in which they were tried."""
        routes = [m for b in self.blows for m in b.moves] + self.shifts
        return [order(verb, route) for verb, route in routes]

    def battles(self) -> list[Plain]:
        """Declarations of those who fight from outside."""
        return [{"battle": f"{b.place:04} with {', '.join(b.from_afar)}"} for b in self.blows if b.from_afar]


def order(verb: str, route: Route) -> Plain:
    """A move as it is written."""
    by = f" by {route.way}" if route.way else ""
    return {verb: f"{', '.join(route.units)} to {route.to:04}{by}"}


def tried(g: State, so_far: Plan, blow: Blow, event: Card | None, base: int, shift: bool = False) -> State | None:
    """The position after everything planned and this blow, or None when some part of it is not legal."""
    o = offensive(g)
    copy = rehearse(so_far.copy)
    try:
        if not o.units:
            _check_activation(g, so_far.hq, [*so_far.units, *blow.units], base, event)
            UnitsActivated(o.side, tuple(blow.units), "7.21").apply(copy)
        for verb, route in blow.moves:
            for happening in moved(copy, verb, route):
                happening.apply(copy)
        if not shift:
            said = Declaration({b.place: list(b.from_afar) for b in [*so_far.blows, blow] if b.from_afar})
            check_declaration(copy, said)
    except Rejected:
        return None
    return copy


def _check_activation(g: State, hq: str, units: Sequence[str], base: int, event: Card | None) -> None:
    if hq:
        check(g, hq, units, base, event)
    else:
        check_first_strike(g, units, base)
