"""One game folder at work: its table, its player, taking files and writing them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain as chainer
from pathlib import Path
from typing import Any

from pbem import games
from pbem.games import Module
from pbem.kernel.canon import Plain
from pbem.kernel.engine import Diverged
from pbem.kernel.orders import Rejected
from pbem.kernel.wording import linked, msg
from pbem.protocol import charter, keys, turnfile
from pbem.protocol import slips as signed_slips
from pbem.protocol.ids import document_id, scenario_hash
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import overdue, slips
from pbem.runtime.composing import Composed, Draft, Secrets, compose
from pbem.runtime.desk import Desk
from pbem.runtime.dues import AUTOMATIC
from pbem.runtime.keyring import DrawKeys
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.table import Table
from pbem.runtime.taking import Taken, chain_in_use, take
from pbem.store import announcing, clock, enclosing, heal_record, library, mending, outgoing, pen, playing_on, sets
from pbem.store.folder import GameFolder, PlayerSecrets
from pbem.store.links import next_link


@dataclass
class Session:
    """A game folder with its program state."""

    folder: GameFolder
    _table: Table | None = field(default=None, repr=False)
    _unheard: Table | None = field(default=None, repr=False)  # the same without the resignations that were signed farther on
    caught_up: list[dict[str, Any]] = field(default_factory=list)  # own signed files that the folder had lost

    @classmethod
    def open(cls, path: Path, to_mend: bool = False) -> Session:
        """An existing game folder. Raises ProtocolError; also where its log was cut, unless that is mended next."""
        folder = GameFolder(path)
        folder.check()
        cut = "" if to_mend else folder.cut()
        if cut:
            raise ProtocolError(
                Outcome.LOG_DAMAGED,
                msg("{path}: {cut}. `pbem status` takes back what lies here", path=str(path / "log.jsonl"), cut=cut),
            )
        return cls(folder)

    @classmethod
    @contextmanager
    def at_work(cls, path: Path) -> Iterator[Session]:
        """The session of a command that writes: nobody else writes meanwhile, and what a crash left undone is done first."""
        session = cls.open(path, to_mend=True)
        with session.folder.lock():
            session.folder.forget_log()
            mending.mend(session)
            yield session

    @staticmethod
    def now() -> str:
        """The time of receipt, UTC."""
        return clock.now()

    @cached_property
    def charter(self) -> charter.Charter:
        """The signed charter. Raises ProtocolError (waiting) while it is still a draft."""
        if not self.folder.is_running:
            raise ProtocolError(Outcome.WAITING, msg("the charter is not signed by everybody yet: see `pbem status`"))
        return charter.read_charter(self.folder.log.files()[0])

    @cached_property
    def game(self) -> Module:
        """The rules module."""
        return games.load(self.charter.system)

    @cached_property
    def scenario(self) -> Any:
        """The scenario, checked against the charter's hash."""
        plain = self.folder.own_scenario()
        if plain is None:
            plain = library.load_scenario(self.game, self.charter.scenario)
        elif scenario_hash(plain) != self.charter.scenario_hash:
            reason = msg(
                "{path} is not the charter's {scenario}",
                path=str(self.folder.path / "scenario.json"),
                scenario=self.charter.scenario,
            )
            raise ProtocolError(
                Outcome.DIVERGED, msg("{reason}: another player's game folder has the right one", reason=reason)
            )
        if scenario_hash(plain) != self.charter.scenario_hash:
            reason = msg("this program's scenario {scenario} is not the charter's", scenario=self.charter.scenario)
            raise ProtocolError(
                Outcome.DIVERGED, msg("{reason}: go on with the version of pbem that the game began with", reason=reason)
            )
        return plain

    @property
    def table(self) -> Table:
        """The table after the newest file, from the checkpoint or by playing the log again."""
        if self._table is None:
            self._table = self._cached() or self.replayed()
        return self._table

    def _cached(self) -> Table | None:
        """The table of the checkpoint; None when there is none, or one that this program cannot read."""
        saved = self.folder.checkpoint()
        try:
            return None if saved is None else Table.from_plain(self.charter, self.game, self.scenario, saved)
        except (LookupError, TypeError, ValueError, AttributeError, Diverged, Rejected):
            return None

    def replayed(
        self, until: int | None = None, passing_over: Sequence[Any] = (), each: Callable[[Table], None] = lambda _: None
    ) -> Table:
        """The table after playing the log from its beginning, up to file `until`; some slips beside it passed over."""
        table = Table.start(self.charter, self.game, self.scenario)
        playing_on.play_on(self, table, until, each)
        for slip in self.folder.log.slips():
            if slip not in passing_over:
                slips.note(table, slip)
        return table

    def forget(self) -> None:
        """After something went wrong: log and table are read again when they are needed."""
        self._table = self._unheard = None
        self.folder.forget_log()

    @property
    def head(self) -> str:
        """The id of the newest file."""
        return self.table.ledger.entries[-1].id

    # -- the player of this folder ----------------------------------------------------------------------------------

    @cached_property
    def me(self) -> PlayerSecrets:
        """Whose folder this is. Raises ProtocolError for a spectator."""
        secrets = self.folder.secrets()
        if secrets is None:
            raise self.folder.private.no_secrets()
        return secrets

    @cached_property
    def private(self) -> keys.Signer:
        """The player's signing key."""
        found = self.private_for({self.table.ledger.keys[self.me.player]})
        if found is None:
            raise self.folder.private.no_key(self.me.player)
        return found

    def private_for(self, wanted: set[str]) -> keys.Signer | None:
        """The signing key of this folder, or of the ssh-agent, whose public half is among these; None when there is none."""
        return self.folder.private.signer(wanted)

    @property
    def is_seated(self) -> bool:
        """This folder's key signs for its player now: no other has taken the seat over, and it was taken over if need be."""
        wanted = {self.table.ledger.keys.get(self.me.player, "")}
        return self.folder.secrets() is not None and self.folder.private.signs_for(wanted)

    @property
    def sees_hidden(self) -> bool:
        """What this player alone knows can be shown without asking for a passphrase, or there is nothing of the kind."""
        return self.folder.secrets() is not None and (not self._hides_something or self.folder.private.opens_unasked())

    @property
    def _hides_something(self) -> bool:
        ledger, me = self.table.ledger, self.me.player
        return any(d.player == me for d in ledger.draws) or any(s.player == me for s in ledger.seals.values())

    def secrets(self) -> Secrets:
        """Links, draw keys and seals for composing."""
        me, nonce = self.me, self.charter.nonce
        standing = chain_in_use(self.table, me.player)
        kept = [*me.other_chains, {"secret": me.chain_secret, "length": me.chain_length}]
        kept += [me.next_chain] if me.next_chain else []

        def link(n: int) -> str:
            shown = next_link(nonce, chainer(kept, announcing.chains(self)), standing)
            if not shown:
                reason = msg("this folder does not hold the chain that the log shows")
                raise ProtocolError(Outcome.BAD_CHAIN, linked(". ", reason, self.folder.private.ways_out()))
            return shown

        return Secrets(me.player, link, self.draw_keys(), dict(me.sealed))

    def draw_keys(self) -> DrawKeys:
        """This player's draw keys, those handed over with the seat included."""
        renewed = announcing.masters(self) if len(self.table.ledger.trees) > len(self.charter.all_players) else []
        masters = [bytes.fromhex(m) for m in (self.me.draw_master, *self.me.more_masters, *renewed)]
        return DrawKeys(self.table.ledger, self.me.player, self.charter.nonce, masters, self.me.handed_over)

    def knowledge(self) -> Knowledge:
        """What this player knows of hidden things."""
        me, ledger, game = self.me, self.table.ledger, self.charter.game_id
        if not self._hides_something:
            return Knowledge(me.player, {}, {}, ledger, game)
        return Knowledge(me.player, self.draw_keys(), me.sealed, ledger, game)

    # -- files --------------------------------------------------------------------------------------------------------

    def try_out(self, draft: Draft) -> Composed:
        """What a draft would do, without signing or storing anything. Raises Refused, ProtocolError."""

        def salt(seq: int, number: int, order: Plain) -> bytes:
            return announcing.salt(self, seq, number, order)

        return compose(self.table, self.secrets(), draft, self.folder.fetch, salt)

    def desk(self, text: str = "") -> Desk:
        """The next file of this player on a desk. Raises Refused, ProtocolError where none can be begun."""

        def salt(seq: int, number: int, order: Plain) -> bytes:
            return announcing.salt(self, seq, number, order)

        return Desk(self.table, self.secrets(), self.folder.fetch, salt, sets.written_out(self, text))

    def write(self, draft: Draft) -> dict[str, Any]:
        """Compose, sign in the record, then keep, store and put out; the document is then ready to send."""
        _ = self.me  # a folder that watches has no player who could be unsure
        overdue.check_open(self.table)
        why = pen.why_unsure(self.folder, self.charter.game_id)
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

    def withdrawn(self) -> list[dict[str, Any]]:
        """What was taken out of the log: `{seq, id, refusal}`."""
        return [e["document"] for e in self.folder.log.entries if e["kind"] == "withdrawn"]

    def take(self, document: dict[str, Any]) -> Taken:
        """A file into the log, wholly or not at all. Raises Refused, ProtocolError."""
        self._check_late(document)
        taken = self._try(document)
        self._keep(document, taken)
        return taken

    def _try(self, document: dict[str, Any]) -> Taken:
        """The file at the newest table. What was signed before a resignation is taken though that came before it."""
        ahead = slips.ahead(self.table, self.folder.log.slips()) if self.table.due.what == "nothing" else []
        if not ahead or document.get("prev") != self.head:
            return take(self.table, document, self.folder.fetch)
        if self._unheard is None or self._unheard.ledger.entries[-1].id != self.head:
            self._unheard = self.replayed(passing_over=ahead)
        taken = take(self._unheard, document, self.folder.fetch)
        farther = slips.ahead(taken.table, ahead)
        for slip in [s for s in ahead if s not in farther]:
            slips.note(taken.table, slip)
        self._unheard, table = taken.table, taken.table.fork()
        for slip in farther:
            slips.note(table, slip)
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
        asked = slips.promised(self.table, document, self.folder.log.slips(), secrets.player)
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

    def answer_by_itself(self) -> list[dict[str, Any]]:
        """The files that hold no decision: this program writes them at once, unless the folder may lack something."""
        written: list[dict[str, Any]] = []
        if not self._owes_what_is_no_decision() or pen.why_unsure(self.folder, self.charter.game_id):
            return written
        while self._owes_what_is_no_decision() and self.is_seated and not heal_record.waiting(self):
            written.append(self.write(Draft()))
        return written

    def _owes_what_is_no_decision(self) -> bool:
        secrets, due = self.folder.secrets(), self.table.due
        return secrets is not None and self.table.result is None and due.player == secrets.player and due.what in AUTOMATIC

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
