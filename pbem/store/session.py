"""One game folder at work: its table, its player, taking files and writing them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from pbem.kernel.canon import Plain
from pbem.kernel.wording import Message, msg
from pbem.protocol import keys, turnfile
from pbem.protocol import slips as signed_slips
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import holds, overdue, slips
from pbem.runtime.asked import question_of
from pbem.runtime.composing import Composed, Draft, compose
from pbem.runtime.dues import AUTOMATIC
from pbem.runtime.table import Table
from pbem.runtime.taking import Taken, take
from pbem.store import announcing, clock, enclosing, first_set, heal_record, outgoing, pen, sets, waits
from pbem.store.seated import Seated

if TYPE_CHECKING:
    from pbem.runtime.desk import Desk


@dataclass
class Session(Seated):
    """A game folder at work: files are tried, written, signed, taken, withdrawn; slips are signed and kept."""

    _unheard: Table | None = field(default=None, repr=False)  # the same without the resignations beside the log
    caught_up: list[dict[str, Any]] = field(default_factory=list)  # own signed files that the folder had lost
    kept_back: Composed | None = field(default=None, repr=False)  # what `answer_by_itself` has left for its player's orders

    @classmethod
    @contextmanager
    def at_work(cls, path: Path) -> Iterator[Session]:
        """The session of a command that writes: nobody else writes meanwhile, and what a crash left undone is done first."""
        from pbem.store import mending

        session = cls.open(path, to_mend=True)
        with session.folder.lock():
            session.folder.forget_log()
            mending.mend(session)
            yield session

    def forget(self) -> None:
        """After something went wrong: log and tables are read again when they are needed."""
        super().forget()
        self._unheard = None

    @staticmethod
    def now() -> str:
        """The time of receipt, UTC."""
        return clock.now()

    # -- files --------------------------------------------------------------------------------------------------------

    def try_out(self, draft: Draft) -> Composed:
        """What a draft would do, without signing or storing anything. Raises Refused, ProtocolError."""
        return compose(self.table, self.secrets(), draft, self.folder.fetch, partial(announcing.salt, self))

    def desk(self, text: str = "") -> Desk:
        """The next file of this player on a desk. Raises Refused, ProtocolError where none can be begun."""
        from pbem.runtime.desk import Desk

        return Desk(self.table, self.secrets(), self.folder.fetch, partial(announcing.salt, self), sets.written_out(self, text))

    def write(self, draft: Draft) -> dict[str, Any]:
        """Compose, sign in the record, then keep, store and put out; the document is then ready to send."""
        _ = self.me  # a folder that watches has no player who could be unsure
        overdue.check_open(self.table)
        why = self.why_unsure()
        if why:
            raise pen.not_sure(why)
        enclosing.check_sealed(self)
        private = self.private
        replaces, refusals = enclosing.replacement(self)
        carried = enclosing.carried(self)
        draft.extra = {**draft.extra, **announcing.announcements(self, bool(carried)), **replaces}
        draft.slips = [*draft.slips, *refusals, *carried, *enclosing.untaken_slips(self, draft)]
        return self.sign_and_keep(self.try_out(draft), private)

    def sign_and_keep(self, composed: Composed, private: keys.Signer) -> dict[str, Any]:
        """The composed file signed: secrets, record, log, copies, outbox; after a crash behind the record it is finished."""
        document = turnfile.sign(composed.document, private)
        before, taken = self.table, take(self.table, document, self.folder.fetch)
        if composed.sealed:
            self.me.sealed.update(composed.sealed)
            self.folder.save_secrets(self.me)
        pen.write_row(self, document, keys.public_text(private), composed.sealed)
        try:
            self._keep(document, taken)
        except OSError as error:
            reason = msg("file {seq} is signed and kept in the record, but it did not fit into the folder", seq=document["seq"])
            what = msg(
                "{reason} ({strerror}): make room, and the next command finishes it",
                reason=reason,
                strerror=error.strerror or "",
            )
            raise ProtocolError(Outcome.NOT_WRITTEN, what) from error
        outgoing.put_out(self, document, before)
        pen.vouch(self.folder, self.charter.game_id)
        outgoing.back_up(self)
        return document

    def take(self, document: dict[str, Any]) -> Taken:
        """A file into the log, wholly or not at all. Raises Refused, ProtocolError."""
        self._check_late(document)
        taken = self._try(document)
        pen.note_shown(self, document)
        self._keep(document, taken)
        return taken

    def _try(self, document: dict[str, Any]) -> Taken:
        """The file at the newest table. One that was signed without hearing of a resignation is taken though that came first;
        one by which its author gets another key ends it."""
        beside = slips.resignations(self.folder.log.slips()) if document.get("prev") == self.head else []
        if not beside or self.table.due.what != "nothing":
            taken = take(self.table, document, self.folder.fetch)
            if not beside or len(taken.table.ledger.held) == len(self.table.ledger.held):
                return taken
        if self._unheard is None or self._unheard.ledger.entries[-1].id != self.head:
            self._unheard = self.replayed(passing_over=beside)
        taken = take(self._unheard, document, self.folder.fetch)
        self._unheard, table = taken.table, taken.table.fork()
        slips.note_beside(table, beside)
        return replace(taken, table=table)

    def _keep(self, document: dict[str, Any], taken: Taken) -> None:
        self._table = None  # should anything fail here, the log says how far it came
        self.folder.add("file", document, clock.now())
        self._table = taken.table
        self.folder.save_checkpoint(taken.table.to_plain())

    def keep_taken(self, document: dict[str, Any]) -> None:
        """A file that this player has signed or answered before comes back into the log. Raises what `take` raises."""
        self._check_late(document)
        self._keep(document, self._try(turnfile.read_turn(document)))

    def _check_late(self, document: dict[str, Any]) -> None:
        """After an answer nothing of the asker is taken at that place without his question. Raises ProtocolError (refused)."""
        asked = self.promised(document)
        if asked is not None:
            reason = msg(
                "{player} asked after a restore what you hold, and you have answered that you hold no such file",
                player=asked["player"],
            )
            raise ProtocolError(
                Outcome.REFUSED, msg("{reason}: at its place only one that carries his question counts", reason=reason)
            )

    def promised(self, document: dict[str, Any]) -> dict[str, Any] | None:
        """The question that a file has to carry, because this player has answered it without holding that file."""
        secrets = self.folder.secrets()
        if secrets is None or self.charter.version < 2:
            return None
        known = enclosing.not_carried(self, str(document.get("player")), int(document["seq"]))
        asked = slips.promised(self.table, document, known, secrets.player)
        return None if asked is None else dict(asked)

    def withdraw(self, refusal: dict[str, Any]) -> None:
        """Take the newest file out of the log: it was refused with reason."""
        self._withdraw(len(self.folder.log.files()) - 1, refusal)

    def withdraw_from(self, seq: int, **unsent: Plain) -> None:
        """Take file `seq` and what follows it out of the log: another version stands, or they have not left (`unsent`: ids)."""
        self._withdraw(seq, None, **unsent)

    def _withdraw(self, seq: int, refusal: Any, **unsent: Plain) -> None:
        document: dict[str, Any] = {"seq": seq, "id": document_id(self.folder.log.files()[seq]), "refusal": refusal, **unsent}
        self.folder.add("withdrawn", document, clock.now())
        self._table = None

    def answer_by_itself(self, *, wait: bool | None = None) -> list[dict[str, Any]]:
        """The files that hold no decision, or one that the player's holds make: this program writes them at once, unless the
        folder may lack something.

        `wait`: not the one that its player's next orders may go into, which is `kept_back` then; None: as the folder has it.
        """
        written: list[dict[str, Any]] = []
        self.kept_back = None
        if not self.owes_a_file():
            return written
        wait = waits.waits(self.folder) if wait is None else wait
        while self.owes_a_file() and self.writes_by_itself():
            behind = self.asked_behind() if wait else None
            given = self._held_orders(behind.table if behind else self.table)
            if not given and not self.owes_what_is_no_decision():
                break
            if behind is not None and not given:
                self.kept_back = behind
                break
            written.append(self.write(Draft(given, first_set.of_first_file(self))))
            if given:
                self.me.by_holds.append(document_id(written[-1]))
                self.folder.save_secrets(self.me)
        return written

    def _held_orders(self, asking: Table) -> list[Plain]:
        """What the player's holds answer at a table; nothing in a folder that would ask for its passphrase."""
        if question_of(asking, self.me.player) is None or not self.folder.private.opens_unasked():
            return []
        held = self.me.local_standing
        if not held:
            return []
        return holds.orders(asking, self.me.player, held, self.knowledge(), lambda given: self.try_out(Draft(given)).table)

    def why_unsure(self) -> Message:
        """Why this folder may sign no file: it may lack something, or what it has asked about that goes into none any more."""
        return pen.why_unsure(self.folder, self.charter.game_id) or enclosing.why_not_carried(self)

    def writes_by_itself(self) -> bool:
        """This program may sign what is due: the folder lacks nothing, its key is the seat's, no heal waits."""
        return not self.why_unsure() and self.is_seated and not heal_record.waiting(self)

    def asked_behind(self) -> Composed | None:
        """The file that is due of this program, where its player is asked right behind it: his orders may go into it."""
        if not self.owes_what_is_no_decision():
            return None
        composed = self.try_out(Draft())
        return composed if question_of(composed.table, self.me.player) is not None else None

    def place_kept_back(self) -> int:
        """The place of the file that this player's orders may go into; 0 without one, and where that needs a passphrase."""
        is_due = self.owes_what_is_no_decision() and self.writes_by_itself() and self.folder.private.opens_unasked()
        return self.table.last + 1 if is_due and self.asked_behind() is not None else 0

    def owes_what_is_no_decision(self) -> bool:
        """A file is due of this folder's player that its program can write by itself."""
        return self.owes_a_file() and self.table.due.what in AUTOMATIC

    def owes_a_file(self) -> bool:
        """A file is due of this folder's player."""
        secrets = self.folder.secrets()
        return secrets is not None and self.table.result is None and self.table.due.player == secrets.player

    def sign_slip(self, kind: str, content: dict[str, Any], private: Any = None) -> dict[str, Any]:
        """A slip of this player about the log as it is, signed with his key, or with another one of his."""
        made = signed_slips.make(kind, self.charter.game_id, self.head, self.me.player, content, self.charter.version)
        return signed_slips.sign(made, private or self.private)

    def sign_row(self, slip: dict[str, Any]) -> dict[str, Any]:
        """The slip in the record; of one about the same that was signed before, that one. Raises ProtocolError."""
        key = next(h.key for h in reversed(self.table.ledger.held) if h.player == slip["player"])
        return pen.write_slip_row(self, slip, key, pen.about(slip))

    def add_slip(self, slip: dict[str, Any]) -> None:
        """A slip beside the log, if it is new."""
        if slip not in self.folder.log.slips():
            table, self._table, self._unheard = self.table.fork(), None, None  # whoever holds the one before keeps it
            self.folder.add("slip", slip, clock.now())
            slips.note(table, slip)
            self._table = table
            self.folder.save_checkpoint(table.to_plain())
