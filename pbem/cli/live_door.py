"""The door of a live exchange: what came is read, its signature judged, and only then taken as `pbem receive` takes it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct

from pbem.cli import faults, forks, receiving, speech
from pbem.kernel.wording import msg
from pbem.protocol import notes, slips, strict_yaml, turnfile
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.runtime.seats import check_signature, check_signer
from pbem.store.shown import Shown

GOOD = (Outcome.DONE, Outcome.ALREADY_KNOWN, Outcome.WAITING)
BESIDE = ("slip", "note", "heal")
PARTED = (Outcome.EQUIVOCATION, Outcome.DIVERGED)


class Judged(Struct, frozen=True):
    """What became of one file: its place if it has one, and words where it was not even looked at."""

    outcome: Outcome
    document: dict[str, Any] | None = None
    told: str = ""

    @property
    def is_beside(self) -> bool:
        """A slip, a note, a heal: signed by somebody, perhaps too early or for somebody else."""
        return self.document is not None and self.document.get("type") in BESIDE

    @property
    def is_bad(self) -> bool:
        """Nothing that an honest program sends."""
        if self.is_beside:
            return self.outcome in (Outcome.BAD_SIGNATURE, Outcome.WRONG_KEY, Outcome.UNREADABLE)
        ours = self.document is not None and self.outcome in (Outcome.NOT_WRITTEN, Outcome.FAULT)
        return self.outcome not in (*GOOD, *PARTED) and not ours


def take(shown: Shown, where: str, bodies: Sequence[bytes]) -> tuple[list[Judged], list[receiving.Received]]:
    """Each file judged, in order; those that a player has signed are taken together, and what they ask for is answered.

    Raises BlockingIOError while another program is at work in the folder.
    """
    judged: list[Judged] = []
    waiting: list[int] = []
    received: list[receiving.Received] = []
    for body in bodies:
        one = _judge(shown, body)
        if one.document is None and waiting:  # an earlier one may bring the key of this one
            received.append(_take_together(shown, where, judged, waiting))
            waiting = []
            one = _judge(shown, body)
        waiting += [len(judged)] if one.document is not None else []
        judged.append(one)
    if waiting:
        received.append(_take_together(shown, where, judged, waiting))
    return judged, received


def _take_together(shown: Shown, where: str, judged: list[Judged], waiting: Sequence[int]) -> receiving.Received:
    documents = [judged[at].document or {} for at in waiting]
    received = receiving.receive_all(shown.path, [(where, document) for document in documents])
    for at, document, outcome, told in zip(waiting, documents, received.outcomes, received.told, strict=True):
        judged[at] = Judged(outcome, document, told)
    with suppress(BlockingIOError):  # what another program writes just now is seen the next time
        shown.refresh()
    return received


def _judge(shown: Shown, body: bytes) -> Judged:
    try:
        document = strict_yaml.read_document(body)[0]
        if document_id(document) in shown.known:
            return Judged(Outcome.ALREADY_KNOWN)
        _check(shown, document)
    except Exception as error:  # whatever a stranger's bytes do, it is his line that ends
        outcome, lines = faults.judged(error, strict=True)
        return Judged(outcome, None, speech.labelled(outcome.told, "; ".join(lines)))
    return Judged(Outcome.DONE, document)


def _check(shown: Shown, document: dict[str, Any]) -> None:
    """A document of this game that somebody who plays in it has signed. Raises ProtocolError."""
    kind, session = document.get("type"), shown.session
    if kind not in (*turnfile.TYPES, *BESIDE):
        raise unreadable(msg("nothing that is exchanged live"))
    if document.get("game") != shown.game:
        raise ProtocolError(Outcome.FOREIGN_GAME, msg("a document of another game"))
    if kind == "slip":
        slips.read_slip(document)
        receiving.check_signed(session, document)
    elif kind == "note":
        notes.read_note(document)
    elif kind != "heal":
        turnfile.read_turn(document)
        check_signer(session.table, document)
        check_signature(session.table, document)


def is_another(shown: Shown, judged: Judged) -> bool:
    """A signed file at a place where the log holds another one: two versions of this game exist."""
    document = judged.document
    if document is None or judged.outcome not in (*PARTED, Outcome.BAD_CHAIN):
        return False
    seq = document.get("seq")
    if not isinstance(seq, int) or not 0 < seq <= shown.last or shown.is_void(seq):
        return False
    known = shown.files[seq]
    given_up = known.get("replaces") == document_id(document)
    return known != document and not given_up and forks.is_signed(shown.session, document)


def parted(seq: int) -> ProtocolError:
    """Why a live exchange stops by itself."""
    reason = msg("two files {seq} exist, and each side holds another one: the exchange stops on both sides", seq=seq)
    return ProtocolError(Outcome.DIVERGED, msg("{reason}. `pbem status` says what to do", reason=reason))
