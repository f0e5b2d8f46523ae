"""Every event of Pacific War in words, from the state just before it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.pacific_war import events as e
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.terms import REPORTED, SIDES, block_of
from pbem.games.pacific_war.words import telling_course, telling_fights, telling_units
from pbem.games.pacific_war.words.dice import fired, thrown
from pbem.games.pacific_war.words.statements import told_statement
from pbem.kernel.events import Stated
from pbem.kernel.wording import Told, msg


def tell(g: State, event: object) -> Told | None:
    """An event in words, from the state just before it; None for bookkeeping."""
    words = _TELL.get(type(event))
    return words(g, event) if words else None


# -- remarks, reports, the end --------------------------------------------------------------------------------------------


def _remarked(g: State, x: e.Remarked) -> Told:
    return Told("battle", x.text, x.rule, block_of(g))


def _reported(g: State, x: e.Reported) -> Told:
    if "decoy" in x.found:
        return Told("battle", msg("Report of {marker}: no ships", marker=x.marker), x.rule, block_of(g))
    parts = tuple(msg("{what} {n}", what=REPORTED.get(what, what), n=n) for what, n in x.found.items())
    return Told("battle", msg("Report of {marker}: {parts}", marker=x.marker, parts=parts), x.rule, block_of(g))


def _ground_fought(g: State, x: e.GroundFought) -> Told:
    text = msg(
        "Result {n}: steps lost by the attacker {lost}, by the defender {killed}; must retreat: {side}",
        n=x.net,
        lost=x.lost,
        killed=x.killed,
        side=SIDES[x.retreats],
    )
    return Told("battle", text, x.rule, block_of(g), (f"{x.hex:04d}",) if x.hex else ())


def _won(g: State, x: e.Won) -> Told:
    return Told("end", msg("The game is won by: {side} ({reason})", side=SIDES[x.side], reason=x.reason), x.rule)


_TELL: dict[type, Callable[[State, Any], Told | None]] = {
    **telling_course.TELL,
    **telling_units.TELL,
    **telling_fights.TELL,
    e.Rolled: thrown,
    e.Fired: fired,
    e.Remarked: _remarked,
    e.Reported: _reported,
    e.GroundFought: _ground_fought,
    e.Won: _won,
    Stated: told_statement,
}
