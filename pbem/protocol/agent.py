"""The ssh-agent's messages (draft-ietf-sshm-ssh-agent): what is asked of an agent, and what it answers. Nothing is sent here.

A message is its length (u32be), a type byte and fields; a field is a length (u32be) and bytes.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator

from pbem.kernel.wording import msg
from pbem.protocol.keys import decode_base64, key_bytes
from pbem.protocol.outcomes import Outcome, ProtocolError

LIMIT = 256 * 1024  # bytes of a message, as OpenSSH has it
LIST, LISTED, SIGN, SIGNED = 11, 12, 13, 14
_KIND = b"ssh-ed25519"


def list_request() -> bytes:
    """Which keys do you hold?"""
    return _message(bytes([LIST]))


def sign_request(public: str, data: bytes) -> bytes:
    """Sign these bytes as they are with the key `public`; no flags. Raises ProtocolError for more than an agent takes."""
    request = bytes([SIGN]) + _field(_blob(public)) + _field(data) + bytes(4)
    if len(request) > LIMIT:
        raise _broken(f"{len(data)} bytes are too many to sign")
    return _message(request)


def length(head: bytes) -> int:
    """How many bytes of an answer follow its first four. Raises ProtocolError (too large) before anything is read."""
    size = int.from_bytes(head, "big")
    if len(head) != 4 or not 1 <= size <= LIMIT:
        raise ProtocolError(
            Outcome.TOO_LARGE,
            msg("the ssh-agent's answer has a length of {size} bytes; it may have 1 to {most}", size=size, most=LIMIT),
        )
    return size


def read_list(answer: bytes) -> list[tuple[str, str]]:
    """(public key, comment) of every Ed25519 key that the agent holds. Raises ProtocolError."""
    if answer[:1] != bytes([LISTED]) or len(answer) < 5:
        raise _broken("it does not list its keys")
    fields = list(_fields(answer[5:]))
    if len(fields) != 2 * int.from_bytes(answer[1:5], "big"):
        raise _broken("its list of keys is cut")
    pairs = zip(fields[::2], fields[1::2], strict=True)
    named = [(_text(blob), comment.decode("utf-8", "replace")) for blob, comment in pairs if blob.startswith(_field(_KIND))]
    return [(public, comment) for public, comment in named if _is_good(public)]


def read_signature(answer: bytes) -> bytes:
    """The 64 bytes of an Ed25519 signature; nobody has verified it yet. Raises ProtocolError."""
    if answer[:1] != bytes([SIGNED]):
        raise ProtocolError(
            Outcome.WRONG_KEY, msg("the ssh-agent did not sign: it is locked, was told not to, or lost the key")
        )
    fields = list(_fields(answer[1:]))
    parts = list(_fields(fields[0])) if len(fields) == 1 else []
    if len(parts) != 2 or parts[0] != _KIND or len(parts[1]) != 64:
        raise _broken("what it signed with is no Ed25519 key")
    return parts[1]


def _message(body: bytes) -> bytes:
    return len(body).to_bytes(4, "big") + body


def _field(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


def _fields(data: bytes) -> Iterator[bytes]:
    while data:
        size = int.from_bytes(data[:4], "big")
        if len(data) < 4 + size:
            raise _broken("its answer is cut short")
        yield data[4 : 4 + size]
        data = data[4 + size :]


def _blob(public: str) -> bytes:
    return _field(_KIND) + _field(key_bytes(public))


def _text(blob: bytes) -> str:
    return f"ssh-ed25519 {base64.b64encode(blob).decode()}"


def _is_good(public: str) -> bool:
    try:
        return bool(decode_base64(public.partition(" ")[2], 51) and key_bytes(public))
    except ProtocolError:
        return False


def _broken(what: str) -> ProtocolError:
    return ProtocolError(Outcome.UNREADABLE, msg("the ssh-agent speaks otherwise than it should: {what}", what=what))
