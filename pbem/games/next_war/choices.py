"""Dice, and small questions that many rules ask: one of some units, one of some places."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.games.next_war.events.combat import Thrown
from pbem.games.next_war.orders import fields, read_spot, read_unit
from pbem.games.next_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.events import emit
from pbem.kernel.flow import Flow, Roll
from pbem.kernel.orders import illegal
from pbem.kernel.questions import ANY, one_of
from pbem.kernel.wording import Message, msg, verbatim

Spot = tuple[int, str]  # a hex, or 0 and a sea area


def throw(label: Message, rule: str, against: str | None = None) -> Flow[int]:
    """[2.6] One ten-sided die, 0 to 9."""
    (face,) = yield Roll(label, 1, 10, rule, against)
    return int(face) % 10


def told(g: State, label: Message, die: int, drm: int, outcome: str, rule: str, number: int | None = None) -> None:
    """What came of a die, for the report. `number`: where the outcome is one, or so many of something."""
    emit(g, Thrown(label, die, drm, outcome, rule, number))


def choose_spot(
    g: State,
    seat: str,
    verb: str,
    rule: str,
    prompt: Message,
    spots: Sequence[Spot],
    reaction: bool = False,
    whose: str = "",
) -> Flow[Spot]:
    """One of some hexes and sea areas, `any` the first. Asks nothing without any: (0, "").

    `whose`: the unit that goes there; an order may name it, and is then for no other.
    """
    names = ", ".join(spot_name(g, s) for s in spots[:8])
    found = yield from one_of(
        seat,
        verb,
        rule,
        prompt,
        spots,
        lambda body: spots[0] if body == ANY else read_spot(g, _place_of(g, seat, body, whose, rule) if whose else body),
        names,
        lambda s: spot_word(g, s),
        reaction=reaction,
        slot="to",
        name=lambda _, word: verbatim(next((spot_name(g, s) for s in spots if spot_word(g, s) == word), word)),
    )
    return found or (0, "")


def _place_of(g: State, seat: str, body: Plain, unit: str, rule: str) -> Plain:
    """The place in `4/G at 1405`, or in one that names nobody. Raises Rejected where another unit is named."""
    if not isinstance(body, dict) and (not isinstance(body, str) or " at " not in body):
        return body
    named = fields(body, ("at",), ("units", "at"))
    if read_unit(g, named["units"], seat) != unit:
        raise illegal(msg("{unit} arrives now", unit=g.counter(unit).name), rule)
    return named["at"]


def spot_name(g: State, spot: tuple[int, str]) -> str:
    """A hex or area in words."""
    return g.board.areas[spot[1]].name if spot[1] in g.board.areas else spot[1] or g.board.name(spot[0])


def spot_word(g: State, spot: tuple[int, str]) -> str:
    """A hex or area as an order names it."""
    return spot[1] or g.board.hexes[spot[0]].label
