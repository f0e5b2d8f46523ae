"""What a plan may be made for, and the public facts that its conditions name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.games.axis_and_allies_pacific.movement import COMBAT_VERBS, NONCOMBAT_VERBS
from pbem.games.axis_and_allies_pacific.state import SIDES, State
from pbem.kernel.questions import DONE

PLANNABLE: Mapping[str, tuple[str, ...]] = {
    "purchase": ("buy", "repair", DONE),
    "combat-move": COMBAT_VERBS,
    "noncombat-move": NONCOMBAT_VERBS,
    "mobilize": ("place", DONE),
}
HELD, FELL, AT = "-held-by", "-fell", "-at-"
OWN, ENEMY = "own", "enemy"


class PlanFacts(Mapping[str, int | str | bool]):
    """The facts of one seat, each computed when it is looked up.

    `round`; `PLACE-held-by`, the power that controls a territory; `PLACE-fell`, whether that is another one than when this
    turn began; `own-at-PLACE`, `enemy-at-PLACE`, `own-TYPE-at-PLACE`, `enemy-TYPE-at-PLACE`, numbers of units of the seat
    and of the other side.
    """

    def __init__(self, g: State, power: str) -> None:
        self._g, self._power = g, power

    def __getitem__(self, name: str) -> int | str | bool:
        g, name = self._g, name.lower()
        if name == "round":
            return g.round
        if name.endswith(HELD):
            return g.control[name.removesuffix(HELD)]
        if name.endswith(FELL):
            place = name.removesuffix(FELL)
            return g.control[place] != g.start.control.get(place, g.control[place])
        whose, kind, place = self._parted(name)
        units = [u for u in g.at(place) if kind in ("", u.type)]
        if whose == OWN:
            return sum(u.owner == self._power for u in units)
        return sum(u.owner in SIDES and SIDES[u.owner] != SIDES[self._power] for u in units)

    def _parted(self, name: str) -> tuple[str, str, str]:
        """Whose units, of which type ("": any), where. Raises KeyError for a name that is none."""
        what, at, place = name.partition(AT)
        whose, _, kind = what.partition("-")
        known = not kind or kind in self._g.board.types
        if whose not in (OWN, ENEMY) or not at or place not in self._g.board.neighbours or not known:
            raise KeyError(name)
        return whose, kind, place

    def __iter__(self) -> Iterator[str]:
        board = self._g.board
        yield "round"
        yield from (place + end for place in board.territories for end in (HELD, FELL))
        for whose in (OWN, ENEMY):
            yield from (whose + AT + place for place in board.neighbours)
            yield from (f"{whose}-{kind}{AT}{place}" for kind in board.types for place in board.neighbours)

    def __len__(self) -> int:
        return sum(1 for _ in self)
