"""Plans that answer for their owners when the questions of later phases come up (protocol, plans)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal, TypeGuard

from pbem.kernel import plans, standing
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit, Request, Simultaneous
from pbem.kernel.orders import Rejected, judged, unreadable
from pbem.kernel.plans import Step
from pbem.kernel.standing import WhyNot
from pbem.kernel.wording import Message, msg, verbatim
from pbem.runtime import showing
from pbem.runtime.dues import Due
from pbem.runtime.hand import Hand
from pbem.runtime.ledger import Fired, PlanHeld

if TYPE_CHECKING:
    from pbem.runtime.table import Table

PASSED = -1  # in `used`: the step is passed over, for good
SEALED = "sealed"
SHOWN = ("at", "seat", "later")  # of a sealed step


def check(table: Table, player: str, steps: Sequence[Plain], *, shut: bool = True) -> None:
    """Raises Rejected for a plan that this game cannot carry out: an unknown question, seat, fact or verb.

    `shut`: what has to be sealed is, as in a file; else the steps are those that their owner wrote.
    """
    if not table.game.plannable:
        raise unreadable(msg("no plans are made in this game"))
    seats = table.charter.seats_of(player)
    for number, plain in enumerate(steps, 1):
        seat = str(plain.get("seat") or "") if isinstance(plain, dict) else ""
        where = msg("plan, step {number}", number=number)
        if seat and seat not in seats:
            raise unreadable(
                msg("{where}: {player} does not play {seat!r}", where=where, player=player, seat=seat),
                msg("one of: {words}", words=", ".join(seats)),
            )
        if isinstance(plain, dict):
            _check_later(table, where, plain)
        if isinstance(plain, dict) and SEALED in plain:
            _check_kind(table, where, plain)
        elif shut and stays_shut(plain) and plain["at"] in table.game.plannable:
            raise unreadable(msg("{where}: {at!r} has to be sealed", where=where, at=str(plain["at"])))
        else:
            read(table, number, plain, seat or seats[0])


def _check_later(table: Table, where: Message, plain: dict[str, Plain]) -> None:
    said, most = plain.get("later"), table.game.plans_ahead
    if "later" not in plain or (isinstance(said, int) and not isinstance(said, bool) and 1 <= said <= most):
        return
    if not most:
        raise unreadable(msg("{where}: in this game a plan is for its own turn alone, without `later`", where=where))
    raise unreadable(msg("{where}: `later` is a number from 1 to {most}", where=where, most=most))


def _check_kind(table: Table, where: Message, plain: dict[str, Plain]) -> None:
    """What a sealed step shows."""
    if plain.get("at") not in table.game.plannable:
        at, known = str(plain.get("at")), ", ".join(table.game.plannable)
        raise unreadable(
            msg("{where}: {at!r} is no question that can be planned for", where=where, at=at),
            msg("one of: {words}", words=known),
        )


def stays_shut(plain: Plain) -> TypeGuard[dict[str, Plain]]:
    """A step for a question whose answer is a seal: it holds the order alone, and answers unopened."""
    return isinstance(plain, dict) and str(plain.get("at")).startswith(plans.HIDDEN)


def read(table: Table, number: int, plain: Plain, seat: str) -> Step:
    """A step that lies open. Raises Rejected."""
    return plans.read_step(number, plain, table.game.plannable, table.game.facts(table.engine.state, seat))


def begin(table: Table, hand: Hand) -> None:
    """The file at hand gives its first order: from here on its plan takes the place of the older one of its player."""
    if not hand.plan:
        return
    seat, state = seat_of(table.engine.request), table.engine.state
    steps = [{"seat": seat, **step} for step in hand.plan]
    stretch = table.game.stretch(state)
    table.ledger.plans.append(PlanHeld(hand.seq, hand.player, stretch, [*steps], hand.plan_seals, [0] * len(steps)))


def seat_of(request: Request | None) -> str:
    """The seat that is asked: that of a step that names none."""
    if isinstance(request, Simultaneous):
        return request.asks[-1].seat
    assert isinstance(request, Ask | Commit)  # nothing else is answered by an order
    return request.seat


def in_force(table: Table, player: str) -> PlanHeld | None:
    """The newest plan of a player as it stood in the file that fixed the seed (rule 1), unless it is over."""
    held = [p for p in table.ledger.plans if p.player == player and p.seq <= table.ledger.source]
    return None if not held or held[-1].over or since(table, held[-1]) is None else held[-1]


def since(table: Table, held: PlanHeld) -> int | None:
    """How many stretches ago a plan was made; None: it has nothing to say any more."""
    return table.game.stretches_since(table.engine.state, held.stretch)


def lapse(table: Table) -> None:
    """Plans whose time is past are over for good."""
    for held in table.ledger.plans:
        held.over = held.over or since(table, held) is None


def due_steps(table: Table, held: PlanHeld, seat: str, kind: str) -> Iterator[tuple[int, dict[str, Plain]]]:
    """The steps for a question in this stretch that are not used up or passed over, in their order."""
    now = since(table, held)
    for at, plain in enumerate(held.steps):
        assert isinstance(plain, dict)
        meant = plain["seat"] == seat and plain["at"] == kind and plans.later_of(plain) == now
        if meant and not _is_spent(plain, held.used[at]):
            yield at, plain


def is_left(table: Table, held: PlanHeld, at: int) -> bool:
    """A step may still answer: it is neither used up nor passed over, and its stretch is not past."""
    plain, now = held.steps[at], since(table, held)
    assert isinstance(plain, dict)
    return not _is_spent(plain, held.used[at]) and now is not None and plans.later_of(plain) >= now


def _is_spent(plain: dict[str, Plain], used: int) -> bool:
    do = plain.get("do")
    return used == PASSED or (stays_shut(plain) and used > 0) or (isinstance(do, list) and used >= len(do))


def overrule(table: Table, ask: Ask | Commit, player: str, hand: Hand) -> None:
    """Who orders by hand, in a later file, what his plan would have answered has done with the plan."""
    held = in_force(table, player)
    if held is not None and held.seq < hand.seq and any(due_steps(table, held, ask.seat, name_of(ask))):
        held.over = True


def name_of(ask: Ask | Commit) -> str:
    """The question as a step names it."""
    return plans.HIDDEN + ask.kind if isinstance(ask, Commit) else ask.kind


def verbs_of_seal(table: Table, request: Commit) -> Sequence[str]:
    """Those of the orders that may be sealed in a plan for it."""
    return table.game.plannable.get(name_of(request), ())


def seal_of(table: Table, request: Commit, player: str, hand: Hand) -> str:
    """The handle of the next sealed step for a question whose answer is a seal: it answers, and nothing is opened; or "".

    Whether what it holds is allowed its owner alone can know, and says so as of any other seal.
    """
    held = in_force(table, player)
    if held is None:
        return ""
    for at, plain in due_steps(table, held, request.seat, name_of(request)):
        held.used[at] += 1
        order: Plain = {SEALED: plain[SEALED]}
        table.ledger.fired.append(Fired(hand.seq, request.seat, request.kind, order, "plan", held.seq, at + 1))
        return held.seals[at]
    return ""


def apply(table: Table, ask: Ask, player: str, hand: Hand) -> Due | bool:
    """True: the plan has answered. A Due: its next step must be opened. False: it has no answer."""
    held = in_force(table, player)
    if held is None:
        return False
    for at, plain in due_steps(table, held, ask.seat, ask.kind):
        step = _opened(table, ask, hand, held, at) if SEALED in plain else _read(table, ask, at, plain)
        if isinstance(step, Due):
            return step
        if step is None or (not held.used[at] and not _holds(table, ask, step)):
            held.used[at] = PASSED
            if step is not None:
                _tell(table, ask, hand, held, at, [*step.do], WhyNot(at + 1, "condition", step.when))
            continue
        answered = _answer(table, ask, hand, held, at, step)
        if answered or held.over:
            return answered
    return False


def seals_answer(table: Table, ask: Ask, player: str) -> bool:
    """A sealed step of the plan in force is for this secret question: it is the seal."""
    held = in_force(table, player)
    return held is not None and any(SEALED in plain for _, plain in due_steps(table, held, ask.seat, ask.kind))


def answer_in_secret(table: Table, ask: Ask, player: str, hand: Hand) -> Due | Plain:
    """What the plan in force gives to a secret question, None for nothing; a Due: its next step must be opened.

    Each step gives its next order; one that does not hold, cannot be read or is not allowed is passed over, whatever its `else`
    says: what stands behind it was sealed as well, and nobody may choose once another answer lies open.
    """
    held = in_force(table, player)
    if held is None:
        return None
    for at, plain in due_steps(table, held, ask.seat, ask.kind):
        step = _opened(table, ask, hand, held, at) if SEALED in plain else _read(table, ask, at, plain)
        if isinstance(step, Due):
            return step
        if step is None:
            held.used[at] = PASSED
            continue
        why = _why_not_in_secret(table, ask, at, step, held.used[at])
        if why is not None:
            held.used[at] = PASSED
            _tell(table, ask, hand, held, at, [*step.do], why)
            continue
        order = step.do[held.used[at]]
        held.used[at] += 1
        table.ledger.fired.append(Fired(hand.seq, ask.seat, ask.kind, order, "plan", held.seq, at + 1))
        return order
    return None


def _why_not_in_secret(table: Table, ask: Ask, at: int, step: Step, used: int) -> WhyNot | None:
    if not used and not _holds(table, ask, step):
        return WhyNot(at + 1, "condition", step.when)
    try:
        judged(ask.read, step.do[used])
    except Rejected as problem:
        return WhyNot(at + 1, "illegal", problem.told)
    return None


def _opened(table: Table, ask: Ask, hand: Hand, held: PlanHeld, at: int) -> Step | Due | None:
    """A sealed step as it stands now that it lies open; a Due for its opening; None: nothing, or nothing to be read."""
    content = showing.opening(table, held.seals[at], hand)
    if content is showing.MISSING:
        return Due(held.player, "open", ask.seat, verbatim(held.seals[at]), ask.rule)
    shown = held.steps[at]
    assert isinstance(shown, dict)
    opened = content
    if isinstance(content, dict):
        opened = {k: v for k, v in content.items() if k not in SHOWN} | {k: v for k, v in shown.items() if k in SHOWN}
    step = _read(table, ask, at, opened)
    if step is not None:
        held.steps[at] = opened
    return step


def _read(table: Table, ask: Ask, at: int, plain: Plain) -> Step | None:
    """A step, or None where it cannot be read (protocol, plans: it is passed over)."""
    try:
        return read(table, at + 1, plain, ask.seat)
    except Rejected:
        return None


def _holds(table: Table, ask: Ask, step: Step) -> bool:
    return not step.when or standing.holds(step.when, table.game.facts(table.engine.state, ask.seat))


def _answer(table: Table, ask: Ask, hand: Hand, held: PlanHeld, at: int, step: Step) -> bool:
    """The next order of a step that is legal here. One that is not ends the plan, or is left out."""
    while held.used[at] < len(step.do):
        order = step.do[held.used[at]]
        held.used[at] += 1
        try:
            judged(ask.read, order)
        except Rejected as problem:
            held.over = step.otherwise == plans.ASK
            _tell(table, ask, hand, held, at, order, WhyNot(at + 1, "illegal", problem.told))
            if held.over:
                return False
            continue
        table.engine.reply(order)
        table.ledger.fired.append(Fired(hand.seq, ask.seat, ask.kind, order, "plan", held.seq, at + 1))
        return True
    return False


def _tell(table: Table, ask: Ask, hand: Hand, held: PlanHeld, at: int, order: Plain, why: WhyNot) -> None:
    """What did not apply, for report and status."""
    by: Literal["stopped", "passed"] = "stopped" if held.over else "passed"
    table.ledger.fired.append(Fired(hand.seq, ask.seat, ask.kind, order, by, held.seq, at + 1, [why]))
