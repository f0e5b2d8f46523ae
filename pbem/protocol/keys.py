"""OpenSSH Ed25519 keys: generated, read strictly, fingerprinted. Small-order and non-canonical points are refused."""

from __future__ import annotations

import base64
import binascii
import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from pbem.kernel.wording import msg
from pbem.protocol.outcomes import Outcome, ProtocolError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

_BLOB_HEAD = b"\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20"
_MAGIC = b"openssh-key-v1\x00"
ROUNDS = 16  # of bcrypt behind a passphrase, as ssh-keygen writes
P = 2**255 - 19
_D = -121665 * pow(121666, P - 2, P) % P
_SMALL_Y = (  # y of the points of order 1, 2, 4 and 8
    1,
    P - 1,
    0,
    int.from_bytes(bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"), "little"),
    int.from_bytes(bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"), "little"),
)


class Signer(Protocol):
    """Whatever signs as an Ed25519 key does: a private key, or one that an agent holds."""

    def sign(self, data: bytes, /) -> bytes:
        """The 64 bytes over exactly these bytes."""

    def public_key(self) -> Ed25519PublicKey:
        """The public half."""


def generate() -> Ed25519PrivateKey:
    """A new private key."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.generate()


def private_text(private: Signer, passphrase: str = "") -> str:
    """The key as an OpenSSH private key file, encrypted when a passphrase is given. An agent's key has none (TypeError)."""
    from cryptography.hazmat.primitives import serialization as s
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    if not isinstance(private, Ed25519PrivateKey):
        raise TypeError("the private half of this key is not here")
    protection: s.KeySerializationEncryption = s.NoEncryption()
    if passphrase:
        protection = s.PrivateFormat.OpenSSH.encryption_builder().kdf_rounds(ROUNDS).build(passphrase.encode())
    return private.private_bytes(s.Encoding.PEM, s.PrivateFormat.OpenSSH, protection).decode()


def load_private(text: str, passphrase: str = "") -> Ed25519PrivateKey:
    """Read an OpenSSH private key. Raises ProtocolError (wrong key) for another kind or a wrong passphrase."""
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_ssh_private_key

    try:
        key = load_ssh_private_key(text.encode(), passphrase.encode() if passphrase else None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise ProtocolError(Outcome.WRONG_KEY, msg("the private key cannot be read: {error}", error=str(error))) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise ProtocolError(Outcome.WRONG_KEY, msg("the private key is not an Ed25519 key"))
    return key


def read_header(text: str) -> tuple[bool, str]:
    """Of an OpenSSH private key file, without its passphrase: whether it is encrypted, and the public half that it claims.

    The claim is checked when the key is opened. Raises ProtocolError (wrong key) for anything but one Ed25519 key.
    """
    body = "".join(line for line in text.splitlines() if line and not line.startswith("-----"))
    data = base64.b64decode(body) if _is_base64(body) else b""
    if not text.startswith("-----BEGIN OPENSSH PRIVATE KEY-----") or not data.startswith(_MAGIC):
        raise ProtocolError(Outcome.WRONG_KEY, msg("this is no private key in the format of OpenSSH"))
    fields, rest = [], data[len(_MAGIC) :]
    for _ in range(3):  # cipher, key derivation, its options; then the number of keys
        size = int.from_bytes(rest[:4], "big")
        fields.append(rest[4 : 4 + size])
        rest = rest[4 + size :]
    if rest[:8] != b"\x00\x00\x00\x01\x00\x00\x00\x33" or not rest[8:].startswith(_BLOB_HEAD):
        raise ProtocolError(Outcome.WRONG_KEY, msg("the private key is not an Ed25519 key"))
    return fields[0] != b"none", "ssh-ed25519 " + base64.b64encode(rest[8:59]).decode()


def _is_base64(text: str) -> bool:
    try:
        return bool(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError):
        return False


def read_public(text: str) -> str:
    """The key of a `.pub` file, without its comment. Raises ProtocolError (wrong key)."""
    public = " ".join(text.split()[:2])
    key_bytes(public)
    return public


def public_text(private: Signer) -> str:
    """The public half as `ssh-ed25519 AAAA...`, without comment."""
    from cryptography.hazmat.primitives import serialization as s

    raw = private.public_key().public_bytes(s.Encoding.Raw, s.PublicFormat.Raw)
    return "ssh-ed25519 " + base64.b64encode(_BLOB_HEAD + raw).decode()


@lru_cache(maxsize=64)
def key_bytes(text: str) -> bytes:
    """The 32 bytes of a public key. Raises ProtocolError (wrong key) for anything but one strict encoding."""
    kind, _, encoded = text.partition(" ")
    blob = decode_base64(encoded, 51) if kind == "ssh-ed25519" else b""
    if len(blob) != 51 or not blob.startswith(_BLOB_HEAD):
        raise ProtocolError(Outcome.WRONG_KEY, msg("a public key reads `ssh-ed25519 AAAA...`, without a comment"))
    raw = blob[len(_BLOB_HEAD) :]
    if not is_good_point(raw):
        raise ProtocolError(Outcome.WRONG_KEY, msg("the public key is not a canonical point of full order"))
    return raw


def decode_base64(text: str, size: int) -> bytes:
    """Exactly `size` bytes of canonical base64, or nothing."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
    return data if len(data) == size and base64.b64encode(data).decode() == text else b""


@lru_cache(maxsize=1024)
def is_good_point(raw: bytes) -> bool:
    """A canonical encoding of a curve point that is not of small order."""
    y = int.from_bytes(raw, "little") & ((1 << 255) - 1)
    return y < P and y not in _SMALL_Y and _is_on_curve(y)


def _is_on_curve(y: int) -> bool:
    """Whether u/v, the square of x, has a root: it has one if and only if u*v has.

    v is never 0, and u is it for y of 1 and -1 alone, which are no keys: of any other point both signs exist.
    """
    u, v = y * y - 1, _D * y * y + 1
    return pow(u * v, (P - 1) // 2, P) == 1


def fingerprint(text: str) -> str:
    """SHA256:... as `ssh-keygen -l` prints it."""
    blob = _BLOB_HEAD + key_bytes(text)
    return "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")
