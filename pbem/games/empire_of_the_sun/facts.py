"""The public facts that conditions of plans, holds and standing orders name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from pbem.games.empire_of_the_sun.board import Board
from pbem.games.empire_of_the_sun.state import FOE, State
from pbem.kernel.canon import Plain
from pbem.kernel.memo import boards

AT, OF = "-at-", "-of-"
HOLDER, PLACE, STEPS = "holder", "place", "steps"
OWN, ENEMY = "own", "enemy"
KINDS = ("air", "naval", "ground", "hq")
NOBODY = "nobody"
_ORDINAL = re.compile(r"\b([0-9]+)(?:st|nd|rd|th)\b")
_NO_WORD = re.compile(r"[^a-z0-9]+")


class PlanFacts(Mapping[str, int | str | bool]):
    """The facts of one side, each computed when it is looked up.

    `turn`; of the offensive under way `condition` (surprise, intercept, ambush), `card`, `reactors` (units that react),
    `battle` (the hex that is fought for): nobody and 0 where there is none. `holder-of-PLACE`, the side that controls a hex;
    `own-at-PLACE`, `enemy-at-PLACE`, `own-KIND-at-PLACE`, `enemy-KIND-at-PLACE`, numbers of units on the map.
    `place-of-UNIT`, the hex of a unit, and `steps-of-UNIT`, both 0 off the map.
    """

    def __init__(self, g: State, side: str) -> None:
        self._g, self._side = g, side

    def __getitem__(self, name: str) -> int | str | bool:
        name = name.lower()
        if name in _OFFENSIVE:
            return _OFFENSIVE[name](self._g)
        what, of, thing = name.partition(OF)
        if of and what == HOLDER:
            return self._g.control.get(self._places[thing], NOBODY)
        if of and what in (PLACE, STEPS):
            unit = self._units[thing]
            piece = self._g.pieces[unit]
            return 0 if piece.box != "map" else piece.at if what == PLACE else self._g.steps(unit)
        what, at, place = name.partition(AT)
        whose, _, kind = what.partition("-")
        if not at or whose not in (OWN, ENEMY) or (kind and kind not in KINDS):
            raise KeyError(name)
        side = self._side if whose == OWN else FOE[self._side]
        return len(self._g.mine_at(side, self._places[place], *([kind] if kind else [])))

    @property
    def _places(self) -> Mapping[str, int]:
        return boards(self._g.board, places_by_word)

    @property
    def _units(self) -> Mapping[str, str]:
        return boards(self._g.board, units_by_word)

    def __iter__(self) -> Iterator[str]:
        yield from _OFFENSIVE
        for place in self._places:
            yield f"{HOLDER}{OF}{place}"
            for whose in (OWN, ENEMY):
                yield f"{whose}{AT}{place}"
                yield from (f"{whose}-{kind}{AT}{place}" for kind in KINDS)
        yield from (f"{what}{OF}{unit}" for unit in self._units for what in (PLACE, STEPS))

    def __len__(self) -> int:
        return len(_OFFENSIVE) + len(self._places) * (1 + 2 * (1 + len(KINDS))) + 2 * len(self._units)


_OFFENSIVE: Mapping[str, Callable[[State], int | str]] = {
    "turn": lambda g: g.turn,
    "condition": lambda g: g.offensive.condition if g.offensive is not None else NOBODY,
    "card": lambda g: g.offensive.card.lower() if g.offensive is not None else NOBODY,
    "reactors": lambda g: len(g.offensive.reactors) if g.offensive is not None else 0,
    "battle": lambda g: g.fight.hex if g.fight is not None else 0,
}


def stretch(g: State) -> list[Plain]:
    """[4.22] The play of a card: turn, cards that lie on piles, and those that events have brought in this phase.

    A reshuffle within an offensive, which makes piles smaller, comes with such a card: no two plays of a turn are alike.
    """
    played = sum(len(pile) for piles in (g.discards, g.out_of_play) for pile in piles.values())
    return [g.turn, played, sum(g.extra.values())]


def places_by_word(board: Board) -> dict[str, int]:
    """Hexes by number, by name and by each half of a double name, where only one has it."""
    found = {f"{h:04}": h for h in board.hexes}
    named = [(word, h) for h, x in board.hexes.items() if x.name for word in _words(x.name)]
    counted = [word for word, _ in named]
    return found | {word: h for word, h in named if counted.count(word) == 1}


def _words(name: str) -> list[str]:
    return list(dict.fromkeys(word for part in (name, *re.split(r"[/(]", name)) if (word := _one_word(part))))


def _one_word(text: str) -> str:
    return _NO_WORD.sub("-", text.lower()).strip("-")


def units_by_word(board: Board) -> dict[str, str]:
    """Units by their ids, `1st` written as `1`."""
    return {_one_word(_ORDINAL.sub(r"\1", unit)): unit for unit in board.counters}
