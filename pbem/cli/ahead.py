"""What a draft tells beside the question at hand: what has to be done before it ends, and the questions that follow it in the
same file. Knows no game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from pbem.cli.guiding import Asked, asked_of
from pbem.cli.speech import labelled, speak, text
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask, Commit
from pbem.kernel.notation import order_text
from pbem.kernel.orders import verb_of
from pbem.kernel.questions import DONE, NONE
from pbem.runtime.desk import Desk
from pbem.runtime.taking import Refused
from pbem.store.session import Session

MOST = 12  # questions told
STEPS = 40  # orders tried on the way
TRIED = 6  # answers to one question, each of another kind where there are several


def not_done_yet(session: Session, desk: Desk) -> list[str]:
    """What has to be done before the question behind the orders ends, such as aircraft that have to land."""
    asked = desk.sheet.asked
    return [text(m) for m in session.game.not_done_yet(desk.table.engine.state, asked)] if isinstance(asked, Ask) else []


def passed(session: Session, desk: Desk) -> list[str]:
    """Questions behind the orders that are answered by themselves, unless the file does."""
    return [_passed(session, ask) for ask in desk.sheet.passed]


def to_come(session: Session, source: str) -> list[str]:
    """The questions behind the one at hand, as far as they come without dice and without anybody else.

    What follows depends on the answers: each line says which one it was taken to have, the first that leads on.
    """
    desk, lines = session.desk(source), list[str]()
    seen = Counter[tuple[str, str]]()
    for _ in range(STEPS):
        ask = desk.sheet.asked
        if desk.sheet.trouble is not None or not isinstance(ask, Ask) or len(lines) >= MOST:
            break
        question = (ask.seat, ask.kind)
        seen[question] += 1
        answer = _answer(session, desk, seen)
        if answer is None or seen[question] > 2:
            break
        if seen[question] == 1:
            lines.append(speak("{question}: {order}", question=_question(session, ask), order=answer))
        lines += [line for line in passed(session, desk) if line not in lines]
    behind = desk.sheet.asked
    if behind is not None and (behind.seat, behind.kind) not in seen:
        lines.append(_question(session, behind))
    return lines[1:] and lines


def _answer(session: Session, desk: Desk, seen: Counter[tuple[str, str]]) -> str | None:
    """An order that leads on, put on the desk: behind it the same is asked or something new; else any that stands. None:
    none of those tried."""
    asked = asked_of(desk.table, session.me.player, desk.knowledge())
    if asked is None:
        return None
    here = (asked.seat, asked.kind)
    last: tuple[Plain, str] | None = None
    for order in _candidates(asked, seen[here] > 1):
        written = _written(asked, order)  # read where it is asked: the desk goes on with `put`
        if not _stands(desk, order):
            continue
        behind = desk.sheet.asked
        if behind is not None and ((behind.seat, behind.kind) == here or (behind.seat, behind.kind) not in seen):
            return written
        desk.undo()
        last = order, written
    return last[1] if last is not None and _stands(desk, last[0]) else None


def _written(asked: Asked, order: Plain) -> str:
    return asked.in_file(order).strip().removeprefix("- ")


def _stands(desk: Desk, order: Plain) -> bool:
    try:
        desk.put([order])
    except Refused:
        return False
    return True


def _candidates(asked: Asked, ends: bool) -> Iterator[Plain]:
    """`done` where it was answered before; else the first order of each verb, the verb with most orders first, then others;
    those that say no come last."""
    if ends:
        yield DONE
        return
    first: dict[str, Plain] = {}
    many = Counter(verb_of(option) for option in asked.options)
    says_no = {order_text(o) for o in asked.options if o == DONE or order_text(o).endswith(NONE)}
    options = sorted(asked.options, key=lambda o: (order_text(o) in says_no, -many[verb_of(o)]))
    for option in options:
        first.setdefault(verb_of(option), option)
    rest = [o for o in options if o not in first.values()]
    yield from [o for o in [*first.values(), *rest] if o != DONE][:TRIED]
    if DONE in asked.verbs:
        yield DONE


def _question(session: Session, ask: Ask | Commit) -> str:
    words = session.game.words()
    told = text(words.ASKED.get(ask.kind) or ask.prompt)
    return labelled(words.SEATS[ask.seat], told) + (f" [{ask.rule}]" if ask.rule else "")


def _passed(session: Session, ask: Ask) -> str:
    return speak(
        "You may answer this too: {question}. Unless you do: {order}",
        question=_question(session, ask),
        order=order_text(ask.default),
    )
