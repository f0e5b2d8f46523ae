"""What is counted, and the standing orders with which."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem import games
from pbem.kernel.canon import Plain
from tests.mails.counting import Standing, Stretch, count

PACIFIC, EMPIRE, NEXT, WAR = "axis-and-allies-pacific", "empire-of-the-sun", "next-war", "pacific-war"
SEALED = {"forces": "sealed", "land": "sealed", "points": "sealed"}


def _played(card: Any) -> int:
    """Cards that have been played: what stands on the discard piles and out of play."""
    return sum(len(pile[side]) for pile in (card.discards, card.out_of_play) for side in pile)


def _operation(g: Any) -> list[Plain]:
    return [g.month, str(g.operation.start) if g.operation is not None else ""]


def _days(scenario: str, what: str, most: int = 99) -> Stretch:
    return Stretch(WAR, scenario, what, lambda g: g.cycle, most, "cycles", lambda g: g.cycle)


def _month(what: str, **options: Any) -> Stretch:
    return Stretch(WAR, "guadalcanal", what, lambda g: -g.month, 1, "operations", _operation, options)


STRETCHES = (
    Stretch(PACIFIC, "spring-1940", "3 rounds", lambda g: g.round, 3, "power turns", lambda g: [g.round, g.power]),
    *(
        Stretch(EMPIRE, name, "a turn", lambda g: g.turn, 1, "cards", _played)
        for name in ("year-1942", "year-1943", "year-1944", "south-pacific", "burma", "campaign-1941")
    ),
    *(
        Stretch(NEXT, name, "turn 1", lambda g: g.turn, 1, "segments", lambda g: [g.turn, g.moment])
        for name in ("training", "gap", "wonsan", "korea")
    ),
    *(_days(name, "the whole") for name in ("savo-island", "santa-cruz", "midway", "pearl-harbor")),
    _days("coral-sea", "9 cycles", 9),
    _month("August"),
    _month("August, all sealed", **SEALED),
)


def _set(name: str) -> Callable[[str], Standing]:
    return lambda system: games.load(system).sets()[name]


WAYS: Mapping[str, Callable[[str], Standing]] = {
    "none": lambda system: {},
    "usual": _set("usual"),
    "careful": _set("careful"),
    "bold": _set("bold"),
}


def played(arguments: Mapping[str, Plain]) -> Plain:
    """A job of `pbem.batch`: the game of a `seed` of the stretch by its `scenario` and `what`, in a `way`; the count, plain."""
    scenario, what, seed = arguments["scenario"], arguments["what"], arguments["seed"]
    assert isinstance(seed, int)
    (stretch,) = (s for s in STRETCHES if (s.scenario, s.what) == (scenario, what))
    name, *more = str(arguments["way"]).split("+")
    held = games.load(stretch.system).own_usual if "holds" in more else {}
    wanted = WAYS[name](stretch.system)
    return count(stretch, seed, wanted, plans="plans" in more, waits="waits" in more, held=held).plain
