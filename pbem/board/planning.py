"""Planning on the page: what may be asked behind the dice is answered by picks like anything else, into the file's `plan`."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.board import gestures
from pbem.board.game import NO_ORDER, OpenGame
from pbem.board.order_file import PLAN, Entries
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Commit
from pbem.kernel.forms import Partial
from pbem.kernel.wording import Message, msg
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.report import board
from pbem.report.board import Shown
from pbem.runtime.ahead import Ahead, ahead
from pbem.runtime.behind import behind, moved
from pbem.runtime.paper import read_paper
from pbem.runtime.taking import Refused

NOTHING = msg("nothing of this turn that a plan could answer can be foreseen behind these orders")
NONE_BEHIND = msg("no order of this file has to go into a plan")
IN_PLAN = msg("Plan, if it comes to it: {question}")


def plan(game: OpenGame, entries: Entries, seen: str, found: Ahead | None = None) -> Shown:
    """The sheet with the next question that can be planned for, in the place of what is asked. Raises ProtocolError."""
    desk = game.unchanged(seen)
    found, shown = found or ahead(desk), game.sheet()
    if found is None:
        raise ProtocolError(Outcome.WAITING, NOTHING)
    game.planning = found
    teller = game.teller(found.table.engine.state)
    asked = board.question(teller, found.ask)
    last = [*desk.wanted.plan][-1:]
    when = str(last[0].get("when", "")) if last and isinstance(last[0], dict) and _is_for(last[0], found) else ""
    work = shown["desk"]
    assert isinstance(work, dict)
    return {
        **shown,
        "heading": teller.said(teller.words.heading(teller.state)),
        "desk": {**work, "asked": asked},
        "bar": teller.said(Message(IN_PLAN.id, {"question": f"{asked['seat']}: {asked['text']}"})),
        "step": gestures.told(teller, entries.question(PLAN).begun(), PLAN, when),
        "answers": [],
    }


def move(game: OpenGame, seen: str) -> Shown:
    """Orders behind a die, which a plan could hold, in the file's plan. Raises Refused, ProtocolError, ChangedElsewhere."""
    desk = game.unchanged(seen)
    before, found = desk.sheet.text, behind(desk)
    if found is None or not found.is_whole:
        raise ProtocolError(Outcome.REFUSED, NONE_BEHIND)
    trouble = desk.edit(moved(read_paper(before), found).text).trouble
    if trouble is not None:
        desk.edit(before)
        raise Refused([*trouble.problems])
    game.moved = desk.sheet.text, before
    return game.written(seen)


def take(game: OpenGame, entries: Entries, partial: Partial, when: str, seen: str) -> Shown:
    """What the picks make as the next orders of the plan, and what can be planned behind them.

    Raises Refused, ProtocolError, ChangedElsewhere.
    """
    desk, found = game.unchanged(seen), entries.desk(PLAN)
    form, step = found.form(), found.step(partial)
    if form is None or not step.orders:
        raise Refused([*step.problems]) if step.problems else ProtocolError(Outcome.REFUSED, NO_ORDER)
    assert isinstance(found, Ahead)
    desk.say("plan", _longer(desk.wanted.plan, found, when.strip(), [form.line(order) for order in step.orders]))
    shown = game.written(seen)
    more = ahead(desk)
    return shown if more is None else plan(game, entries, game.draft.read()[1], more)


def _is_for(step: dict[str, Plain], found: Ahead) -> bool:
    asked = (step.get("at"), step.get("seat", ""))
    return step.keys() <= {"at", "seat", "when", "do"} and asked == (found.at, found.seat)


def _longer(steps: Sequence[Plain], found: Ahead, when: str, orders: Sequence[Plain]) -> list[Plain]:
    """A plan with more orders: in its last step where that is for the same question and condition, else in a new one.

    What stays sealed is a step of its own, without a condition.
    """
    shut, last = isinstance(found.ask, Commit), steps[-1] if steps else None
    if not shut and isinstance(last, dict) and _is_for(last, found) and last.get("when", "") == when:
        do = last["do"]
        assert isinstance(do, list)
        return [*steps[:-1], {**last, "do": [*do, *orders]}]
    said: dict[str, Plain] = {"at": found.at, "seat": found.seat, "when": "" if shut else when}
    return [*steps, {**{key: value for key, value in said.items() if value}, "do": [*orders]}]
