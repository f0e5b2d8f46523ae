"""Orders of a file that stand behind a die or somebody else's answer: the steps of a plan that could hold them.

The game is played on with drawn dice, as it is to count files; each question that a plan may answer takes the next order if it
is allowed there. So the order of the entries stays, and what no foreseen question takes stays where it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from msgspec import Struct, field
from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.orders import Rejected, judged, verb_of
from pbem.kernel.questions import DONE
from pbem.kernel.wording import NO_WORDS, Message
from pbem.runtime import phases, planned, typed
from pbem.runtime.ahead import Drawn, drawn_from, go_on
from pbem.runtime.asked import question_of
from pbem.runtime.counting import Course
from pbem.runtime.desk import Desk
from pbem.runtime.guessing import Guessed
from pbem.runtime.paper import Paper
from pbem.runtime.planned import name_of, seat_of
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused

TRIED = 4  # numbers of dice
MOST = 300  # requests on the way


class Behind(Struct, frozen=True):
    """The entries from `first` on (counted from 0) cannot be given yet; the first `count` of them could be these steps.

    `parted`: an entry that is several orders, of which only the first can be given, and these orders; others count from there.
    """

    first: int
    count: int
    rest: int
    steps: tuple[dict[str, Plain], ...]
    why: Message = NO_WORDS  # the entry behind them is refused by the last question that has its verb
    parted: tuple[int, tuple[Plain, ...]] | None = None

    @property
    def is_whole(self) -> bool:
        """All of them can go into a plan."""
        return self.count == self.rest


def moved(paper: Paper, found: Behind) -> Paper:
    """The text with these entries in its plan."""
    if found.parted is not None:
        at, orders = found.parted
        paper = paper.without(at).adding(orders, at)
    return paper.without(found.first, found.count).saying("plan", [*paper.draft.plan, *found.steps])


class _Placing(Struct):
    """Entries that go, one after the other, to the questions that take them."""

    drawn: Drawn
    desk: Desk
    secrets: Guessed
    entries: list[list[Plain]]  # what is left of each
    given: list[tuple[int, dict[str, Plain], Plain]] = field(default_factory=list)  # entry, head of the step, order
    count: int = 0
    why: Message = NO_WORDS  # the last order looked at is not allowed

    def asked(self, table: Table) -> Plain:
        """The order that the one who is asked gives at a table; None: none of these."""
        ask = question_of(table, self.desk.player)
        if ask is None:
            return None
        order = self.put(ask)
        return {"seal": order} if order is not None and isinstance(ask, Commit) else order

    def decided(self, ask: Ask) -> Plain:
        """The same of a decision that several make at once, which is sealed."""
        mine = ask.seat in self.desk.table.charter.seats_of(self.desk.player)
        return self.put(ask, sealed=True) if mine else None

    def put(self, ask: Ask | Commit, *, sealed: bool = False) -> Plain:
        """The next order, if this question takes it and a plan may answer it; noted as a step, or in one."""
        game, state, at = self.drawn.game, self.drawn.engine.state, name_of(ask)
        later = game.stretches_since(state, game.stretch(self.desk.start.engine.state))
        if not self.entries or at not in game.plannable_here(state) or self._is_planned(ask):
            return None
        orders = next(iter(self._readings(ask, self.entries[0])), None)
        if orders is None:
            return None
        seat = "" if ask.seat == seat_of(self.desk.start.engine.request) else ask.seat
        head: dict[str, Plain] = {"at": at, "seat": seat, "later": later, "sealed": sealed}
        self.given.append((self.count, {key: value for key, value in head.items() if value}, orders[0]))
        self.entries[0] = orders[1:]
        if not self.entries[0]:
            del self.entries[0]
            self.count, self.why = self.count + 1, NO_WORDS
        return orders[0]

    def steps(self) -> tuple[dict[str, Plain], ...]:
        """Those of whole entries: orders for one question one behind the other, what stays sealed each by itself."""
        made: list[tuple[dict[str, Plain], list[Plain]]] = []
        for entry, head, order in self.given:
            if entry >= self.count:
                break
            if made and made[-1][0] == head and not planned.stays_shut(head):
                made[-1][1].append(order)
            else:
                made.append((head, [order]))
        return tuple({**head, "do": orders} for head, orders in made)

    def _is_planned(self, ask: Ask | Commit) -> bool:
        """A step that the file has already is for this question."""
        held = planned.in_force(self.drawn, self.desk.player)
        return held is not None and any(planned.due_steps(self.drawn, held, ask.seat, name_of(ask)))

    def _readings(self, ask: Ask | Commit, orders: Sequence[Plain]) -> Iterator[list[Plain]]:
        """The ways to read an entry that this question takes."""
        order, *rest = orders
        if words := phases.named_by(order):
            if phases.phases_of(self.drawn.game, words, ask.kind) != [ask.kind]:
                return
            order = DONE
        verbs = self.drawn.game.plannable[name_of(ask)]
        found: list[tuple[Plain, ...]] = [(order,)]
        unread = NO_WORDS
        try:
            found += typed.readings_at(self.drawn, ask, order, self.secrets.reveal)
        except Refused as refused:
            unread = refused.told
        for first, *more in found:
            if verb_of(first) in verbs and self._stands(ask, first):
                yield [first, *more, *rest]
        self.why = unread or self.why

    def _stands(self, ask: Ask | Commit, order: Plain) -> bool:
        def read(one: Plain) -> None:
            if isinstance(ask, Commit):
                ask.check(one, self.secrets.reveal)
            else:
                ask.read(one)

        try:
            judged(read, order)
        except Rejected as wrong:
            self.why = wrong.told
            return False
        return True


def behind(desk: Desk) -> Behind | None:
    """What a plan could hold of the orders that cannot be given yet; None where there are none, or nothing takes the first.

    A plan needs an order that stands: its file has to be taken.
    """
    parted = _parted(desk)
    if parted is None:
        return _behind(desk)
    at, orders = parted
    found = _behind(desk.parted(at, orders))
    return replace(found, parted=parted) if found is not None else None


def _parted(desk: Desk) -> tuple[int, tuple[Plain, ...]] | None:
    """The first entry that does not stand, if it is several orders of which the first do; and these orders."""
    ask, (at, rest) = question_of(desk.table, desk.player), desk.not_played
    if desk.sheet.trouble is None or not isinstance(ask, Ask) or not rest:
        return None
    with suppress(Refused):
        for orders in typed.readings_at(desk.table, ask, rest[0]):
            if len(orders) > 1 and desk.parted(at, orders).not_played[0] > at:
                return at, orders
    return None


def _behind(desk: Desk) -> Behind | None:
    trouble, (first, rest) = desk.sheet.trouble, desk.not_played
    over = desk.table.result is not None or question_of(desk.table, desk.player) is not None or _fits_what_passed(desk, rest)
    if trouble is None or trouble.unread or over or not desk.sheet.orders or not desk.table.game.plannable:
        return None
    found: Behind | None = None
    for number in range(TRIED):
        tried = _placed(desk, rest, number)
        if tried.count > (found.count if found is not None else 0):
            found = Behind(first, tried.count, len(rest), tried.steps(), tried.why)
        if tried.count == len(rest):
            break
    return found


def _fits_what_passed(desk: Desk, rest: Sequence[Plain]) -> bool:
    """The first entry is for a question that its default answers behind the orders, and is wrong there."""
    verbs = list(dict.fromkeys(verb for ask in desk.sheet.passed for verb in ask.verbs))
    return bool(rest) and verb_of(typed.with_verb(rest[0], verbs)) in verbs


def _placed(desk: Desk, rest: Sequence[Plain], number: int) -> _Placing:
    """As many of these entries as find their questions with these dice."""
    drawn = drawn_from(desk.table, number)
    older = planned.in_force(drawn, desk.player)
    if older is not None and not desk.wanted.plan:
        older.over = True  # the plan that is looked for would take its place
    placing = _Placing(drawn, desk, Guessed(desk.knowledge_at(drawn).reveal), [[order] for order in rest])
    course = Course(drawn, placing.secrets, placing.asked, placing.decided)
    stretch = drawn.game.stretch(desk.start.engine.state)
    go_on(drawn)
    for _ in range(MOST):
        is_over = drawn.game.stretches_since(drawn.engine.state, stretch) is None  # no plan reaches so far
        if is_over or not placing.entries or not course.goes_on():
            break
    return placing
