"""A game folder: log, readable copies, private secrets, outbox, checkpoint, lock, format version."""

from __future__ import annotations

import contextlib
import json
import os
import secrets as random_bytes
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pbem.kernel.canon import canonical, sha256_hex
from pbem.protocol import charter, keys, strict_yaml
from pbem.protocol.outcomes import Outcome, ProtocolError, unreadable
from pbem.store.disk import Disk
from pbem.store.log import Log

FORMAT = 1


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
    handed_over: dict[str, dict[str, Any]] = field(default_factory=dict)  # draw j -> {key, path} from the seat's last holder

    @classmethod
    def fresh(cls, player: str) -> PlayerSecrets:
        """New random secrets: one chain and one draw master, for one charter only."""
        chain = random_bytes.token_hex(32)
        return cls(player, chain, charter.CHAIN_LENGTH, random_bytes.token_hex(32))


class GameFolder:
    """One game on this machine."""

    def __init__(self, path: Path, disk: Disk | None = None) -> None:
        self.path, self.disk = path, disk or Disk()
        self._log: Log | None = None

    # -- making and finding --------------------------------------------------------------------------------------------

    @classmethod
    def create(cls, path: Path, draft: Mapping[str, Any], disk: Disk | None = None) -> GameFolder:
        """A new folder around a charter draft. Raises ProtocolError when there is a game already."""
        folder = cls(path, disk)
        if folder.exists:
            raise unreadable(f"{path.name} is a game folder already")
        folder.make_folders()
        folder.save_draft(draft)
        folder.disk.replace(path / "pbem.json", json.dumps({"format": FORMAT}).encode())
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
            raise unreadable(f"{self.path} is no game folder; `pbem new` makes one, --game names another")
        found = self._read_json("pbem.json").get("format")
        if not isinstance(found, int):
            raise damaged(f'{self.path / "pbem.json"} names no format; it should be {{"format": {FORMAT}}}')
        if found > FORMAT:
            raise unreadable(f"this folder has format {found}; this program knows {FORMAT}: update pbem")

    def lock(self) -> AbstractContextManager[None]:
        """One program at a time."""
        return self.disk.lock(self.path / "lock")

    # -- charter draft ---------------------------------------------------------------------------------------------------

    def save_draft(self, draft: Mapping[str, Any]) -> None:
        """The charter while it is being drafted."""
        self.disk.replace(self.path / "charter.yaml", strict_yaml.write_document(dict(draft)).encode())

    def draft(self) -> dict[str, Any]:
        """The charter draft, or the finished charter."""
        document, _ = strict_yaml.read_document(self.disk.read(self.path / "charter.yaml"))
        return document

    def own_scenario(self) -> Any:
        """The scenario of the players' own that this game plays; None where it is a shipped one."""
        return self._read_json("scenario.json") if (self.path / "scenario.json").exists() else None

    # -- log -------------------------------------------------------------------------------------------------------------

    @property
    def log(self) -> Log:
        """The log, read once."""
        if self._log is None:
            self._log = Log.open(self.disk, self.path / "log.jsonl")
        return self._log

    @property
    def is_running(self) -> bool:
        """The charter is signed by all and in the log."""
        return bool(self.log.entries)

    def add(self, kind: str, document: dict[str, Any], received: str) -> None:
        """A charter, file or slip into the log first, then its readable copy."""
        self.log.append(kind, document, received)
        self.disk.replace(self.path / "files" / _copy_name(kind, document), strict_yaml.write_document(document).encode())

    def keep_refused(self, document: dict[str, Any], file_id: str) -> None:
        """A file that was not taken, for whoever has to judge: the log does not hold it."""
        copy = self.path / "files" / f"refused-{file_id[:12]}.yaml"
        self.disk.replace(copy, strict_yaml.write_document(document).encode())

    def fetch(self, seq: int) -> Mapping[str, Any]:
        """File `seq` of the log."""
        return self.log.files()[seq]

    def restore_copies(self, newest: int = 0) -> None:
        """Readable copies that a crash left out: of the `newest` entries, or of all."""
        for entry in self.log.entries[-newest:]:
            copy = self.path / "files" / _copy_name(entry["kind"], entry["document"])
            if not copy.exists():
                self.disk.replace(copy, strict_yaml.write_document(entry["document"]).encode())

    # -- secrets ---------------------------------------------------------------------------------------------------------

    def secrets(self) -> PlayerSecrets | None:
        """This folder's player and his secrets; None for a spectator."""
        if not (self.path / "private" / "secrets.json").exists():
            return None
        plain = self._read_json("private/secrets.json")
        try:
            return PlayerSecrets(**plain)
        except TypeError:
            raise damaged(f"{self.path / 'private/secrets.json'} does not hold a player's secrets") from None

    def _read_json(self, name: str) -> dict[str, Any]:
        try:
            plain = json.loads(self.disk.read(self.path / name))
        except ValueError:
            plain = None
        if not isinstance(plain, dict):
            raise damaged(f"{self.path / name} cannot be read: restore the folder from a backup")
        return plain

    def save_secrets(self, secrets: PlayerSecrets) -> None:
        """Kept before anything that needs them is sent; mode 0600."""
        plain = {name: getattr(secrets, name) for name in PlayerSecrets.__slots__}
        self.disk.replace(self.path / "private" / "secrets.json", json.dumps(plain).encode(), 0o600)

    def private_key(self, name: str) -> Any:
        """A signing key of this folder, `key` or `key.next`; None when there is none. Raises ProtocolError (wrong key)."""
        path = self.path / "private" / name
        return (
            keys.load_private(self.disk.read(path).decode(), os.environ.get("PBEM_PASSPHRASE", "")) if path.exists() else None
        )

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
        good = isinstance(saved, dict) and saved.get("head") == self.log.head
        return saved.get("table") if good else None


def _copy_name(kind: str, document: Mapping[str, Any]) -> str:
    """A file name made of checked parts only: seq and player name; slips by the start of their id."""
    if kind == "charter":
        return "0000-charter.yaml"
    if kind == "withdrawn":
        return f"withdrawn-{int(document['seq']):04d}.yaml"
    if kind == "slip":
        return f"slip-{sha256_hex(canonical(dict(document)))[:12]}.yaml"
    return f"{int(document['seq']):04d}-{document['player']}.yaml"


def damaged(message: str) -> ProtocolError:
    """A log that cannot be trusted."""
    return ProtocolError(Outcome.LOG_DAMAGED, message)
