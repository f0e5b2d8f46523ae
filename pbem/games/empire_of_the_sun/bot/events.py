"""What an event is worth beside an offensive, by the keys of the card's data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.games.empire_of_the_sun.board import Card
from pbem.games.empire_of_the_sun.cards import why_no_event
from pbem.games.empire_of_the_sun.state import ALLIES, COLLAPSED, JAPAN, State

Judge = Callable[[State, Card, Any], int]


def _rivalry(g: State, card: Card, turned: dict[str, str]) -> int:
    return 14 * sum((side in g.rivalry) != (state == "on") for side, state in turned.items())


def _china(g: State, card: Card, by: int) -> int:
    if "china" in g.surrendered:
        return 0
    if by > 0:
        return 40 if g.china + by >= COLLAPSED else 12
    return 12 if g.china > 1 or not g.second else 0


def _needs_b29(g: State, card: Card, where: str) -> int:
    return 14 if any(g.counter(u).b29 and p.box in ("map", "china") for u, p in g.pieces.items()) else 0


WORTH: dict[str, Judge] = {
    "will": lambda g, card, by: 16 * abs(by),
    "rivalry": _rivalry,
    "china": _china,
    "europe": lambda g, card, years: 4 * abs(years.get(str(g.year), 0)),
    "india": lambda g, card, by: 26 if g.india < 4 and "india" not in g.surrendered else 0,
    "points": lambda g, card, given: 4 * sum(given.values()),
    "permanent_asp": lambda g, card, by: 22,
    "arrives": lambda g, card, unit: 14,
    "ground_points": lambda g, card, given: _reduced(g, card, "ground"),
    "naval_points": lambda g, card, steps: _reduced(g, card, "naval"),
    "sextant": lambda g, card, _: 8,
    "lose_card": _needs_b29,
    "delay_allies": lambda g, card, _: 12,
    "submarine_doctrine": lambda g, card, _: 4 + 6 * g.escort,
    "doctrine": lambda g, card, _: 12,
    "interceptors": lambda g, card, _: 6,
    "pt_boats": lambda g, card, _: 12 if g.barges == "on" else 3,
    "air_loss": lambda g, card, _: 8,
    "hump": lambda g, card, _: 6,
    "kwai": lambda g, card, _: 8,
    "doolittle": lambda g, card, _: 4,
    "soviets": lambda g, card, _: 60,
}


def event_worth(g: State, card: Card) -> int:
    """Points on the scale of hexes taken; 0 for an event that cannot be played."""
    if why_no_event(g, card):
        return 0
    value = sum(judge(g, card, card.data[key]) for key, judge in WORTH.items() if key in card.data)
    return value + 4 * card.draw


def _reduced(g: State, card: Card, kind: str) -> int:
    """Five for each unit of the kind that could use a step, two at most."""
    mine = ALLIES if card.side == ALLIES else JAPAN
    weak = sum(g.pieces[u].reduced and bool(g.counter(u).replaced_by) for u in g.on_map(mine) if g.counter(u).kind == kind)
    return 5 * min(2, weak)
