"""Hints for the question that is due, and reviews of what was played: in words and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from pbem.bots.advice import MOST, Advice
from pbem.cli.chances import told_throws_of
from pbem.cli.guiding import with_names
from pbem.cli.spans import steps_from
from pbem.cli.speech import labelled, speak, text
from pbem.kernel.canon import Plain
from pbem.kernel.wording import NO_WORDS, Message, linked, msg
from pbem.odds.decimals import tenths
from pbem.odds.luck import Throw
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.report.due import due_message
from pbem.report.quoting import Named, order_told
from pbem.report.steps import Step, of_turn
from pbem.runtime.advising import Reviewed, hints, reviewed, worst
from pbem.runtime.asked import question_of
from pbem.runtime.desk import Desk
from pbem.runtime.entries import entry_of
from pbem.runtime.paper import read_paper
from pbem.store.session import Session

OFF = msg("the players have agreed in the charter to do without hints")
OFF_NOW = msg("the players have agreed in the charter to do without hints: a review may be had when the game is over")


def hint(path: Path, file: Path | None) -> tuple[Plain, str]:
    """Three alternatives for what is asked now, or behind the orders of a file. Raises ProtocolError, Refused."""
    session = Session.open(path)
    _allowed(session)
    desk = session.desk("" if file is None else read_paper(file.read_bytes()).text)
    if desk.sheet.trouble is not None:
        raise ProtocolError(
            Outcome.REFUSED, msg("the orders before the question are not legal: pbem check {file}", file=str(file))
        )
    return told(session, desk)


def check_agreed(session: Session) -> None:
    """Raises ProtocolError where the charter forbids hints, and what would do for them."""
    if not session.charter.allows_hints:
        raise ProtocolError(Outcome.REFUSED, OFF)


def _allowed(session: Session) -> None:
    check_agreed(session)
    if not session.is_seated:
        raise ProtocolError(Outcome.WAITING, msg("hints are for players: this folder watches"))


def told(session: Session, desk: Desk) -> tuple[Plain, str]:
    """The alternatives for the question behind the orders on a desk. Raises ProtocolError where hints are forbidden."""
    _allowed(session)
    found = hints(desk.table, session.me.player, desk.knowledge())
    words = session.game.words()
    if found is None:
        waiting = text(due_message(words, desk.table))
        return {"question": None, "alternatives": []}, speak("Nothing is asked of you now.") + " " + waiting
    asked = question_of(desk.table, session.me.player)
    assert asked is not None
    title = text(words.ASKED.get(asked.kind) or asked.prompt)
    plain: Plain = {
        "question": asked.kind,
        "unit": str(found.unit),
        "alternatives": [_plain(one) for one in found.found],
    }
    lines, name_of = [speak("Hint: {question}", question=title)], partial(words.named, desk.table.engine.state)
    for number, one in enumerate(found.found, 1):
        orders = [with_names(order, name_of) for order in one.orders]
        lines += [f"{number}. {_head(one, found.unit)}".rstrip(), *_entries(orders, 3)]
        lines += [f"     {text(reason)}" for reason in one.reasons]
    if not found.found:
        lines.append(speak("The program has no idea for this question."))
    elif found.ask is not None and not found.unit:
        lines.append(speak("These are what the bot would do; it does not weigh them against each other."))
    return plain, "\n".join(lines)


def orders(session: Session, desk: Desk, number: int) -> list[Plain]:
    """The orders of one alternative, counted from 1. Raises ProtocolError where there is no such one or hints are forbidden."""
    found = orders_of(told(session, desk)[0])
    if not 1 <= number <= len(found):
        raise ProtocolError(Outcome.REFUSED, msg("there is no hint {number}", number=number))
    return [*found[number - 1]]


def orders_of(told: Plain) -> list[Sequence[Plain]]:
    """The orders of each alternative that was told."""
    assert isinstance(told, dict)
    match told["alternatives"]:
        case [*alternatives]:
            return [orders for one in alternatives if isinstance(one, dict) and isinstance(orders := one["orders"], list)]
    return []


def _entries(orders: Sequence[Plain], indent: int) -> Iterator[str]:
    """Orders as they stand in an order file."""
    for order in orders:
        yield from (" " * indent + line for line in entry_of(order).split("\n"))


def _plain(one: Advice) -> Plain:
    return {
        "orders": [*one.orders],
        "goal": text(one.goal) if one.goal else "",
        "value": one.value,
        "reasons": [text(reason) for reason in one.reasons],
    }


def _head(one: Advice, unit: Message) -> str:
    """What it is about and what it is worth."""
    worth = value(one.value, unit) if one.value is not None else NO_WORDS
    return text(linked(": ", one.goal, worth) if one.goal and worth else one.goal or worth)


def value(thousandths: int, unit: Message) -> Message:
    """A value with its sign and one decimal."""
    return msg("{value} {unit}", value=tenths(thousandths / 1000, signed=True), unit=unit)


# -- review --------------------------------------------------------------------------------------------------------------


class Review(Struct, frozen=True):
    """The largest losses of a player, and the throws that gave and took most; `unit`: of the losses, `luck` of the throws."""

    losses: Sequence[Reviewed]
    lucky: Sequence[tuple[Throw, Message]]
    unlucky: Sequence[tuple[Throw, Message]]
    unit: Message
    luck: str


def review(path: Path, turn: int) -> tuple[Plain, str]:
    """What a player's orders lost by the bot's evaluation, of one turn or, with 0, of the whole game.

    Raises ProtocolError while the charter forbids hints and the game goes on.
    """
    session = Session.open(path)
    if not session.charter.allows_hints and session.table.result is None:
        raise ProtocolError(Outcome.REFUSED, OFF_NOW)
    if not session.is_seated:
        raise ProtocolError(Outcome.WAITING, msg("hints are for players: this folder watches"))
    found = _reviewed(session, turn)
    return _as_plain(found), "\n".join(_in_words(session, found))


def _reviewed(session: Session, turn: int) -> Review:
    adviser, chances = session.game.adviser(), session.game.chances()
    unit, luck = adviser.UNIT if adviser else NO_WORDS, chances.UNIT if chances else ""
    steps = steps_from(session, 1)
    voided, seats = session.table.ledger.voided, session.charter.seats_of(session.me.player)
    losses, rolled = list[Reviewed](), list[tuple[Throw, Message]]()
    for step in of_turn(session.game.words(), steps, turn) if turn else steps:
        losses += [] if step.taken.seq in voided else _of_file(session, step)
        rolled += told_throws_of(session, step) if chances else []
    gains = [(_gain(throw, seats), (throw, told)) for throw, told in rolled]
    lucky = sorted((g for g in gains if g[0] > 0), key=lambda g: -g[0])
    bad = sorted((g for g in gains if g[0] < 0), key=lambda g: g[0])
    return Review(worst(losses), [t for _, t in lucky[:MOST]], [t for _, t in bad[:MOST]], unit, luck)


def _of_file(session: Session, step: Step) -> Iterator[Reviewed]:
    """What the player's own orders of a file lost, from what he and everybody knew before it."""
    document, me = step.document, session.me.player
    if document.get("player") != me or document["type"] != "turn":
        return
    then = replace(session.knowledge(), ledger=step.before.ledger, _items={})
    orders = [*(document.get("orders") or [])]
    for seat in session.charter.seats_of(me):
        own = then.hand(seat) if session.game.hidden_hands else {}
        yield from (one for one in reviewed(step.before, orders, me, own) if one.seat == seat)


def _gain(throw: Throw, seats: Sequence[str]) -> float:
    """What a throw gave to these seats beyond its expectation."""
    side = (throw.gains in seats) - (throw.loses in seats)
    return side * throw.surplus * throw.worth


def _as_plain(found: Review) -> Plain:
    return {
        "unit": str(found.unit),
        "losses": [
            {
                "file": one.seq,
                "seat": one.seat,
                "value": one.loss.value,
                "played": [*one.loss.played.orders] if one.loss.played else None,
                "better": [*one.loss.better.orders] if one.loss.better else None,
            }
            for one in found.losses
        ],
        "lucky": [_throw_plain(t) for t, _ in found.lucky],
        "unlucky": [_throw_plain(t) for t, _ in found.unlucky],
    }


def _throw_plain(throw: Throw) -> Plain:
    return {"label": throw.label, "score": f"{throw.score:g}", "expected": f"{throw.mean:.2f}", "chance": f"{throw.chance:.4f}"}


def _in_words(session: Session, found: Review) -> Iterator[str]:
    words, state = session.game.words(), session.table.engine.state
    yield speak("Largest losses against what the bot would have preferred:")
    for number, one in enumerate(found.losses, 1):
        seat = words.SEATS[one.seat]
        lost = value(-one.loss.value, found.unit)
        yield f"{number}. " + speak("file {seq}, {seat}: {value}", seq=one.seq, seat=seat, value=lost)
        for what, advice in ((msg("played"), one.loss.played), (msg("better"), one.loss.better)):
            yield from _side(what, advice, found.unit, lambda word: words.named(state, word))
    if not found.losses:
        yield "  " + speak("none that it can weigh")
    for title, rolled in ((msg("Luckiest dice:"), found.lucky), (msg("Unluckiest dice:"), found.unlucky)):
        yield text(title)
        for throw, told in rolled:
            yield "  " + text(_rolled(throw, told))
        if not rolled:
            yield "  " + speak("none")


def _rolled(throw: Throw, told: Message) -> Message:
    return msg(
        "{label} = {score}, expected {mean}; so far off in {percent} % of throws",
        label=told,
        score=f"{throw.score:g}",
        mean=tenths(throw.mean),
        percent=tenths(100 * throw.chance),
    )


def _side(what: Message, advice: Advice | None, unit: Message, named: Named) -> Iterator[str]:
    """What was played, or would have been better, with its reasons."""
    if advice is None:
        yield "   " + labelled(what, msg("nothing of the kind"))
        return
    yield "   " + labelled(what, _head(advice, unit))
    yield from (f"     - {text(order_told(order, named))}" for order in advice.orders)
    yield from (f"     {text(reason)}" for reason in advice.reasons)
