"""A game folder: log, readable copies, private secrets, outbox, checkpoint, lock, format version."""

from __future__ import annotations

import contextlib
import json
import secrets as random_bytes
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.kernel.canon import canonical, sha256_hex
from pbem.kernel.wording import Argument, Message, linked, msg
from pbem.protocol import charter, keys, strict_yaml
from pbem.protocol.ids import document_id
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.store import backups, naming
from pbem.store.disk import MOMENT, Disk
from pbem.store.log import Log, check_times
from pbem.store.private import SECRETS, PrivateFolder

FORMAT = 2  # 1: without a record of signatures outside the folder
LIVE_LOCK = "live.lock"  # held while files are exchanged live; other commands then wait for a moment
MOST_NOT_TAKEN, MOST_BYTES = 200, 4 << 20  # how much of what was not taken is kept: documents, and bytes of one


@dataclass(slots=True)
class PlayerSecrets:
    """What only this folder's player has. `restored`: came from a backup; the next signature needs the newest file."""

    player: str
    chain_secret: str
    chain_length: int
    draw_master: str
    sealed: dict[str, dict[str, Any]] = field(default_factory=dict)
    local_standing: dict[str, Any] = field(default_factory=dict)
    other_chains: list[dict[str, Any]] = field(default_factory=list)  # {secret, length}, older and later ones
    next_chain: dict[str, Any] | None = None
    signed_charter: str = ""
    restored: bool = False
    escrow_key: str = ""  # an umpire's X25519 private key, hex
    more_masters: list[str] = field(default_factory=list)  # of later draw trees, announced or about to be
    by_holds: list[str] = field(default_factory=list)  # ids of the files with decisions that holds have written
    handed_over: dict[str, dict[str, Any]] = field(default_factory=dict)  # draw j -> {key, path} from the seat's last holder

    @classmethod
    def fresh(cls, player: str) -> PlayerSecrets:
        """New random secrets: one chain and one draw master, for one charter only."""
        return cls(player, random_bytes.token_hex(32), charter.CHAIN_LENGTH, random_bytes.token_hex(32))


class _Encrypted(PlayerSecrets):
    """Secrets of which only what they show is known, until another one is looked at: then all are decrypted."""

    __slots__ = ("_decrypt",)

    def __init__(self, known: Mapping[str, Any], decrypt: Callable[[], PlayerSecrets]) -> None:
        self._decrypt = decrypt
        for name, value in known.items():
            setattr(self, name, value)

    def __getattr__(self, name: str) -> Any:
        """Called for what is not known yet."""
        if name not in PlayerSecrets.__slots__:
            raise AttributeError(name)
        decrypted = self._decrypt()
        for slot in PlayerSecrets.__slots__:
            if not _is_set(self, slot):
                setattr(self, slot, getattr(decrypted, slot))
        return object.__getattribute__(self, name)


def _is_set(record: object, slot: str) -> bool:
    try:
        object.__getattribute__(record, slot)
    except AttributeError:
        return False
    return True


class GameFolder:
    """One game on this machine."""

    def __init__(self, path: Path, disk: Disk | None = None) -> None:
        self.path, self.disk = path, disk or Disk()
        self.private = PrivateFolder(path, self.disk)
        self._log: Log | None = None

    # -- making and finding --------------------------------------------------------------------------------------------

    @classmethod
    def create(cls, path: Path, draft: Mapping[str, Any], disk: Disk | None = None) -> GameFolder:
        """A new folder around a charter draft. Raises ProtocolError when there is a game already."""
        folder = cls(path, disk)
        folder.make_folders()
        with folder.lock():
            if folder.exists:
                raise unreadable(msg("{name} is a game folder already", name=path.name))
            folder.save_draft(draft)
            folder.set_format()
        return folder

    def make_folders(self) -> None:
        """The folders of a game folder; `private` is for its owner alone."""
        for name in (".", "files", "outbox", "reports"):
            self.disk.make_folder(self.path / name)
        self.disk.make_folder(self.path / "private", 0o700)

    @property
    def exists(self) -> bool:
        """There is a game here."""
        return (self.path / "pbem.json").exists()

    def check(self) -> None:
        """Raises ProtocolError when this is no game folder or one of a newer program."""
        if not self.exists:
            raise unreadable(msg("{path} is no game folder; `pbem new` makes one, --game names another", path=str(self.path)))
        found = self._read_json("pbem.json").get("format")
        if not isinstance(found, int):
            raise damaged(
                msg(
                    "{path} names no format; it should be {right}",
                    path=str(self.path / "pbem.json"),
                    right=json.dumps({"format": FORMAT}),
                )
            )
        if found > FORMAT:
            raise unreadable(
                msg("this folder has format {found}; this program knows {format}: update pbem", found=found, format=FORMAT)
            )

    @property
    def format(self) -> int:
        """The version of the folder's layout."""
        return int(self._read_json("pbem.json")["format"])

    def set_format(self) -> None:
        """The folder is laid out as this program does it."""
        self.disk.replace(self.path / "pbem.json", json.dumps({"format": FORMAT}).encode())

    def forget_log(self) -> None:
        """The log is read again: it may have been read before this program had the folder to itself."""
        self._log = None

    def lock(self) -> AbstractContextManager[None]:
        """One program at a time. One that exchanges files live is done in a moment, and is waited for."""
        return self.disk.lock(self.path / "lock", MOMENT if (self.path / LIVE_LOCK).exists() else 0)

    def live_lock(self) -> AbstractContextManager[None]:
        """One live exchange at a time."""
        return self.disk.lock(self.path / LIVE_LOCK)

    # -- charter draft ---------------------------------------------------------------------------------------------------

    def save_draft(self, draft: Mapping[str, Any]) -> None:
        """The charter while it is being drafted."""
        self.disk.replace(self.path / "charter.yaml", strict_yaml.write_document(dict(draft)).encode())

    def draft(self) -> dict[str, Any]:
        """The charter draft, or the finished charter."""
        return strict_yaml.read_document(self.disk.read(self.path / "charter.yaml"))[0]

    def own_scenario(self) -> Any:
        """The scenario of the players' own that this game plays; None where it is a shipped one."""
        return self._read_json("scenario.json") if (self.path / "scenario.json").exists() else None

    # -- log -------------------------------------------------------------------------------------------------------------

    @property
    def log(self) -> Log:
        """The log, read once. Raises ProtocolError (log damaged) naming the entry, what is lost and what to do."""
        if self._log is None:
            try:
                self._log = Log.open(self.disk, self.path / "log.jsonl")
                check_times(self._log)
            except ProtocolError as error:
                self._log = None
                raise self.log_damaged(error.told) from None
        return self._log

    def check_log(self) -> None:
        """Every line of the log read to its last letter. Raises ProtocolError (log damaged)."""
        try:
            self.log.check()
        except ProtocolError as error:
            raise self.log_damaged(error.told) from None

    def log_damaged(self, what: Argument) -> ProtocolError:
        """The log cannot be trusted from some entry on: what is lost and what to do."""
        newest = backups.newest(self.path)
        first = f"`pbem restore {newest} NEW-FOLDER`" if newest else msg("`pbem restore` of a backup")
        lost = msg("what stands from there on is lost in this folder only, not in the game")
        back = msg("{first}, then `pbem receive` of the others' files brings it back", first=first)
        return damaged(linked(": ", str(self.path / "log.jsonl"), linked(". ", linked("; ", what, lost), back)))

    def cut(self) -> str:
        """What shows that the log was longer once: a copy of a file behind its end. Empty where nothing does."""
        last = len(self.log.files()) - 1
        copies = sorted(p for name in ("files", "outbox") for p in (self.path / name).glob("[0-9][0-9][0-9][0-9]-*.yaml"))
        behind = [p for p in copies if int(p.name[:4]) > last]
        known = {document_id(e["document"]) for e in self.log.entries if e["kind"] == "file"} if behind else set()
        lost = next((p for p in behind if self._id_of(p) not in (known | {""})), None)
        if lost is None and (withdrawn := self.lost_withdrawals()):
            lost = self.path / "files" / self._copy_name("withdrawn", withdrawn[0])
        if lost is None:
            return ""
        end = f"it ends with entry {len(self.log.entries) - 1}" if self.log.entries else "it is empty or missing"
        return f"{end}, and was longer: {lost.relative_to(self.path)} is a copy of what stood behind it"

    def lost_withdrawals(self) -> list[dict[str, Any]]:
        """Withdrawals of which only the copy is left, while what they took out stands in the log again."""
        known = [e["document"] for e in self.log.entries if e["kind"] == "withdrawn"]
        lost = [d for d in self._documents_in("files", "withdrawn-*.yaml") if d not in known]
        standing = [(n, document_id(d)) for n, d in enumerate(self.log.files())] if lost else []
        return [d for d in lost if (d.get("seq"), d.get("id")) in standing]

    def _id_of(self, path: Path) -> str:
        with contextlib.suppress(OSError, ProtocolError):
            return document_id(strict_yaml.read_document(self.disk.read(path))[0])
        return ""

    @property
    def is_running(self) -> bool:
        """The charter is signed by all and in the log."""
        return bool(self.log.entries)

    def add(self, kind: str, document: dict[str, Any], received: str) -> None:
        """A charter, file or slip into the log first, then its readable copy."""
        self.log.append(kind, document, received)
        self.write_copy(kind, document)

    def write_copy(self, kind: str, document: dict[str, Any]) -> None:
        """The readable copy of what stands in the log."""
        self.disk.replace(self.path / "files" / self._copy_name(kind, document), strict_yaml.write_document(document).encode())

    def copy_of(self, document: dict[str, Any]) -> Path:
        """Where the readable copy of a file of the log lies."""
        return self.path / "files" / self._copy_name("file", document)

    def copy_of_charter(self) -> dict[str, Any] | None:
        """The readable copy of the charter, which shows that the log has begun; None where there is none that can be read."""
        with contextlib.suppress(OSError, ProtocolError):
            return strict_yaml.read_document(self.disk.read(self.path / "files" / self._copy_name("charter", {})))[0]
        return None

    def keep_refused(self, document: dict[str, Any], file_id: str) -> None:
        """A file that was not taken, for whoever has to judge: the log does not hold it."""
        copy = self.path / "files" / f"refused-{file_id[:12]}.yaml"
        self.disk.replace(copy, strict_yaml.write_document(document).encode())

    def set_aside(self, document: dict[str, Any]) -> None:
        """A signed file that the log cannot take, or that it gave up: kept under its place and id."""
        copy = self.aside_path(document)
        if not copy.exists():
            self.disk.make_folder(copy.parent)
            self.disk.replace(copy, strict_yaml.write_document(document).encode())

    def aside_path(self, document: dict[str, Any]) -> Path:
        """Where a signed file lies that the log cannot take."""
        return self.path / "aside" / f"{int(document['seq']):04d}-{document_id(document)[:16]}.yaml"

    def keep_not_taken(self, found: dict[str, Any] | ProtocolError) -> Path | None:
        """A document that was not taken, or the bytes that could not be read, under their hash; where they lie.

        None where there is nothing to keep, too much of it, or no room.
        """
        if isinstance(found, ProtocolError):
            data, end = found.source, "txt"
        elif isinstance(found.get("seq"), int) and self.aside_path(found).exists():
            return self.aside_path(found)
        else:
            data, end = strict_yaml.write_document(found).encode(), "yaml"
        place = self.path / "aside"
        copy = place / f"not-taken-{sha256_hex(data)[:16]}.{end}"
        if not data or len(data) > MOST_BYTES or (not copy.exists() and len([*place.glob("not-taken-*")]) >= MOST_NOT_TAKEN):
            return None
        try:
            self.disk.make_folder(place)
            if not copy.exists():
                self.disk.replace(copy, data)
        except OSError:
            return None
        return copy

    def aside(self) -> list[dict[str, Any]]:
        """Those files, by place."""
        return self._documents_in("aside", "[0-9]*.yaml")

    def _documents_in(self, name: str, pattern: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        for path in sorted((self.path / name).glob(pattern)):
            with contextlib.suppress(OSError, ProtocolError):
                found.append(json.loads(strict_yaml.as_json(self.disk.read(path))))
        return found

    def keep_draft(self, document: dict[str, Any]) -> Path:
        """A heal that not everybody has signed yet, with the signatures known so far."""
        copy = self.path / "heals" / f"{naming.of_outgoing(document, '')}.yaml"
        self.disk.make_folder(copy.parent)
        self.disk.replace(copy, strict_yaml.write_document(document).encode())
        return copy

    def drafts(self) -> list[dict[str, Any]]:
        """Those heals, by place."""
        return self._documents_in("heals", "heal-*.yaml")

    def fetch(self, seq: int) -> Mapping[str, Any]:
        """File `seq` of the log."""
        return self.log.files()[seq]

    def outgoing(self, document: Mapping[str, Any]) -> Path:
        """Where a file or slip of this folder's player lies ready to be sent."""
        return self.path / "outbox" / f"{naming.of_outgoing(document, self.part(document))}.yaml"

    def part(self, document: Mapping[str, Any]) -> str:
        """The player's part of a file name."""
        players = self.log.entries[0]["document"]["players"] if self.log.entries else ()
        return naming.in_game(str(document.get("player") or ""), players)  # a heal is nobody's

    def _copy_name(self, kind: str, document: Mapping[str, Any]) -> str:
        """A file name made of checked parts only: seq and player name; slips by the start of their id."""
        if kind == "charter":
            return "0000-charter.yaml"
        if kind == "heal":
            return f"heal-{int(document['seq']):04d}.yaml"
        if kind == "withdrawn":
            return f"withdrawn-{int(document['seq']):04d}.yaml"
        if kind == "slip":
            return f"slip-{sha256_hex(canonical(dict(document)))[:12]}.yaml"
        return f"{int(document['seq']):04d}-{self.part(document)}.yaml"

    def restore_copies(self, newest: int = 0) -> None:
        """Readable copies that a crash left out: of the `newest` entries, or of all."""
        for entry in self.log.entries[-newest:]:
            copy = self.path / "files" / self._copy_name(entry["kind"], entry["document"])
            if not copy.exists():
                self.disk.replace(copy, strict_yaml.write_document(entry["document"]).encode())

    # -- secrets ---------------------------------------------------------------------------------------------------------

    def secrets(self) -> PlayerSecrets | None:
        """This folder's player and his secrets; None for a spectator. Encrypted ones are opened when they are needed."""
        if not self.private.holds(SECRETS):
            return None
        known = self.private.known(SECRETS)
        if known is None:
            return self._read_secrets(self.private.secrets())
        try:
            return _Encrypted(known, lambda: self._read_secrets(self.private.secrets()))
        except AttributeError:
            raise self._no_secrets() from None

    def _read_secrets(self, plain: dict[str, Any]) -> PlayerSecrets:
        try:
            return PlayerSecrets(**plain)
        except TypeError:
            raise self._no_secrets() from None

    def _no_secrets(self) -> ProtocolError:
        return self.private.damaged(SECRETS, msg("it does not hold a player's secrets"))

    def _read_json(self, name: str) -> dict[str, Any]:
        try:
            plain = json.loads(self.disk.read(self.path / name))
        except ValueError:
            plain = None
        if not isinstance(plain, dict):
            raise damaged(msg("{path} cannot be read: restore the folder from a backup", path=str(self.path / name)))
        return plain

    def save_secrets(self, secrets: PlayerSecrets) -> None:
        """Kept before anything that needs them is sent; mode 0600."""
        self.private.write_secrets({name: getattr(secrets, name) for name in PlayerSecrets.__slots__})

    def private_key(self, name: str) -> keys.Signer | None:
        """A signing key of this folder, `key` or `key.next`; None when there is none. Raises ProtocolError (wrong key)."""
        return self.private.private_key(name)

    # -- checkpoint ------------------------------------------------------------------------------------------------------

    def save_checkpoint(self, plain: Any) -> None:
        """A cache of the table after the newest file; may be deleted at any time, and does without a full disk."""
        saved = {"head": self.log.head, "table": plain}
        with contextlib.suppress(OSError):
            self.disk.replace(self.path / "checkpoint.json", json.dumps(saved, separators=(",", ":")).encode())

    def checkpoint(self) -> Any:
        """The cached table if it belongs to the newest file, else None."""
        try:
            saved = json.loads(self.disk.read(self.path / "checkpoint.json"))
        except (OSError, ValueError):
            return None
        return saved.get("table") if isinstance(saved, dict) and saved.get("head") == self.log.head else None


def damaged(message: Message) -> ProtocolError:
    """A log that cannot be trusted."""
    return ProtocolError(Outcome.LOG_DAMAGED, message)
