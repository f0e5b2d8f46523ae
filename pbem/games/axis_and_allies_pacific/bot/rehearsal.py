"""A copy of the position on which the bot tries its orders out before it gives them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from pbem.bots.operation import Operation
from pbem.games.axis_and_allies_pacific.bot.rescue import lost
from pbem.games.axis_and_allies_pacific.movement import carry_out, read_combat, read_noncombat
from pbem.games.axis_and_allies_pacific.moves import COMBAT, NONCOMBAT
from pbem.games.axis_and_allies_pacific.politics import declare, declaring
from pbem.games.axis_and_allies_pacific.state import State
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Roll
from pbem.kernel.hashing import canonical_record
from pbem.kernel.images import Image, image
from pbem.kernel.orders import Rejected
from pbem.kernel.questions import DONE


def position(g: State) -> str:
    """A position by its content: the same in every copy of it."""
    return hashlib.sha256(canonical_record(g)).hexdigest()


class Rehearsal:
    """Orders of one phase, carried out on a copy (`g`); dice in it never hit."""

    def __init__(self, g: State, power: str) -> None:
        self.power, self.orders, self.board = power, list[Plain](), g.board
        self.places = list[str]()  # the position after each order
        self.chosen = list[Operation]()  # the operations that they carry out, as far as the planner has noted them
        self.phase = COMBAT if g.phase == "combat-move" else NONCOMBAT
        self._take(image(g))

    def _take(self, kept: Image[State]) -> None:
        self.g: State = kept.record()
        self.g.board = self.board

    def attempt(self, orders: Sequence[Plain], serves: Callable[[State], bool] = lambda g: True) -> bool:
        """All of these orders or none; none either when the combat moves could not be ended after them as before, when they
        take a deck that somebody in the air needs, or when the position after them does not serve.
        """
        kept, number = image(self.g), len(self.orders)
        could_end, given_up = self.phase == COMBAT and self.may_end(), self._lost()
        for order in orders:
            if not self.give(order):
                return self._undo(kept, number)
        spoilt = (could_end and not self.may_end()) or self._lost() > given_up
        return self._undo(kept, number) if spoilt or not serves(self.g) else True

    def _lost(self) -> int:
        return lost(self.g, self.power) if self.phase == NONCOMBAT else 0

    def _undo(self, kept: Image[State], number: int) -> bool:
        """Back to the position after so many orders."""
        self._take(kept)
        del self.orders[number:], self.places[number:]
        return False

    def may_end(self) -> bool:
        """Whether the phase could end here."""
        try:
            if self.phase == COMBAT:
                read_combat(self.g, self.power, DONE, bool(self.orders), 0)
            else:
                read_noncombat(self.g, self.power, DONE)
        except Rejected:
            return False
        return True

    def give(self, order: Plain) -> bool:
        """One order, if it is legal."""
        try:
            if self.phase == COMBAT:
                verb, body = read_combat(self.g, self.power, order, bool(self.orders), 0)
            else:
                verb, body = read_noncombat(self.g, self.power, order)
        except Rejected:
            return False
        if verb == "declare war":
            declare(self.g, self.power, body, declaring(self.power))
        elif verb != DONE:
            self._run(verb, body)
        self.orders.append(order)
        self.places.append(position(self.g))
        return True

    def _run(self, verb: str, body: object) -> None:
        flow = carry_out(self.g, self.power, verb, body, self.phase)
        try:
            request = next(flow)
            while True:
                request = flow.send((6,) * request.dice if isinstance(request, Roll) else None)
        except StopIteration:
            return
