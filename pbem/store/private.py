"""The folder `private` of a game folder: key and secrets, encrypted where there is a passphrase, opened when needed."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from pbem.kernel.wording import Message, linked, msg
from pbem.protocol import keys
from pbem.protocol.outcomes import Outcome, ProtocolError
from pbem.store import agent, lost, passphrase, vault
from pbem.store.agent import AgentKey
from pbem.store.disk import Disk

LOCK, SECRETS, PINS = "lock.json", "secrets.json", "pins.json"
KEYS = ("key.next", "key")  # the newer first
SHOWN = ("player", "signed_charter", "restored")  # of the secrets: no secret, and asked for where nothing is opened
_opened: dict[bytes, bytes] = {}  # wrapped -> data key, for one run of the program


def forget() -> None:
    """As at the start of the program: no passphrase has been given yet."""
    _opened.clear()


class PrivateFolder:
    """What only this folder's player has. Raises ProtocolError with the ways out where something of it is lost."""

    def __init__(self, game: Path, disk: Disk) -> None:
        self.game, self.path, self.disk = game, game / "private", disk

    # -- lock -----------------------------------------------------------------------------------------------------------

    @property
    def is_locked(self) -> bool:
        """There is a passphrase: what is written here is encrypted."""
        return (self.path / LOCK).exists()

    def lock(self, phrase: str) -> None:
        """Encrypt from now on, and what is there already; nothing happens to a folder that is locked."""
        if not self.is_locked:
            data, data_key = vault.make(phrase)
            self.disk.replace(self.path / LOCK, data, 0o600)
            _opened[self._lock().wrapped] = data_key
        for name in KEYS:
            with suppress(ProtocolError):  # a key with another passphrase stays as it is
                if self._is_plain(name):
                    self.keep_key(name, keys.load_private(self._text(name), phrase if self._is_encrypted_key(name) else ""))
        if self._is_plain(SECRETS):
            self.write_secrets(self.secrets())
        if self._is_plain(PINS):
            self.write(PINS, self.read(PINS), {})
        for left in self.path.glob("*.new"):  # by a crash, as plain as it was then
            self.disk.remove(left)

    def settle(self) -> None:
        """Keys with a passphrase of their own, as folders of an earlier program have them, come under the lock."""
        for name in KEYS:
            if self._is_encrypted_key(name):
                self._with_passphrase(name)

    def change(self, phrase: str) -> None:
        """Another passphrase for the same data key; the keyring's entry, if there is one, goes along."""
        data_key, before = self.data_key(), self._lock()
        data, _ = vault.make(phrase, data_key)
        self.disk.replace(self.path / LOCK, data, 0o600)
        after = self._lock()
        _opened[after.wrapped] = data_key
        if passphrase.from_keyring(before.name):
            passphrase.into_keyring(after.name, data_key)

    def into_keyring(self) -> str:
        """Keep the data key in the system's keyring; under which name."""
        lock = self._lock()
        passphrase.into_keyring(lock.name, self.data_key())
        return lock.name

    def opens_unasked(self) -> bool:
        """What is here can be read without anybody being asked for a passphrase."""
        if not self.is_locked and not (self.holds(SECRETS) and self.known(SECRETS) is not None):
            return True
        try:
            return bool(self.data_key(asking=False))
        except ProtocolError:
            return False

    def data_key(self, asking: bool = True) -> bytes:
        """From the passphrase, the keyring or, where `asking`, the terminal. Raises ProtocolError, which names them all."""
        lock = self._lock()
        if lock.wrapped not in _opened:
            _opened[lock.wrapped] = self._find(lock, asking)
        return _opened[lock.wrapped]

    def _lock(self) -> vault.Lock:
        try:
            return vault.read_lock(self.disk.read(self.path / LOCK))
        except FileNotFoundError:
            raise self.damaged(LOCK, msg("it is missing, and without it no passphrase opens the rest")) from None
        except ProtocolError as error:
            raise self.damaged(LOCK, error.told, error.outcome) from None

    def _find(self, lock: vault.Lock, asking: bool) -> bytes:
        def kept() -> bytes | None:
            held = passphrase.from_keyring(lock.name)
            return held if vault.is_data_key(held) else None

        what = msg("the private part of {game}", game=str(self.game))
        return passphrase.opened(what, lambda phrase: vault.unwrap(lock, phrase), self.ways_out, asking, kept)

    # -- files ------------------------------------------------------------------------------------------------------------

    def read(self, name: str) -> bytes:
        """The content of a file, decrypted if need be."""
        data = self.disk.read(self.path / name)
        if vault.read_known(data) is None:
            return data
        data_key = self.data_key()
        try:
            return vault.decrypt(data_key, _in_full(name), data)
        except ProtocolError as error:
            raise self.damaged(name, error.told, error.outcome) from None

    def write(self, name: str, content: bytes, known: dict[str, Any]) -> None:
        """A file that its owner alone may read; `known` is what it shows where it is encrypted."""
        if self.is_locked:
            content = vault.encrypt(self.data_key(), _in_full(name), known, content)
        self.disk.replace(self.path / name, content, 0o600)

    def wrap(self, name: str, plain: dict[str, Any]) -> Any:
        """Something secret for a place outside the folder: a text where this folder is locked, else as it is."""
        if not self.is_locked:
            return plain
        data = vault.encrypt(self.data_key(), _outside(name), {}, json.dumps(plain).encode())
        return data.decode()

    def unwrap(self, name: str, held: Any) -> dict[str, Any]:
        """What `wrap` was given. Raises ProtocolError (log damaged, wrong key)."""
        if isinstance(held, str):
            data_key = self.data_key()
            try:
                held = json.loads(vault.decrypt(data_key, _outside(name), held.encode()))
            except (ProtocolError, ValueError):
                held = None
        if not isinstance(held, dict):
            reason = msg("what this machine's record keeps for {game} cannot be opened", game=str(self.game))
            raise ProtocolError(Outcome.LOG_DAMAGED, linked(". ", reason, self.ways_out()))
        return held

    def holds(self, name: str) -> bool:
        """There is this file."""
        return (self.path / name).exists()

    def known(self, name: str) -> dict[str, Any] | None:
        """What an encrypted file shows without a passphrase; None for a plain one."""
        return vault.read_known(self.disk.read(self.path / name))

    def _is_plain(self, name: str) -> bool:
        return self.holds(name) and self.known(name) is None

    # -- secrets ----------------------------------------------------------------------------------------------------------

    def secrets(self) -> dict[str, Any]:
        """All of them."""
        try:
            plain = json.loads(self.read(SECRETS))
        except (ValueError, RecursionError):
            plain = None
        if not isinstance(plain, dict):
            raise self.damaged(SECRETS, msg("it cannot be read"))
        return plain

    def write_secrets(self, plain: dict[str, Any]) -> None:
        """Kept before anything that needs them is sent."""
        self.write(SECRETS, json.dumps(plain).encode(), {name: plain[name] for name in SHOWN if name in plain})

    # -- keys -------------------------------------------------------------------------------------------------------------

    def public_key(self, name: str) -> str:
        """The public half of `key` or `key.next`; empty when there is none. Nothing is decrypted for it."""
        path, public = self.path / name, self.path / f"{name}.pub"
        try:
            if not path.exists():
                return keys.read_public(self._text(public.name)) if public.exists() else ""
            known = self.known(name)
            return keys.read_header(self._text(name))[1] if known is None else keys.read_public(str(known.get("public")))
        except ProtocolError as error:
            raise self.damaged(name, error.told, error.outcome) from None

    def private_key(self, name: str) -> keys.Signer | None:
        """The key `key` or `key.next`, of the agent where only its public half is here; None when there is none."""
        public = self.public_key(name)
        if not self.holds(name):
            return self._of_agent(public) if public else None
        if self._is_encrypted_key(name):
            return self._with_passphrase(name)
        content = self.read(name)
        try:
            return keys.load_private(content.decode("utf-8", "replace"))
        except ProtocolError as error:
            raise self.damaged(name, error.told) from None

    def signer(self, wanted: set[str]) -> keys.Signer | None:
        """The key whose public half is among these: of this folder, or one that the ssh-agent holds."""
        for name in KEYS:
            if self.public_key(name) in wanted:
                return self.private_key(name)
        return agent.find(wanted)

    def signs_for(self, wanted: set[str]) -> bool:
        """Whether it is for this folder to sign: not where it holds other keys only. Nothing is opened for the answer.

        Where the key is lost it is, so that whoever wants to sign says so.
        """
        held = {self.public_key(name) for name in KEYS} - {""}
        return not held or bool(held & wanted)

    def keep_key(self, name: str, signer: keys.Signer) -> None:
        """A key of this folder; of one that an agent holds the public half."""
        public = keys.public_text(signer)
        if isinstance(signer, AgentKey):
            self.disk.replace(self.path / f"{name}.pub", f"{public}\n".encode(), 0o600)
        else:
            self.write(name, keys.private_text(signer).encode(), {"public": public})

    def _is_encrypted_key(self, name: str) -> bool:
        """An OpenSSH file with a passphrase of its own, as folders without a lock have it."""
        return self._is_plain(name) and keys.read_header(self._text(name))[0]

    def _with_passphrase(self, name: str) -> keys.Signer:
        """Such a key; its folder is locked with the same passphrase from now on."""
        found, phrase = open_key(self._text(name), msg("the key of {name}", name=str(self.game)), self.ways_out)
        self.lock(phrase)
        return found

    def _of_agent(self, public: str) -> AgentKey:
        found = agent.find({public})
        if found is None:
            fingerprint = keys.fingerprint(public)
            reason = msg(
                "the key {fingerprint} is in no file, and no ssh-agent holds it now: start one and `ssh-add` it",
                fingerprint=fingerprint,
            )
            raise ProtocolError(
                Outcome.WRONG_KEY, msg("{reason}. Where it is lost: {ways_out}", reason=reason, ways_out=self.ways_out())
            )
        return found

    def _text(self, name: str) -> str:
        return self.disk.read(self.path / name).decode("utf-8", "replace")

    # -- losses -----------------------------------------------------------------------------------------------------------

    def ways_out(self) -> Message:
        """What can be done where something here is lost."""
        player = ""
        with suppress(OSError, ValueError, RecursionError, AttributeError):
            data = self.disk.read(self.path / SECRETS)
            player = str((vault.read_known(data) or json.loads(data)).get("player") or "")
        return lost.ways_out(self.game, player)

    def no_key(self, player: str) -> ProtocolError:
        """No key that signs for this player now: none at all, or the seat has another."""
        found = any(self.public_key(name) for name in KEYS)
        reason = msg("the key of this folder does not sign for {player}: the seat has another one now", player=player)
        if not found:
            reason = msg("{path} is missing: nothing can be signed for {player}", path=str(self.path / "key"), player=player)
        return ProtocolError(Outcome.WRONG_KEY, linked(". ", reason, self.ways_out()))

    def no_secrets(self) -> ProtocolError:
        """This folder is nobody's, or its player's secrets are lost."""
        if any(self.public_key(name) for name in KEYS):
            return self.damaged(SECRETS, msg("it is missing, and with it every secret of this game"))
        return ProtocolError(Outcome.WRONG_KEY, msg("this folder watches the game; it has no player's key"))

    def damaged(self, name: str, why: Message, outcome: Outcome = Outcome.LOG_DAMAGED) -> ProtocolError:
        """A file that cannot be used, and what can be done."""
        return ProtocolError(
            outcome, msg("{path}: {why}. {ways_out}", path=str(self.path / name), why=why, ways_out=self.ways_out())
        )


def open_key(text: str, what: Message, ways_out: Callable[[], Message]) -> tuple[keys.Signer, str]:
    """The key of an OpenSSH file and the passphrase that opened it, empty where it has none. Raises ProtocolError."""
    if not keys.read_header(text)[0]:
        return keys.load_private(text), ""
    return passphrase.opened(what, lambda phrase: (keys.load_private(text, phrase), phrase), ways_out)


def _in_full(name: str) -> str:
    """As a token names its file."""
    return f"private/{name}"


def _outside(name: str) -> str:
    """As a token names what is kept elsewhere."""
    return f"record/{name}"
