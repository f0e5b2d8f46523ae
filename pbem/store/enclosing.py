"""What an own file carries besides its orders: a refusal that it answers, questions after a loss, slips not taken yet."""

from __future__ import annotations

from collections.abc import Container
from itertools import takewhile
from typing import TYPE_CHECKING, Any

from pbem.kernel.wording import NO_WORDS, Message, linked, msg
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import slips
from pbem.runtime.composing import Draft
from pbem.runtime.dues import AUTOMATIC
from pbem.store import catching_up
from pbem.store.paths import home
from pbem.store.record import Record

if TYPE_CHECKING:
    from pbem.store.session import Session


def replacement(session: Session) -> tuple[dict[str, Any], list[Any]]:
    """What a file says that takes the place of own ones which were refused and withdrawn: the newest of them, all refusals.

    Without a refusal it would be proof with the file that was refused, whatever was signed and taken back in between.
    """
    head, seq = session.table.ledger.entries[-1].id, session.table.last + 1
    refused = [d for d in session.withdrawn() if d["refusal"] and d["seq"] == seq and d["refusal"]["head"] == head]
    return ({"replaces": refused[-1]["id"]}, [d["refusal"] for d in refused]) if refused else ({}, [])


def check_sealed(session: Session) -> None:
    """What is to be opened lies here. Raises ProtocolError (waiting), with the ways out, where its content is lost."""
    due = session.table.due
    seal = session.table.ledger.seals.get(str(due.detail)) if due.what == "open" else None
    if seal is None or seal.player != session.me.player or str(due.detail) in session.me.sealed:
        return
    catching_up.recover_seals(session)
    if str(due.detail) in session.me.sealed:
        return
    reason = msg(
        "what you sealed as {handle} in file {seq} is to be opened now, and its content is lost: neither this folder nor the "
        "record of signatures holds it, and nobody else knows it",
        handle=str(due.detail),
        seq=seal.seq,
    )
    ways = msg("Go on at the machine at which you sealed it, or restore a backup made after file {seq} there", seq=seal.seq)
    raise ProtocolError(Outcome.WAITING, linked(". ", reason, ways, session.folder.private.ways_out()))


def carried(session: Session) -> list[Any]:
    """The slips that the first own file after a restore carries: open questions of this player, and their answers."""
    own = {document_id(s) for s, taken in _questions(session) if not taken and _holds(session, s)}
    known = [s for s in session.folder.log.slips() if own and s["slip"] in ("restored", "head")]
    return [s for s in known if _is_of(s, own) and _holds(session, s)]


def _is_of(slip: Any, questions: Container[str]) -> bool:
    return document_id(slip) in questions or slip.get("answers") in questions


def _holds(session: Session, slip: Any) -> bool:
    """A file may carry it: by a key that its author has, about a file of the log."""
    return any(e.id == slip["head"] for e in session.table.ledger.entries) and slips.counts(session.table, slip)


def _questions(session: Session) -> list[tuple[Any, bool]]:
    """What this player has asked, or said, after a loss, newest first, and whether a file of the log carries it."""
    own = _asked_by(session, session.me.player)
    taken = _taken(session) if own else set()
    return [(s, document_id(s) in taken) for s in reversed(own)]


def _asked_by(session: Session, player: str) -> list[Any]:
    return [s for s in session.folder.log.slips() if s["slip"] == "restored" and s["player"] == player]


def _taken(session: Session, end: int | None = None) -> set[str]:
    """The slips of the files of the log before place `end`."""
    return {document_id(s) for d in session.folder.log.files()[:end] for s in d.get("slips") or []}


def open_questions(session: Session, player: str) -> list[Any]:
    """Questions of a player that no file of the log carries yet."""
    taken = _taken(session)
    return [s for s in _asked_by(session, player) if document_id(s) not in taken]


def not_carried(session: Session, player: str, end: int) -> list[Any]:
    """The slips that this folder knows, but for questions of a player that a file before place `end` has carried: an answer
    that comes later promises nothing."""
    asked = _asked_by(session, player)
    taken = _taken(session, end) if asked else set()
    done = [s for s in asked if document_id(s) in taken]
    return [s for s in session.folder.log.slips() if s not in done]


def why_not_carried(session: Session) -> Message:
    """Why the next file would leave out a question of this player, or an answer: its key, or the file it names, was given up.

    Without them nobody sees after what it was signed, and the links of lost files turn dice: the newest question has to count
    with all its answers then. Empty where it does, and where nothing was given up: the record alone tells who is sure.
    """
    known = session.folder.log.slips() if session.folder.secrets() is not None else []
    asked = [s for s, _ in takewhile(lambda found: not found[1], _questions(session))] if known else []
    named = {document_id(s) for s in asked}
    signed = [s for s in known if named and _is_of(s, named) and slips.signing_keys(session.table, s)]
    if all(_holds(session, s) for s in signed):
        return NO_WORDS
    nobodys = _in_nobodys_hands(session)
    newest = next((s for s in asked if s["head"] not in nobodys), None)
    if newest is None:
        return NO_WORDS
    if not _holds(session, newest):
        return msg("what you asked the others after a loss, or your word, counts no more: the key or the files are given up")
    given = slips.answers(session.table, newest, known)
    told = {player for player, slip in given.items() if _holds(session, slip)}
    if "word" in newest or told.issuperset(slips.others(session.table, session.me.player)):
        return NO_WORDS
    return msg("not all others have said, with the keys that they have now, what they hold of you")


def _in_nobodys_hands(session: Session) -> set[str]:
    """Own files that were given up because all others have signed that they hold none: a question behind one asks nothing."""
    rows = Record(home(), session.charter.game_id, session.folder.disk).rows
    return {str(row["id"]) for row in rows if row["kind"] == "yielded" and row["seq"] is not None and not row["to"]}


def untaken_slips(session: Session, draft: Draft) -> list[Any]:
    """Resignations and proofs of cheating that no file has taken into the log yet.

    A file that this program writes by itself has none: from any backup it is the same. What would be refused in a file by
    now, a slip by a key that was given up say, stays beside the log.
    """
    kinds = ("resignation", "equivocation", "ruling")
    waiting = [s for s in session.folder.log.slips() if s["slip"] in kinds]
    if not waiting or (draft.type == "turn" and session.table.due.what in AUTOMATIC):
        return []
    taken = [s for d in session.folder.log.files() for s in d.get("slips") or []]
    heads = {e.id for e in session.table.ledger.entries}
    return [s for s in waiting if s not in taken and s["head"] in heads and slips.counts(session.table, s)]
