"""Secrets at rest: a random data key behind a passphrase, and contents encrypted under it. Nothing here reads or writes a file.

`lock.json` is {format, kdf, n, r, p, salt, wrapped}: the data key as a Fernet token under scrypt of the passphrase. An
encrypted file is {format, known, token}: `known` may be read by everybody who has the file, the token is a Fernet token
under the data key and holds the file's name and `known` once more, so that no part fits anywhere else.
"""

from __future__ import annotations

import base64
import binascii
import json
import secrets
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from pbem.kernel.canon import Plain, canonical
from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError

FORMAT = 1
N, R, P = 2**17, 8, 1  # written; 128 MiB and a third of a second
_MOST_N, _LEAST_N, _MOST_P = 2**18, 2**14, 4  # read
_SALT, _MOST_BYTES = 16, 4096
_WRAPPED = b"pbem data key\n"


class Lock(Struct, frozen=True):
    """A `lock.json` that is fit to be tried."""

    n: int
    r: int
    p: int
    salt: bytes
    wrapped: bytes

    @property
    def name(self) -> str:
        """Under which a keyring keeps the data key."""
        return self.salt.hex()


class WrongPassphrase(ProtocolError):
    """It does not open this lock."""


def make(passphrase: str, data_key: bytes = b"") -> tuple[bytes, bytes]:
    """A `lock.json` for this passphrase, and the data key behind it: a new one, or the one given."""
    from cryptography.fernet import Fernet

    data_key = data_key or Fernet.generate_key()
    salt = secrets.token_bytes(_SALT)
    wrapped = Fernet(_derived(passphrase, salt, N, R, P)).encrypt(_WRAPPED + data_key)
    plain: dict[str, Plain] = {
        "format": FORMAT,
        "kdf": "scrypt",
        "n": N,
        "r": R,
        "p": P,
        "salt": salt.hex(),
        "wrapped": wrapped.decode(),
    }
    return canonical(plain) + b"\n", data_key


def read_lock(data: bytes) -> Lock:
    """A `lock.json`, its demands judged before anything is derived. Raises ProtocolError."""
    plain = _json(data) if len(data) <= _MOST_BYTES else None
    keys = {"format", "kdf", "n", "r", "p", "salt", "wrapped"}
    if plain is None or set(plain) != keys:
        raise ProtocolError(Outcome.LOG_DAMAGED, msg("it is damaged"))
    n, r, p = (plain[k] if type(plain[k]) is int else 0 for k in "nrp")
    if plain["format"] != FORMAT or plain["kdf"] != "scrypt":
        raise ProtocolError(Outcome.UNREADABLE, msg("a newer program wrote it: update pbem"))
    if not (_LEAST_N <= n <= _MOST_N and n & (n - 1) == 0 and r == R and 1 <= p <= _MOST_P):
        raise ProtocolError(
            Outcome.TOO_LARGE, msg("it asks for scrypt with n {n}, r {r}, p {p}: no program of pbem wrote that", n=n, r=r, p=p)
        )
    salt, wrapped = plain["salt"], plain["wrapped"]
    if not isinstance(salt, str) or not isinstance(wrapped, str) or not _is_hex(salt, _SALT) or not wrapped.isascii():
        raise ProtocolError(Outcome.LOG_DAMAGED, msg("it is damaged"))
    return Lock(n, r, p, bytes.fromhex(salt), wrapped.encode())


def unwrap(lock: Lock, passphrase: str) -> bytes:
    """The data key. Raises WrongPassphrase."""
    from cryptography.fernet import Fernet, InvalidToken

    try:
        held = Fernet(_derived(passphrase, lock.salt, lock.n, lock.r, lock.p)).decrypt(lock.wrapped)
    except InvalidToken:
        raise WrongPassphrase(Outcome.WRONG_KEY, msg("the passphrase is another one")) from None
    if not held.startswith(_WRAPPED):
        raise ProtocolError(Outcome.LOG_DAMAGED, msg("it is damaged"))
    return held.removeprefix(_WRAPPED)


def encrypt(data_key: bytes, name: str, known: Mapping[str, Any], content: bytes) -> bytes:
    """The bytes of the encrypted file `name`; `known` stays readable."""
    from cryptography.fernet import Fernet

    token = Fernet(data_key).encrypt(_heading(name, known) + content)
    return canonical({"format": FORMAT, "known": dict(known), "token": token.decode()}) + b"\n"


def read_known(data: bytes) -> dict[str, Any] | None:
    """What an encrypted file shows without its key; None when the bytes are no encrypted file."""
    plain = _json(data)
    if plain is None or set(plain) != {"format", "known", "token"} or not isinstance(plain["known"], dict):
        return None
    return plain["known"]


def decrypt(data_key: bytes, name: str, data: bytes) -> bytes:
    """The content of the encrypted file `name`. Raises ProtocolError (log damaged) when it is not whole or another file's."""
    from cryptography.fernet import Fernet, InvalidToken

    try:
        plain = json.loads(data)
        if plain["format"] != FORMAT:
            raise ProtocolError(Outcome.UNREADABLE, msg("a newer program wrote it: update pbem"))
        token, heading = str(plain["token"]).encode(), _heading(name, plain["known"])
        held = Fernet(data_key).decrypt(token)
        if base64.urlsafe_b64encode(base64.urlsafe_b64decode(token)) != token:
            raise InvalidToken
    except (InvalidToken, ValueError, LookupError, TypeError):
        raise ProtocolError(Outcome.LOG_DAMAGED, msg("it is damaged, or of another game folder")) from None
    if not held.startswith(heading):
        raise ProtocolError(Outcome.LOG_DAMAGED, msg("what it shows was changed, or it has been put in another file's place"))
    return held.removeprefix(heading)


def is_data_key(data: bytes) -> bool:
    """These bytes can serve as one."""
    try:
        return len(base64.urlsafe_b64decode(data)) == 32
    except (binascii.Error, ValueError):
        return False


def _derived(passphrase: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

    return base64.urlsafe_b64encode(Scrypt(salt=salt, length=32, n=n, r=r, p=p).derive(passphrase.encode()))


def _heading(name: str, known: Mapping[str, Any]) -> bytes:
    return canonical({"name": name, "known": dict(known)}) + b"\n"


def _json(data: bytes) -> dict[str, Any] | None:
    try:
        plain = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return plain if isinstance(plain, dict) else None


def _is_hex(text: str, size: int) -> bool:
    try:
        return len(bytes.fromhex(text)) == size and len(text) == 2 * size
    except ValueError:
        return False
