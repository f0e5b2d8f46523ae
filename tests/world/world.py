"""The simulated world: players with disks, a post office, a clock; every command of a player is one call here."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pbem import games
from pbem.cli import receiving
from pbem.kernel.orders import Rejected
from pbem.protocol import heal, slips, turnfile
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.protocol.strict_yaml import read_document
from pbem.runtime import trust
from pbem.runtime.table import Table
from pbem.runtime.taking import Refused
from pbem.store.session import Session
from pbem.transport.mail import gather, in_order
from tests.commands import Done, run
from tests.store.failing_disk import Crash, Failure
from tests.toygame import folders
from tests.toygame.test_rules_versions import ONE, TWO
from tests.world.disk import Full
from tests.world.ghost import Ghost, hold, in_short, signer
from tests.world.once import once

SEATS = {"yamada": "blue", "nowak": "red", "dubois": "rust"}
SIDES = {"yamada": "axis", "nowak": "allies", "dubois": "allies"}
UMPIRE = "smith"
CHAIN_LENGTH = 72  # renewed after nine files


class Stopped(Exception):
    """A command that did not do its work: the outcome's word, and what it said."""

    def __init__(self, word: str, said: str) -> None:
        super().__init__(f"{word}: {said}")
        self.word = word


@dataclass(eq=False)
class Machine:
    """One computer: a home of its own, an id, a version of the rules, and its disk's weather."""

    name: str
    home: Path
    version: int = 1
    failure: Failure = field(default_factory=Failure)
    record: bytes = b""
    rows: set[str] = field(default_factory=set)  # what its record says was signed, or once said

    def after_command(self) -> None:
        """A crash or error comes once; a full disk has room again after some commands."""
        self.failure.close()
        if isinstance(self.failure, Full) and self.failure.commands > 1:
            self.failure.commands -= 1
        else:
            self.failure = Failure()


@dataclass(frozen=True, eq=False)
class Entry:
    """A line of a log, or a file of an outbox: the document and its id."""

    kind: str
    document: dict[str, Any]
    id: str


@dataclass(eq=False)
class Folder:
    """A game folder of a player, and what was seen in it last."""

    path: Path
    player: str
    machine: Machine
    log: bytes = b""
    entries: list[Entry] = field(default_factory=list)
    outbox: dict[str, tuple[tuple[int, int], Entry]] = field(default_factory=dict)
    posted: set[str] = field(default_factory=set)
    said: str = ""  # on the last receipt of everything
    has_lost: bool = False  # entries of its log were taken away by hand, and it was not mended since
    is_cut: bool = False  # its log has lost what its outbox still holds
    table: Table | None = None  # of this log, by the machine's program
    table_of: tuple[bytes, int] = (b"", 0)
    settled: Any = None  # what it held, and lacked of the others', when nothing moved in it any more

    def files(self) -> list[Entry]:
        """The charter and the files that stand."""
        found: list[Entry] = []
        for entry in self.entries:
            if entry.kind == "withdrawn":
                del found[entry.document["seq"] :]
            elif entry.kind == "heal":
                line = heal.line([e.document for e in found], entry.document)
                found = [Entry(str(d["type"]), d, "" if d["type"] == heal.VOID else document_id(d)) for d in map(dict, line)]
            elif entry.kind != "slip":
                found.append(entry)
        return found

    def ids(self) -> set[str]:
        """Every document that the folder holds."""
        return {e.id for e in self.entries} | {e.id for _, e in self.outbox.values()}


@dataclass(eq=False)
class Mail:
    """One document on its way to one player."""

    to: str
    sender: str
    document: dict[str, Any]
    spoilt: str = ""  # the text that arrives instead


@dataclass
class World:
    """Everything there is."""

    root: Path
    patch: pytest.MonkeyPatch
    ghost: Ghost
    machines: list[Machine] = field(default_factory=list)
    folders: list[Folder] = field(default_factory=list)
    post: list[Mail] = field(default_factory=list)
    delivered: list[Mail] = field(default_factory=list)
    backups: list[tuple[Path, Folder]] = field(default_factory=list)
    lost_disks: set[str] = field(default_factory=set)  # players who have lost a folder, and may lack a key made after a backup
    clock: int = 0
    drawn: int = 10**6
    names: int = 0
    players: list[str] = field(default_factory=list)
    at_work: dict[str, Machine] = field(default_factory=dict)  # the machine at which each player plays
    game: str = ""
    now_at: Machine = field(default_factory=lambda: Machine("nowhere", Path()))

    # -- commands ------------------------------------------------------------------------------------------------------

    def command(self, folder: Folder, call: Callable[..., Any], *words: Any, machine: Machine | None = None) -> Any:
        """One command of the program, on the folder's machine or another. Raises Stopped; lets faults of the program out."""
        before, machine = folder.ids(), machine or folder.machine
        try:
            with self.at(machine):
                return call(*words)
        except (ProtocolError, Refused) as error:
            raise Stopped(error.outcome.word, str(error)) from error
        except Rejected as error:
            raise Stopped(Outcome.REFUSED.word, str(error)) from error
        except OSError as error:
            raise Stopped("not written", str(error)) from error
        except Crash:
            raise Stopped("crash", "the machine stopped") from None
        finally:
            machine.after_command()
            self.look(folder)
            hold(before <= folder.ids(), "P13", f"{folder.path.name} has lost what it held")

    @contextlib.contextmanager
    def at(self, machine: Machine) -> Iterator[None]:
        """At this machine: its home, its id, its program, its disk."""
        before, self.now_at = self.now_at, machine
        with self.patch.context() as inner:
            inner.setenv("PBEM_HOME", str(machine.home))
            inner.setenv("PBEM_MACHINE", machine.name)
            inner.setitem(games._REGISTERED, "skirmish", TWO if machine.version == 2 else ONE)
            try:
                yield
            finally:
                self.now_at = before

    def failure(self) -> Failure:
        """The weather of the disk at which a command works."""
        return self.now_at.failure

    def random(self, size: int | None = None) -> bytes:
        """What stands for random bytes: never the same twice, the same in every run."""
        self.drawn += 1
        return hashlib.sha256(str(self.drawn).encode()).digest()[: size or 32]

    def now(self) -> str:
        """The clock in words."""
        return f"2026-{1 + self.clock // 720 % 12:02d}-{1 + self.clock // 24 % 30:02d}T{self.clock % 24:02d}:00:00Z"

    # -- looking ---------------------------------------------------------------------------------------------------------

    def look(self, folder: Folder, after_loss: bool = False) -> None:
        """See what stands in a folder now, tell the ghost, post what is new in the outbox.

        `after_loss`: something was taken from it by hand.
        """
        known = folder.entries
        self._read_log(folder)
        folder.has_lost |= after_loss
        if folder.entries is not known:
            self.game = self.ghost.game = folder.entries[0].id
            secrets = self.secrets(folder)
            for entry in [e for e in folder.entries if e.kind in ("file", "slip")]:
                self.ghost.stands(entry.document, entry.id, secrets if signer(entry.document) == folder.player else None)
        self._read_outbox(folder)
        rows = self._read_rows(folder.machine)
        logged = {e.id for e in folder.entries}
        posted = {e.id for _, e in folder.outbox.values() if e.document["type"] != heal.TYPE}  # those wait for signatures
        folder.is_cut = (folder.is_cut or after_loss) and not posted <= logged
        hold(posted <= logged or folder.is_cut, "P8", f"{folder.path.name}: the outbox holds what the log does not")
        made_here = {name for name in logged | posted if self.ghost.made.get(name) == folder.machine.name}
        lacking = [in_short(self.ghost.files[name].document) for name in made_here - rows if name in self.ghost.files]
        hold(made_here <= rows, "P8", f"{folder.path.name} holds what was signed here, and the record does not: {lacking}")
        for _, entry in folder.outbox.values():
            self._send(folder, entry)
        for text in sorted(folder.path.glob("outbox/*.txt")):
            for entry in _shown(text.read_bytes()):
                self._send(folder, entry)
        self.check(folder)

    def _send(self, folder: Folder, entry: Entry) -> None:
        """A document of an outbox goes to everybody, once."""
        if entry.id not in folder.posted:
            folder.posted.add(entry.id)
            self.ghost.stands(entry.document, entry.id)
            self.post += [Mail(p, folder.player, entry.document) for p in self.players if p != folder.player]

    def _read_log(self, folder: Folder) -> None:
        path = folder.path / "log.jsonl"
        data = path.read_bytes() if path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        if whole != folder.log:
            folder.log, folder.entries = whole, [_entry(line) for line in whole.splitlines(keepends=True)]

    def _read_rows(self, machine: Machine) -> set[str]:
        """What the record of a machine says was signed; a document is signed from then on."""
        path = machine.home / "signed" / f"{self.game}.jsonl"
        data = path.read_bytes() if path.exists() else b""
        whole = data[: data.rfind(b"\n") + 1]
        hold(whole.startswith(machine.record), "P13", f"the record of {machine.name} has lost rows")
        for line in whole[len(machine.record) :].splitlines(keepends=True):
            row = _row(line)
            if row is not None:
                machine.rows.add(row.id)
                self.ghost.stands(row.document, row.id)
        machine.record = whole
        return machine.rows

    def _read_outbox(self, folder: Folder) -> None:
        found: dict[str, tuple[tuple[int, int], Entry]] = {}
        for path in sorted(folder.path.glob("outbox/*.yaml")):
            status = path.stat()
            stamp = (status.st_ino, status.st_mtime_ns)
            known = folder.outbox.get(path.name)
            found[path.name] = known if known and known[0] == stamp else (stamp, _posted(path.read_bytes()))
        folder.outbox = found

    def secrets(self, folder: Folder) -> dict[str, Any] | None:
        """The secrets of a folder's player; None in one that watches."""
        path = folder.path / "private" / "secrets.json"
        return dict(json.loads(path.read_bytes())) if path.exists() else None

    def check(self, folder: Folder) -> None:
        """The promises about what a folder says, once for each state of its log. One that has lost entries may say so."""
        key = folder.log, folder.machine.version
        if (folder.table_of == key and folder.table) or not folder.entries:
            return
        folder.table_of, folder.table = key, None
        weather, folder.machine.failure = folder.machine.failure, Failure()  # this look is none of the player's
        with self.at(folder.machine):
            try:
                folder.table = Session.open(folder.path).table
            except ProtocolError as error:
                diverged = error.outcome is Outcome.DIVERGED and folder.machine.version == 1
                cut = error.outcome is Outcome.LOG_DAMAGED and folder.has_lost
                hold(diverged or cut, "P1", f"{folder.path.name} does not open: {error}")
                return
            finally:
                folder.machine.failure = weather
        folder.has_lost = False
        files = folder.files()
        self.ghost.check_table(folder.path.name, folder.table, [e.document for e in files], [e.id for e in files])
        slips = [e.document for e in folder.entries if e.kind == "slip"]
        self.ghost.check_proofs(folder.path.name, trust.proved([e.document for e in files], slips))

    # -- post ------------------------------------------------------------------------------------------------------------

    def deliver(self, mails: list[Mail], folder: Folder) -> Any:
        """Mails are opened at a folder: one `receive`. Spoilt ones come as text."""
        found: list[tuple[str, Any]] = []
        for mail in mails:
            if mail.spoilt:
                found += gather(mail.spoilt)
            else:
                self.ghost.reads(folder.player, mail.document)
                found.append(("mail", mail.document))
        for _, document in found:
            if isinstance(document, dict):
                self.ghost.reads(folder.player, document)
        return self.command(folder, receiving.receive_all, folder.path, in_order(found))

    def waiting(self, player: str) -> list[Mail]:
        """The mails to a player that lie at the post office."""
        return [m for m in self.post if m.to == player]

    @property
    def in_use(self) -> list[Folder]:
        """The folders at which their players read their mail: all those on the machine at which one plays now."""
        return [f for f in self.folders if f.machine is self.at_work[f.player]]

    def moves_to(self, folder: Folder) -> None:
        """A player goes on at this folder's machine; at the others he plays no more."""
        self.at_work[folder.player] = folder.machine
        self.folders = [f for f in self.folders if f.player != folder.player or f.machine is folder.machine]

    def new_name(self, word: str) -> str:
        """A name for a folder or file."""
        self.names += 1
        return f"{word}{self.names}"


@lru_cache(maxsize=4096)
def _entry(line: bytes) -> Entry:
    entry = json.loads(line)
    return Entry(entry["kind"], entry["document"], document_id(entry["document"]))


@lru_cache(maxsize=4096)
def _row(line: bytes) -> Entry | None:
    row = json.loads(line)["document"]
    return Entry("row", row["document"], row["id"]) if row.get("document") else None


@lru_cache(maxsize=4096)
def _shown(text: bytes) -> list[Entry]:
    documents = [d for _, d in gather(text.decode()) if isinstance(d, dict)]
    return [Entry("outbox", d, document_id(d)) for d in documents]


@lru_cache(maxsize=4096)
def _posted(data: bytes) -> Entry:
    document = read_document(data)[0]
    return Entry("outbox", document, document_id(document))


# -- founding ---------------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def fixed_world(world: World) -> Iterator[None]:
    """Clock, random bytes, keys and signatures of the program are the world's."""
    with world.patch.context() as inner:
        inner.setattr("secrets.token_bytes", world.random)
        inner.setattr("secrets.token_hex", lambda size=None: world.random(size).hex())
        inner.setattr("pbem.protocol.keys.generate", lambda: Ed25519PrivateKey.from_private_bytes(world.random()))
        inner.setattr("pbem.protocol.escrow.generate", lambda: world.random().hex())
        inner.setattr("pbem.protocol.charter.CHAIN_LENGTH", CHAIN_LENGTH)
        inner.setattr("pbem.store.clock.now", world.now)
        sign, sign_slip = turnfile.sign, slips.sign

        def signed(document: Any, private: Any, sign: Any = sign) -> dict[str, Any]:
            made: dict[str, Any] = sign(document, private)
            world.ghost.signed(made, world.now_at.name)
            return made

        inner.setattr(turnfile, "sign", signed)
        inner.setattr(slips, "sign", lambda slip, private: signed(slip, private, sign_slip))
        once(inner)
        yield


def found_world(root: Path, role: str, patch: pytest.MonkeyPatch, cheat: str = "") -> None:
    """A game that has begun: `root/PLAYER` and `root/PLAYER-home` for each player, and for an umpire in this role.

    The chain of a cheat is long enough never to be renewed.
    """
    root.mkdir()
    before = Path.cwd()

    def at_home(*words: str) -> Done:
        name = words[words.index("-g") + 1] if "-g" in words else "draft"
        with patch.context() as inner:
            inner.setenv("PBEM_HOME", str(root / f"{name}-home"))
            inner.setenv("PBEM_MACHINE", name)
            if name == cheat:
                inner.setattr("pbem.protocol.charter.CHAIN_LENGTH", 10 * CHAIN_LENGTH)
            return run(*words)

    def must_at_home(*words: str) -> str:
        done = at_home(*words)
        assert done.code == 0, (words, done)
        return done.out

    with patch.context() as inner:
        inner.setattr(folders, "run", at_home)
        inner.setattr(folders, "must", must_at_home)
        os.chdir(root)
        try:
            folders.found(SEATS, role, lost_keys="umpire" if role else "others")
        finally:
            os.chdir(before)
    shutil.rmtree(root / "draft")
