"""Every event of Pacific War in words, from the state just before it."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

from pbem.games.pacific_war import events as e
from pbem.games.pacific_war import telling_course, telling_fights, telling_units
from pbem.games.pacific_war.labels import RECORDS, SIDES, block_of
from pbem.games.pacific_war.results import fired, thrown
from pbem.games.pacific_war.state import State
from pbem.games.pacific_war.throws import stated
from pbem.kernel.wording import Message, Told, msg


def tell(g: State, event: object) -> Told | None:
    """An event in words, from the state just before it; None for bookkeeping."""
    words = _TELL.get(type(event))
    return words(g, event) if words else None


# -- statements and the end -----------------------------------------------------------------------------------------------


def _said(g: State, x: e.Told) -> Told | None:
    if x.rule == "PW-RPL-01":
        return None  # the steps themselves are told
    found = re.fullmatch(r"(\S+): (\{.*\})", x.text)
    if not found:
        return Told("battle", stated(g, x.text) or msg("{text}", text=x.text), x.rule, block_of(g))
    parts = [msg("{what} {n}", what=RECORDS.get(what, what), n=n) for what, n in ast.literal_eval(found[2]).items()]
    return Told("battle", msg("Report of {marker}: {parts}", marker=found[1], parts=tuple(parts)), x.rule, block_of(g))


def _won(g: State, x: e.Won) -> Told:
    return Told("end", msg("The game is won by: {side}. {reason}", side=SIDES[x.side], reason=reason(x.reason)), x.rule)


def reason(text: str) -> Message:
    """Why the game ended: what the scenario asks for, goal after goal."""
    return Message("{goals}", {"goals": tuple(Message(goal) for goal in text.split("; "))})


_TELL: dict[type, Callable[[State, Any], Told | None]] = {
    **telling_course.TELL,
    **telling_units.TELL,
    **telling_fights.TELL,
    e.Rolled: thrown,
    e.Fired: fired,
    e.Told: _said,
    e.Won: _won,
}
