"""Notes: what players say to each other beside the game, signed; public, or sealed to one reader's key (SPEC 9d).

A note is in no chain: no file depends on it, and none is judged by it.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.kernel.canon import Plain
from pbem.kernel.wording import msg
from pbem.protocol import names, schema, sshsig
from pbem.protocol.ids import signed_bytes
from pbem.protocol.keys import P, Signer, key_bytes, public_text
from pbem.protocol.outcomes import Outcome, ProtocolError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

MOST_LETTERS = 2000
MOST_NOTES = 9999  # of one author in a game
_TAG = b"pbem/2 note\n"
_BLOCK = 256  # bytes: a sealed text tells its length no closer
_LEAST, _MOST = 32 + _BLOCK + 16, 32 + 4 * MOST_LETTERS + _BLOCK + 16
_ONCE = bytes(12)  # every key encrypts once


def _is_sealed(value: Plain) -> str:
    """Canonical base64 of a sealed text."""
    return "" if isinstance(value, str) and _decoded(value) else "a sealed text in base64 is needed"


_SEALED = schema.described({"type": "string", "minLength": 4 * (_LEAST // 3), "maxLength": 4 * (_MOST // 3 + 1)})(_is_sealed)
_COMMON: dict[str, schema.Check] = {
    "pbem": schema.one_of(1, 2),
    "type": schema.one_of("note"),
    "game": schema.hex32,
    "head": schema.hex32,
    "player": names.name,
    "n": schema.number(1, MOST_NOTES),
    "signature": schema.signature,
}
_PUBLIC: dict[str, schema.Check] = {"text": schema.text(MOST_LETTERS)}
_PRIVATE: dict[str, schema.Check] = {"to": names.name, "sealed": schema.record({"reader": _SEALED, "author": _SEALED})}


def shape(private: bool) -> tuple[dict[str, schema.Check], dict[str, schema.Check]]:
    """The keys of a public or a private note; there are no others."""
    return {**_COMMON, **(_PRIVATE if private else _PUBLIC)}, {}


def read_note(document: Mapping[str, Plain]) -> dict[str, Any]:
    """The note itself, judged for shape. Raises ProtocolError (unreadable)."""
    return names.of_its_version(schema.check(dict(document), *shape("to" in document), "note"))


def sign(note: Mapping[str, Any], private: Signer) -> dict[str, Any]:
    """The note with its signature."""
    return {**note, "signature": sshsig.sign(private, signed_bytes(note))}


def verify(document: Mapping[str, Any], public: str) -> None:
    """Raises ProtocolError unless this key signed this well-formed note."""
    read_note(document)
    sshsig.verify(public, signed_bytes(document), document["signature"])


# -- sealing ------------------------------------------------------------------------------------------------------------


def seal(text: str, public: str, about: bytes) -> str:
    """A text that only the owner of an Ed25519 key (`ssh-ed25519 AAAA...`) reads; `about` binds it to its note.

    base64(ephemeral X25519 key || ChaCha20-Poly1305 of the text, filled with zeros to whole blocks).
    """
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    reader, once = x25519_of(public), X25519PrivateKey.generate()
    own = once.public_key().public_bytes_raw()
    key = _key(once.exchange(X25519PublicKey.from_public_bytes(reader)), own, reader)
    data = text.encode()
    filled = data + bytes(-len(data) % _BLOCK or (_BLOCK if not data else 0))
    return base64.b64encode(own + ChaCha20Poly1305(key).encrypt(_ONCE, filled, _TAG + about)).decode()


def opened(sealed: str, private: Ed25519PrivateKey, about: bytes) -> str | None:
    """The text; None where it is sealed to another key or is about another note."""
    from cryptography.exceptions import InvalidTag
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
    from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

    data = _decoded(sealed)
    own = X25519PrivateKey.from_private_bytes(hashlib.sha512(private.private_bytes_raw()).digest()[:32])
    try:
        shared = own.exchange(X25519PublicKey.from_public_bytes(data[:32]))
        key = _key(shared, data[:32], x25519_of(public_text(private)))
        text = ChaCha20Poly1305(key).decrypt(_ONCE, data[32:], _TAG + about).rstrip(b"\0").decode()
    except (InvalidTag, ValueError):
        return None
    return text if len(text) <= MOST_LETTERS else None


def about(note: Mapping[str, Any]) -> bytes:
    """What a sealed text is bound to: game, author, reader and number of its note."""
    return "\n".join([str(note["game"]), str(note["player"]), str(note["to"]), str(note["n"])]).encode()


def x25519_of(public: str) -> bytes:
    """The Montgomery form of an Ed25519 key (RFC 7748, 4.1): u = (1 + y) / (1 - y). Raises ProtocolError (wrong key)."""
    y = int.from_bytes(key_bytes(public), "little") & ((1 << 255) - 1)
    return ((1 + y) * pow(1 - y, P - 2, P) % P).to_bytes(32, "little")


def _key(shared: bytes, once: bytes, reader: bytes) -> bytes:
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    return HKDF(algorithm=SHA256(), length=32, salt=None, info=_TAG + once + reader).derive(shared)


def _decoded(text: str) -> bytes:
    """The bytes of canonical base64 of a length that a sealed text can have, or nothing."""
    try:
        data = base64.b64decode(text)
    except (binascii.Error, ValueError):
        return b""
    good = _LEAST <= len(data) <= _MOST and (len(data) - 48) % _BLOCK == 0 and base64.b64encode(data).decode() == text
    return data if good else b""


def no_reader(player: str) -> ProtocolError:
    """Nobody of this name plays."""
    return ProtocolError(Outcome.WRONG_KEY, msg("{player} does not play in this game", player=player))
