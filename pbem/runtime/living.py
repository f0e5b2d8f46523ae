"""A file being written on one table that goes on: an order that is accepted costs itself, undoing plays the file anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit, Simultaneous
from pbem.kernel.orders import Rejected, judged
from pbem.kernel.questions import DONE
from pbem.runtime import standing_orders
from pbem.runtime.asked import question_of
from pbem.runtime.composing import Composed, Draft, Salt, Secrets, compose, spelled_out
from pbem.runtime.contents import Fetch
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused


class Place(Struct, frozen=True):
    """The question that an order answered, for comparison with the next one."""

    ask: Ask | Commit
    cursor: str
    series: bool
    takes_done: bool


class Passed(Struct, frozen=True):
    """A question that its default answers, and the table at it."""

    table: Table
    ask: Ask


class Living:
    """The table behind the orders so far. What it says is what `compose` of the same orders says."""

    def __init__(self, start: Table, secrets: Secrets, fetch: Fetch, salt: Salt, draft: Draft) -> None:
        self.start, self._secrets, self._fetch, self._salt = start, secrets, fetch, salt
        self._draft = draft  # its orders do not count
        self.orders: list[Plain] = []
        self.places: list[Place | None] = []
        self._composed = self.compose()
        self._goes_on = self._is_settled(self._composed)

    @property
    def table(self) -> Table:
        """The table behind the last order."""
        return self._composed.table

    @property
    def sealed(self) -> dict[str, dict[str, Any]]:
        """What these orders have sealed."""
        return self._composed.sealed

    def compose(self, orders: Sequence[Plain] = (), stops: bool = False) -> Composed:
        """The file with these orders, from the beginning. Raises Refused, ProtocolError."""
        draft = replace(self._draft, orders=[*orders])
        return compose(self.start, self._secrets, draft, self._fetch, self._salt, stops)

    def passed(self) -> list[Passed]:
        """The questions behind the orders that a default answers, while an order would come before it.

        An order answers the first of them that takes its verb: of questions with the same verbs the first one stands here.
        """
        if all(fired.by != "default" for fired in self.table.ledger.fired[len(self.start.ledger.fired) :]):
            return []
        composed, found = self.compose(self.orders, stops=True), list[Passed]()
        table, known = composed.table, set[str]()
        while table.no_die_is_known:
            ask = question_of(table, self._secrets.player)
            if not isinstance(ask, Ask) or ask is not table.engine.request or ask.default is None:
                break
            if not known.issuperset(ask.verbs) or not ask.verbs:
                found.append(_at_rest(table))
                known.update(ask.verbs)
            if not ask.verbs:
                break  # it takes whatever is ordered
            standing_orders.let_pass(table, ask, composed.hand)
            table.advance(composed.hand)
        return found

    def add(self, order: Plain) -> None:
        """One more order. Raises Refused, ProtocolError; then nothing has changed."""
        place = place_of(self.table, self._secrets.player)
        if not (self._goes_on and place is not None and isinstance(place.ask, Ask) and self._advance(order)):
            self._composed = self.compose([*self.orders, order])
            self._goes_on = self._is_settled(self._composed)
        self.orders.append(order)
        self.places.append(place)

    def _advance(self, order: Plain) -> bool:
        """The order taken by the table as it stands; False where the file has to be played anew. Raises Refused."""
        table, hand = self.table, self._composed.hand
        spelled = spelled_out(self.start, self._secrets, replace(self._draft, orders=[order])).orders[0]
        if table.due.what != "orders" or isinstance(table.engine.request, Simultaneous):
            return False
        assert isinstance(table.engine.request, Ask)
        try:
            judged(table.engine.request.read, spelled)
        except Rejected as wrong:
            raise Refused(list(wrong.at(len(self.orders)).problems)) from None
        fired = len(table.ledger.fired)
        hand.orders.append(spelled)
        try:
            table.advance(hand)
            sound = not hand.problems and not hand.has_orders
        except Exception:
            sound = False
        if not sound:
            self._restore()
            return False
        self._goes_on = len(table.ledger.fired) == fired
        return True

    def _restore(self) -> None:
        """The table as it was: something that was no plain acceptance has touched it."""
        self._composed = self.compose(self.orders)
        self._goes_on = False

    def _is_settled(self, composed: Composed) -> bool:
        """Nothing was answered by what is in force behind the last order: a further order could have come before it."""
        return len(composed.table.ledger.fired) == len(self.start.ledger.fired)


def _at_rest(table: Table) -> Passed:
    """The question of a table that goes on, on a copy that does not."""
    copy = table.fork()
    assert isinstance(copy.engine.request, Ask)
    return Passed(copy, copy.engine.request)


def place_of(table: Table, player: str) -> Place | None:
    """What a table asks of a player now; None while it waits for dice or somebody else."""
    ask = question_of(table, player)
    if ask is None:
        return None
    takes_done = isinstance(ask, Ask) and DONE in ask.verbs
    series = isinstance(ask, Ask) and ask.series
    return Place(ask, str(table.engine.state.running), series, takes_done)


def is_surplus(before: Place | None, order: Plain, now: Place | None, previous: Plain) -> bool:
    """A `done` right behind an order with which its series ended by itself, such as a purchase with the last money.

    Its segment is over then; a question within the series is another matter.
    """
    if order != DONE or previous == DONE or before is None or now is None:
        return False
    return before.series and now.takes_done and before.cursor != now.cursor


def is_too_late(before: Place | None, order: Plain, table: Table, previous: Plain) -> bool:
    """A `done` right behind an order with which its series ended by itself, and nothing more is asked of the player.

    Where dice or another player come within the segment, it goes on behind them: such a `done` is too early.
    """
    if order != DONE or previous == DONE or before is None:
        return False
    return before.series and before.cursor != str(table.engine.state.running)
