"""SSHSIG signatures (OpenSSH PROTOCOL.sshsig): only the 64 bytes stand in a file, the armor is rebuilt on export."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache

from pbem.kernel.wording import msg
from pbem.protocol.keys import Signer, decode_base64, is_good_point, key_bytes
from pbem.protocol.outcomes import Outcome, ProtocolError

NAMESPACE = "pbem-v1"
_ORDER = 2**252 + 27742317777372353535851937790883648493
_BEGIN, _END = "-----BEGIN SSH SIGNATURE-----", "-----END SSH SIGNATURE-----"


def _string(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def preimage(message: bytes) -> bytes:
    """What Ed25519 signs: magic, namespace, reserved, hash name, SHA-512 of the message."""
    head = b"SSHSIG" + _string(NAMESPACE.encode()) + _string(b"") + _string(b"sha512")
    return head + _string(hashlib.sha512(message).digest())


def sign(private: Signer, message: bytes) -> str:
    """The 64 signature bytes over a message, base64."""
    return base64.b64encode(private.sign(preimage(message))).decode()


def verify(public: str, message: bytes, signature: str) -> None:
    """Raises ProtocolError (bad signature) unless this key signed this message; encodings are judged strictly."""
    raw = decode_base64(signature, 64)
    if not raw or int.from_bytes(raw[32:], "little") >= _ORDER or not is_good_point(raw[:32]):
        raise ProtocolError(Outcome.BAD_SIGNATURE, msg("the signature is not 64 canonical bytes in base64"))
    if not _fits(public, preimage(message), raw):
        raise ProtocolError(Outcome.BAD_SIGNATURE, msg("the signature does not fit the content and the key"))


@lru_cache(maxsize=1024)
def _fits(public: str, signed: bytes, raw: bytes) -> bool:
    """Whether this key made these 64 bytes; a file is judged once, however often its game is played over."""
    from cryptography.exceptions import InvalidSignature

    try:
        _public(public).verify(raw, signed)
    except InvalidSignature:
        return False
    return True


@lru_cache(maxsize=64)
def _public(public: str):  # type: ignore[no-untyped-def]
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    return Ed25519PublicKey.from_public_bytes(key_bytes(public))


def armored(public: str, signature: str) -> str:
    """The full SSH SIGNATURE text, as `ssh-keygen -Y verify` takes it."""
    key = base64.b64decode(public.split(" ")[1])
    blob = b"SSHSIG" + (1).to_bytes(4, "big") + _string(key) + _string(NAMESPACE.encode()) + _string(b"")
    raw = _string(b"ssh-ed25519") + _string(base64.b64decode(signature))
    text = base64.b64encode(blob + _string(b"sha512") + _string(raw)).decode()
    lines = [text[i : i + 70] for i in range(0, len(text), 70)]
    return "\n".join([_BEGIN, *lines, _END, ""])


def from_armored(text: str) -> tuple[str, str]:
    """Public key and the 64 bytes (base64) of an SSH SIGNATURE made with `ssh-keygen -Y sign -n pbem-v1`."""
    body = "".join(line for line in text.split("\n") if line and not line.startswith("-----"))
    try:
        blob = base64.b64decode(body, validate=True)
    except ValueError:
        raise ProtocolError(Outcome.BAD_SIGNATURE, msg("the armor of the SSH signature is damaged")) from None
    fields = list(_strings(blob[10:]))
    expected = (NAMESPACE.encode(), b"", b"sha512")
    if blob[:10] != b"SSHSIG\x00\x00\x00\x01" or len(fields) != 5 or tuple(fields[1:4]) != expected:
        raise ProtocolError(
            Outcome.BAD_SIGNATURE, msg("not an SSH signature of namespace {namespace} with sha512", namespace=NAMESPACE)
        )
    raw = list(_strings(fields[4]))
    if len(raw) != 2 or raw[0] != b"ssh-ed25519":
        raise ProtocolError(Outcome.BAD_SIGNATURE, msg("the SSH signature is not an Ed25519 one"))
    return "ssh-ed25519 " + base64.b64encode(fields[0]).decode(), base64.b64encode(raw[1]).decode()


def _strings(data: bytes):  # type: ignore[no-untyped-def]
    while data:
        size = int.from_bytes(data[:4], "big")
        if len(data) < 4 + size:
            raise ProtocolError(Outcome.BAD_SIGNATURE, msg("the SSH signature is cut short"))
        yield data[4 : 4 + size]
        data = data[4 + size :]
