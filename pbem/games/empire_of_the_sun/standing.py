"""Where units stand: by side and by hex, made anew only for those that have moved, and what follows from that alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Protocol, TypeVar

from msgspec import Struct

from pbem.games.empire_of_the_sun.board import Board
from pbem.games.empire_of_the_sun.fields import Field

T = TypeVar("T")
Known = dict[Any, Any]
SIDES = ("japan", "allies")
Depends = Literal["presence", "watched", "places"]  # on who is on the map; where all but plain warships stand; where all stand


class HasPlace(Protocol):
    """What has a place: a piece."""

    @property
    def at(self) -> int: ...

    @property
    def box(self) -> str: ...


class Standing(Struct, frozen=True, eq=False):
    """Units on the map and their hexes. It holds for as long as nobody moves; `known` is what follows from it."""

    board: Board
    order: Mapping[str, int]  # of the pieces
    places: Mapping[str, int]
    hexes: Mapping[str, Mapping[int, list[str]]]  # by side
    ashore: Mapping[str, Field]  # by side: where it has units other than ships
    known: Mapping[Depends, Known]

    def of(self, depends: Depends, key: Any, make: Callable[[], T]) -> T:
        """Something that depends on nothing else, found once."""
        known = self.known[depends]
        if key not in known:
            known[key] = make()
        found: T = known[key]
        return found

    def on_map(self, side: str | None) -> list[str]:
        """Units on the map, one side's or all, in the order of the pieces."""
        known = self.known["presence"]
        if side not in known:
            here, counters = self.places, self.board.counters
            known[side] = [u for u in self.order if u in here and (side is None or counters[u].side == side)]
        found: list[str] = known[side]
        return found

    def field(self, side: str) -> Field:
        """The hexes in which a side has units."""
        return self.of("places", ("field", side), lambda: self.board.fields.of(self.hexes[side]))

    def after(self, pieces: Mapping[str, HasPlace], moved: Iterable[str]) -> Standing:
        """Where units stand when some of them may have moved."""
        places, hexes, ashore = dict(self.places), dict(self.hexes), dict(self.ashore)
        counters, order = self.board.counters, self.order
        lost: set[Depends] = set()
        for unit in moved:
            was, piece = places.pop(unit, None), pieces[unit]
            now = piece.at if piece.box == "map" else None
            if now is not None:
                places[unit] = now
            if was == now:
                continue
            side = counters[unit].side
            here = hexes[side] = dict(hexes[side])
            _move(here, unit, was, now, order)
            ashore[side] = self._ashore(ashore[side], here, [h for h in (was, now) if h is not None])
            lost.add("places")
            if not _plain_warship(self.board, unit):
                lost.add("watched")
            if was is None or now is None:
                lost.add("presence")
        if not lost:
            return self
        kept: dict[Depends, Known] = {d: {} if d in lost else known for d, known in self.known.items()}
        return Standing(self.board, order, places, hexes, ashore, kept)

    def _ashore(self, before: Field, units: Mapping[int, list[str]], changed: Iterable[int]) -> Field:
        """Where a side has units other than ships, when it was so before and some hexes have changed."""
        one, counters = self.board.fields.one, self.board.counters
        for place in changed:
            before &= ~one[place]
            if any(counters[u].kind != "naval" for u in units.get(place, ())):
                before |= one[place]
        return before


def standing(before: Standing | None, board: Board, pieces: Mapping[str, HasPlace]) -> Standing:
    """Where units stand now, by what is known from before."""
    if before is None or before.board is not board or [*before.order] != [*pieces]:
        order = {unit: i for i, unit in enumerate(pieces)}
        before = Standing(board, order, {}, {side: {} for side in SIDES}, dict.fromkeys(SIDES, 0), _nothing())
    return before.after(pieces, pieces)


def _nothing() -> Mapping[Depends, Known]:
    return {"presence": {}, "watched": {}, "places": {}}


def _plain_warship(board: Board, unit: str) -> bool:
    counter = board.counters[unit]
    return counter.kind == "naval" and not counter.flies


def _move(hexes: dict[int, list[str]], unit: str, was: int | None, now: int | None, order: Mapping[str, int]) -> None:
    """One unit leaves a hex and enters another."""
    if was is not None:
        left = [u for u in hexes[was] if u != unit]
        if left:
            hexes[was] = left
        else:
            del hexes[was]
    if now is not None:
        hexes[now] = sorted([*hexes.get(now, ()), unit], key=order.__getitem__)
