"""What is done without picking: whole orders of a short list at one press, standing orders for good; offers and their answers,
resigning. Signed as the command line signs it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from pbem.board.gestures import Gesture, Question
from pbem.kernel.canon import Plain
from pbem.kernel.flow import Ask
from pbem.kernel.forms import ENDS, Listed, Partial, means_the_same, verdict
from pbem.kernel.questions import DONE
from pbem.kernel.standing import ASK_ME, Answered, answer, read_clauses
from pbem.kernel.wording import NO_WORDS, Message, msg
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.report.board import Shown, Teller
from pbem.report.board import question as about
from pbem.runtime.ahead import ahead
from pbem.runtime.behind import Behind
from pbem.runtime.composing import Draft
from pbem.runtime.desk import Desk
from pbem.runtime.taking import Refused
from pbem.store import sets
from pbem.store.session import Session
from pbem.transport.armor import write_block

if TYPE_CHECKING:
    from pbem.board.game import OpenGame

ALWAYS, AGAIN, FINISH = msg("{question}, always: {order}"), msg("Again: {order}"), msg("End all that is left")
SET_WHOLE = msg("Answers in advance: the set {name}")
PLAN_ON = msg("Plan on: orders for what comes behind the dice")
INTO_PLAN = msg("Move them into the plan")
SOME = msg("Some answers at one press; others are picked below:")
MOST = 6  # answers that are listed whole
REMEMBERED = 40  # of one's own orders before this file
FILES_BACK = 3  # so many files can be offered to be taken back from the page
RESIGN = "resign"
SIGN, SIGN_LAST = msg("Sign and send this"), msg("Sign it: this cannot be taken back")
GONE = msg("this can no longer be signed: look again")


def shown(teller: Teller, answers: Sequence[Sequence[Plain]], key: str = "hinted") -> list[Plain]:
    """Answers as buttons: words, and what pressing one asks of the program."""
    told = ("; ".join(teller.order(order) for order in orders) for orders in answers)
    buttons = ((text, [*orders]) for text, orders in zip(told, answers, strict=True) if orders)
    return [_button(text, "/put", {"orders": orders}, f"{key}:{n}") for n, (text, orders) in enumerate(buttons)]


def _button(text: str, address: str, body: Plain, key: str) -> Shown:
    return {"text": text, "address": address, "body": body, "key": key}


def offered(session: Session, desk: Desk, teller: Teller, behind: Behind | None) -> Iterator[Plain]:
    """All that one press does for the question behind the orders, or for those that come `behind` a die."""
    answers = listed(desk)
    yield from shown(teller, answers, "answer")
    asked = desk.sheet.asked
    for order in once_more(session, desk):
        assert isinstance(asked, Ask)
        if not any(means_the_same(asked.read, one, order) for (one,) in answers):
            text = teller.said(Message(AGAIN.id, {"order": teller.order(order)}))
            yield _button(text, "/put", {"orders": [order]}, "again")
    for one, usual in _always(session, desk):
        told = {"question": str(about(teller, one)["text"]), "order": teller.standing(usual)}
        body: Shown = {"kind": one.kind, "value": written(usual), "now": 1}
        yield _button(teller.said(Message(ALWAYS.id, told)), "/stand", body, f"always:{one.kind}")
    if isinstance(asked, Ask) and DONE in asked.verbs:
        yield _button(teller.said(FINISH), "/finish", {}, "finish")
    if asked is None and desk.sheet.trouble is None:
        if ahead(desk) is not None:
            yield _button(teller.said(PLAN_ON), "/plan", {}, "plan")
        yield from _sets(session, desk, teller)
    if behind is not None and behind.is_whole:
        yield _button(teller.said(INTO_PLAN), "/behind", {}, "behind")


def some(desk: Desk, teller: Teller) -> str:
    """What stands above the answers where a form of the question's own has more of them; empty where all are listed."""
    return teller.said(SOME) if len(listed(desk)) > 1 and not is_all(desk) else ""


def is_all(desk: Desk) -> bool:
    """The answers that are listed are all that can be picked."""
    form, asked = desk.form(), desk.sheet.asked
    if not isinstance(form, Listed) or not isinstance(asked, Ask) or form.is_counted:
        return False
    return len(listed(desk)) >= len(asked.options())


def listed(desk: Desk) -> list[Sequence[Plain]]:
    """Every answer of a question that lists a few only, where picking one takes more than a click; what no pick means."""
    asked, question = desk.sheet.asked, Question(desk.form())
    form = question.form
    if form is None or not isinstance(asked, Ask) or asked.series or desk.sheet.passed:
        return []
    options, begun = asked.options(), question.begun()
    if len(options) > MOST or all(_clicks(Gesture(question, form.partial(o)), begun.partial) < 2 for o in options):
        options = ()
    bare = [o for o in begun.step.orders[:1] if not any(means_the_same(asked.read, o, one) for one in options)]
    return [(form.line(option),) for option in (*options, *bare)]


def once_more(session: Session, desk: Desk) -> list[Plain]:
    """The newest of one's own orders that can be given again, or what goes on where the last ones led; at most one."""
    asked = desk.sheet.asked
    if not isinstance(asked, Ask):
        return []
    verbs = [verb for verb in asked.verbs if verb not in ENDS]
    newest: dict[str, Plain] = {}
    orders = [order for order in _own(session, desk) if isinstance(order, dict) and len(order) == 1]
    for order in orders:
        newest.setdefault(next(iter(order)), order)
    onward = session.game.onward(desk.table.engine.state, asked, orders)
    found = [*([] if onward is None else [onward]), *(order for verb, order in newest.items() if verb in verbs)]
    return [order for order in found if not verdict(asked.read, [order])][:1]


def _own(session: Session, desk: Desk) -> list[Plain]:
    """One's own orders, newest first."""
    me = session.me.player
    files = [file["orders"] for file in session.folder.log.files() if file.get("orders") and file.get("player") == me]
    before = [order for orders in files[-REMEMBERED:] for order in orders][-REMEMBERED:]
    return [*reversed([*before, *desk.sheet.orders])]


def _clicks(gesture: Gesture, begun: Partial) -> int:
    """How often one clicks for an order: its verb, its picks, and to take it where something could be added."""
    return (gesture.partial.verb != begun.verb) + len(gesture.partial.chosen) + (not gesture.is_whole)


def _always(session: Session, desk: Desk) -> Iterator[tuple[Ask, Plain]]:
    """The usual standing orders for what is asked, where none is held or written."""
    asked = {one.kind: one for one in (*desk.sheet.passed, desk.sheet.asked) if isinstance(one, Ask)}
    held = {s.kind for s in session.table.ledger.standing if s.player == session.me.player}
    for kind, one in asked.items():
        if kind in session.game.usual and kind not in held and kind not in desk.wanted.standing:
            yield one, session.game.usual[kind]


def _sets(session: Session, desk: Desk, teller: Teller) -> Iterator[Shown]:
    """Whole sets of standing orders, for him who has not given any that stands and writes none into this file."""
    if any(s.player == session.me.player for s in session.table.ledger.standing):
        return
    names = dict.fromkeys((*session.game.sets(), *sets.own_sets(session.folder.path)))
    answered = {name: kinds for name in names if (kinds := _kinds(session, name))}
    if any(desk.wanted.standing.keys() >= kinds for kinds in answered.values()):
        return
    for name in answered:
        text = teller.said(Message(SET_WHOLE.id, {"name": name}))
        yield _button(text, "/stand", {"kind": sets.SET, "value": name}, f"set:{name}")


def _kinds(session: Session, name: str) -> set[str]:
    """What a set answers; nothing for an own one that cannot be read."""
    with suppress(ProtocolError):
        return {*sets.spelled(session, {sets.SET: name})}
    return set()


def in_advance(desk: Desk, teller: Teller) -> Iterator[str]:
    """The standing orders of the file that is being written, in words."""
    for kind, order in desk.wanted.standing.items():
        told = {"question": teller.said(teller.words.ASKED.get(kind) or kind), "order": teller.standing(order)}
        yield teller.said(Message(ALWAYS.id, told))


def written(value: Plain) -> str:
    """A standing order on one line, as it is read again."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


# -- what is signed beside orders -------------------------------------------------------------------------------------------


class Deal(Struct, frozen=True):
    """Something that this player may sign now. `kind` and `extra`: of the file; empty for a resignation."""

    id: str
    text: Message
    kind: str = ""
    extra: dict[str, Plain] = field(default_factory=dict)


def deals(session: Session) -> Iterator[Deal]:
    """What may be signed beside orders: an answer to the offer on the table, an offer of one's own, a resignation."""
    table, me = session.table, session.me.player
    if table.result is not None or not session.is_seated:
        return
    offer, due = table.ledger.offer, table.due
    if offer is not None and me in offer.waiting:
        yield Deal("agree", msg("Accept the offer of {player}", player=offer.by), "accept", {"accepts": offer.id})
        yield Deal("refuse", msg("Decline the offer of {player}", player=offer.by), "decline")
    if offer is None and due.what == "orders" and due.player == me:
        rows = enumerate(table.ledger.entries)
        taken = [(n, e) for n, e in rows if e.decides and n not in table.ledger.voided]
        for n, entry in reversed(taken[-FILES_BACK:]):
            text = msg("Offer to take back file {seq} of {player} and all that followed", seq=n, player=entry.player)
            yield Deal(f"undo {n}", text, "undo", {"to": n})
        yield Deal("draw", msg("Offer a draw"), "offer", {"offer": {"draw": True}})
    yield Deal(RESIGN, msg("Resign the game"))


def matters(game: OpenGame) -> Shown:
    """What may be signed, and the standing orders of the file that is being written."""
    session = game.session
    teller = game.teller(session.table.engine.state)
    found: list[Plain] = [
        {
            "id": deal.id,
            "text": teller.said(deal.text),
            "sign": teller.said(SIGN if deal.kind else SIGN_LAST),
            "final": not deal.kind,
        }
        for deal in deals(session)
    ]
    standing: list[Plain] = [*_standing(game, teller)] if game.is_mine else []
    return {"deals": found, "standing": standing}


def _standing(game: OpenGame, teller: Teller) -> Iterator[Shown]:
    """Each kind of question that a standing order usually answers, or does already, or that passes unasked."""
    session, module = game.session, game.session.game
    held = {s.kind: s for s in session.table.ledger.standing if s.player == session.me.player}
    state, drafted = session.table.engine.state, game.desk.wanted.standing
    silent = module.unasked(state)
    listed = [kind for kind in module.usual if not module.never_asks(state, kind)]
    for kind in dict.fromkeys([*listed, *silent, *held, *drafted]):
        told = NO_WORDS
        if kind in held:
            told = msg("in force since file {seq}", seq=held[kind].seq)
        elif kind in silent:
            told = msg("else it passes unasked: {what}", what=silent[kind])
        usual: list[Plain] = [ASK_ME, *([module.usual[kind]] if kind in module.usual else [])]
        yield {
            "kind": kind,
            "text": teller.said(teller.words.ASKED.get(kind) or kind),
            "told": teller.said(told),
            "value": written(drafted[kind]) if kind in drafted else "",
            "now": written([*held[kind].clauses]) if kind in held else "",
            "usual": [[written(value), teller.standing(value)] for value in usual],
        }


def stand(game: OpenGame, kind: str, value: str, seen: str, now: bool = False) -> Shown:
    """Another standing order of a kind in the order file, or none; a whole set goes behind what is written.

    `now`: the question at hand is answered by it too, where dice were known before it can hold (protocol, rule 1).
    Raises Refused, ProtocolError, ChangedElsewhere.
    """
    desk = game.unchanged(seen)
    standing = {name: order for name, order in desk.wanted.standing.items() if name != kind}
    if kind == sets.SET:
        standing = {**sets.spelled(game.session, {kind: value}), **standing}
    elif value.strip():
        found, _ = strict_yaml.read_document(f"{kind}: {value.strip()}\n")
        if [*found] != [kind]:
            raise ProtocolError(Outcome.UNREADABLE, msg("a standing order is one line here"))
        standing[kind] = found[kind]
    desk.say("standing", standing)
    asked = desk.sheet.asked
    if now and isinstance(asked, Ask) and asked.kind == kind:
        facts = desk.table.game.facts(desk.table.engine.state, asked.seat)
        given = answer(asked, read_clauses(kind, standing[kind]), (), facts)
        with suppress(Refused):
            desk.take([given.order] if isinstance(given, Answered) else [])
    return game.written(seen)


def deal(game: OpenGame, id: str, head: str) -> Shown:
    """Sign one of `deals`, on the log that the page has seen. Raises ProtocolError."""
    with Session.at_work(game.path) as session:
        game.check_head(session, head)
        wanted = next((d for d in deals(session) if d.id == id), None)
        if wanted is None:
            raise ProtocolError(Outcome.REFUSED, GONE)
        if not wanted.kind:
            out = game.services.resign(session)
            shown: Shown = {"seq": "", "file": out, "post": ""}
        else:
            document = session.write(Draft(type=wanted.kind, extra=dict(wanted.extra)))
            session.answer_by_itself()
            shown = sent(document, session.folder.outgoing(document))
    return game.handed_out(shown)


def sent(document: dict[str, Any], out: Path) -> Shown:
    """A signed file, and its post."""
    return {"seq": document["seq"], "file": str(out), "post": write_block(document)}
