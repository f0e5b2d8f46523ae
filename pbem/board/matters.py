"""What stands beside the orders: offers and their answers, resigning, standing orders. Signed as the command line signs it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pbem.board.answers import written
from pbem.board.game import OpenGame, sent
from pbem.kernel.canon import Plain
from pbem.kernel.standing import ASK_ME
from pbem.kernel.wording import NO_WORDS, Message, msg
from pbem.protocol import strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.report.board import Shown, Teller
from pbem.runtime.composing import Draft
from pbem.store.session import Session

FILES_BACK = 3  # so many files can be offered to be taken back from the page
RESIGN = "resign"
SIGN, SIGN_LAST = msg("Sign and send this"), msg("Sign it: this cannot be taken back")
GONE = msg("this can no longer be signed: look again")


@dataclass(frozen=True, slots=True)
class Deal:
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


def stand(game: OpenGame, kind: str, value: str, seen: str) -> Shown:
    """Another standing order of a kind in the order file, or none. Raises Refused, ProtocolError, ChangedElsewhere."""
    desk = game.unchanged(seen)
    standing = {name: order for name, order in desk.wanted.standing.items() if name != kind}
    if value.strip():
        found, _ = strict_yaml.read_document(f"{kind}: {value.strip()}\n")
        if [*found] != [kind]:
            raise ProtocolError(Outcome.UNREADABLE, msg("a standing order is one line here"))
        standing[kind] = found[kind]
    desk.say("standing", standing)
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
