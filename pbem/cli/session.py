"""One game folder at work: its table, its player, taking files and writing them."""

from __future__ import annotations

import datetime
import os
import secrets as random_bytes
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from pbem import games
from pbem.kernel.engine import Diverged, Game
from pbem.kernel.orders import Rejected
from pbem.protocol import chain, charter, draws, escrow, keys, turnfile
from pbem.protocol.ids import document_id, scenario_hash
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.runtime import slips
from pbem.runtime.composing import Composed, Draft, Secrets, compose
from pbem.runtime.keyring import DrawKeys
from pbem.runtime.knowledge import Knowledge
from pbem.runtime.table import Due, Table
from pbem.runtime.taking import RENEW_BELOW, Taken, chain_in_use, take, take_in_place
from pbem.store import library
from pbem.store.folder import GameFolder, PlayerSecrets

AUTOMATIC = ("witness", "open", "claim", "start", "draws")  # nothing in these is a decision


def now() -> str:
    """The time of receipt, UTC."""
    return datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def home() -> Path:
    """Where keys are kept: PBEM_HOME, else the XDG configuration folder."""
    if "PBEM_HOME" in os.environ:
        return Path(os.environ["PBEM_HOME"])
    return Path(os.environ.get("XDG_CONFIG_HOME", Path.home() / ".config")) / "pbem"


@dataclass
class Session:
    """A game folder with its program state."""

    folder: GameFolder
    _table: Table | None = field(default=None, repr=False)

    @classmethod
    def open(cls, path: Path) -> Session:
        """An existing game folder. Raises ProtocolError."""
        folder = GameFolder(path)
        folder.check()
        return cls(folder)

    @classmethod
    @contextmanager
    def at_work(cls, path: Path) -> Iterator[Session]:
        """The session of a command that writes: nobody else writes meanwhile, and what a crash left undone is done first."""
        session = cls.open(path)
        with session.folder.lock():
            session.mend()
            yield session

    @cached_property
    def charter(self) -> charter.Charter:
        """The signed charter. Raises ProtocolError (waiting) while it is still a draft."""
        if not self.folder.is_running:
            raise ProtocolError(Outcome.WAITING, "the charter is not signed by everybody yet: see `pbem status`")
        return charter.read_charter(self.folder.log.files()[0])

    @cached_property
    def game(self) -> Game:
        """The rules module."""
        return games.load(self.charter.system)

    @cached_property
    def scenario(self) -> Any:
        """The scenario, checked against the charter's hash."""
        plain = self.folder.own_scenario()
        if plain is None:
            plain = library.load_scenario(games.folder_of(self.charter.system), self.charter.scenario)
        elif scenario_hash(plain) != self.charter.scenario_hash:
            reason = f"{self.folder.path / 'scenario.json'} is not the charter's {self.charter.scenario}"
            raise ProtocolError(Outcome.DIVERGED, f"{reason}: another player's game folder has the right one")
        if scenario_hash(plain) != self.charter.scenario_hash:
            reason = f"this program's scenario {self.charter.scenario} is not the charter's"
            raise ProtocolError(Outcome.DIVERGED, f"{reason}: go on with the version of pbem that the game began with")
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

    def replayed(self, until: int | None = None) -> Table:
        """The table after playing the log from its beginning, up to file `until`."""
        table = Table.start(self.charter, self.game, self.scenario)
        for document in self.folder.log.files()[1 : None if until is None else until + 1]:
            take_in_place(table, document, self.folder.fetch)
        for slip in self.folder.log.slips():
            slips.note(table, slip)
        return table

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
            raise ProtocolError(Outcome.WRONG_KEY, "this folder watches the game; it has no player's key")
        return secrets

    @cached_property
    def private(self) -> Any:
        """The player's signing key."""
        found = self.private_for({self.table.ledger.keys[self.me.player]})
        if found is None:
            raise ProtocolError(Outcome.WRONG_KEY, f"the key of this folder does not sign for {self.me.player}")
        return found

    def private_for(self, wanted: set[str]) -> Any:
        """The signing key of this folder whose public half is among these; None when there is none."""
        for name in ("key.next", "key"):
            private = self.folder.private_key(name)
            if private is not None and keys.public_text(private) in wanted:
                return private
        return None

    @property
    def is_seated(self) -> bool:
        """This folder's key signs for its player now: no other has taken the seat over, and it was taken over if need be."""
        wanted = {self.table.ledger.keys.get(self.me.player, "")}
        return self.folder.secrets() is not None and self.private_for(wanted) is not None

    def secrets(self) -> Secrets:
        """Links, draw keys and seals for composing."""
        me, nonce = self.me, self.charter.nonce
        last, left = chain_in_use(self.table, me.player)
        chains = [*me.other_chains, {"secret": me.chain_secret, "length": me.chain_length}]
        if me.next_chain:
            chains.append(me.next_chain)

        def link(n: int) -> str:
            return _next_link(nonce, chains, last, left)

        return Secrets(me.player, link, self.draw_keys(), dict(me.sealed))

    def draw_keys(self) -> DrawKeys:
        """This player's draw keys, those handed over with the seat included."""
        masters = [bytes.fromhex(m) for m in (self.me.draw_master, *self.me.more_masters)]
        return DrawKeys(self.table.ledger, self.me.player, self.charter.nonce, masters, self.me.handed_over)

    def knowledge(self) -> Knowledge:
        """What this player knows of hidden things."""
        me = self.me
        return Knowledge(me.player, self.draw_keys(), me.sealed, self.table.ledger, self.charter.game_id)

    # -- files --------------------------------------------------------------------------------------------------------

    def try_out(self, draft: Draft) -> Composed:
        """What a draft would do, without signing or storing anything. Raises Refused, ProtocolError."""
        return compose(self.table, self.secrets(), draft, self.folder.fetch, lambda: random_bytes.token_bytes(32))

    def write(self, draft: Draft) -> dict[str, Any]:
        """Compose, keep secrets, sign, take and store; the document is then ready to send."""
        if self.me.restored:
            reason = "this folder was restored from a backup: receive the newest file of the game before you sign"
            raise ProtocolError(Outcome.WAITING, reason)
        private = self.private
        replaces, refusals = self._replacement()
        draft.extra = {**draft.extra, **self._announcements(), **replaces}
        draft.slips = [*draft.slips, *refusals, *self._untaken_slips()]
        composed = self.try_out(draft)
        if composed.sealed:
            self.me.sealed.update(composed.sealed)
            self.folder.save_secrets(self.me)
        document = turnfile.sign(composed.document, private)
        self.take(document)
        self.put_out(document)
        return document

    def _announcements(self) -> dict[str, Any]:
        """The next chain and the next draw keys, where few are left."""
        found: dict[str, Any] = {}
        held = self.table.ledger.chains[self.me.player]
        if held.left <= RENEW_BELOW and not held.next_tip:
            found["next_chain"] = self._renew()
        if self.table.ledger.draw_keys_left(self.me.player) < RENEW_BELOW:
            found["next_draws"] = self._renew_draws()
        return found

    def _replacement(self) -> tuple[dict[str, Any], list[Any]]:
        """What a file says that takes the place of an own one which was refused and withdrawn."""
        newest = self.folder.log.entries[-1]
        withdrawn = [e["document"] for e in self.folder.log.entries if e["kind"] == "withdrawn"]
        if not withdrawn or withdrawn[-1]["seq"] != self.table.last + 1 or newest["kind"] == "file":
            return {}, []
        refusal = withdrawn[-1]["refusal"]
        return ({"replaces": withdrawn[-1]["id"]}, [refusal]) if refusal else ({}, [])

    def _untaken_slips(self) -> list[Any]:
        """Resignations and proofs of cheating that no file has taken into the log yet."""
        kinds = ("resignation", "equivocation")
        waiting = [s for s in self.folder.log.slips() if s["slip"] in kinds]
        if not waiting:
            return []
        taken = [s for d in self.folder.log.files() for s in d.get("slips") or []]
        heads = {e.id for e in self.table.ledger.entries}
        return [s for s in waiting if s not in taken and s["head"] in heads]

    def _renew_draws(self) -> str:
        """The root of the next 1024 draw keys; the master is kept before it is announced."""
        nonce, known = self.charter.nonce, {t.root for t in self.table.ledger.trees}
        for master in self.me.more_masters:
            root = draws.root(nonce, bytes.fromhex(master))
            if root not in known:
                return root
        self.me.more_masters.append(random_bytes.token_hex(32))
        self.folder.save_secrets(self.me)
        return draws.root(nonce, bytes.fromhex(self.me.more_masters[-1]))

    def escrow_of(self, tip: str, length: int, secret: str) -> dict[str, str]:
        """The `escrow` of a new chain for an umpire who holds one, else nothing."""
        if not self.charter.escrow_key:
            return {}
        text = escrow.encrypt(
            self.charter.escrow_key, self.charter.nonce, tip, length, bytes.fromhex(secret), escrow.generate()
        )
        return {"escrow": text}

    def _renew(self) -> dict[str, Any]:
        """The next chain, kept before it is announced. One that was kept but never announced is used; none is forgotten."""
        last, left = chain_in_use(self.table, self.me.player)
        kept = self.me.next_chain
        if kept is None or stands_on(self.charter.nonce, kept, last, left):
            self.me.other_chains += [kept] if kept else []
            kept = self.me.next_chain = {"secret": random_bytes.token_hex(32), "length": charter.CHAIN_LENGTH}
            self.folder.save_secrets(self.me)
        length = int(kept["length"])
        tip = chain.tip(self.charter.nonce, bytes.fromhex(kept["secret"]), length)
        mine = self.escrow_of(tip, length, kept["secret"]) if self.me.player != self.charter.umpire_name else {}
        return {"tip": tip, "length": length, **mine}

    def take(self, document: dict[str, Any]) -> Taken:
        """A file into the log, wholly or not at all. Raises Refused, ProtocolError."""
        try:
            taken = take(self.table, document, self.folder.fetch)
        except ProtocolError as error:
            if error.outcome is not Outcome.ALREADY_KNOWN or not self._gives_way(document):
                raise
            taken = take(self.replayed(self.table.last - 1), document, self.folder.fetch)
            self.withdraw(None)
        self.folder.add("file", document, now())
        self._table = taken.table
        self.folder.save_checkpoint(taken.table.to_plain())
        return taken

    def _gives_way(self, document: dict[str, Any]) -> bool:
        """The umpire's witness file takes the place of the player's own with the same link, while nothing follows it."""
        newest = self.table.ledger.entries[-1]
        other = bool(document.get("signed_by")) and not newest.signed_by
        return other and document["seq"] == self.table.last and document["link"] == newest.link

    def withdraw(self, refusal: dict[str, Any] | None) -> None:
        """Take the newest file out of the log: it was refused with reason, or the umpire's stands in its place."""
        files = self.folder.log.files()
        document: dict[str, Any] = {"seq": len(files) - 1, "id": document_id(files[-1]), "refusal": refusal}
        self.folder.add("withdrawn", document, now())
        self._table = None

    def mend(self) -> list[Path]:
        """The copies and the outgoing file of the newest entry, where a crash came before them; what was written."""
        if not self.folder.is_running:
            return []
        self.folder.restore_copies(newest=1)
        newest, secrets = self.folder.log.entries[-1], self.folder.secrets()
        document = newest["document"]
        if secrets is None or (document.get("signed_by") or document.get("player")) != secrets.player:
            return []
        path = self._outgoing(document)
        if path.exists() and (newest["kind"] == "slip" or path.with_suffix(".eml").exists()):
            return []
        return [self.put_out(document)]

    def _outgoing(self, document: dict[str, Any]) -> Path:
        if document["type"] == "slip":
            return self.folder.path / "outbox" / f"slip-{document['slip']}-{document['player']}.yaml"
        return self.folder.path / "outbox" / f"{int(document['seq']):04d}-{document['player']}.yaml"

    def put_out(self, document: dict[str, Any]) -> Path:
        """The file, and a mail unless it is a slip, in the outbox."""
        from pbem.protocol.strict_yaml import write_document
        from pbem.transport.mail import write_eml

        path = self._outgoing(document)
        if document["type"] != "slip":
            mail = write_eml(document, self.charter.game_id[:8], self.due_in_words())
            self.folder.disk.replace(path.with_suffix(".eml"), mail)
        self.folder.disk.replace(path, write_document(document).encode())
        return path

    def answer_by_itself(self) -> list[dict[str, Any]]:
        """The files that hold no decision: this program writes them at once."""
        written: list[dict[str, Any]] = []
        while self._owes_what_is_no_decision() and self.is_seated:
            written.append(self.write(Draft()))
        return written

    def _owes_what_is_no_decision(self) -> bool:
        secrets, due = self.folder.secrets(), self.table.due
        return secrets is not None and due.player == secrets.player and due.what in AUTOMATIC

    def seen_newest(self) -> None:
        """Files of the game have come in: a restored folder may sign again."""
        if self.folder.secrets() is not None and self.me.restored:
            self.me.restored = False
            self.folder.save_secrets(self.me)

    def add_slip(self, slip: dict[str, Any]) -> None:
        """A slip beside the log, if it is new."""
        if slip not in self.folder.log.slips():
            table = self.table
            self.folder.add("slip", slip, now())
            slips.note(table, slip)
            self.folder.save_checkpoint(table.to_plain())

    def audit_pending(self) -> list[str]:
        """The players who have not yet shown all their draw keys and seals."""
        from pbem.runtime import audit

        slips_shown = [s for s in self.folder.log.slips() if s["slip"] == "audit"]
        return audit.undisclosed(self.table.ledger, audit.collect(self.table, slips_shown))

    def due_in_words(self) -> str:
        """Who has to send what."""
        table = self.table
        if table.result is not None:
            side = table.result.winner
            text = f"The game is over: {side + ' won' if side else 'a draw'} ({table.result.reason}) [{table.result.rule}]."
            pending = self.audit_pending()
            return text + (f" Audit pending: {', '.join(pending)}." if pending else "")
        return self.in_words(table.due)

    @staticmethod
    def in_words(due: Due) -> str:
        """Who has to send what, as one clause."""
        what = {
            "orders": "orders", "witness": "a witness file that turns the dice", "start": "the opening file",
            "draws": "new draw keys", "open": "an opening", "claim": "a statement", "seal": "a sealed order",
            "accept": "an answer to an offer",
        }[due.what]  # fmt: skip
        rule = f" [{due.rule}]" if due.rule else ""
        return f"{due.player} has to send {what}{': ' + due.detail if due.detail else ''}{rule}"


def _next_link(nonce: str, chains: list[dict[str, Any]], last: str, left: int) -> str:
    """The link after the last one shown, on whichever of the player's chains it stands."""
    for held in chains:
        if stands_on(nonce, held, last, left):
            length = int(held["length"])
            return chain.link(nonce, bytes.fromhex(held["secret"]), length, length - left + 1)
    raise ProtocolError(Outcome.BAD_CHAIN, "this folder does not hold the chain that the log shows")


def stands_on(nonce: str, held: dict[str, Any], last: str, left: int) -> bool:
    """Whether `last` is the value of this chain after which `left` links are still to be shown."""
    secret, length = bytes.fromhex(held["secret"]), int(held["length"])
    if not 0 < left <= length:
        return False
    shown = length - left
    return last == (chain.link(nonce, secret, length, shown) if shown else chain.tip(nonce, secret, length))


def charter_id(document: dict[str, Any]) -> str:
    """The game id of a charter or draft."""
    return document_id(document)
