"""Chain secrets in escrow: encrypted to the umpire's X25519 key (protocol specification, "Umpire")."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

from pbem.kernel.wording import msg
from pbem.protocol.dice import u32
from pbem.protocol.keys import decode_base64
from pbem.protocol.outcomes import Outcome, ProtocolError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

_TAG = b"pbem/1 escrow\n"
_SIZE = 32 + 32 + 16
_ONCE = bytes(12)  # every key encrypts once


def generate() -> str:
    """A new X25519 private key, hex."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    return X25519PrivateKey.generate().private_bytes_raw().hex()


def public(private: str) -> str:
    """The public half of a private key, both hex."""
    return _private(private).public_key().public_bytes_raw().hex()


def encrypt(umpire: str, nonce: str, tip: str, length: int, secret: bytes, ephemeral: str) -> str:
    """base64(ephemeral public key || ChaCha20-Poly1305 of a chain's 32-byte secret).

    `umpire`, `nonce`, `tip` and the fresh private key `ephemeral` are hex; `length` is the chain's.
    """
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    own = _private(ephemeral).public_key().public_bytes_raw()
    key = _key(_shared(ephemeral, umpire), nonce, own, bytes.fromhex(umpire))
    return base64.b64encode(own + ChaCha20Poly1305(key).encrypt(_ONCE, secret, _about(tip, length))).decode()


def decrypt(private: str, nonce: str, tip: str, length: int, text: str) -> bytes:
    """The chain secret. Raises ProtocolError (bad opening) when this is not what the umpire's key opens for this tip."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    from pbem.protocol import chain

    data = decode_base64(text, _SIZE)
    wrong = ProtocolError(Outcome.BAD_OPENING, msg("the escrow of the chain with tip {tip} does not open", tip=tip[:16]))
    if not data:
        raise wrong
    try:
        key = _key(_shared(private, data[:32].hex()), nonce, data[:32], bytes.fromhex(public(private)))
        secret = ChaCha20Poly1305(key).decrypt(_ONCE, data[32:], _about(tip, length))
    except (InvalidTag, ValueError):
        raise wrong from None
    if chain.tip(nonce, secret, length) != tip:
        raise ProtocolError(Outcome.BAD_OPENING, msg("the escrow holds another chain than that with tip {tip}", tip=tip[:16]))
    return secret


def is_well_formed(text: object) -> bool:
    """80 bytes in canonical base64."""
    return isinstance(text, str) and bool(decode_base64(text, _SIZE))


def _private(private: str) -> X25519PrivateKey:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

    return X25519PrivateKey.from_private_bytes(bytes.fromhex(private))


def _shared(private: str, other: str) -> bytes:
    """The X25519 secret. Raises ValueError for a point of small order."""
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

    return _private(private).exchange(X25519PublicKey.from_public_bytes(bytes.fromhex(other)))


def _key(shared: bytes, nonce: str, ephemeral: bytes, umpire: bytes) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    info = _TAG + ephemeral + umpire
    return HKDF(algorithm=SHA256(), length=32, salt=bytes.fromhex(nonce), info=info).derive(shared)


def _about(tip: str, length: int) -> bytes:
    return _TAG + bytes.fromhex(tip) + u32(length)
