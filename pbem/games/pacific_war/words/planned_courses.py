"""[PW-MOV-14] What everybody can see of a planned course before it is due: a hex that is not the next one, and one too many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pbem.games.pacific_war.orders import read_place
from pbem.games.pacific_war.sea.movement import place_of
from pbem.games.pacific_war.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.orders import Rejected
from pbem.kernel.plans import later_of
from pbem.kernel.wording import Message, linked, msg

SAIL, APPROACH = "sail", "contact"
HEXES = 2  # of a Movement Phase, of which each side has one in a battle cycle


def doubts(g: State, seat: str, plan: Sequence[Plain]) -> Iterator[tuple[int, Message]]:
    """The numbers of steps that cannot be carried out as they are written, one reason each.

    Courses are followed from where ships are seen to be. Behind a step with a condition nobody knows where they are.
    """
    steps = [(n, s) for n, s in enumerate(plan, 1) if isinstance(s, dict) and s.get("seat", seat) == seat]
    voyage, hexes = Voyage(g), Counter[int]()
    for n, step in sorted(steps, key=lambda s: later_of(s[1])):
        orders, sure = step.get("do"), "when" not in step
        if step.get("at") not in (SAIL, APPROACH) or not isinstance(orders, list):
            continue
        wrong = voyage.follow(orders, sure)
        if step["at"] == SAIL:
            planned = len(orders) + (hexes[later_of(step)] if sure else 0)
            hexes[later_of(step)] += len(orders) if sure else 0
            if planned > HEXES:
                wrong = msg("ships move two hexes in a battle cycle; {n} orders are planned for this one", n=planned)
        if wrong is not None:
            yield n, wrong


class Voyage:
    """Where task forces and submarines will be, as far as a plan says so."""

    def __init__(self, g: State) -> None:
        self._g, self._at = g, dict[str, int]()
        self._unknown = set[str]()

    def follow(self, orders: Sequence[Plain], sure: bool) -> Message | None:
        """The first hex of these orders that is not next to the one before. `sure`: they are carried out in any case."""
        before, wrong = dict(self._at), None
        moved = [(who, goal) for order in orders for who, goal in _moves(self._g, order)]
        for who, goal in moved:
            start = self._at.get(who, place_of(self._g, who))
            if who not in self._unknown and goal not in self._g.board.near(start):
                names = {"origin": self._g.board.name(start), "place": self._g.board.name(goal)}
                wrong = wrong or linked(": ", who, msg("{place} is not next to {origin}", **names))
            self._at[who] = goal
        if not sure or wrong is not None:
            self._at = before
            self._unknown |= {who for who, _ in moved}
        return wrong


def _moves(g: State, order: Plain) -> Iterator[tuple[str, int]]:
    """Who sails where by an order; what cannot be read is judged when it is due."""
    body = order.get(SAIL) if isinstance(order, dict) else None
    for who, where in body.items() if isinstance(body, dict) else ():
        if who in g.markers or (who in g.units and g.counter(who).type == "SS"):
            try:
                yield who, read_place(g, where)
            except Rejected:
                continue
