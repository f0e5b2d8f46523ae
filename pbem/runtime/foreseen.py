"""Steps of a plan that are sealed for good, judged before they are: played on to their questions by what their owner knows.

One that is not allowed when it is due lapses without a word, for it is sealed by then. Here the game is played on as the plan
wants it, with middling dice; what the other side hides or answers is taken as the rules have it for silence. So a doubt is no
certainty; most of what is wrong (ships, points, places) does not change until then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

from pbem.kernel import plans, standing
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Engine
from pbem.kernel.flow import Ask, Claim, Commit, Open, PrivateRoll, Request, Roll, Simultaneous
from pbem.kernel.orders import Rejected, judged
from pbem.kernel.wording import Message
from pbem.runtime.ahead import quiet_first
from pbem.runtime.guessing import Guessed, NoGuess, by_silence
from pbem.runtime.knowledge import Knowledge, Unknown
from pbem.runtime.table import Table

MOST = 120  # requests on the way
GUESSES: Sequence[Plain] = (True, False, 0, "", [], {})  # of what the other side states


class _Course(Struct):
    """The game played on for one player."""

    table: Table
    engine: Engine
    secrets: Guessed
    seats: Sequence[str]
    steps: list[dict[str, Plain]]
    used: list[int]
    stretch: Plain
    given: dict[str, Plain]  # of the decision that is being made by several
    guessed: bool = False  # something that the other side states

    def planned(self, kind: str, ask: Ask | Commit) -> tuple[int, Plain] | None:
        """The next step for a question, and its first order."""
        game, state = self.table.game, self.engine.state
        facts, now = game.facts(state, ask.seat), game.stretches_since(state, self.stretch)
        for n, step in enumerate(self.steps):
            when, do, used = str(step.get("when") or ""), step.get("do"), self.used[n]
            if step.get("at") != kind or plans.later_of(step) != now or not isinstance(do, list) or not 0 <= used < len(do):
                continue
            if used or not when or standing.holds(when, facts):
                self.used[n] += 1
                return n, do[used]
        return None

    # -- answers, each the first of these that stands ------------------------------------------------------------------------

    def answers(self, request: Request) -> Iterator[Plain]:
        """What a request may be answered; nothing where that cannot be guessed. Raises Unknown, NoGuess, _Refused."""
        match request:
            case Ask():
                yield from self._orders(request)
            case Simultaneous():
                given, self.given = self.given, {}
                yield {ask.seat: self._together(ask, given) for ask in request.asks}
            case Roll():
                yield [(request.sides + 1) // 2] * request.dice
            case PrivateRoll():
                yield self.secrets.keep(request.seat, [(request.sides + 1) // 2] * request.dice)
            case Open():
                yield self.secrets.reveal(request.handle)
            case Claim() if request.seat in self.seats:
                yield request.truth(self.secrets.reveal)
            case Claim():
                yield from GUESSES
            case Commit():
                yield self.secrets.keep(request.seat, self._sealed(request))

    def _together(self, ask: Ask, given: Mapping[str, Plain]) -> Plain:
        """The decision of a seat: as it was given before, as planned, or as the rules have it for silence."""
        if ask.seat in given:
            return given[ask.seat]
        mine = self.planned(ask.kind, ask) if ask.seat in self.seats else None
        return ask.default if mine is None else mine[1]

    def _orders(self, ask: Ask) -> Iterator[Plain]:
        mine = self.planned(ask.kind, ask) if ask.seat in self.seats else None
        if mine is not None:
            yield mine[1]
        listed = (ask.forced, ask.default, ask.idle)
        yield from (order for order in listed if order is not None)
        yield from quiet_first([*ask.options()])

    def _sealed(self, ask: Commit) -> Plain:
        """What is hidden: as planned, if it is allowed, or as the rules have it for silence. Raises _Refused, NoGuess."""
        mine = self.planned(plans.HIDDEN + ask.kind, ask) if ask.seat in self.seats else None
        if mine is not None:
            try:
                judged(lambda order: ask.check(order, self.secrets.reveal), mine[1])
            except Rejected as why:
                raise _Refused(mine[0], why.told) from None
            return mine[1]
        return by_silence(ask)


class _Refused(Exception):
    """A step is not allowed where it is due."""

    def __init__(self, step: int, why: Message) -> None:
        super().__init__()
        self.step, self.why = step, why


def doubts(table: Table, player: str, knowledge: Knowledge, steps: Sequence[Plain]) -> list[tuple[int, Message]]:
    """The first step, counted from 1, that its owner's program would have to call unlawful, and why; none where none is met.

    `table`: behind the file that brings the steps.
    """
    planned = [dict(step) for step in steps if isinstance(step, dict)]
    held = table.ledger.plans[-1] if table.ledger.plans else None
    hidden = any(str(step.get("at")).startswith(plans.HIDDEN) for step in planned)
    if not hidden or held is None or held.player != player or len(held.used) != len(planned):
        return []
    seats = table.charter.seats_of(player)
    course = _Course(
        table,
        table.engine.fork(),
        Guessed(knowledge.reveal),
        seats,
        planned,
        [*held.used],
        held.stretch,
        _given(table, knowledge),
    )
    for _ in range(MOST):
        if course.engine.request is None:
            break
        try:
            if not _go_on(course):
                break
        except _Refused as found:
            return [(found.step + 1, found.why)]
    return []


def _given(table: Table, knowledge: Knowledge) -> dict[str, Plain]:
    """What seats have answered already of a decision that several make at once, as far as one knows."""
    given = dict(table.ledger.open_answers)
    for seat, handle in table.ledger.sealed_answers.items():
        with suppress(LookupError):
            given[seat] = knowledge.reveal(handle)
    return given


def _go_on(course: _Course) -> bool:
    """The pending request is answered; False where nothing that is tried stands."""
    request = course.engine.request
    assert request is not None
    with suppress(Unknown, NoGuess):
        return any(_stands(course, answer) for answer in course.answers(request))
    return False


def _stands(course: _Course, answer: Plain) -> bool:
    """The pending request is answered with this. Raises NoGuess where the rules come to nothing with what was guessed."""
    request = course.engine.request
    guess = isinstance(request, Claim) and request.seat not in course.seats
    engine = course.engine.fork() if guess else course.engine
    try:
        engine.reply(answer)
    except Rejected:
        return False
    except Exception as broken:  # what is guessed of hidden things can break any rule
        if guess:
            return False
        if course.guessed:
            raise NoGuess from broken
        raise
    course.engine, course.guessed = engine, course.guessed or guess
    return True
